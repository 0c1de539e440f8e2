// SPDX-License-Identifier: BSD-3-Clause
#include "told_trajectory.hpp"

#include <algorithm>

#include "closed_loop.hpp"
#include "enfold/planners/minimum_jerk.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/planners/round_path.hpp"
#include "enfold/planners/spline_path.hpp"

namespace enfold::app {
namespace {

using interval::Interval;

// For the best times of via poses a radian counts as much as this [m].
constexpr double kRadian = 0.1;

}  // namespace

std::shared_ptr<const control::Trajectory> told_trajectory(const io::TrajectorySpec& spec) {
  if (spec.is_round()) {
    planners::RoundPath::Shape shape;
    shape.centre = {spec.centre[0], spec.centre[1]};
    shape.turns = spec.turns;
    shape.radius_to = spec.radius_to;
    shape.others_to = VectorXd::Constant(1, spec.to.phi);
    return std::make_shared<planners::RoundPath>(pose(spec.from), std::move(shape), spec.duration);
  }
  if (spec.type == "minimum_jerk") {
    std::vector<VectorXd> points{pose(spec.from)};
    std::vector<double> times{0.0};
    for (const io::ViaSpec& via : spec.via) {
      points.push_back(pose(via.pose));
      times.push_back(via.time.value_or(0.0));
    }
    points.push_back(pose(spec.to));
    times.push_back(spec.duration);
    if (spec.via.empty() || spec.via.front().time)
      return std::make_shared<planners::MinimumJerk>(std::move(points), std::move(times));
    return std::make_shared<planners::MinimumJerk>(planners::MinimumJerk::with_best_times(
        std::move(points), spec.duration, Eigen::Vector3d(1.0, 1.0, kRadian)));
  }
  return std::make_shared<planners::Quintic>(pose(spec.from), pose(spec.to), spec.duration);
}

std::shared_ptr<const models::PosePath> told_path(const io::TrajectorySpec& spec,
                                                  const control::Trajectory& told) {
  if (spec.is_round())
    return std::make_shared<models::SpiralPath>(pose(spec.from), Vector2d(spec.centre[0], spec.centre[1]),
                                                spec.turns, spec.radius_to, spec.to.phi);
  if (const auto* through = dynamic_cast<const planners::MinimumJerk*>(&told))
    return std::make_shared<models::PolynomialPath>(through->coefficients());
  if (const auto* staged = dynamic_cast<const planners::StagedPath*>(&told))
    return std::make_shared<models::PolynomialPath>(staged->legs().front().coefficients());
  return std::make_shared<models::StraightPath>(pose(spec.from), pose(spec.to));
}

Interval path_parameter(const io::TrajectorySpec& spec, const control::Trajectory& told, double t) {
  if (const auto* staged = dynamic_cast<const planners::StagedPath*>(&told)) {
    const auto pieces = static_cast<double>(staged->legs().front().coefficients().size());
    return Interval(pieces) * (Interval(t) / Interval(staged->duration()));
  }
  const auto* through = dynamic_cast<const planners::MinimumJerk*>(&told);
  if (through == nullptr) return planners::Quintic::progress(Interval(t) / Interval(spec.duration));
  const std::vector<double>& times = through->times();
  const auto after = std::upper_bound(times.begin() + 1, times.end() - 1, t);
  const auto piece = static_cast<double>(after - times.begin() - 1);
  return Interval(piece) +
         (Interval(t) - Interval(*(after - 1))) / (Interval(*after) - Interval(*(after - 1)));
}

VectorXd told_range(const io::TrajectorySpec& spec, const control::Trajectory& told) {
  VectorXd low = pose(spec.from).cwiseMin(pose(spec.to));
  VectorXd high = pose(spec.from).cwiseMax(pose(spec.to));
  if (spec.type != "quintic") {
    constexpr int kSamples = 1000;
    control::Reference at;
    for (int i = 0; i <= kSamples; ++i) {
      told.sample(spec.duration * i / kSamples, at);
      low = low.cwiseMin(at.x);
      high = high.cwiseMax(at.x);
    }
  }
  return high - low;
}

}  // namespace enfold::app
