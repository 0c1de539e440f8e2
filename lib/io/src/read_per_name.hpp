// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "table.hpp"

namespace enfold::io {

/// What the numbers are and of what, for messages: a force of a contact, a torque of a joint.
struct PerName {
  std::string_view quantity, owner;
};

/// One number for all, a list in their order, or a map from their names. Always as many as names.
[[nodiscard]] std::vector<double> read_per_name(const Field& field, const std::vector<std::string>& names,
                                                PerName what, Sign sign);

[[nodiscard]] std::vector<std::string> contact_names(const std::vector<ContactSpec>& contacts);

}  // namespace enfold::io
