// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/friction_family.hpp"

#include <Eigen/Cholesky>

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {

using contact::ContactMode;

MatrixXd FrictionFamily::A(const VectorXd& mu) const {
  ENFOLD_REQUIRE(mu.size() == size(), "FrictionFamily: {} friction coefficients for {} rows", mu.size(),
                 size());
  return A_0 + A_1 * mu.asDiagonal();
}

void validate(const FrictionFamily& family) {
  const MatrixXd& A_0 = family.A_0;
  const MatrixXd& A_1 = family.A_1;
  ENFOLD_REQUIRE(A_0.rows() == A_0.cols(), "FrictionFamily: A_0 is {} × {}, expected a square matrix",
                 A_0.rows(), A_0.cols());
  ENFOLD_REQUIRE(A_1.rows() == A_0.rows() && A_1.cols() == A_0.cols(),
                 "FrictionFamily: A_1 is {} × {}, expected {} × {}", A_1.rows(), A_1.cols(), A_0.rows(),
                 A_0.cols());
  ENFOLD_REQUIRE(A_0.allFinite() && A_1.allFinite(), "FrictionFamily: an entry of A_0 or A_1 is not finite");
}

VectorXd FrictionGroups::expand(const VectorXd& values, double other) const {
  ENFOLD_REQUIRE(values.size() == count, "FrictionGroups: {} values for {} groups", values.size(), count);
  VectorXd out(static_cast<Index>(group_of.size()));
  for (Index j = 0; j < out.size(); ++j) {
    const Index group = group_of[static_cast<std::size_t>(j)];
    ENFOLD_REQUIRE(group < count, "FrictionGroups: row {} is in group {} of {}", j, group, count);
    out[j] = group < 0 ? other : values[group];
  }
  return out;
}

FrictionGroups independent_groups(Index n) {
  FrictionGroups out;
  for (Index j = 0; j < n; ++j) out.group_of.push_back(j);
  out.count = n;
  return out;
}

VectorXd GraspFamily::rows_of(const VectorXd& per_contact) const {
  ENFOLD_REQUIRE(contacts.empty() || contacts.back() < per_contact.size(),
                 "GraspFamily: {} values, the last contact has number {}", per_contact.size(),
                 contacts.back());
  return per_contact(contacts);
}

GraspFamily friction_family(const MatrixXd& M, const contact::ContactKinematics& kinematics,
                            std::span<const ContactMode> modes) {
  const MatrixXd& W_N = kinematics.W_N;
  const MatrixXd& W_T = kinematics.W_T;
  ENFOLD_REQUIRE(W_T.rows() == W_N.rows() && W_T.cols() == W_N.cols(),
                 "friction_family: W_T is {} × {}, expected {} × {}: one tangent per contact", W_T.rows(),
                 W_T.cols(), W_N.rows(), W_N.cols());
  ENFOLD_REQUIRE(M.rows() == W_N.rows() && M.cols() == W_N.rows(),
                 "friction_family: M is {} × {}, expected {} × {}", M.rows(), M.cols(), W_N.rows(),
                 W_N.rows());
  ENFOLD_REQUIRE(static_cast<Index>(modes.size()) == W_N.cols(), "friction_family: {} modes for {} contacts",
                 modes.size(), W_N.cols());
  ENFOLD_REQUIRE(M.allFinite() && W_N.allFinite() && W_T.allFinite(),
                 "friction_family: an entry of M, W_N or W_T is not finite");

  GraspFamily out;
  std::vector<Index> rolling;
  for (Index i = 0; i < W_N.cols(); ++i) {
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    if (mode != ContactMode::kOpen) out.contacts.push_back(i);
    if (mode == ContactMode::kRoll) rolling.push_back(i);
  }
  const Eigen::LLT<MatrixXd> M_llt(M);
  if (M_llt.info() != Eigen::Success) {
    out.status = GraspFamilyStatus::kSingularMass;
    return out;
  }
  // In coordinates L⁻¹ of force, M = L Lᵀ, the matrices are Gram matrices.
  MatrixXd L_N = W_N(Eigen::all, out.contacts);
  MatrixXd L_T = W_T(Eigen::all, out.contacts);
  for (Index j = 0; j < L_T.cols(); ++j)
    L_T.col(j) *= -slip_sign(modes[static_cast<std::size_t>(out.contacts[static_cast<std::size_t>(j)])]);
  MatrixXd L_R = W_T(Eigen::all, rolling);
  for (MatrixXd* W : {&L_N, &L_T, &L_R}) M_llt.matrixL().solveInPlace(*W);

  MatrixXd A_0 = L_N.transpose() * L_N;
  MatrixXd A_1 = L_N.transpose() * L_T;
  if (!rolling.empty()) {
    const Eigen::LLT<MatrixXd> D_llt(L_R.transpose() * L_R);
    const VectorXd pivots = D_llt.matrixLLT().diagonal();
    // The pivots are square roots: 1e-7 is a D that is singular to rounding.
    if (D_llt.info() != Eigen::Success || pivots.minCoeff() <= 1e-7 * pivots.maxCoeff()) {
      out.status = GraspFamilyStatus::kDependentRolling;
      return out;
    }
    const MatrixXd C_0 = L_R.transpose() * L_N;
    const MatrixXd C_1 = L_R.transpose() * L_T;
    const MatrixXd D_C_0 = D_llt.solve(C_0);
    A_0 -= D_C_0.transpose() * C_0;
    A_1 -= D_C_0.transpose() * C_1;
  }
  out.family = {std::move(A_0), std::move(A_1)};
  out.status = GraspFamilyStatus::kBuilt;
  return out;
}

GraspFamily friction_family(const mechanics::Mechanism& mechanism, const contact::ContactSet& contacts,
                            const VectorXd& q, std::span<const ContactMode> modes) {
  ENFOLD_REQUIRE(q.size() == mechanism.n_q(), "friction_family: q has {} entries, expected {}", q.size(),
                 mechanism.n_q());
  const VectorXd v = VectorXd::Zero(mechanism.n_v());
  contact::ContactKinematics kinematics;
  contacts.kinematics(q, v, kinematics);
  mechanics::Dynamics dynamics;
  mechanism.dynamics(q, v, dynamics);
  return friction_family(dynamics.M, kinematics, modes);
}

}  // namespace enfold::uniqueness
