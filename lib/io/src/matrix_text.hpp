// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::io {

/// A piece of a line and where it starts: `file:line:column`.
struct Word {
  std::string_view text;
  std::string place;
};

/// A finite number. Throws ScenarioError at the word's place; `what` names it in the message.
[[nodiscard]] double read_number(const Word& word, std::string_view what);

[[nodiscard]] bool is_matrix_market(std::string_view text);

/// A whole matrix, of any shape. Throws ScenarioError.
[[nodiscard]] MatrixXd parse_matrix_market(std::string_view text, const std::string& file_name);

}  // namespace enfold::io
