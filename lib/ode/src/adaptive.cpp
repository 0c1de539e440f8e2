// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"

namespace enfold::ode {
namespace {

namespace odeint = boost::numeric::odeint;

bool all_finite(const State& x) {
  return std::all_of(x.begin(), x.end(), [](double x_i) { return std::isfinite(x_i); });
}

void require_valid(const State& x, double t0, double t1, const AdaptiveOptions& options) {
  ENFOLD_REQUIRE(std::isfinite(t0) && std::isfinite(t1),
                 "integrate_adaptive: t0 = {}, t1 = {}, expected finite", t0, t1);
  ENFOLD_REQUIRE(!x.empty(), "integrate_adaptive: the state is empty");
  ENFOLD_REQUIRE(all_finite(x), "integrate_adaptive: the initial state is not finite");
  ENFOLD_REQUIRE(options.abs_tol >= 0.0 && options.rel_tol >= 0.0 && options.abs_tol + options.rel_tol > 0.0,
                 "integrate_adaptive: abs_tol = {}, rel_tol = {}, expected >= 0 and not both 0",
                 options.abs_tol, options.rel_tol);
  ENFOLD_REQUIRE(options.initial_step > 0.0 && std::isfinite(options.initial_step),
                 "integrate_adaptive: initial_step is {}, expected > 0", options.initial_step);
  ENFOLD_REQUIRE(options.max_steps >= 1, "integrate_adaptive: max_steps is {}, expected >= 1",
                 options.max_steps);
}

}  // namespace

AdaptiveResult integrate_adaptive(Rhs f, State& x, double t0, double t1, const AdaptiveOptions& options) {
  require_valid(x, t0, t1, options);
  auto stepper =
      odeint::make_controlled(options.abs_tol, options.rel_tol, odeint::runge_kutta_dopri5<State>{});
  AdaptiveResult result;
  result.t = t0;
  State x_before = x;
  double dt = std::copysign(options.initial_step, t1 - t0);
  bool not_finite = false;

  while (result.t != t1) {
    if (result.steps + result.rejected >= options.max_steps) {
      result.message = fmt::format("stopped at t = {:.9g} after {} steps", result.t, options.max_steps);
      return result;
    }
    const bool last = std::abs(dt) >= std::abs(t1 - result.t);
    if (last) dt = t1 - result.t;
    const double rounding =
        4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(result.t), std::abs(t1));
    if (!last && std::abs(dt) <= rounding) {
      result.status = not_finite ? AdaptiveStatus::kNotFinite : AdaptiveStatus::kStepTooSmall;
      result.message = fmt::format("step fell to {:.2e} at t = {:.9g}{}", dt, result.t,
                                   not_finite ? ", where the next state is not finite" : "");
      return result;
    }
    x_before = x;
    double t = result.t;
    const double dt_tried = dt;
    if (stepper.try_step(f, x, t, dt) == odeint::fail) {
      ++result.rejected;
      continue;
    }
    // The error test lets NaN pass, because NaN > 1 is false. A shorter step may stay where f is finite.
    not_finite = !all_finite(x);
    if (not_finite) {
      x = x_before;
      stepper.reset();
      dt = 0.25 * dt_tried;
      ++result.rejected;
      continue;
    }
    ++result.steps;
    result.t = last ? t1 : t;
  }
  result.status = AdaptiveStatus::kReachedEnd;
  return result;
}

}  // namespace enfold::ode
