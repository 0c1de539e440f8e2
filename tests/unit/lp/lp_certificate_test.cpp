// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lp {
namespace {

using test::EigenNear;

// x + y ≤ 1, x ≥ 1, y ≥ 0.5 (as rows): violated by 0.5 in total at best.
LpProblem infeasible_triangle() {
  LpProblem p = unconstrained_lp(2, 3);
  p.R << 1, 1, 1, 0, 0, 1;
  p.row_upper(0) = 1.0;
  p.row_lower(1) = 1.0;
  p.row_lower(2) = 0.5;
  return p;
}

TEST(FarkasTest, InfeasibleProgramComesWithItsProof) {
  const LpProblem p = infeasible_triangle();
  const LpSolution s = solve_lp(p);
  ASSERT_EQ(s.status, LpStatus::kInfeasible) << s.message;
  EXPECT_FALSE(s.ok());
  // Free variables: the proof must be yᵀR = 0 exactly, and y is the only one up to scale.
  EXPECT_THAT(s.farkas.y(), EigenNear(Eigen::Vector3d(-1.0, 1.0, 1.0), 1e-12));
  const FarkasCheck check = verify_farkas(p, s.farkas);
  EXPECT_EQ(check.status, ProofStatus::kProven);
  EXPECT_NEAR(check.contradiction, 0.5, 1e-12);
  EXPECT_LE(check.defect, 1e-14);
}

TEST(FarkasTest, ProofUsesTheBoxWhereTheRowsAloneAreConsistent) {
  LpProblem p = unconstrained_lp(2, 1);  // x + y ≥ 3 inside the unit square
  p.R << 1, 1;
  p.row_lower << 3.0;
  p.lower.setZero();
  p.upper.setOnes();
  const LpSolution s = solve_lp(p);
  ASSERT_EQ(s.status, LpStatus::kInfeasible) << s.message;
  EXPECT_THAT(s.farkas.upper, EigenNear(Eigen::Vector2d(1.0, 1.0), 1e-12));
  EXPECT_NEAR(verify_farkas(p, s.farkas).contradiction, 1.0, 1e-12);
}

TEST(FarkasTest, CrossedBoundsAreProvenInfeasible) {
  LpProblem column = unconstrained_lp(2, 1);
  column.lower(1) = 2.0;
  column.upper(1) = 1.5;
  LpProblem row = unconstrained_lp(2, 2);
  row.R << 1, 1, 1, -1;
  row.row_lower(1) = 2.0;
  row.row_upper(1) = 1.5;
  for (const LpProblem& p : {column, row}) {
    const LpSolution s = solve_lp(p);
    ASSERT_EQ(s.status, LpStatus::kInfeasible);
    const FarkasCheck check = verify_farkas(p, s.farkas);
    EXPECT_EQ(check.status, ProofStatus::kProven);
    EXPECT_DOUBLE_EQ(check.contradiction, 0.5);
  }
}

TEST(FarkasTest, RejectsForgedCertificates) {
  const LpProblem p = infeasible_triangle();
  const FarkasCertificate honest = solve_lp(p).farkas;

  FarkasCertificate negative = honest;
  negative.row_lower(1) = -1.0;
  EXPECT_EQ(verify_farkas(p, negative).status, ProofStatus::kMalformed);

  FarkasCertificate absent_bound = honest;
  absent_bound.row_upper(1) = 0.1;
  EXPECT_EQ(verify_farkas(p, absent_bound).status, ProofStatus::kMalformed);

  FarkasCertificate unbalanced = honest;
  unbalanced.row_lower(1) = 2.0;
  EXPECT_EQ(verify_farkas(p, unbalanced).status, ProofStatus::kMalformed);

  FarkasCertificate nothing = honest;
  nothing.row_lower.setZero();
  nothing.row_upper.setZero();
  EXPECT_EQ(verify_farkas(p, nothing).status, ProofStatus::kNoContradiction);

  EXPECT_EQ(verify_farkas(p, FarkasCertificate{}).status, ProofStatus::kMalformed);

  LpProblem feasible = p;
  feasible.row_upper(0) = 2.0;
  EXPECT_EQ(verify_farkas(feasible, honest).status, ProofStatus::kNoContradiction);
}

TEST(RayTest, UnboundedProgramComesWithItsRayAndAFeasiblePoint) {
  LpProblem p = unconstrained_lp(2, 2);  // min −x − y,  x − y ≤ 1,  x + y ≥ 2,  x, y ≥ 0: open towards (1, 1)
  p.c << -1.0, -1.0;
  p.R << 1, -1, 1, 1;
  p.row_upper(0) = 1.0;
  p.row_lower(1) = 2.0;
  p.lower.setZero();
  const LpSolution s = solve_lp(p);
  ASSERT_EQ(s.status, LpStatus::kUnbounded) << s.message;
  const RayCheck check = verify_ray(p, s.ray);
  EXPECT_EQ(check.status, ProofStatus::kProven);
  EXPECT_NEAR(check.descent, 2.0, 1e-12);
  // Second route: walk along the ray and evaluate the program itself.
  for (const double far : {1.0, 1e3, 1e6}) {
    const VectorXd z = s.z + far * s.ray;
    EXPECT_LE(lp_residual(p, z, VectorXd::Zero(2)).primal, 1e-9);
    EXPECT_NEAR(p.c.dot(z), s.objective - far * check.descent, 1e-6);
  }
}

TEST(RayTest, RejectsDirectionsThatHitABoundOrDoNotDescend) {
  LpProblem p = unconstrained_lp(2, 1);
  p.c << -1.0, 0.0;
  p.R << 1, 1;
  p.row_upper << 1.0;
  EXPECT_EQ(verify_ray(p, Eigen::Vector2d(1.0, 0.0)).status, ProofStatus::kMalformed);
  EXPECT_EQ(verify_ray(p, Eigen::Vector2d(-1.0, 1.0)).status, ProofStatus::kNoContradiction);
  EXPECT_EQ(verify_ray(p, Eigen::Vector2d(2.0, -2.0)).status, ProofStatus::kProven);
  EXPECT_EQ(verify_ray(p, Eigen::Vector2d::Zero()).status, ProofStatus::kMalformed);
}

TEST(LpResidualTest, SeesEveryKindOfDefect) {
  LpProblem p = unconstrained_lp(1, 1);  // min x, x ≥ 1 through a row: z = 1, y = 1
  p.c << 1.0;
  p.R << 1.0;
  p.row_lower << 1.0;
  const auto residual = [&p](double z, double y) {
    return lp_residual(p, VectorXd::Constant(1, z), VectorXd::Constant(1, y));
  };
  EXPECT_EQ(residual(1.0, 1.0).largest(), 0.0);
  EXPECT_DOUBLE_EQ(residual(0.5, 1.0).primal, 0.25);
  EXPECT_DOUBLE_EQ(residual(1.0, 0.5).dual, 0.25);
  EXPECT_DOUBLE_EQ(residual(3.0, 1.0).gap, 0.5);
  EXPECT_EQ(residual(std::numeric_limits<double>::quiet_NaN(), 1.0).largest(), kInfinity);
  EXPECT_THROW((void)lp_residual(p, VectorXd::Zero(2), VectorXd::Zero(1)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lp
