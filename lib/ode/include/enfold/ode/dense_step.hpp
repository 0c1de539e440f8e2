// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "enfold/base/types.hpp"
#include "enfold/ode/fixed_step.hpp"

namespace enfold::ode {

/// ∂f/∂x (row i: the gradient of ẋ_i) and ∂f/∂t at (x, t); both already have their sizes.
using JacobianFunction = FunctionRef<void(const State& x, double t, MatrixXd& df_dx, State& df_dt)>;

/// Error-controlled methods with dense output.
enum class DenseMethod {
  kDormandPrince5,    ///< explicit, order 5(4), dense output of order 4
  kBogackiShampine3,  ///< explicit, order 3(2), dense output of order 3: half the cost where steps are short
                      ///< anyway
  kRosenbrock4,  ///< linearly implicit, order 4(3), L-stable, dense output of order 3; needs the Jacobian
};

/// What became of a step that was tried.
enum class DenseOutcome {
  kAccepted,   ///< x() and t() are its end; interpolate() covers it
  kRejected,   ///< too inaccurate: x() and t() stay, the suggested dt is shorter
  kNotFinite,  ///< NaN or ∞ on the way: x() and t() stay, the suggested dt is a quarter
};

/// Steps ẋ = f(x, t) with an error bound of its own for every component, and gives x(t) between the ends of
/// the last step, so that a caller can look for events there and go on from one.
///
///     accepted if max_i |e_i| / (abs_tol_i + rel_tol·|x_i|) ≤ 1,    dt ← dt·min(5, max(1/5, 0.9 err^(−1/p)))
///
/// with p = 5, 3 and 4. The steps are those of Boost.Odeint. An explicit step allocates nothing after the
/// first of a given size; Boost's Rosenbrock step makes one temporary matrix. [Dormand & Prince 1980]
/// [Bogacki & Shampine 1989] [Hairer & Wanner 1996]
class DenseStepper {
 public:
  explicit DenseStepper(DenseMethod method);
  ~DenseStepper();
  DenseStepper(DenseStepper&&) noexcept;
  DenseStepper& operator=(DenseStepper&&) noexcept;

  /// abs_tol: one bound per component, in the units of x. @pre all > 0, rel_tol ≥ 0 (throws InvalidArgument)
  void set_tolerances(const State& abs_tol, double rel_tol);

  /// Starts (again) at x(t); forgets the last step.
  /// @pre x and t finite, as many components as tolerances (throws InvalidArgument)
  void start(const State& x, double t);

  /// Tries a step of dt [s], negative to go back; dt becomes the suggestion for the next one.
  /// @pre dt finite and not 0, jacobian given for kRosenbrock4 (throws InvalidArgument)
  DenseOutcome try_step(Rhs f, const std::optional<JacobianFunction>& jacobian, double& dt);

  [[nodiscard]] const State& x() const;
  [[nodiscard]] double t() const;
  /// x at a time within the last accepted step.
  void interpolate(double t, State& out) const;
  [[nodiscard]] DenseMethod method() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enfold::ode
