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
      return "dt (9,6)";
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

class ScriptWriter {
 public:
  void add(const Job& job) {
    const Page page = lay_out(job.figure);
    first_block_ = next_block_;
    write_data(page.shapes);
    for (const Axes& axes : page.axes) write_data(axes.shapes);
    for (const std::filesystem::path& file : job.files) {
      write_terminal(page.size, format_of(file));
      // An absolute path: a name that starts with '|' would be run as a command.
      line("set output {}", gnuplot_quoted(std::filesystem::absolute(file).string()));
      line("set multiplot");
      block_ = first_block_;
      write_page(page);
      for (const Axes& axes : page.axes) write_axes(axes, page.size);
      line("unset multiplot\nunset output");
    }
    // Data of figures that are done would only take memory.
    for (int k = first_block_; k < next_block_; ++k) line("undefine $d{}", k);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void write_data(const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      line("$d{} << EOD", next_block_++);
      std::visit(
          [&](const auto& s) {
            bool gap = true;
            for (const Point& p : s.points) {
              const bool finite = std::isfinite(p.x) && std::isfinite(p.y);
              if (finite) line("{:.9g} {:.9g}", p.x, p.y);
              if (!finite && !gap) out_ += '\n';  // a blank line breaks the line; two would end the data set
              gap = !finite;
            }
          },
          shape);
      line("EOD");
    }
  }

  void write_terminal(const Size& size, Format format) {
    const long w = std::lround(size.width);
    const long h = std::lround(size.height);
    if (format == Format::kSvg) {
      line(
          "set terminal svg size {},{} fixed enhanced font \"{},12\" rounded linewidth 1 background rgb "
          "\"white\"",
          w, h, kFont);
    } else {
      line(
          "set terminal pngcairo size {},{} enhanced font \"{},12\" rounded fontscale {} linewidth {} "
          "dashlength {} background rgb \"white\"",
          kPngScale * w, kPngScale * h, kFont, kPngFontScale, kPngScale, kPngDashScale);
    }
    line("reset\nset encoding utf8\nset decimalsign \".\"\nunset key\nset clip one\nset clip two");
    line("set style fill solid 1.0 noborder");
  }

  void write_words(const std::vector<Words>& words) {
    int tag = 0;
    for (const Words& w : words) {
      const bool plain = w.text.markup == Markup::kPlain;
      line("set label {} {} at first {:.9g},{:.9g} {} {} font \"{}{},{:.4g}\" textcolor {} {} front", ++tag,
           gnuplot_quoted(plain ? w.text.text : enhanced_text(w.text)), w.at.x, w.at.y, align_word(w.align),
           w.upright ? "rotate by 90" : "norotate", kFont, w.bold ? ":Bold" : "", w.size, rgb(w.colour),
           plain ? "noenhanced" : "enhanced");
    }
  }

  void write_plot(const std::vector<Shape>& shapes) {
    // With nothing to plot the axes still appear.
    out_ += "plot NaN notitle";
    for (const Shape& shape : shapes) {
      out_ += fmt::format(", \\\n  $d{} using 1:2 ", block_++);
      out_ += std::visit([](const auto& s) { return style(s); }, shape);
      out_ += " notitle";
    }
    out_ += '\n';
  }
  static std::string style(const Stroke& s) {
    return fmt::format("with lines lc {} lw {:.4g} {}", rgb(s.colour, s.opacity), s.width, dash_type(s.dash));
  }
  static std::string style(const Fill& s) {
    return fmt::format("with filledcurves closed fc {}", rgb(s.colour, s.opacity));
  }

  void write_view(const Rect& rect, const Size& size, const Range& x, const Range& y) {
    line("set lmargin at screen {:.9g}\nset rmargin at screen {:.9g}", rect.left / size.width,
         (rect.left + rect.width) / size.width);
    line("set bmargin at screen {:.9g}\nset tmargin at screen {:.9g}", rect.bottom / size.height,
         (rect.bottom + rect.height) / size.height);
    line("set xrange [{:.12g}:{:.12g}] noextend\nset yrange [{:.12g}:{:.12g}] noextend", x.lower, x.upper,
         y.lower, y.upper);
  }

  void write_page(const Page& page) {
    write_view({0.0, 0.0, page.size.width, page.size.height}, page.size, {0.0, page.size.width},
               {0.0, page.size.height});
    line("unset border\nunset tics\nunset grid");
    write_words(page.words);
    write_plot(page.shapes);
  }

  void write_axes(const Axes& axes, const Size& size) {
    line("unset label\nunset tics\nunset grid");
    write_view(axes.rect, size, axes.x, axes.y);
    if (axes.frame == Frame::kNone) {
      line("unset border");
    } else {
      line("set border {} back lw 0.9 lc {}", axes.frame == Frame::kBox ? 15 : 3, rgb(kAxisColour));
      write_ticks("xtics", axes.x_ticks);
      write_ticks("ytics", axes.y_ticks);
      if (axes.frame == Frame::kOpen)
        line("set grid xtics ytics back lt 1 lw 0.8 dt solid lc {}", rgb(kGridColour));
    }
    write_words(axes.words);
    write_plot(axes.shapes);
  }

  // Labels of ticks are words of the page; minor ticks (level 1) get no grid line.
  void write_ticks(const char* axis, const std::vector<Tick>& ticks) {
    if (ticks.empty()) return;
    std::string list;
    for (const Tick& t : ticks) {
      list += fmt::format("{}\"\" {:.12g}{}", list.empty() ? "" : ", ", t.at, t.label.empty() ? " 1" : "");
    }
    line("set {} nomirror out scale 0.6,0.35 ({})", axis, list);
  }

  std::string out_{};
  int next_block_ = 0;   // number of the next data block
  int first_block_ = 0;  // of the figure being written
  int block_ = 0;        // being plotted
};

}  // namespace

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
