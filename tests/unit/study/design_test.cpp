// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "enfold/base/error.hpp"

namespace enfold::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string study(const std::string& parameters, const std::string& sampler, const std::string& rest = "") {
  return fmt::format("enfold_study: 1\nname: s\nscenario: a.yaml\nparameters:\n{}sampler: {}\n{}", parameters,
                     sampler, rest);
}

Design design(const std::string& text) {
  return Design(io::parse_study(text, "s.yaml"));
}

std::string complaint(const std::string& text) {
  try {
    (void)design(text);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kTwo =
    "- {name: mu, keys: [contacts.a.mu, contacts.b.mu], uniform: [0.1, 0.3]}\n"
    "- {key: noise.force, values: [0, 0.1]}\n";

TEST(DesignTest, EveryKeyOfAParameterGetsTheSameNumber) {
  const Design d = design(study(kTwo, "{type: random, samples: 10}"));
  EXPECT_EQ(d.size(), 10U);
  EXPECT_THAT(d.names(), ElementsAre("mu", "noise.force"));
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::vector<double> values = d.values(i);
    const std::vector<std::string> sets = d.overrides(i);
    ASSERT_EQ(sets.size(), 3U);
    EXPECT_EQ(sets[0].substr(0, 14), "contacts.a.mu=");
    EXPECT_EQ(sets[0].substr(14), sets[1].substr(14));
    EXPECT_EQ(std::stod(sets[0].substr(14)), values[0]);  // exactly
    EXPECT_TRUE(sets[2] == "noise.force=0" || sets[2] == "noise.force=0.1") << sets[2];
  }
}

TEST(DesignTest, AGridRunsThroughAllCombinationsTheFirstSlowest) {
  const Design d =
      design(study("- {key: a, values: [1, 2]}\n- {key: b, grid: {from: 0, to: 0.2, step: 0.1}}\n- {key: c, "
                   "uniform: [0, 1]}\n",
                   "{type: grid, repeat: 2}"));
  ASSERT_EQ(d.size(), 12U);
  std::set<double> drawn;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::vector<double> x = d.values(i);
    EXPECT_EQ(x[0], i < 6 ? 1.0 : 2.0);
    EXPECT_EQ(x[1], std::vector({0.0, 0.1, 0.2})[i / 2 % 3]);
    drawn.insert(x[2]);
  }
  EXPECT_EQ(drawn.size(), 12U);
  EXPECT_TRUE(d.random());
  EXPECT_FALSE(design(study("- {key: a, values: [1, 2]}\n", "{type: grid}")).random());
}

TEST(DesignTest, GridOfMillimetresReadsWell) {
  const Design d = design(study("- {key: y, grid: {from: 0.14, to: 0.16, points: 21}}\n", "{type: grid}"));
  EXPECT_THAT(d.overrides(std::uint64_t{1}), ElementsAre("y=0.141"));
  EXPECT_THAT(d.overrides(std::uint64_t{20}), ElementsAre("y=0.16"));
}

TEST(DesignTest, FormulasFollowTheParameters) {
  const Design d = design(study("- {name: palm_m, values: [0.1]}\n", "{type: grid}",
                                "derived: {left.x: -palm_m/2, right.x: palm_m/2}\nset: [n=1]\n"));
  EXPECT_THAT(d.overrides(std::uint64_t{0}), ElementsAre("n=1", "left.x=-0.05", "right.x=0.05"));
}

TEST(DesignTest, WordsAreValuesToo) {
  const Design d = design(study("- {key: simulation.model, values: [rigid, compliant]}\n", "{type: grid}"));
  EXPECT_THAT(d.overrides(std::uint64_t{1}), ElementsAre("simulation.model=compliant"));
  EXPECT_EQ(d.values(1)[0], 1.0);
}

TEST(DesignTest, EverySampleHasItsOwnNoise) {
  const Design d =
      design(study("- {key: a, uniform: [0, 1]}\n", "{type: sobol, samples: 100}", "vary_noise: true\n"));
  std::set<std::string> seeds;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::vector<std::string> sets = d.overrides(i);
    EXPECT_THAT(sets.back(), StartsWith("seed="));
    seeds.insert(sets.back());
  }
  EXPECT_EQ(seeds.size(), 100U);
}

TEST(DesignTest, CountsStayCounts) {
  const Design d =
      design(study("- {key: seed, integers: [1, 1000000000000]}\n", "{type: random, samples: 20}"));
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(d.overrides(i)[0].find_first_not_of("0123456789", 5), std::string::npos);
}

TEST(DesignTest, SaysWhereADistributionIsWrong) {
  const std::string sampler = "{type: random, samples: 10}";
  EXPECT_THAT(complaint(study("- {key: a, uniform: [2, 1]}\n", sampler)),
              StartsWith("s.yaml:5:21: a: uniform needs lower < upper, found [2, 1]"));
  EXPECT_THAT(complaint(study("- {key: a, log_uniform: [0, 1]}\n", sampler)), HasSubstr("0 < lower"));
  EXPECT_THAT(complaint(study("- {key: a, normal: {mean: 0, sd: 1, min: 3, max: 2}}\n", sampler)),
              HasSubstr("min < max"));
  EXPECT_THAT(complaint(study("- {key: a, normal: {mean: 0, sd: 1, min: 90, max: 99}}\n", sampler)),
              HasSubstr("next to no mass"));
  EXPECT_THAT(complaint(study("- {key: a, triangular: [0, 5, 1]}\n", sampler)),
              HasSubstr("triangular needs"));
  EXPECT_THAT(complaint(study("- {key: a, integers: [5, 1]}\n", sampler)), HasSubstr("first <= last"));
}

TEST(DesignTest, RefusesWhatCanNotBeMeant) {
  const std::string sampler = "{type: random, samples: 10}";
  EXPECT_THAT(
      complaint(study("- {key: a, uniform: [0, 1]}\n- {name: b, key: a, uniform: [0, 1]}\n", sampler)),
      HasSubstr("'a' is driven twice"));
  EXPECT_THAT(complaint(study("- {name: a, uniform: [0, 1]}\n", sampler)), HasSubstr("has no key"));
  EXPECT_THAT(complaint(study("- {key: a, uniform: [0, 1]}\n", sampler, "derived: {b: 2*c}\n")),
              StartsWith("s.yaml:7:14: 'c' in '2*c' is unknown; known here: a"));
  EXPECT_THAT(complaint(study("- {key: a, uniform: [0, 1]}\n", sampler, "derived: {b: 2*}\n")),
              HasSubstr("it ends where a value is expected"));
  EXPECT_THAT(complaint(study("- {key: a, uniform: [0, 1]}\n", "{type: grid}")),
              HasSubstr("a grid needs a parameter"));
  EXPECT_THAT(complaint(study("- {key: a, integers: [1, 1000000]}\n- {key: b, integers: [1, 1000000]}\n",
                              "{type: grid}")),
              HasSubstr("more than 100000000 samples"));
  EXPECT_THAT(complaint(study("- {key: seed, integers: [1, 9]}\n", sampler, "vary_noise: true\n")),
              HasSubstr("both drive the key 'seed'"));
}

}  // namespace
}  // namespace enfold::study
