// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "enfold/base/types.hpp"

namespace enfold::closure {

enum class HullStatus : std::uint8_t {
  kBuilt,
  kFlat,    // the points lie in a hyperplane: no volume
  kFailed,  // the library gave up; `message` says why
};

// The convex hull of points: normals·x ≤ offsets.
struct Hull {
  HullStatus status = HullStatus::kFlat;
  MatrixXd normals;  // d × n_facets, unit, outward
  VectorXd offsets;  // n_facets
  double volume = 0.0;
  std::string message;
};

// Of the columns of `points`, d ≥ 2 rows. The only user of Qhull.
[[nodiscard]] Hull convex_hull(const MatrixXd& points);

}  // namespace enfold::closure
