// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/contact_stability.hpp"

#include <gtest/gtest.h>

#include "block_scene.hpp"
#include "enfold/base/error.hpp"
#include "enfold/sim/stiffness_advisor.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using test::EigenNear;

/// Example 2 at a time of its quintic: y 0.12 → 0.15 m at 0°, all contacts sliding as the motion makes them.
struct ExampleTwo {
  test::PaperHand hand = test::paper_hand();
  VectorXd mu = Eigen::Vector4d(0.8, 0.6, 0.8, 0.6);
  VectorXd q, v, xi;
  CompliantPlant plant;
  RigidPlant rigid;

  ExampleTwo(double t, double stiffness, double damping_ratio = 0.7)
      : plant{{hand.mechanism, hand.contacts, mu},
              {contact::kelvin_voigt_contact({.stiffness = stiffness, .damping_ratio = damping_ratio})}},
        rigid{{hand.mechanism, hand.contacts, mu}} {
    const double y = 0.12 + 0.03 * t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
    q = hand.closed(0.0, y, 0.0);
    const Eigen::Vector3d x_dot(0.0, 0.03, 0.0);
    v = test::closed_velocity(hand, q, x_dot);
    const auto modes = test::sliding_modes(hand, q, x_dot);
    const VectorXd lambda_N = Eigen::Vector4d(2.6, 1.0, 2.6, 1.0);
    VectorXd lambda_T(4);
    for (Index i = 0; i < 4; ++i)
      lambda_T[i] = -slip_sign(modes[static_cast<std::size_t>(i)]) * mu[i] * lambda_N[i];
    (void)plant.adopt_forces(q, v, lambda_N, lambda_T, xi);
    EXPECT_EQ(plant.solve(q, v, xi, VectorXd::Zero(4)), ContactSolveStatus::kSolved);
    EXPECT_EQ(plant.modes(), modes);
    rigid.set_modes(modes);
    EXPECT_EQ(rigid.solve(q, v, VectorXd::Zero(4)), ContactSolveStatus::kSolved);
  }
};

// Checklist A4.7: P is lost at 0.647 s through det A; from there on the antisymmetric mode grows.
TEST(ContactStabilityTest, SecondExampleBecomesUnstableWhereAStopsBeingP) {
  for (const double t : {0.1, 0.3, 0.5, 0.6, 0.64, 0.655, 0.7, 0.8, 0.9, 0.99}) {
    ExampleTwo e(t, 1e4);
    const ContactStability s = contact_stability(e.plant);
    const bool is_P = e.rigid.test_uniqueness().status == lcp::PMatrixStatus::kP;
    EXPECT_EQ(is_P, t < 0.647) << "t = " << t;
    EXPECT_EQ(s.stable(), is_P) << "t = " << t << ", growth " << s.growth;
    if (!is_P) {
      EXPECT_EQ(s.symmetry, ModeSymmetry::kAntisymmetric) << "t = " << t;
    }
    RecordProperty(fmt::format("t_{:.3f}", t), fmt::format("{:.4g}", s.growth));
  }
}

TEST(ContactStabilityTest, GrowthIsThatOfTheNegativeEigenvalueOfA) {
  for (const double zeta : {0.0, 0.7}) {
    for (const double k : {1e4, 1e5}) {
      ExampleTwo e(0.8, k, zeta);
      const double a = e.rigid.A().eigenvalues().real().minCoeff();
      EXPECT_NEAR(a, -0.09, 0.005);
      const double c = 2.0 * zeta * std::sqrt(k);
      const double growth = -a * c / 2.0 + std::sqrt(a * a * c * c / 4.0 - a * k);
      EXPECT_NEAR(contact_stability(e.plant).growth, growth, 1e-6 * growth);
    }
  }
}

TEST(ContactStabilityTest, WarningNamesTheModeAndTheLoopItOutruns) {
  ExampleTwo e(0.8, 1e4);
  const ContactStability s = contact_stability(e.plant, {.control_bandwidth = 10.0});
  EXPECT_EQ(s.status, ContactStabilityStatus::kFastGrowth);
  EXPECT_EQ(s.warning.find("antisymmetric, grows "), 0u) << s.warning;
  EXPECT_NE(s.warning.find("faster than the 10 rad/s force loop"), std::string::npos) << s.warning;
  EXPECT_NEAR(s.shape[0], -s.shape[2], 1e-9);
  EXPECT_NEAR(s.shape[1], -s.shape[3], 1e-9);
  EXPECT_NEAR(s.shape.cwiseAbs().maxCoeff(), 1.0, 1e-12);
  const ContactStability slow = contact_stability(e.plant, {.control_bandwidth = 1000.0});
  EXPECT_EQ(slow.status, ContactStabilityStatus::kSlowGrowth);
  EXPECT_NE(slow.warning.find("slower than the 1e+03 rad/s"), std::string::npos) << slow.warning;
}

