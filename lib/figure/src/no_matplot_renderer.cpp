// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/figure/renderer.hpp"

namespace enfold::figure {

// Stands in for matplot_renderer.cpp where CMake found no Matplot++.
std::unique_ptr<Renderer> make_matplot_renderer() {
  return nullptr;
}

}  // namespace enfold::figure
