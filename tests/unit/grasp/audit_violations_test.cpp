// SPDX-License-Identifier: BSD-3-Clause
// Grasps that break one of S4's standing assumptions each, and who the audit blames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "audited.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::PaperHand;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using test::kMinus;
using test::kOpen;
using test::kPlus;
using test::kRoll;

/// The violations that mention a text.
std::vector<Violation> about(const GraspAudit& a, const std::string& text) {
  std::vector<Violation> out;
  for (const Violation& v : a.violations)
    if (v.reason.find(text) != std::string::npos) out.push_back(v);
  return out;
}

TEST(GraspViolationTest, TooManyRowsBlameTheContactsWhoseForcesAreFree) {
  const PaperHand hand = test::paper_hand();
  const GraspAudit a = audited(hand, hand.closed(0.0, 0.15, 80.0), {kRoll, kRoll, kRoll, kRoll});
  const auto found = about(a, "k = 8 constraint rows on n = 7");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].assumption, "statically determined");
  EXPECT_THAT(found[0].contacts,
              UnorderedElementsAre("left.proximal", "left.distal", "right.proximal", "right.distal"));
  EXPECT_THAT(found[0].reason, HasSubstr("right.distal"));
}

// Two contacts at one place: W has two equal columns, and only these two are to blame.
TEST(GraspViolationTest, DependentColumnsBlameTheTwoContactsAtOnePlace) {
  const PaperHand hand = test::paper_hand({.extra_contacts = {{"twin", 1}}});
  const GraspAudit a = audited(hand, hand.closed(0.0, 0.15, 80.0), {kPlus, kMinus, kPlus, kMinus, kMinus});
  EXPECT_EQ(a.rank_W, 4);
  EXPECT_TRUE(std::isinf(a.cond_W));
  EXPECT_FALSE(a.equation_22);
  EXPECT_EQ(a.scenario, ContactScenario::kIndeterminate);
  const auto found = about(a, "rank W = 4 of k = 5");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].assumption, "statically determined");
  EXPECT_THAT(found[0].contacts, UnorderedElementsAre("left.distal", "twin"));
}

// All normals of a circle meet in its centre: no joint motion turns it without friction.
TEST(GraspViolationTest, CircleCannotBeTurnedByItsNormals) {
  const PaperHand hand = test::paper_hand({.a = 0.12, .b = 0.12});
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  const GraspAudit a = audited(hand, q, {kPlus, kMinus, kPlus, kMinus});
  EXPECT_EQ(a.rank_G_tilde, 2);
  EXPECT_TRUE(std::isinf(a.cond_G_tilde));
  const auto found = about(a, "rank G̃ = 2 of 3");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].assumption, "manipulable");
  EXPECT_THAT(found[0].contacts,
              UnorderedElementsAre("left.proximal", "left.distal", "right.proximal", "right.distal"));
}

// A contact at its link's joint cannot be moved by that joint: the two rows of this arm depend on each other.
TEST(GraspViolationTest, SingularJacobianBlamesTheContactsOfTheArmThatCannotMoveThem) {
  const PaperHand hand = test::paper_hand();
  for (const Index contact : {1, 3}) {
    const VectorXd q = test::with_contact_at_joint(hand, hand.closed(0.0, 0.15, 90.0), contact);
    const GraspAudit a = audited(hand, q, {kPlus, kMinus, kPlus, kMinus});
    EXPECT_EQ(a.rank_J_tilde, 3);
    EXPECT_EQ(a.rank_J, 3);
    EXPECT_TRUE(std::isinf(a.cond_J_tilde));
    EXPECT_TRUE(std::isinf(a.cond_J));
    EXPECT_EQ(a.det_YMZ, 0.0);
    EXPECT_THAT(about(a, "allow 2 independent motions"), SizeIs(1));
    for (const char* what : {"rank J̃ = 3 of 4", "rank J = 3 of 4"}) {
      const auto found = about(a, what);
      ASSERT_THAT(found, SizeIs(1)) << what;
      EXPECT_EQ(found[0].assumption, "manipulable");
      if (contact == 1) {
        EXPECT_THAT(found[0].contacts, UnorderedElementsAre("left.proximal", "left.distal"));
      }
      if (contact == 3) {
        EXPECT_THAT(found[0].contacts, UnorderedElementsAre("right.proximal", "right.distal"));
      }
    }
  }
}

