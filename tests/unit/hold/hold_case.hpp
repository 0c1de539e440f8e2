// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "enfold/contact/contact_law.hpp"
#include "enfold/controllers/contact_loop.hpp"
#include "enfold/controllers/force_loop.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/compliant_plant.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

/// Example 2, held where its rising object passes a height: slip directions and squeeze are the plan's there.
struct HeldGraspCase {
  PaperHand hand = paper_hand();
  VectorXd mu = Eigen::Vector4d(0.8, 0.6, 0.8, 0.6);
  VectorXd x;
  control::PlanPoint point;
  double damping_ratio = 0.7;

  explicit HeldGraspCase(double y) : x{Eigen::Vector3d(0.0, y, 0.0)} {
    const VectorXd from = Eigen::Vector3d(0.0, 0.12, 0.0);
    const VectorXd to = Eigen::Vector3d(0.0, 0.15, 0.0);
    const auto rise = std::make_shared<planners::Quintic>(from, to, 1.0);
    const planners::PlanSolution planned = planners::plan_internal_forces({hand.mechanism,
                                                                           hand.contacts,
                                                                           mu,
                                                                           std::vector<ContactMode>(4, kPlus),
                                                                           rise,
                                                                           [](double, Index) { return 1.0; },
                                                                           {}},
                                                                          {.sample_rate = 200.0});
    EXPECT_TRUE(planned.ok()) << planned.message;
    control::Reference reference;
    for (const control::PlanPoint& candidate : planned.plan.points) {
      rise->sample(candidate.time, reference);
      if (reference.x[1] > y) break;
      point = candidate;
    }
    point.time = 0.0;
    point.theta = hand.contacts->close(x).theta;
  }

  [[nodiscard]] controllers::WholeArmModel model() const { return {hand.mechanism, hand.contacts, mu}; }
  [[nodiscard]] VectorXd q() const {
    VectorXd out(7);
    out << x, point.theta;
    return out;
  }
  [[nodiscard]] contact::ContactLaw law(double k) const {
    return contact::kelvin_voigt_contact({.stiffness = k, .damping_ratio = damping_ratio});
  }
  [[nodiscard]] controllers::ContactLoop loop(double k, const controllers::Gains& gains = {}) const {
    const double c = contact::damping_coefficient(damping_ratio, k, 1.0);
    return controllers::contact_loop(model(), x, point, gains, VectorXd::Constant(4, k),
                                     VectorXd::Constant(4, c));
  }
};

/// The held grasp in time: the nonlinear compliant plant with the plan's slip directions imposed, and the law
/// on its own grid. Fourth-order Runge-Kutta steps.
class HeldGraspRun {
 public:
  HeldGraspRun(const HeldGraspCase& at, double k, double K_lambda, double rate)
      : at_{at},
        rate_{rate},
        trajectory_{std::make_shared<planners::Quintic>(at.x, at.x, 1.0)},
        plan_{std::make_shared<control::Plan>(control::Plan{{at.point}})},
        law_{at.model(), trajectory_, plan_, {}, K_lambda},
        sampled_{law_, 1.0 / rate},
        plant_{{at.hand.mechanism, at.hand.contacts, at.mu}, {at.law(k)}},
        steps_{static_cast<int>(std::max(4.0, std::ceil(8000.0 * std::sqrt(k / 1e4) / rate)))} {
    q = at.q();
    v = VectorXd::Zero(7);
    xi_ = VectorXd::Zero(4);
    lambda_0 = at.point.G_null * at.point.alpha_des;
    VectorXd lambda_T(4);
    for (Index i = 0; i < 4; ++i)
      lambda_T[i] = -slip_sign(at.point.modes[static_cast<std::size_t>(i)]) * at.mu[i] * lambda_0[i];
    plant_.adopt_forces(q, v, lambda_0, lambda_T, xi_);
    solve(VectorXd::Zero(4));
  }

  /// To the next control instant; noise is added to the readings of the normal forces.
  void advance(const VectorXd& noise = VectorXd::Zero(4)) {
    measured_.q = q;
    measured_.v = v;
    measured_.lambda_N = lambda() + noise;
    measured_.lambda_T = plant_.lambda_T();
    for (Index i = 0; i < 4; ++i)
      measured_.lambda_T[i] =
          -slip_sign(at_.point.modes[static_cast<std::size_t>(i)]) * at_.mu[i] * measured_.lambda_N[i];
    measured_.forces_valid = true;
    const VectorXd tau = sampled_.command(static_cast<double>(instant_++) / rate_, measured_).tau;
    const double h = 1.0 / rate_ / steps_;
    const auto acceleration = [&](const VectorXd& q_at, const VectorXd& v_at) {
      plant_.solve(q_at, v_at, xi_, tau, at_.point.modes);
      return plant_.v_dot();
    };
    for (int i = 0; i < steps_; ++i) {
      const VectorXd a1 = acceleration(q, v);
      const VectorXd a2 = acceleration(q + 0.5 * h * v, v + 0.5 * h * a1);
      const VectorXd a3 = acceleration(q + 0.5 * h * v + 0.25 * h * h * a1, v + 0.5 * h * a2);
      const VectorXd a4 = acceleration(q + h * v + 0.5 * h * h * a2, v + h * a3);
      q += h * v + h * h / 6.0 * (a1 + a2 + a3);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    solve(tau);
  }
  [[nodiscard]] const VectorXd& lambda() const { return plant_.lambda_N(); }
  [[nodiscard]] double time() const { return static_cast<double>(instant_) / rate_; }

  VectorXd q, v;
  VectorXd lambda_0;

 private:
  void solve(const VectorXd& tau) { plant_.solve(q, v, xi_, tau, at_.point.modes); }

  const HeldGraspCase& at_;
  double rate_;
  std::shared_ptr<const control::Trajectory> trajectory_;
  std::shared_ptr<const control::Plan> plan_;
  controllers::ForceLoopController law_;
  control::SampledLoop sampled_;
  sim::CompliantPlant plant_;
  int steps_;
  long instant_ = 0;
  VectorXd xi_;
  control::Measurement measured_;
};

/// Whether a small push grows: the span of the forces over the last quarter of a run against the quarter
/// before.
inline bool push_grows(const HeldGraspCase& at, double k, double K_lambda, double rate, double duration) {
  HeldGraspRun run(at, k, K_lambda, rate);
  run.q.head(3) += 1e-8 * Eigen::Vector3d(1.0, -0.5, 3.0);
  const double load = run.lambda_0.norm();
  VectorXd low[2], high[2];
  for (int part = 0; part < 2; ++part) {
    low[part] = VectorXd::Constant(4, 1e300);
    high[part] = -low[part];
  }
  while (run.time() < duration) {
    run.advance();
    if (!((run.lambda() - run.lambda_0).norm() < 0.5 * load)) return true;
    if (run.time() < 0.5 * duration) continue;
    const int part = run.time() < 0.75 * duration ? 0 : 1;
    low[part] = low[part].cwiseMin(run.lambda());
    high[part] = high[part].cwiseMax(run.lambda());
  }
  return (high[1] - low[1]).norm() > (high[0] - low[0]).norm();
}

}  // namespace enfold::test
