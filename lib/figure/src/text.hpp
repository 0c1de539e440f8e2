// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "enfold/figure/elements.hpp"

namespace enfold::figure {

/// Valid UTF-8 without control characters but newline (see Label).
[[nodiscard]] std::string clean_text(std::string_view text);

/// Width of one line of DejaVu Sans [px]; a few per cent too wide for what the table of widths doesn't hold,
/// so that room reserved with it suffices.
[[nodiscard]] double text_width(const Label& line, double size);

/// The label cut at its newlines and, where it is plain, at spaces so that each line fits `max_width` [px]. A
/// word that is too long by itself ends in "…". No lines for an empty label.
[[nodiscard]] std::vector<Label> wrap_text(const Label& label, double size, double max_width);

/// The label as one line, cut with "…" to fit `max_width` [px].
[[nodiscard]] Label elide_text(const Label& label, double size, double max_width);

/// Text for a gnuplot string in enhanced mode: a plain label with every special character escaped, or one
/// whose sub- and superscripts act and nothing else does.
[[nodiscard]] std::string enhanced_text(const Label& label);

}  // namespace enfold::figure
