// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/margin_sensitivity.hpp"

#include <Eigen/SVD>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {
namespace {

// A place where one minor vanishes on a path μ(ρ), and how fast the path goes through it.
class CriticalMinor {
 public:
  CriticalMinor(const FrictionFamily& family, const std::vector<Index>& S, VectorXd mu, VectorXd mu_rate)
      : family_{family}, S_{S}, mu_{std::move(mu)}, mu_rate_{std::move(mu_rate)} {
    const MatrixXd A = family.A(mu_)(S, S);
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    u_ = svd.matrixU().rightCols(1);
    v_ = svd.matrixV().rightCols(1);
    rate_ = form(family.A_1 * mu_rate_.asDiagonal());
  }

  // −uᵀ(∂A) v / uᵀ(A₁ diag(dμ*/dρ)) v
  [[nodiscard]] double derivative(const MatrixXd& dA) const { return -form(dA) / rate_; }
  [[nodiscard]] double derivative(const FamilyDerivative& by_p) const {
    return derivative(by_p.A_0 + by_p.A_1 * mu_.asDiagonal());
  }
  // By μ_j, which moves entry j of μ* by `moves`.
  [[nodiscard]] double by_mu(Index j, double moves) const {
    MatrixXd dA = MatrixXd::Zero(family_.size(), family_.size());
    dA.col(j) = moves * family_.A_1.col(j);
    return derivative(dA);
  }

 private:
  [[nodiscard]] double form(const MatrixXd& dA) const { return u_.dot(dA(S_, S_) * v_); }

  const FrictionFamily& family_;
  const std::vector<Index>& S_;
  VectorXd mu_, mu_rate_, u_, v_;
  double rate_ = 0.0;
};

void require_sizes(const FrictionFamily& family, const VectorXd& mu, const FrictionMargin& margin) {
  validate(family);
  ENFOLD_REQUIRE(mu.size() == family.size(), "margin_gradient: {} coefficients for {} rows", mu.size(),
                 family.size());
  ENFOLD_REQUIRE(margin.critical_mu.size() == 0 || margin.critical_mu.size() == mu.size(),
                 "margin_gradient: the critical vertex has {} entries, expected {}",
                 margin.critical_mu.size(), mu.size());
}

bool has_margin(const FrictionMargin& margin) {
  return margin.status == MarginStatus::kFinite;
}
bool has_scale(const FrictionMargin& margin) {
  return margin.scale.status == FrontierStatus::kCrossing;
}

// The vertex moves with ρ: outwards in every coordinate that is not clipped at 0.
CriticalMinor at_vertex(const FrictionFamily& family, const VectorXd& mu, const FrictionMargin& margin) {
  VectorXd rate(mu.size());
  for (Index j = 0; j < mu.size(); ++j) {
    const double moved = margin.critical_mu[j] - mu[j];
    const bool clipped = margin.critical_mu[j] == 0.0 && mu[j] < margin.half_width;
    // With both slip directions the vertex may lie on the other side, at −(μ + ρ).
    const bool mirrored = margin.critical_mu[j] < 0.0;
    rate[j] = clipped ? 0.0 : mirrored || moved < 0.0 ? -1.0 : 1.0;
  }
  return {family, margin.indices, margin.critical_mu, rate};
}

CriticalMinor at_scale(const FrictionFamily& family, const FrictionMargin& margin) {
  return {family, margin.scale.indices, margin.scale.r * margin.scale_direction, margin.scale_direction};
}

}  // namespace

MarginGradient margin_gradient(const FrictionFamily& family, const VectorXd& mu,
                               const FrictionMargin& margin) {
  require_sizes(family, mu, margin);
  MarginGradient out;
  if (has_margin(margin)) {
    const CriticalMinor critical = at_vertex(family, mu, margin);
    out.half_width_by_mu.resize(mu.size());
    for (Index j = 0; j < mu.size(); ++j) {
      const bool clipped = margin.critical_mu[j] == 0.0;
      const double moves = clipped ? 0.0 : margin.critical_mu[j] < 0.0 ? -1.0 : 1.0;
      out.half_width_by_mu[j] = critical.by_mu(j, moves);
    }
  }
  if (has_scale(margin)) {
    const CriticalMinor critical = at_scale(family, margin);
    out.scale_by_mu.resize(mu.size());
    for (Index j = 0; j < mu.size(); ++j) {
      const double sign = margin.scale_direction[j] < 0.0 ? -1.0 : 1.0;
      out.scale_by_mu[j] = critical.by_mu(j, sign * margin.scale.r);
    }
    out.kink = !margin.scale.ties.empty();
  }
  return out;
}

double half_width_derivative(const FrictionFamily& family, const VectorXd& mu, const FrictionMargin& margin,
                             const FamilyDerivative& by_p) {
  require_sizes(family, mu, margin);
  if (!has_margin(margin)) return std::numeric_limits<double>::quiet_NaN();
  return at_vertex(family, mu, margin).derivative(by_p);
}

double scale_derivative(const FrictionFamily& family, const VectorXd& mu, const FrictionMargin& margin,
                        const FamilyDerivative& by_p) {
  require_sizes(family, mu, margin);
  if (!has_scale(margin)) return std::numeric_limits<double>::quiet_NaN();
  return at_scale(family, margin).derivative(by_p);
}

}  // namespace enfold::uniqueness
