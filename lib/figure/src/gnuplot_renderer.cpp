// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "child_process.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "gnuplot_run.hpp"
#include "output_file.hpp"

namespace enfold::figure {
namespace {

ChildResult run_gnuplot(const std::string& script, const GnuplotOptions& options) {
  try {
    // -d: a user's start-up files must not change figures.
    return run_child({options.program, "-d"}, script);
  } catch (const IoError& e) {
    throw IoError(fmt::format("{}; figures need gnuplot 5.4 or later (Debian: gnuplot-nox)", e.what()));
  }
}

class GnuplotRenderer final : public Renderer {
 public:
  explicit GnuplotRenderer(GnuplotOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "gnuplot"; }

  void render(const Figure& figure, const std::filesystem::path& file) const override {
    const Job job{figure, {file}};
    render_all({&job, 1});
  }

  void render_all(std::span<const Job> jobs) const override {
    draw_script(gnuplot_script(jobs), jobs, options_);
  }

 private:
  GnuplotOptions options_;
};

}  // namespace

void draw_script(const std::string& script, std::span<const Job> jobs, const GnuplotOptions& options) {
  if (script.empty()) return;
  for (const Job& job : jobs) {
    for (const std::filesystem::path& file : job.files) prepare_output(file);
  }
  const ChildResult result = run_gnuplot(script, options);
  if (result.exit_code != 0) {
    throw IoError(fmt::format("gnuplot failed (exit code {}):\n{}", result.exit_code, result.said));
  }
  for (const Job& job : jobs) {
    for (const std::filesystem::path& file : job.files) finish_output(file, result.said);
  }
}

std::unique_ptr<Renderer> make_gnuplot_renderer(const GnuplotOptions& options) {
  return std::make_unique<GnuplotRenderer>(options);
}

}  // namespace enfold::figure
