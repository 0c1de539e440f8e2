// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/rigid_plant.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"
#include "enfold/lcp/enumeration.hpp"

namespace enfold::sim {

using contact::ContactMode;

RigidPlant::RigidPlant(PlantModel model, const RigidOptions& options)
    : model_{std::move(model)},
      options_{options},
      features_{model_.contacts},
      lcp_{model_.contacts->n_contacts()},
      p_tester_{model_.contacts->n_contacts(), {.exact_limit = options.exact_limit}},
      // Factorised once here: Eigen leaves the state of an empty LLT undefined, and a plant may be copied.
      M_llt_{MatrixXd::Identity(model_.mechanism->n_v(), model_.mechanism->n_v())},
      D_llt_{MatrixXd::Identity(1, 1)} {
  const Index n = model_.contacts->n_contacts();
  ENFOLD_REQUIRE(model_.contacts->n_tangents() == 1, "RigidPlant: {} tangents per contact, expected one",
                 model_.contacts->n_tangents());
  ENFOLD_REQUIRE(model_.mu.size() == n, "RigidPlant: {} friction coefficients for {} contacts",
                 model_.mu.size(), n);
  ENFOLD_REQUIRE(n == 0 || model_.mu.minCoeff() >= 0.0,
                 "RigidPlant: a friction coefficient is {}, expected ≥ 0", model_.mu.minCoeff());
  offset_.setZero(n);
  load_.setZero(model_.mechanism->n_v());
  set_modes(std::vector<ContactMode>(static_cast<std::size_t>(n), ContactMode::kSlidePlus));
}

void RigidPlant::set_offset(const VectorXd& offset) {
  ENFOLD_REQUIRE(offset.size() == offset_.size() && offset.allFinite(),
                 "RigidPlant: {} offsets for {} contacts, or one that is not finite", offset.size(),
                 offset_.size());
  offset_ = offset;
  fresh_ = false;
}

void RigidPlant::set_modes(std::span<const ContactMode> modes) {
  ENFOLD_REQUIRE(static_cast<Index>(modes.size()) == model_.contacts->n_contacts(),
                 "RigidPlant: {} modes for {} contacts", modes.size(), model_.contacts->n_contacts());
  if (std::equal(modes.begin(), modes.end(), modes_.begin(), modes_.end())) return;
  modes_.assign(modes.begin(), modes.end());
  closed_.clear();
  rolling_.clear();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] == ContactMode::kOpen) continue;
    closed_.push_back(static_cast<Index>(i));
    if (modes_[i] == ContactMode::kRoll) rolling_.push_back(static_cast<Index>(i));
  }
  const auto m = static_cast<Index>(closed_.size());
  const auto r = static_cast<Index>(rolling_.size());
  const Index n_v = model_.mechanism->n_v();
  for (MatrixXd* A : {&A_, &A_0_, &A_1_}) A->resize(m, m);
  for (MatrixXd* L : {&L_N_, &L_T_}) L->resize(n_v, m);
  for (MatrixXd* C : {&C_0_, &C_1_, &D_C_0_}) C->resize(r, m);
  for (VectorXd* b : {&b_, &x_, &gap_terms_, &mu_, &friction_}) b->resize(m);
  for (VectorXd* c : {&c_, &t_, &roll_terms_}) c->setZero(r);
  L_R_.resize(n_v, r);
  D_.resize(r, r);
  for (Index j = 0; j < m; ++j) mu_[j] = model_.mu[closed_[static_cast<std::size_t>(j)]];
  fresh_ = false;
}

ContactSolveStatus RigidPlant::linearise(const VectorXd& q, const VectorXd& v) {
  q_ = q;
  v_ = v;
  features_.kinematics(q, v, kinematics_);
  model_.mechanism->dynamics(q, v, dynamics_);
  M_llt_.compute(dynamics_.M);
  if (M_llt_.info() != Eigen::Success) return ContactSolveStatus::kSingular;

  const double omega = options_.drift_frequency;
  for (Index j = 0; j < A_.cols(); ++j) {
    const Index i = closed_[static_cast<std::size_t>(j)];
    L_N_.col(j) = kinematics_.W_N.col(i);
    L_T_.col(j) = -slip_sign(modes_[static_cast<std::size_t>(i)]) * kinematics_.W_T.col(i);
    gap_terms_[j] = kinematics_.bias_N[i] + 2.0 * omega * kinematics_.W_N.col(i).dot(v) +
                    omega * omega * (kinematics_.gap[i] - offset_[i]);
  }
  const auto L = M_llt_.matrixL();
  L.solveInPlace(L_N_);
  L.solveInPlace(L_T_);
  A_0_.noalias() = L_N_.transpose().lazyProduct(L_N_);
  A_1_.noalias() = L_N_.transpose().lazyProduct(L_T_);
  if (!rolling_.empty() && !eliminate_rolling()) return ContactSolveStatus::kSingular;
  A_ = A_0_;
  A_.noalias() += A_1_ * mu_.asDiagonal();
  return ContactSolveStatus::kSolved;
}

