// SPDX-License-Identifier: BSD-3-Clause
#include "run_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/test/scenario_path.hpp"
#include "run_job.hpp"
#include "snapshot_figure.hpp"

namespace enfold::app {
namespace {

const ScenarioRun& example() {
  static const ScenarioRun run =
      run_scenario(io::read_scenario(test::scenario_path("song2001-rotate")), Console(true));
  return run;
}

RunFigureInput input(const sim::History& history) {
  RunFigureInput in{.history = history, .model = example().setup.model, .title = "test"};
  in.Kp = 100.0;
  in.Kv = 20.0;
  in.min_normal = VectorXd::Constant(4, 0.5);
  return in;
}

/// Colours of all labelled lines and markers.
std::map<std::string, figure::Colour> colours(const figure::Figure& figure) {
  std::map<std::string, figure::Colour> out;
  for (const figure::Panel& panel : figure.panels) {
    for (const figure::Element& element : panel.elements) {
      if (const auto* line = std::get_if<figure::Line>(&element)) out[line->label.text] = line->colour;
      if (const auto* markers = std::get_if<figure::Markers>(&element))
        out[markers->label.text] = markers->colour;
    }
  }
  return out;
}

// ë + K_v ė + K_p e = 0 by integration. [eq:S4.14]
TEST(PredictedErrorTest, EqualsTheIntegratedErrorEquationForEveryKindOfPoles) {
  const struct {
    double Kp, Kv, e, e_dot;
  } cases[] = {
      {100.0, 20.0, 1.0, 0.0}, {100.0, 20.0, 1.0, -3.0}, {100.0, 50.0, 0.5, 1.0}, {100.0, 4.0, 1.0, 2.0}};
  for (const auto& c : cases) {
    const auto f = [&](const ode::State& x, ode::State& rate, double) {
      rate[0] = x[1];
      rate[1] = -c.Kv * x[1] - c.Kp * x[0];
    };
    ode::FixedStepper stepper;
    ode::State x = {c.e, c.e_dot};
    for (int k = 0; k < 10000; ++k) {
      stepper.step(f, x, 1e-4 * k, 1e-4);
      ASSERT_NEAR(predicted_error(c.e, c.e_dot, c.Kp, c.Kv, 1e-4 * (k + 1)), x[0], 1e-10);
      ASSERT_GE(predicted_envelope(c.e, c.e_dot, c.Kp, c.Kv, 1e-4 * (k + 1)), std::abs(x[0]) - 1e-10);
    }
  }
}

TEST(RunFiguresTest, AContactHasOneColourInEveryFigure) {
  const RunFigureInput in = input(example().history);
  const auto forces = colours(forces_figure(in));
  const auto snapshots = colours(snapshots_figure(in, snapshot_times(in.history)));
  const auto torques = colours(torques_figure(in));
  for (const std::string& name : example().setup.model.contacts->names()) {
    ASSERT_TRUE(forces.count(name) == 1 && snapshots.count(name) == 1 && torques.count(name) == 1) << name;
    EXPECT_EQ(forces.at(name), snapshots.at(name)) << name;
    EXPECT_EQ(forces.at(name), torques.at(name)) << name;
  }
}

TEST(RunFiguresTest, StripsTellTheCriticalContactAndUniqueness) {
  const figure::Figure figure = forces_figure(input(example().history));
  const figure::Panel& strips = figure.panels.back();
  ASSERT_EQ(strips.strips.size(), 2U);
  ASSERT_EQ(strips.strips[0].intervals.size(), 4U);
  EXPECT_EQ(strips.strips[0].intervals[0].label.text, "right.proximal");
  EXPECT_NEAR(strips.strips[0].intervals[1].x0, 0.39, 0.02);
  ASSERT_EQ(strips.strips[1].intervals.size(), 1U);
  // Neither answer may look like a contact.
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(figure::contact_colour(i) == figure::kYes);
    EXPECT_FALSE(figure::contact_colour(i) == figure::kNo);
  }
}

TEST(RunFiguresTest, AxisLabelsCarryTheirUnit) {
  for (const auto& [name, figure] : run_figures(input(example().history))) {
    for (const figure::Panel& panel : figure.panels) {
      if (!panel.show_axes || !panel.strips.empty()) continue;
      EXPECT_NE(panel.y_label.text.find('['), std::string::npos) << name << ": " << panel.y_label.text;
    }
  }
}

TEST(RunFiguresTest, APartialRunIsDrawnAsFarAsItGoes) {
  sim::History history = example().history;
  history.samples.resize(300);
  for (const auto& [name, figure] : run_figures(input(history))) EXPECT_NO_THROW(validate(figure)) << name;
  history.samples.resize(1);
  EXPECT_EQ(run_figures(input(history)).size(), 4U);
  history.samples.clear();
  EXPECT_TRUE(run_figures(input(history)).empty());
  EXPECT_THROW((void)forces_figure(input(history)), InvalidArgument);
}

TEST(RunFiguresTest, SnapshotsStandAtStartQuartersAndEnd) {
  const std::vector<double> times = snapshot_times(example().history);
  ASSERT_EQ(times.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(times[i], 0.25 * static_cast<double>(i), 1e-3);
}

}  // namespace
}  // namespace enfold::app
