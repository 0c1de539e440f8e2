// SPDX-License-Identifier: BSD-3-Clause
// docs/equations.md against the code, both ways: every [eq:…] tag has a row, every row has a tag, an
// implementing function in the file it names, and a test that exists.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "source_tree.hpp"

namespace enfold::test {
namespace {

namespace fs = std::filesystem;

/// One row of the ledger: | `eq:ID` | statement | source | `function` in `file` | `Suite.Test` |
struct LedgerRow {
  std::string id;
  std::vector<std::string> cells;
};

/// Cells of a Markdown table row; \| is a bar inside a cell.
std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(cell);
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

std::vector<std::string> code_spans(const std::string& cell) {
  static const std::regex span("`([^`]+)`");
  std::vector<std::string> spans;
  for (std::sregex_iterator it(cell.begin(), cell.end(), span), end; it != end; ++it)
    spans.push_back((*it)[1].str());
  return spans;
}

std::vector<LedgerRow> ledger() {
  static const std::regex id(R"(^\| `eq:([A-Za-z0-9._-]+)` \|)");
  std::vector<LedgerRow> rows;
  const std::string text = read_file(source_root() / "docs/equations.md");
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t stop = text.find('\n', start);
    if (stop == std::string::npos) stop = text.size();
    const std::string line = text.substr(start, stop - start);
    start = stop + 1;
    std::smatch match;
    if (std::regex_search(line, match, id)) rows.push_back({match[1].str(), split_cells(line)});
  }
  return rows;
}

/// Tag → files that carry it.
std::map<std::string, std::set<std::string>> tags_in_code() {
  static const std::regex tag(R"(\[eq:([A-Za-z0-9._-]+)\])");
  std::map<std::string, std::set<std::string>> tags;
  for (const fs::path& file : code_files()) {
    const std::string text = read_file(file);
    for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it)
      tags[(*it)[1].str()].insert(relative_name(file));
  }
  return tags;
}

/// Suite.Name of every test in the tree, parameterised ones without their instance.
std::set<std::string> test_names() {
  static const std::regex test(R"(\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::set<std::string> names;
  for (const fs::path& file : files_below(source_root() / "tests", {".cpp"})) {
    const std::string text = read_file(file);
    for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it)
      names.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  return names;
}

TEST(EquationLedgerTest, EveryTagInTheCodeHasARow) {
  std::set<std::string> known;
  for (const LedgerRow& row : ledger()) known.insert(row.id);
  for (const auto& [id, files] : tags_in_code())
    EXPECT_TRUE(known.contains(id)) << "[eq:" << id << "] in " << *files.begin()
                                    << " is not in docs/equations.md";
}

TEST(EquationLedgerTest, EveryRowIsTaggedInTheCodeOnce) {
  const auto tags = tags_in_code();
  std::set<std::string> seen;
  for (const LedgerRow& row : ledger()) {
    EXPECT_TRUE(tags.contains(row.id))
        << "eq:" << row.id << " of docs/equations.md is tagged nowhere in the code";
    EXPECT_TRUE(seen.insert(row.id).second) << "eq:" << row.id << " has two rows";
  }
  EXPECT_GT(seen.size(), 5u);
}

TEST(EquationLedgerTest, EveryRowNamesAFunctionThatItsFileHolds) {
  for (const LedgerRow& row : ledger()) {
    ASSERT_EQ(row.cells.size(), 5u) << "eq:" << row.id;
    const std::vector<std::string> spans = code_spans(row.cells[3]);
    ASSERT_EQ(spans.size(), 2u) << "eq:" << row.id << " must name `function` in `file`";
    const fs::path file = source_root() / spans[1];
    ASSERT_TRUE(fs::exists(file)) << "eq:" << row.id << " names " << spans[1];
    const std::string function = spans[0].substr(spans[0].rfind(':') + 1);
    EXPECT_TRUE(std::regex_search(read_file(file), std::regex("\\b" + function + "\\b")))
        << "eq:" << row.id << ": " << spans[1] << " does not hold " << function;
  }
}

TEST(EquationLedgerTest, EveryRowNamesTestsThatExist) {
  const std::set<std::string> names = test_names();
  for (const LedgerRow& row : ledger()) {
    ASSERT_EQ(row.cells.size(), 5u) << "eq:" << row.id;
    const std::vector<std::string> spans = code_spans(row.cells[4]);
    EXPECT_FALSE(spans.empty()) << "eq:" << row.id << " names no test";
    for (const std::string& name : spans)
      EXPECT_TRUE(names.contains(name))
          << "eq:" << row.id << " names the test " << name << ", which does not exist";
  }
}

/// Also outside the tables of tagged equations, and on every other page.
TEST(EquationLedgerTest, EveryTestThatThePagesNameExists) {
  const std::set<std::string> names = test_names();
  static const std::regex named("`([A-Z]\\w*Test\\.[A-Z]\\w*)`");
  for (const fs::path& page : files_below(source_root() / "docs", {".md"})) {
    const std::string text = read_file(page);
    for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it)
      EXPECT_TRUE(names.contains((*it)[1].str())) << relative_name(page) << " names " << (*it)[1].str();
  }
}

/// The 22 numbered equations of S4 are all accounted for, in the ledger or among those not implemented yet.
TEST(EquationLedgerTest, EveryEquationOfSongYashimaKumarIsAccountedFor) {
  const std::string text = read_file(source_root() / "docs/equations.md");
  for (int number = 1; number <= 22; ++number) {
    const std::string id = "S4." + std::to_string(number) + "`";
    EXPECT_TRUE(text.find("| `eq:" + id) != std::string::npos || text.find("| `" + id) != std::string::npos)
        << "S4 equation (" << number << ") has no row in docs/equations.md";
  }
}

}  // namespace
}  // namespace enfold::test
