// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "audited.hpp"
#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::EigenNear;
using test::PaperHand;
using testing::Contains;
using testing::HasSubstr;

using test::kMinus;
using test::kOpen;
using test::kPlus;
using test::kRoll;

struct Counts {
  std::vector<ContactMode> modes;
  Index k, m, p;
  bool equation_22;
};

// The admissible cases (a), (b), (c) of Sec. 5.1, the all-rolling case, and one contact open. n = 7, n_θ = 4;
// the inputs split m + p = n_θ in (a), (b), (c) (checklist row 6). [eq:S4.22]
TEST(GraspAuditTest, CountsOfThePapersHand) {
  const PaperHand hand = test::paper_hand();
  const CounterRandom random(51, 0);
  const std::vector<Counts> cases{
      {{kPlus, kMinus, kPlus, kMinus}, 4, 3, 1, true}, {{kRoll, kPlus, kMinus, kPlus}, 5, 2, 2, true},
      {{kRoll, kPlus, kMinus, kRoll}, 6, 1, 3, true},  {{kRoll, kRoll, kPlus, kRoll}, 7, 0, 4, false},
      {{kRoll, kRoll, kRoll, kRoll}, 8, 0, 5, false},  {{kPlus, kOpen, kPlus, kMinus}, 3, 4, 0, true},
  };
  for (std::uint64_t n = 0; n < 5; ++n) {
    const VectorXd q = hand.random_closed(random, n);
    for (const Counts& c : cases) {
      const GraspAudit a = audited(hand, q, c.modes);
      EXPECT_EQ(a.n, 7);
      EXPECT_EQ(a.n_theta, 4);
      EXPECT_EQ(a.k, c.k);
      EXPECT_EQ(a.n_S + 2 * a.n_R, c.k);
      EXPECT_EQ(a.m, c.m) << "k = " << c.k;
      EXPECT_EQ(a.p, c.p) << "k = " << c.k;
      EXPECT_EQ(a.equation_22, c.equation_22) << "k = " << c.k;
      EXPECT_EQ(a.rank_W, std::min<Index>(c.k, 7)) << "k = " << c.k;
      EXPECT_LT(a.route_difference, 1e-12);
    }
  }
}

TEST(GraspAuditTest, PapersGraspMeetsAllAssumptions) {
  const PaperHand hand = test::paper_hand();
  for (const double phi : {70.0, 80.0, 90.0, 100.0, 110.0}) {
    const VectorXd q = hand.closed(0.0, 0.15, phi);
    const GraspAudit a = audited(hand, q, test::sliding_modes(hand, q, Eigen::Vector3d(0, 0, 1)));
    EXPECT_TRUE(a.controllable()) << phi;
    EXPECT_TRUE(a.squeeze_exists) << phi;
    EXPECT_TRUE(a.warnings.empty()) << phi;
    EXPECT_EQ(a.scenario, ContactScenario::kRigidUnique) << phi;
    EXPECT_NEAR(a.squeeze.maxCoeff(), 1.0, 1e-15);
    EXPECT_GT(a.squeeze.minCoeff(), 0.0);
  }
}

// Ranks and condition numbers against the singular values of the matrices of route 2.
TEST(GraspAuditTest, RanksAndConditionsAreThoseOfTheSingularValues) {
  const PaperHand hand = test::paper_hand({.radius = 0.012});
  const CounterRandom random(52, 0);
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  const auto expect_svd = [](const MatrixXd& A, Index rank, double cond) {
    const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
    EXPECT_EQ(rank, (sigma.array() > 1e-10 * sigma[0]).count());
    if (rank == sigma.size()) {
      EXPECT_NEAR(cond / (sigma[0] / sigma[sigma.size() - 1]), 1.0, 1e-9);
    } else {
      EXPECT_TRUE(std::isinf(cond));
    }
  };
  for (int number = 0; number < 64; ++number) {
    const VectorXd q = hand.random_closed(random, static_cast<std::uint64_t>(number));
    const auto modes = test::mode_combination(number, 4);
    const GraspAudit a = audit(*hand.mechanism, *hand.contacts, q, modes, mu);
    const GraspMatrices grasp = assemble_from_frames(*hand.mechanism, *hand.contacts, q, modes, mu);
    expect_svd(grasp.W(), a.rank_W, a.cond_W);
    expect_svd(grasp.G_tilde, a.rank_G_tilde, a.cond_G_tilde);
    expect_svd(grasp.J_tilde, a.rank_J_tilde, a.cond_J_tilde);
    expect_svd(grasp.J, a.rank_J, a.cond_J);
  }
}

