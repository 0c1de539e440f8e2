// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "enfold/base/types.hpp"
#include "enfold/closure/contact_wrenches.hpp"
#include "enfold/closure/resistance.hpp"

namespace enfold::closure {

enum class QualityStatus : std::uint8_t {
  kNotRun,
  kMeasured,
  kFlat,    ///< the wrenches span less than all directions: ε = volume = 0
  kTooBig,  ///< (edges + 1)^contacts points of the `each` budget are above the limit
  kFailed,  ///< Qhull gave up; `message` says why
};

/// The wrenches that the contacts exert within a budget of 1 N of normal force, moments divided by the
/// length of the ContactWrenches.
struct GraspQuality {
  QualityStatus status = QualityStatus::kNotRun;
  /// ε: the largest disturbance that is resisted whatever its direction [N per N]. 0 unless force closed.
  double epsilon = 0.0;
  VectorXd weakest;     ///< direction of the disturbance that is resisted least; unit, moments scaled
  double volume = 0.0;  ///< of the set of wrenches, in powers of N (scaled)
  Index facets = 0;
  std::string message;
};

struct QualityOptions {
  ForceBudget budget = ForceBudget::kSum;
  Index max_points = 100'000;  ///< of the `each` budget
};

/// ε and volume of the grasp wrench space by its convex hull [Ferrari & Canny 1992].        [eq:quality]
///
///     𝒲 = conv({0} ∪ {W_j})  for Σ λ_N ≤ 1,   ⊕_i conv({0} ∪ {W_j of contact i})  for λ_N,i ≤ 1
///     ε = min over facets of the offset,   disturbance −normal of that facet is the weakest
[[nodiscard]] GraspQuality grasp_quality(const ContactWrenches& contacts, const QualityOptions& options = {});

}  // namespace enfold::closure
