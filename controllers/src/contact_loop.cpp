// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/contact_loop.hpp"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"

namespace enfold::controllers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A loop counts as stable if a period shrinks it by more than rounding.
constexpr double kRounding = 1e-10;

/// One period: x⁺ = Φ x + Γ τ over [δq ; v], closed by the law over [δq ; v ; I].
struct Period {
  MatrixXd closed;      // [δq ; v ; I] of one instant to that of the next
  MatrixXd by_reading;  // per error of a force reading
  MatrixXd force;       // λ per [δq ; v ; I]
};

Period period(const ContactLoop& loop, double K_lambda, double rate) {
  ENFOLD_REQUIRE(std::isfinite(rate) && rate > 0.0, "contact loop: sampling rate is {} Hz, expected > 0",
                 rate);
  const double h = 1.0 / rate;
  const Index n = loop.W_N.rows();
  const Index p = loop.G_null.cols();
  const Index n_theta = loop.by_torque.cols();
  MatrixXd H(loop.K.size(), 2 * n);  // λ = H [δq ; v]
  H << -(loop.K.asDiagonal() * loop.W_N.transpose()), -(loop.C.asDiagonal() * loop.W_N.transpose());
  MatrixXd block = MatrixXd::Zero(2 * n + n_theta, 2 * n + n_theta);
  block.topRows(n).middleCols(n, n).setIdentity();
  block.middleRows(n, n).leftCols(2 * n) = loop.by_force * H;
  block.middleRows(n, n).leftCols(n) += loop.by_position;
  block.middleRows(n, n).rightCols(n_theta) = loop.by_torque;
  block *= h;
  const MatrixXd exponential = block.exp();

  Period out;
  out.force.setZero(H.rows(), 2 * n + p);
  out.force.leftCols(2 * n) = H;
  const MatrixXd torque =
      loop.torque_by_state + K_lambda * loop.J_tilde.transpose() * (loop.wanted_by_state - out.force);
  const MatrixXd Gamma = exponential.topRightCorner(2 * n, n_theta);
  out.closed.setIdentity(2 * n + p, 2 * n + p);
  out.closed.topRows(2 * n) = Gamma * torque;
  out.closed.topLeftCorner(2 * n, 2 * n) += exponential.topLeftCorner(2 * n, 2 * n);
  out.closed.bottomRows(p) -= h * (loop.G_null.transpose() * out.force + loop.alpha_by_state);
  out.by_reading.setZero(2 * n + p, H.rows());
  out.by_reading.topRows(2 * n) = -K_lambda * Gamma * loop.J_tilde.transpose();
  out.by_reading.bottomRows(p) = -h * loop.G_null.transpose();
  return out;
}

/// The grasp at one configuration at rest, its basis turned to that of the plan.
struct Frozen {
  MatrixXd M;
  grasp::GraspMatrices grasp;
  MatrixXd G_null;
};

Frozen frozen_at(const WholeArmModel& model, const VectorXd& q, const control::PlanPoint& point) {
  const VectorXd rest = VectorXd::Zero(model.mechanism->n_v());
  contact::ContactKinematics kinematics;
  mechanics::Dynamics dynamics;
  model.contacts->kinematics(q, rest, kinematics);
  model.mechanism->dynamics(q, rest, dynamics);
  Frozen out;
  out.M = dynamics.M;
  grasp::assemble(kinematics, point.modes, model.mu, model.mechanism->n_x(), out.grasp);
  grasp::InternalForces internal;
  internal.compute(out.grasp.G);
  internal.align(point.G_null);
  out.G_null = internal.basis();
  return out;
}

/// Where `stable` ends between a place where it holds and one where it does not, on a logarithmic scale.
template <typename Stable>
double edge(const Stable& stable, double inside, double outside) {
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(inside * outside);
    (stable(middle) ? inside : outside) = middle;
  }
  return inside;
}

/// Walks from a place where `stable` holds to `end`, by a factor; the edge, or `end`.
template <typename Stable>
double walk(const Stable& stable, double from, double end, double factor) {
  double inside = from;
  while (factor > 1.0 ? inside < end : inside > end) {
    const double next = factor > 1.0 ? std::min(end, inside * factor) : std::max(end, inside * factor);
    if (!stable(next)) return edge(stable, inside, next);
    inside = next;
  }
  return end;
}

}  // namespace

