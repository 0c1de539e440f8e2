// SPDX-License-Identifier: BSD-3-Clause
// Energy in free scenes: conserved without friction and damping, never created by a contact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "closed_loop.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/random_hand.hpp"

namespace enfold::app {
namespace {

using sim::ContactModel;
using sim::Event;
using sim::Sample;

struct FreeRun {
  io::Scenario scenario;
  sim::History history;
};

FreeRun run_text(const std::string& text) {
  FreeRun out;
  out.scenario = io::parse_scenario(text, "test.yaml");
  sim::Simulation simulation = make_simulation(make_setup(out.scenario), nullptr);
  while (simulation.advance()) {
  }
  out.history = simulation.take_history();
  return out;
}

/// An ellipse that rocks in the corner of two planes at ±45°: two contacts, one degree of freedom left.
std::string rocking_ellipse(const std::string& model) {
  const double phi = M_PI / 6.0;
  const auto support = [&](double direction) {
    return std::hypot(0.15 * std::cos(direction - phi), 0.11 * std::sin(direction - phi));
  };
  // Both gaps are zero: n·c = h(−n) for n = (±1, 1)/√2.
  const double left = support(-0.75 * M_PI);
  const double right = support(-0.25 * M_PI);
  return fmt::format(R"(
enfold: 1
name: rocking
shows: an ellipse rocks in a corner without friction
hand: {{gravity_mps2: [0, -9.81]}}
planes:
  - {{name: left, point_m: [0, 0], angle_deg: -45}}
  - {{name: right, point_m: [0, 0], angle_deg: 45}}
object: {{shape: {{type: ellipse, semi_axes_m: [0.15, 0.11]}}, mass_kg: 1.69, inertia_kgm2: 1.46e-2}}
contacts:
  - {{name: left, plane: left, mu: 0, mode: auto}}
  - {{name: right, plane: right, mu: 0, mode: auto}}
task: {{start: {{x_m: {}, y_m: {}, phi_deg: 30}}}}
simulation: {{model: {}, duration_s: 10.0, step_s: 1.0e-3, record_hz: 100}}
contact_law: {{type: kelvin_voigt, stiffness_Npm: 1.0e4, damping_ratio: 0.0}}
)",
                     (left - right) / std::sqrt(2.0), (left + right) / std::sqrt(2.0), model);
}

TEST(EnergyTest, TenSecondsWithoutFrictionAndDampingConserveItInEitherModel) {
  for (const std::string model : {"rigid", "compliant"}) {
    const auto [scenario, history] = run_text(rocking_ellipse(model));
    ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << model << ": " << history.message;
    double largest = 0.0;
    double drift = 0.0;
    for (const Sample& s : history.samples) {
      EXPECT_GT(s.lambda_N.minCoeff(), model == "rigid" ? 0.0 : -1.0);
      const double kinetic =
          0.5 * (1.69 * s.x_dot.head<2>().squaredNorm() + 1.46e-2 * s.x_dot[2] * s.x_dot[2]);
      largest = std::max(largest, kinetic);
      drift = std::max(drift, std::abs(s.energy - history.samples.front().energy));
    }
    EXPECT_GT(largest, 5e-3) << "it does rock";
    EXPECT_LT(drift, 1e-6 * largest) << model;
  }
}

/// A polygon or an ellipse thrown onto a floor beside a wall.
std::string random_scene(test::Draw& draw) {
  std::string object;
  std::string contacts;
  const double mu = draw.between(0.0, 1.2);
  const double e = draw.whole(0, 1) == 0 ? 0.0 : draw.between(0.0, 0.9);
  const auto contact = [&](const std::string& name, const std::string& plane, int corner) {
    contacts += fmt::format("  - {{name: {}, plane: {}, {}mu: {}, mode: auto, restitution: {}}}\n", name,
                            plane, corner < 0 ? "" : fmt::format("corner: {}, ", corner), mu, e);
  };
  if (draw.whole(0, 2) == 0) {
    object = fmt::format("{{type: ellipse, semi_axes_m: [{}, {}]}}", draw.between(0.08, 0.2),
                         draw.between(0.05, 0.15));
    contact("on_floor", "floor", -1);
    contact("on_wall", "wall", -1);
  } else {
    const double a = draw.between(0.05, 0.2);
    const double b = draw.between(0.05, 0.2);
    object = fmt::format("{{type: polygon, corners_m: [[{}, {}], [{}, {}], [{}, {}], [{}, {}]]}}", -a, -b, a,
                         -b, a, b, -a, b);
    for (int corner = 0; corner < 4; ++corner) contact(fmt::format("corner{}", corner), "floor", corner);
    contact("right_on_wall", "wall", 1);
    contact("top_on_wall", "wall", 2);
  }
  const std::string models[] = {"integrated", "compliant"};
  return fmt::format(R"(
enfold: 1
name: thrown
shows: a thrown object
hand: {{gravity_mps2: [0, -9.81]}}
planes:
  - {{name: floor, point_m: [0, 0], angle_deg: {}}}
  - {{name: wall, point_m: [0.6, 0], angle_deg: 90}}
object: {{shape: {}, mass_kg: {}, inertia_kgm2: {}}}
contacts:
{}task: {{start: {{x_m: 0, y_m: {}, phi_deg: {}, vx_mps: {}, vy_mps: {}, omega_radps: {}}}}}
simulation: {{model: {}, duration_s: 1.0, step_s: 1.0e-3, record_hz: 1000}}
contact_law: {{type: {}, stiffness_Npm: {}, damping_ratio: {}}}
)",
                     draw.between(-15.0, 15.0), object, draw.between(0.5, 3.0), draw.between(0.005, 0.03),
                     contacts, draw.between(0.3, 0.45), draw.between(-180.0, 180.0), draw.between(-1.0, 2.0),
                     draw.between(-1.0, 1.0), draw.between(-8.0, 8.0), models[draw.whole(0, 1)],
                     draw.whole(0, 3) == 0 ? "hunt_crossley" : "kelvin_voigt",
                     draw.whole(0, 1) == 0 ? 1e4 : 1e5, draw.between(0.1, 1.0));
}

