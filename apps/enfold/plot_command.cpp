// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "run_job.hpp"

namespace enfold::app {
namespace {

struct Arguments {
  std::filesystem::path run;
  std::string renderer;
  bool quiet = false;
};

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
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return plot(*arguments); }; });
}

}  // namespace enfold::app
