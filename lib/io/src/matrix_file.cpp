// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/matrix_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <cmath>

#include "document.hpp"
#include "enfold/io/file.hpp"
#include "matrix_text.hpp"

namespace enfold::io {
namespace {

struct Row {
  std::vector<double> numbers;
  std::string place;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Rows of numbers between commas. A last comma or an empty field is an error, not a zero.
std::vector<Row> parse_csv(std::string_view text, const std::string& file) {
  std::vector<Row> rows;
  int line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++line_number;
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) continue;
    Row row{{}, fmt::format("{}:{}:1", file, line_number)};
    for (std::size_t i = 0; i <= line.size();) {
      const std::size_t comma = std::min(line.find(',', i), line.size());
      const std::string_view field = line.substr(i, comma - i);
      const std::size_t blank = field.find_first_not_of(" \t\r");
      const std::size_t column = i + (blank == std::string_view::npos ? 0 : blank) + 1;
      row.numbers.push_back(read_number({trimmed(field), fmt::format("{}:{}:{}", file, line_number, column)},
                                        fmt::format("field {}", row.numbers.size() + 1)));
      i = comma + 1;
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) fail(file + ":1:1", "the file holds no numbers");
  return rows;
}

std::string place_of(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return file + ":1:1";
  return fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

Row read_row(const YAML::Node& node, const std::string& what, const std::string& file) {
  Row row{{}, place_of(node.Mark(), file)};
  if (!node.IsSequence()) fail(row.place, fmt::format("{} must be a list of numbers", what));
  for (const YAML::Node& item : node) {
    const std::string name = fmt::format("{}, entry {},", what, row.numbers.size() + 1);
    const std::string place = place_of(item.Mark(), file);
    if (!item.IsScalar()) fail(place, fmt::format("{} must be a number", name));
    row.numbers.push_back(read_number({item.Scalar(), place}, name));
  }
  return row;
}

// The map at the root, with the keys A and b at most.
struct YamlFile {
  std::vector<Row> A;
  std::optional<Row> b;
};

YamlFile convert_yaml(const YAML::Node& root, const std::string& file) {
  if (!root.IsMap())
    fail(place_of(root.Mark(), file), "expected a map with the keys A (a list of rows) and b");
  YamlFile out;
  for (const auto& entry : root) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : std::string();
    const std::string place = place_of(entry.first.Mark(), file);
    if (key == "A" && out.A.empty()) {
      if (!entry.second.IsSequence() || entry.second.size() == 0) fail(place, "A must be a list of rows");
      for (const YAML::Node& row : entry.second)
        out.A.push_back(read_row(row, fmt::format("row {} of A", out.A.size() + 1), file));
    } else if (key == "b" && !out.b) {
      out.b = read_row(entry.second, "b", file);
    } else {
      fail(place, key == "A" || key == "b" ? fmt::format("key '{}' is given twice", key)
                                           : fmt::format("unknown key '{}'; known: A, b", key));
    }
  }
  return out;
}

YamlFile parse_yaml(const std::string& text, const std::string& file) {
  try {
    return convert_yaml(YAML::Load(text), file);
  } catch (const YAML::Exception& error) {
    fail(place_of(error.mark, file), fmt::format("not valid YAML: {}", error.msg));
  }
}

bool is_yaml(const std::string& file) {
  return file.ends_with(".yaml") || file.ends_with(".yml");
}

VectorXd to_vector(const Row& row) {
  return Eigen::Map<const VectorXd>(row.numbers.data(), static_cast<Index>(row.numbers.size()));
}

// n rows of n numbers, or of n + 1 if a right side may follow.
MatrixFile to_matrix(const std::vector<Row>& rows, bool with_b) {
  const std::size_t n = rows.size();
  const std::size_t width = rows.front().numbers.size();
  for (std::size_t i = 1; i < n; ++i) {
    if (rows[i].numbers.size() != width)
      fail(rows[i].place,
           fmt::format("row {} has {} numbers, the first row has {}", i + 1, rows[i].numbers.size(), width));
  }
  if (width != n && !(with_b && width == n + 1))
    fail(rows.front().place, fmt::format("the matrix is {} × {}, expected {} × {}{}", n, width, n, n,
                                         with_b ? fmt::format(", or {} × {} for [A | b]", n, n + 1) : ""));
  MatrixXd all(static_cast<Index>(n), static_cast<Index>(width));
  for (std::size_t i = 0; i < n; ++i) all.row(static_cast<Index>(i)) = to_vector(rows[i]).transpose();
  MatrixFile out;
  out.A = all.leftCols(static_cast<Index>(n));
  if (width > n) out.b = all.col(static_cast<Index>(n));
  return out;
}

}  // namespace

double read_number(const Word& word, std::string_view what) {
  std::string_view text = word.text;
  if (text.empty()) fail(word.place, fmt::format("{} is empty, expected a number", what));
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc::result_out_of_range)
    fail(word.place, fmt::format("{} is '{}', which a double can't hold", what, word.text));
  const bool yaml_word = word.text == ".nan" || word.text == ".inf" || word.text == "-.inf";
  if (yaml_word || (error == std::errc() && end == text.data() + text.size() && !std::isfinite(x)))
    fail(word.place, fmt::format("{} is '{}', expected a finite number", what, word.text));
  if (error != std::errc() || end != text.data() + text.size())
    fail(word.place, fmt::format("{} is '{}', expected a number", what, word.text));
  return x;
}

