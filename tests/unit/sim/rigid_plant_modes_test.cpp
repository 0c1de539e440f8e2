// SPDX-License-Identifier: BSD-3-Clause
// Rolling and open contacts, in all combinations with sliding ones.
#include <gtest/gtest.h>

#include "enfold/grasp/audit.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "enfold/test/matchers.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;
using test::EigenNear;

int count(const std::vector<ContactMode>& modes, ContactMode mode) {
  return static_cast<int>(std::count(modes.begin(), modes.end(), mode));
}

/// More tangential rows than W has independent ones cannot be held: at most three rolling contacts here.
bool solvable(const std::vector<ContactMode>& modes) {
  return count(modes, ContactMode::kRoll) <= 3;
}

// [eq:S4.19] Against the Schur complement of the audit, which stacks sliding contacts before rolling ones.
TEST(RigidPlantModesTest, MatrixEqualsThatOfTheGraspAuditInAllCombinationsOfModes) {
  const PlantCase c = plant_case(2);
  for (int number = 0; number < 256; ++number) {
    const std::vector<ContactMode> modes = test::mode_combination(number, 4);
    if (!solvable(modes) || count(modes, ContactMode::kOpen) == 4) continue;
    RigidPlant plant(c.model());
    plant.set_modes(modes);
    ASSERT_NE(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSingular) << number;
    grasp::GraspMatrices grasp;
    grasp::assemble(c.kinematics(), modes, c.mu, 3, grasp);
    const MatrixXd stacked = grasp::contact_matrix(c.dynamics().M, grasp);
    std::vector<Index> order = grasp.sliding;
    order.insert(order.end(), grasp.rolling.begin(), grasp.rolling.end());
    ASSERT_EQ(order.size(), plant.closed().size());
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = 0; j < order.size(); ++j) {
        const auto place = [&](std::size_t k) {
          return std::find(plant.closed().begin(), plant.closed().end(), order[k]) - plant.closed().begin();
        };
        EXPECT_NEAR(plant.A()(place(i), place(j)), stacked(static_cast<Index>(i), static_cast<Index>(j)),
                    1e-9 * stacked.norm())
            << "combination " << number;
      }
  }
}

/// M v̇ + h = B τ + W λ with the given normal rows held at φ̈ = −2ωφ̇ − ω²φ and the rolling tangential rows at
/// φ̈_T = −2ωφ̇_T, as one dense system.
struct HeldMotion {
  VectorXd v_dot, lambda_N, lambda_T;
};

HeldMotion held_motion(const PlantCase& c, const std::vector<ContactMode>& modes,
                       const std::vector<Index>& pressed, double omega) {
  const contact::ContactKinematics kinematics = c.kinematics();
  const mechanics::Dynamics dynamics = c.dynamics();
  std::vector<Index> rolling;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i] == ContactMode::kRoll) rolling.push_back(static_cast<Index>(i));
  const Index n = c.q.size();
  const auto m = static_cast<Index>(pressed.size());
  const auto r = static_cast<Index>(rolling.size());
  MatrixXd kkt = MatrixXd::Zero(n + m + r, n + m + r);
  VectorXd rhs(n + m + r);
  kkt.topLeftCorner(n, n) = dynamics.M;
  rhs.head(n) = -dynamics.h;
  rhs.segment(3, 4) += c.tau;
  for (Index j = 0; j < m; ++j) {
    const Index i = pressed[static_cast<std::size_t>(j)];
    const double sign = slip_sign(modes[static_cast<std::size_t>(i)]);
    kkt.col(n + j).head(n) = -kinematics.W_N.col(i) + sign * c.mu[i] * kinematics.W_T.col(i);
    kkt.row(n + j).head(n) = kinematics.W_N.col(i).transpose();
    rhs[n + j] = -kinematics.bias_N[i] - 2.0 * omega * kinematics.W_N.col(i).dot(c.v) -
                 omega * omega * kinematics.gap[i];
  }
  for (Index s = 0; s < r; ++s) {
    const Index i = rolling[static_cast<std::size_t>(s)];
    kkt.col(n + m + s).head(n) = -kinematics.W_T.col(i);
    kkt.row(n + m + s).head(n) = kinematics.W_T.col(i).transpose();
    rhs[n + m + s] = -kinematics.bias_T[i] - 2.0 * omega * kinematics.W_T.col(i).dot(c.v);
  }
  const VectorXd solution = kkt.fullPivLu().solve(rhs);
  HeldMotion out{solution.head(n), VectorXd::Zero(4), VectorXd::Zero(4)};
  for (Index j = 0; j < m; ++j) {
    const Index i = pressed[static_cast<std::size_t>(j)];
    out.lambda_N[i] = solution[n + j];
    out.lambda_T[i] = -slip_sign(modes[static_cast<std::size_t>(i)]) * c.mu[i] * solution[n + j];
  }
  for (Index s = 0; s < r; ++s) out.lambda_T[rolling[static_cast<std::size_t>(s)]] = solution[n + m + s];
  return out;
}

/// Gaps and rolling slips off zero, so that the correction terms count.
PlantCase disturbed_case(std::uint64_t seed, double weakest) {
  PlantCase c = plant_case(seed, weakest);
  const CounterRandom random(seed, 79);
  c.q += test::random_vector(random, 0, 7, 1e-5);
  c.v += test::random_vector(random, 10, 7, 1e-3);
  return c;
}

