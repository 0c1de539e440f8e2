// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/matrix_file.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/frontier.hpp"
#include "lcp_report.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  fs::path file;
  std::optional<fs::path> b;
  std::optional<fs::path> second;
  std::string json;
  bool quiet = false;
};

io::MatrixFile read_problem(const Arguments& arguments) {
  io::MatrixFile problem = io::read_matrix_file(arguments.file);
  if (!arguments.b) return problem;
  if (problem.b)
    throw ScenarioError(
        fmt::format("{}:1:1: the file holds b already, and --b gives another", arguments.file.string()));
  problem.b = io::read_vector_file(*arguments.b);
  if (problem.b->size() != problem.A.rows())
    throw ScenarioError(fmt::format("{}:1:1: b has {} numbers, A has {} rows", arguments.b->string(),
                                    problem.b->size(), problem.A.rows()));
  return problem;
}

MatrixPair read_pair(const Arguments& arguments, const MatrixXd& A) {
  const io::MatrixFile second = io::read_matrix_file(*arguments.second);
  const std::string place = arguments.second->string() + ":1:1";
  if (second.b) throw ScenarioError(place + ": the second matrix must come without b");
  if (second.A.rows() != A.rows())
    throw ScenarioError(fmt::format("{}: the second matrix is {} × {}, A is {} × {}", place, second.A.rows(),
                                    second.A.cols(), A.rows(), A.cols()));
  return {A, second.A};
}

std::string set_text(const std::vector<Index>& S) {
  std::string out;
  for (const Index i : S) out += fmt::format("{}{}", out.empty() ? "" : ", ", i + 1);
  return "{" + out + "}";
}

// Where A + r·B stops being a P-matrix.
SecondFrontier report_second(const MatrixPair& pair) {
  using uniqueness::FrontierStatus;
  const uniqueness::FrontierOptions options;
  const uniqueness::Frontier found = uniqueness::frontier(pair.P, pair.Q, options);
  SecondFrontier out;
  out.r = found.r;
  out.indices = found.indices;
  switch (found.status) {
    case FrontierStatus::kCrossing:
      out.verdict = SecondVerdict::kFrontier;
      out.reason = fmt::format("the principal minor {} changes its sign", set_text(found.indices));
      break;
    case FrontierStatus::kTouchOnly:
    case FrontierStatus::kNone:
      if (std::isfinite(found.proved_to)) {
        out.reason = fmt::format("P up to r = {:.9g}, beyond that rounding hides a sign", found.proved_to);
        break;
      }
      out.verdict = SecondVerdict::kNever;
      out.reason = "no principal minor of A + r·B changes its sign at r > 0";
      break;
    case FrontierStatus::kNotPAtStart:
      out.verdict = SecondVerdict::kNotAtZero;
      out.reason = fmt::format("the principal minor {} of A is not positive", set_text(found.indices));
      break;
    case FrontierStatus::kTooLarge:
      out.reason = fmt::format("n = {} is above the limit of {}; P up to r = {:.9g}", pair.P.rows(),
                               options.exact_limit, found.proved_to);
      if (std::isfinite(found.refuted_at))
        out.reason +=
            fmt::format(", not P from r = {:.9g} on: {} fails", found.refuted_at, set_text(found.indices));
      break;
    case FrontierStatus::kUndecided:
    case FrontierStatus::kNotRun:
      out.reason = "rounding hides whether A is P";
      break;
  }
  for (const std::vector<Index>& tie : found.ties) out.reason += fmt::format("; {} with it", set_text(tie));
  for (const uniqueness::Touch& touch : found.touches)
    out.reason += fmt::format("; touch: {} reaches zero at r = {:.9g} without changing its sign",
                              set_text(touch.indices), touch.r);
  return out;
}

ExitCode lcp_command(const Arguments& arguments) {
  const bool json_only = arguments.json == "-";
  const Console console(arguments.quiet || json_only);
  const io::MatrixFile problem = read_problem(arguments);
  std::optional<MatrixPair> pair;
  if (arguments.second) pair = read_pair(arguments, problem.A);
  LcpReport report = make_lcp_report(problem.A, problem.b);
  if (pair) report.second = report_second(*pair);
  for (const std::string& line : lcp_report_lines(report)) console.say("{}", line);
  if (json_only) {
    fmt::print("{}", lcp_report_json(report));
  } else if (!arguments.json.empty()) {
    io::write_file(arguments.json, lcp_report_json(report));
    console.say("written to {}", arguments.json);
  }
  return ExitCode::kDone;
}

}  // namespace

void add_lcp_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("lcp", "classify a matrix A and solve x ≥ 0, Ax + b ≥ 0, xᵀ(Ax + b) = 0");
  command
      ->add_option("file", arguments->file, "CSV with rows [A | b] or A, YAML with A and b, or Matrix Market")
      ->required()
      ->type_name("FILE");
  command->add_option("--b", arguments->b, "file with b: CSV, YAML or Matrix Market")->type_name("FILE");
  command->add_option("--second", arguments->second, "file with B: where does A + r·B, r ≥ 0, stop being P?")
      ->type_name("FILE");
  command->add_option("--json", arguments->json, "write everything as JSON; - for standard output")
      ->type_name("FILE");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return lcp_command(*arguments); }; });
}

}  // namespace enfold::app
