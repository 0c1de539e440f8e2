// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numeric>

#include "enfold/base/require.hpp"
#include "legend.hpp"
#include "lower.hpp"
#include "page.hpp"
#include "text.hpp"

namespace enfold::figure {
namespace {

// Distances [px].
constexpr double kPagePad = 12.0;
constexpr double kCellGap = 14.0;    // between the cells of neighbouring panels
constexpr double kSharedGap = 8.0;   // between rows that share their x axis
constexpr double kTickLength = 5.0;  // with the gap to its label
constexpr double kLabelGap = 7.0;    // between tick labels and axis label
constexpr double kLegendGap = 14.0;  // between axes and legend
constexpr double kStripHeight = 22.0;
constexpr double kSmallestSide = 24.0;  // axes smaller than this show nothing
constexpr double kLineSpacing = 1.25;
constexpr double kSmall = 0.9;       // size of ticks and legends relative to the font size
constexpr double kTitle = 1.15;      // size of the figure's title
constexpr double kBoldWidth = 1.12;  // of bold text relative to regular

// Margins depend on how text wraps, wrapping on the room that the margins leave. It settles in two rounds.
constexpr int kRounds = 4;

struct PanelPlan {
  const Panel* panel = nullptr;
  DataRange data{};
  bool x_labels = true;  // false: a panel below, with the same x axis, has them
  std::vector<LegendEntry> entries{};
  // Room of the axes, from the last round [px].
  double width = 0.0;
  double height = 0.0;
  // What follows from it.
  DataRange range{};
  std::vector<Tick> x_ticks{};
  std::vector<Tick> y_ticks{};
  std::vector<Label> title{};
  std::vector<Label> x_label{};
  std::vector<Label> y_label{};
  LegendBlock legend{};
  double tick_width = 0.0;  // of the widest y tick or strip label
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
};

bool is_strip(const Panel& panel) {
  return !panel.strips.empty();
}
double block_height(const std::vector<Label>& lines, double size) {
  return static_cast<double>(lines.size()) * kLineSpacing * size;
}

class Layout {
 public:
  explicit Layout(const Figure& figure)
      : figure_(figure), font_(figure.font_size), small_(kSmall * figure.font_size) {
    plan_panels();
    for (int round = 0; round < kRounds; ++round) {
      plan_page();
      for (PanelPlan& plan : plans_) plan_panel(plan);
      place_grid();
    }
  }