// Between two samples of one model the energy does not grow but for the work of drift correction; an impact
// only takes; a switch changes it by what the springs hold, at most Σλ²/(2k) in either direction of the
// contact.
TEST(EnergyTest, ContactsOfRandomScenesNeverCreateEnergy) {
  int switches = 0;
  int impacts = 0;
  int completed = 0;
  const int n = test::count(25, 500);
  for (int i = 0; i < n; ++i) {
    test::Draw draw(77, i);
    const std::string text = random_scene(draw);
    const auto [scenario, history] = run_text(text);
    ASSERT_TRUE(history.status == sim::RunStatus::kCompleted || !history.message.empty());
    completed += history.status == sim::RunStatus::kCompleted ? 1 : 0;
    double size = 0.0;
    for (const Sample& s : history.samples) size = std::max(size, std::abs(s.energy));
    const double k = scenario.contact_law.stiffness;
    double total = 0.0;
    for (std::size_t j = 1; j < history.samples.size(); ++j) {
      const Sample& before = history.samples[j - 1];
      const Sample& after = history.samples[j];
      double known = 0.0;
      // A sample comes before a switch at its instant.
      for (const Event& event : history.events) {
        if (event.time < before.time - 1e-12 || event.time >= after.time - 1e-12) continue;
        if (event.kind == "impact") {
          ++impacts;
          EXPECT_LE(event.energy_change, 1e-12 * size);
        }
        if (event.kind == "model" && event.time > 0.0) {
          ++switches;
          known += event.energy_change;
          // The forces are those of a sample where the switch is at one.
          const bool at_sample = std::abs(event.time - before.time) < 1e-12;
          if (at_sample && scenario.contact_law.type == "kelvin_voigt") {
            // At a return the dampers may still carry a twentieth of each normal force.
            const double share = event.to == "rigid" ? 0.05 : 0.0;
            const double bound =
                ((1.0 + share) * before.lambda_N).squaredNorm() / (2.0 * k) +
                (before.lambda_T.cwiseAbs() + share * before.lambda_N).squaredNorm() / (2.0 * k);
            EXPECT_LE(std::abs(event.energy_change), bound * (1.0 + 1e-9) + 1e-12)
                << "scene " << i << ", t = " << event.time << " to " << event.to;
          }
          EXPECT_LE(event.jump_q, 1e-12);
          EXPECT_LE(event.jump_v, 1e-12);
        }
      }
      total += known;
      // What the drift correction of rigid contacts does while it removes a gap rate or, rolling, a slip: ∫λ
      // dφ, which runs log in sum.
      if (before.model == ContactModel::kRigid || after.model == ContactModel::kRigid) {
        for (Index c = 0; c < after.gap.size(); ++c) {
          known +=
              std::max(before.lambda_N[c], after.lambda_N[c]) * std::max(0.0, after.gap[c] - before.gap[c]);
          if (after.modes[static_cast<std::size_t>(c)] == contact::ContactMode::kRoll)
            known += std::max(std::abs(before.lambda_T[c]), std::abs(after.lambda_T[c])) *
                     std::max(std::abs(before.slip[c]), std::abs(after.slip[c])) * (after.time - before.time);
        }
      }
      EXPECT_LE(after.energy - before.energy, known + 1e-7 * size + std::abs(known) * 1e-9)
          << "scene " << i << ", t = " << after.time << "\n"
          << text;
    }
    EXPECT_LE(history.samples.back().energy - history.samples.front().energy,
              total + std::max(0.0, history.summary.drift_work) + 1e-6 * size);
  }
  RecordProperty("scenes", n);
  RecordProperty("impacts", impacts);
  RecordProperty("switches", switches);
  EXPECT_GT(impacts, n);
  EXPECT_GT(switches, n / 5);
  EXPECT_GT(completed, n * 9 / 10);
}

}  // namespace
}  // namespace enfold::app
