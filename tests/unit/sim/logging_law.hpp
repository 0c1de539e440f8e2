// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "enfold/control/controller.hpp"

namespace enfold::sim {

/// Passes a law on, and keeps what it was told and what it answered. A law is a function, so that it may be
/// asked more often than it commands; what it commanded is among the answers.
class LoggingLaw final : public control::Controller {
 public:
  struct Call {
    double t = 0.0;
    control::Measurement measured;
    VectorXd integral;
    VectorXd tau;
  };

  explicit LoggingLaw(std::shared_ptr<control::Controller> law) : law_{std::move(law)} {}
  [[nodiscard]] Index n_integrals() const override { return law_->n_integrals(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override {
    law_->evaluate(t, measured, integral, out);
    out.singular = out.singular || t >= singular_from;
    calls.push_back({t, measured, integral, out.tau});
  }
  [[nodiscard]] std::string description() const override { return law_->description(); }

  /// The first call at each instant is the command; a later one only reads the internal forces.
  [[nodiscard]] std::vector<Call> commands(double rate) const {
    std::vector<Call> out;
    for (const Call& call : calls) {
      const double k = call.t * rate;
      const bool on_grid = std::abs(k - std::round(k)) < 1e-6;
      if (on_grid && (out.empty() || call.t > out.back().t)) out.push_back(call);
    }
    return out;
  }

  std::vector<Call> calls;
  double singular_from = 1e9;  ///< [s]

 private:
  std::shared_ptr<control::Controller> law_;
};

/// The same torque for ever.
class ConstantTorque final : public control::Controller {
 public:
  explicit ConstantTorque(VectorXd tau) : tau_{std::move(tau)} {}
  [[nodiscard]] Index n_integrals() const override { return 0; }
  void evaluate(double /*t*/, const control::Measurement& /*measured*/, const VectorXd& /*integral*/,
                control::Command& out) noexcept override {
    out.tau = tau_;
    out.alpha = out.alpha_des = out.integral_rate = VectorXd(0);
    out.singular = false;
  }
  [[nodiscard]] std::string description() const override { return "constant torque"; }

 private:
  VectorXd tau_;
};

/// A law whose integrals start at an offset, as if it had run before: (15) then has something to decay from.
class ShiftedLaw final : public control::Controller {
 public:
  ShiftedLaw(std::shared_ptr<control::Controller> law, double offset)
      : law_{std::move(law)}, offset_{offset} {}
  [[nodiscard]] Index n_integrals() const override { return law_->n_integrals(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override {
    shifted_ = integral.array() + offset_;
    law_->evaluate(t, measured, shifted_, out);
  }
  [[nodiscard]] std::string description() const override { return law_->description(); }

 private:
  std::shared_ptr<control::Controller> law_;
  double offset_;
  VectorXd shifted_;
};

}  // namespace enfold::sim