  [[nodiscard]] Page page() const {
    Page page;
    page.size = figure_.size;
    draw_page_text(page);
    for (const PanelPlan& plan : plans_) draw_panel(plan, page);
    return page;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void plan_panels() {
    const double cell_width = figure_.size.width / figure_.columns;
    const double cell_height = figure_.size.height / figure_.rows;
    for (const Panel& panel : figure_.panels) {
      PanelPlan plan;
      plan.panel = &panel;
      plan.data = data_range(panel);
      collect_legend(panel, plan.entries);
      plan.width = 0.7 * cell_width;
      plan.height = 0.7 * cell_height;
      if (figure_.legend != LegendPlacement::kNone) collect_legend(panel, entries_);
      plans_.push_back(std::move(plan));
    }
    if (!figure_.share_x) return;
    for (PanelPlan& plan : plans_) {
      for (const PanelPlan& other : plans_) {
        if (other.panel->column == plan.panel->column && other.panel->row > plan.panel->row)
          plan.x_labels = false;
      }
    }
    share_ranges();
  }

  // An explicit x range in a column holds for all of it; else the union of the data's.
  void share_ranges() {
    for (int column = 0; column < figure_.columns; ++column) {
      bool fixed = false;
      bool first = true;
      Range shared{};
      for (const PanelPlan& plan : plans_) {
        if (plan.panel->column != column || fixed) continue;
        fixed = plan.panel->x_range.has_value();
        const Range& x = plan.data.x;
        shared = first || fixed ? x : Range{std::min(shared.lower, x.lower), std::max(shared.upper, x.upper)};
        first = false;
      }
      for (PanelPlan& plan : plans_) {
        if (plan.panel->column == column) plan.data.x = shared;
      }
    }
  }

  void plan_page() {
    const double room = figure_.size.width - 2.0 * kPagePad;
    title_ = wrap_text(figure_.title, kTitle * kBoldWidth * font_, room);
    const double high = figure_.size.height - 2.0 * kPagePad - title_height();
    const bool right = figure_.legend == LegendPlacement::kRight;
    legend_ = arrange_legend(entries_, figure_.legend, small_, right ? 0.35 * room : room, high);
  }
  [[nodiscard]] double title_height() const {
    return title_.empty() ? 0.0 : block_height(title_, kTitle * font_) + 6.0;
  }

  void plan_panel(PanelPlan& plan) const {
    const Panel& panel = *plan.panel;
    fit_range(plan);
    const bool axes = panel.show_axes;
    const bool strip = is_strip(panel);
    plan.x_ticks = axes ? fit_x_ticks(plan) : std::vector<Tick>{};
    plan.y_ticks.clear();
    plan.tick_width = 0.0;
    if (axes && !strip) {
      const int count = std::clamp(static_cast<int>(plan.height / (2.6 * small_)), 2, 8);
      plan.y_ticks = make_ticks(plan.range.y, panel.y_scale, count);
      for (const Tick& t : plan.y_ticks)
        plan.tick_width = std::max(plan.tick_width, text_width(t.label, small_));
    }
    for (const Strip& s : panel.strips) {
      plan.tick_width = std::max(plan.tick_width, text_width(strip_label(s), small_));
    }
    plan.title = wrap_text(panel.title, font_, plan.width);
    plan.x_label = axes && plan.x_labels ? wrap_text(panel.x_label, font_, plan.width) : std::vector<Label>{};
    // A little longer than the axes is fine: there is a gap above and below.
    plan.y_label =
        axes && !strip ? wrap_text(panel.y_label, font_, plan.height + kSharedGap) : std::vector<Label>{};
    const bool legend_right = panel.legend == LegendPlacement::kRight;
    plan.legend = arrange_legend(plan.entries, panel.legend, small_,
                                 legend_right ? 0.35 * figure_.size.width : plan.width,
                                 strip ? plan.height + plan.bottom : plan.height);
    set_margins(plan);
  }

  [[nodiscard]] Label strip_label(const Strip& strip) const {
    return elide_text(strip.label, small_, 0.3 * figure_.size.width);
  }

  // Widens the data's range until one unit is as long in x as in y.
  static void fit_range(PanelPlan& plan) {
    plan.range = plan.data;
    if (!plan.panel->equal_aspect || (plan.panel->x_range && plan.panel->y_range)) return;
    Range& x = plan.range.x;
    Range& y = plan.range.y;
    const double units_per_px = std::max((x.upper - x.lower) / plan.width, (y.upper - y.lower) / plan.height);
    const auto widen = [](Range& r, double width) {
      const double middle = 0.5 * (r.lower + r.upper);
      r = {middle - 0.5 * width, middle + 0.5 * width};
    };
    widen(x, units_per_px * plan.width);
    widen(y, units_per_px * plan.height);
  }

  [[nodiscard]] std::vector<Tick> fit_x_ticks(const PanelPlan& plan) const {
    std::vector<Tick> ticks;
    for (int count = 11; count >= 2; --count) {
      ticks = make_ticks(plan.range.x, plan.panel->x_scale, count);
      double widest = 0.0;
      int labelled = 0;
      for (const Tick& t : ticks) {
        widest = std::max(widest, text_width(t.label, small_));
        labelled += t.label.empty() ? 0 : 1;
      }
      if (labelled * (widest + 1.6 * small_) <= plan.width) break;
    }
    return ticks;
  }

  void set_margins(PanelPlan& plan) const {
    const Panel& panel = *plan.panel;
    plan.left = plan.tick_width > 0.0 ? plan.tick_width + kTickLength + 3.0 : 0.0;
    plan.bottom = 0.0;
    if (panel.show_axes) plan.bottom = plan.x_labels ? kTickLength + 1.5 * small_ : 0.0;
    if (!plan.x_label.empty()) plan.bottom += 2.0 + block_height(plan.x_label, font_);
    plan.top = plan.title.empty() ? 0.0 : block_height(plan.title, font_) + 4.0;
    // Half a tick label sticks out at the right and at the top of the axes.
    plan.right = 0.0;
    if (panel.show_axes && plan.x_labels && !plan.x_ticks.empty()) {
      plan.right = 0.5 * text_width(plan.x_ticks.back().label, small_);
      plan.left = std::max(plan.left, 0.5 * text_width(plan.x_ticks.front().label, small_));
    }
    if (!plan.y_ticks.empty()) plan.top = std::max(plan.top, 0.5 * small_);
    if (plan.legend.entries.empty()) return;
    if (panel.legend == LegendPlacement::kRight) plan.right = kLegendGap + plan.legend.width();
    if (panel.legend == LegendPlacement::kAbove) plan.top += plan.legend.height() + 4.0;
  }

  // Frames of a row are level and frames of a column flush: the largest margin of each counts for all.
  void place_grid() {
    std::vector<double> left(at(figure_.columns), 0.0), right = left;
    std::vector<double> top(at(figure_.rows), 0.0), bottom = top, strips = top;
    std::vector<bool> has_axes(at(figure_.rows), false);
    for (const PanelPlan& plan : plans_) {
      const std::size_t c = at(plan.panel->column);
      const std::size_t r = at(plan.panel->row);
      left[c] = std::max({left[c], plan.left, y_label_reach(plan)});
      right[c] = std::max(right[c], plan.right);
      top[r] = std::max(top[r], plan.top);
      bottom[r] = std::max(bottom[r], plan.bottom);
      strips[r] = std::max(strips[r], kStripHeight * static_cast<double>(plan.panel->strips.size()));
      if (!is_strip(*plan.panel)) has_axes[r] = true;
    }
    const double legend_width = figure_.legend == LegendPlacement::kRight && !legend_.entries.empty()
                                    ? legend_.width() + kLegendGap
                                    : 0.0;
    const double legend_height =
        figure_.legend == LegendPlacement::kAbove && !legend_.entries.empty() ? legend_.height() + 8.0 : 0.0;
    const double body_width = figure_.size.width - 2.0 * kPagePad - legend_width;
    const double row_gap = figure_.share_x ? kSharedGap : kCellGap;
    body_top_ = figure_.size.height - kPagePad - title_height() - legend_height;
    const double body_height = body_top_ - kPagePad;

    const double free_width = body_width - sum(left) - sum(right) - kCellGap * (figure_.columns - 1);
    const std::vector<double> widths = share(free_width, figure_.column_weights, at(figure_.columns), {});
    std::vector<double> fixed(at(figure_.rows), 0.0);
    for (std::size_t r = 0; r < fixed.size(); ++r) fixed[r] = has_axes[r] ? 0.0 : strips[r];
    const double free_height = body_height - sum(top) - sum(bottom) - row_gap * (figure_.rows - 1);
    const std::vector<double> heights = share(free_height, figure_.row_weights, at(figure_.rows), fixed);

    column_left_.assign(at(figure_.columns), 0.0);
    double x = kPagePad;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      column_left_[c] = x + left[c];
      x += left[c] + widths[c] + right[c] + kCellGap;
    }
    row_bottom_.assign(at(figure_.rows), 0.0);
    double y = body_top_;
    for (std::size_t r = 0; r < heights.size(); ++r) {
      row_bottom_[r] = y - top[r] - heights[r];
      y = row_bottom_[r] - bottom[r] - row_gap;
    }
    for (PanelPlan& plan : plans_) {
      plan.width = widths[at(plan.panel->column)];
      plan.height = heights[at(plan.panel->row)];
      const double smallest = is_strip(*plan.panel) ? 0.5 * kStripHeight : kSmallestSide;
      ENFOLD_REQUIRE(
          plan.width >= kSmallestSide && plan.height >= smallest,
          "lay_out: a page of {} × {} px leaves {:.0f} × {:.0f} px to the axes in row {}, column {}, "
          "expected at least {} × {}",
          figure_.size.width, figure_.size.height, plan.width, plan.height, plan.panel->row,
          plan.panel->column, kSmallestSide, smallest);
    }
  }

