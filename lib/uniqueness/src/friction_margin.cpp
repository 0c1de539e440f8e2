// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/friction_margin.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The vertices of the growing cube, numbered by the signs of the coefficients that enter.
class Cube {
 public:
  Cube(const FrictionFamily& family, const VectorXd& mu, SlipDirections slip)
      : family_{family}, mu_{mu}, slip_{slip} {
    for (Index j = 0; j < family.size(); ++j)
      if (family.enters(j)) free_.push_back(j);
  }

  [[nodiscard]] std::uint32_t n_vertices() const { return 1U << free_.size(); }

  [[nodiscard]] VectorXd vertex(std::uint32_t mask, double r) const {
    VectorXd out = mu_;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Index j = free_[k];
      const bool up = (mask >> k & 1U) != 0;
      if (slip_ == SlipDirections::kBoth) {
        out[j] = up ? mu_[j] + r : -mu_[j] - r;
      } else {
        out[j] = up ? mu_[j] + r : std::max(0.0, mu_[j] - r);
      }
    }
    return out;
  }

  // Where P is lost on the path of a vertex, up to r_max; pieces between the kinks.
  [[nodiscard]] Frontier first_loss(std::uint32_t mask, double r_max) const {
    std::vector<double> kinks{0.0};
    if (slip_ == SlipDirections::kDeclared) {
      for (std::size_t k = 0; k < free_.size(); ++k)
        if ((mask >> k & 1U) == 0 && mu_[free_[k]] > 0.0 && mu_[free_[k]] < r_max)
          kinks.push_back(mu_[free_[k]]);
    }
    std::sort(kinks.begin(), kinks.end());
    kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());
    Frontier piece;
    for (std::size_t k = 0; k < kinks.size(); ++k) {
      const double from = kinks[k];
      const double to = k + 1 < kinks.size() ? kinks[k + 1] : r_max;
      VectorXd d = VectorXd::Zero(mu_.size());
      for (std::size_t f = 0; f < free_.size(); ++f) {
        const Index j = free_[f];
        const bool up = (mask >> f & 1U) != 0;
        const bool stopped = !up && slip_ == SlipDirections::kDeclared && mu_[j] <= from;
        d[j] = up ? 1.0 : stopped ? 0.0 : -1.0;
      }
      piece = frontier(family_, vertex(mask, from), d, {.exact_limit = 16, .r_max = to - from});
      const bool whole = piece.status == FrontierStatus::kNone || piece.status == FrontierStatus::kTouchOnly;
      const bool ends = !whole || piece.proved_to < to - from;
      piece.r += from;
      piece.proved_to += from;
      if (ends) return piece;
    }
    piece.proved_to = r_max;
    return piece;
  }

 private:
  const FrictionFamily& family_;
  const VectorXd& mu_;
  SlipDirections slip_;
  std::vector<Index> free_;
};

// All vertices P at r = 0; one, unless both slip directions are asked for.
PMatrixStatus start_status(const FrictionFamily& family, const Cube& cube, lcp::PMatrixTester& tester) {
  PMatrixStatus out = PMatrixStatus::kP;
  for (std::uint32_t mask = 0; mask < cube.n_vertices(); ++mask) {
    const PMatrixStatus status = tester.test(family.A(cube.vertex(mask, 0.0))).status;
    if (status == PMatrixStatus::kNotP) return status;
    if (status != PMatrixStatus::kP) out = status;
  }
  return out;
}

