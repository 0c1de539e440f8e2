// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "enfold/lcp/p_matrix.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"
#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::test {

/// Example 2 of S4 at time t: ellipse at 0°, centre (0, 0.12) → (0, 0.15) in 1 s by the quintic. Rows: left
/// proximal, left distal, right proximal, right distal.
struct Example2 {
  PaperHand hand = paper_hand();
  VectorXd q;
  Eigen::Vector3d x_dot, x_ddot;
  std::vector<ContactMode> modes;
  uniqueness::FrictionFamily family;
  uniqueness::FrictionGroups pairs{{0, 1, 0, 1}, 2};  ///< μ_1 proximal, μ_2 distal

  explicit Example2(double t) {
    const double s = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
    q = hand.closed(0.0, 0.12 + 0.03 * s, 0.0);
    x_dot = {0.0, 0.03 * 30.0 * t * t * (1.0 - t) * (1.0 - t), 0.0};
    x_ddot = {0.0, 0.03 * 60.0 * t * (1.0 - t) * (1.0 - 2.0 * t), 0.0};
    modes = sliding_modes(hand, q, x_dot);
    family = uniqueness::friction_family(*hand.mechanism, *hand.contacts, q, modes).family;
  }
  [[nodiscard]] VectorXd mu(double mu_1, double mu_2) const {
    return (VectorXd(4) << mu_1, mu_2, mu_1, mu_2).finished();
  }
};

inline lcp::PMatrixStatus p_status(const MatrixXd& A) {
  return lcp::test_p_matrix(A).status;
}

/// A family of any size with a positive definite A₀.
inline uniqueness::FrictionFamily random_family(const CounterRandom& random, std::uint64_t n, Index size) {
  const MatrixXd B = random_matrix(random, 1000 * n, size, size);
  return {B * B.transpose() + 0.3 * MatrixXd::Identity(size, size),
          random_matrix(random, 1000 * n + 500, size, size)};
}

/// The paper's hand, thick or thin, at a random pose in random modes: sliding, with a rolling contact at
/// times.
inline uniqueness::FrictionFamily random_grasp_family(const CounterRandom& random, std::uint64_t n) {
  const PaperHand hand = paper_hand({.radius = n % 2 == 0 ? 0.0 : 0.012});
  std::vector<ContactMode> modes;
  for (std::uint64_t i = 0; i < 4; ++i)
    modes.push_back(random.symmetric(5000 + 10 * n + i) > 0 ? kPlus : kMinus);
  if (n % 5 == 4) modes[n % 4] = kRoll;
  return uniqueness::friction_family(*hand.mechanism, *hand.contacts, hand.random_closed(random, n), modes)
      .family;
}

/// P + r Q with diagonal 1 and det = (1 − r)² + gap: off the diagonal stand r − r₁ and r₂ − r, whose product
/// is 1 − gap − (1 − r)² for r₁, r₂ = 1 ∓ √(1 − gap).
struct TouchCase {
  MatrixXd P = MatrixXd::Identity(2, 2);
  MatrixXd Q = MatrixXd::Zero(2, 2);

  explicit TouchCase(double gap) {
    const double root = std::sqrt(1.0 - gap);
    P(0, 1) = -(1.0 - root);
    Q(0, 1) = 1.0;
    P(1, 0) = 1.0 + root;
    Q(1, 0) = -1.0;
  }
};

/// Rows 0 and 1 with one μ have the minor of TouchCase, row 2 has 1 − μ_2/5.
inline uniqueness::FrictionFamily dipping_family(double gap) {
  const TouchCase c(gap);
  uniqueness::FrictionFamily family{MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 3)};
  family.A_0.topLeftCorner(2, 2) = c.P;
  family.A_1.topLeftCorner(2, 2) = c.Q;
  family.A_1(2, 2) = -0.2;
  return family;
}

/// The first r in (0, r_max] at which P + r Q is not P: a scan, then bisection on the P-test.
inline std::optional<double> loss_by_scan(const MatrixXd& P, const MatrixXd& Q, double r_max, int steps) {
  lcp::PMatrixTester tester(P.rows());
  const auto is_P = [&](double r) { return tester.test(P + r * Q).status == lcp::PMatrixStatus::kP; };
  for (int k = 1; k <= steps; ++k) {
    if (is_P(r_max * k / steps)) continue;
    double inside = r_max * (k - 1) / steps;
    double outside = r_max * k / steps;
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (inside + outside);
      (is_P(middle) ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
  }
  return std::nullopt;
}

}  // namespace enfold::test
