// SPDX-License-Identifier: BSD-3-Clause
#include "gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "enfold/base/require.hpp"
#include "enfold/figure/renderer.hpp"
#include "page.hpp"
#include "text.hpp"

namespace enfold::figure {
namespace {

constexpr int kPngScale = 2;
constexpr double kPngDashScale = 1.3 * kPngScale;   // by eye: dashes as long as in the SVG
constexpr double kPngFontScale = 0.75 * kPngScale;  // pngcairo sizes fonts in pt, 3/4 of a px

std::string rgb(Colour colour, double opacity = 1.0) {
  // gnuplot's first byte is transparency: 00 is opaque.
  const int clear = static_cast<int>(std::lround(255.0 * (1.0 - opacity)));
  return fmt::format("rgb \"#{:02x}{:02x}{:02x}{:02x}\"", clear, colour.r, colour.g, colour.b);
}

std::string dash_type(Dash dash) {
  switch (dash) {
    case Dash::kSolid:
      return "dt solid";
    case Dash::kDashed:
      return "dt (7,5)";
    case Dash::kDotted:
      return "dt (2,5)";
    case Dash::kDashDot:
      return "dt (11,5,2,5)";
  }
  return "dt solid";
}

const char* align_word(Align align) {
  switch (align) {
    case Align::kLeft:
      return "left";
    case Align::kCentre:
      return "center";
    case Align::kRight:
      return "right";
  }
  return "left";
}

std::string style(const Stroke& s) {
  return fmt::format("with lines lc {} lw {:.4g} {}", rgb(s.colour, s.opacity), s.width, dash_type(s.dash));
}
std::string style(const Fill& s) {
  return fmt::format("with filledcurves closed fc {}", rgb(s.colour, s.opacity));
}

// Labels of ticks are words of the page; minor ticks (level 1) get no grid line.
std::string tick_command(const char* axis, const std::vector<Tick>& ticks) {
  if (ticks.empty()) return {};
  std::string list;
  for (const Tick& t : ticks) {
    list += fmt::format("{}\"\" {:.12g}{}", list.empty() ? "" : ", ", t.at, t.label.empty() ? " 1" : "");
  }
  return fmt::format("set {} nomirror out scale 0.6,0.35 ({})\n", axis, list);
}

std::string range_commands(const Range& x, const Range& y) {
  return fmt::format("set xrange [{:.12g}:{:.12g}] noextend\nset yrange [{:.12g}:{:.12g}] noextend\n",
                     x.lower, x.upper, y.lower, y.upper);
}

std::string margin_commands(const Rect& rect, const Size& size) {
  return fmt::format(
      "set lmargin at screen {:.9g}\nset rmargin at screen {:.9g}\nset bmargin at screen {:.9g}\n"
      "set tmargin at screen {:.9g}\n",
      rect.left / size.width, (rect.left + rect.width) / size.width, rect.bottom / size.height,
      (rect.bottom + rect.height) / size.height);
}

class ScriptWriter {
 public:
  void add(const Job& job) {
    const Page page = lay_out(job.figure);
    const int first = next_block_;
    write_data(page.shapes);
    for (const Axes& axes : page.axes) write_data(axes.shapes);
    for (const std::filesystem::path& file : job.files) {
      out_ += open_commands(page.size, file);
      out_ += "set multiplot\n";
      block_ = first;
      const Rect whole{0.0, 0.0, page.size.width, page.size.height};
      out_ += margin_commands(whole, page.size);
      out_ += "unset border\nunset tics\n";
      out_ += range_commands({0.0, page.size.width}, {0.0, page.size.height});
      out_ += label_commands(page.words);
      write_plot(page.shapes);
      for (const Axes& axes : page.axes) {
        out_ += margin_commands(axes.rect, page.size);
        out_ += axes_commands(axes);
        out_ += label_commands(axes.words);
        write_plot(axes.shapes);
      }
      out_ += "unset multiplot\nunset output\n";
    }
    // Data of figures that are done would only take memory.
    for (int k = first; k < next_block_; ++k) out_ += fmt::format("undefine $d{}\n", k);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_data(const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      out_ += fmt::format("$d{} << EOD\n", next_block_++);
      out_ += data_rows(shape);
      out_ += "EOD\n";
    }
  }

