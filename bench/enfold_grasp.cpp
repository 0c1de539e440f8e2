// SPDX-License-Identifier: BSD-3-Clause
#include "enfold_grasp.hpp"

#include <algorithm>

namespace enfold::bench {

EnfoldGrasp::EnfoldGrasp(const SettledGrasp& grasp)
    : plant_{{grasp.mechanism, grasp.contacts, VectorXd::Constant(grasp.lambda_N.size(), kMu)}},
      q_{grasp.q},
      v_{grasp.v},
      tau_{grasp.tau} {
  std::vector<contact::ContactMode> modes;
  for (const double slip : grasp.slip) {
    modes.push_back(slip > 0.0 ? contact::ContactMode::kSlidePlus : contact::ContactMode::kSlideMinus);
  }
  plant_.set_modes(modes);
  start_.assign(q_.begin(), q_.end());
  start_.insert(start_.end(), v_.begin(), v_.end());
  state_ = start_;
}

void EnfoldGrasp::restore() {
  state_ = start_;
}

void EnfoldGrasp::step() {
  const auto f = [this](const ode::State& x, ode::State& rate, double) {
    q_ = Eigen::Map<const VectorXd>(x.data(), q_.size());
    v_ = Eigen::Map<const VectorXd>(x.data() + q_.size(), v_.size());
    plant_.solve(q_, v_, tau_);
    std::copy(v_.begin(), v_.end(), rate.begin());
    std::copy(plant_.v_dot().begin(), plant_.v_dot().end(), rate.begin() + q_.size());
  };
  stepper_.step(f, state_, 0.0, 1e-3);
}

}  // namespace enfold::bench
