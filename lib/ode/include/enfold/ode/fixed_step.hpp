// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "enfold/ode/function_ref.hpp"

namespace enfold::ode {

/// The state x of ẋ = f(x, t). Units are the caller's.
using State = std::vector<double>;

/// f: reads x and t [s], writes ẋ into dxdt, which already has the size of x.
using Rhs = FunctionRef<void(const State& x, State& dxdt, double t)>;

/// Explicit one-step methods.
enum class Method {
  kRungeKutta4,     ///< order 4, 4 evaluations of f per step
  kDormandPrince5,  ///< order 5, 7 evaluations of f per step
  kEuler,           ///< order 1, 1 evaluation of f per step
};

/// Steps ẋ = f(x, t) by a fixed amount. A step depends on (f, x, t, dt) only, never on earlier steps, so x
/// may be changed between steps (by an impact, by a projection). Allocates in the first step for a given size
/// of x, then not again while the size stays.
class FixedStepper {
 public:
  explicit FixedStepper(Method method = Method::kRungeKutta4);
  ~FixedStepper();
  FixedStepper(FixedStepper&&) noexcept;
  FixedStepper& operator=(FixedStepper&&) noexcept;

  /// x(t) → x(t + dt), in place; dt [s] may be negative. What f throws passes through and leaves x as it was.
  /// @pre dt is finite and not 0, t is finite, x is not empty (throws InvalidArgument)
  void step(Rhs f, State& x, double t, double dt);

  [[nodiscard]] Method method() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enfold::ode
