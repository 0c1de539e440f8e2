// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "enfold/figure/renderer.hpp"

namespace enfold::figure {

/// Runs gnuplot once on a script that draws all files of the jobs, and checks each of them. Throws IoError.
void draw_script(const std::string& script, std::span<const Job> jobs, const GnuplotOptions& options);

}  // namespace enfold::figure
