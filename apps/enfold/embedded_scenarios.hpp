// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace enfold::app {

/// A scenario that ships with the program.
struct EmbeddedScenario {
  std::string name;
  std::string text;
};

[[nodiscard]] const std::vector<EmbeddedScenario>& embedded_scenarios();

}  // namespace enfold::app
