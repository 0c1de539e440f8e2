// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <regex>
#include <set>
#include <tuple>

#include "demo_figures.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/palette.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/figure/shapes.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace enfold::figure {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string script_of(const Figure& figure) {
  const Job job{figure, {"out.svg"}};
  return gnuplot_script({&job, 1});
}

Figure one_panel(Panel panel) {
  Figure figure{};
  figure.panels.push_back(std::move(panel));
  return figure;
}

// Lines of the longest data block.
std::vector<std::string> data_lines(const std::string& script) {
  std::vector<std::string> longest;
  std::vector<std::string> block;
  std::istringstream in(script);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "EOD") {
      if (block.size() > longest.size()) longest = block;
      inside = false;
    }
    if (inside) block.push_back(line);
    if (line.ends_with("<< EOD")) {
      inside = true;
      block.clear();
    }
  }
  return longest;
}

TEST(GnuplotScriptTest, KeepsTextsInsideOneQuotedStringEach) {
  Figure figure = one_panel({.title = "\"; system('x') `id` @m {a} \\"});
  const std::string script = script_of(figure);
  EXPECT_THAT(script, Not(HasSubstr("`")));
  EXPECT_THAT(script, Not(HasSubstr("@m")));
  EXPECT_THAT(script, HasSubstr("\\042; system('x') \\140id\\140 \\100m \\173a\\175 \\134"));
}

TEST(GnuplotScriptTest, ReadsMarkupOnlyWhereALabelAsksForIt) {
  const std::string plain = script_of(one_panel({.x_label = "left_proximal"}));
  EXPECT_TRUE(std::regex_search(plain, std::regex("\"left_proximal\".* noenhanced")));
  const std::string marked = script_of(one_panel({.x_label = math("λ_N & W_{mu}^T")}));
  // "λ_{N} \& W_{mu}^{T}" with octal escapes for what gnuplot's scanner must not see.
  EXPECT_THAT(marked, HasSubstr("λ_\\173N\\175 \\134\\046 W_\\173mu\\175\\136\\173T\\175"));
}

TEST(GnuplotScriptTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_THAT(script_of(one_panel({.title = "a\xFF\x01z"})), HasSubstr("a\xEF\xBF\xBD z"));
}

TEST(GnuplotScriptTest, BreaksALineOnceWherePointsAreNotFinite) {
  Line line{
      .points = {{0, 1}, {1, 2}, {2, kNaN}, {3, std::numeric_limits<double>::infinity()}, {4, 3}, {5, 1}}};
  const std::vector<std::string> expected{"0 1", "1 2", "", "4 3", "5 1"};
  EXPECT_EQ(data_lines(script_of(one_panel({.elements = {line}}))), expected);
}

// A spike one sample wide among 10⁵ must survive, and far fewer points than that be written.
TEST(GnuplotScriptTest, ThinsLongHistoriesOutWithoutLosingTheirPeaks) {
  Line line{};
  for (int k = 0; k < 100'000; ++k) line.points.push_back({1e-3 * k, k == 54'321 ? 7.25 : 0.001 * (k % 7)});
  const std::vector<std::string> lines = data_lines(script_of(one_panel({.elements = {line}})));
  EXPECT_LT(lines.size(), 8000U);
  EXPECT_THAT(lines, testing::Contains("54.321 7.25"));
  EXPECT_EQ(lines.front(), "0 0");
  EXPECT_THAT(lines.back(), testing::StartsWith("99.999 "));
}

TEST(GnuplotScriptTest, WritesDataOncePerFigureAndAnOutputPerFile) {
  const std::vector<Job> jobs{{test::history_figure(), {"a.svg", "a.png"}},
                              {test::mixed_figure(), {"b.svg"}}};
  const std::string script = gnuplot_script(jobs);
  const auto count = [&](const std::string& word) {
    const std::regex pattern(word);
    return std::distance(std::sregex_iterator(script.begin(), script.end(), pattern), std::sregex_iterator());
  };
  EXPECT_EQ(count("set output \""), 3);
  EXPECT_EQ(count("unset output"), 3);
  EXPECT_EQ(count("\\$d0 << EOD"), 1);
  EXPECT_EQ(count("set terminal pngcairo"), 1);
}

TEST(GnuplotScriptTest, NamesEachLegendEntryOnce) {
  Panel panel{.legend = LegendPlacement::kRight};
  for (int k = 0; k < 3; ++k) panel.elements.emplace_back(Line{.label = "same", .points = {{0, 0}, {1, 1}}});
  const std::string script = script_of(one_panel(panel));
  EXPECT_NE(script.find("\"same\""), std::string::npos);
  EXPECT_EQ(script.find("\"same\""), script.rfind("\"same\""));
}

