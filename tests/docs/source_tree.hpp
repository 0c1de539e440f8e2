// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::test {

/// The root of the source tree that the tests were built from.
[[nodiscard]] std::filesystem::path source_root();

[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// The file's path from the root, for messages.
[[nodiscard]] std::string relative_name(const std::filesystem::path& file);

/// All files below a folder with one of the endings, sorted; empty if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                                             std::initializer_list<std::string_view> endings);

/// Every *.hpp and *.cpp of lib, controllers, planners, models and apps.
[[nodiscard]] std::vector<std::filesystem::path> code_files();

/// What stands between the quotes or brackets of each #include, in order.
[[nodiscard]] std::vector<std::string> includes_of(const std::string& text);

}  // namespace enfold::test