TEST(ContactStabilityTest, ModeWithoutMirrorPairsIsNamedByItsContacts) {
  ExampleTwo e(0.8, 1e4);
  const ContactStability s = contact_stability(e.plant, {.mirror_pairs = {{0, 0}}});
  EXPECT_EQ(s.symmetry, ModeSymmetry::kMixed);
  EXPECT_EQ(s.mode.find("mostly "), 0u) << s.mode;
}

// The same eigenvalues by another route: those of the whole Jacobian that springs and dampers make large.
TEST(ContactStabilityTest, FastEigenvaluesAreThoseOfTheWholeSystem) {
  ExampleTwo e(0.8, 1e6);
  const ContactStability s = contact_stability(e.plant);
  MatrixXd J;
  e.plant.jacobian(J);
  const Eigen::VectorXcd whole = J.eigenvalues();
  for (const std::complex<double>& value : s.eigenvalues)
    EXPECT_LT((whole.array() - value).abs().minCoeff(), 0.01 * std::abs(value)) << value;
}

// Without friction A is symmetric and positive definite, rolling or not: nothing grows.
TEST(ContactStabilityTest, FrictionlessAndRollingContactsAreStable) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const bool rolling : {false, true}) {
      PlantCase c = plant_case(seed);
      c.mu.setConstant(rolling ? 0.5 : 0.0);
      CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({})});
      VectorXd xi;
      if (rolling) c.v.setZero();
      (void)plant.adopt_forces(c.q, c.v, VectorXd::Constant(4, 2.0), VectorXd::Zero(4), xi);
      ASSERT_EQ(plant.solve(c.q, c.v, xi, c.tau), ContactSolveStatus::kSolved);
      const ContactStability s = contact_stability(plant);
      EXPECT_EQ(s.status, ContactStabilityStatus::kStable) << "growth " << s.growth;
      EXPECT_EQ(s.eigenvalues.size(), rolling ? 16 : 8);
      EXPECT_TRUE(s.warning.empty());
    }
  }
}

// A P-matrix may have complex eigenvalues: without damping such contacts flutter. What S4's usable laws have
// of damping stills that in every case here; it does not help where det A < 0.
TEST(ContactStabilityTest, DampingStillsTheFlutterOfPMatricesOnly) {
  int flutter = 0;
  int divergence = 0;
  int unique = 0;
  int stable_without_P = 0;
  const auto cases = static_cast<std::uint64_t>(test::count(400, 4000));
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    PlantCase c = plant_case(seed);
    c.mu = test::random_vector(CounterRandom(seed, 3), 0, 4, 0.6).array() + 0.6;
    VectorXd lambda_T(4);
    for (Index i = 0; i < 4; ++i)
      lambda_T[i] = -2.0 * slip_sign(c.modes[static_cast<std::size_t>(i)]) * c.mu[i];
    RigidPlant rigid(c.model());
    rigid.set_modes(c.modes);
    (void)rigid.solve(c.q, c.v, c.tau);  // A is wanted, whether or not there is a solution
    const bool is_P = rigid.test_uniqueness().status == lcp::PMatrixStatus::kP;
    unique += is_P ? 1 : 0;
    for (const double zeta : {0.0, 0.7}) {
      CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({.damping_ratio = zeta})});
      VectorXd xi;
      (void)plant.adopt_forces(c.q, c.v, VectorXd::Constant(4, 2.0), lambda_T, xi);
      ASSERT_EQ(plant.solve(c.q, c.v, xi, c.tau), ContactSolveStatus::kSolved);
      ASSERT_EQ(plant.modes(), c.modes);
      const ContactStability s = contact_stability(plant);
      if (is_P && zeta > 0.0) {
        EXPECT_TRUE(s.stable()) << "seed " << seed << ": " << s.warning;
      }
      if (is_P && !s.stable()) ++flutter;
      if (!is_P && s.stable() && zeta > 0.0) ++stable_without_P;
      if (rigid.A().determinant() < 0.0) {
        EXPECT_FALSE(s.stable()) << "seed " << seed;
        ++divergence;
      }
    }
  }
  EXPECT_GT(flutter, 20);
  EXPECT_GT(divergence, 5);
  RecordProperty("counts",
                 fmt::format("{} P, {} flutter, {} stable without P", unique, flutter, stable_without_P));
}

