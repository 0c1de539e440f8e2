// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/planned_motion.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/planners/slip_direction.hpp"

namespace enfold::planners {

using contact::ContactMode;

PlannedMotion::PlannedMotion(std::shared_ptr<const mechanics::Mechanism> mechanism,
                             std::shared_ptr<const contact::ContactSet> contacts, VectorXd mu,
                             std::vector<ContactMode> modes,
                             std::shared_ptr<const control::Trajectory> trajectory,
                             std::vector<Index> coordinates)
    : mechanism_{std::move(mechanism)},
      contacts_{std::move(contacts)},
      mu_{std::move(mu)},
      modes_{std::move(modes)},
      trajectory_{std::move(trajectory)},
      coordinates_{std::move(coordinates)} {
  ENFOLD_REQUIRE(mechanism_ && contacts_ && trajectory_,
                 "PlannedMotion: mechanism, contacts and trajectory must all be given");
  const Index n = contacts_->n_contacts();
  ENFOLD_REQUIRE(mu_.size() == n && static_cast<Index>(modes_.size()) == n,
                 "PlannedMotion: {} friction coefficients and {} modes for {} contacts", mu_.size(),
                 modes_.size(), n);
  if (!coordinates_.empty()) {
    path_ = std::make_shared<ConstrainedPath>(
        ConstrainedPathProblem{mechanism_, contacts_, mu_, modes_, trajectory_, coordinates_});
  }
}

std::shared_ptr<const control::Trajectory> PlannedMotion::path() const {
  if (path_) return path_;
  return trajectory_;
}

void PlannedMotion::sample(double t, const std::vector<ContactMode>& before, MotionPoint& out) const {
  out.status = MotionStatus::kFollowed;
  out.reason.clear();
  out.modes = before;
  trajectory_->sample(t, out.reference);
  VectorXd jerk;
  if (!(path_ ? follow_constraints(t, out, jerk) : follow_by_closing(out, jerk))) return;
  out.modes = directed_modes(t, before, jerk, out);
  grasp::assemble(out.kinematics, out.modes, mu_, mechanism_->n_x(), out.grasp);
}

namespace {

bool refuse(MotionPoint& out, MotionStatus status, std::string reason) {
  out.status = status;
  out.reason = std::move(reason);
  return false;
}

}  // namespace

bool PlannedMotion::follow_by_closing(MotionPoint& out, VectorXd& jerk) const {
  const control::Reference& reference = out.reference;
  contact::Closure closure = contacts_->close(reference.x);
  if (!closure.closed()) return refuse(out, MotionStatus::kOutOfReach, closure.message);
  out.theta = std::move(closure.theta);

  const Index n_x = mechanism_->n_x();
  const Index n_theta = mechanism_->n_theta();
  out.q.resize(mechanism_->n_q());
  out.q << reference.x, out.theta;
  out.v.setZero(mechanism_->n_v());
  contacts_->kinematics(out.q, out.v, out.kinematics);
  grasp::assemble(out.kinematics, modes_, mu_, n_x, out.grasp);
  const Eigen::ColPivHouseholderQR<MatrixXd> solver(out.grasp.J_tilde);
  if (solver.rank() < n_theta) {
    return refuse(
        out, MotionStatus::kSingular,
        fmt::format("J̃ has rank {} for {} joints: the joint motion does not follow from the object's",
                    solver.rank(), n_theta));
  }
  const auto G_tilde_T = out.grasp.G_tilde.transpose();
  out.v.head(n_x) = reference.x_dot;
  out.v.tail(n_theta) = solver.solve(G_tilde_T * reference.x_dot);
  const double missed = (G_tilde_T * reference.x_dot - out.grasp.J_tilde * out.v.tail(n_theta)).norm();
  if (missed > 1e-9 * (1.0 + reference.x_dot.norm())) {
    return refuse(out, MotionStatus::kSingular,
                  "the motion asks a rolling contact to slip; let it slide, or name in task.coordinates the "
                  "motion that the rolling contacts allow");
  }
  contacts_->kinematics(out.q, out.v, out.kinematics);
  mechanism_->dynamics(out.q, out.v, out.dynamics);
  grasp::assemble(out.kinematics, modes_, mu_, n_x, out.grasp);
  out.v_dot.resize(mechanism_->n_v());
  out.v_dot.head(n_x) = reference.x_ddot;
  out.v_dot.tail(n_theta) = solver.solve(G_tilde_T * reference.x_ddot + out.grasp.bias);
  // At rest the jerk follows like a velocity.
  jerk.resize(mechanism_->n_v());
  jerk.head(n_x) = reference.x_dddot;
  jerk.tail(n_theta) = solver.solve(G_tilde_T * reference.x_dddot);
  return true;
}

bool PlannedMotion::follow_constraints(double t, MotionPoint& out, VectorXd& jerk) const {
  if (!path_->reaches(t)) {
    const bool out_of_reach =
        path_->end() == ConstrainedPath::End::kNotClosed || path_->end() == ConstrainedPath::End::kOffLink;
    return refuse(out, out_of_reach ? MotionStatus::kOutOfReach : MotionStatus::kSingular, path_->reason());
  }
  const Index n_x = mechanism_->n_x();
  path_->configuration(t, out.q);
  out.theta = out.q.tail(mechanism_->n_theta());
  out.v.setZero(mechanism_->n_v());
  contacts_->kinematics(out.q, out.v, out.kinematics);
  grasp::assemble(out.kinematics, modes_, mu_, n_x, out.grasp);
  grasp::MotionCoordinates motion;
  motion.compute(out.grasp, coordinates_);
  control::Reference& reference = out.reference;
  const VectorXd none = VectorXd::Zero(out.grasp.k());
  motion.solve(none, reference.x_dot(coordinates_), out.v);
  contacts_->kinematics(out.q, out.v, out.kinematics);
  mechanism_->dynamics(out.q, out.v, out.dynamics);
  grasp::assemble(out.kinematics, modes_, mu_, n_x, out.grasp);
  motion.solve(-out.grasp.bias, reference.x_ddot(coordinates_), out.v_dot);
  // At rest the jerk follows like a velocity.
  motion.solve(none, reference.x_dddot(coordinates_), jerk);
  reference.x = out.q.head(reference.x.size());
  reference.x_dot = out.v.head(n_x);
  reference.x_ddot = out.v_dot.head(n_x);
  reference.x_dddot = jerk.head(n_x);
  return true;
}

std::vector<ContactMode> PlannedMotion::directed_modes(double t, const std::vector<ContactMode>& before,
                                                       const VectorXd& jerk, const MotionPoint& at) const {
  std::vector<ContactMode> modes = modes_;
  const double T = trajectory_->duration();
  // Next to a rest the slip is too small to be told from rounding, and beyond the rest it may be another one:
  // looked at is what is on this side of it.
  const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
  const std::vector<double> rests = trajectory_->rests();
  const double rest = *std::min_element(rests.begin(), rests.end(), nearer);
  const Looking looking = t <= rest && rest > 0.0 ? Looking::kBackward : Looking::kForward;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (!is_sliding(modes[i])) continue;
    const auto column = at.kinematics.W_T.col(static_cast<Index>(i));
    // In units of the duration, so that a slow motion is told from rest as well as a fast one.
    const SlipDerivatives slip{T * column.dot(at.v),
                               T * T * (column.dot(at.v_dot) + at.kinematics.bias_T[static_cast<Index>(i)]),
                               T * T * T * column.dot(jerk)};
    modes[i] = slip_direction(slip, looking, before.empty() ? modes[i] : before[i]);
  }
  return modes;
}

}  // namespace enfold::planners
