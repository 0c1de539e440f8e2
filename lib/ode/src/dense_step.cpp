// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/dense_step.hpp"

#include <algorithm>
#include <boost/array.hpp>
#include <boost/fusion/container/generation/make_vector.hpp>
#include <boost/numeric/odeint/stepper/explicit_error_generic_rk.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

#include "enfold/base/require.hpp"
#include "rosenbrock_step.hpp"

namespace enfold::ode {
namespace {

namespace odeint = boost::numeric::odeint;
using Resizer = odeint::always_resizer;
using DormandPrince5 = odeint::runge_kutta_dopri5<State, double, State, double, odeint::range_algebra,
                                                  odeint::default_operations, Resizer>;
using Generic = odeint::explicit_error_generic_rk<4, 3, 3, 2, State, double, State, double,
                                                  odeint::range_algebra, odeint::default_operations, Resizer>;

/// The tableau of order 3(2) whose fourth stage is the slope at the end.            [Bogacki & Shampine 1989]
Generic bogacki_shampine() {
  const boost::array<double, 1> a2{{1.0 / 2.0}};
  const boost::array<double, 2> a3{{0.0, 3.0 / 4.0}};
  const boost::array<double, 3> a4{{2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}};
  const Generic::coef_b_type b{{2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0}};
  const Generic::coef_b_type b_less_b2{
      {2.0 / 9.0 - 7.0 / 24.0, 1.0 / 3.0 - 1.0 / 4.0, 4.0 / 9.0 - 1.0 / 3.0, -1.0 / 8.0}};
  const Generic::coef_c_type c{{0.0, 1.0 / 2.0, 3.0 / 4.0, 1.0}};
  return Generic(boost::fusion::make_vector(a2, a3, a4), b, b_less_b2, c);
}

double order_of(DenseMethod method) {
  return method == DenseMethod::kDormandPrince5 ? 5.0 : method == DenseMethod::kBogackiShampine3 ? 3.0 : 4.0;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool all_finite(const State& x) {
  return std::all_of(x.begin(), x.end(), [](double x_i) { return std::isfinite(x_i); });
}

}  // namespace

class DenseStepper::Impl {
 public:
  explicit Impl(DenseMethod method) : method_{method} {}

  void set_tolerances(const State& abs_tol, double rel_tol) {
    abs_tol_ = abs_tol;
    rel_tol_ = rel_tol;
  }

  void start(const State& x, double t) {
    const std::size_t n = x.size();
    x_ = x;
    t_ = t_old_ = t;
    have_slope_ = false;
    for (State* s : {&x_old_, &x_new_, &error_, &slope_, &slope_old_, &slope_new_, &scratch_, &df_dt_})
      s->resize(n);
    x_old_ = x;
    const auto size = static_cast<Index>(n);
    if (method_ == DenseMethod::kRosenbrock4) df_dx_.resize(size, size);
  }

  DenseOutcome try_step(Rhs f, const std::optional<JacobianFunction>& jacobian, double& dt) {
    if (method_ == DenseMethod::kRosenbrock4)
      implicit_step(f, *jacobian, dt);
    else
      explicit_step(f, dt);
    if (!all_finite(x_new_) || !all_finite(error_)) {
      dt *= 0.25;
      return DenseOutcome::kNotFinite;
    }
    double error = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double size = std::max(std::abs(x_[i]), std::abs(x_new_[i]));
      error = std::max(error, std::abs(error_[i]) / (abs_tol_[i] + rel_tol_ * size));
    }
    const double factor =
        std::clamp(0.9 * std::pow(std::max(error, 1e-10), -1.0 / order_of(method_)), 0.2, 5.0);
    const double tried = dt;
    dt *= error > 1.0 ? std::min(factor, 0.9) : factor;
    if (error > 1.0) return DenseOutcome::kRejected;
    accept(tried);
    return DenseOutcome::kAccepted;
  }

  void interpolate(double t, State& out) {
    if (t == t_) {
      out = x_;
      return;
    }
    out.resize(x_.size());
    if (method_ == DenseMethod::kDormandPrince5) {
      dopri5_.calc_state(t, out, x_old_, slope_old_, t_old_, x_, slope_, t_);
    } else if (method_ == DenseMethod::kBogackiShampine3) {
      hermite(t, out);
    } else {
      rosenbrock4_.interpolate((t - t_old_) / (t_ - t_old_), out.data());
    }
  }

  DenseMethod method_;
  State x_;
  double t_ = 0.0;
  State abs_tol_;

 private:
  void explicit_step(Rhs f, double dt) {
    if (!have_slope_) {
      f(x_, slope_, t_);
      have_slope_ = true;
    }
    if (method_ == DenseMethod::kDormandPrince5) {
      dopri5_.do_step(f, x_, slope_, t_, x_new_, slope_new_, dt, error_);
    } else {
      bogacki_shampine_.do_step(f, x_, slope_, t_, x_new_, dt, error_);
      f(x_new_, slope_new_, t_ + dt);
    }
  }

