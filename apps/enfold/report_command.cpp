// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "enfold/io/file.hpp"
#include "report/report_page.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<fs::path> runs;
  fs::path out;
  bool quiet = false;
};

ExitCode report(const Arguments& arguments) {
  const Console console(arguments.quiet);
  fs::path file = arguments.out;
  if (file.empty())
    file = arguments.runs.front() / (arguments.runs.size() == 1 ? "report.html" : "comparison.html");
  io::write_file(file, report_page(arguments.runs));
  console.say("{}", file.string());
  return ExitCode::kDone;
}

}  // namespace

void add_report_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "report", "a page to explore a run in a browser, or several runs over each other");
  command
      ->add_option("run", arguments->runs,
                   "run folders; with several, the first is what the others are compared with")
      ->required()
      ->type_name("RUN");
  command
      ->add_option("--out", arguments->out,
                   "the page (default: report.html, or comparison.html, in the first run folder)")
      ->type_name("FILE");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return report(*arguments); }; });
}

}  // namespace enfold::app
