// SPDX-License-Identifier: BSD-3-Clause
// What the plant of S4's Example 1 costs, rigid, integrated and all compliant, each as coarse as it may be
// for 1e-6 rad (and 1e-6 m) against its own refined solution. The torques are played back, so that no
// controller is timed.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/io/scenario_file.hpp"

namespace enfold::bench {
namespace {

constexpr double kTarget = 1e-6;
constexpr int kRepeats = 31;

/// Torques of an earlier run, held between two instants of the control grid.
class Playback final : public control::Controller {
 public:
  Playback(std::vector<VectorXd> torques, double rate) : torques_{std::move(torques)}, rate_{rate} {}
  [[nodiscard]] Index n_integrals() const override { return 0; }
  void evaluate(double t, const control::Measurement&, const VectorXd&,
                control::Command& out) noexcept override {
    const auto k = static_cast<std::size_t>(t * rate_ + 0.5);
    out.tau = torques_[std::min(k, torques_.size() - 1)];
    out.singular = false;
  }
  [[nodiscard]] std::string description() const override { return "torques played back"; }

 private:
  std::vector<VectorXd> torques_;
  double rate_;
};

/// How finely a run is integrated.
struct Fineness {
  std::string name;
  double step = 1e-3;  // of declared rigid modes [s]
  double tol = 1e-10;  // of q, in both adaptive integrators
  sim::CompliantMethod method = sim::CompliantMethod::kAuto;
  ode::DenseMethod rigid_method = ode::DenseMethod::kDormandPrince5;
};

class Contestant {
 public:
  Contestant(const std::string& scenario, const std::string& model, double stiffness)
      : setup_{app::make_setup(io::read_scenario(
            std::string(ENFOLD_SOURCE_DIR) + "/scenarios/" + scenario + ".yaml",
            std::vector<std::string>{"simulation.model=" + model,
                                     "contact_law.stiffness_Npm=" + std::to_string(stiffness)}))} {
    plan_ = std::make_shared<control::Plan>(app::make_plan(setup_).plan);
    sim::Simulation closed = app::make_simulation(setup_, plan_);
    while (closed.advance()) {
    }
    const sim::History history = closed.take_history();
    // A sample's torque is the one that acted up to it.
    std::vector<VectorXd> torques;
    for (std::size_t k = 1; k < history.samples.size(); ++k) torques.push_back(history.samples[k].tau);
    playback_ = std::make_shared<Playback>(std::move(torques), setup_.scenario.controller.rate);
  }

  [[nodiscard]] sim::History run(const Fineness& fineness, double* seconds = nullptr) const {
    app::ClosedLoop loop = app::make_closed_loop(setup_, plan_);
    loop.problem.controller = playback_;
    loop.options.record_rate = 50.0;
    loop.options.stability.reset();
    loop.options.step = fineness.step;
    loop.options.modes.position_tol = fineness.tol;
    loop.options.modes.velocity_tol = 10.0 * fineness.tol;
    loop.options.modes.method = fineness.rigid_method;
    loop.options.compliant.position_tol = fineness.tol;
    loop.options.compliant.velocity_tol = 100.0 * fineness.tol;
    loop.options.compliant.method = fineness.method;
    sim::Simulation simulation(std::move(loop.problem), std::move(loop.options));
    const std::clock_t from = std::clock();
    while (simulation.advance()) {
    }
    if (seconds != nullptr) *seconds = static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
    return simulation.take_history();
  }

  [[nodiscard]] static double distance(const sim::History& a, const sim::History& b) {
    double worst = a.status == sim::RunStatus::kCompleted ? 0.0 : 1.0;
    for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
      worst = std::max({worst, (a.samples[k].x - b.samples[k].x).lpNorm<Eigen::Infinity>(),
                        (a.samples[k].theta - b.samples[k].theta).lpNorm<Eigen::Infinity>()});
    }
    return worst;
  }

