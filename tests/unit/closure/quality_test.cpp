// SPDX-License-Identifier: BSD-3-Clause
// ε of textbook grasps against values derived by hand; moments about the centre, length 1.
#include "enfold/closure/quality.hpp"

#include <gmock/gmock.h>

#include "textbook_grasps.hpp"

namespace enfold::test {
namespace {

using closure::ContactWrenches;
using closure::ForceBudget;
using closure::GraspQuality;
using closure::QualityStatus;

/// The wrenches (1, ±μ, ∓μ), (−1, ±μ, ±μ) are a tetrahedron. The facet through the first two and one of the
/// others is μ x + y + z = μ: distance μ/√(μ² + 2). Its volume is (edges 2√2μ, 2√2μ, 2 apart, orthogonal)
/// 2√2μ·2√2μ·2/6 = 8μ²/3.
TEST(GraspQualityTest, PinchedDisk) {
  for (const double mu : {0.1, 0.5, 1.0}) {
    const GraspQuality quality = closure::grasp_quality(pinched_disk(mu));
    ASSERT_EQ(quality.status, QualityStatus::kMeasured);
    EXPECT_NEAR(quality.epsilon, mu / std::sqrt(mu * mu + 2.0), 1e-9);
    EXPECT_NEAR(quality.volume, 8.0 * mu * mu / 3.0, 1e-9);
  }
}

/// A shift of the tetrahedron by h along the moment: of the facets ±μ x + y + z = μ one comes nearer by h.
TEST(GraspQualityTest, OffsetJaw) {
  const double mu = 0.5;
  for (const double h : {0.1, 0.3}) {
    const GraspQuality quality = closure::grasp_quality(offset_jaw(mu, h));
    EXPECT_NEAR(quality.epsilon, (mu - h) / std::sqrt(mu * mu + 2.0), 1e-9);
  }
}

/// Two triangles at moments ±μ, turned against each other by δ = 2 atan μ, circumradius R = √(1 + μ²). The
/// lids are at μ; a side through an edge of one and the next corner of the other has the distance
/// μ R (c + ½)/√(4μ² + R²(c − ½)²), c = cos(60° − δ). Lids are nearer for small μ.
TEST(GraspQualityTest, DiskOfThree) {
  for (const double mu : {0.05, 0.3, 0.5}) {
    const double R = std::sqrt(1.0 + mu * mu);
    const double c = std::cos(std::numbers::pi / 3.0 - 2.0 * std::atan(mu));
    const double side = mu * R * (c + 0.5) / std::sqrt(4.0 * mu * mu + R * R * (c - 0.5) * (c - 0.5));
    const GraspQuality quality = closure::grasp_quality(disk_of_three(mu));
    EXPECT_NEAR(quality.epsilon, std::min(mu, side), 1e-9) << mu;
  }
}

/// Without friction: (∓1, 0, d), (0, ∓1, −d), a tetrahedron; the facet through the first two and one of the
/// others is 2d y + z = d: distance d/√(1 + 4d²).
TEST(GraspQualityTest, SquareOfFour) {
  for (const double d : {0.1, 0.4}) {
    const GraspQuality quality = closure::grasp_quality(square_of_four(d));
    EXPECT_NEAR(quality.epsilon, d / std::sqrt(1.0 + 4.0 * d * d), 1e-9);
  }
}

/// Pressed in the middles of its sides with friction: two squares of wrenches at moments ±μ, turned against
/// each other by δ = 2 atan μ, as DiskOfThree with cos 45° for ½ and c = cos(45° − δ).
TEST(GraspQualityTest, SquareOfFourPressedInTheMiddles) {
  const double half = std::cos(std::numbers::pi / 4.0);
  for (const double mu : {0.05, 0.2, 0.35}) {
    const double R = std::sqrt(1.0 + mu * mu);
    const double c = std::cos(std::numbers::pi / 4.0 - 2.0 * std::atan(mu));
    const double side = mu * R * (c + half) / std::sqrt(4.0 * mu * mu + R * R * (c - half) * (c - half));
    const GraspQuality quality = closure::grasp_quality(square_of_four(0.0, mu));
    EXPECT_NEAR(quality.epsilon, std::min(mu, side), 1e-9) << mu;
  }
}

/// A budget for each contact: the support max(0, n_x + √2μ|n_u|) + max(0, −n_x + √2μ|n_v|) is smallest where
/// n_u = 0 and n_x = √2μ n_v: √2μ/√(1 + 2μ²).
TEST(GraspQualityTest, PinchedDiskWithAMotorForEachFinger) {
  for (const double mu : {0.2, 0.6}) {
    const GraspQuality quality = closure::grasp_quality(pinched_disk(mu), {.budget = ForceBudget::kEach});
    EXPECT_NEAR(quality.epsilon, std::sqrt(2.0) * mu / std::sqrt(1.0 + 2.0 * mu * mu), 1e-9);
  }
}

/// Moments are divided by the length: with length L the facet of the pinch is μ x + y + L z = μ.
TEST(GraspQualityTest, PinchedDiskMeasuredWithAnotherLength) {
  ContactWrenches grasp = pinched_disk(0.5);
  grasp.length = 4.0;
  EXPECT_NEAR(closure::grasp_quality(grasp).epsilon, 0.5 / std::sqrt(0.25 + 1.0 + 16.0), 1e-9);
}

TEST(GraspQualityTest, IsZeroWithoutClosureAndFlatWhereWrenchesSpanTooLittle) {
  EXPECT_EQ(closure::grasp_quality(disk_of_three(0.0)).status, QualityStatus::kFlat);
  const GraspQuality open = closure::grasp_quality(offset_jaw(0.2, 0.5));
  EXPECT_EQ(open.status, QualityStatus::kMeasured);
  EXPECT_EQ(open.epsilon, 0.0);
  EXPECT_GT(open.volume, 0.0);
}

/// Two routes: the hull's weakest direction, and the linear program along it and along others.
TEST(GraspQualityTest, IsTheLeastResistanceOverAllDirections) {
  const CounterRandom random(5, 1);
  int closed = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const ContactWrenches grasp = random_grasp(random, 100 * i, 3 + static_cast<Index>(i % 3), 0.5);
    for (const ForceBudget budget : {ForceBudget::kSum, ForceBudget::kEach}) {
      const GraspQuality quality = closure::grasp_quality(grasp, {.budget = budget});
      ASSERT_EQ(quality.status, QualityStatus::kMeasured);
      const auto resisted = [&](const VectorXd& scaled) {
        const VectorXd direction = scaled.cwiseQuotient(grasp.scales());
        return closure::resisted_disturbance(grasp, direction, {.budget = budget, .T = {}, .tau_0 = {}}).size;
      };
      if (quality.epsilon > 1e-9) {
        ++closed;
        EXPECT_NEAR(resisted(quality.weakest), quality.epsilon, 1e-9);
      }
      for (std::uint64_t k = 0; k < 10; ++k) {
        VectorXd d(3);
        for (std::uint64_t j = 0; j < 3; ++j)
          d[static_cast<Index>(j)] = random.symmetric(100 * i + 50 + 3 * k + j);
        EXPECT_GE(resisted(d.normalized()), quality.epsilon - 1e-9);
      }
    }
  }
  EXPECT_GT(closed, 20);
}

TEST(GraspQualityTest, SaysWhenTheSumOfConesHasTooManyPoints) {
  EXPECT_EQ(closure::grasp_quality(pinched_disk(0.2), {.budget = ForceBudget::kEach, .max_points = 8}).status,
            QualityStatus::kTooBig);
}

}  // namespace
}  // namespace enfold::test