  void write_plot(const std::vector<Shape>& shapes) {
    // With nothing to plot the axes still appear.
    out_ += "plot NaN notitle";
    for (const Shape& shape : shapes) out_ += fmt::format(", \\\n  $d{} {}", block_++, plot_style(shape));
    out_ += '\n';
  }

  std::string out_{};
  int next_block_ = 0;  // number of the next data block
  int block_ = 0;       // being plotted
};

}  // namespace

std::string open_commands(const Size& size, const std::filesystem::path& file) {
  const long w = std::lround(size.width);
  const long h = std::lround(size.height);
  std::string out;
  if (format_of(file) == Format::kSvg) {
    out = fmt::format(
        "set terminal svg size {},{} fixed enhanced font \"{},12\" rounded linewidth 1 background rgb "
        "\"white\"\n",
        w, h, kFont);
  } else {
    out = fmt::format(
        "set terminal pngcairo size {},{} enhanced font \"{},12\" rounded fontscale {} linewidth {} "
        "dashlength {} "
        "background rgb \"white\"\n",
        kPngScale * w, kPngScale * h, kFont, kPngFontScale, kPngScale, kPngDashScale);
  }
  out += "reset\nset encoding utf8\nset decimalsign \".\"\nunset key\nset clip one\nset clip two\n";
  out += "set style fill solid 1.0 noborder\n";
  // An absolute path: a name that starts with '|' would be run as a command.
  out += fmt::format("set output {}\n", gnuplot_quoted(std::filesystem::absolute(file).string()));
  return out;
}

std::string axes_commands(const Axes& axes) {
  std::string out = "unset label\nunset tics\nunset grid\nunset border\n";
  out += range_commands(axes.x, axes.y);
  if (axes.frame == Frame::kNone) return out;
  out +=
      fmt::format("set border {} back lw 0.9 lc {}\n", axes.frame == Frame::kBox ? 15 : 3, rgb(kAxisColour));
  out += tick_command("xtics", axes.x_ticks);
  out += tick_command("ytics", axes.y_ticks);
  if (axes.frame == Frame::kOpen) {
    out += fmt::format("set grid xtics ytics back lt 1 lw 0.8 dt solid lc {}\n", rgb(kGridColour));
  }
  return out;
}

std::string label_commands(const std::vector<Words>& words) {
  std::string out;
  int tag = 0;
  for (const Words& w : words) {
    const bool plain = w.text.markup == Markup::kPlain;
    out += fmt::format(
        "set label {} {} at first {:.9g},{:.9g} {} {} font \"{}{},{:.4g}\" textcolor {} {} front\n", ++tag,
        gnuplot_quoted(plain ? w.text.text : enhanced_text(w.text)), w.at.x, w.at.y, align_word(w.align),
        w.upright ? "rotate by 90" : "norotate", kFont, w.bold ? ":Bold" : "", w.size, rgb(w.colour),
        plain ? "noenhanced" : "enhanced");
  }
  return out;
}

std::string data_rows(const Shape& shape) {
  const std::vector<Point>& points =
      std::visit([](const auto& s) -> const std::vector<Point>& { return s.points; }, shape);
  std::string out;
  bool gap = true;  // two blank lines would end the data set
  for (const Point& p : points) {
    const bool finite = std::isfinite(p.x) && std::isfinite(p.y);
    if (finite) fmt::format_to(std::back_inserter(out), "{:.9g} {:.9g}\n", p.x, p.y);
    if (!finite && !gap) out += '\n';
    gap = !finite;
  }
  return out;
}

std::string plot_style(const Shape& shape) {
  return fmt::format("using 1:2 {} notitle", std::visit([](const auto& s) { return style(s); }, shape));
}

Format format_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  ENFOLD_REQUIRE(extension == ".svg" || extension == ".png",
                 "figure file '{}': extension '{}', expected .svg or .png", file.string(), extension);
  return extension == ".svg" ? Format::kSvg : Format::kPng;
}

std::string gnuplot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool harmless = std::isalnum(byte) != 0 || byte >= 0x80 ||
                          std::string_view(" .,:;+-*/=()[]<>|!?_%'").find(c) != std::string_view::npos;
    // Octal escapes hide quotes, back-quotes, macros and braces from gnuplot's scanner.
    out += harmless ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned>(byte));
  }
  return out + '"';
}

std::string gnuplot_script(std::span<const Job> jobs) {
  ScriptWriter writer;
  for (const Job& job : jobs) writer.add(job);
  return writer.take();
}

}  // namespace enfold::figure