ContactLoop contact_loop(const WholeArmModel& model, const VectorXd& x, const control::PlanPoint& point,
                         const Gains& gains, const VectorXd& K, const VectorXd& C) {
  const Index n = model.mechanism->n_v();
  const Index n_x = model.mechanism->n_x();
  const Index n_theta = model.mechanism->n_theta();
  ENFOLD_REQUIRE(x.size() + point.theta.size() == model.mechanism->n_q(),
                 "contact_loop: {} coordinates of the object and {} joint angles, expected {} in all",
                 x.size(), point.theta.size(), model.mechanism->n_q());
  ENFOLD_REQUIRE(K.size() == n_theta && C.size() == n_theta && K.minCoeff() > 0.0 && C.minCoeff() >= 0.0,
                 "contact_loop: {} stiffnesses and {} dampings for {} contacts, expected > 0 and ≥ 0",
                 K.size(), C.size(), n_theta);
  VectorXd q(model.mechanism->n_q());
  q << x, point.theta;
  const Frozen at = frozen_at(model, q, point);
  const grasp::GraspMatrices& grasp = at.grasp;
  ENFOLD_REQUIRE(
      grasp.n_R() == 0 && grasp.n_S() == n_theta,
      "contact_loop: {} contacts slide and {} roll, for {} joints; expected as many sliding as joints",
      grasp.n_S(), grasp.n_R(), n_theta);
  ContactLoop out;
  out.K = K;
  out.C = C;
  out.W_N = grasp.W_tilde();
  out.J_tilde = grasp.J_tilde;
  out.G_null = at.G_null;
  const Eigen::LLT<MatrixXd> M(at.M);
  out.by_force = M.solve(grasp.W());
  out.by_torque = M.solve(MatrixXd::Identity(n, n).rightCols(n_theta));
  out.A = out.W_N.transpose() * out.by_force;
  out.S = -out.W_N.transpose() * out.by_torque * grasp.J_tilde.transpose();

  const Index p = out.G_null.cols();
  MatrixXd acceleration = MatrixXd::Zero(n_x, 2 * n + p);  // ẍ* per [δq ; v ; I]
  acceleration.leftCols(n_x) = -gains.Kp * MatrixXd::Identity(n_x, n_x);
  acceleration.middleCols(n, n_x) = -gains.Kv * MatrixXd::Identity(n_x, n_x);
  const MatrixXd joint_acceleration =
      grasp.J_tilde.partialPivLu().solve(grasp.G_tilde.transpose() * acceleration);
  out.wanted_by_state =
      grasp.G.completeOrthogonalDecomposition().solve(at.M.topLeftCorner(n_x, n_x) * acceleration);
  out.wanted_by_state.rightCols(p) += gains.Kalpha * out.G_null;
  out.torque_by_state = at.M.bottomRightCorner(n_theta, n_theta) * joint_acceleration +
                        grasp.J.transpose() * out.wanted_by_state;

  // What changes with the position at constant forces and constant α_d, by central differences.
  constexpr double kStep = 1e-6;  // [m, rad]: curvatures are about 10 per metre
  const VectorXd lambda_0 = at.G_null * point.alpha_des;
  MatrixXd load(n, n);
  out.alpha_by_state.setZero(p, 2 * n + p);
  for (Index j = 0; j < n; ++j) {
    VectorXd there = q;
    there[j] += kStep;
    const Frozen ahead = frozen_at(model, there, point);
    there[j] -= 2.0 * kStep;
    const Frozen behind = frozen_at(model, there, point);
    const VectorXd wanted_ahead = ahead.G_null * point.alpha_des;
    const VectorXd wanted_behind = behind.G_null * point.alpha_des;
    load.col(j) = (ahead.grasp.W() - behind.grasp.W()) * lambda_0 / (2.0 * kStep);
    out.wanted_by_state.col(j) += (wanted_ahead - wanted_behind) / (2.0 * kStep);
    out.torque_by_state.col(j) +=
        (ahead.grasp.J.transpose() * wanted_ahead - behind.grasp.J.transpose() * wanted_behind) /
        (2.0 * kStep);
    out.alpha_by_state.col(j) = (ahead.G_null - behind.G_null).transpose() * lambda_0 / (2.0 * kStep);
  }
  out.by_position = M.solve(load);
  return out;
}

