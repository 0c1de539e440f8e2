// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

/// {1, 3}: indices as people count them.
[[nodiscard]] inline std::string words(const std::vector<Index>& indices) {
  std::string text;
  for (const Index i : indices) text += fmt::format("{}{}", text.empty() ? "" : ", ", i + 1);
  return fmt::format("{{{}}}", text);
}

/// (1, 0.5, 0), cut after eight entries.
[[nodiscard]] inline std::string words(const VectorXd& x) {
  constexpr Index kShown = 8;
  std::string text;
  for (Index i = 0; i < std::min(x.size(), kShown); ++i)
    text += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", x(i));
  return fmt::format("({}{})", text, x.size() > kShown ? ", …" : "");
}

}  // namespace enfold::lcp::detail
