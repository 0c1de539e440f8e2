// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string_view>

namespace enfold::test {

/// How many random cases a property test runs: `full` if the environment has ENFOLD_FULL=1, else `quick`.
[[nodiscard]] inline int count(int quick, int full) {
  const char* value = std::getenv("ENFOLD_FULL");
  return value != nullptr && std::string_view(value) == "1" ? full : quick;
}

}  // namespace enfold::test
