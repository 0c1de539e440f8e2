// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/object_impedance.hpp"

#include "enfold/base/require.hpp"

namespace enfold::controllers {
namespace {

VectorXd along(const std::vector<Index>& coordinates, const VectorXd& values, Index n_x, const char* name) {
  ENFOLD_REQUIRE(values.size() == n_x, "ObjectImpedanceController: {} values of {}, expected {}",
                 values.size(), name, n_x);
  ENFOLD_REQUIRE(values.allFinite(), "ObjectImpedanceController: {} is not finite", name);
  VectorXd out(static_cast<Index>(coordinates.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = values[coordinates[static_cast<std::size_t>(i)]];
  return out;
}

}  // namespace

ObjectImpedanceController::ObjectImpedanceController(WholeArmModel model,
                                                     std::shared_ptr<const control::Trajectory> trajectory,
                                                     std::shared_ptr<const control::Plan> plan,
                                                     Impedance impedance, const Gains& gains)
    : law_{"ObjectImpedanceController", std::move(model), std::move(trajectory), std::move(plan), gains},
      gains_{gains} {
  impedance_.stiffness = along(law_.coordinates(), impedance.stiffness, law_.n_x(), "stiffness");
  impedance_.damping = along(law_.coordinates(), impedance.damping, law_.n_x(), "damping");
  control::Command command;  // gives every workspace its size
  evaluate(0.0, law_.planned_start(), VectorXd::Zero(n_integrals()), command);
}

/// Accelerations per unit push along each ξ: M a = W r + Sᵀ, W̃ᵀ a = 0, Λ_ξ⁻¹ = S a.
void ObjectImpedanceController::find_mobility() {
  const grasp::GraspMatrices& grasp = law_.grasp();
  const Index n_x = law_.n_x();
  const Index n_theta = law_.n_theta();
  const Index n_v = n_x + n_theta;
  const Index k = grasp.k();
  const auto n_xi = static_cast<Index>(law_.coordinates().size());
  kkt_.resize(n_v + k, n_v + k);
  kkt_.topLeftCorner(n_v, n_v) = law_.dynamics().M;
  kkt_.block(0, n_v, n_x, k) = -grasp.G;
  kkt_.block(n_x, n_v, n_theta, k) = grasp.J.transpose();
  kkt_.block(n_v, 0, k, n_x) = grasp.G_tilde.transpose();
  kkt_.block(n_v, n_x, k, n_theta) = -grasp.J_tilde;
  kkt_.bottomRightCorner(k, k).setZero();
  lu_.compute(kkt_);
  mobility_.resize(n_xi, n_xi);
  for (Index j = 0; j < n_xi; ++j) {
    push_.setZero(n_v + k);
    push_[law_.coordinates()[static_cast<std::size_t>(j)]] = 1.0;
    answer_ = lu_.solve(push_);
    for (Index i = 0; i < n_xi; ++i)
      mobility_(i, j) = answer_[law_.coordinates()[static_cast<std::size_t>(i)]];
  }
}

void ObjectImpedanceController::evaluate(double t, const control::Measurement& measured,
                                         const VectorXd& integral, control::Command& out) noexcept {
  law_.observe(t, measured);
  find_mobility();
  wrench_ = impedance_.damping.cwiseProduct(law_.error_rate());
  wrench_ += impedance_.stiffness.cwiseProduct(law_.error());
  xi_ddot_ = law_.xi_ddot_des();
  xi_ddot_ += mobility_.lazyProduct(wrench_);
  squeeze_ = law_.alpha_des() + gains_.Kalpha * integral;
  law_.act(xi_ddot_, squeeze_, out);
  out.integral_rate = law_.alpha_error();
}

std::string ObjectImpedanceController::description() const {
  std::string values;
  for (Index i = 0; i < impedance_.stiffness.size(); ++i)
    values += fmt::format("{}{:.4g} and {:.4g}", i == 0 ? "" : ", ", impedance_.stiffness[i],
                          impedance_.damping[i]);
  return fmt::format("object_impedance: stiffness and damping {}; K_alpha = {}, force pole {:.4g}", values,
                     gains_.Kalpha, -gains_.Kalpha);
}

}  // namespace enfold::controllers
