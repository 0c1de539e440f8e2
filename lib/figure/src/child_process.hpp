// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace enfold::figure {

struct ChildResult {
  int exit_code = 0;   ///< 128 + signal number if a signal ended it
  std::string said{};  ///< its standard error
};

/// Runs arguments[0] (looked up on PATH) with `input` as its standard input and waits for it. No shell.
/// Throws IoError if it can't be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input);

}  // namespace enfold::figure
