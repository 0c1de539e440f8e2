// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <glpk.h>

#include "enfold/lp/lp_problem.hpp"

namespace enfold::lp {

/// GLPK prints through a per-thread environment that the host program may also use: silence it for one scope
/// only.
class Silence {
 public:
  Silence() : before_{glp_term_out(GLP_OFF)} {}
  ~Silence() { glp_term_out(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int before_;
};

struct GlpkBounds {
  int type;
  double lower;
  double upper;
};

/// Bounds that cross by rounding become an equality at their midpoint.
[[nodiscard]] inline GlpkBounds glpk_bounds(double lower, double upper) {
  const bool has_lower = lower > -kInfinity;
  const bool has_upper = upper < kInfinity;
  if (has_lower && has_upper) {
    if (lower < upper) return {GLP_DB, lower, upper};
    const double middle = lower == upper ? lower : 0.5 * (lower + upper);
    return {GLP_FX, middle, middle};
  }
  if (has_lower) return {GLP_LO, lower, 0.0};
  if (has_upper) return {GLP_UP, 0.0, upper};
  return {GLP_FR, 0.0, 0.0};
}

[[nodiscard]] inline int one_based(Index i) {
  return static_cast<int>(i) + 1;
}

}  // namespace enfold::lp
