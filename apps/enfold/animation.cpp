// SPDX-License-Identifier: BSD-3-Clause
#include "animation.hpp"

#include <fmt/format.h>

#include "enfold/base/require.hpp"

namespace enfold::app {

std::string animated_svg(const std::vector<std::string>& frames, double seconds) {
  ENFOLD_REQUIRE(!frames.empty() && seconds > 0.0, "animated_svg: {} frames of {} s", frames.size(), seconds);
  const auto root_of = [](const std::string& svg) {
    const std::size_t at = svg.find("<svg");
    ENFOLD_REQUIRE(at != std::string::npos, "animated_svg: a frame has no <svg> element");
    return at;
  };
  const std::string& first = frames.front();
  const std::size_t box = first.find("viewBox=", root_of(first));
  ENFOLD_REQUIRE(box != std::string::npos, "animated_svg: a frame has no viewBox");
  const char quote = first[box + 8];
  const std::string view = first.substr(box + 9, first.find(quote, box + 9) - box - 9);

  const auto count = static_cast<double>(frames.size());
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "viewBox=\"{}\">\n",
      view);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    // Without animation the last frame stays; with it each is shown in its turn.
    const double from = static_cast<double>(k) / count;
    const double to = static_cast<double>(k + 1) / count;
    out += fmt::format("<g display=\"{}\">\n", k + 1 == frames.size() ? "inline" : "none");
    out += frames.size() == 1 ? ""
           : k == 0           ? fmt::format(
                                    "<animate attributeName=\"display\" dur=\"{}s\" repeatCount=\"indefinite\" "
                                              "calcMode=\"discrete\" values=\"inline;none\" keyTimes=\"0;{:.6f}\"/>\n",
                                    count * seconds, to)
           : k + 1 == frames.size()
               ? fmt::format(
                     "<animate attributeName=\"display\" dur=\"{}s\" repeatCount=\"indefinite\" "
                     "calcMode=\"discrete\" values=\"none;inline\" keyTimes=\"0;{:.6f}\"/>\n",
                     count * seconds, from)
               : fmt::format(
                     "<animate attributeName=\"display\" dur=\"{}s\" repeatCount=\"indefinite\" "
                     "calcMode=\"discrete\" values=\"none;inline;none\" keyTimes=\"0;{:.6f};{:.6f}\"/>\n",
                     count * seconds, from, to);
    out += frames[k].substr(root_of(frames[k]));
    out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace enfold::app
