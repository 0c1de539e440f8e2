// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace enfold::io {

/// The bytes of a file. Throws IoError with the system's reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes a file, and makes sure that the system took every byte. Throws IoError with the system's reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace enfold::io
