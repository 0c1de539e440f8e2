// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "arguments.hpp"
#include "closed_loop.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/io/scenario_file.hpp"

namespace enfold::app {
namespace {

struct Arguments {
  ScenarioArguments scenario;
  bool print_defaults = false;
  bool quiet = false;
};

/// Audits along the plan, and tells where the grasp is closest to failing.
struct PathAudit {
  bool controllable = true;
  bool unique = true;
  double worst_condition = 0.0, worst_time = 0.0;
  double smallest_minor = 0.0, minor_time = 0.0;
};

PathAudit audit_path(const Setup& setup, const control::Plan& plan) {
  constexpr std::size_t kSamples = 101;
  PathAudit out;
  VectorXd q(setup.model.mechanism->n_q());
  control::Reference reference;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const control::PlanPoint& point = plan.points[i * (plan.points.size() - 1) / (kSamples - 1)];
    setup.trajectory->sample(point.time, reference);
    q << reference.x, point.theta;
    const grasp::GraspAudit audit =
        grasp::audit(*setup.model.mechanism, *setup.model.contacts, q, point.modes, setup.model.mu);
    out.controllable = out.controllable && audit.controllable();
    out.unique = out.unique && audit.p_matrix.status == lcp::PMatrixStatus::kP;
    if (i == 0 || audit.cond_J_tilde > out.worst_condition) {
      out.worst_condition = audit.cond_J_tilde;
      out.worst_time = point.time;
    }
    if (i == 0 || audit.p_matrix.smallest.value < out.smallest_minor) {
      out.smallest_minor = audit.p_matrix.smallest.value;
      out.minor_time = point.time;
    }
  }
  return out;
}

ExitCode check(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = arguments.scenario.read();
  if (arguments.print_defaults) {
    fmt::print("{}", io::scenario_to_yaml(scenario));
    return ExitCode::kDone;
  }
  const Setup setup = make_setup(scenario);
  console.say("{}: {}", scenario.name, scenario.shows);
  const planners::PlanSolution planned = make_plan(setup);
  const std::vector<contact::ContactMode>& modes =
      planned.plan.empty() ? setup.modes : planned.plan.points.front().modes;
  console.say("\nat the start pose:");
  const grasp::GraspAudit audit =
      grasp::audit(*setup.model.mechanism, *setup.model.contacts, setup.q, modes, setup.model.mu);
  for (const std::string& line : grasp::describe(audit)) console.say("  {}", line);
  if (!planned.ok()) {
    Console::trouble("{}: {}: {}", scenario.name, to_string(planned.status), planned.message);
    return ExitCode::kMathematics;
  }
  const PathAudit path = audit_path(setup, planned.plan);
  console.say("\nalong the desired path ({:.4g} s):", setup.trajectory->duration());
  console.say("  within reach, a squeeze exists at every instant");
  console.say("  J~ is worst conditioned at t = {:.3f} s: {:.3g}", path.worst_time, path.worst_condition);
  console.say("  smallest principal minor of A: {:.4g} at t = {:.3f} s ({})", path.smallest_minor,
              path.minor_time,
              path.unique ? "A is a P-matrix throughout: rigid contact has one answer"
                          : "A is not a P-matrix throughout: rigid contact is ambiguous there");
  if (!audit.controllable() || !path.controllable) {
    Console::trouble("{}: the grasp can't be controlled by the law (11) everywhere on the path",
                     scenario.name);
    return ExitCode::kMathematics;
  }
  return ExitCode::kDone;
}

}  // namespace

void add_check_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "check", "audit a scenario: can this grasp be controlled, is its physics unique?");
  arguments->scenario.add_to(*command);
  command->add_flag("--print-defaults", arguments->print_defaults,
                    "print the scenario with every default filled in");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return check(*arguments); }; });
}

}  // namespace enfold::app
