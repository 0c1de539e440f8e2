// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::bench {

/// One LCP solver under measurement, ours or a peer's.
class LcpPeer {
 public:
  virtual ~LcpPeer() = default;

  [[nodiscard]] virtual std::string name() const = 0;

  /// Largest n worth measuring.
  [[nodiscard]] virtual Index n_max() const { return 64; }

  /// Converts the problem to the solver's own types; not timed. It outlives the calls of solve.
  virtual void load(const lcp::LcpProblem& problem) = 0;

  /// The timed call: one cold solve of the problem loaded.
  virtual void solve() = 0;

  /// The x of the last solve; whatever the solver left there if it failed.
  [[nodiscard]] virtual VectorXd x() const = 0;
};

using LcpPeers = std::vector<std::unique_ptr<LcpPeer>>;

#ifdef ENFOLD_BENCH_SICONOS
void add_siconos_peers(LcpPeers& peers);
#endif
#ifdef ENFOLD_BENCH_DART
void add_dart_peers(LcpPeers& peers);
#endif
#ifdef ENFOLD_BENCH_BULLET
void add_bullet_peers(LcpPeers& peers);
#endif

}  // namespace enfold::bench
