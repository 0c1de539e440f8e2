// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/base/error.hpp"

namespace enfold::study {
namespace {

double value(const std::string& text, std::vector<double> values = {}) {
  return Expression(text).evaluate(values);
}

std::string formula_complaint(const std::string& text) {
  try {
    const Expression expression(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ExpressionTest, BindsAsInMathematics) {
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("7 - 4 - 2"), 1.0);
  EXPECT_EQ(value("16 / 4 / 2"), 2.0);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value("-2 ^ 2"), -4.0);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("--3"), 3.0);
  EXPECT_EQ(value("1.5e-3*2"), 3e-3);
  EXPECT_EQ(value("2*pi"), 2.0 * std::numbers::pi);
}

TEST(ExpressionTest, ComparesAndCombinesWithTheUsualStrengths) {
  EXPECT_EQ(value("1 < 2"), 1.0);
  EXPECT_EQ(value("2 <= 1"), 0.0);
  EXPECT_EQ(value("1 + 1 == 2 and not 3 != 3"), 1.0);
  EXPECT_EQ(value("1 or 0 and 0"), 1.0);
  EXPECT_EQ(value("(1 or 0) and 0"), 0.0);
  EXPECT_EQ(value("not 0 and 1"), 1.0);
  EXPECT_EQ(value("x >= 0.4 and abs(e.x_m) < 1e-3", {0.5, -1e-4}), 1.0);
}

TEST(ExpressionTest, ComparisonWithoutANumberIsFalse) {
  EXPECT_EQ(value("x < 1", {NAN}), 0.0);
  EXPECT_EQ(value("x >= 1", {NAN}), 0.0);
  EXPECT_EQ(value("x == x", {NAN}), 0.0);
}

TEST(ExpressionTest, KnowsItsFunctions) {
  EXPECT_EQ(value("abs(-2) + sqrt(9) + min(1, 2) + max(1, 2)"), 8.0);
  EXPECT_EQ(value("exp(log(x)) - x", {1.0}), 0.0);
  EXPECT_DOUBLE_EQ(value("sin(a)^2 + cos(a)^2", {0.7}), 1.0);
  EXPECT_DOUBLE_EQ(value("tan(pi/4)"), 1.0);
}

TEST(ExpressionTest, NamesEachVariableOnceInOrderOfUse) {
  const Expression expression("0.5*L^2/12 + and_more - L");
  EXPECT_THAT(expression.variables(), testing::ElementsAre("L", "and_more"));
  EXPECT_DOUBLE_EQ(expression.evaluate(std::vector{0.2, 1.0}), 0.5 * 0.04 / 12.0 + 1.0 - 0.2);
  EXPECT_THROW((void)expression.evaluate(std::vector{0.2}), InvalidArgument);
}

TEST(ExpressionTest, SaysWhatIsWrongAndWhere) {
  using testing::HasSubstr;
  EXPECT_THAT(formula_complaint("1 +"), HasSubstr("character 4: it ends where a value is expected"));
  EXPECT_THAT(formula_complaint(""), HasSubstr("character 1"));
  EXPECT_THAT(formula_complaint("2 $ 3"), HasSubstr("character 3: '$' is not expected"));
  EXPECT_THAT(formula_complaint("(1"), HasSubstr("')' is expected"));
  EXPECT_THAT(formula_complaint("sine(1)"), HasSubstr("no function 'sine'"));
  EXPECT_THAT(formula_complaint("min(1)"), HasSubstr("',' is expected"));
  EXPECT_THAT(formula_complaint("1 < 2 < 3"), HasSubstr("'<' is not expected"));
  EXPECT_THAT(formula_complaint("a b"), HasSubstr("'b' is not expected"));
  EXPECT_THAT(formula_complaint("1e999"), HasSubstr("not a number"));
  EXPECT_THAT(formula_complaint(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(formula_complaint(std::string(100'000, '-')), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace enfold::study