/// 0 = C_0 x + C_1 μ x + D t + c with t = λ_TR, so that t leaves y = A x + b (checklist row 18).
bool RigidPlant::eliminate_rolling() {
  const double omega = options_.drift_frequency;
  for (Index s = 0; s < L_R_.cols(); ++s) {
    const Index i = rolling_[static_cast<std::size_t>(s)];
    L_R_.col(s) = kinematics_.W_T.col(i);
    roll_terms_[s] = kinematics_.bias_T[i] + 2.0 * omega * kinematics_.W_T.col(i).dot(v_);
  }
  M_llt_.matrixL().solveInPlace(L_R_);
  D_.noalias() = L_R_.transpose().lazyProduct(L_R_);
  D_llt_.compute(D_);
  const auto pivots = D_llt_.matrixLLT().diagonal();
  if (D_llt_.info() != Eigen::Success || pivots.minCoeff() <= 1e-7 * pivots.maxCoeff()) return false;
  C_0_.noalias() = L_R_.transpose().lazyProduct(L_N_);
  C_1_.noalias() = L_R_.transpose().lazyProduct(L_T_);
  D_C_0_ = C_0_;
  D_llt_.solveInPlace(D_C_0_);
  A_0_.noalias() -= D_C_0_.transpose().lazyProduct(C_0_);
  A_1_.noalias() -= D_C_0_.transpose().lazyProduct(C_1_);
  return true;
}

ContactSolveStatus RigidPlant::solve(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  if (!fresh_ || q != q_ || v != v_) {
    linear_status_ = linearise(q, v);
    fresh_ = true;
  }
  if (linear_status_ != ContactSolveStatus::kSolved) return linear_status_;

  // In coordinates L⁻¹ of force: the free acceleration, then what the contacts add.
  L_u_ = -dynamics_.h;
  L_u_.tail(tau.size()) += tau;
  if (model_.load) {
    model_.load->generalised_force(time_, q, load_);
    L_u_ += load_;
  }
  const auto L = M_llt_.matrixL();
  L.solveInPlace(L_u_);
  b_ = gap_terms_;
  b_.noalias() += L_N_.transpose().lazyProduct(L_u_);
  if (!rolling_.empty()) {
    c_ = roll_terms_;
    c_.noalias() += L_R_.transpose().lazyProduct(L_u_);
    b_.noalias() -= D_C_0_.transpose().lazyProduct(c_);
  }
  if (!b_.allFinite() || !A_.allFinite()) return ContactSolveStatus::kNoSolution;
  const lcp::LcpSolution& solution = lcp_.solve(A_, b_);
  residual_ = solution.residual;
  if (!solution.ok()) return ContactSolveStatus::kNoSolution;
  x_ = solution.x;

  friction_ = mu_.cwiseProduct(x_);
  L_u_.noalias() += L_N_.lazyProduct(x_);
  L_u_.noalias() += L_T_.lazyProduct(friction_);
  if (!rolling_.empty()) {
    t_ = -c_;
    t_.noalias() -= C_0_.lazyProduct(x_);
    t_.noalias() -= C_1_.lazyProduct(friction_);
    D_llt_.solveInPlace(t_);
    L_u_.noalias() += L_R_.lazyProduct(t_);
  }
  v_dot_ = L_u_;
  M_llt_.matrixU().solveInPlace(v_dot_);

  lambda_N_.setZero(model_.mu.size());
  lambda_T_.setZero(model_.mu.size());
  for (Index j = 0; j < x_.size(); ++j) {
    const Index i = closed_[static_cast<std::size_t>(j)];
    lambda_N_[i] = x_[j];
    lambda_T_[i] = -slip_sign(modes_[static_cast<std::size_t>(i)]) * friction_[j];
  }
  for (Index s = 0; s < t_.size(); ++s) lambda_T_[rolling_[static_cast<std::size_t>(s)]] = t_[s];
  return ContactSolveStatus::kSolved;
}

int RigidPlant::count_solutions() const {
  if (A_.rows() > options_.enumeration_limit) return -1;
  const auto count = lcp::enumerate_solutions({A_, b_}, {.limit = options_.enumeration_limit}).count();
  return count ? static_cast<int>(*count) : -1;
}

}  // namespace enfold::sim
