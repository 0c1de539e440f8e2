// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace enfold::ode {

/// Boost's Rosenbrock step behind plain pointers. Boost 1.74's ublas needs std::allocator::construct, which
/// C++20 has taken away: this unit alone is C++17, and includes nothing of ours that is not.
class RosenbrockStep {
 public:
  /// ẋ of size n, and the n × n Jacobian (row by row) with ∂f/∂t.
  struct System {
    void* object;
    void (*rate)(void* object, const double* x, double t, double* dxdt);
    void (*jacobian)(void* object, const double* x, double t, double* df_dx, double* df_dt);
  };

  RosenbrockStep();
  ~RosenbrockStep();
  RosenbrockStep(const RosenbrockStep&) = delete;
  RosenbrockStep& operator=(const RosenbrockStep&) = delete;

  /// x(t) → x_new(t + dt) with an error estimate.
  void step(const System& system, std::size_t n, const double* x, double t, double dt, double* x_new,
            double* error);
  /// Declares the last step accepted: interpolate() covers it.
  void accept();
  /// State at the fraction s of the accepted step.
  void interpolate(double s, double* out);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enfold::ode
