// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/linear_loop.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "enfold/base/require.hpp"

namespace enfold::loop {
namespace {

/// The acceleration, the rate of the integrals and the difference of the forces: 0 at rest.
struct Unrest {
  HeldForces held;
  VectorXd value;
};

Unrest unrest(const HeldGrasp& grasp, const LinearLaw& law, const MatrixXd& L, const VectorXd& forces) {
  Unrest out{held_forces(grasp, grasp.q, law.tau), {}};
  out.value.resize(L.rows() + law.rate.size() + forces.size());
  out.value << L * out.held.v_dot, law.rate, out.held.forces - forces;
  return out;
}

/// ∂[v̇ ; İ ; λ − λ_read] / ∂[z ; I ; λ_read]
MatrixXd slope_of_unrest(const LinearPlant& plant, const LinearLaw& law) {
  const Index m = plant.m();
  const Index n_I = law.K_I.cols();
  const Index n_f = law.K_f.cols();
  MatrixXd by_tau(m + n_I + n_f, law.tau.size());
  by_tau << plant.B.bottomRows(m), MatrixXd::Zero(n_I, law.tau.size()), plant.D;
  MatrixXd tau(law.tau.size(), m + n_I + n_f);
  tau << law.K_x.leftCols(m), law.K_I, law.K_f;
  MatrixXd out = by_tau * tau;
  out.topLeftCorner(m, m) += plant.stiffness();
  out.block(m, 0, n_I, m) += law.N_x.leftCols(m);
  out.block(m, m, n_I, n_I) += law.N_I;
  out.block(m, m + n_I, n_I, n_f) += law.N_f;
  out.bottomLeftCorner(n_f, m) += plant.C.leftCols(m);
  out.bottomRightCorner(n_f, n_f).diagonal().array() -= 1.0;
  return out;
}

void fail(LinearLoop& loop, LinearLoopStatus status, std::string message) {
  loop.status = status;
  loop.message = std::move(message);
}

void look_for_pulling(LinearLoop& loop) {
  const std::vector<std::string>& names = loop.grasp.contacts->names();
  for (Index i = 0; i < loop.grasp.contacts->n_contacts(); ++i) {
    if (loop.grasp.modes[static_cast<std::size_t>(i)] == contact::ContactMode::kOpen) continue;
    if (loop.plant.at.forces[i] > 0.0) continue;
    fail(loop, LinearLoopStatus::kForcesPull,
         fmt::format("at rest contact {} would have to pull with {:.3g} N",
                     names[static_cast<std::size_t>(i)], -loop.plant.at.forces[i]));
    return;
  }
}

}  // namespace

std::string_view to_string(LinearLoopStatus status) {
  switch (status) {
    case LinearLoopStatus::kLinearised:
      return "linearised";
    case LinearLoopStatus::kNotAtRest:
      return "no rest";
    case LinearLoopStatus::kLawSingular:
      return "the law is singular";
    case LinearLoopStatus::kForcesPull:
      return "a contact would pull";
  }
  return "unknown";
}

std::string_view to_string(Cut cut) {
  switch (cut) {
    case Cut::kCommand:
      return "command";
    case Cut::kMotion:
      return "motion";
    case Cut::kForces:
      return "forces";
  }
  return "unknown";
}

LinearLoop linearise(const HeldGrasp& grasp, control::Controller& law, const LinearLoopOptions& options) {
  LinearLoop out;
  out.grasp = grasp;
  const HeldMotion motion = held_motion(grasp);
  const Index m = motion.Z.cols();
  const Index n_I = law.n_integrals();
  out.displacement.setZero(m);
  out.integral.setZero(n_I);
  // The forces of the law's own torque, before it has read any.
  const VectorXd none = VectorXd::Zero(2 * grasp.contacts->n_contacts());
  VectorXd forces = held_forces(grasp, grasp.q,
                                linear_law(law, grasp, MatrixXd(motion.Z.rows(), 0), out.integral, none).tau)
                        .forces;
  for (int i = 0;; ++i) {
    out.law = linear_law(law, out.grasp, held_motion(out.grasp).Z, out.integral, forces);
    if (out.law.singular || !out.law.tau.allFinite()) {
      fail(out, LinearLoopStatus::kLawSingular, "the law's matrices lose rank at this pose");
      return out;
    }
    out.plant = linear_plant(out.grasp, out.law.tau);
    const VectorXd left = unrest(out.grasp, out.law, out.plant.L, forces).value;
    if (left.lpNorm<Eigen::Infinity>() <= options.rest_tol) break;
    const Eigen::FullPivLU<MatrixXd> slope(slope_of_unrest(out.plant, out.law));
    if (i >= options.max_iterations || !slope.isInvertible() || !left.allFinite()) {
      fail(out, LinearLoopStatus::kNotAtRest,
           fmt::format("grasp and law do not rest together near this pose: {:.2g} of acceleration, force or "
                       "integral rate is left{}",
                       left.lpNorm<Eigen::Infinity>(),
                       slope.isInvertible() ? "" : ", and nothing in the loop brings it to zero"));
      return out;
    }
    const VectorXd step = -slope.solve(left);
    out.displacement += step.head(m);
    out.integral += step.segment(m, n_I);
    forces += step.tail(forces.size());
    if (out.displacement.lpNorm<Eigen::Infinity>() > options.max_displacement) {
      fail(out, LinearLoopStatus::kNotAtRest,
           fmt::format("the law would rest more than {} m or rad away from this pose",
                       options.max_displacement));
      return out;
    }
    out.grasp.q = moved(grasp, motion, out.displacement);
  }
  look_for_pulling(out);
  return out;
}

std::vector<Index> OpenLoop::channels(Cut cut) const {
  const Index first = cut == Cut::kCommand ? 0 : cut == Cut::kMotion ? n_tau : n_tau + n_x;
  const Index count = cut == Cut::kCommand ? n_tau : cut == Cut::kMotion ? n_x : n_f;
  std::vector<Index> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return out;
}

OpenLoop continuous_loop(const LinearLoop& loop) {
  const LinearPlant& plant = loop.plant;
  const LinearLaw& law = loop.law;
  const Index n_x = plant.A.rows();
  const Index n_I = law.K_I.cols();
  OpenLoop out{{}, plant.B.cols(), n_x, plant.C.rows()};
  const Index n_w = out.n_tau + out.n_x + out.n_f;
  StateSpace& s = out.system;
  s.A = MatrixXd::Zero(n_x + n_I, n_x + n_I);
  s.A.topLeftCorner(n_x, n_x) = plant.A;
  s.A.bottomRightCorner(n_I, n_I) = law.N_I;
  s.B = MatrixXd::Zero(n_x + n_I, n_w);
  s.B.topLeftCorner(n_x, out.n_tau) = plant.B;
  s.B.block(n_x, out.n_tau, n_I, n_x) = law.N_x;
  s.B.bottomRightCorner(n_I, out.n_f) = law.N_f;
  s.C = MatrixXd::Zero(n_w, n_x + n_I);
  s.C.topRightCorner(out.n_tau, n_I) = law.K_I;
  s.C.block(out.n_tau, 0, n_x, n_x).setIdentity();
  s.C.bottomLeftCorner(out.n_f, n_x) = plant.C;
  s.D = MatrixXd::Zero(n_w, n_w);
  s.D.block(0, out.n_tau, out.n_tau, n_x) = law.K_x;
  s.D.topRightCorner(out.n_tau, out.n_f) = law.K_f;
  s.D.bottomLeftCorner(out.n_f, out.n_tau) = plant.D;
  return out;
}

OpenLoop sampled_loop(const LinearLoop& loop, double period, double delay) {
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0, "sampled_loop: period is {} s, expected > 0", period);
  ENFOLD_REQUIRE(std::isfinite(delay) && delay >= 0.0 && delay <= 200.0 * period,
                 "sampled_loop: delay is {} s, expected 0 … 200 periods of {} s", delay, period);
  // A delay of whole periods up to rounding has no fraction.
  const double periods = std::floor(delay / period + 1e-9);
  const double fraction = std::max(0.0, delay - periods * period);
  const LinearPlant& plant = loop.plant;
  const LinearLaw& law = loop.law;
  const Index n_x = plant.A.rows();
  const Index n_I = law.K_I.cols();
  OpenLoop out{{}, plant.B.cols(), n_x, plant.C.rows()};
  const Index n_w = out.n_tau + out.n_x + out.n_f;
  const Index n = n_x + out.n_tau + n_I;
  const Held before = zero_order_hold(plant.A, plant.B, fraction);
  const Held after = zero_order_hold(plant.A, plant.B, period - fraction);
  StateSpace& s = out.system;
  s.period = period;
  s.A = MatrixXd::Zero(n, n);
  s.A.topLeftCorner(n_x, n_x) = after.Phi * before.Phi;
  s.A.block(0, n_x, n_x, out.n_tau) = after.Phi * before.Gamma;
  s.A.bottomRightCorner(n_I, n_I) = MatrixXd::Identity(n_I, n_I) + period * law.N_I;
  s.B = MatrixXd::Zero(n, n_w);
  s.B.topLeftCorner(n_x, out.n_tau) = after.Gamma;
  s.B.block(n_x, 0, out.n_tau, out.n_tau).setIdentity();
  s.B.block(n_x + out.n_tau, out.n_tau, n_I, n_x) = period * law.N_x;
  s.B.bottomRightCorner(n_I, out.n_f) = period * law.N_f;
  s.C = MatrixXd::Zero(n_w, n);
  s.C.topRightCorner(out.n_tau, n_I) = law.K_I;
  s.C.block(out.n_tau, 0, n_x, n_x).setIdentity();
  s.C.bottomLeftCorner(out.n_f, n_x) = plant.C;
  s.C.block(out.n_tau + n_x, n_x, out.n_f, out.n_tau) = plant.D;
  s.D = MatrixXd::Zero(n_w, n_w);
  s.D.block(0, out.n_tau, out.n_tau, n_x) = law.K_x;
  s.D.topRightCorner(out.n_tau, out.n_f) = law.K_f;
  const std::vector<Index> torques = out.channels(Cut::kCommand);
  for (long j = 0; j < std::lround(periods); ++j) s = s.delayed(torques);
  return out;
}

double force_echo(const LinearLoop& loop) {
  const MatrixXd echo = loop.law.K_f * loop.plant.D;
  return echo.size() == 0 ? 0.0 : echo.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace enfold::loop
