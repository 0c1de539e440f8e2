// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "enfold/lcp/matrix_class.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/solution_change.hpp"
#include "enfold/sim/friction_problem.hpp"
#include "enfold/uniqueness/certify.hpp"
#include "enfold/uniqueness/directed_frontier.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "enfold/uniqueness/over_time.hpp"
#include "enfold/uniqueness/solutions.hpp"
#include "grasp_path.hpp"
#include "plane_map.hpp"

namespace enfold::app {

/// The planned motion can't be followed at an instant that was asked for.
class MotionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `enfold uniqueness` is asked.
struct UniquenessQuestion {
  std::vector<double> times;                             ///< [s]; for frontiers, maps, answers
  std::map<std::string, double> direction;               ///< by contact; empty: the scenario's μ
  bool from_scenario = false;                            ///< μ₀ = the scenario's μ, else 0
  std::vector<std::vector<std::string>> groups;          ///< two, for the maps; empty: chosen
  std::map<std::string, std::pair<double, double>> box;  ///< by contact; empty: no certificate is asked for
  bool both_directions = false;  ///< everything over all slip directions, not the planned ones
  double window = 0.0;           ///< upper end of the maps; 0: chosen
  int samples = 0;               ///< instants of the margin over time; 0: chosen
  int map_samples = 120;         ///< of the sampled map, each way

  [[nodiscard]] uniqueness::SlipDirections slip() const {
    return both_directions ? uniqueness::SlipDirections::kBoth : uniqueness::SlipDirections::kDeclared;
  }
};

/// All that is asked at one instant.
struct InstantStudy {
  GraspInstant at;
  /// In words: why there is no contact matrix, or nothing to ask of it. Then only `stick_slip` may follow.
  std::string without_matrix;
  lcp::PMatrixResult p_test;  ///< of the design, in the planned directions
  uniqueness::DirectedFrontier frontier;
  VectorXd direction;  ///< of the rows
  uniqueness::FrictionMargin margin;
  std::optional<uniqueness::Certificate> certificate;
  std::optional<PlaneMap> map;
  std::optional<uniqueness::ContactAnswers> answers;
  std::optional<lcp::SolutionChange> change;
  // With contacts that roll, or rest and may stick, the full stick/slip problem:
  std::vector<Index> sticking;  ///< contact numbers
  std::optional<sim::FrictionSolution> stick_slip;
  std::vector<Index> closed;  ///< contact numbers of its answers
  std::optional<lcp::ClassFinding> copositive;
};

struct MarginSample {
  double time = 0.0;
  bool followed = false;
  bool p_matrix = false;
  double min_minor = 0.0;
  uniqueness::FrictionMargin margin;
  std::vector<Index> contacts;  ///< numbers of the contacts in the failing minor
};

/// The smallest friction margin of the whole motion.
struct LeastMargin {
  double time = 0.0;            ///< when; of 0 the time from which uniqueness is lost [s]
  double half_width = 0.0;      ///< 0 where A is not P
  std::vector<Index> contacts;  ///< numbers of the contacts in the failing minor
  /// No margin of the motion is smaller than this: proved between the instants as well. Absent if not proved.
  std::optional<double> proved;
};

struct UniquenessStudy {
  planners::PlanSolution planned;  ///< empty where no squeeze can be planned
  bool moves = true;               ///< false without a hand: only the start is looked at
  std::vector<InstantStudy> instants;
  std::vector<MarginSample> margins;
  std::optional<LeastMargin> least;
  uniqueness::OverTime over_time;
  uniqueness::GraspFamily rows;            ///< of the robust sets: at the first instant that can be followed
  std::vector<std::vector<Index>> groups;  ///< contact numbers of the two groups; empty: no map
  double window = 0.0;
  std::optional<PlaneMap> robust;         ///< P at all sampled instants
  std::optional<PlaneMap> robust_proved;  ///< proved P at all times: a part of `robust`
  std::vector<std::string> notes;         ///< in words: what was left out and why
};

/// Whether the half-width is a number: finite, or 0 where A is not P.
[[nodiscard]] bool known(const uniqueness::FrictionMargin& margin);

/// In words: one, several, infinitely many, none, or not counted; and the number where it is known.
[[nodiscard]] std::string stick_slip_words(const sim::FrictionSolution& solution);
[[nodiscard]] std::optional<Index> stick_slip_count(const sim::FrictionSolution& solution);

/// Throws ScenarioError for a time outside the motion, an unknown contact, or groups that can't be, and
/// MotionError where the motion can't be followed at an instant that was asked for.
[[nodiscard]] UniquenessStudy study_uniqueness(const Setup& setup, const UniquenessQuestion& question);

}  // namespace enfold::app