Eigen::VectorXcd contact_poles(const ContactLoop& loop, double K_lambda) {
  const Index m = loop.A.rows();
  const MatrixXd A = loop.A + K_lambda * loop.S;
  MatrixXd companion = MatrixXd::Zero(2 * m, 2 * m);
  companion.topRightCorner(m, m).setIdentity();
  companion.bottomLeftCorner(m, m) = -A * loop.K.asDiagonal();
  companion.bottomRightCorner(m, m) = -A * loop.C.asDiagonal();
  Eigen::VectorXcd poles = companion.eigenvalues();
  std::sort(poles.begin(), poles.end(), [](const auto& a, const auto& b) { return a.real() > b.real(); });
  return poles;
}

double least_gain(const ContactLoop& loop) {
  const Eigen::VectorXcd roots = (-loop.S.llt().solve(loop.A)).eigenvalues();
  double least = 0.0;
  for (const std::complex<double>& root : roots)
    if (std::abs(root.imag()) <= 1e-12 * std::abs(root)) least = std::max(least, root.real());
  return least;
}

double spectral_radius(const ContactLoop& loop, double K_lambda, double rate) {
  return period(loop, K_lambda, rate).closed.eigenvalues().cwiseAbs().maxCoeff();
}

StableRange stable_gains(const ContactLoop& loop, double rate) {
  const auto stable = [&](double K_lambda) {
    return spectral_radius(loop, K_lambda, rate) < 1.0 - kRounding;
  };
  constexpr double kFirst = 1e-3;
  constexpr double kLast = 1e4;
  constexpr double kFactor = 1.05;
  if (stable(0.0)) return {0.0, stable(kFirst) ? walk(stable, kFirst, kLast, kFactor) : 0.0};
  double outside = std::max(kFirst, 0.5 * least_gain(loop));
  for (double inside = outside * kFactor; inside < kLast; inside *= kFactor) {
    if (stable(inside)) return {edge(stable, inside, outside), walk(stable, inside, kLast, kFactor)};
    outside = inside;
  }
  return {};
}

StableRange stable_rates(const ContactLoop& loop, double K_lambda) {
  constexpr double kFastest = 1e6;
  const auto stable = [&](double rate) { return spectral_radius(loop, K_lambda, rate) < 1.0 - kRounding; };
  if (!stable(kFastest)) return {};
  return {walk(stable, kFastest, 1.0, 1.0 / 1.05), kFastest};
}

StableRange stable_stiffness(const ContactLoop& loop, double K_lambda, double rate) {
  ContactLoop scaled = loop;
  const auto stable = [&](double factor) {
    scaled.K = factor * loop.K;
    scaled.C = std::sqrt(factor) * loop.C;
    return spectral_radius(scaled, K_lambda, rate) < 1.0 - kRounding;
  };
  if (!stable(1.0)) return {};
  return {walk(stable, 1.0, 1e-4, 1.0 / 1.05), walk(stable, 1.0, 1e4, 1.05)};
}

VectorXd force_spread(const ContactLoop& loop, double K_lambda, double rate, const VectorXd& noise) {
  const Period step = period(loop, K_lambda, rate);
  ENFOLD_REQUIRE(noise.size() == loop.K.size(), "force_spread: {} readings for {} contacts", noise.size(),
                 loop.K.size());
  if (!(step.closed.eigenvalues().cwiseAbs().maxCoeff() < 1.0 - kRounding))
    return VectorXd::Constant(noise.size(), kInfinity);
  // P = Σ Φⁱ Q Φᵀⁱ by doubling: P ← P + Φ P Φᵀ, Φ ← Φ².
  MatrixXd Phi = step.closed;
  MatrixXd P = step.by_reading * noise.cwiseAbs2().asDiagonal() * step.by_reading.transpose();
  for (int i = 0; i < 60 && Phi.cwiseAbs().maxCoeff() > 1e-16; ++i) {
    P += (Phi * P * Phi.transpose()).eval();
    Phi = (Phi * Phi).eval();
  }
  return (step.force * P * step.force.transpose()).diagonal().cwiseMax(0.0).cwiseSqrt();
}

}  // namespace enfold::controllers