  static double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
  static std::vector<double> share(double total, const std::vector<double>& weights, std::size_t n,
                                   const std::vector<double>& fixed) {
    std::vector<double> parts(n, 0.0);
    double all = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const bool free = fixed.empty() || fixed[i] <= 0.0;
      if (free) all += weights.empty() ? 1.0 : weights[i];
      if (!free) total -= fixed[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const bool free = fixed.empty() || fixed[i] <= 0.0;
      parts[i] = free ? total * (weights.empty() ? 1.0 : weights[i]) / all : fixed[i];
    }
    return parts;
  }

  // Lines of text below one another, the first with its upper edge at `top`.
  void draw_lines(const std::vector<Label>& lines, Point top, double size, bool bold, Page& page) const {
    double y = top.y - 0.5 * kLineSpacing * size;
    for (const Label& line : lines) {
      page.words.push_back({{top.x, y}, line, size, kTextColour, Align::kCentre, false, bold});
      y -= kLineSpacing * size;
    }
  }

  void draw_page_text(Page& page) const {
    const double middle = 0.5 * figure_.size.width;
    draw_lines(title_, {middle, figure_.size.height - kPagePad}, kTitle * font_, true, page);
    if (legend_.entries.empty()) return;
    const double right = figure_.size.width - kPagePad - legend_.width();
    const double top = body_top_ + legend_.height() + 8.0;
    const bool above = figure_.legend == LegendPlacement::kAbove;
    draw_legend(legend_, above ? Point{middle - 0.5 * legend_.width(), top} : Point{right, body_top_}, page);
  }