  /// The cubic through both ends with their slopes.
  void hermite(double t, State& out) const {
    const double h = t_ - t_old_;
    const double u = (t - t_old_) / h;
    const double w = 1.0 - u;
    for (std::size_t i = 0; i < x_.size(); ++i)
      out[i] = w * w * ((1.0 + 2.0 * u) * x_old_[i] + u * h * slope_old_[i]) +
               u * u * ((1.0 + 2.0 * w) * x_[i] - w * h * slope_[i]);
  }

  void implicit_step(Rhs f, JacobianFunction jacobian, double dt) {
    struct Call {
      Impl& self;
      Rhs f;
      JacobianFunction jacobian;
    } call{*this, f, jacobian};
    const auto rate = [](void* object, const double* x, double t, double* dxdt) {
      auto& [self, rhs, gradient] = *static_cast<Call*>(object);
      std::copy_n(x, self.scratch_.size(), self.scratch_.begin());
      rhs(self.scratch_, self.slope_, t);
      std::copy(self.slope_.begin(), self.slope_.end(), dxdt);
    };
    const auto slopes = [](void* object, const double* x, double t, double* df_dx, double* df_dt) {
      auto& [self, rhs, gradient] = *static_cast<Call*>(object);
      std::copy_n(x, self.scratch_.size(), self.scratch_.begin());
      gradient(self.scratch_, t, self.df_dx_, self.df_dt_);
      Eigen::Map<RowMajor>(df_dx, self.df_dx_.rows(), self.df_dx_.cols()) = self.df_dx_;
      std::copy(self.df_dt_.begin(), self.df_dt_.end(), df_dt);
    };
    rosenbrock4_.step({&call, rate, slopes}, x_.size(), x_.data(), t_, dt, x_new_.data(), error_.data());
  }

  void accept(double dt) {
    x_old_.swap(x_);
    x_.swap(x_new_);
    t_old_ = t_;
    t_ += dt;
    if (method_ == DenseMethod::kRosenbrock4) {
      rosenbrock4_.accept();
    } else {
      slope_old_.swap(slope_);
      slope_.swap(slope_new_);
    }
  }

  double t_old_ = 0.0;
  double rel_tol_ = 0.0;
  bool have_slope_ = false;  // slope_ = f(x_, t_), of an explicit method
  State x_old_, x_new_, error_, slope_, slope_old_, slope_new_, scratch_, df_dt_;
  MatrixXd df_dx_;
  DormandPrince5 dopri5_;
  Generic bogacki_shampine_{bogacki_shampine()};
  RosenbrockStep rosenbrock4_;
};

DenseStepper::DenseStepper(DenseMethod method) : impl_{std::make_unique<Impl>(method)} {}
DenseStepper::~DenseStepper() = default;
DenseStepper::DenseStepper(DenseStepper&&) noexcept = default;
DenseStepper& DenseStepper::operator=(DenseStepper&&) noexcept = default;

void DenseStepper::set_tolerances(const State& abs_tol, double rel_tol) {
  ENFOLD_REQUIRE(std::all_of(abs_tol.begin(), abs_tol.end(), [](double tol) { return tol > 0.0; }),
                 "DenseStepper: an absolute tolerance is not > 0");
  ENFOLD_REQUIRE(rel_tol >= 0.0, "DenseStepper: rel_tol is {}, expected ≥ 0", rel_tol);
  impl_->set_tolerances(abs_tol, rel_tol);
}

void DenseStepper::start(const State& x, double t) {
  ENFOLD_REQUIRE(x.size() == impl_->abs_tol_.size(), "DenseStepper: {} components, {} tolerances", x.size(),
                 impl_->abs_tol_.size());
  ENFOLD_REQUIRE(std::isfinite(t) && all_finite(x), "DenseStepper: the initial state is not finite");
  impl_->start(x, t);
}

DenseOutcome DenseStepper::try_step(Rhs f, const std::optional<JacobianFunction>& jacobian, double& dt) {
  ENFOLD_REQUIRE(std::isfinite(dt) && dt != 0.0, "DenseStepper: dt is {}, expected finite and not 0", dt);
  ENFOLD_REQUIRE(jacobian.has_value() || impl_->method_ != DenseMethod::kRosenbrock4,
                 "DenseStepper: the Rosenbrock method needs a Jacobian");
  return impl_->try_step(f, jacobian, dt);
}

const State& DenseStepper::x() const {
  return impl_->x_;
}
double DenseStepper::t() const {
  return impl_->t_;
}
void DenseStepper::interpolate(double t, State& out) const {
  impl_->interpolate(t, out);
}
DenseMethod DenseStepper::method() const {
  return impl_->method_;
}

}  // namespace enfold::ode
