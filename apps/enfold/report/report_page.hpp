// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace enfold::app {

/// Everything that a page is made of, embedded when the program is built: `page.html` with places for the
/// rest, the style, and the script (dygraphs, then the modules of report/page in one scope).
struct PageParts {
  std::string_view html, style, script, library_style, library;
};
[[nodiscard]] const PageParts& page_parts();

/// The report of one run, or a comparison of several, as one HTML file that needs nothing else: no network,
/// no server. Text of the run can't act as markup or script. At most about 3 MB; larger runs are thinned, and
/// the page says so.
/// Throws IoError if a folder is no run, or its run.json can't be read.
/// @pre at least one folder (throws InvalidArgument)
[[nodiscard]] std::string report_page(std::span<const std::filesystem::path> folders);

/// Writes `report.html` into a run folder and returns its path. Throws as report_page().
std::filesystem::path write_report(const std::filesystem::path& folder);

}  // namespace enfold::app
