// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/object_impedance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/random_law_case.hpp"

namespace enfold::controllers {
namespace {

using test::EigenNear;

Impedance paper_impedance() {
  return {Eigen::Vector3d(300.0, 200.0, 6.0), Eigen::Vector3d(60.0, 40.0, 1.2)};
}

// Λ_ξ ë + D ė + K e = −f for a push f along the told coordinates, for rolling, sliding and open contacts and
// arms with joints to spare. Λ_ξ by null spaces, the plant a linear system of M, W and W̃ of the test's own.
// [eq:impedance]
TEST(ObjectImpedanceTest, PushedObjectAnswersWithTheWantedStiffnessAndDamping) {
  int cases = 0;
  int redundant = 0;
  int rolling = 0;
  const int wanted = test::count(100, 2000);
  for (std::uint64_t seed = 0; cases < wanted && seed < 100'000; ++seed) {
    const std::optional<test::RandomLawCase> drawn =
        test::random_law_case(test::varied_hands()[seed % 4], seed);
    if (!drawn) continue;
    const test::RandomLawCase& c = *drawn;
    mechanics::Dynamics dynamics;
    c.hand.mechanism->dynamics(c.measured.q, c.measured.v, dynamics);
    const Index n = c.measured.q.size();
    const Index k = c.W.cols();
    MatrixXd kkt = MatrixXd::Zero(n + k, n + k);
    kkt.topLeftCorner(n, n) = dynamics.M;
    kkt.topRightCorner(n, k) = -c.W;
    kkt.bottomLeftCorner(k, n) = c.W_tilde.transpose();
    const Eigen::FullPivLU<MatrixXd> lu(kkt);
    if (lu.rcond() < 1e-8) continue;  // YᵀMZ is singular near by
    const MatrixXd Z = Eigen::FullPivLU<MatrixXd>(c.W_tilde.transpose()).kernel();
    const MatrixXd Y = Eigen::FullPivLU<MatrixXd>(c.W.transpose()).kernel();
    const MatrixXd whole = Z * (Y.transpose() * dynamics.M * Z).inverse() * Y.transpose();
    const MatrixXd mobility = whole(c.coordinates, c.coordinates);
    if (Eigen::FullPivLU<MatrixXd>(mobility).rcond() < 1e-6) continue;

    const Impedance impedance = paper_impedance();
    ObjectImpedanceController law({c.hand.mechanism, c.hand.contacts, c.mu, c.coordinates}, c.trajectory,
                                  c.plan, impedance, c.gains);
    control::Command command;
    law.evaluate(0.4, c.measured, c.integral, command);
    ASSERT_FALSE(command.singular) << "seed " << seed;
    const auto n_xi = static_cast<Index>(c.coordinates.size());
    const VectorXd push = test::random_vector(CounterRandom(seed, 18), 0, n_xi, 2.0);
    VectorXd right(n + k);
    right << -dynamics.h, -c.bias;
    right.segment(3, n - 3) += command.tau;
    for (Index i = 0; i < n_xi; ++i) right[c.coordinates[static_cast<std::size_t>(i)]] += push[i];
    const VectorXd v_dot = lu.solve(right).head(n);
    VectorXd e_ddot(n_xi), restoring(n_xi);
    for (Index i = 0; i < n_xi; ++i) {
      const Index at = c.coordinates[static_cast<std::size_t>(i)];
      e_ddot[i] = c.trajectory->now.x_ddot[at] - v_dot[at];
      restoring[i] = impedance.damping[at] * (c.trajectory->now.x_dot[at] - c.measured.v[at]) +
                     impedance.stiffness[at] * (c.trajectory->now.x[at] - c.measured.q[at]);
    }
    const VectorXd left = mobility.inverse() * e_ddot + restoring;
    EXPECT_THAT(left, EigenNear(VectorXd(-push), 1e-6 * (1.0 + restoring.norm()))) << "seed " << seed;
    ++cases;
    redundant += k + n_xi < n ? 1 : 0;
    for (const contact::ContactMode mode : c.modes) rolling += mode == contact::ContactMode::kRoll ? 1 : 0;
  }
  EXPECT_EQ(cases, wanted);
  EXPECT_GT(redundant, cases / 10);
  EXPECT_GT(rolling, cases / 2);
}

// The inertia that shows in S4's case is M_o + Hᵀ M_a H̃, and the squeeze is S4's.     [eq:impedance]
TEST(ObjectImpedanceTest, InertiaIsThatOfObjectAndArmsAndTheSqueezeThatOfTheWholeArmLaw) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const test::WholeArmCase c = test::whole_arm_case({}, seed);
    ObjectImpedanceController law(c.model(), c.trajectory, c.plan, paper_impedance(), c.gains);
    control::Command command;
    law.evaluate(c.t, c.measured, c.integral, command);
    mechanics::Dynamics dynamics;
    c.hand.mechanism->dynamics(c.measured.q, c.measured.v, dynamics);
    const test::RigidMotion motion =
        test::rigid_motion(c.hand, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau);
    const MatrixXd W_N = c.hand.kinematics(c.measured.q, c.measured.v).W_N;
    const MatrixXd H_tilde = -W_N.bottomRows(4).transpose().fullPivLu().solve(W_N.topRows(3).transpose());
    const MatrixXd H =
        -motion.W_mu.bottomRows(4).transpose().fullPivLu().solve(motion.W_mu.topRows(3).transpose());
    const MatrixXd inertia =
        dynamics.M.topLeftCorner(3, 3) + H.transpose() * dynamics.M.bottomRightCorner(4, 4) * H_tilde;
    EXPECT_THAT(VectorXd((law.mobility() * inertia).reshaped()),
                EigenNear(VectorXd(MatrixXd::Identity(3, 3).reshaped()), 1e-8))
        << "seed " << seed;
    const MatrixXd basis = test::nearest_null_basis(motion.W_mu.topRows(3), c.point().G_null);
    EXPECT_THAT(VectorXd(basis.transpose() * motion.lambda),
                EigenNear(VectorXd(c.alpha_des() + c.gains.Kalpha * c.integral), 1e-8))
        << "seed " << seed;
  }
}

TEST(ObjectImpedanceTest, RefusesValuesThatDoNotFitTheObject) {
  const test::WholeArmCase c = test::whole_arm_case({}, 1);
  Impedance few = paper_impedance();
  few.stiffness.conservativeResize(2);
  EXPECT_THROW(ObjectImpedanceController(c.model(), c.trajectory, c.plan, few, c.gains), InvalidArgument);
  Impedance infinite = paper_impedance();
  infinite.damping[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(ObjectImpedanceController(c.model(), c.trajectory, c.plan, infinite, c.gains),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::controllers
