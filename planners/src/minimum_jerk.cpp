// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/minimum_jerk.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::planners {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// From (p, v, a) at both ends of a segment of length h to the coefficients of s⁰ … s⁵.
Matrix6 from_ends(double h) {
  Matrix6 to_D = Matrix6::Zero();  // rows: p0, h v0, h² a0/2, D, E, F
  to_D(0, 0) = 1.0;
  to_D(1, 1) = h;
  to_D(2, 2) = 0.5 * h * h;
  to_D.row(3) << -1.0, -h, -0.5 * h * h, 1.0, 0.0, 0.0;  // what is missing at the end: position,
  to_D.row(4) << 0.0, -h, -h * h, 0.0, h, 0.0;           // velocity,
  to_D.row(5) << 0.0, 0.0, -h * h, 0.0, 0.0, h * h;      // acceleration
  Matrix6 out = Matrix6::Identity();
  out.bottomRightCorner<3, 3>() << 10.0, -4.0, 0.5, -15.0, 7.0, -1.0, 6.0, -3.0, 0.5;
  return out * to_D;
}

/// ∫ x⃛² dt of a segment as a quadratic form of its coefficients.
Matrix6 jerk_form(double h) {
  Matrix6 out = Matrix6::Zero();
  out.bottomRightCorner<3, 3>() << 36.0, 72.0, 120.0, 72.0, 192.0, 360.0, 120.0, 360.0, 720.0;
  return out / std::pow(h, 5);
}

}  // namespace

MinimumJerk::MinimumJerk(std::vector<VectorXd> points, std::vector<double> times)
    : points_{std::move(points)}, times_{std::move(times)} {
  ENFOLD_REQUIRE(points_.size() >= 2 && times_.size() == points_.size(),
                 "MinimumJerk: {} points and {} times, expected at least two of each", points_.size(),
                 times_.size());
  const Index n = points_.front().size();
  ENFOLD_REQUIRE(times_.front() == 0.0, "MinimumJerk: the first time is {} s, expected 0", times_.front());
  for (std::size_t j = 1; j < points_.size(); ++j) {
    ENFOLD_REQUIRE(points_[j].size() == n, "MinimumJerk: point {} has {} coordinates, the first {}", j,
                   points_[j].size(), n);
    ENFOLD_REQUIRE(std::isfinite(times_[j]) && times_[j] > times_[j - 1],
                   "MinimumJerk: time {} is {} s, the one before {} s", j, times_[j], times_[j - 1]);
  }
  // The cost as a quadratic form of (p, v, a) at all points; free are v and a at the points between.
  const auto segments = static_cast<Index>(points_.size()) - 1;
  MatrixXd form = MatrixXd::Zero(3 * (segments + 1), 3 * (segments + 1));
  for (Index j = 0; j < segments; ++j) {
    const double h = times_[static_cast<std::size_t>(j) + 1] - times_[static_cast<std::size_t>(j)];
    const Matrix6 B = from_ends(h);
    form.block<6, 6>(3 * j, 3 * j) += B.transpose() * jerk_form(h) * B;
  }
  MatrixXd states = MatrixXd::Zero(3 * (segments + 1), n);
  for (Index j = 0; j <= segments; ++j) states.row(3 * j) = points_[static_cast<std::size_t>(j)].transpose();
  std::vector<Index> free;
  for (Index j = 1; j < segments; ++j) {
    free.push_back(3 * j + 1);
    free.push_back(3 * j + 2);
  }
  if (!free.empty()) {
    const MatrixXd K = form(free, free);
    const MatrixXd pull = form(free, Eigen::all) * states;
    // Velocities and accelerations differ in size by the time scale: balanced by the diagonal.
    const VectorXd d = K.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixXd balanced = d.asDiagonal() * K * d.asDiagonal();
    states(free, Eigen::all) = -(d.asDiagonal() * balanced.ldlt().solve(d.asDiagonal() * pull));
  }
  for (Index j = 0; j < segments; ++j) {
    const double h = times_[static_cast<std::size_t>(j) + 1] - times_[static_cast<std::size_t>(j)];
    coefficients_.push_back((from_ends(h) * states.middleRows<6>(3 * j)).transpose());
  }
}

