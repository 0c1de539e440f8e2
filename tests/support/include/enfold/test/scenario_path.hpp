// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "enfold/test/source_dir.hpp"

namespace enfold::test {

/// A scenario that ships with the sources.
[[nodiscard]] inline std::filesystem::path scenario_path(std::string_view name) {
  return fmt::format("{}/scenarios/{}.yaml", source_dir(), name);
}

}  // namespace enfold::test
