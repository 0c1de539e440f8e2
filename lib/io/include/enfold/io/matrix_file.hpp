// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "enfold/base/types.hpp"

namespace enfold::io {

/// What a matrix file holds.
struct MatrixFile {
  MatrixXd A;                 ///< n × n, n ≥ 1, finite
  std::optional<VectorXd> b;  ///< n, if the file holds one
};

/// Reads a square matrix, perhaps with a right side. The format is told by the first line (Matrix Market) or
/// the name (.yaml, .yml); anything else is CSV:
///
/// - CSV: n rows of n numbers, or of n + 1 for [A | b]; `#` starts a comment, blank lines don't count;
/// - YAML: `A`, a list of rows, and perhaps `b`, a list of numbers;
/// - Matrix Market: array or coordinate; real or integer; general, symmetric or skew-symmetric.
///
/// Throws IoError if the file can't be read and ScenarioError if it can't be used; the message of the latter
/// starts with file:line:column.
[[nodiscard]] MatrixFile read_matrix_file(const std::filesystem::path& path);

/// Reads a vector: CSV (one number per line, or one line), YAML (`b`), or Matrix Market with one column or
/// one row. Throws as read_matrix_file.
[[nodiscard]] VectorXd read_vector_file(const std::filesystem::path& path);

/// The same from text; `file_name` tells the format and is for messages.
[[nodiscard]] MatrixFile parse_matrix_file(const std::string& text, const std::string& file_name);
[[nodiscard]] VectorXd parse_vector_file(const std::string& text, const std::string& file_name);

}  // namespace enfold::io