// The boxes [−rμ, rμ] are nested: a vertex that is P at the present r need not be followed.
void set_scale(const FrictionFamily& family, const VectorXd& mu, SlipDirections slip, FrictionMargin& out) {
  const VectorXd zero = VectorXd::Zero(mu.size());
  out.scale_direction = mu;
  out.scale = frontier(family, zero, mu);
  if (slip == SlipDirections::kDeclared) return;
  lcp::PMatrixTester tester(family.size());
  VectorXd d = mu;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t signs = 1; signs < 1U << mu.size(); ++signs) {
      for (Index j = 0; j < mu.size(); ++j) d[j] = (signs >> j & 1U) != 0 ? -mu[j] : mu[j];
      const double r = out.scale.r;
      if (std::isfinite(r) && tester.test(family.A(r * d)).status == PMatrixStatus::kP) continue;
      const Frontier along = frontier(family, zero, d, {.r_max = r});
      if (along.status != FrontierStatus::kCrossing || !(along.r < r)) continue;
      out.scale = along;
      out.scale_direction = d;
      changed = true;
    }
  }
}

// Above the limit: the largest cube that the cheap certificate proves, and what bounds r·μ.
void bound_cheaply(const FrictionFamily& family, const VectorXd& mu, SlipDirections slip,
                   FrictionMargin& out) {
  out.status = MarginStatus::kTooLarge;
  out.scale_direction = mu;
  if (slip == SlipDirections::kDeclared) out.scale = frontier(family, VectorXd::Zero(mu.size()), mu);
  const auto certified = [&](double r) {
    const FrictionBox cube{(mu.array() - r).matrix(), (mu.array() + r).matrix()};
    return certify(family, cube, {.slip = slip, .limit = 0}).status == CertificateStatus::kCertified;
  };
  if (!certified(0.0)) return;
  double outside = 1e-3;
  while (outside < 1e3 && certified(outside)) outside *= 2.0;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (out.half_width + outside);
    (certified(middle) ? out.half_width : outside) = middle;
  }
}

}  // namespace

FrictionMargin friction_margin(const FrictionFamily& family, const VectorXd& mu,
                               const MarginOptions& options) {
  validate(family);
  ENFOLD_REQUIRE(mu.size() == family.size(), "friction_margin: {} friction coefficients for {} rows",
                 mu.size(), family.size());
  for (Index j = 0; j < mu.size(); ++j)
    ENFOLD_REQUIRE(std::isfinite(mu[j]) && mu[j] >= 0.0,
                   "friction_margin: friction coefficient {} is {}, expected finite and ≥ 0", j, mu[j]);
  ENFOLD_REQUIRE(options.limit >= 0 && options.limit <= 12, "friction_margin: limit is {}, expected 0 … 12",
                 options.limit);
  FrictionMargin out;
  if (family.size() > options.limit) {
    bound_cheaply(family, mu, options.slip, out);
    return out;
  }
  set_scale(family, mu, options.slip, out);

  const Cube cube(family, mu, options.slip);
  lcp::PMatrixTester tester(family.size());
  const PMatrixStatus start = start_status(family, cube, tester);
  if (start != PMatrixStatus::kP) {
    out.status = start == PMatrixStatus::kNotP ? MarginStatus::kNotP : MarginStatus::kUndecided;
    return out;
  }
  double rho = kInfinity;
  double hidden_from = kInfinity;  // rounding hides a sign on the path of a vertex from here on
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t mask = 0; mask < cube.n_vertices(); ++mask) {
      if (std::isfinite(rho) && tester.test(family.A(cube.vertex(mask, rho))).status == PMatrixStatus::kP)
        continue;
      const Frontier loss = cube.first_loss(mask, rho);
      if (loss.status == FrontierStatus::kCrossing && loss.r < rho) {
        rho = loss.r;
        out.critical_mu = cube.vertex(mask, rho);
        out.indices = loss.indices;
        changed = true;
      }
      hidden_from = std::min(hidden_from, loss.proved_to);
    }
    if (!std::isfinite(rho)) break;
  }
  if (hidden_from < rho * (1.0 - 1e-12)) {
    out.status = MarginStatus::kUndecided;
    out.half_width = std::max(0.0, hidden_from);
    return out;
  }
  out.status = std::isfinite(rho) ? MarginStatus::kFinite : MarginStatus::kUnbounded;
  out.half_width = rho;
  return out;
}

}  // namespace enfold::uniqueness