// Checklist row 6: rolling contacts take motions of the object away; the blame goes to them, and the audit
// says which motions are lost and how many coordinates to name. An open contact leaves the law all it needs.
TEST(GraspViolationTest, RollingContactsAreBlamedForLockedMotionsUntilTheTaskNamesTheRest) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 80.0);
  const std::vector<ContactMode> case_a{kRoll, kPlus, kMinus, kRoll};
  const GraspAudit all = audited(hand, q, case_a);
  const auto found = about(all, "allow 1 independent motion of the object, but the task tells 3");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].contacts, UnorderedElementsAre("left.proximal", "right.distal"));
  EXPECT_EQ(found[0].lost.cols(), 2);
  // No motion that the constraints allow has a part along a lost direction.
  const GraspMatrices g =
      assemble_from_frames(*hand.mechanism, *hand.contacts, q, case_a, VectorXd::Constant(4, 0.1));
  const MatrixXd motions = Eigen::FullPivLU<MatrixXd>(g.W_tilde().transpose()).kernel();
  const VectorXd object = motions.col(0).head(3);
  MatrixXd both(3, 3);
  both << object, found[0].lost;
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(both).rank(), 3);
  for (const Index named : {0, 1, 2}) {
    const std::vector<Index> xi{named};
    const GraspAudit one = audit(*hand.mechanism, *hand.contacts, q, case_a, VectorXd::Constant(4, 0.1), xi);
    EXPECT_TRUE(one.controllable()) << refusal(one);
    EXPECT_EQ(one.m + one.p, one.n_theta);
  }
  const GraspAudit open = audited(hand, q, {kPlus, kPlus, kOpen, kMinus});
  EXPECT_TRUE(open.controllable()) << refusal(open);
  EXPECT_EQ(open.p, 0);
  EXPECT_EQ(open.n_eta, 1);
}

TEST(GraspViolationTest, LockedObjectIsRefused) {
  const PaperHand hand = test::paper_hand();
  const GraspAudit a = audited(hand, hand.closed(0.0, 0.15, 80.0), {kRoll, kRoll, kPlus, kRoll});
  EXPECT_THAT(about(a, "lock the object"), SizeIs(1));
}

// Checklist row 14: the first example loses its squeeze somewhere on the way for centres from y = 0.158 m on.
TEST(GraspViolationTest, FirstExampleHasASqueezeAllAlongOnlyBelowACentreHeight) {
  const PaperHand hand = test::paper_hand();
  const auto angles_with_squeeze = [&](double y) {
    int count = 0;
    for (int phi = 70; phi <= 110; ++phi) {
      const VectorXd q = hand.closed(0.0, y, phi);
      count +=
          audited(hand, q, test::sliding_modes(hand, q, Eigen::Vector3d(0, 0, 1))).squeeze_exists ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(angles_with_squeeze(0.150), 41);
  EXPECT_EQ(angles_with_squeeze(0.157), 41);
  EXPECT_LT(angles_with_squeeze(0.159), 41);
}

// The null vector of G has entries of both signs: the contacts named are those with an entry ≤ 0 in the null
// vector of a singular value decomposition.
TEST(GraspViolationTest, NoSqueezeIsAWarningThatNamesTheContactsThatOpen) {
  const PaperHand hand = test::paper_hand();
  int without = 0;
  for (const double y : {0.15, 0.154, 0.16, 0.165, 0.17}) {
    for (const double phi : {70.0, 90.0, 110.0}) {
      const VectorXd q = hand.closed(0.0, y, phi);
      const auto modes = test::sliding_modes(hand, q, Eigen::Vector3d(0, 0, 1));
      const GraspAudit a = audited(hand, q, modes);
      const MatrixXd G =
          assemble_from_frames(*hand.mechanism, *hand.contacts, q, modes, VectorXd::Constant(4, 0.1)).G;
      VectorXd null = Eigen::JacobiSVD<MatrixXd>(G, Eigen::ComputeFullV).matrixV().col(3);
      if (null.sum() < 0.0) null = -null;
      EXPECT_EQ(a.squeeze_exists, null.minCoeff() > 0.0) << y << ' ' << phi;
      EXPECT_LT((a.squeeze - null / null.cwiseAbs().maxCoeff()).norm(), 1e-10);
      if (a.squeeze_exists) {
        EXPECT_TRUE(a.warnings.empty());
        continue;
      }
      ++without;
      ASSERT_THAT(a.warnings, SizeIs(1)) << y << ' ' << phi;
      for (Index i = 0; i < 4; ++i) {
        const std::string& name = hand.contacts->names()[static_cast<std::size_t>(i)];
        EXPECT_EQ(a.warnings[0].find(name) != std::string::npos, null[i] <= 0.0) << a.warnings[0];
      }
      EXPECT_THAT(describe(a), testing::Contains("no squeeze exists"));
      EXPECT_THAT(describe(a), testing::Contains("warning: " + a.warnings[0]));
    }
  }
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace enfold::grasp
