// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/contact_mode.hpp"

#include <gtest/gtest.h>

namespace enfold::contact {
namespace {

TEST(ContactModeTest, HasTheNamesOfTheFiles) {
  EXPECT_EQ(to_string(ContactMode::kOpen), "open");
  EXPECT_EQ(to_string(ContactMode::kSlidePlus), "slide+");
  EXPECT_EQ(to_string(ContactMode::kSlideMinus), "slide-");
  EXPECT_EQ(to_string(ContactMode::kRoll), "roll");
}

TEST(ContactModeTest, SlipSignIsThatOfTheSlipAndZeroWhereNothingSlides) {
  EXPECT_EQ(slip_sign(ContactMode::kSlidePlus), 1.0);
  EXPECT_EQ(slip_sign(ContactMode::kSlideMinus), -1.0);
  EXPECT_EQ(slip_sign(ContactMode::kRoll), 0.0);
  EXPECT_EQ(slip_sign(ContactMode::kOpen), 0.0);
}

TEST(ContactModeTest, OnlyTheTwoSlidingModesSlide) {
  EXPECT_TRUE(is_sliding(ContactMode::kSlidePlus));
  EXPECT_TRUE(is_sliding(ContactMode::kSlideMinus));
  EXPECT_FALSE(is_sliding(ContactMode::kRoll));
  EXPECT_FALSE(is_sliding(ContactMode::kOpen));
}

}  // namespace
}  // namespace enfold::contact
