// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "enfold/loop/linear_law.hpp"
#include "enfold/loop/linear_plant.hpp"
#include "enfold/loop/state_space.hpp"

namespace enfold::loop {

enum class LinearLoopStatus {
  kLinearised,
  kNotAtRest,    ///< no configuration near the given one in which grasp and law rest together
  kLawSingular,  ///< the law's matrices lost rank, or its torque is not finite
  kForcesPull,   ///< at rest a contact would have to pull
};
[[nodiscard]] std::string_view to_string(LinearLoopStatus status);

/// A grasp and its law around a configuration where both rest.
struct LinearLoop {
  LinearLoopStatus status = LinearLoopStatus::kLinearised;
  std::string message;    ///< what failed; empty if linearised
  HeldGrasp grasp;        ///< q: where it rests
  VectorXd displacement;  ///< from the configuration given to that of rest: z, m
  VectorXd integral;      ///< of the law at rest
  LinearPlant plant;
  LinearLaw law;
  [[nodiscard]] bool ok() const { return status == LinearLoopStatus::kLinearised; }
};

struct LinearLoopOptions {
  int max_iterations = 30;  ///< of Newton's method for the rest
  double rest_tol = 1e-9;   ///< largest acceleration, force and integral rate left at rest [m/s², N, …]
  double max_displacement = 0.05;  ///< from the configuration given [m, rad]
};

/// Finds where grasp and law rest, next to the given configuration, and linearises both there. A law with an
/// exact model and a plan for this pose rests where it is asked to; a wrong model rests elsewhere.
/// [eq:rest-point]
///
///     v̇(q(z), τ) = 0,   λ(q(z), τ) = λ_read,   İ = 0,   τ = law(q(z), 0, λ_read, I)
///
/// @param law  its reference must be constant at grasp.time: a fixed pose
/// @pre those of linear_plant() (throws InvalidArgument)
[[nodiscard]] LinearLoop linearise(const HeldGrasp& grasp, control::Controller& law,
                                   const LinearLoopOptions& options = {});

/// Where a loop is opened to ask how much it bears.
enum class Cut {
  kCommand,  ///< all torques: what the motors add
  kMotion,   ///< readings of pose and velocity
  kForces,   ///< readings of the contact forces
};
[[nodiscard]] std::string_view to_string(Cut cut);

/// The loop with all its channels open: [τ, n_θ ; x, 2m ; λ, 2 n_C], each closed by w = y.
struct OpenLoop {
  StateSpace system;
  Index n_tau = 0, n_x = 0, n_f = 0;
  [[nodiscard]] std::vector<Index> channels(Cut cut) const;
  [[nodiscard]] StateSpace at(Cut cut) const { return system.open_at(channels(cut)); }
  [[nodiscard]] StateSpace at_joint(Index joint) const { return system.open_at(std::vector<Index>{joint}); }
  /// State matrix of the closed loop.
  [[nodiscard]] MatrixXd closed() const { return system.closed(); }
};

/// Continuous control: state [z ; ż ; I].                                               [eq:continuous-loop]
///
///     ẋ = A x + B δτ,   δλ = C x + D δτ,   δτ = K_x x + K_f δλ + K_I δI,   δİ = N_x x + N_f δλ + N_I δI
///
/// A proportional force gain makes the second and third an equation for δτ: I − K_f D must be regular.
[[nodiscard]] OpenLoop continuous_loop(const LinearLoop& loop);

/// Control with period T and delay d = jT + f, 0 ≤ f < T, exactly as it is run: state [x ; τ_acting ; I ; the
/// torques on their way] just before the reading at t_k.                                   [eq:sampled-loop]
///
///     x_{k+1} = Φ(T) x_k + Φ(T−f) Γ(f) τ_{k−1−j} + Γ(T−f) τ_{k−j}
///     λ_k = C x_k + D τ_{k−1−j},   τ_k = K_x x_k + K_f λ_k + K_I I_k
///     I_{k+1} = I_k + T (N_x x_k + N_f λ_k + N_I I_k)
///
/// @pre period > 0, delay ≥ 0, both finite, no more than 200 periods (throws InvalidArgument)
[[nodiscard]] OpenLoop sampled_loop(const LinearLoop& loop, double period, double delay = 0.0);

/// The factor by which a force reading comes back in the next one through the torques alone, K_f D: its
/// spectral radius. In a rigid world the force answers within the sample, so that 1 and more is unstable at
/// every rate: a proportional force gain K_P ≥ 1.                                          [eq:force-echo]
[[nodiscard]] double force_echo(const LinearLoop& loop);

}  // namespace enfold::loop
