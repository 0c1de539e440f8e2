// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "document.hpp"
#include "matrix_text.hpp"

namespace enfold::io {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";
constexpr Index kLargestSize = 10'000;  // dense: 10⁸ entries are 800 MB

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Lines of words, with comments and blank lines left out.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : text_{text}, file_{file} {}

  [[nodiscard]] std::vector<Word> next(bool comments_count = false) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      if (!comments_count && line.starts_with('%')) continue;
      std::vector<Word> words = split(line);
      if (!words.empty()) return words;
    }
    return {};
  }

  [[nodiscard]] std::string place() const { return fmt::format("{}:{}:1", file_, std::max(number_, 1)); }

 private:
  [[nodiscard]] std::vector<Word> split(std::string_view line) const {
    std::vector<Word> words;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t start = line.find_first_not_of(" \t\r", i);
      if (start == std::string_view::npos) break;
      i = std::min(line.find_first_of(" \t\r", start), line.size());
      words.push_back({line.substr(start, i - start), fmt::format("{}:{}:{}", file_, number_, start + 1)});
    }
    return words;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int number_ = 0;
};

enum class Layout { kArray, kCoordinate };
enum class Symmetry { kGeneral, kSymmetric, kSkewSymmetric };

struct Header {
  Layout layout = Layout::kArray;
  Symmetry symmetry = Symmetry::kGeneral;
};

template <class T>
T one_of(const Word& word, std::initializer_list<std::pair<std::string_view, T>> known) {
  const std::string found = lower(word.text);
  std::string names;
  for (const auto& [name, value] : known) {
    if (name == found) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  fail(word.place, fmt::format("'{}' is not supported here; known: {}", word.text, names));
}

Header read_header(Lines& lines) {
  const std::vector<Word> words = lines.next(true);
  if (words.size() != 5)
    fail(lines.place(),
         "the first line must be '%%MatrixMarket matrix <array|coordinate> <real|integer> <symmetry>'");
  (void)one_of<int>(words[1], {{"matrix", 0}});
  Header header;
  header.layout = one_of<Layout>(words[2], {{"array", Layout::kArray}, {"coordinate", Layout::kCoordinate}});
  (void)one_of<int>(words[3], {{"real", 0}, {"integer", 0}, {"double", 0}});
  header.symmetry = one_of<Symmetry>(words[4], {{"general", Symmetry::kGeneral},
                                                {"symmetric", Symmetry::kSymmetric},
                                                {"skew-symmetric", Symmetry::kSkewSymmetric}});
  return header;
}

Index read_count(const Word& word, std::string_view what, Index from, Index to) {
  Index n = 0;
  const char* last = word.text.data() + word.text.size();
  const auto [end, error] = std::from_chars(word.text.data(), last, n);
  if (error != std::errc() || end != last || n < from || n > to)
    fail(word.place,
         fmt::format("{} must be a whole number from {} to {}, found '{}'", what, from, to, word.text));
  return n;
}

void set(MatrixXd& M, Index i, Index j, double value, Symmetry symmetry) {
  M(i, j) = value;
  if (symmetry == Symmetry::kGeneral || i == j) return;
  M(j, i) = symmetry == Symmetry::kSymmetric ? value : -value;
}

// Column by column; of a symmetric matrix the lower triangle only, of a skew-symmetric one without diagonal.
void read_array(Lines& lines, Symmetry symmetry, MatrixXd& M) {
  for (Index j = 0; j < M.cols(); ++j) {
    const Index first = symmetry == Symmetry::kGeneral ? 0 : (symmetry == Symmetry::kSymmetric ? j : j + 1);
    for (Index i = first; i < M.rows(); ++i) {
      const std::string what = fmt::format("entry ({}, {})", i + 1, j + 1);
      const std::vector<Word> words = lines.next();
      if (words.empty()) fail(lines.place(), fmt::format("the file ends before {}", what));
      if (words.size() != 1) fail(words[1].place, fmt::format("one number per line expected for {}", what));
      set(M, i, j, read_number(words[0], what), symmetry);
    }
  }
}

void read_coordinates(Lines& lines, Symmetry symmetry, Index entries, MatrixXd& M) {
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> seen =
      Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>::Constant(M.rows(), M.cols(), false);
  for (Index k = 0; k < entries; ++k) {
    const std::vector<Word> words = lines.next();
    if (words.empty())
      fail(lines.place(), fmt::format("the file ends after {} entries, its size line says {}", k, entries));
    if (words.size() != 3) fail(words[0].place, "an entry is written 'row column value'");
    const Index i = read_count(words[0], "the row", 1, M.rows()) - 1;
    const Index j = read_count(words[1], "the column", 1, M.cols()) - 1;
    if (seen(i, j)) fail(words[0].place, fmt::format("entry ({}, {}) is given twice", i + 1, j + 1));
    if (symmetry != Symmetry::kGeneral && j > i)
      fail(words[0].place, fmt::format("entry ({}, {}) is above the diagonal; the header says that only the "
                                       "lower triangle is stored",
                                       i + 1, j + 1));
    if (symmetry == Symmetry::kSkewSymmetric && i == j)
      fail(words[0].place, "a skew-symmetric matrix stores no diagonal");
    seen(i, j) = true;
    set(M, i, j, read_number(words[2], fmt::format("entry ({}, {})", i + 1, j + 1)), symmetry);
  }
}

}  // namespace

bool is_matrix_market(std::string_view text) {
  return lower(text.substr(0, kBanner.size())) == kBanner;
}

MatrixXd parse_matrix_market(std::string_view text, const std::string& file_name) {
  Lines lines(text, file_name);
  const Header header = read_header(lines);
  const bool coordinates = header.layout == Layout::kCoordinate;
  const std::vector<Word> size = lines.next();
  if (size.size() != (coordinates ? 3U : 2U))
    fail(lines.place(), coordinates ? "the size line must hold 'rows columns entries'"
                                    : "the size line must hold 'rows columns'");
  const Index rows = read_count(size[0], "the number of rows", 1, kLargestSize);
  const Index columns = read_count(size[1], "the number of columns", 1, kLargestSize);
  if (header.symmetry != Symmetry::kGeneral && rows != columns)
    fail(size[0].place, fmt::format("a {} × {} matrix has no symmetry", rows, columns));
  MatrixXd M = MatrixXd::Zero(rows, columns);
  if (coordinates) {
    read_coordinates(lines, header.symmetry, read_count(size[2], "the number of entries", 0, rows * columns),
                     M);
  } else {
    read_array(lines, header.symmetry, M);
  }
  const std::vector<Word> rest = lines.next();
  if (!rest.empty()) fail(rest[0].place, "more entries than the size line says");
  return M;
}

}  // namespace enfold::io
