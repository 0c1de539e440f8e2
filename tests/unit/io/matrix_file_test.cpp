// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/matrix_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::io {
namespace {

using test::EigenNear;
using testing::HasSubstr;
using testing::StartsWith;

const MatrixXd kA{{1.0, -2.5}, {3e-2, 4.0}};
const VectorXd kB{{-1.0, 2.0}};

std::string matrix_error(const std::string& text, const std::string& file) {
  try {
    (void)parse_matrix_file(text, file);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MatrixFileTest, ThreeFormatsHoldTheSameMatrix) {
  const struct {
    const char *text, *name;
    bool with_b;
  } cases[] = {
      {"# A | b\n1, -2.5, -1\n\n+3e-2,4,2\r\n", "m.csv", true},
      {"1,-2.5\n0.03,4", "m.txt", false},
      {"A: [[1, -2.5], [0.03, 4]]\nb: [-1, 2]\n", "m.yaml", true},
      {"A:\n  - [1, -2.5]\n  - [0.03, 4]\n", "m.yml", false},
      {"%%MatrixMarket matrix array real general\n% a comment\n2 2\n1\n0.03\n-2.5\n4\n", "m.mtx", false},
      {"%%MatrixMarket matrix coordinate real general\n2 2 4\n2 2 4\n1 1 1\n2 1 3e-2\n1 2 -2.5\n", "m",
       false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    const MatrixFile file = parse_matrix_file(one.text, one.name);
    EXPECT_THAT(file.A, EigenNear(kA, 0.0));
    ASSERT_EQ(file.b.has_value(), one.with_b);
    EXPECT_THAT(file.b.value_or(kB), EigenNear(kB, 0.0));
  }
}

TEST(MatrixFileTest, MatrixMarketFillsWhatSymmetryImplies) {
  EXPECT_THAT(parse_matrix_file("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n5\n3\n", "m").A,
              EigenNear(MatrixXd{{1.0, 5.0}, {5.0, 3.0}}, 0.0));
  EXPECT_THAT(parse_matrix_file("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n", "m").A,
              EigenNear(MatrixXd{{0.0, -5.0}, {5.0, 0.0}}, 0.0));
  EXPECT_THAT(
      parse_matrix_file("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n3 1 5\n2 2 7\n", "m").A,
      EigenNear(MatrixXd{{0.0, 0.0, 5.0}, {0.0, 7.0, 0.0}, {5.0, 0.0, 0.0}}, 0.0));
  EXPECT_THAT(
      parse_matrix_file("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", "m").A,
      EigenNear(MatrixXd{{0.0, -5.0}, {5.0, 0.0}}, 0.0));
}

TEST(MatrixFileTest, VectorsComeInEveryFormat) {
  for (const auto& [text, name] :
       {std::pair{"-1\n2\n", "b.csv"}, std::pair{"-1, 2\n", "b.csv"}, std::pair{"b: [-1, 2]\n", "b.yaml"},
        std::pair{"%%MatrixMarket matrix array real general\n2 1\n-1\n2\n", "b.mtx"}}) {
    EXPECT_THAT(parse_vector_file(text, name), EigenNear(kB, 0.0)) << text;
  }
  EXPECT_THROW((void)parse_vector_file("1,2\n3,4\n", "b.csv"), ScenarioError);
  EXPECT_THROW((void)parse_vector_file("A: [[1]]\n", "b.yaml"), ScenarioError);
  EXPECT_THROW((void)parse_vector_file("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "b"),
               ScenarioError);
}

TEST(MatrixFileTest, ErrorsSayWhereAndWhat) {
  const struct {
    const char *text, *name, *place, *says;
  } cases[] = {
      {"", "m.csv", "m.csv:1:1: ", "no numbers"},
      {"1,2\n3,nan\n", "m.csv", "m.csv:2:3: ", "finite"},
      {"1, inf\n3,4\n", "m.csv", "m.csv:1:4: ", "finite"},
      {"1,2\n3,4x\n", "m.csv", "m.csv:2:3: ", "'4x'"},
      {"1,2\n3,1e999\n", "m.csv", "m.csv:2:3: ", "double"},
      {"1,2\n3,\n", "m.csv", "m.csv:2:3: ", "empty"},
      {"1,2\n3\n", "m.csv", "m.csv:2:1: ", "row 2 has 1 numbers, the first row has 2"},
      {"1,2,3,4\n5,6,7,8\n", "m.csv", "m.csv:1:1: ", "2 × 4, expected 2 × 2, or 2 × 3"},
      {"a,b\n1,2\n", "m.csv", "m.csv:1:1: ", "'a'"},
      {"A: [[1, 2], [3, .nan]]\n", "m.yaml", "m.yaml:1:17: ", "row 2 of A, entry 2, is '.nan'"},
      {"A: [[1, 2], [3]]\n", "m.yaml", "m.yaml:1:13: ", "row 2 has 1 numbers"},
      {"A: [[1, 2, 3], [3, 4, 5]]\n", "m.yaml", "m.yaml:1:5: ", "2 × 3"},
      {"A: [[1]]\nb: [1, 2]\n", "m.yaml", "m.yaml:2:4: ", "b has 2 numbers, A has 1 rows"},
      {"A: [[1]]\nc: 3\n", "m.yaml", "m.yaml:2:1: ", "unknown key 'c'"},
      {"A: [[1]]\nA: [[2]]\n", "m.yaml", "m.yaml:2:1: ", "twice"},
      {"b: [1]\n", "m.yaml", "m.yaml:1:1: ", "A is missing"},
      {"A: [[1\n", "m.yaml", "m.yaml:", "YAML"},
      {"A: 3\n", "m.yaml", "m.yaml:1:1: ", "list of rows"},
      {"- 1\n", "m.yaml", "m.yaml:1:1: ", "map"},
      {"", "m.yaml", "m.yaml:1:1: ", "map"},
      {"%%MatrixMarket matrix array complex general\n", "m.mtx", "m.mtx:1:29: ", "'complex'"},
      {"%%MatrixMarket matrix array real hermitian\n", "m.mtx", "m.mtx:1:34: ", "'hermitian'"},
      {"%%MatrixMarket matrix array real\n", "m.mtx", "m.mtx:1:1: ", "first line"},
      {"%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", "m.mtx", "m.mtx:1:1: ", "2 × 3"},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "m.mtx",
       "m.mtx:5:1: ", "ends before entry (2, 2)"},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "m.mtx", "m.mtx:4:1: ", "more entries"},
      {"%%MatrixMarket matrix array real general\n1 1\nnan\n", "m.mtx", "m.mtx:3:1: ", "finite"},
      {"%%MatrixMarket matrix array real general\n1 x\n1\n", "m.mtx", "m.mtx:2:3: ", "'x'"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "m.mtx",
       "m.mtx:3:1: ", "from 1 to 2"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n", "m.mtx",
       "m.mtx:4:1: ", "twice"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "m.mtx", "m.mtx:3:1: ", "above"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "m.mtx",
       "m.mtx:3:1: ", "diagonal"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    const std::string message = matrix_error(one.text, one.name);
    EXPECT_THAT(message, StartsWith(one.place));
    EXPECT_THAT(message, HasSubstr(one.says));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_THROW((void)read_matrix_file("no-such-file.csv"), IoError);
}

}  // namespace
}  // namespace enfold::io
