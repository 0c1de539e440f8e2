// SPDX-License-Identifier: BSD-3-Clause
// Bullet's Lemke in double precision: in its default single precision 1e-9 is out of reach.
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include "lcp_peer.hpp"

namespace enfold::bench {

namespace {

class BulletLemke final : public LcpPeer {
 public:
  [[nodiscard]] std::string name() const override { return "Bullet Lemke"; }

  void load(const lcp::LcpProblem& problem) override {
    const auto n = static_cast<int>(problem.size());
    A_.resize(n, n);
    b_.resize(n);
    for (int i = 0; i < n; ++i) {
      b_[i] = problem.b(i);
      for (int j = 0; j < n; ++j) A_.setElem(i, j, problem.A(i, j));
    }
  }

  void solve() override {
    btLemkeAlgorithm lemke(A_, b_);
    solution_ = lemke.solve(1000);
  }

  [[nodiscard]] VectorXd x() const override {
    return VectorXd::NullaryExpr(b_.rows(),
                                 [&](Index i) { return solution_[static_cast<int>(b_.rows() + i)]; });
  }

 private:
  btMatrixXu A_;
  btVectorXu b_;
  btVectorXu solution_;  // y, then x
};

}  // namespace

void add_bullet_peers(LcpPeers& peers) {
  peers.push_back(std::make_unique<BulletLemke>());
}

}  // namespace enfold::bench
