// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace enfold::test {

/// The root of the sources. A function, lest every test be compiled anew for every place of the tree.
[[nodiscard]] std::string source_dir();

}  // namespace enfold::test
