// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kHead = "enfold_study: 1\nname: s\nscenario: a.yaml\n";
const std::string kSampler = "sampler: {type: random, samples: 10}\n";

std::string file_complaint(const std::string& text) {
  try {
    (void)parse_study(text, "s.yaml");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with_parameter(const std::string& parameter) {
  return kHead + "parameters:\n- " + parameter + "\n" + kSampler;
}

TEST(StudyFileTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(file_complaint(""),
              HasSubstr("the study is empty; its first line should be 'enfold_study: 1'"));
  EXPECT_THAT(file_complaint("enfold: 1\n"), HasSubstr("enfold_study is missing"));
  EXPECT_THAT(file_complaint("enfold_study: 2\n"), HasSubstr("study format 2 is not known"));
  EXPECT_THAT(file_complaint("[1, 2"), HasSubstr("not valid YAML"));
  EXPECT_THAT(file_complaint("- a\n"), HasSubstr("a study is a map of keys"));
  EXPECT_THAT(file_complaint(kHead + "parametres: []\n"),
              AllOf(StartsWith("s.yaml:4:1: unknown key 'parametres' in the study"),
                    HasSubstr("did you mean 'parameters'?")));
  EXPECT_THAT(file_complaint(kHead + kSampler), HasSubstr("parameters is missing"));
  EXPECT_THAT(file_complaint(kHead + "parameters: []\n" + kSampler), HasSubstr("at least one item"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a}")), HasSubstr("needs exactly one of uniform"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, uniform: [0, 1], values: [1]}")),
              HasSubstr("found uniform, values"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, uniform: [0]}")),
              HasSubstr("must be [lower, upper], found 1"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, unifrom: [0, 1]}")),
              HasSubstr("did you mean 'uniform'?"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, normal: {mean: 1}}")),
              HasSubstr("normal.sd is missing"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, normal: {mean: 1, sd: 0}}")),
              HasSubstr("must be positive"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, integers: [1, 2.5]}")), HasSubstr("whole numbers"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, grid: {from: 0, to: 1}}")),
              HasSubstr("either points or step"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, grid: {from: 0, to: 1, step: 0.3}}")),
              HasSubstr("does not divide"));
  EXPECT_THAT(file_complaint(with_parameter("{keys: [a, b], uniform: [0, 1]}")), HasSubstr("needs a name"));
  EXPECT_THAT(file_complaint(with_parameter("{name: 2a, key: b, uniform: [0, 1]}")),
              HasSubstr("so that formulas can use it"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, key: b, uniform: [0, 1]}")), HasSubstr("given twice"));
  EXPECT_THAT(file_complaint(
                  kHead + "parameters: [{key: a, uniform: [0, 1]}]\nsampler: {type: sobool, samples: 1}\n"),
              HasSubstr("did you mean 'sobol'?"));
  EXPECT_THAT(file_complaint(kHead + "parameters: [{key: a, uniform: [0, 1]}]\nsampler: {type: sobol}\n"),
              HasSubstr("sampler.samples is missing"));
  EXPECT_THAT(
      file_complaint(kHead + "parameters: [{key: a, uniform: [0, 1]}]\nsampler: {type: sobol, samples: 0}\n"),
      HasSubstr("must be 1 to 100000000"));
  EXPECT_THAT(
      file_complaint(kHead + "parameters: [{key: a, values: [0, 1]}]\nsampler: {type: grid, samples: 9}\n"),
      HasSubstr("use repeat"));
  EXPECT_THAT(file_complaint(with_parameter("{key: a, uniform: [0, 1]}") + "objective: {}\n"),
              HasSubstr("either maximize or minimize"));
}

TEST(StudyFileTest, LayoutAndCommentsAreNoPartOfAStudy) {
  const StudySpec a = parse_study(with_parameter("{key: a, uniform: [0.10, 1]}"), "a.yaml");
  const StudySpec b =
      parse_study("# the same\n" + with_parameter("uniform: [1e-1, 1.0]\n  key: a  # here"), "b.yaml");
  EXPECT_EQ(study_to_text(a), study_to_text(b));
  EXPECT_EQ(a, b);
  EXPECT_NE(study_to_text(a),
            study_to_text(parse_study(with_parameter("{key: a, uniform: [0.1, 2]}"), "c.yaml")));
}

TEST(StudyFileTest, TheShippedStudiesCanBeRead) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "scenarios/studies")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const StudySpec study = read_study(entry.path());
    EXPECT_EQ(study.name, entry.path().stem().string());
    EXPECT_FALSE(study.shows.empty());
    EXPECT_TRUE(fs::exists(entry.path().parent_path() / study.scenario.text)) << study.scenario.text;
  }
  EXPECT_GE(count, 3);
}

TEST(StudyFileTest, SchemaKnowsTheKeysTheReaderKnows) {
  const auto schema =
      nlohmann::json::parse(read_file(fs::path(test::source_dir()) / "scenarios/studies/study.schema.json"));
  const auto keys = [](const nlohmann::json& def) {
    std::set<std::string> out;
    for (const auto& item : def.at("properties").items()) out.insert(item.key());
    return out;
  };
  for (const ScenarioSection& section : study_sections()) {
    const auto& def = section.name == "study" ? schema : schema.at("$defs").at(std::string(section.name));
    EXPECT_EQ(keys(def), std::set<std::string>(section.keys.begin(), section.keys.end())) << section.name;
  }
}

}  // namespace
}  // namespace enfold::io
