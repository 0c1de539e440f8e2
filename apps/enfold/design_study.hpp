// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "enfold/loop/margins.hpp"
#include "enfold/loop/poles.hpp"
#include "enfold/loop/step_response.hpp"

namespace enfold::app {

/// What `enfold design` is asked.
struct DesignQuestion {
  double time = 0.0;                               ///< of the motion, at which the pose is held [s]
  double rate = 0.0;                               ///< of sampling [Hz]; 0: continuous control only
  double delay = 0.0;                              ///< from reading to torque [s]
  std::optional<controllers::WantedPoles> wanted;  ///< empty: the scenario's gains are looked at
};

/// A cut of the loop and what it bears there.
struct CutMargins {
  std::string name;
  loop::Margins continuous, sampled;
};

/// The loop with one choice of gains.
struct DesignCase {
  std::string name;  ///< "the scenario's gains", "placed for 1000 Hz", …
  controllers::Gains gains;
  loop::LinearLoop linear;
  std::vector<loop::Pole> continuous, sampled;
  /// How far the nearest poles are from the wanted ones, relative; of none wanted: from those that the law
  /// claims for its gains.
  double continuous_distance = 0.0, sampled_distance = 0.0;
  bool continuous_stable = false, sampled_stable = false;
  bool in_continuous_time = true;  ///< meant for continuous control too, not for the rate alone
  bool claims_poles = false;       ///< the law says where its poles are, so that distances mean something
};

/// The answers. The last case is the one to use: margins and step responses are its.
struct DesignStudy {
  double time = 0.0;  ///< of the plan's point next to the one asked for [s]
  VectorXd pose;
  std::vector<DesignCase> cases;
  std::vector<CutMargins> margins;
  loop::CriticalDelay continuous_delay, sampled_delay;
  std::vector<loop::StepResponse> continuous_steps, sampled_steps;  ///< one for each coordinate
  std::vector<std::string> coordinates;                             ///< their names
  std::vector<std::string> warnings;
  std::string failure;  ///< why there is no answer; empty if there is one
  [[nodiscard]] const DesignCase& chosen() const { return cases.back(); }
};

/// The poles that the law claims at continuous control, each as often as it has coordinates and squeezes;
/// empty for a law that claims none.
[[nodiscard]] std::vector<std::complex<double>> claimed_poles(const Setup& setup,
                                                              const controllers::WantedPoles& poles,
                                                              const loop::LinearLoop& linear);

/// @pre the plan is not empty (throws InvalidArgument)
[[nodiscard]] DesignStudy study_design(const Setup& setup, const control::Plan& plan,
                                       const DesignQuestion& question);

/// What to copy into a scenario.
[[nodiscard]] std::string controller_snippet(const Setup& setup, const DesignStudy& study, double rate);

}  // namespace enfold::app
