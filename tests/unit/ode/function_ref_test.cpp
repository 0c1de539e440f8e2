// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/function_ref.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace enfold::ode {
namespace {

int apply(FunctionRef<int(int)> f, int x) {
  return f(x);
}

struct Counter {
  int calls = 0;
  int operator()(int x) { return x + ++calls; }
};

TEST(FunctionRefTest, CallsTheOriginalObjectNotACopy) {
  Counter counter;
  EXPECT_EQ(apply(counter, 10), 11);
  EXPECT_EQ(apply(counter, 10), 12);
  EXPECT_EQ(counter.calls, 2);
}

TEST(FunctionRefTest, AcceptsTemporariesAndConstCallables) {
  const auto twice = [](int x) { return 2 * x; };
  EXPECT_EQ(apply(twice, 4), 8);
  EXPECT_EQ(apply([offset = 3](int x) { return x + offset; }, 4), 7);
}

TEST(FunctionRefTest, PassesReferencesThrough) {
  int written = 0;
  const auto store = [](int& out, const int& in) { out = in; };
  const FunctionRef<void(int&, const int&)> f = store;
  f(written, 5);
  EXPECT_EQ(written, 5);
}

TEST(FunctionRefTest, IsAPairOfPointers) {
  using Ref = FunctionRef<int(int)>;
  EXPECT_TRUE(std::is_trivially_copyable_v<Ref>);
  EXPECT_EQ(sizeof(Ref), 2 * sizeof(void*));
  EXPECT_FALSE((std::is_constructible_v<Ref, int>));
}

}  // namespace
}  // namespace enfold::ode
