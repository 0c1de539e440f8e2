// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "enfold/figure/palette.hpp"

namespace enfold::figure {

/// A point in the units of its panel's axes.
struct Point {
  double x = 0.0;
  double y = 0.0;
  friend constexpr bool operator==(const Point&, const Point&) = default;
};

/// How the text of a label is read.
enum class Markup {
  kPlain,       ///< every character stands for itself
  kSubscripts,  ///< `_x`, `_{xyz}` lower and `^x`, `^{xyz}` raise; every other character stands for itself
};

/// UTF-8 text. Bytes that are not UTF-8 come out as U+FFFD; control characters other than newline as a space.
struct Label {
  std::string text{};
  Markup markup = Markup::kPlain;

  Label() = default;
  // Implicit on purpose: most labels are plain text, and `.title = "Contact forces"` must read as such.
  Label(const char* plain) : text(plain) {}
  Label(std::string plain) : text(std::move(plain)) {}
  Label(std::string words, Markup reading) : text(std::move(words)), markup(reading) {}

  [[nodiscard]] bool empty() const { return text.empty(); }
  friend bool operator==(const Label&, const Label&) = default;
};

/// A label with sub- and superscripts: `math("λ_N")`, `math("W_{mu}^T")`.
[[nodiscard]] inline Label math(std::string text) {
  return {std::move(text), Markup::kSubscripts};
}

enum class Dash { kSolid, kDashed, kDotted, kDashDot };
enum class MarkerShape { kDisc, kCircle, kSquare, kTriangle, kDiamond, kCross };
enum class ArrowHead { kNone, kEnd, kBoth };
enum class Align { kLeft, kCentre, kRight };

// In every element an empty label means: not in the legend. The same label in two elements gives one entry.

/// A polyline. A point with a NaN or infinite coordinate breaks it. No points: nothing is drawn.
struct Line {
  Label label{};
  std::vector<Point> points{};
  Colour colour = kBlack;
  double width = 1.8;  ///< [px]; > 0
  Dash dash = Dash::kSolid;
  double opacity = 1.0;  ///< 0 … 1
};

/// Separate points; those with a NaN or infinite coordinate are left out.
struct Markers {
  Label label{};
  std::vector<Point> points{};
  Colour colour = kBlack;
  MarkerShape shape = MarkerShape::kDisc;
  double size = 7.0;  ///< diameter [px]; > 0
};

/// A straight arrow. The head is shortened when the arrow is shorter than it. Nothing is drawn unless both
/// ends are finite.
struct Arrow {
  Label label{};
  Point from{};
  Point to{};
  Colour colour = kBlack;
  double width = 2.0;  ///< of the shaft [px]; > 0
  ArrowHead head = ArrowHead::kEnd;
  double head_size = 10.0;  ///< length of the head [px]; > 0
};

/// A closed curve: the last point is joined to the first. See shapes.hpp for ellipses, capsules and cones.
struct Polygon {
  Label label{};
  std::vector<Point> points{};  ///< all finite
  Colour fill = kObjectFill;
  double fill_opacity = 1.0;  ///< 0 (outline only) … 1
  Colour outline = kObjectOutline;
  double outline_width = 1.2;  ///< [px]; 0: no outline
  Dash dash = Dash::kSolid;
};

/// Words at a point of the panel; left out when the point lies outside the panel's range.
struct Text {
  Point position{};
  Label text{};
  Colour colour = kBlack;
  Align align = Align::kLeft;
  Point offset{};      ///< from `position` [px], y up
  double scale = 0.9;  ///< of the figure's font size; > 0
};

/// y = const across the panel.
struct HorizontalLine {
  Label label{};
  double y = 0.0;
  Colour colour = kMinimumLine;
  double width = 1.4;  ///< [px]; > 0
  Dash dash = Dash::kDashed;
};

/// x = const from the bottom of the panel to its top.
struct VerticalLine {
  Label label{};
  double x = 0.0;
  Colour colour = kDesired;
  double width = 1.2;  ///< [px]; > 0
  Dash dash = Dash::kDotted;
};

/// The interval x0 ≤ x ≤ x1 shaded from the bottom of the panel to its top, behind all elements.
struct Band {
  Label label{};
  double x0 = 0.0;
  double x1 = 0.0;  ///< ≥ x0
  Colour colour = kWarningBand;
  double opacity = 0.35;  ///< 0 … 1
};

/// One stretch of a strip. The label names the category and goes to the legend once.
struct StripInterval {
  Label label{};
  double x0 = 0.0;
  double x1 = 0.0;  ///< ≥ x0
  Colour colour = kUndecided;
};

/// A categorical band along the x axis: which category holds when. A panel with strips is a thin one.
struct Strip {
  Label label{};  ///< written left of the strip
  std::vector<StripInterval> intervals{};
};

using Element = std::variant<Line, Markers, Arrow, Polygon, Text, HorizontalLine, VerticalLine>;

}  // namespace enfold::figure
