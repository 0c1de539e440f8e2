// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace enfold::sim {

/// Two instants of a run closer than this are one [s].
inline constexpr double kSameTime = 1e-12;

}  // namespace enfold::sim