TEST(ValidateTest, RejectsPanelsOutsideTheGridOrInATakenCell) {
  Figure figure{.rows = 2};
  figure.panels = {{.row = 0}, {.row = 2}};
  EXPECT_THROW(validate(figure), InvalidArgument);
  figure.panels = {{.row = 1}, {.row = 1}};
  EXPECT_THROW(validate(figure), InvalidArgument);
  figure.panels = {{.row = 0}, {.row = 1}};
  EXPECT_NO_THROW(validate(figure));
}

TEST(ValidateTest, RejectsRangesAndSizesThatMeanNothing) {
  EXPECT_THROW(validate(one_panel({.x_range = Range{0.0, kNaN}})), InvalidArgument);
  EXPECT_THROW(validate(one_panel({.y_range = Range{1.0, 1.0}})), InvalidArgument);
  EXPECT_THROW(validate(one_panel({.x_range = Range{0.0, 1.0}, .x_scale = AxisScale::kLog10})),
               InvalidArgument);
  EXPECT_THROW(validate(one_panel({.elements = {Line{.width = 0.0}}})), InvalidArgument);
  EXPECT_THROW(validate(one_panel({.bands = {{.x0 = 1.0, .x1 = 0.0}}})), InvalidArgument);
  EXPECT_THROW(validate(Figure{.size = {0.0, 100.0}}), InvalidArgument);
  EXPECT_THROW(validate(Figure{.rows = 2, .row_weights = {1.0}}), InvalidArgument);
  EXPECT_THROW(validate(one_panel({.elements = {Line{}}, .strips = {Strip{}}})), InvalidArgument);
}

TEST(LayoutTest, SaysSoWhenThePageIsTooSmallForItsPanels) {
  Figure figure{.size = {120, 80}, .rows = 3};
  figure.panels = {{.row = 0, .x_label = "x"}, {.row = 1, .x_label = "x"}, {.row = 2, .x_label = "x"}};
  EXPECT_THROW(static_cast<void>(script_of(figure)), InvalidArgument);
}

TEST(PaletteTest, GivesSevenContactsSevenColours) {
  std::set<std::tuple<int, int, int>> seen;
  for (std::size_t i = 0; i < 7; ++i) {
    const Colour c = contact_colour(i);
    seen.emplace(c.r, c.g, c.b);
  }
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(contact_colour(7), contact_colour(0));
}

TEST(PaletteTest, KeepsMeaningsApart) {
  const std::vector<Colour> meanings{kObjectFill,  kLink, kDesired, kMinimumLine,
                                     kWarningBand, kYes,  kNo,      kUndecided};
  for (std::size_t i = 0; i < meanings.size(); ++i) {
    for (std::size_t k = i + 1; k < meanings.size(); ++k) EXPECT_NE(meanings[i], meanings[k]);
  }
}

// ‖p − segment‖ = r on the whole outline, by the distance formula rather than by angles.
TEST(ShapesTest, PutsACapsuleAtConstantDistanceFromItsSegment) {
  const Point a{0.1, -0.2};
  const Point b{1.3, 0.7};
  for (const Point& p : capsule_outline(a, b, 0.25)) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double s = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    EXPECT_NEAR(std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy), 0.25, 1e-12);
  }
}

TEST(ShapesTest, PutsAnEllipseOnItsEquation) {
  for (const Point& p : ellipse_outline({1.0, 2.0}, 3.0, 0.5, 0.4)) {
    const double u = (p.x - 1.0) * std::cos(0.4) + (p.y - 2.0) * std::sin(0.4);
    const double v = -(p.x - 1.0) * std::sin(0.4) + (p.y - 2.0) * std::cos(0.4);
    EXPECT_NEAR(u * u / 9.0 + v * v / 0.25, 1.0, 1e-12);
  }
}

// tan of the angle between a side and the axis is μ when the half angle is atan μ.
TEST(ShapesTest, OpensAFrictionConeByItsCoefficient) {
  const double mu = 0.4;
  const std::vector<Point> cone = cone_outline({0.0, 0.0}, 0.0, std::atan(mu), 2.0);
  EXPECT_NEAR(cone[1].y / cone[1].x, -mu, 1e-12);
  EXPECT_NEAR(cone[2].y / cone[2].x, mu, 1e-12);
  EXPECT_THROW(static_cast<void>(cone_outline({}, 0.0, 0.0, 1.0)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::figure
