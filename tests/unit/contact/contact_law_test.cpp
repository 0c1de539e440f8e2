// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "enfold/base/error.hpp"
#include "enfold/contact/contact_law.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::contact {
namespace {

/// A law of a user's own: a cubic spring.
class CubicSpring final : public NormalLaw {
 public:
  [[nodiscard]] NormalForce evaluate(double delta, double rate) const override {
    return {kCubic * delta * delta * delta + 3.0 * rate, 3.0 * kCubic * delta * delta, 3.0};
  }
  [[nodiscard]] double stored_energy(double delta) const override {
    return delta <= 0.0 ? 0.0 : kCubic * std::pow(delta, 4) / 4.0;
  }
  [[nodiscard]] double deformation(double force, double rate) const override {
    return std::cbrt(std::max(0.0, force - 3.0 * rate) / kCubic);
  }
  [[nodiscard]] std::string_view name() const override { return "cubic"; }
  static constexpr double kCubic = 2e9;
};

std::vector<std::shared_ptr<const NormalLaw>> all_laws() {
  return {std::make_shared<KelvinVoigt>(1e4, 140.0), std::make_shared<KelvinVoigt>(3e5, 0.0),
          std::make_shared<HuntCrossley>(1e6, 0.8), std::make_shared<HuntCrossley>(1e4, 2.0, 1.0),
          std::make_shared<CubicSpring>()};
}

TEST(ContactLawTest, PartialsAreTheSlopesOfTheForce) {
  for (const auto& law : all_laws()) {
    for (const double delta : {1e-3, 4e-3}) {
      for (const double rate : {-0.05, 0.0, 0.2}) {
        const NormalForce f = law->evaluate(delta, rate);
        const double by_delta =
            test::numeric_derivative([&](double d) { return law->evaluate(delta + d, rate).force; }, 2e-5);
        const double by_rate =
            test::numeric_derivative([&](double d) { return law->evaluate(delta, rate + d).force; }, 1e-3);
        EXPECT_NEAR(f.d_delta, by_delta, 1e-8 * (1.0 + std::abs(f.d_delta))) << law->name();
        EXPECT_NEAR(f.d_rate, by_rate, 1e-8 * (1.0 + std::abs(f.d_rate))) << law->name();
      }
    }
  }
}

TEST(ContactLawTest, ForceIsTheSlopeOfTheStoredEnergy) {
  for (const auto& law : all_laws()) {
    EXPECT_EQ(law->stored_energy(-1e-3), 0.0);
    const double slope =
        test::numeric_derivative([&](double d) { return law->stored_energy(2e-3 + d); }, 2e-5);
    EXPECT_NEAR(law->evaluate(2e-3, 0.0).force, slope, 1e-8 * slope) << law->name();
  }
}

TEST(ContactLawTest, NeverPulls) {
  for (const auto& law : all_laws()) {
    for (double delta = -1e-3; delta <= 1e-3; delta += 1e-4) {
      for (double rate = -10.0; rate <= 10.0; rate += 0.5) {
        const NormalForce f = normal_force(*law, delta, rate);
        EXPECT_GE(f.force, 0.0) << law->name();
        if (delta <= 0.0) {
          EXPECT_EQ(f.force, 0.0) << law->name();
        }
        if (f.force == 0.0) {
          EXPECT_EQ(f.d_delta, 0.0);
          EXPECT_EQ(f.d_rate, 0.0);
        }
      }
    }
  }
}

TEST(ContactLawTest, DeformationUndoesTheForce) {
  for (const auto& law : all_laws())
    for (const double force : {0.5, 7.0})
      for (const double rate : {-0.02, 0.0, 0.002})
        EXPECT_NEAR(law->evaluate(law->deformation(force, rate), rate).force, force, 1e-9 * force)
            << law->name();
}

// Checklist row 21: Kelvin and Voigt's force jumps at first touch, Hunt and Crossley's does not.
TEST(ContactLawTest, OnlyHuntCrossleyStartsAtZeroForce) {
  EXPECT_NEAR(normal_force(KelvinVoigt(1e4, 140.0), 1e-15, 0.1).force, 14.0, 1e-9);
  EXPECT_LT(normal_force(HuntCrossley(1e6, 1.0), 1e-15, 0.1).force, 1e-12);
}

TEST(ContactLawTest, DampingFollowsFromTheRatio) {
  const ContactLaw law = kelvin_voigt_contact({.stiffness = 1e4, .damping_ratio = 0.7, .mass = 1.0});
  const auto& normal = dynamic_cast<const KelvinVoigt&>(*law.normal);
  EXPECT_DOUBLE_EQ(normal.stiffness(), 1e4);
  EXPECT_DOUBLE_EQ(normal.damping(), 140.0);
  EXPECT_DOUBLE_EQ(law.tangential.stiffness, 1e4);
  EXPECT_DOUBLE_EQ(law.tangential.damping, 140.0);
}

TEST(ContactLawTest, RefusesParametersThatMakeNoContact) {
  EXPECT_THROW(KelvinVoigt(0.0, 1.0), InvalidArgument);
  EXPECT_THROW(KelvinVoigt(1e4, -1.0), InvalidArgument);
  EXPECT_THROW(HuntCrossley(1e4, 1.0, 0.5), InvalidArgument);
  EXPECT_THROW((void)kelvin_voigt_contact({.mass = 0.0}), InvalidArgument);
  EXPECT_THROW((void)kelvin_voigt_contact({.tangential_damping_ratio = 0.0}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::contact