  // Where both ranges are given the axes shrink, not the ranges grow, to make the aspect equal.
  [[nodiscard]] static Rect equal_rect(const PanelPlan& plan, Rect rect) {
    if (!plan.panel->equal_aspect) return rect;
    const double nx = plan.range.x.upper - plan.range.x.lower;
    const double ny = plan.range.y.upper - plan.range.y.lower;
    const double unit = std::min(rect.width / nx, rect.height / ny);
    return {rect.left + 0.5 * (rect.width - unit * nx), rect.bottom + 0.5 * (rect.height - unit * ny),
            unit * nx, unit * ny};
  }

  void draw_panel(const PanelPlan& plan, Page& page) const {
    const Panel& panel = *plan.panel;
    Axes axes;
    PanelPlan final_plan = plan;
    fit_range(final_plan);  // to the room of the last round
    axes.rect = equal_rect(
        final_plan, {column_left_[at(panel.column)], row_bottom_[at(panel.row)], plan.width, plan.height});
    axes.x = final_plan.range.x;
    axes.y = final_plan.range.y;
    axes.x_ticks = plan.x_ticks;
    axes.y_ticks = plan.y_ticks;
    axes.frame = is_strip(panel) ? Frame::kBox : (panel.show_axes ? Frame::kOpen : Frame::kNone);
    lower_panel(panel, font_, axes);
    draw_tick_labels(plan, axes, page);
    draw_labels(plan, axes.rect, page);
    page.axes.push_back(std::move(axes));
  }

