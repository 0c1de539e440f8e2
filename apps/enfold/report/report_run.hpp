// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace enfold::app {

/// All that a page shows of one run, as JSON. Numbers per instant are base64 of float32 (differences and
/// ratios are taken before they are rounded), times and the matrices A₀, A₁ of float64. `missing` says, a
/// sentence each, what the folder does not hold or what is damaged.
///
/// A run with more numbers than fit into `budget` characters is thinned by thin_rows(); `rows` tells how many
/// of how many instants are left and how far off a straight line between them is.
///
/// Throws IoError if the folder is no run, or its run.json can't be read.
[[nodiscard]] nlohmann::ordered_json report_run(const std::filesystem::path& folder, std::size_t budget);

}  // namespace enfold::app
