// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"

namespace enfold::control {

/// The object's desired motion at one instant.
struct Reference {
  VectorXd x;        ///< pose
  VectorXd x_dot;    ///< velocity
  VectorXd x_ddot;   ///< acceleration
  VectorXd x_dddot;  ///< jerk; tells the slip direction where the motion starts from rest
};

/// A desired motion of the object. After its end it holds the last pose.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  [[nodiscard]] virtual double duration() const = 0;
  /// Allocates nothing once `out` has its size.
  virtual void sample(double t, Reference& out) const = 0;
  /// When it rests, in order of time; both ends if it goes on without a rest [s].
  [[nodiscard]] virtual std::vector<double> rests() const { return {0.0, duration()}; }
};

/// The plan at one instant, at the desired pose.
struct PlanPoint {
  double time = 0.0;                        ///< [s]
  VectorXd alpha_des;                       ///< internal-force magnitudes, p [N]
  MatrixXd G_null;                          ///< G°, the basis that alpha_des refers to, k × p, orthonormal
  std::vector<contact::ContactMode> modes;  ///< planned contact modes with the slip directions
  int critical_contact = -1;                ///< whose minimum normal force is active; −1 if none
  double shadow_price = 0.0;                ///< ∂(Σ λ_N)/∂Λ of that contact
  VectorXd lambda_N;                        ///< planned normal forces, n_C [N]
  VectorXd lambda_T;                        ///< planned tangential forces, n_C [N]
  VectorXd tau;                             ///< planned joint torques, n_θ [N·m]
  VectorXd theta;                           ///< joint angles of the closed hand [rad]
  VectorXd theta_dot, theta_ddot;           ///< how they move on; may be empty: they rest
};

/// The plan over time: what the planner hands to the controller. Points are in order of time; at a hop
/// between critical contacts two neighbours are at most 1e-6 s apart, so that linear interpolation keeps its
/// corner.
struct Plan {
  std::vector<PlanPoint> points;

  [[nodiscard]] bool empty() const { return points.empty(); }
  /// Number of the last point with time ≤ t (0 before the start).
  [[nodiscard]] std::size_t segment(double t) const;
};

/// The plan at one instant, linear between its points: what a law reads in every period. Allocates nothing
/// once the vectors it fills have their size.
class PlanCursor {
 public:
  /// @pre plan not empty (throws InvalidArgument)
  explicit PlanCursor(std::shared_ptr<const Plan> plan);

  void move_to(double t);
  /// The point at or before the instant: whose modes, basis and critical contact apply.
  [[nodiscard]] const PlanPoint& point() const { return plan_->points[from_]; }
  [[nodiscard]] const PlanPoint& next() const { return plan_->points[to_]; }
  /// How far the instant is on the way to the next point, 0 … 1.
  [[nodiscard]] double fraction() const { return fraction_; }
  /// True beyond the last point: the plan rests.
  [[nodiscard]] bool at_end() const { return from_ == to_; }
  /// A quantity at the instant, e.g. value(&PlanPoint::tau, tau).
  void value(VectorXd PlanPoint::*quantity, VectorXd& out) const;
  /// The same of a rate of θ: zero beyond the end, and where the plan has none.
  void rate(VectorXd PlanPoint::*quantity, VectorXd& out) const;

 private:
  std::shared_ptr<const Plan> plan_;
  std::size_t from_ = 0, to_ = 0;
  double fraction_ = 0.0;
};

}  // namespace enfold::control
