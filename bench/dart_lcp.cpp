// SPDX-License-Identifier: BSD-3-Clause
// Debian's DART crashes when code built with AVX hands it Eigen objects: leave the bench at plain -O2.
#include <dart/lcpsolver/Lemke.hpp>

#include "lcp_peer.hpp"

namespace enfold::bench {

namespace {

class DartLemke final : public LcpPeer {
 public:
  [[nodiscard]] std::string name() const override { return "DART Lemke"; }

  void load(const lcp::LcpProblem& problem) override {
    problem_ = &problem;
    x_.setZero(problem.size());
  }

  void solve() override { (void)dart::lcpsolver::Lemke(problem_->A, problem_->b, &x_); }

  [[nodiscard]] VectorXd x() const override { return x_; }

 private:
  const lcp::LcpProblem* problem_ = nullptr;
  VectorXd x_;
};

}  // namespace

void add_dart_peers(LcpPeers& peers) {
  peers.push_back(std::make_unique<DartLemke>());
}

}  // namespace enfold::bench
