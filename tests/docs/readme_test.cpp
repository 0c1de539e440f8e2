// SPDX-License-Identifier: BSD-3-Clause
// What README and docs promise about files must be true of the tree.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "source_tree.hpp"

namespace enfold::test {
namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& file) {
  return fs::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0;
}

TEST(ReadmeTest, NamesTheTwoCommandsAndBothCanBeRun) {
  const std::string readme = read_file(source_root() / "README.md");
  for (const std::string command : {"scripts/demo", "scripts/test"}) {
    EXPECT_NE(readme.find(command), std::string::npos) << command << " is not in README.md";
    EXPECT_TRUE(is_executable(source_root() / command)) << command;
  }
}

TEST(ReadmeTest, EveryScriptItNamesCanBeRun) {
  static const std::regex script(R"(scripts/[a-z_]+)");
  for (const char* page : {"README.md", "CONTRIBUTING.md"}) {
    const std::string text = read_file(source_root() / page);
    for (std::sregex_iterator it(text.begin(), text.end(), script), end; it != end; ++it)
      EXPECT_TRUE(is_executable(source_root() / it->str())) << page << " names " << it->str();
  }
  EXPECT_TRUE(is_executable(source_root() / ".ci/run"));
}

TEST(ReadmeTest, ContinuousIntegrationRunsTheTestScript) {
  EXPECT_NE(read_file(source_root() / ".ci/run").find("scripts/test"), std::string::npos);
}

TEST(ReadmeTest, StaysWithin150Lines) {
  const std::string readme = read_file(source_root() / "README.md");
  EXPECT_LE(std::count(readme.begin(), readme.end(), '\n'), 150);
}

TEST(ReadmeTest, EveryRelativeLinkLeadsToAFile) {
  std::vector<fs::path> pages = files_below(source_root() / "docs", {".md"});
  for (const char* page : {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md"})
    pages.push_back(source_root() / page);
  static const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const fs::path& page : pages) {
    const std::string text = read_file(page);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1].str();
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << relative_name(page) << " links to " << target;
    }
  }
}

TEST(ReadmeTest, EveryPageThatTheCodeNamesExists) {
  static const std::regex page(R"(docs/[A-Za-z0-9_/-]+\.md)");
  for (const fs::path& file : code_files()) {
    const std::string text = read_file(file);
    for (std::sregex_iterator it(text.begin(), text.end(), page), end; it != end; ++it)
      EXPECT_TRUE(fs::exists(source_root() / it->str())) << relative_name(file) << " names " << it->str();
  }
}

/// A line `folder/   what it is` of the README's tree map.
TEST(ReadmeTest, EveryFolderOfTheTreeMapExists) {
  const std::string readme = read_file(source_root() / "README.md");
  static const std::regex entry(R"(\n([a-z]+)/ +\S)");
  std::set<std::string> folders;
  for (std::sregex_iterator it(readme.begin(), readme.end(), entry), end; it != end; ++it)
    folders.insert((*it)[1].str());
  EXPECT_GE(folders.size(), 8u);
  for (const std::string& folder : folders) EXPECT_TRUE(fs::is_directory(source_root() / folder)) << folder;
}

}  // namespace
}  // namespace enfold::test
