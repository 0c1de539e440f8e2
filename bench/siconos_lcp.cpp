// SPDX-License-Identifier: BSD-3-Clause
// Siconos' solvers called directly, without its driver and its checks of the options.
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <array>

#include "lcp_peer.hpp"

namespace enfold::bench {

namespace {

using Solve = void (*)(LinearComplementarityProblem*, double*, double*, int*, SolverOptions*);

class SiconosLcp final : public LcpPeer {
 public:
  SiconosLcp(std::string name, int id, Solve method, Index n_max)
      : name_{std::move(name)}, solve_{method}, n_max_{n_max}, options_{solver_options_create(id)} {
    // Enough for every problem that it solves; least-index pivoting cycles on singular ones.
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 2'000;
  }
  SiconosLcp(const SiconosLcp&) = delete;
  SiconosLcp& operator=(const SiconosLcp&) = delete;
  ~SiconosLcp() override {
    clear();
    solver_options_delete(options_);
  }

  void set_pivoting_method(int method) { options_->iparam[SICONOS_LCP_IPARAM_PIVOTING_METHOD_TYPE] = method; }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Index n_max() const override { return n_max_; }

  void load(const lcp::LcpProblem& problem) override {
    clear();
    const auto n = static_cast<int>(problem.size());
    A_ = problem.A;
    b_ = problem.b;
    x_.setZero(n);
    y_.setZero(n);
    problem_.size = n;
    problem_.M = NM_create_from_data(NM_DENSE, n, n, A_.data());
    problem_.q = b_.data();
    if (solve_ == lcp_enum) lcp_enum_init(&problem_, options_, 1);
  }

  void solve() override {
    x_.setZero();
    y_.setZero();
    int info = 0;
    solve_(&problem_, x_.data(), y_.data(), &info, options_);
  }

  [[nodiscard]] VectorXd x() const override { return x_; }

 private:
  void clear() {
    if (problem_.M == nullptr) return;
    if (solve_ == lcp_enum) lcp_enum_reset(&problem_, options_, 1);
    problem_.M->matrix0 = nullptr;  // ours
    NM_clear(problem_.M);
    free(problem_.M);  // NOLINT: malloc of NM_create_from_data
    problem_.M = nullptr;
  }

  std::string name_;
  Solve solve_;
  Index n_max_;
  SolverOptions* options_;
  LinearComplementarityProblem problem_{};
  MatrixXd A_;
  VectorXd b_;
  VectorXd x_;
  VectorXd y_;
};

}  // namespace

void add_siconos_peers(LcpPeers& peers) {
  peers.push_back(
      std::make_unique<SiconosLcp>("Siconos lexicolemke", SICONOS_LCP_LEMKE, lcp_lexicolemke, 64));
  // Of its pivoting methods the one that solves all P-matrices without lexicographic bookkeeping.
  auto pivot = std::make_unique<SiconosLcp>("Siconos pivot least-index", SICONOS_LCP_PIVOT, lcp_pivot, 64);
  pivot->set_pivoting_method(SICONOS_LCP_PIVOT_LEAST_INDEX);
  peers.push_back(std::move(pivot));
  peers.push_back(std::make_unique<SiconosLcp>("Siconos enum", SICONOS_LCP_ENUM, lcp_enum, 8));
}

}  // namespace enfold::bench
