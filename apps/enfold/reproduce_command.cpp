// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/io/file.hpp"
#include "report/report_page.hpp"
#include "song2001.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string paper;
  OutputArguments output;
  bool quiet = false;
};

std::string verdict_text(const io::Verdict& verdict) {
  switch (verdict.status) {
    case io::VerdictStatus::kReproduced:
      return "reproduced";
    case io::VerdictStatus::kUnderReading:
      return fmt::format("reproduced under reading {}", verdict.reading);
    case io::VerdictStatus::kNotReproduced:
      return "not reproduced";
  }
  return "?";
}

std::string verdict_table(const std::vector<io::Verdict>& verdicts) {
  std::string out =
      "# S4 (Song, Yashima, Kumar 2001): what the paper claims and what came out\n\n"
      "| claim | where | expected | measured | verdict |\n|---|---|---|---|---|\n";
  for (const io::Verdict& v : verdicts) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", v.claim, v.source, v.expected, v.measured,
                       verdict_text(v));
  }
  out += "\nReadings are numbered as in docs/decisions/readings.md.\n";
  return out;
}

void draw(const fs::path& folder, const Song2001Runs& runs) {
  std::vector<figure::Job> jobs;
  for (auto& [name, figure] : song2001_figures(runs)) {
    jobs.push_back({std::move(figure), {folder / (name + ".svg"), folder / (name + ".png")}});
  }
  fs::create_directories(folder);
  figure::default_renderer()->render_all(jobs);
}

ExitCode reproduce(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const Song2001Runs runs = run_song2001(console);
  const std::vector<io::Verdict> verdicts = judge_song2001(runs);
  const fs::path folder = arguments.output.folder("song2001");
  write_run_folder(folder, runs.exact, "enfold reproduce song2001", verdicts);
  io::write_file(folder / "verdicts.md", verdict_table(verdicts));
  if (!arguments.output.no_figures && !runs.exact.history.samples.empty()) draw(folder / "figures", runs);
  console.say("S4 (Song, Yashima, Kumar 2001)\n");
  for (const io::Verdict& v : verdicts) {
    console.say("{} ({})\n    expected  {}\n    measured  {}\n    verdict   {}", v.claim, v.source,
                v.expected, v.measured, verdict_text(v));
  }
  console.say("\ntable     {}", (folder / "verdicts.md").string());
  if (!arguments.output.no_figures) console.say("figures   {}", (folder / "figures").string());
  if (!arguments.output.no_report) console.say("report    {}", write_report(folder).string());
  const bool failed = std::any_of(verdicts.begin(), verdicts.end(), [](const io::Verdict& v) {
    return v.status == io::VerdictStatus::kNotReproduced;
  });
  if (failed) Console::trouble("a claim was not reproduced");
  return failed ? ExitCode::kMathematics : ExitCode::kDone;
}

}  // namespace

void add_reproduce_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "reproduce", "a paper's figures, and a table of what it claims and what came out");
  command->add_option("paper", arguments->paper, "song2001: Song, Yashima, Kumar, Example 1")
      ->required()
      ->type_name("PAPER")
      ->check(CLI::IsMember({"song2001"}));
  arguments->output.add_to(*command);
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return reproduce(*arguments); }; });
}

}  // namespace enfold::app
