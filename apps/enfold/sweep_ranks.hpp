// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sweep_workers.hpp"

namespace enfold::app {

/// The processes that `mpirun` has started for one study. Rank 0 hands out samples, keeps the results, and
/// works as well; whoever is done gets more, so that slow samples and slow machines do no harm. Without
/// mpirun, or in a program built without MPI, there is one rank, and nothing here waits for anybody.
class Ranks {
 public:
  virtual ~Ranks() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Ranks on this machine, which share its cores.
  [[nodiscard]] virtual int on_this_machine() const = 0;
  /// The smallest rank for which `fine` is false, or −1; the same answer everywhere.
  [[nodiscard]] virtual int first_trouble(bool fine) = 0;
  /// Rank 0's text, everywhere.
  [[nodiscard]] virtual std::string from_first(const std::string& text) = 0;
  /// Evaluates until rank 0's `next` gives nothing more. Of the other ranks `next` and `finish` are not used:
  /// each of their results is sent to rank 0 when it is ready.
  virtual void run(int threads, const SweepWork& work) = 0;
};

/// Joins those that mpirun has started.
[[nodiscard]] std::unique_ptr<Ranks> join_ranks();

/// "Open MPI v4.1.4", or empty if the program was built without MPI.
[[nodiscard]] std::string ranks_library();

}  // namespace enfold::app
