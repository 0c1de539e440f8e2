// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "enfold/figure/figure.hpp"

namespace enfold::figure {

/// A figure and the files it goes to; the extension picks the format: `.svg`, or `.png` at two pixels per px.
struct Job {
  Figure figure{};
  std::vector<std::filesystem::path> files{};
};

/// Draws figures to files. The same figure gives the same SVG, byte by byte, on the same installation.
///
/// All functions throw InvalidArgument for a figure that fails validate(), for one too small to hold its
/// text, and for an unknown extension; IoError when a file can't be written or the drawing program is missing
/// or fails, with what it said.
class Renderer {
 public:
  virtual ~Renderer() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Draws one figure to one file.
  virtual void render(const Figure& figure, const std::filesystem::path& file) const = 0;
  /// Draws all of them; much cheaper than one by one where starting the drawing program dominates.
  virtual void render_all(std::span<const Job> jobs) const = 0;
};

struct GnuplotOptions {
  /// Name looked up on PATH, or a path.
  std::string program = "gnuplot";
};

/// Runs gnuplot (5.4 or later, with the svg and pngcairo terminals) as a child process: one for all the jobs
/// of a call. No shell is involved, and no text of a figure can act as a command.
[[nodiscard]] std::unique_ptr<Renderer> make_gnuplot_renderer(const GnuplotOptions& options = {});

/// The script which the gnuplot renderer runs for these jobs. Throws InvalidArgument as Renderer does.
[[nodiscard]] std::string gnuplot_script(std::span<const Job> jobs);

/// Draws through Matplot++; nullptr when enfold was built without it.
[[nodiscard]] std::unique_ptr<Renderer> make_matplot_renderer();

/// The first of renderer_names().
[[nodiscard]] std::unique_ptr<Renderer> default_renderer();

/// Renderers that this build holds, preferred first: "matplot" if built in, then "gnuplot".
[[nodiscard]] std::vector<std::string> renderer_names();

/// The renderer of that name. Throws InvalidArgument, listing the names, for any other.
[[nodiscard]] std::unique_ptr<Renderer> make_renderer(std::string_view name);

}  // namespace enfold::figure
