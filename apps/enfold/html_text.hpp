// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace enfold::app {

/// Text that HTML shows as it is, within an element or a quoted attribute.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace enfold::app
