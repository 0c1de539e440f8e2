// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace enfold::app {

/// One SVG that shows the frames one after the other, for ever. Opens in any browser.
/// @param frames  SVG documents of one size; @param seconds  each is shown for
/// @pre at least one frame with an <svg> element that has a viewBox, seconds > 0 (throws InvalidArgument)
[[nodiscard]] std::string animated_svg(const std::vector<std::string>& frames, double seconds);

}  // namespace enfold::app
