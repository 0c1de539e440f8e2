// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/compliant_plant.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::sim {

using contact::ContactMode;
using contact::NormalForce;

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

CompliantPlant::CompliantPlant(PlantModel model, std::vector<contact::ContactLaw> laws)
    : model_{std::move(model)},
      laws_{std::move(laws)},
      features_{model_.contacts},
      M_llt_{MatrixXd::Identity(model_.mechanism->n_v(), model_.mechanism->n_v())} {
  const Index m = model_.contacts->n_contacts();
  const Index n = model_.mechanism->n_v();
  ENFOLD_REQUIRE(model_.contacts->n_tangents() == 1, "CompliantPlant: {} tangents per contact, expected one",
                 model_.contacts->n_tangents());
  ENFOLD_REQUIRE(model_.mu.size() == m, "CompliantPlant: {} friction coefficients for {} contacts",
                 model_.mu.size(), m);
  ENFOLD_REQUIRE(m == 0 || model_.mu.minCoeff() >= 0.0,
                 "CompliantPlant: a friction coefficient is {}, expected ≥ 0", model_.mu.minCoeff());
  if (laws_.size() == 1) laws_.resize(at(m), laws_.front());
  ENFOLD_REQUIRE(static_cast<Index>(laws_.size()) == m, "CompliantPlant: {} laws for {} contacts",
                 laws_.size(), m);
  for (const contact::ContactLaw& law : laws_) {
    ENFOLD_REQUIRE(law.normal != nullptr, "CompliantPlant: a contact has no normal law");
    ENFOLD_REQUIRE(law.tangential.stiffness > 0.0 && law.tangential.damping > 0.0,
                   "CompliantPlant: tangential stiffness is {} N/m and damping {} N s/m, expected > 0",
                   law.tangential.stiffness, law.tangential.damping);
  }
  modes_.assign(at(m), ContactMode::kOpen);
  normal_.assign(at(m), NormalForce{});
  for (VectorXd* x : {&offset_, &xi_, &delta_, &delta_dot_, &slip_, &lambda_N_, &lambda_T_, &xi_dot_, &T_xi_})
    x->setZero(m);
  for (VectorXd* x : {&v_dot_, &v_, &residual_, &load_}) x->setZero(n);
  q_.setZero(model_.mechanism->n_q());
  moved_ = q_;
  for (MatrixXd* x : {&R_q_, &R_v_, &block_}) x->setZero(n, n);
  for (MatrixXd* x : {&H_N_, &H_T_, &N_q_, &N_v_, &T_q_, &T_v_}) x->setZero(m, n);
  xi_block_.setZero(n, m);
  L_W_.setZero(n, 2 * m);
  S_.setZero(2 * m, 2 * m);
}

void CompliantPlant::set_offset(const VectorXd& offset) {
  ENFOLD_REQUIRE(offset.size() == offset_.size() && offset.allFinite(),
                 "CompliantPlant: {} offsets for {} contacts, or one is not finite", offset.size(),
                 offset_.size());
  offset_ = offset;
}

double CompliantPlant::adopt_forces(const VectorXd& q, const VectorXd& v, const VectorXd& lambda_N,
                                    const VectorXd& lambda_T, VectorXd& xi) {
  features_.kinematics(q, v, kinematics_);
  xi.resize(offset_.size());
  double missed = 0.0;
  for (Index i = 0; i < offset_.size(); ++i) {
    const contact::NormalLaw& normal = *laws_[at(i)].normal;
    const auto [k_T, c_T] = laws_[at(i)].tangential;
    const double rate = -kinematics_.W_N.col(i).dot(v);
    if (lambda_N[i] <= 0.0) {
      offset_[i] = std::min(offset_[i], kinematics_.gap[i]);
      xi[i] = 0.0;
      missed = std::max(missed, std::abs(lambda_T[i]));
      continue;
    }
    const double delta = normal.deformation(lambda_N[i], rate);
    offset_[i] = kinematics_.gap[i] + delta;
    const double limit = model_.mu[i] * lambda_N[i];
    const double F = std::clamp(-lambda_T[i], -limit, limit);
    // A slip that drives the spring outwards may do so: F stays on the cone. Any other slip counts.
    const double slip = kinematics_.W_T.col(i).dot(v);
    const bool on_cone = std::abs(F) >= (1.0 - 1e-9) * limit;
    xi[i] = (F - (on_cone && slip * F > 0.0 ? 0.0 : c_T * slip)) / k_T;
    missed = std::max({missed, std::abs(lambda_T[i] + F),
                       std::abs(lambda_N[i] - contact::normal_force(normal, delta, rate).force)});
  }
  return missed;
}