// [eq:S4.18] The active set is taken from the plant; everything else is the dense system's.
TEST(RigidPlantModesTest, SolutionEqualsTheDenseSystemOfItsActiveContactsInAllCombinationsOfModes) {
  const double omega = 20.0;
  int compared = 0;
  for (int number = 0; number < 256; ++number) {
    const std::vector<ContactMode> modes = test::mode_combination(number, 4);
    if (!solvable(modes)) continue;
    const PlantCase c = disturbed_case(static_cast<std::uint64_t>(number), number % 2 == 0 ? 1.0 : -1.0);
    RigidPlant plant(c.model(), {.drift_frequency = omega});
    plant.set_modes(modes);
    if (plant.solve(c.q, c.v, c.tau) != ContactSolveStatus::kSolved) continue;
    std::vector<Index> pressed;
    for (Index i = 0; i < 4; ++i)
      if (plant.lambda_N()[i] > 0.0) pressed.push_back(i);
    const HeldMotion held = held_motion(c, modes, pressed, omega);
    EXPECT_THAT(plant.v_dot(), EigenNear(held.v_dot, 1e-7)) << "combination " << number;
    EXPECT_THAT(plant.lambda_N(), EigenNear(held.lambda_N, 1e-8)) << "combination " << number;
    EXPECT_THAT(plant.lambda_T(), EigenNear(held.lambda_T, 1e-8)) << "combination " << number;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

TEST(RigidPlantModesTest, SlipOfARollingContactIsPulledBackToZero) {
  const double omega = 50.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PlantCase c = disturbed_case(seed, 1.0);
    std::vector<ContactMode> modes = c.modes;
    modes[seed % 4] = ContactMode::kRoll;
    RigidPlant plant(c.model(), {.drift_frequency = omega});
    plant.set_modes(modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const contact::ContactKinematics kinematics = c.kinematics();
    const auto i = static_cast<Index>(seed % 4);
    const double slip_rate = kinematics.W_T.col(i).dot(plant.v_dot()) + kinematics.bias_T[i];
    EXPECT_NEAR(slip_rate, -2.0 * omega * kinematics.W_T.col(i).dot(c.v), 1e-8) << "seed " << seed;
    EXPECT_GT(std::abs(slip_rate), 1e-3);
  }
}

TEST(RigidPlantModesTest, OpenContactsCarryNoForceAndHaveNoRow) {
  const PlantCase c = plant_case(6);
  RigidPlant plant(c.model());
  for (int number = 0; number < 256; ++number) {
    const std::vector<ContactMode> modes = test::mode_combination(number, 4);
    if (!solvable(modes)) continue;
    plant.set_modes(modes);
    EXPECT_EQ(plant.modes(), modes);
    EXPECT_EQ(static_cast<int>(plant.closed().size()), 4 - count(modes, ContactMode::kOpen));
    if (plant.solve(c.q, c.v, c.tau) != ContactSolveStatus::kSolved) continue;
    EXPECT_EQ(plant.A().rows(), static_cast<Index>(plant.closed().size()));
    for (std::size_t i = 0; i < 4; ++i) {
      if (modes[i] != ContactMode::kOpen) continue;
      EXPECT_EQ(plant.lambda_N()[static_cast<Index>(i)], 0.0);
      EXPECT_EQ(plant.lambda_T()[static_cast<Index>(i)], 0.0);
    }
  }
}

TEST(RigidPlantModesTest, AllOpenIsFreeMotion) {
  const PlantCase c = plant_case(6);
  RigidPlant plant(c.model());
  plant.set_modes(std::vector<ContactMode>(4, ContactMode::kOpen));
  ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
  const mechanics::Dynamics dynamics = c.dynamics();
  VectorXd load = -dynamics.h;
  load.tail(4) += c.tau;
  const VectorXd free = dynamics.M.fullPivLu().solve(load);
  EXPECT_THAT(plant.v_dot(), EigenNear(free, 1e-9));
}

// A plant that went through other modes, at the same state, equals one that did not.
TEST(RigidPlantModesTest, ModesMayChangeAtTheSameState) {
  const PlantCase c = plant_case(8);
  RigidPlant plant(c.model());
  int compared = 0;
  for (int step = 0; step < 256; ++step) {
    const std::vector<ContactMode> modes = test::mode_combination((step * 37) % 256, 4);
    if (!solvable(modes)) continue;
    plant.set_modes(modes);
    RigidPlant fresh(c.model());
    fresh.set_modes(modes);
    const ContactSolveStatus status = plant.solve(c.q, c.v, c.tau);
    if (fresh.solve(c.q, c.v, c.tau) != ContactSolveStatus::kSolved) continue;
    ASSERT_EQ(status, ContactSolveStatus::kSolved);
    if (plant.count_solutions() != 1) continue;  // which of several is found depends on the history
    EXPECT_THAT(plant.v_dot(), EigenNear(fresh.v_dot(), 1e-8));
    EXPECT_THAT(plant.lambda_T(), EigenNear(fresh.lambda_T(), 1e-9));
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

// Two contacts that are one: their tangential rows are equal and cannot both be solved for.
TEST(RigidPlantModesTest, DependentRollingRowsAreSingular) {
  PlantCase c = plant_case(1);
  c.hand = test::paper_hand({.radius = 0.003, .gravity = {0.3, -1.0}, .extra_contacts = {{"twin", 1}}});
  c.mu = VectorXd::Constant(5, 0.1);
  RigidPlant plant(c.model());
  std::vector<ContactMode> modes(5, ContactMode::kSlidePlus);
  modes[1] = modes[4] = ContactMode::kRoll;
  plant.set_modes(modes);
  EXPECT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSingular);
  modes[4] = ContactMode::kOpen;  // and is forgotten
  plant.set_modes(modes);
  EXPECT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
}

}  // namespace
}  // namespace enfold::sim
