// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace enfold::figure {

enum class Format { kSvg, kPng };

/// By the extension. Throws InvalidArgument for any other than .svg and .png.
[[nodiscard]] Format format_of(const std::filesystem::path& file);

/// A gnuplot string constant with this value: no byte of it can end the string, start a command or a
/// substitution.
[[nodiscard]] std::string gnuplot_quoted(std::string_view text);

}  // namespace enfold::figure