  void draw_tick_labels(const PanelPlan& plan, const Axes& axes, Page& page) const {
    const Rect& r = axes.rect;
    if (plan.x_labels) {
      for (const Tick& t : axes.x_ticks) {
        const double x = r.left + r.width * (t.at - axes.x.lower) / (axes.x.upper - axes.x.lower);
        const Point p{x, r.bottom - kTickLength - 0.75 * small_};
        if (!t.label.empty())
          page.words.push_back({p, t.label, small_, kTextColour, Align::kCentre, false, false});
      }
    }
    for (const Tick& t : axes.y_ticks) {
      const double y = r.bottom + r.height * (t.at - axes.y.lower) / (axes.y.upper - axes.y.lower);
      const Point p{r.left - kTickLength - 3.0, y};
      if (!t.label.empty())
        page.words.push_back({p, t.label, small_, kTextColour, Align::kRight, false, false});
    }
    double top = static_cast<double>(plan.panel->strips.size());
    for (const Strip& strip : plan.panel->strips) {
      const double y = r.bottom + r.height * (top - 0.5) / static_cast<double>(plan.panel->strips.size());
      const Point p{r.left - kTickLength - 3.0, y};
      if (!strip.label.empty()) {
        page.words.push_back({p, strip_label(strip), small_, kTextColour, Align::kRight, false, false});
      }
      top -= 1.0;
    }
  }

  void draw_labels(const PanelPlan& plan, const Rect& r, Page& page) const {
    const double middle = r.left + 0.5 * r.width;
    const double above = plan.legend.placement == LegendPlacement::kAbove ? plan.legend.height() + 4.0 : 0.0;
    const double title_top = r.bottom + r.height + above + 4.0 + block_height(plan.title, font_);
    draw_lines(plan.title, {middle, title_top}, font_, false, page);
    draw_lines(plan.x_label, {middle, r.bottom - kTickLength - 1.5 * small_ - 2.0}, font_, false, page);
    // Axis labels of a column are flush too: they stand left of the widest tick labels of the column.
    double x = r.left - y_label_reach(plan);
    for (const Label& line : plan.y_label) {
      const Point p{x + 0.5 * kLineSpacing * font_, r.bottom + 0.5 * r.height};
      page.words.push_back({p, line, font_, kTextColour, Align::kCentre, true, false});
      x += kLineSpacing * font_;
    }
    if (plan.legend.entries.empty()) return;
    if (plan.legend.placement == LegendPlacement::kAbove) {
      draw_legend(plan.legend, {middle - 0.5 * plan.legend.width(), r.bottom + r.height + above}, page);
    } else {
      // Beside a strip the first entry is level with it, the others go below.
      const double pitch = plan.legend.height() / plan.legend.rows;
      const double top = r.bottom + (is_strip(*plan.panel) ? 0.5 * (r.height + pitch) : r.height);
      draw_legend(plan.legend, {r.left + r.width + kLegendGap, top}, page);
    }
  }

  // How far the y label reaches to the left of the axes, clear of the widest tick labels of its column.
  [[nodiscard]] double y_label_reach(const PanelPlan& plan) const {
    if (plan.y_label.empty()) return 0.0;
    double widest = 0.0;
    for (const PanelPlan& other : plans_) {
      const bool counts = other.panel->column == plan.panel->column && !is_strip(*other.panel);
      if (counts) widest = std::max(widest, other.tick_width);
    }
    return widest + kTickLength + 3.0 + kLabelGap + block_height(plan.y_label, font_);
  }

  const Figure& figure_;
  double font_;
  double small_;
  std::vector<PanelPlan> plans_{};
  std::vector<LegendEntry> entries_{};
  std::vector<Label> title_{};
  LegendBlock legend_{};
  double body_top_ = 0.0;
  std::vector<double> column_left_{};
  std::vector<double> row_bottom_{};
};

}  // namespace

Page lay_out(const Figure& figure) {
  validate(figure);
  return Layout(figure).page();
}

}  // namespace enfold::figure
