// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "ticks.hpp"

// A figure laid out: where everything goes is decided here once, so that renderers only draw, and look alike.
namespace enfold::figure {

/// A polyline; a NaN point breaks it.
struct Stroke {
  std::vector<Point> points{};
  Colour colour{};
  double width = 1.0;  ///< [px]
  Dash dash = Dash::kSolid;
  double opacity = 1.0;
};

/// Filled closed curves without outline, one after the other with a NaN point between them.
struct Fill {
  std::vector<Point> points{};
  Colour colour{};
  double opacity = 1.0;
};

using Shape = std::variant<Stroke, Fill>;

/// One line of text, vertically centred on its anchor.
struct Words {
  Point at{};
  Label text{};
  double size = 12.0;  ///< [px]
  Colour colour{};
  Align align = Align::kLeft;
  bool upright = false;  ///< turned a quarter, reading upwards
  bool bold = false;
};

/// A rectangle of the page [px], y up.
struct Rect {
  double left = 0.0;
  double bottom = 0.0;
  double width = 0.0;
  double height = 0.0;
};

enum class Frame {
  kNone,
  kOpen,  ///< left and bottom, with ticks and grid
  kBox,   ///< all four sides, with ticks below
};

/// Axes with their content, in axis coordinates.
struct Axes {
  Rect rect{};
  Range x{};
  Range y{};
  std::vector<Tick> x_ticks{};
  std::vector<Tick> y_ticks{};
  Frame frame = Frame::kOpen;
  std::vector<Shape> shapes{};
  std::vector<Words> words{};
};

/// The page; its own shapes and words are in px from the lower left corner.
struct Page {
  Size size{};
  std::vector<Axes> axes{};
  std::vector<Shape> shapes{};
  std::vector<Words> words{};
};

inline constexpr const char* kFont = "DejaVu Sans";
inline constexpr Colour kAxisColour{70, 70, 70};
inline constexpr Colour kGridColour{228, 228, 228};
inline constexpr Colour kTextColour{25, 25, 25};

/// Lays a valid figure out. Throws InvalidArgument if the figure is invalid or too small for its text.
[[nodiscard]] Page lay_out(const Figure& figure);

}  // namespace enfold::figure
