// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/figure/figure.hpp"
#include "enfold/models/grasp_model.hpp"
#include "enfold/sim/history.hpp"

namespace enfold::app {

/// A run and what its figures compare it with. Holds references: for the length of a call only.
struct RunFigureInput {
  const sim::History& history;
  const models::GraspModel& model;
  VectorXd min_normal{};  ///< Λ at t = 0, n_C [N]; empty: no line is drawn
  double Kp = 0.0;        ///< [1/s²]; ≤ 0: no error is predicted
  double Kv = 0.0;        ///< [1/s]
  std::string title{};    ///< of every figure
};

/// Solution of ë + Kv ė + Kp e = 0 at time t, for distinct, double and complex poles.   [eq:error-dynamics]
///
///     s = −Kv/2,  D = Kv²/4 − Kp,  r = ė₀ − s e₀
///     e(t) = eˢᵗ (e₀ C + r S),   C, S = cosh √D t, sinh(√D t)/√D;   1, t at D = 0;   cos, sin at D < 0
[[nodiscard]] double predicted_error(double e_0, double e_dot_0, double Kp, double Kv, double t);

/// What |e(t)| is compared with: |e(t)| itself for real poles; for complex ones the decaying amplitude
/// eˢᵗ √(e₀² + (r/ω)²), ω = √−D, which e(t) touches once per half turn.
[[nodiscard]] double predicted_envelope(double e_0, double e_dot_0, double Kp, double Kv, double t);

// All figures need a run with at least one sample (throw InvalidArgument). Partial runs are drawn as far as
// they go.

/// Joint torques against time, one line per joint.
[[nodiscard]] figure::Figure torques_figure(const RunFigureInput& in);

/// The object coordinates that the task moves, actual and desired, one column each; below, their errors
/// x_des − x with the predicted envelope. Angles in degrees. A task that moves none: the one with the largest
/// error.
[[nodiscard]] figure::Figure tracking_figure(const RunFigureInput& in);

/// Torques above, the tracking of what the task moves below: S4's Figures 3 and 6.
[[nodiscard]] figure::Figure control_figure(const RunFigureInput& in, std::string title);

/// Pose against time, one panel for each coordinate: for an object that is left alone.
[[nodiscard]] figure::Figure motion_figure(const RunFigureInput& in);

/// Normal forces with their minimum Λ; below, the plan's critical contact and whether A is a P-matrix.
[[nodiscard]] figure::Figure forces_figure(const RunFigureInput& in);

/// Names and figures of a run: torques, tracking, forces, snapshots. None for a run without samples.
[[nodiscard]] std::vector<std::pair<std::string, figure::Figure>> run_figures(const RunFigureInput& in);

/// Name of contact i in every figure of a run.
[[nodiscard]] std::string contact_label(const RunFigureInput& in, Index i);

}  // namespace enfold::app