TEST(ContactStabilityTest, OpenContactsHaveNoDynamics) {
  CompliantPlant plant(block(1.0, {0.0, -9.81}, 0.3), {contact::kelvin_voigt_contact({})});
  (void)plant.solve(Vector2d(0.0, 1.0), Vector2d::Zero(), VectorXd::Zero(1), VectorXd());
  EXPECT_EQ(contact_stability(plant).status, ContactStabilityStatus::kNoContact);
  EXPECT_THROW((void)contact_stability(plant, {.control_bandwidth = 0.0}), InvalidArgument);
}

TEST(MirrorPairsTest, AreNamesThatDifferInLeftAndRight) {
  const std::vector<std::string> names{"left.proximal", "palm", "right.proximal", "left.distal"};
  const auto pairs = mirror_pairs(names);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0], (std::pair<Index, Index>{0, 2}));
}

// Checklist A4.7: 1e4 … 1e5 N/m suit the paper's hand, 1e3 N/m is too soft.
TEST(StiffnessAdvisorTest, FindsTheUsableRangeOfThePapersHand) {
  ExampleTwo e(0.8, 1e4);
  const VectorXd forces = Eigen::Vector4d(7.3, 1.0, 7.3, 1.0);
  for (const auto& [k, step, verdict] :
       {std::tuple{1e3, 1e-3, StiffnessVerdict::kTooSoft}, std::tuple{1e4, 1e-3, StiffnessVerdict::kFine},
        std::tuple{1e5, 1e-3, StiffnessVerdict::kFine}, std::tuple{1e8, 1e-3, StiffnessVerdict::kTooStiff},
        std::tuple{1e5, 1e-1, StiffnessVerdict::kNoCommonRange}}) {
    CompliantPlant plant({e.hand.mechanism, e.hand.contacts, e.mu},
                         {contact::kelvin_voigt_contact({.stiffness = k})});
    (void)plant.solve(e.q, e.v, e.xi, VectorXd::Zero(4));
    const StiffnessQuestion q = stiffness_questions(plant, forces).front();
    const StiffnessAdvice a = advise_stiffness(q, {.step = step, .length = 0.11});
    EXPECT_EQ(a.verdict, verdict) << a.message;
    EXPECT_EQ(a.message.find("left.proximal: "), 0u);
    EXPECT_NEAR(a.penetration, 7.3 / k, 1e-12);
  }
}

TEST(StiffnessAdvisorTest, LimitsAreWhereTheVerdictChanges) {
  const StiffnessOptions options;
  for (const double zeta : {0.3, 0.7, 2.5}) {
    StiffnessQuestion q{.name = "c", .force = 5.0, .mass = 0.4, .stiffness = 1e5};
    const auto verdict_at = [&](double k) {
      q.stiffness = k;
      q.damping = contact::damping_coefficient(zeta, k, q.mass);
      return advise_stiffness(q, options);
    };
    const StiffnessAdvice a = verdict_at(1e5);
    EXPECT_NEAR(a.damping_ratio, zeta, 1e-12);
    EXPECT_EQ(verdict_at(0.999 * a.softest).verdict, StiffnessVerdict::kTooSoft);
    EXPECT_EQ(verdict_at(1.001 * a.softest).verdict, StiffnessVerdict::kFine);
    EXPECT_EQ(verdict_at(0.999 * a.stiffest).verdict, StiffnessVerdict::kFine);
    EXPECT_EQ(verdict_at(1.001 * a.stiffest).verdict, StiffnessVerdict::kTooStiff);
  }
}

TEST(StiffnessAdvisorTest, EffectiveMassIsThatOfAUnitPush) {
  ExampleTwo e(0.3, 1e4);
  const VectorXd masses = effective_masses(e.plant);
  for (Index i = 0; i < 4; ++i) {
    const VectorXd w = e.plant.kinematics().W_N.col(i);
    EXPECT_NEAR(masses[i] * w.dot(e.plant.dynamics().M.fullPivLu().solve(w)), 1.0, 1e-10);
  }
  EXPECT_THROW((void)stiffness_questions(e.plant, VectorXd::Ones(3)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::sim
