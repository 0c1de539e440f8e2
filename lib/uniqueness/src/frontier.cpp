// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/frontier.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <cmath>

#include "enfold/base/require.hpp"
#include "pencil_minor.hpp"

namespace enfold::uniqueness {
namespace {

struct Failure {
  double r;
  std::uint32_t mask;
};

Frontier scaled_frontier(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options);

bool smaller_set(const Failure& a, const Failure& b) {
  const int size_a = std::popcount(a.mask);
  const int size_b = std::popcount(b.mask);
  return size_a != size_b ? size_a < size_b : a.mask < b.mask;
}

bool earlier(const Failure& a, const Failure& b) {
  return a.r != b.r ? a.r < b.r : smaller_set(a, b);
}

void require_pencil(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options) {
  ENFOLD_REQUIRE(P.rows() == P.cols(), "frontier: P is {} × {}, expected a square matrix", P.rows(),
                 P.cols());
  ENFOLD_REQUIRE(Q.rows() == P.rows() && Q.cols() == P.cols(), "frontier: Q is {} × {}, expected {} × {}",
                 Q.rows(), Q.cols(), P.rows(), P.cols());
  ENFOLD_REQUIRE(P.allFinite() && Q.allFinite(), "frontier: an entry of P or Q is not finite");
  ENFOLD_REQUIRE(options.exact_limit >= 0 && options.exact_limit <= 16,
                 "frontier: exact_limit is {}, expected 0 … 16", options.exact_limit);
  ENFOLD_REQUIRE(options.r_max > 0.0, "frontier: r_max is {}, expected above 0", options.r_max);
}

// The sets that fail at the smallest r, in order, into `out`.
void set_crossing(std::vector<Failure>& failures, double tie_tol, Frontier& out) {
  out.status = FrontierStatus::kCrossing;
  out.r = std::min_element(failures.begin(), failures.end(), earlier)->r;
  std::erase_if(failures, [&](const Failure& f) { return f.r - out.r > tie_tol * std::max(1.0, out.r); });
  std::sort(failures.begin(), failures.end(), smaller_set);
  out.indices = lcp::index_set(failures.front().mask);
  for (std::size_t k = 1; k < failures.size(); ++k) out.ties.push_back(lcp::index_set(failures[k].mask));
}

// Above the limit. The matrices with a positive definite symmetric part are P and convex: up to
// r = −1/λ_min(Q_s, P_s) the whole ray is in that set.
void bound_cheaply(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options, Frontier& out) {
  out.status = FrontierStatus::kTooLarge;
  const MatrixXd P_s = 0.5 * (P + P.transpose());
  const MatrixXd Q_s = 0.5 * (Q + Q.transpose());
  if (Eigen::LLT<MatrixXd>(P_s).info() == Eigen::Success) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(Q_s, P_s, Eigen::EigenvaluesOnly);
    const double least = eigen.eigenvalues().minCoeff();
    out.proved_to = least < 0.0 ? std::min(options.r_max, -1.0 / least) : options.r_max;
  }
  const auto look_at = [&](const std::vector<Index>& S) {
    const Frontier part = frontier(MatrixXd(P(S, S)), MatrixXd(Q(S, S)), {.r_max = options.r_max});
    if (part.r >= out.refuted_at) return;
    out.refuted_at = part.r;
    out.indices.clear();
    for (const Index i : part.indices) out.indices.push_back(S[static_cast<std::size_t>(i)]);
  };
  for (Index j = 1; j < P.rows(); ++j)
    for (Index i = 0; i < j; ++i) look_at({i, j});
}

}  // namespace

Frontier frontier(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options) {
  require_pencil(P, Q, options);
  // In units of r in which the two matrices are of one size: ties and tolerances mean the same for any
  // direction.
  const double P_max = P.size() > 0 ? P.cwiseAbs().maxCoeff() : 0.0;
  const double Q_max = Q.size() > 0 ? Q.cwiseAbs().maxCoeff() : 0.0;
  if (P_max > 0.0 && Q_max > 0.0 && std::isfinite(P_max / Q_max) && P_max / Q_max > 0.0) {
    const double unit = P_max / Q_max;
    FrontierOptions scaled = options;
    scaled.r_max = options.r_max / unit;
    Frontier out = scaled_frontier(P / P_max, Q / Q_max, scaled);
    const bool to_the_end = out.proved_to >= scaled.r_max;  // told apart before rounding blurs it
    for (double* r : {&out.r, &out.proved_to, &out.refuted_at}) *r *= unit;
    for (Touch& touch : out.touches) touch.r *= unit;
    if (to_the_end) out.proved_to = options.r_max;
    return out;
  }
  return scaled_frontier(P, Q, options);
}

namespace {

Frontier scaled_frontier(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options) {
  Frontier out;
  const Index n = P.rows();
  if (n > options.exact_limit) {
    bound_cheaply(P, Q, options, out);
    return out;
  }
  const lcp::PMatrixResult start = lcp::test_p_matrix(P);
  if (start.status != lcp::PMatrixStatus::kP) {
    out.status =
        start.status == lcp::PMatrixStatus::kNotP ? FrontierStatus::kNotPAtStart : FrontierStatus::kUndecided;
    out.r = 0.0;
    if (start.status == lcp::PMatrixStatus::kNotP) out.refuted_at = 0.0;
    out.indices = start.witness.indices;
    return out;
  }

  detail::PencilMinor minor(P, Q, options.touch_tol);
  std::vector<Failure> failures;
  std::vector<Failure> touches;
  double r_stop = options.r_max;
  out.proved_to = options.r_max;
  for (std::uint32_t mask = 1; mask < 1U << n; ++mask) {
    minor.select(mask);
    const detail::MinorLoss loss = minor.first_loss(r_stop);
    out.proved_to = std::min(out.proved_to, loss.proved_to);
    for (const double r : loss.touches) touches.push_back({r, mask});
    if (!loss.crossing || *loss.crossing > options.r_max) continue;
    failures.push_back({*loss.crossing, mask});
    r_stop = std::min(r_stop, *loss.crossing + options.tie_tol * std::max(1.0, *loss.crossing));
  }
  if (!failures.empty()) set_crossing(failures, options.tie_tol, out);
  out.refuted_at = out.r;

  std::sort(touches.begin(), touches.end(), earlier);
  for (const Failure& touch : touches)
    if (touch.r < out.r && touch.r <= options.r_max)
      out.touches.push_back({touch.r, lcp::index_set(touch.mask)});
  if (failures.empty()) out.status = out.touches.empty() ? FrontierStatus::kNone : FrontierStatus::kTouchOnly;
  return out;
}

}  // namespace

Frontier frontier(const FrictionFamily& family, const VectorXd& mu_0, const VectorXd& d,
                  const FrontierOptions& options) {
  validate(family);
  ENFOLD_REQUIRE(d.size() == family.size(), "frontier: the direction has {} entries, expected {}", d.size(),
                 family.size());
  ENFOLD_REQUIRE(d.allFinite() && mu_0.allFinite(), "frontier: an entry of the ray is not finite");
  return frontier(family.A(mu_0), family.A_1 * d.asDiagonal(), options);
}

Frontier frontier(const FrictionFamily& family, const FrictionGroups& groups, const VectorXd& mu_0,
                  const VectorXd& d_group, const FrontierOptions& options) {
  return frontier(family, mu_0, groups.expand(d_group), options);
}

}  // namespace enfold::uniqueness