// The verdict on A against all its principal minors, computed twice more: by the minors' own function and by
// determinants of submatrices. Friction up to 1.5 gives both verdicts. [eq:S4.19]
TEST(GraspAuditTest, VerdictOnAIsThatOfItsPrincipalMinors) {
  const PaperHand hand = test::paper_hand();
  const CounterRandom random(53, 0);
  int unique = 0;
  int ambiguous = 0;
  for (std::uint64_t n = 0; n < 120; ++n) {
    const VectorXd q = n % 2 == 0 ? hand.random_closed(random, n)
                                  : hand.closed(0.0, 0.135 + 0.015 * random.uniform(7000 + n), 0.0);
    const VectorXd mu = test::random_vector(random, 1000 + 10 * n, 4, 1.5).cwiseAbs();
    const GraspAudit a =
        audit(*hand.mechanism, *hand.contacts, q,
              test::sliding_modes(hand, q, test::random_vector(random, 5000 + 10 * n, 3)), mu);
    const VectorXd minors = lcp::principal_minors(a.A);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::uint32_t mask = 1; mask < 16; ++mask) {
      const std::vector<Index> S = lcp::index_set(mask);
      const double minor = MatrixXd(a.A(S, S)).determinant();
      smallest = std::min(smallest, minor);
      EXPECT_NEAR(minors[static_cast<Index>(mask) - 1], minor, 1e-9 * std::pow(a.A.norm(), S.size()));
    }
    EXPECT_EQ(a.p_matrix.status == lcp::PMatrixStatus::kP, smallest > 0.0) << "seed 53, draw " << n;
    EXPECT_EQ(a.scenario, smallest > 0.0 ? ContactScenario::kRigidUnique : ContactScenario::kRigidAmbiguous);
    (smallest > 0.0 ? unique : ambiguous) += 1;
  }
  EXPECT_GT(unique, 10);
  EXPECT_GT(ambiguous, 10);
}

/// The second example at height y: ellipse at 0°, moving up, μ = 0.8 on the proximal and 0.6 on the distal
/// links.
GraspAudit second_example(double y) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, y, 0.0);
  return audit(*hand.mechanism, *hand.contacts, q, test::sliding_modes(hand, q, Eigen::Vector3d(0, 1, 0)),
               (VectorXd(4) << 0.8, 0.6, 0.8, 0.6).finished());
}

/// Where a function of the height changes sign between 0.13 and 0.15 m.
template <typename Function>
double sign_change(const Function& f) {
  double low = 0.13;
  double high = 0.15;
  EXPECT_LT(f(low) * f(high), 0.0);
  while (high - low > 1e-12) {
    const double middle = (low + high) / 2;
    (f(low) * f(middle) <= 0.0 ? high : low) = middle;
  }
  return low;
}

