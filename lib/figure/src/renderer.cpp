// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/figure/renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "enfold/base/require.hpp"

namespace enfold::figure {

std::vector<std::string> renderer_names() {
  if (make_matplot_renderer()) return {"matplot", "gnuplot"};
  return {"gnuplot"};
}

std::unique_ptr<Renderer> make_renderer(std::string_view name) {
  std::unique_ptr<Renderer> renderer;
  if (name == "gnuplot") renderer = make_gnuplot_renderer();
  if (name == "matplot") renderer = make_matplot_renderer();
  ENFOLD_REQUIRE(renderer != nullptr, "renderer '{}' is not built in, expected one of: {}", name,
                 fmt::join(renderer_names(), ", "));
  return renderer;
}

std::unique_ptr<Renderer> default_renderer() {
  return make_renderer(renderer_names().front());
}

}  // namespace enfold::figure