 private:
  app::Setup setup_;
  std::shared_ptr<const control::Plan> plan_;
  std::shared_ptr<Playback> playback_;
};

struct Result {
  double median = 0.0;  // [s]
  double error = 0.0;
  Fineness how;
};

double median(std::vector<double>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

double median_time(const Contestant& contestant, const Fineness& fineness, int repeats) {
  std::vector<double> times(static_cast<std::size_t>(repeats));
  for (double& seconds : times) (void)contestant.run(fineness, &seconds);
  return median(times);
}

/// Medians of runs in turn: what else the machine does then falls on both.
void time_in_turn(const Contestant& a, Result& of_a, const Contestant& b, Result& of_b) {
  std::vector<double> times_a(kRepeats), times_b(kRepeats);
  for (std::size_t i = 0; i < times_a.size(); ++i) {
    (void)a.run(of_a.how, &times_a[i]);
    (void)b.run(of_b.how, &times_b[i]);
  }
  of_a.median = median(times_a);
  of_b.median = median(times_b);
}

/// The fastest of the candidates that are fine enough.
Result best(const Contestant& contestant, const std::vector<Fineness>& candidates, const Fineness& refined) {
  const sim::History reference = contestant.run(refined);
  Result out;
  out.median = std::numeric_limits<double>::infinity();
  for (const Fineness& candidate : candidates) {
    const double error = Contestant::distance(contestant.run(candidate), reference);
    if (error > kTarget) continue;
    const double time = median_time(contestant, candidate, 5);
    if (time < out.median) out = {time, error, candidate};
  }
  return out;
}

std::vector<Fineness> adaptive() {
  std::vector<Fineness> out;
  for (const double tol : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    for (const auto& [name, method] : {std::pair{"explicit", sim::CompliantMethod::kDormandPrince5},
                                       std::pair{"Rosenbrock", sim::CompliantMethod::kRosenbrock4}}) {
      char text[64];
      std::snprintf(text, sizeof text, "%s, tol %.0e", name, tol);
      out.push_back({text, 1e-3, tol, method});
    }
  }
  return out;
}

/// The same, each with either method for the rigid stretches.
std::vector<Fineness> with_rigid_methods(const std::vector<Fineness>& candidates) {
  std::vector<Fineness> out;
  for (Fineness f : candidates) {
    for (const auto& [name, method] : {std::pair{" + order 5", ode::DenseMethod::kDormandPrince5},
                                       std::pair{" + order 3", ode::DenseMethod::kBogackiShampine3}}) {
      Fineness& next = out.emplace_back(f);
      next.name += name;
      next.rigid_method = method;
    }
  }
  return out;
}

void print(const char* model, double k, const Result& result, double rigid) {
  std::printf("%-22s %8.0e  %9.3f ms  %8.2f  %9.1e  %s\n", model, k, 1e3 * result.median,
              result.median / rigid, result.error, result.how.name.c_str());
}

}  // namespace
}  // namespace enfold::bench

int main() {
  using namespace enfold::bench;
  std::printf("Plant of Example 1, 1 s, controller excluded, median of %d runs in turn\n", kRepeats);
  std::printf("%-22s %8s  %12s  %8s  %9s  %s\n", "model", "k [N/m]", "CPU", "/ rigid", "error",
              "integrated by");
  const std::vector<Fineness> steps = {{"RK4, 1 ms", 1e-3}, {"RK4, 0.5 ms", 5e-4}, {"RK4, 0.25 ms", 2.5e-4}};
  const Contestant rigid("song2001-rotate", "rigid", 1e4);
  const Result base = best(rigid, steps, {"RK4, 0.1 ms", 1e-4});
  print("rigid, sliding", 0.0, base, base.median);
  const Fineness refined{"refined", 1e-3, 1e-12, enfold::sim::CompliantMethod::kDormandPrince5};
  for (const double k : {1e4, 1e5, 1e6}) {
    const Contestant integrated("song2001-rotate-integrated", "integrated", k);
    const Contestant compliant("song2001-rotate-integrated", "compliant", k);
    Result a = best(integrated, with_rigid_methods(adaptive()), refined);
    Result b = best(compliant, adaptive(), refined);
    time_in_turn(integrated, a, compliant, b);
    print("integrated", k, a, base.median);
    print("all compliant", k, b, base.median);
    std::printf("%-22s %8.0e  all compliant / integrated = %.2f\n", "", k, b.median / a.median);
  }
  return 0;
}