MatrixFile parse_matrix_file(const std::string& text, const std::string& file_name) {
  if (is_matrix_market(text)) {
    MatrixFile out;
    out.A = parse_matrix_market(text, file_name);
    if (out.A.rows() != out.A.cols())
      fail(file_name + ":1:1",
           fmt::format("the matrix is {} × {}, expected a square matrix", out.A.rows(), out.A.cols()));
    return out;
  }
  if (!is_yaml(file_name)) return to_matrix(parse_csv(text, file_name), true);
  const YamlFile yaml = parse_yaml(text, file_name);
  if (yaml.A.empty()) fail(file_name + ":1:1", "key A is missing: a list of rows");
  MatrixFile out = to_matrix(yaml.A, false);
  if (yaml.b) {
    if (static_cast<Index>(yaml.b->numbers.size()) != out.A.rows())
      fail(yaml.b->place,
           fmt::format("b has {} numbers, A has {} rows", yaml.b->numbers.size(), out.A.rows()));
    out.b = to_vector(*yaml.b);
  }
  return out;
}

VectorXd parse_vector_file(const std::string& text, const std::string& file_name) {
  if (is_matrix_market(text)) {
    const MatrixXd M = parse_matrix_market(text, file_name);
    if (M.cols() != 1 && M.rows() != 1)
      fail(file_name + ":1:1", fmt::format("the matrix is {} × {}, expected one column", M.rows(), M.cols()));
    return M.reshaped();
  }
  if (is_yaml(file_name)) {
    const YamlFile yaml = parse_yaml(text, file_name);
    if (!yaml.b) fail(file_name + ":1:1", "key b is missing: a list of numbers");
    return to_vector(*yaml.b);
  }
  const std::vector<Row> rows = parse_csv(text, file_name);
  if (rows.size() == 1) return to_vector(rows.front());
  VectorXd b(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].numbers.size() != 1)
      fail(rows[i].place,
           fmt::format("a vector has one number per line, here are {}", rows[i].numbers.size()));
    b(static_cast<Index>(i)) = rows[i].numbers.front();
  }
  return b;
}

MatrixFile read_matrix_file(const std::filesystem::path& path) {
  return parse_matrix_file(read_file(path), path.string());
}

VectorXd read_vector_file(const std::filesystem::path& path) {
  return parse_vector_file(read_file(path), path.string());
}

}  // namespace enfold::io