double MinimumJerk::cost(const VectorXd& weights) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < coefficients_.size(); ++j) {
    const Matrix6 Q = jerk_form(times_[j + 1] - times_[j]);
    for (Index i = 0; i < coefficients_[j].rows(); ++i) {
      const double w = weights.size() == 0 ? 1.0 : weights[i];
      sum += w * w * coefficients_[j].row(i).dot(Q * coefficients_[j].row(i).transpose());
    }
  }
  return sum;
}

MinimumJerk MinimumJerk::with_best_times(std::vector<VectorXd> points, double duration,
                                         const VectorXd& weights) {
  ENFOLD_REQUIRE(points.size() >= 2, "MinimumJerk: {} points, expected at least two", points.size());
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "MinimumJerk: duration is {} s, expected > 0",
                 duration);
  ENFOLD_REQUIRE(weights.size() == 0 || weights.size() == points.front().size(),
                 "MinimumJerk: {} weights for {} coordinates", weights.size(), points.front().size());
  std::vector<double> times{0.0};
  for (std::size_t j = 1; j < points.size(); ++j) {
    ENFOLD_REQUIRE(points[j].size() == points[0].size(), "MinimumJerk: point {} has {} coordinates", j,
                   points[j].size());
    VectorXd step = points[j] - points[j - 1];
    if (weights.size() > 0) step = step.cwiseProduct(weights);
    times.push_back(times.back() + step.norm());
  }
  // Points that coincide still need time between them.
  const double total = times.back() > 0.0 ? times.back() : 1.0;
  const double share = 1e-3 / static_cast<double>(points.size());
  for (std::size_t j = 1; j < times.size(); ++j) times[j] += share * total * static_cast<double>(j);
  const double scale = duration / times.back();
  for (double& t : times) t *= scale;
  times.back() = duration;

  // Each time in turn by golden section between its neighbours, until a round gains nothing.
  const auto cost_at = [&](std::size_t j, double t) {
    std::vector<double> moved = times;
    moved[j] = t;
    return MinimumJerk(points, std::move(moved)).cost(weights);
  };
  constexpr double kGolden = 0.6180339887498949;
  double cost = MinimumJerk(points, times).cost(weights);
  for (int round = 0; round < 60; ++round) {
    for (std::size_t j = 1; j + 1 < times.size(); ++j) {
      const double gap = times[j + 1] - times[j - 1];
      double a = times[j - 1] + 1e-3 * gap;
      double b = times[j + 1] - 1e-3 * gap;
      while (b - a > 1e-9 * duration) {
        const double x = b - kGolden * (b - a);
        const double y = a + kGolden * (b - a);
        (cost_at(j, x) < cost_at(j, y) ? b : a) = cost_at(j, x) < cost_at(j, y) ? y : x;
      }
      times[j] = 0.5 * (a + b);
    }
    const double next = MinimumJerk(points, times).cost(weights);
    const bool done = cost - next <= 1e-12 * cost;
    cost = next;
    if (done) break;
  }
  return {std::move(points), std::move(times)};
}

void MinimumJerk::sample(double t, control::Reference& out) const {
  const double T = times_.back();
  const double at = std::clamp(t, 0.0, T);
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, at);
  const auto j = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double h = times_[j + 1] - times_[j];
  const double s = (at - times_[j]) / h;
  const MatrixXd& c = coefficients_[j];
  const bool moving = t >= 0.0 && t <= T;
  out.x = c.col(0) + s * (c.col(1) + s * (c.col(2) + s * (c.col(3) + s * (c.col(4) + s * c.col(5)))));
  out.x_dot =
      (c.col(1) + s * (2.0 * c.col(2) + s * (3.0 * c.col(3) + s * (4.0 * c.col(4) + s * 5.0 * c.col(5))))) /
      h;
  out.x_ddot =
      (2.0 * c.col(2) + s * (6.0 * c.col(3) + s * (12.0 * c.col(4) + s * 20.0 * c.col(5)))) / (h * h);
  out.x_dddot = (6.0 * c.col(3) + s * (24.0 * c.col(4) + s * 60.0 * c.col(5))) / (h * h * h);
  if (!moving) {
    out.x_dot.setZero();
    out.x_ddot.setZero();
    out.x_dddot.setZero();
  }
}

}  // namespace enfold::planners
