// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "page.hpp"

namespace enfold::figure {

enum class Format { kSvg, kPng };

/// By the extension. Throws InvalidArgument for any other than .svg and .png.
[[nodiscard]] Format format_of(const std::filesystem::path& file);

/// A gnuplot string constant with this value: no byte of it can end the string, start a command or a
/// substitution.
[[nodiscard]] std::string gnuplot_quoted(std::string_view text);

// Pieces of a script, each ending in a newline unless it says otherwise.

/// Picks the terminal, opens the file and starts from known settings.
[[nodiscard]] std::string open_commands(const Size& size, const std::filesystem::path& file);

/// Frame, ticks, grid and ranges of axes.
[[nodiscard]] std::string axes_commands(const Axes& axes);

/// The words as labels 1, 2, …
[[nodiscard]] std::string label_commands(const std::vector<Words>& words);

/// Points of a shape, one per line; a blank line where it breaks.
[[nodiscard]] std::string data_rows(const Shape& shape);

/// How a plot command draws a shape: `using 1:2 with …`, no newline.
[[nodiscard]] std::string plot_style(const Shape& shape);

}  // namespace enfold::figure
