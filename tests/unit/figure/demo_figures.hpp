// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/figure/figure.hpp"

// Figures that use everything the module offers, shaped like those of a run.
namespace enfold::figure::test {

/// Three histories over one time axis with bands, bounds and legends at the right, and a strip below them.
[[nodiscard]] Figure history_figure();

/// Two by three snapshots of a hand with two fingers of two links around an ellipse, one legend above.
[[nodiscard]] Figure snapshot_figure();

/// Errors over step sizes on logarithmic axes, beside an empty panel and one with a legend above it.
[[nodiscard]] Figure mixed_figure();

}  // namespace enfold::figure::test
