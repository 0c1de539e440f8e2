// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "enfold/grasp/audit.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::EigenNear;
using test::PaperHand;

struct DrawnDynamics {
  VectorXd q, mu;
  std::vector<ContactMode> modes;
  GraspMatrices grasp;
  mechanics::Dynamics dynamics;
};

DrawnDynamics draw_dynamics(const PaperHand& hand, const CounterRandom& random, std::uint64_t n,
                            const std::vector<ContactMode>& modes) {
  DrawnDynamics d;
  d.q = hand.random_closed(random, n);
  d.mu = test::random_vector(random, 4000 + 10 * n, 4).cwiseAbs();
  d.modes = modes;
  const VectorXd v = VectorXd::Zero(7);
  assemble(hand.kinematics(d.q, v), modes, d.mu, 3, d.grasp);
  hand.mechanism->dynamics(d.q, v, d.dynamics);
  return d;
}

/// Columns of A by experiment: the accelerations of the gaps under a unit normal force at each touching
/// contact, with the forces at rolling contacts that keep φ̈_T = 0. One linear system in (v̇, λ_TR) for each
/// column.
MatrixXd contact_matrix_by_kkt(const DrawnDynamics& d, const contact::ContactKinematics& kinematics) {
  const GraspMatrices& g = d.grasp;
  std::vector<Index> touching = g.sliding;
  touching.insert(touching.end(), g.rolling.begin(), g.rolling.end());
  const auto n_C = static_cast<Index>(touching.size());
  const Index n_R = g.n_R();
  MatrixXd W_TR(7, n_R);
  for (Index r = 0; r < n_R; ++r) W_TR.col(r) = kinematics.W_T.col(g.rolling[static_cast<std::size_t>(r)]);
  MatrixXd kkt = MatrixXd::Zero(7 + n_R, 7 + n_R);
  kkt.topLeftCorner(7, 7) = d.dynamics.M;
  kkt.topRightCorner(7, n_R) = -W_TR;
  kkt.bottomLeftCorner(n_R, 7) = W_TR.transpose();
  const Eigen::FullPivLU<MatrixXd> lu(kkt);
  MatrixXd A(n_C, n_C);
  for (Index j = 0; j < n_C; ++j) {
    const Index contact = touching[static_cast<std::size_t>(j)];
    const ContactMode mode = d.modes[static_cast<std::size_t>(contact)];
    VectorXd rhs = VectorXd::Zero(7 + n_R);
    rhs.head(7) = kinematics.W_N.col(contact);
    if (mode == ContactMode::kSlidePlus) rhs.head(7) -= d.mu[contact] * kinematics.W_T.col(contact);
    if (mode == ContactMode::kSlideMinus) rhs.head(7) += d.mu[contact] * kinematics.W_T.col(contact);
    const VectorXd v_dot = lu.solve(rhs).head(7);
    for (Index i = 0; i < n_C; ++i)
      A(i, j) = kinematics.W_N.col(touching[static_cast<std::size_t>(i)]).dot(v_dot);
  }
  return A;
}

// A = W_NSᵀ M⁻¹ W_μ, and with rolling contacts the Schur complement that eliminates φ̈_TR = 0 (checklist row
// 18), in all combinations of modes that (22) admits. [eq:S4.19]
TEST(ContactMatrixTest, EqualsUnitForceExperimentsWithRollingContactsHeld) {
  const CounterRandom random(41, 0);
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  int tested = 0;
  for (int number = 0; number < 255; ++number) {
    const auto modes = test::mode_combination(number, 4);
    const DrawnDynamics d = draw_dynamics(hand, random, static_cast<std::uint64_t>(number), modes);
    if (d.grasp.k() == 0 || d.grasp.k() > 6) continue;
    const MatrixXd expected = contact_matrix_by_kkt(d, hand.kinematics(d.q, VectorXd::Zero(7)));
    EXPECT_THAT(contact_matrix(d.dynamics.M, d.grasp), EigenNear(expected, 1e-10 * expected.norm()))
        << "seed 41, modes " << number;
    ++tested;
  }
  EXPECT_GT(tested, 200);
}

// With no friction A is symmetric and positive definite: a Gram matrix of W̃ in the metric M⁻¹. [eq:S4.19]
TEST(ContactMatrixTest, IsSymmetricPositiveDefiniteWithoutFriction) {
  const CounterRandom random(42, 0);
  const PaperHand hand = test::paper_hand();
  const VectorXd v = VectorXd::Zero(7);
  for (std::uint64_t n = 0; n < 20; ++n) {
    DrawnDynamics d = draw_dynamics(hand, random, n, test::mode_combination(static_cast<int>(n), 4));
    d.modes[3] = ContactMode::kSlidePlus;
    assemble(hand.kinematics(d.q, v), d.modes, VectorXd::Zero(4), 3, d.grasp);
    const MatrixXd A = contact_matrix(d.dynamics.M, d.grasp);
    EXPECT_THAT(A, EigenNear(MatrixXd(A.transpose()), 1e-11 * A.norm()));
    EXPECT_GT(A.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0) << "seed 42, draw " << n;
  }
}

// Checklist row 8: Theorem 3.1's matrix M_o + Hᵀ M_a H̃ = Yᵀ M Z is singular exactly where A is, since
//     det A = det J̃ · det J · det(Yᵀ M Z) / det M.
TEST(ContactMatrixTest, DeterminantIsThatOfTheMotionMatrixTimesThoseOfJ) {
  const CounterRandom random(43, 0);
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  for (std::uint64_t n = 0; n < 64; ++n) {
    std::vector<ContactMode> modes;
    for (std::uint64_t i = 0; i < 4; ++i)
      modes.push_back((n >> i) % 2 == 0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus);
    const DrawnDynamics d = draw_dynamics(hand, random, n, modes);
    const GraspAudit a = audit(*hand.mechanism, *hand.contacts, d.q, modes, d.mu);
    const double expected =
        d.grasp.J_tilde.determinant() * d.grasp.J.determinant() * a.det_YMZ / d.dynamics.M.determinant();
    EXPECT_NEAR(a.A.determinant() / expected, 1.0, 1e-8) << "seed 43, draw " << n;
    // Yᵀ M Z itself, with Z = null(W̃ᵀ), Y = null(Wᵀ) scaled to an identity on top.
    MatrixXd Z = d.grasp.W_tilde().transpose().fullPivLu().kernel();
    MatrixXd Y = d.grasp.W().transpose().fullPivLu().kernel();
    Z = (Z * Z.topRows(3).inverse()).eval();
    Y = (Y * Y.topRows(3).inverse()).eval();
    EXPECT_NEAR((Y.transpose() * d.dynamics.M * Z).determinant() / a.det_YMZ, 1.0, 1e-8)
        << "seed 43, draw " << n;
  }
}

}  // namespace
}  // namespace enfold::grasp
