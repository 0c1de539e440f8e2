// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/film.hpp"
#include "enfold/figure/renderer.hpp"
#include "run_job.hpp"
#include "snapshot_figure.hpp"

namespace enfold::app {
namespace {

struct Arguments {
  std::filesystem::path run;
  std::string renderer;
  bool animate = false;
  bool quiet = false;
};

/// At least 4 s and at most 15 s of film, whatever the run's length, at 20 frames a second.
std::vector<std::filesystem::path> write_run_film(const std::filesystem::path& folder,
                                                  const models::GraspModel& model,
                                                  const io::Scenario& scenario, const sim::History& history,
                                                  const std::string& name) {
  const figure::FilmOptions options;
  const double start = history.samples.front().time;
  const double length = history.samples.back().time - start;
  const double seconds = std::clamp(length, 4.0, 15.0);
  const auto count = static_cast<std::size_t>(seconds * options.frames_per_second);
  const double speed = length / seconds;
  std::vector<Scene> scenes;
  std::size_t k = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    const double t = start + length * static_cast<double>(i) / static_cast<double>(count);
    while (k + 1 < history.samples.size() && history.samples[k + 1].time <= t + 1e-9) ++k;
    scenes.push_back({&history.samples[k],
                      fmt::format("t = {:.3f} s at {:.3g} × real time", history.samples[k].time, speed)});
  }
  const RunFigureInput input{.history = history, .model = model, .title = scenario.name};
  const std::filesystem::path figures = folder / "figures";
  std::filesystem::create_directories(figures);
  const std::vector<std::filesystem::path> files = {figures / (name + ".gif"), figures / (name + ".mp4")};
  figure::write_film(film_figures(input, scenes), files, options);
  return files;
}

ExitCode plot(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = io::read_run_scenario(arguments.run);
  const sim::History history = io::read_history(arguments.run);
  if (history.samples.empty())
    throw IoError(fmt::format("'{}' holds no recorded instant to draw", arguments.run.string()));
  const models::GraspModel model = models::make_grasp_model(scenario);
  for (const std::filesystem::path& file :
       draw_run_figures(arguments.run, model, scenario, history, arguments.renderer)) {
    console.say("{}", file.string());
  }
  if (arguments.animate) {
    for (const std::filesystem::path& file :
         write_run_film(arguments.run, model, scenario, history, "animation"))
      console.say("{}", file.string());
  }
  return ExitCode::kDone;
}

}  // namespace

void add_plot_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("plot", "draw the figures of a run again");
  command->add_option("run", arguments->run, "run folder")->required()->type_name("RUN");
  command
      ->add_option("--renderer", arguments->renderer,
                   "drawn by: gnuplot, or matplot where Matplot++ was built in")
      ->check(CLI::IsMember(figure::renderer_names()));
  command->add_flag("--animate", arguments->animate,
                    "also write figures/animation.gif and .mp4, for slides (needs ffmpeg)");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return plot(*arguments); }; });
}

}  // namespace enfold::app
