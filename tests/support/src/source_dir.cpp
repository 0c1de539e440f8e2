// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/test/source_dir.hpp"

namespace enfold::test {

std::string source_dir() {
  return ENFOLD_SOURCE_DIR;
}

}  // namespace enfold::test
