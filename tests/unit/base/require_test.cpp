// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/base/require.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

namespace enfold {
namespace {

void require_positive(double mass) {
  ENFOLD_REQUIRE(mass > 0.0, "body: mass is {} kg, expected > 0", mass);
}

TEST(RequireTest, PassesSilentlyWhenTheConditionHolds) {
  EXPECT_NO_THROW(require_positive(1.0));
}

TEST(RequireTest, ThrowsInvalidArgumentWithTheValueFound) {
  try {
    require_positive(-2.5);
    FAIL() << "expected InvalidArgument";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "body: mass is -2.5 kg, expected > 0");
  }
}

TEST(RequireTest, EvaluatesTheConditionOnceAndTheMessageOnlyOnFailure) {
  int conditions = 0;
  int messages = 0;
  const auto describe = [&messages] { return ++messages; };
  ENFOLD_REQUIRE(++conditions > 0, "{}", describe());
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(messages, 0);
  EXPECT_THROW(ENFOLD_REQUIRE(++conditions < 0, "{}", describe()), InvalidArgument);
  EXPECT_EQ(conditions, 2);
  EXPECT_EQ(messages, 1);
}

TEST(RequireTest, IsOneStatementInAnIfWithoutBraces) {
  bool reached_else = false;
  if (false)
    ENFOLD_REQUIRE(false, "not reached");
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

TEST(ErrorTest, EachKindIsCaughtAsItsStandardBaseAndAsNoOther) {
  EXPECT_THROW(throw InvalidArgument("x"), std::invalid_argument);
  EXPECT_THROW(throw ScenarioError("disk.yaml:3:1: mass"), std::runtime_error);
  EXPECT_THROW(throw IoError("no such file"), std::runtime_error);
  EXPECT_FALSE((std::is_base_of_v<IoError, ScenarioError> || std::is_base_of_v<ScenarioError, IoError>));
  EXPECT_FALSE((std::is_base_of_v<std::runtime_error, InvalidArgument>));
}

}  // namespace
}  // namespace enfold
