// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/step_response.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"

namespace enfold::loop {
namespace {

/// Linear maps from a state of the closed loop to what is written down, a little later.
struct Glance {
  double after = 0.0;  // [s]
  MatrixXd x, tau;
};

/// δτ of a state [x ; I] under the forces that it makes itself.
MatrixXd torque_by_state(const LinearLoop& loop) {
  const LinearLaw& law = loop.law;
  MatrixXd by_state(law.K_x.rows(), law.K_x.cols() + law.K_I.cols());
  by_state << law.K_x + law.K_f * loop.plant.C, law.K_I;
  const MatrixXd echo = MatrixXd::Identity(law.K_x.rows(), law.K_x.rows()) - law.K_f * loop.plant.D;
  return echo.partialPivLu().solve(by_state);
}

/// Continuous: x is the first part of the state.
Glance glance_continuous(const LinearLoop& loop, const OpenLoop& open) {
  return {0.0, MatrixXd::Identity(open.n_x, open.system.states()), torque_by_state(loop)};
}

/// Displaced at rest; a sampled loop's first torque acts at once, whatever the delay.
VectorXd start(const LinearLoop& loop, const OpenLoop& open, Index coordinate) {
  VectorXd state = VectorXd::Zero(open.system.states());
  state[coordinate] = -1.0;
  if (!open.system.sampled()) return state;
  const VectorXd first = -torque_by_state(loop).col(coordinate);
  state.segment(open.n_x, open.n_tau) = first;
  for (Index at = open.n_x + open.n_tau + loop.integral.size(); at < state.size(); at += open.n_tau)
    state.segment(at, open.n_tau) = first;  // those on their way
  return state;
}

/// Sampled: at t_k + after, the torque acting being the last one's until the fraction of the delay is over.
Glance glance_sampled(const LinearLoop& loop, const OpenLoop& open, double fraction, double after) {
  const StateSpace& s = open.system;
  const Index n = s.states();
  const MatrixXd& A = loop.plant.A;
  const MatrixXd& B = loop.plant.B;
  MatrixXd x = MatrixXd::Identity(open.n_x, n);
  MatrixXd before = MatrixXd::Zero(open.n_tau, n);
  before.middleCols(open.n_x, open.n_tau).setIdentity();
  // The torque from t_k + fraction on: what the command channels of the closed loop carry.
  const MatrixXd now =
      (MatrixXd::Identity(s.channels(), s.channels()) - s.D).partialPivLu().solve(s.C).topRows(open.n_tau);
  const Held first = zero_order_hold(A, B, std::min(after, fraction));
  x = (first.Phi * x + first.Gamma * before).eval();
  if (after < fraction) return {after, x, before};
  const Held second = zero_order_hold(A, B, after - fraction);
  return {after, second.Phi * x + second.Gamma * now, now};
}

void judge(StepResponse& out, Index coordinate) {
  const auto course = out.motion.col(coordinate);
  out.overshoot = std::max(0.0, course.maxCoeff() - 1.0);
  out.settling_time = 0.0;
  for (Index k = course.size() - 1; k >= 0; --k) {
    if (std::abs(course[k] - 1.0) <= 0.02) continue;
    out.settling_time = k + 1 < course.size() ? out.time[static_cast<std::size_t>(k) + 1]
                                              : std::numeric_limits<double>::infinity();
    return;
  }
}

}  // namespace

StepResponse step_response(const LinearLoop& loop, Index coordinate, double period, double delay,
                           double duration, int points) {
  ENFOLD_REQUIRE(coordinate >= 0 && coordinate < loop.plant.m(), "step_response: coordinate {} of {}",
                 coordinate, loop.plant.m());
  ENFOLD_REQUIRE(duration > 0.0 && points >= 2, "step_response: duration {} s, {} points", duration, points);
  ENFOLD_REQUIRE(period > 0.0 || delay == 0.0, "step_response: a delay needs a sampled loop");
  const bool sampled = period > 0.0;
  const OpenLoop open = sampled ? sampled_loop(loop, period, delay) : continuous_loop(loop);
  const double interval = duration / points;
  std::vector<Glance> glances;
  MatrixXd next;
  double advance = interval;
  if (sampled) {
    const double fraction = std::max(0.0, delay - std::floor(delay / period + 1e-9) * period);
    // Several looks into a long period, or one at every so-manieth of the short ones.
    const int within = std::max(1, static_cast<int>(std::lround(period / interval)));
    const int stride = std::max(1, static_cast<int>(std::lround(interval / period)));
    for (int i = 0; i < within; ++i)
      glances.push_back(glance_sampled(loop, open, fraction, period * i / within));
    const MatrixXd closed = open.closed();
    next = MatrixXd::Identity(closed.rows(), closed.cols());
    for (int i = 0; i < stride; ++i) next = (closed * next).eval();
    advance = stride * period;
  } else {
    glances.push_back(glance_continuous(loop, open));
    next = zero_order_hold(open.closed(), MatrixXd(open.system.states(), 0), interval).Phi;
  }

  StepResponse out;
  VectorXd state = start(loop, open, coordinate);
  std::vector<VectorXd> x;
  std::vector<VectorXd> tau;
  for (double t = 0.0; t <= duration * (1.0 + 1e-9); t += advance, state = (next * state).eval()) {
    for (const Glance& glance : glances) {
      out.time.push_back(t + glance.after);
      x.emplace_back(glance.x * state);
      tau.emplace_back(glance.tau * state);
    }
  }
  const auto rows = static_cast<Index>(x.size());
  const Index n_C = loop.plant.C.rows() / 2;
  out.motion.resize(rows, loop.plant.m());
  out.forces.resize(rows, n_C);
  out.torques.resize(rows, open.n_tau);
  for (Index k = 0; k < rows; ++k) {
    const auto i = static_cast<std::size_t>(k);
    out.motion.row(k) = x[i].head(loop.plant.m());
    out.motion(k, coordinate) += 1.0;
    out.forces.row(k) = (loop.plant.C * x[i] + loop.plant.D * tau[i]).head(n_C);
    out.torques.row(k) = tau[i];
  }
  judge(out, coordinate);
  return out;
}

}  // namespace enfold::loop
