// SPDX-License-Identifier: BSD-3-Clause
#include "song2001.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "embedded_scenarios.hpp"
#include "enfold/base/error.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/io/scenario_file.hpp"
#include "run_figures.hpp"
#include "snapshot_figure.hpp"
#include "uniqueness_figures.hpp"

namespace enfold::app {
namespace {

using io::Verdict;
using io::VerdictStatus;
using sim::Sample;

constexpr double kDegree = std::numbers::pi / 180.0;

io::Scenario shipped(const std::string& name, const std::vector<std::string>& overrides = {}) {
  for (const EmbeddedScenario& one : embedded_scenarios()) {
    if (one.name == name) return io::parse_scenario(one.text, name + ".yaml", overrides);
  }
  throw ScenarioError(fmt::format("the program was built without scenario '{}'", name));
}

VerdictStatus under_reading(bool holds) {
  return holds ? VerdictStatus::kUnderReading : VerdictStatus::kNotReproduced;
}

double error_deg(const Sample& sample) {
  return (sample.x_des[2] - sample.x[2]) / kDegree;
}

const Sample& sample_at(const sim::History& history, double t) {
  return *std::min_element(
      history.samples.begin(), history.samples.end(),
      [t](const Sample& a, const Sample& b) { return std::abs(a.time - t) < std::abs(b.time - t); });
}

bool completed(const ScenarioRun& run) {
  return run.planned.ok() && run.history.status == sim::RunStatus::kCompleted && !run.history.samples.empty();
}

/// Smallest and largest over time of the smallest normal force, from t_0 to t_1.
std::pair<double, double> smallest_normal(const sim::History& history, double t_0, double t_1) {
  double low = INFINITY;
  double high = -INFINITY;
  for (const Sample& sample : history.samples) {
    if (sample.time < t_0 - 1e-9 || sample.time > t_1 + 1e-9) continue;
    low = std::min(low, sample.lambda_N.minCoeff());
    high = std::max(high, sample.lambda_N.minCoeff());
  }
  return {low, high};
}

/// Largest distance of the orientation error from (1 + 10t)e^(−10t)·1° up to 0.5 s [°].
double envelope_defect(const sim::History& history, const io::ControllerSpec& gains) {
  const double e_0 = error_deg(history.samples.front());
  double worst = 0.0;
  for (const Sample& sample : history.samples) {
    if (sample.time > 0.5 + 1e-9) break;
    worst = std::max(
        worst, std::abs(error_deg(sample) - predicted_error(e_0, 0.0, gains.Kp, gains.Kv, sample.time)));
  }
  return worst;
}

Verdict judge_uniqueness(const ScenarioRun& run) {
  const auto& samples = run.history.samples;
  const auto unique = std::count_if(samples.begin(), samples.end(),
                                    [](const Sample& s) { return s.p_matrix == sim::Uniqueness::kUnique; });
  double minor = INFINITY;
  for (const Sample& s : samples) minor = std::min(minor, s.min_minor);
  return {"A is always a P-matrix",
          "Sec. 5.2, Example 1",
          "24",
          "at every instant",
          fmt::format("at {} of {} instants; smallest minor {:.3g}", unique, samples.size(), minor),
          under_reading(completed(run) && unique == static_cast<long>(samples.size()))};
}

Verdict judge_rank(const ScenarioRun& run) {
  const Setup& setup = run.setup;
  Index lowest = 4;
  Index mobility = 3;
  double condition = 0.0;
  VectorXd q(setup.model.mechanism->n_q());
  for (const Sample& sample : run.history.samples) {
    q << sample.x, sample.theta;
    const grasp::GraspAudit audit =
        grasp::audit(*setup.model.mechanism, *setup.model.contacts, q, sample.modes, setup.model.mu);
    lowest = std::min(lowest, audit.rank_W);
    mobility = std::min(mobility, audit.m);
    condition = std::max(condition, audit.cond_W);
  }
  return {"rank of W_mu stays four; three independent motions",
          "Sec. 5.2",
          "24",
          "rank 4, m = 3",
          fmt::format("rank {}, m = {}; condition number up to {:.3g}", lowest, mobility, condition),
          under_reading(completed(run) && lowest == 4 && mobility == 3)};
}

Verdict judge_convergence(const ScenarioRun& run) {
  const double defect = envelope_defect(run.history, run.setup.scenario.controller);
  const double at_02 = error_deg(sample_at(run.history, 0.2));
  const double at_05 = error_deg(sample_at(run.history, 0.5));
  return {
      "the object is brought to the path within 0.2 s",
      "Fig. 3(b), eq. 14",
      "23, 24",
      "(1 + 10t)e^(-10t) deg: 0.406 at 0.2 s, 0.040 at 0.5 s",
      fmt::format("{:.3f} at 0.2 s, {:.3f} at 0.5 s; within {:.4f} deg of the curve", at_02, at_05, defect),
      under_reading(completed(run) && defect <= 0.02)};
}

Verdict judge_tracking(const ScenarioRun& run) {
  double worst = 0.0;
  for (const Sample& sample : run.history.samples) {
    if (sample.time >= 0.5) worst = std::max(worst, std::abs(error_deg(sample)));
  }
  return {"then actual and desired paths are virtually identical",
          "Fig. 3(b)",
          "23, 24",
          "under 0.06 deg from 0.5 s on",
          fmt::format("at most {:.3f} deg", worst),
          under_reading(completed(run) && worst < 0.06)};
}

Verdict judge_minimum(const ScenarioRun& run) {
  const auto [low, high] = smallest_normal(run.history, 0.4, 0.9);
  const double start = smallest_normal(run.history, 0.0, 0.4).first;
  const double end = run.history.samples.back().lambda_N.maxCoeff();
  return {"the smallest normal force is held at 0.5 N",
          "Fig. 4, eq. 17",
          "7, 24",
          "within 0.02 N of 0.5 N from 0.4 s to 0.9 s",
          fmt::format("{:.3f} to {:.3f} N; before that down to {:.2f} N, at the end the largest is {:.1f} N",
                      low, high, start, end),
          under_reading(completed(run) && low >= 0.48 && high <= 0.52)};
}

Verdict judge_hops(const ScenarioRun& run) {
  constexpr std::array<const char*, 3> kOrder = {"right.proximal", "left.distal", "left.proximal"};
  constexpr std::array<double, 2> kHops = {0.39, 0.64};
  std::vector<planners::CriticalStretch> stretches;
  for (const planners::CriticalStretch& all : planners::critical_stretches(run.planned.plan, 0.02)) {
    if (all.to > 0.1 && all.from < 0.9) stretches.push_back(all);
  }
  bool holds = stretches.size() == kOrder.size();
  std::string measured;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::string name =
        stretches[i].contact < 0
            ? "none"
            : run.setup.model.contacts->names()[static_cast<std::size_t>(stretches[i].contact)];
    if (i > 0) measured += fmt::format(" -> ({:.3f} s) ", stretches[i].from);
    measured += name;
    holds = holds && name == kOrder[i] && (i == 0 || std::abs(stretches[i].from - kHops[i - 1]) <= 0.02);
  }
  return {"the contact at the threshold changes CP1 -> CP4 -> CP2",           "Fig. 4", "24, 25",
          "right.proximal -> (0.39 s) left.distal -> (0.64 s) left.proximal", measured, under_reading(holds)};
}

Verdict judge_gain(const Song2001Runs& runs) {
  const sim::History& lost = runs.negative_gain.history;
  const bool opens = lost.status == sim::RunStatus::kContactLost && lost.samples.back().time < 1.0;
  return {
      "K_alpha = -10 puts the pole of (15) at -10",
      "Sec. 5.2, eq. 15",
      "7",
      "+10 keeps every contact; -10 puts the pole at +10",
      fmt::format(
          "+10: {}; -10: {}", completed(runs.exact) ? "all contacts kept" : runs.exact.history.message,
          opens ? fmt::format("a contact opens at {:.3f} s", lost.samples.back().time) : "no contact opens"),
      under_reading(completed(runs.exact) && opens)};
}

Verdict judge_noise(const ScenarioRun& run) {
  const double defect = completed(run) ? envelope_defect(run.history, run.setup.scenario.controller)
                                       : std::numeric_limits<double>::infinity();
  const auto [low, high] = smallest_normal(run.history, 0.4, 0.9);
  return {"the same with sensor noise of 10 %",
          "Sec. 5.2",
          "7, 22, 24",
          "error within 0.02 deg of the curve, smallest force within 0.02 N of 0.5 N",
          fmt::format("within {:.4f} deg; {:.3f} to {:.3f} N (seed {})", defect, low, high,
                      run.setup.scenario.seed),
          under_reading(defect <= 0.02 && low >= 0.48 && high <= 0.52)};
}

// The first instant at which A is not proved to be P.
double time_of_loss(const UniquenessStudy& study) {
  for (const uniqueness::TimeStretch& stretch : study.over_time.stretches)
    if (stretch.verdict != uniqueness::TimeVerdict::kUnique) return stretch.from;
  return INFINITY;
}

Verdict judge_map(const Song2001Uniqueness& example) {
  const PlaneMap& early = *example.study.instants[0].map;
  const PlaneMap& late = *example.study.instants[1].map;
  return {"(0.8, 0.6) is in the region of uniqueness at 0.5 s and outside at 0.8 s",
          "Fig. 7",
          "A4.8",
          "inside, then outside",
          fmt::format("{}, {:.4f} from the edge at 0.5 s; {}, {:.4f} from it at 0.8 s",
                      early.design_inside ? "inside" : "outside", early.distance.distance,
                      late.design_inside ? "inside" : "outside", late.distance.distance),
          under_reading(early.design_inside && !late.design_inside)};
}

Verdict judge_loss(const Song2001Uniqueness& example) {
  const double lost = time_of_loss(example.study);
  return {"uniqueness is lost during Example 2",
          "Sec. 5.2, Figs. 6 and 7",
          "A4.8",
          "on the planned motion at 0.647 s",
          fmt::format("proved unique up to {:.4f} s, not after", lost),
          under_reading(std::abs(lost - 0.647) <= 0.005)};
}

Song2001Uniqueness study_translation() {
  Song2001Uniqueness out;
  out.setup = make_setup(shipped("song2001-translate"));
  UniquenessQuestion question;
  question.times = {0.5, 0.8};
  question.window = 2.0;
  question.samples = 2;
  out.study = study_uniqueness(out.setup, question);
  return out;
}

}  // namespace

