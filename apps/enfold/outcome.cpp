// SPDX-License-Identifier: BSD-3-Clause
#include "outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run_figures.hpp"

namespace enfold::app {
namespace {

void add_tracking(const ScenarioRun& run, std::vector<std::pair<std::string, double>>& out) {
  const sim::History& history = run.history;
  const sim::Sample& first = history.samples.front();
  const io::ControllerSpec& gains = run.setup.scenario.controller;
  for (Index i = 0; i < first.x.size(); ++i) {
    const std::string& name = history.names.object_position[static_cast<std::size_t>(i)];
    out.emplace_back("final." + name, history.samples.back().x[i]);
    if (first.x_des.size() == 0) continue;
    const auto& told = run.setup.coordinates;
    const bool is_told = told.empty() || std::find(told.begin(), told.end(), i) != told.end();
    const double e_0 = first.x_des[i] - first.x[i];
    const double rate = first.x_dot_des[i] - first.x_dot[i];
    double largest = 0.0;
    double from_eq14 = 0.0;
    for (const sim::Sample& sample : history.samples) {
      const double e = sample.x_des[i] - sample.x[i];
      largest = std::max(largest, std::abs(e));
      from_eq14 = std::max(
          from_eq14, std::abs(e - predicted_error(e_0, rate, gains.Kp, gains.Kv, sample.time - first.time)));
    }
    out.emplace_back("largest_error." + name, largest);
    if (is_told && e_0 != 0.0 && gains.follows_eq14())
      out.emplace_back("error_from_eq14." + name, from_eq14 / std::abs(e_0));
  }
}

void add_contacts(const ScenarioRun& run, std::vector<std::pair<std::string, double>>& out) {
  const sim::History& history = run.history;
  const double end = history.samples.back().time;
  double settled = INFINITY;
  double excess = -INFINITY;
  double unique_until = end;
  bool unique = true;
  for (const sim::Sample& sample : history.samples) {
    if (sample.time >= 0.5 * end && sample.lambda_N.size() > 0)
      settled = std::min(settled, sample.lambda_N.minCoeff());
    for (Index i = 0; i < sample.lambda_N.size(); ++i)
      if (sample.modes[static_cast<std::size_t>(i)] == contact::ContactMode::kRoll)
        excess = std::max(excess, std::abs(sample.lambda_T[i]) - run.setup.model.mu[i] * sample.lambda_N[i]);
    if (unique && sample.p_matrix == sim::Uniqueness::kNotUnique) {
      unique = false;
      unique_until = sample.time;
    }
  }
  out.emplace_back("smallest_normal_settled_N", settled);
  if (std::isfinite(excess)) out.emplace_back("largest_cone_excess_N", excess);
  out.emplace_back("unique_until_s", unique_until);
  out.emplace_back("compliant_time_s", history.summary.compliant_time);
  out.emplace_back("saturated_time_s", history.summary.saturated_time);
  out.emplace_back("model_switches", history.summary.model_switches);
  const auto count = [&](const auto& matches) {
    return static_cast<double>(std::count_if(history.events.begin(), history.events.end(), matches));
  };
  out.emplace_back("mode_changes", count([](const sim::Event& e) { return e.kind == "mode"; }));
  out.emplace_back("openings", count([](const sim::Event& e) { return e.kind == "mode" && e.to == "open"; }));
  out.emplace_back("feature_changes", count([](const sim::Event& e) { return e.kind == "feature"; }));
  out.emplace_back("impacts", count([](const sim::Event& e) { return e.kind == "impact"; }));
}

}  // namespace

std::vector<std::pair<std::string, double>> outcome_numbers(const ScenarioRun& run) {
  std::vector<std::pair<std::string, double>> out = summary_numbers(run.history);
  if (run.history.samples.empty()) return out;
  add_tracking(run, out);
  add_contacts(run, out);
  return out;
}

grasp::GraspAudit audit_at_start(const Setup& setup, const control::Plan& plan) {
  const std::vector<contact::ContactMode>& modes = plan.empty() ? setup.modes : plan.points.front().modes;
  return grasp::audit(*setup.model.mechanism, *setup.model.contacts, setup.q, modes, setup.model.mu,
                      setup.coordinates);
}

std::vector<Outcome> compare_counts(const io::ExpectSpec& expect, const grasp::GraspAudit& audit) {
  std::vector<Outcome> out;
  for (const io::ExpectSpec::Count& count : expect.counts) {
    const Index found = count.name == "n"         ? audit.n
                        : count.name == "n_theta" ? audit.n_theta
                        : count.name == "k"       ? audit.k
                        : count.name == "m"       ? audit.m
                        : count.name == "p"       ? audit.p
                                                  : audit.r_x;
    out.push_back({fmt::format("{} = {}{}", count.name, found,
                               found == count.value ? "" : fmt::format(", stated {}", count.value)),
                   found == count.value});
  }
  return out;
}

std::pair<ExitCode, std::string> run_result(const ScenarioRun& run) {
  if (run.setup.scenario.has_hand() && !run.planned.ok())
    return {ExitCode::kMathematics,
            fmt::format("{}: {}", to_string(run.planned.status), run.planned.message)};
  return {exit_code(run.history.status), run.history.message};
}

std::vector<Outcome> compare_outcome(const ScenarioRun& run, ExitCode code, const std::string& message) {
  if (!run.setup.scenario.expect) return {};
  const io::ExpectSpec& expect = *run.setup.scenario.expect;
  std::vector<Outcome> out;
  const int exit = static_cast<int>(code);
  out.push_back(
      {fmt::format("exit {}{}", exit, exit == expect.exit ? "" : fmt::format(", stated {}", expect.exit)),
       exit == expect.exit});
  if (!expect.says.empty()) {
    const bool said = message.find(expect.says) != std::string::npos;
    out.push_back({fmt::format("the reason {} \"{}\"", said ? "says" : "does not say", expect.says), said});
  }
  if (run.setup.scenario.has_hand() && !expect.counts.empty())
    for (Outcome& outcome : compare_counts(expect, audit_at_start(run.setup, run.planned.plan)))
      out.push_back(std::move(outcome));
  const auto numbers = outcome_numbers(run);
  for (const io::ExpectSpec::Range& range : expect.numbers) {
    const auto found = std::find_if(numbers.begin(), numbers.end(),
                                    [&](const auto& number) { return number.first == range.name; });
    if (found == numbers.end()) {
      out.push_back({fmt::format("{}: the run has no such number", range.name), false});
      continue;
    }
    const bool met = found->second >= range.low && found->second <= range.high;
    out.push_back(
        {fmt::format("{} = {:.4g}, stated {:.4g} … {:.4g}", range.name, found->second, range.low, range.high),
         met});
  }
  return out;
}

}  // namespace enfold::app