// The second example is in scenario (i) below a height and in (ii) above it. There det A and Theorem 3.1's
// determinant vanish together (checklist row 8). The checked value is y = 0.1428 m, where the quintic is at
// t = 0.647 s (checklist A4.7).                                                           [eq:S4.19]
// [eq:S4.22]
TEST(GraspAuditTest, SecondExampleLosesUniquenessWhereBothDeterminantsVanish) {
  const double y_A = sign_change([](double y) { return second_example(y).A.determinant(); });
  const double y_YMZ = sign_change([](double y) { return second_example(y).det_YMZ; });
  EXPECT_NEAR(y_A, y_YMZ, 1e-10);
  const double u = 0.647;
  EXPECT_NEAR(y_A, 0.12 + 0.03 * (10 * std::pow(u, 3) - 15 * std::pow(u, 4) + 6 * std::pow(u, 5)), 5e-5);
  EXPECT_EQ(second_example(y_A - 1e-4).scenario, ContactScenario::kRigidUnique);
  EXPECT_EQ(second_example(y_A + 1e-4).scenario, ContactScenario::kRigidAmbiguous);
  EXPECT_EQ(second_example(y_A + 1e-4).p_matrix.witness.indices, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(GraspAuditTest, AllRollingIsTheThirdScenarioOfThePaper) {
  const PaperHand hand = test::paper_hand();
  const GraspAudit a = audited(hand, hand.closed(0.0, 0.15, 90.0), {kRoll, kRoll, kRoll, kRoll});
  EXPECT_EQ(a.scenario, ContactScenario::kIndeterminate);
  EXPECT_EQ(a.A.size(), 0);
  EXPECT_EQ(a.p_matrix.status, lcp::PMatrixStatus::kNotRun);
}

// Rolling admissible cases: A has one row per touching contact and decides between the first two scenarios.
TEST(GraspAuditTest, AdmissibleRollingCasesAreClassified) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  for (const auto& modes :
       {std::vector<ContactMode>{kRoll, kPlus, kMinus, kRoll}, {kPlus, kRoll, kMinus, kPlus}}) {
    const GraspAudit a = audited(hand, q, modes);
    EXPECT_EQ(a.A.rows(), 4);
    EXPECT_EQ(a.scenario, ContactScenario::kRigidUnique);
    EXPECT_GT(lcp::principal_minors(a.A).minCoeff(), 0.0);
    EXPECT_TRUE(a.squeeze_exists);
  }
}

// With nothing touching there is nothing ambiguous: the motion is that of free bodies.
TEST(GraspAuditTest, OpenHandHasOneRigidAnswerButCannotManipulate) {
  const PaperHand hand = test::paper_hand();
  const GraspAudit a = audited(hand, hand.closed(0.0, 0.15, 90.0), {kOpen, kOpen, kOpen, kOpen});
  EXPECT_EQ(a.k, 0);
  EXPECT_EQ(a.m, 7);
  EXPECT_EQ(a.p, 0);
  EXPECT_EQ(a.scenario, ContactScenario::kRigidUnique);
  EXPECT_FALSE(a.controllable());
  EXPECT_FALSE(a.squeeze_exists);
}

TEST(GraspAuditTest, RefusesSizesThatDoNotFit) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  EXPECT_THROW((void)audited(hand, q.head(6), {kPlus, kPlus, kPlus, kPlus}), InvalidArgument);
  EXPECT_THROW((void)audited(hand, q, {kPlus, kPlus, kPlus}), InvalidArgument);
  EXPECT_THROW((void)audited(hand, q, {kPlus, kPlus, kPlus, kPlus}, -0.1), InvalidArgument);
}

TEST(DescribeTest, SaysCountsRanksVerdictAndScenario) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  const auto lines = describe(audited(hand, q, test::sliding_modes(hand, q, Eigen::Vector3d(0, 0, 1))));
  EXPECT_THAT(lines,
              Contains("coordinates n = 7, joints n_θ = 4, contacts 4 sliding + 0 rolling, rows k = 4"));
  EXPECT_THAT(lines, Contains("mobility m = 3, internal forces p = 1 (m + p = 4, n_θ = 4)"));
  EXPECT_THAT(lines, Contains(HasSubstr("rank W = 4 of 4 (cond ")));
  EXPECT_THAT(lines, Contains("eq. (22): holds"));
  EXPECT_THAT(lines, Contains(HasSubstr("A: P-matrix, smallest principal minor ")));
  EXPECT_THAT(lines, Contains(HasSubstr("scenario 1 of S4 Sec. 5.1")));
  EXPECT_THAT(lines, Contains("a squeeze exists"));
  EXPECT_THAT(lines, Contains(HasSubstr("the object can move in 3 ways, told by (x, y, phi)")));
  EXPECT_THAT(lines, testing::Not(Contains(HasSubstr("not manipulable"))));
  for (const std::string& line : lines) {
    EXPECT_FALSE(line.empty());
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(line.find("nan"), std::string::npos) << line;
  }
}

TEST(DescribeTest, SaysWhatFailsAndWhichScenarioFollows) {
  const PaperHand hand = test::paper_hand();
  const auto rolling = describe(audited(hand, hand.closed(0.0, 0.15, 90.0), {kRoll, kRoll, kRoll, kRoll}));
  EXPECT_THAT(rolling, Contains("eq. (22): fails"));
  EXPECT_THAT(rolling, Contains("A: not run"));
  EXPECT_THAT(rolling, Contains(HasSubstr("scenario 3 of S4 Sec. 5.1")));
  EXPECT_THAT(rolling,
              Contains(HasSubstr("not statically determined: k = 8 constraint rows on n = 7 coordinates")));
  EXPECT_THAT(rolling, Contains(HasSubstr("not told by its coordinates: the contacts lock the object")));
  EXPECT_THAT(describe(second_example(0.148)), Contains(HasSubstr("scenario 2 of S4 Sec. 5.1")));
  EXPECT_THAT(describe(second_example(0.148)), Contains(HasSubstr("A: not a P-matrix")));
}

}  // namespace
}  // namespace enfold::grasp