/// Deformations and their rates from a state.
void CompliantPlant::observe(const VectorXd& q, const VectorXd& v, const VectorXd& xi) {
  q_ = q;
  v_ = v;
  xi_ = xi;
  features_.kinematics(q, v, kinematics_);
  delta_ = offset_ - kinematics_.gap;
  delta_dot_.noalias() = -kinematics_.W_N.transpose().lazyProduct(v);
  slip_.noalias() = kinematics_.W_T.transpose().lazyProduct(v);
}

ContactMode CompliantPlant::mode_of(Index i) const {
  const NormalForce normal = contact::normal_force(*laws_[at(i)].normal, delta_[i], delta_dot_[i]);
  if (normal.force <= 0.0) return ContactMode::kOpen;
  const auto [k_T, c_T] = laws_[at(i)].tangential;
  const double F = k_T * xi_[i] + c_T * slip_[i];
  if (std::abs(F) <= model_.mu[i] * normal.force) return ContactMode::kRoll;
  return F > 0.0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus;
}

const std::vector<ContactMode>& CompliantPlant::modes_at(const VectorXd& q, const VectorXd& v,
                                                         const VectorXd& xi) {
  observe(q, v, xi);
  for (Index i = 0; i < offset_.size(); ++i) modes_[at(i)] = mode_of(i);
  return modes_;
}

bool CompliantPlant::same_formulas(std::span<const ContactMode> a, std::span<const ContactMode> b) const {
  for (Index i = 0; i < offset_.size(); ++i) {
    const ContactMode a_i = a[at(i)];
    const ContactMode b_i = b[at(i)];
    const bool both_press = a_i != ContactMode::kOpen && b_i != ContactMode::kOpen;
    if (a_i != b_i && !(both_press && model_.mu[i] == 0.0)) return false;
  }
  return true;
}

/// Forces and ξ̇ by the formulas of modes_.
void CompliantPlant::apply_laws() {
  for (Index i = 0; i < offset_.size(); ++i) {
    const ContactMode mode = modes_[at(i)];
    const auto [k_T, c_T] = laws_[at(i)].tangential;
    NormalForce& normal = normal_[at(i)];
    normal = {};
    double F = 0.0;
    if (mode != ContactMode::kOpen) {
      // Below δ = 0 an integrator's stage goes on along the tangent: a law need not be defined there.
      normal = laws_[at(i)].normal->evaluate(std::max(0.0, delta_[i]), delta_dot_[i]);
      normal.force += normal.d_delta * std::min(0.0, delta_[i]);
      F = mode == ContactMode::kRoll && model_.mu[i] > 0.0 ? k_T * xi_[i] + c_T * slip_[i]
                                                           : slip_sign(mode) * model_.mu[i] * normal.force;
    }
    lambda_N_[i] = normal.force;
    lambda_T_[i] = -F;
    xi_dot_[i] = (F - k_T * xi_[i]) / c_T;
    if (mode == ContactMode::kRoll && model_.mu[i] > 0.0)
      xi_dot_[i] = slip_[i];  // the same, without rounding
  }
}

ContactSolveStatus CompliantPlant::accelerate(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  model_.mechanism->dynamics(q, v, dynamics_);
  M_llt_.compute(dynamics_.M);
  if (M_llt_.info() != Eigen::Success) return ContactSolveStatus::kSingular;
  v_dot_ = -dynamics_.h;
  v_dot_.tail(tau.size()) += tau;
  if (model_.load) {
    model_.load->generalised_force(time_, q, load_);
    v_dot_ += load_;
  }
  v_dot_.noalias() += kinematics_.W_N.lazyProduct(lambda_N_);
  v_dot_.noalias() += kinematics_.W_T.lazyProduct(lambda_T_);
  M_llt_.solveInPlace(v_dot_);
  return ContactSolveStatus::kSolved;
}