Song2001Runs run_song2001(const Console& console) {
  return {
      run_scenario(shipped("song2001-rotate"), console),
      run_scenario(shipped("song2001-rotate-noise"), console),
      run_scenario(shipped("song2001-rotate", {"controller.Kalpha=-10", "controller.allow_unstable=true"}),
                   console),
      run_scenario(shipped("song2001-translate"), console),
      run_scenario(shipped("song2001-translate", {"simulation.model=rigid"}), console),
      study_translation()};
}

std::vector<Verdict> judge_song2001(const Song2001Runs& runs) {
  if (runs.exact.history.samples.empty()) {
    return {{"Example 1 can be simulated", "Sec. 5.2", "", "a run of 1 s", runs.exact.planned.message,
             VerdictStatus::kNotReproduced}};
  }
  std::vector<Verdict> out{judge_uniqueness(runs.exact),
                           judge_rank(runs.exact),
                           judge_convergence(runs.exact),
                           judge_tracking(runs.exact),
                           judge_minimum(runs.exact),
                           judge_hops(runs.exact),
                           judge_gain(runs),
                           judge_noise(runs.noisy),
                           judge_map(runs.translation),
                           judge_loss(runs.translation)};
  for (Verdict& verdict : judge_translation(runs)) out.push_back(std::move(verdict));
  return out;
}

