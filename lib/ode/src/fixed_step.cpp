// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/fixed_step.hpp"

#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::ode {
namespace {

namespace odeint = boost::numeric::odeint;
// always_resizer compares sizes each step (and allocates only if they differ); the default one never looks
// again.
using Resizer = odeint::always_resizer;

using Euler =
    odeint::euler<State, double, State, double, odeint::range_algebra, odeint::default_operations, Resizer>;
using RungeKutta4 = odeint::runge_kutta4<State, double, State, double, odeint::range_algebra,
                                         odeint::default_operations, Resizer>;
using DormandPrince5 = odeint::runge_kutta_dopri5<State, double, State, double, odeint::range_algebra,
                                                  odeint::default_operations, Resizer>;

}  // namespace

class FixedStepper::Impl {
 public:
  explicit Impl(Method method) : method_{method} {}

  void step(Rhs f, State& x, double t, double dt) {
    dxdt_.resize(x.size());
    x_next_.resize(x.size());
    f(x, dxdt_, t);
    switch (method_) {
      case Method::kRungeKutta4:
        rk4_.do_step(f, x, dxdt_, t, x_next_, dt);
        break;
      case Method::kDormandPrince5:
        // The overload that takes and returns ẋ: the short one reuses ẋ of its last step, which is wrong as
        // soon as the caller has changed x.
        dxdt_next_.resize(x.size());
        dopri5_.do_step(f, x, dxdt_, t, x_next_, dxdt_next_, dt);
        break;
      case Method::kEuler:
        euler_.do_step(f, x, dxdt_, t, x_next_, dt);
        break;
    }
    x.swap(x_next_);
  }

  [[nodiscard]] Method method() const { return method_; }

 private:
  Method method_;
  RungeKutta4 rk4_;
  DormandPrince5 dopri5_;
  Euler euler_;
  State dxdt_;
  State dxdt_next_;
  State x_next_;
};

FixedStepper::FixedStepper(Method method) : impl_{std::make_unique<Impl>(method)} {}
FixedStepper::~FixedStepper() = default;
FixedStepper::FixedStepper(FixedStepper&&) noexcept = default;
FixedStepper& FixedStepper::operator=(FixedStepper&&) noexcept = default;

void FixedStepper::step(Rhs f, State& x, double t, double dt) {
  ENFOLD_REQUIRE(std::isfinite(dt) && dt != 0.0, "FixedStepper::step: dt is {}, expected finite and not 0",
                 dt);
  ENFOLD_REQUIRE(std::isfinite(t), "FixedStepper::step: t is {}, expected finite", t);
  ENFOLD_REQUIRE(!x.empty(), "FixedStepper::step: the state is empty");
  impl_->step(f, x, t, dt);
}

Method FixedStepper::method() const {
  return impl_->method();
}

}  // namespace enfold::ode
