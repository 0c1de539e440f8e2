// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/lcp/matrix_class.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/solution_change.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/uniqueness/certify.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "enfold/uniqueness/over_time.hpp"
#include "enfold/uniqueness/p_region.hpp"
#include "enfold/uniqueness/solutions.hpp"

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
  bool both_directions = false;  ///< margins and certificates over all slip directions
  double window = 0.0;           ///< upper end of the maps; 0: chosen
  int samples = 0;               ///< instants of the margin over time; 0: chosen
  int map_samples = 120;         ///< of the sampled map, each way
};

/// The grasp at one instant of the planned motion.
struct GraspInstant {
  double time = 0.0;
  planners::MotionPoint motion;
  uniqueness::GraspFamily rows;
  VectorXd mu;                ///< of the rows
  std::optional<VectorXd> b;  ///< S4 (19) under the planned torques, where there is a plan
};

/// The smallest principal minor and the number of solutions on a grid of the window.
struct SampledMap {
  int n = 0;                      ///< points each way, at cell centres
  std::vector<double> min_minor;  ///< n × n, row by row from the lower left
  std::vector<int> solutions;     ///< −1: not counted or infinitely many; empty without b
};

/// One map of the plane of two groups.
struct PlaneMap {
  uniqueness::PlaneProblem plane;
  uniqueness::PRegion region;
  /// The design as a point of the plane; none if contacts of a group have different μ.
  std::optional<Vector2d> design;
  uniqueness::RegionDistance distance;  ///< of the design, also to an edge beyond the window
  bool design_inside = false;
  SampledMap sampled;
};

/// All that is asked at one instant.
struct InstantStudy {
  GraspInstant at;
  lcp::PMatrixResult p_test;  ///< of the design
  uniqueness::Frontier frontier;
  VectorXd direction;  ///< of the rows
  uniqueness::FrictionMargin margin;
  std::optional<uniqueness::Certificate> certificate;
  std::optional<PlaneMap> map;
  std::optional<uniqueness::ContactAnswers> answers;
  std::optional<lcp::SolutionChange> change;
  // With rolling contacts, the full stick/slip problem:
  std::optional<lcp::EnumerationResult> stick_slip;
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

struct UniquenessStudy {
  planners::PlanSolution planned;  ///< empty where no squeeze can be planned
  std::vector<InstantStudy> instants;
  std::vector<MarginSample> margins;
  uniqueness::OverTime over_time;
  std::vector<std::vector<Index>> groups;  ///< contact numbers of the two groups; empty: no map
  double window = 0.0;
  std::optional<PlaneMap> robust;  ///< P at all sampled instants
  std::vector<std::string> notes;  ///< in words: what was left out and why
};

/// Whether the half-width is a number: finite, or 0 where A is not P.
[[nodiscard]] bool known(const uniqueness::FrictionMargin& margin);

/// The sample with the smallest margin; nullptr if the motion can't be followed anywhere.
[[nodiscard]] const MarginSample* smallest_margin(const UniquenessStudy& study);

/// The grasp along its planned motion.
class GraspPath {
 public:
  explicit GraspPath(const Setup& setup);

  /// @param plan for b; may be empty
  [[nodiscard]] GraspInstant at(double t, const control::Plan& plan = {}) const;
  [[nodiscard]] double duration() const { return motion_.duration(); }

 private:
  const Setup& setup_;
  planners::PlannedMotion motion_;
};

/// Throws ScenarioError for a time outside the motion, an unknown contact, or groups that can't be.
[[nodiscard]] UniquenessStudy study_uniqueness(const Setup& setup, const UniquenessQuestion& question);

/// One map at one instant. @param groups contact numbers of the two groups
[[nodiscard]] PlaneMap make_map(const std::vector<GraspInstant>& instants,
                                const std::vector<std::vector<Index>>& groups, double window, int samples);

}  // namespace enfold::app