ContactSolveStatus CompliantPlant::solve(const VectorXd& q, const VectorXd& v, const VectorXd& xi,
                                         const VectorXd& tau) {
  (void)modes_at(q, v, xi);
  apply_laws();
  return accelerate(q, v, tau);
}

ContactSolveStatus CompliantPlant::solve(const VectorXd& q, const VectorXd& v, const VectorXd& xi,
                                         const VectorXd& tau, std::span<const ContactMode> modes) {
  ENFOLD_REQUIRE(modes.size() == modes_.size(), "CompliantPlant: {} modes for {} contacts", modes.size(),
                 modes_.size());
  std::copy(modes.begin(), modes.end(), modes_.begin());
  observe(q, v, xi);
  apply_laws();
  return accelerate(q, v, tau);
}

double CompliantPlant::stored_energy() const {
  double energy = 0.0;
  for (Index i = 0; i < offset_.size(); ++i)
    energy += laws_[at(i)].normal->stored_energy(delta_[i]) +
              0.5 * laws_[at(i)].tangential.stiffness * xi_[i] * xi_[i];
  return energy;
}

/// R = M v̇ + h − Wλ at fixed v̇ and λ, and Wᵀv, by differences.
void CompliantPlant::differentiate_smooth_part() {
  constexpr double kStep = 1e-6;  // [m, rad]: truncation and rounding near 1e-10 for bodies of centimetres
  const auto residual = [this](const contact::ContactKinematics& kinematics,
                               const mechanics::Dynamics& dynamics) {
    residual_ = dynamics.h;
    residual_.noalias() += dynamics.M.lazyProduct(v_dot_);
    residual_.noalias() -= kinematics.W_N.lazyProduct(lambda_N_);
    residual_.noalias() -= kinematics.W_T.lazyProduct(lambda_T_);
    if (!model_.load) return;
    model_.load->generalised_force(time_, moved_, load_);
    residual_ -= load_;
  };
  moved_ = q_;
  for (Index j = 0; j < q_.size(); ++j) {
    moved_[j] = q_[j] + kStep;
    features_.kinematics(moved_, v_, kinematics_plus_);
    model_.mechanism->dynamics(moved_, v_, dynamics_plus_);
    residual(kinematics_plus_, dynamics_plus_);
    R_q_.col(j) = residual_;
    moved_[j] = q_[j] - kStep;
    features_.kinematics(moved_, v_, kinematics_minus_);
    model_.mechanism->dynamics(moved_, v_, dynamics_minus_);
    residual(kinematics_minus_, dynamics_minus_);
    R_q_.col(j) = (R_q_.col(j) - residual_) / (2.0 * kStep);
    moved_[j] = q_[j];
    kinematics_plus_.W_N -= kinematics_minus_.W_N;
    kinematics_plus_.W_T -= kinematics_minus_.W_T;
    H_N_.col(j).noalias() = kinematics_plus_.W_N.transpose().lazyProduct(v_) / (2.0 * kStep);
    H_T_.col(j).noalias() = kinematics_plus_.W_T.transpose().lazyProduct(v_) / (2.0 * kStep);
  }
  moved_ = v_;
  for (Index j = 0; j < v_.size(); ++j) {
    moved_[j] = v_[j] + 1.0;
    model_.mechanism->dynamics(q_, moved_, dynamics_plus_);
    moved_[j] = v_[j] - 1.0;
    model_.mechanism->dynamics(q_, moved_, dynamics_minus_);
    moved_[j] = v_[j];
    R_v_.col(j) = (dynamics_plus_.h - dynamics_minus_.h) / 2.0;
  }
}

