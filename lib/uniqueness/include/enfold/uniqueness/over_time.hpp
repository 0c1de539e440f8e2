// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "enfold/uniqueness/family_enclosure.hpp"
#include "enfold/uniqueness/friction_margin.hpp"

namespace enfold::uniqueness {

/// What is known of a stretch of time.
enum class TimeVerdict : std::uint8_t {
  kUnique,            ///< P all along: proved from an enclosure of A
  kNotUnique,         ///< not P all along: proved likewise
  kSampledUnique,     ///< P at the samples; between them not proved
  kSampledNotUnique,  ///< not P at the samples; between them not proved
  kUndecided,         ///< the samples differ, or rounding hides them: uniqueness is lost or gained in here
  kNoMotion,          ///< the motion can't be followed
};

[[nodiscard]] std::string_view to_string(TimeVerdict verdict);

struct TimeStretch {
  double from = 0.0, to = 0.0;  ///< [s]
  TimeVerdict verdict = TimeVerdict::kNoMotion;
};

struct OverTimeOptions {
  SlipDirections slip = SlipDirections::kDeclared;  ///< kBoth: every combination of directions, at all times
  int intervals = 100;                              ///< of equal length to start with; 1 or more
  /// Halvings of an interval that is not decided; losses and gains of uniqueness are located to the same
  /// length. 0 … 30.
  int halvings = 16;
  /// Enclosures and samples stop after so many intervals; the rest is sampled. 1 or more.
  int max_intervals = 20000;
};

/// Stretches in order of time, neighbours with one verdict joined.
struct OverTime {
  std::vector<TimeStretch> stretches;
  /// Every stretch is proved unique.
  [[nodiscard]] bool unique() const;
  /// The first stretch that is not unique, or nullptr.
  [[nodiscard]] const TimeStretch* first_loss() const;
};

/// Whether A(μ) is P for all times, not at samples only.                          [eq:interval-matrix]
///
/// A stretch is proved unique if all corner families of its enclosure are P at μ, and proved not unique if a
/// principal minor is negative at one instant and no matrix of the enclosure makes it singular:
///
///     det A_SS < 0   and   ‖ |A_SS⁻¹| Δ_SS ‖_∞ < 1,   Δ = R₀ + R₁ diag(μ).
///
/// What is not proved is halved; what is still not proved at the end, or where there is no enclosure, is said
/// to be sampled only.
/// @param family_over may be empty: then everything is sampled
/// @pre duration ≥ 0, options in range, μ finite and ≥ 0 with the family's size (throws InvalidArgument)
[[nodiscard]] OverTime uniqueness_over_time(const FamilyAt& family_at, const FamilyOver& family_over,
                                            double duration, const VectorXd& mu,
                                            const OverTimeOptions& options = {});

/// Whether all matrices A' with |A' − A| ≤ Δ are P.                              [eq:interval-matrix]
/// @pre sizes agree, Δ ≥ 0, n ≤ 12 (throws InvalidArgument)
[[nodiscard]] bool interval_matrix_is_p(const MatrixXd& A, const MatrixXd& Delta);

struct SmallestMarginOptions {
  SlipDirections slip = SlipDirections::kDeclared;
  int instants = 41;  ///< looked at to start with; 2 or more
  /// The proof is for (1 − tolerance) times the smallest margin found. Dimensionless; 1e-6 … 0.1.
  double tolerance = 1e-3;
  /// The proof is given up after so many intervals. 1 or more.
  int max_intervals = 4000;
};

/// The smallest friction margin of a motion.
struct SmallestMargin {
  double time = 0.0;      ///< when
  FrictionMargin margin;  ///< there; kNotRun if the motion can't be followed or a margin isn't known
  /// No margin of the whole motion is smaller: proved, between the instants as well. 0 if not proved.
  double proved = 0.0;
};

/// The smallest friction margin over a motion that is unique all along: the smallest of the instants, then by
/// golden sections next to it; the lower bound by certifying the cube of that half-width on intervals that
/// cover the motion.                                              [eq:friction-margin] [eq:interval-matrix]
/// @pre as uniqueness_over_time; n ≤ 10 (throws InvalidArgument)
[[nodiscard]] SmallestMargin smallest_margin_over_time(const FamilyAt& family_at,
                                                       const FamilyOver& family_over, double duration,
                                                       const VectorXd& mu,
                                                       const SmallestMarginOptions& options = {});

}  // namespace enfold::uniqueness
