// SPDX-License-Identifier: BSD-3-Clause
#include "rosenbrock_step.hpp"

#include <algorithm>
// ublas checks every triangular solve against a copy unless told not to; the caller checks the step's error
// instead.
#define BOOST_UBLAS_TYPE_CHECK 0
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/util/ublas_wrapper.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>
#include <utility>

namespace enfold::ode {

namespace odeint = boost::numeric::odeint;
namespace ublas = boost::numeric::ublas;
using Vector = ublas::vector<double>;
using Matrix = ublas::matrix<double>;  // row by row

/// Boost 1.74 has the sign of d4 wrong, which costs the method its order where f depends on t; the tests of
/// DenseStepper tell the two apart. [Hairer & Wanner 1996], method RODAS.
struct Coefficients : odeint::default_rosenbrock_coefficients<double> {
  const double d4 = -0.3620000000000023e-01;
};

class RosenbrockStep::Impl {
 public:
  odeint::rosenbrock4<double, Coefficients, odeint::always_resizer> stepper;
  Vector x_old, x_new, tried_old, tried_new, error, out;
};

RosenbrockStep::RosenbrockStep() : impl_(std::make_unique<Impl>()) {}
RosenbrockStep::~RosenbrockStep() = default;

void RosenbrockStep::step(const System& system, std::size_t n, const double* x, double t, double dt,
                          double* x_new, double* error) {
  if (impl_->out.size() != n) {
    for (Vector* v :
         {&impl_->x_old, &impl_->x_new, &impl_->tried_old, &impl_->tried_new, &impl_->error, &impl_->out})
      v->resize(n, false);
  }
  const auto rate = [&system](const Vector& at, Vector& dxdt, double when) {
    system.rate(system.object, &at[0], when, &dxdt[0]);
  };
  const auto jacobian = [&system](const Vector& at, Matrix& J, double when, Vector& dfdt) {
    system.jacobian(system.object, &at[0], when, &J(0, 0), &dfdt[0]);
  };
  std::copy(x, x + n, impl_->tried_old.begin());
  impl_->stepper.do_step(std::make_pair(rate, jacobian), impl_->tried_old, t, impl_->tried_new, dt,
                         impl_->error);
  std::copy(impl_->tried_new.begin(), impl_->tried_new.end(), x_new);
  std::copy(impl_->error.begin(), impl_->error.end(), error);
}

void RosenbrockStep::accept() {
  impl_->stepper.prepare_dense_output();
  impl_->x_old.swap(impl_->tried_old);
  impl_->x_new.swap(impl_->tried_new);
}

void RosenbrockStep::interpolate(double s, double* out) {
  impl_->stepper.calc_state(s, impl_->out, impl_->x_old, 0.0, impl_->x_new, 1.0);
  std::copy(impl_->out.begin(), impl_->out.end(), out);
}

}  // namespace enfold::ode
