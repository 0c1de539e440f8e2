// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace enfold::figure {

/// Makes sure that `file` can be written and removes what an earlier run left there, so that a file found
/// later is new. Throws IoError.
void prepare_output(const std::filesystem::path& file);

/// Checks that a drawing program wrote `file` to its end, and names fallback fonts in an SVG for machines
/// that lack ours. Throws IoError with `said`, what the program wrote to its standard error.
void finish_output(const std::filesystem::path& file, const std::string& said);

}  // namespace enfold::figure