std::vector<std::pair<std::string, figure::Figure>> song2001_figures(const Song2001Runs& runs) {
  const ScenarioRun& run = runs.exact;
  const io::Scenario& scenario = run.setup.scenario;
  RunFigureInput input{.history = run.history, .model = run.setup.model};
  input.Kp = scenario.controller.Kp;
  input.Kv = scenario.controller.Kv;
  input.min_normal = VectorXd::Constant(run.setup.model.mu.size(), scenario.planner.min_normal.at(0.0, 0));

  std::vector<std::pair<std::string, figure::Figure>> figures;
  figures.emplace_back("song2001-fig3",
                       control_figure(input, "S4 Figure 3: joint torques and object orientation"));
  input.title = "S4 Figure 4: contact forces";
  figures.emplace_back("song2001-fig4", forces_figure(input));
  input.title = "S4 Figure 5: snapshots";
  figures.emplace_back("song2001-fig5", snapshots_figure(input, snapshot_times(run.history)));
  const auto& [setup, study] = runs.translation;
  figures.emplace_back(
      "song2001-fig7",
      maps_figure(setup, study,
                  {{"t = 0.5 s", *study.instants[0].map}, {"t = 0.8 s", *study.instants[1].map}},
                  "S4 Figure 7: where the contact problem has one solution"));
  for (auto& figure : translation_figures(runs)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace enfold::app
