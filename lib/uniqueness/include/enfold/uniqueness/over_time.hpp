// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "enfold/uniqueness/friction_margin.hpp"

namespace enfold::uniqueness {

/// A grasp along a motion: its family at a time, or nothing where the motion can't be followed. Rows must be
/// the same contacts at all times; slip directions may change.
using FamilyAt = std::function<std::optional<FrictionFamily>(double t)>;

/// What is known of a stretch of time.
enum class TimeVerdict : std::uint8_t {
  kUnique,       ///< P all along: proved from a bound on the change of A
  kSampledOnly,  ///< P at the samples; between them not proved
  kNotUnique,    ///< not P at its samples; nothing is proved between them
  kNoMotion,     ///< the motion can't be followed
};

[[nodiscard]] constexpr std::string_view to_string(TimeVerdict verdict) {
  switch (verdict) {
    case TimeVerdict::kUnique:
      return "unique";
    case TimeVerdict::kSampledOnly:
      return "sampled only";
    case TimeVerdict::kNotUnique:
      return "not unique";
    case TimeVerdict::kNoMotion:
      return "no motion";
  }
  return "unknown";
}

struct TimeStretch {
  double from = 0.0, to = 0.0;  ///< [s]
  TimeVerdict verdict = TimeVerdict::kNoMotion;
};

struct OverTimeOptions {
  SlipDirections slip = SlipDirections::kDeclared;  ///< kBoth: every combination of directions, at all times
  int intervals = 200;                              ///< of equal length to start with; 1 or more
  /// Halvings of an interval that is not decided; losses and gains of uniqueness are located to the same
  /// length. 0 … 30.
  int halvings = 20;
  /// The change of A within an interval is taken as this multiple of the largest change measured at five
  /// points of it. 1 or more.
  double safety = 2.0;
};

/// Stretches in order of time, neighbours with one verdict joined.
struct OverTime {
  std::vector<TimeStretch> stretches;
  /// Every stretch is kUnique.
  [[nodiscard]] bool unique() const;
};

/// Whether A(μ) is P for all times, not at samples only.                          [eq:interval-matrix]
///
/// On a short interval |A(t) − A_c| ≤ Δ entry by entry, Δ the measured change times `safety`. All matrices
/// within Δ of A_c are P if and only if the 2ⁿ⁻¹ matrices
///
///     A_c − diag(z) Δ diag(z),   z ∈ {−1, 1}ⁿ,
///
/// are [Rohn & Rex 1996]. A contact whose slip turns round in the interval is taken with both directions.
/// What is not proved is halved; what is still not proved at the end is said to be sampled only.
/// @pre duration ≥ 0, options in range, μ finite and ≥ 0 with the family's size (throws InvalidArgument)
[[nodiscard]] OverTime uniqueness_over_time(const FamilyAt& family_at, double duration, const VectorXd& mu,
                                            const OverTimeOptions& options = {});

/// Whether all matrices A' with |A' − A| ≤ Δ are P.                              [eq:interval-matrix]
/// @pre sizes agree, Δ ≥ 0, n ≤ 12 (throws InvalidArgument)
[[nodiscard]] bool interval_matrix_is_p(const MatrixXd& A, const MatrixXd& Delta);

}  // namespace enfold::uniqueness
