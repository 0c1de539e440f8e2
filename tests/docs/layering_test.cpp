// SPDX-License-Identifier: BSD-3-Clause
// The layers of docs/architecture.md, read off the #includes of every header and source file. The link graph
// already stops a public header from climbing; this also covers src/, third-party headers and the planar type
// names.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "source_tree.hpp"

namespace enfold::test {
namespace {

namespace fs = std::filesystem;

/// Layer numbers; modules with equal numbers are strangers.
const std::map<std::string, int>& layers() {
  static const std::map<std::string, int> numbers{
      {"base", 0},  {"math", 1},    {"interval", 1},   {"spatial", 2},   {"lcp", 2},
      {"lp", 2},    {"ode", 2},     {"geometry", 3},   {"mechanics", 4}, {"contact", 5},
      {"grasp", 6}, {"control", 7}, {"uniqueness", 7}, {"closure", 7},   {"loop", 8},
      {"sim", 8},   {"io", 9},      {"figure", 9},     {"study", 10}};
  return numbers;
}

/// Highest layer that the components outside lib may touch.
const std::map<std::string, int>& ceilings() {
  static const std::map<std::string, int> numbers{{"controllers", 7}, {"planners", 7}, {"models", 9}};
  return numbers;
}

bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto target = layers().find(to);
  if (target == layers().end()) return false;
  if (const auto source = layers().find(from); source != layers().end())
    return target->second < source->second;
  const auto ceiling = ceilings().find(from);
  return ceiling != ceilings().end() && target->second <= ceiling->second && to != "figure";
}

struct Component {
  std::string name;
  fs::path folder;
};

/// Every module of lib, and the components beside it, that the tree has.
std::vector<Component> components() {
  std::vector<Component> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_root() / "lib"))
    if (entry.is_directory() && entry.path().filename() != "cmake")
      found.push_back({entry.path().filename().string(), entry.path()});
  for (const auto& [name, ceiling] : ceilings())
    if (fs::exists(source_root() / name)) found.push_back({name, source_root() / name});
  return found;
}

/// The module of an include such as enfold/lcp/lemke.hpp; empty if it isn't one of ours.
std::string module_of(const std::string& include) {
  static const std::regex ours("enfold/([a-z_]+)/.*");
  std::smatch match;
  return std::regex_match(include, match, ours) ? match[1].str() : std::string{};
}

TEST(LayeringTest, RuleLetsModulesLookDownOnly) {
  EXPECT_TRUE(may_include("sim", "contact"));
  EXPECT_TRUE(may_include("controllers", "control"));
  EXPECT_TRUE(may_include("planners", "lp"));
  EXPECT_TRUE(may_include("models", "io"));
  EXPECT_FALSE(may_include("contact", "sim"));
  EXPECT_FALSE(may_include("lcp", "lp"));
  EXPECT_FALSE(may_include("io", "figure"));
  EXPECT_FALSE(may_include("controllers", "sim"));
  EXPECT_FALSE(may_include("controllers", "planners"));
  EXPECT_FALSE(may_include("planners", "controllers"));
  EXPECT_FALSE(may_include("sim", "controllers"));
}

TEST(LayeringTest, EveryModuleHasALayer) {
  const std::vector<Component> all = components();
  EXPECT_GE(all.size(), 8u);
  for (const Component& component : all)
    EXPECT_TRUE(layers().contains(component.name) || ceilings().contains(component.name))
        << "lib/" << component.name << " has no layer number: add it here and to docs/architecture.md";
}

TEST(LayeringTest, NoIncludeClimbsALayerOrCrossesToAStranger) {
  int checked = 0;
  for (const Component& component : components()) {
    for (const char* part : {"include", "src"}) {
      for (const fs::path& file : files_below(component.folder / part, {".hpp", ".cpp"})) {
        for (const std::string& include : includes_of(read_file(file))) {
          const std::string target = module_of(include);
          if (target.empty()) continue;
          ++checked;
          EXPECT_TRUE(may_include(component.name, target))
              << relative_name(file) << ": " << component.name << " must not see " << include;
        }
      }
    }
  }
  EXPECT_GT(checked, 20);
}

TEST(LayeringTest, NoThirdPartySolverOrFormatShowsInAPublicHeader) {
  static const std::regex hidden(R"(glpk\.h|libqhull.*|boost/.*|yaml-cpp/.*|nlohmann/.*|matplot/.*|CLI/.*)");
  for (const Component& component : components())
    for (const fs::path& file : files_below(component.folder / "include", {".hpp"}))
      for (const std::string& include : includes_of(read_file(file)))
        EXPECT_FALSE(std::regex_match(include, hidden)) << relative_name(file) << " includes " << include;
}

TEST(LayeringTest, DimensionFreeModulesNameNoPlanarType) {
  std::vector<fs::path> files{source_root() / "lib/contact/include/enfold/contact/contact_set.hpp",
                              source_root() / "lib/contact/include/enfold/contact/contact_mode.hpp"};
  for (const char* module : {"lcp", "lp", "ode", "grasp", "uniqueness", "control", "loop", "sim"}) {
    const std::vector<fs::path> some = files_below(source_root() / "lib" / module, {".hpp", ".cpp"});
    files.insert(files.end(), some.begin(), some.end());
  }
  static const std::regex planar(R"(\bPlanar[A-Z]\w*|planar_\w+\.hpp)");
  for (const fs::path& file : files) {
    const std::string text = read_file(file);
    std::smatch match;
    EXPECT_FALSE(std::regex_search(text, match, planar)) << relative_name(file) << " names " << match.str();
  }
}

}  // namespace
}  // namespace enfold::test
