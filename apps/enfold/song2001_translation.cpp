// SPDX-License-Identifier: BSD-3-Clause
// S4's Example 2: the object is lifted by 30 mm, and rigid contact stops having one answer on the way.
#include <algorithm>
#include <cmath>
#include <limits>

#include "answers_figure.hpp"
#include "run_figures.hpp"
#include "snapshot_figure.hpp"
#include "song2001.hpp"

namespace enfold::app {
namespace {

using io::Verdict;
using io::VerdictStatus;
using sim::ContactModel;
using sim::Sample;

VerdictStatus under_reading(bool holds) {
  return holds ? VerdictStatus::kUnderReading : VerdictStatus::kNotReproduced;
}

bool completed(const ScenarioRun& run) {
  return run.planned.ok() && run.history.status == sim::RunStatus::kCompleted && !run.history.samples.empty();
}

Verdict judge_switches(const ScenarioRun& run) {
  std::string found;
  double last = NAN;
  double entry_jump = 0.0;
  double return_jump = 0.0;
  for (const sim::Event& event : run.history.events) {
    if (event.kind != "model") continue;
    found += fmt::format("{}{} at {:.3f} s", found.empty() ? "" : ", ", event.to, event.time);
    if (event.to == "compliant") last = event.time;
    double& jump = event.to == "compliant" ? entry_jump : return_jump;
    jump = std::max(jump, event.jump_lambda);
  }
  return {"the simulation changes to the compliant model where the rigid one has no unique answer",
          "Figs. 6 and 8, dashed lines",
          "20, A4.7",
          "compliant at rest, rigid while all contacts slide, compliant from 0.647 s on",
          fmt::format("{}; forces jump by {:.1g} N into the compliant model, by {:.2g} N back", found,
                      entry_jump, return_jump),
          under_reading(completed(run) && std::abs(last - 0.647) <= 0.005)};
}

Verdict judge_rigid_end(const ScenarioRun& run) {
  const sim::History& history = run.history;
  const bool ends = history.status == sim::RunStatus::kNotUnique && !history.samples.empty();
  const double end = history.samples.empty() ? std::nan("") : history.samples.back().time;
  return {"the rigid model alone can't go on there",
          "Sec. 5.2",
          "16, A4.7",
          "ends at 0.647 s",
          ends ? fmt::format("ends at {:.3f} s", end) : std::string("does not end for want of uniqueness"),
          under_reading(ends && std::abs(end - 0.647) <= 0.005)};
}

Verdict judge_goal(const ScenarioRun& run) {
  double late = 0.0;
  for (const Sample& s : run.history.samples)
    if (s.time >= 0.5) late = std::max(late, std::abs(s.x_des[1] - s.x[1]));
  const double end = completed(run)
                         ? std::abs(run.history.samples.back().x_des[1] - run.history.samples.back().x[1])
                         : std::numeric_limits<double>::infinity();
  return {
      "the object follows the desired path through the switches",
      "Fig. 6",
      "23, 24",
      "within 0.2 mm of the goal at the end",
      fmt::format("{:.3f} mm from it; at most {:.3f} mm off the path from 0.5 s on", 1e3 * end, 1e3 * late),
      under_reading(end <= 2e-4)};
}

Verdict judge_forces(const ScenarioRun& run) {
  double low = INFINITY;
  double high = -INFINITY;
  double least = INFINITY;
  for (const Sample& s : run.history.samples) {
    least = std::min(least, s.lambda_N.minCoeff());
    if (s.time < 0.3 - 1e-9 || s.time > 0.64 + 1e-9) continue;
    low = std::min(low, s.lambda_N.minCoeff());
    high = std::max(high, s.lambda_N.minCoeff());
  }
  return {"the smallest normal force is held at 1 N, and no contact is lost",
          "Fig. 8",
          "7, 24, A4.7",
          "within 0.1 N of 1 N from 0.3 s to 0.64 s; above 0 always",
          fmt::format("{:.3f} to {:.3f} N; the least of the whole run is {:.3f} N", low, high, least),
          under_reading(completed(run) && low >= 0.9 && high <= 1.1 && least > 0.0)};
}

Verdict judge_answers(const Song2001Uniqueness& translation) {
  const auto& answers = translation.study.instants[1].answers;
  std::string forces;
  const std::size_t count = answers ? answers->answers.size() : 0;
  for (std::size_t k = 0; k < count; ++k) {
    forces += k == 0 ? "" : "; ";
    for (Index i = 0; i < answers->answers[k].lambda_N.size(); ++i)
      forces += fmt::format("{}{:.2f}", i == 0 ? "" : ", ", answers->answers[k].lambda_N[i]);
  }
  return {"the rigid problem of the planned torques has several solutions at 0.8 s",
          "Fig. 7",
          "A4.7",
          "three",
          fmt::format("{}: normal forces {} N", count, forces),
          under_reading(count == 3)};
}

}  // namespace

std::vector<Verdict> judge_translation(const Song2001Runs& runs) {
  if (runs.translate.history.samples.empty()) {
    return {{"Example 2 can be simulated", "Sec. 5.2", "", "a run of 1 s", runs.translate.planned.message,
             VerdictStatus::kNotReproduced}};
  }
  return {judge_switches(runs.translate), judge_rigid_end(runs.translate_rigid), judge_goal(runs.translate),
          judge_forces(runs.translate), judge_answers(runs.translation)};
}

std::vector<std::pair<std::string, figure::Figure>> translation_figures(const Song2001Runs& runs) {
  std::vector<std::pair<std::string, figure::Figure>> figures;
  const ScenarioRun& run = runs.translate;
  if (run.history.samples.empty()) return figures;
  const io::Scenario& scenario = run.setup.scenario;
  RunFigureInput input{.history = run.history, .model = run.setup.model};
  input.Kp = scenario.controller.Kp;
  input.Kv = scenario.controller.Kv;
  input.min_normal = VectorXd::Constant(run.setup.model.mu.size(), scenario.planner.min_normal.at(0.0, 0));
  figures.emplace_back("song2001-fig6",
                       control_figure(input, "S4 Figure 6: joint torques and object height"));
  input.title = "S4 Figure 8: contact forces";
  figures.emplace_back("song2001-fig8", forces_figure(input));
  input.title = "S4 Figure 9: snapshots";
  figures.emplace_back("song2001-fig9", snapshots_figure(input, snapshot_times(run.history)));
  const auto& [setup, study] = runs.translation;
  const InstantStudy& late = study.instants[1];
  if (late.answers && !late.answers->answers.empty()) {
    figures.emplace_back("song2001-answers",
                         answers_figure(setup, late,
                                        fmt::format("Example 2 at {:.3g} s: all {} answers of rigid contact",
                                                    late.at.time, late.answers->answers.size())));
  }
  return figures;
}

}  // namespace enfold::app