void CompliantPlant::jacobian(MatrixXd& J) {
  const Index n = v_.size();
  const Index m = offset_.size();
  ENFOLD_REQUIRE(q_.size() == n, "CompliantPlant::jacobian: n_q = {} and n_v = {}, expected equal", q_.size(),
                 n);
  differentiate_smooth_part();
  J.setZero(2 * n + m, 2 * n + m);
  J.block(0, n, n, n).setIdentity();
  for (Index i = 0; i < m; ++i) {
    const ContactMode mode = modes_[at(i)];
    const auto [k_T, c_T] = laws_[at(i)].tangential;
    const NormalForce& normal = normal_[at(i)];
    N_q_.row(i) = -normal.d_delta * kinematics_.W_N.col(i).transpose() - normal.d_rate * H_N_.row(i);
    N_v_.row(i) = -normal.d_rate * kinematics_.W_N.col(i).transpose();
    const Index row = 2 * n + i;
    if (mode == ContactMode::kRoll && model_.mu[i] > 0.0) {
      T_q_.row(i) = -c_T * H_T_.row(i);
      T_v_.row(i) = -c_T * kinematics_.W_T.col(i).transpose();
      T_xi_[i] = -k_T;
      J.block(row, 0, 1, n) = H_T_.row(i);
      J.block(row, n, 1, n) = kinematics_.W_T.col(i).transpose();
    } else {
      const double friction = slip_sign(mode) * model_.mu[i];
      T_q_.row(i) = -friction * N_q_.row(i);
      T_v_.row(i) = -friction * N_v_.row(i);
      T_xi_[i] = 0.0;
      J.block(row, 0, 1, n) = friction / c_T * N_q_.row(i);
      J.block(row, n, 1, n) = friction / c_T * N_v_.row(i);
      J(row, row) = -k_T / c_T;
    }
  }
  block_.noalias() = kinematics_.W_N.lazyProduct(N_q_);
  block_.noalias() += kinematics_.W_T.lazyProduct(T_q_);
  block_ -= R_q_;
  M_llt_.solveInPlace(block_);
  J.block(n, 0, n, n) = block_;
  block_.noalias() = kinematics_.W_N.lazyProduct(N_v_);
  block_.noalias() += kinematics_.W_T.lazyProduct(T_v_);
  block_ -= R_v_;
  M_llt_.solveInPlace(block_);
  J.block(n, n, n, n) = block_;
  if (m == 0) return;
  xi_block_.noalias() = kinematics_.W_T * T_xi_.asDiagonal();
  M_llt_.solveInPlace(xi_block_);
  J.block(n, 2 * n, n, m) = xi_block_;
}

void CompliantPlant::acceleration_drift(VectorXd& out) {
  out.setZero(v_.size());
  if (!model_.load) return;
  constexpr double kStep = 1e-6;  // [s]; a load is a smooth or piecewise linear function of time
  model_.load->generalised_force(time_ + kStep, q_, load_);
  out = load_;
  model_.load->generalised_force(time_, q_, load_);
  out = (out - load_) / kStep;
  M_llt_.solveInPlace(out);
}

double CompliantPlant::fastest_rate() {
  const Index m = offset_.size();
  if (m == 0) return 0.0;
  double relaxation = 0.0;
  for (Index i = 0; i < m; ++i) {
    L_W_.col(i) = kinematics_.W_N.col(i);
    L_W_.col(m + i) = kinematics_.W_T.col(i);
    relaxation = std::max(relaxation, laws_[at(i)].tangential.stiffness / laws_[at(i)].tangential.damping);
  }
  M_llt_.matrixL().solveInPlace(L_W_);
  S_.noalias() = L_W_.transpose().lazyProduct(L_W_);
  const auto row_sum = [&](auto weight) {
    double largest = 0.0;
    for (Index r = 0; r < 2 * m; ++r) {
      double sum = 0.0;
      for (Index s = 0; s < 2 * m; ++s) sum += std::abs(S_(r, s)) * std::sqrt(weight(r) * weight(s));
      largest = std::max(largest, sum);
    }
    return largest;
  };
  const auto weigh = [&](Index r, bool stiffness) {
    const Index i = r % m;
    const ContactMode mode = modes_[at(i)];
    if (mode == ContactMode::kOpen || (r >= m && mode != ContactMode::kRoll)) return 0.0;
    if (r >= m) return stiffness ? law(i).tangential.stiffness : law(i).tangential.damping;
    return std::max(0.0, stiffness ? normal_[at(i)].d_delta : normal_[at(i)].d_rate);
  };
  const double omega = std::sqrt(row_sum([&](Index r) { return weigh(r, true); }));
  const double drag = row_sum([&](Index r) { return weigh(r, false); });
  // The larger root of s² − drag s + ω² in size.
  const double rate =
      drag > 2.0 * omega ? 0.5 * (drag + std::sqrt(drag * drag - 4.0 * omega * omega)) : omega;
  return std::max(rate, relaxation);
}

}  // namespace enfold::sim
