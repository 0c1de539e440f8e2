// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "arguments.hpp"
#include "closed_loop.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/io/scenario_file.hpp"
#include "grasp_analysis.hpp"
#include "outcome.hpp"
#include "reality.hpp"
#include "stiffness_check.hpp"
#include "workspace_map.hpp"

namespace enfold::app {
namespace {

struct Arguments {
  ScenarioArguments scenario;
  bool print_defaults = false;
  OutputArguments output;
  bool map = false;
  std::string map_axes = "x,y";
  int map_poses = 41;
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
  VectorXd q(setup.believed.mechanism->n_q());  // the plan is that of the grasp as it is believed to be
  control::Reference reference;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const control::PlanPoint& point = plan.points[i * (plan.points.size() - 1) / (kSamples - 1)];
    setup.trajectory->sample(point.time, reference);
    q << reference.x, point.theta;
    const grasp::GraspAudit audit = grasp::audit(*setup.believed.mechanism, *setup.believed.contacts, q,
                                                 point.modes, setup.believed.mu, setup.coordinates);
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

/// The compliant contact law, unless the scenario is rigid.
void check_stiffness(const Setup& setup, const VectorXd& forces, const Console& console) {
  const std::vector<std::string> lines = stiffness_lines(setup, forces);
  if (!lines.empty()) console.say("\ncompliant contacts:");
  for (const std::string& line : lines) console.say("  {}", line);
}

/// What the contacts can hold at the start, in words and as a figure.
void analyse(const Arguments& arguments, const Setup& setup, const std::vector<contact::ContactMode>& modes,
             const Console& console) {
  const GraspAnalysis analysis = analyse_grasp(setup, modes);
  console.say("\nwhat the contacts can hold there, each of them sticking or not:");
  for (const std::string& line : describe(analysis, setup)) console.say("  {}", line);
  if (arguments.output.no_figures) return;
  const std::filesystem::path folder = arguments.output.out.empty()
                                           ? std::filesystem::path("checks") / setup.scenario.name
                                           : arguments.output.out;
  std::filesystem::create_directories(folder);
  const std::vector<figure::Job> jobs = {
      {analysis_figure(analysis, setup), {folder / "grasp.svg", folder / "grasp.png"}}};
  figure::default_renderer()->render_all(jobs);
  console.say("  figure     {}", (folder / "grasp.svg").string());
}

/// A scene without a hand has nothing to control: how many contacts, where they are, are forces determined?
void check_scene(const Setup& setup, const Console& console) {
  contact::ContactKinematics kinematics;
  VectorXd v = VectorXd::Zero(setup.model.mechanism->n_v());
  for (Index i = 0; i < 3; ++i) v[i] = setup.scenario.task.start_velocity[static_cast<std::size_t>(i)];
  setup.model.contacts->kinematics(setup.q, v, kinematics);
  const std::vector<std::string>& names = setup.model.contacts->names();
  console.say("\nno hand: {} freedoms, {} contacts", v.size(), names.size());
  std::vector<Index> touching;
  Index sticking = 0;
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    const double slip = kinematics.W_T.col(i).dot(v);
    const bool touches = std::abs(kinematics.gap[i]) <= 1e-9;
    console.say("  {:<12} gap {:+.3e} m, slip {:+.3g} m/s{}", names[static_cast<std::size_t>(i)],
                kinematics.gap[i], slip, touches ? ", touches" : "");
    if (!touches) continue;
    touching.push_back(i);
    sticking += std::abs(slip) <= 1e-7 ? 1 : 0;
  }
  const auto k = static_cast<Index>(touching.size()) + sticking;
  console.say("  touching {}, of which at zero slip {}: 2 n_R + n_S = {} {} n = {}; rigid forces are {}",
              touching.size(), sticking, k, k < v.size() ? "<" : "≥", v.size(),
              k < v.size() || sticking == 0 ? "determined by count" : "not determined (S4 Eq. 22)");
  const double weight =
      setup.scenario.object.mass * std::hypot(setup.scenario.hand.gravity[0], setup.scenario.hand.gravity[1]);
  check_stiffness(setup, VectorXd::Constant(kinematics.gap.size(), weight), console);
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
  if (!scenario.has_hand()) {
    if (arguments.map) throw ScenarioError("--map needs a hand: this scenario has no arms");
    check_scene(setup, console);
    return ExitCode::kDone;
  }
  if (arguments.map) {
    return write_workspace_map(setup, default_axes(setup, arguments.map_axes, arguments.map_poses),
                               arguments.output.folder(scenario.name), !arguments.output.no_figures, console);
  }
  const planners::PlanSolution planned = make_plan(setup);
  console.say("\nat the start pose:");
  const grasp::GraspAudit audit = audit_at_start(setup, planned.plan);
  for (const std::string& line : grasp::describe(audit)) console.say("  {}", line);
  analyse(arguments, setup, planned.plan.empty() ? setup.modes : planned.plan.points.front().modes, console);
  bool counted = true;
  if (scenario.expect && arguments.scenario.overrides().empty()) {
    for (const Outcome& outcome : compare_counts(*scenario.expect, audit)) {
      if (outcome.met) continue;
      counted = false;
      Console::trouble("{}: stated count missed: {}", scenario.name, outcome.text);
    }
  }
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
  VectorXd forces = VectorXd::Zero(setup.model.mu.size());
  for (const control::PlanPoint& point : planned.plan.points) forces = forces.cwiseMax(point.lambda_N);
  check_stiffness(setup, forces, console);
  const std::vector<std::string> reality = reality_lines(setup, planned.plan);
  if (!reality.empty()) console.say("\nnot ideal:");
  for (const std::string& line : reality) console.say("  {}", line);
  if (!audit.controllable() || !path.controllable) {
    Console::trouble("{}: the grasp can't be controlled by the law (11) everywhere on the path",
                     scenario.name);
    return ExitCode::kMathematics;
  }
  return counted ? ExitCode::kDone : ExitCode::kMathematics;
}

}  // namespace

void add_check_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "check", "audit a scenario: can this grasp be controlled, is its physics unique?");
  arguments->scenario.add_to(*command);
  command->add_flag("--print-defaults", arguments->print_defaults,
                    "print the scenario with every default filled in");
  command->add_flag(
      "--map", arguments->map,
      "which poses of the object are reachable, closable, controllable, unique: map.csv and a figure");
  command->add_option("--map-axes", arguments->map_axes, "the two coordinates that the map varies")
      ->check(CLI::IsMember({"x,y", "x,phi", "y,phi"}))
      ->capture_default_str();
  command->add_option("--map-poses", arguments->map_poses, "poses along each axis of the map")
      ->check(CLI::Range(2, 1001))
      ->capture_default_str();
  command
      ->add_option("--out", arguments->output.out,
                   "folder for the figure (default: checks/<scenario>) or the map (runs/<scenario>)")
      ->type_name("DIR");
  command->add_flag("--no-figures", arguments->output.no_figures, "draw nothing");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return check(*arguments); }; });
}

}  // namespace enfold::app
