// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace enfold::study {

/// How a number of a study is spread, as a map from the unit interval: x = F⁻¹(u).            [eq:quantile]
///
/// A distribution is continuous or discrete; only a discrete one can be an axis of a full grid.
class Distribution {
 public:
  /// Uniform on [lower, upper]. @pre finite, lower < upper (throws InvalidArgument, as all of these)
  [[nodiscard]] static Distribution uniform(double lower, double upper);
  /// log x uniform. @pre 0 < lower < upper
  [[nodiscard]] static Distribution log_uniform(double lower, double upper);
  /// Normal, cut to [lower, upper]. @pre sd > 0, lower < upper, with more than 1e-9 of the mass between
  [[nodiscard]] static Distribution normal(double mean, double sd,
                                           double lower = -std::numeric_limits<double>::infinity(),
                                           double upper = std::numeric_limits<double>::infinity());
  /// Triangle with its tip at `mode`. @pre lower ≤ mode ≤ upper, lower < upper
  [[nodiscard]] static Distribution triangular(double lower, double mode, double upper);
  /// Each of these values equally often. @pre not empty, finite
  [[nodiscard]] static Distribution values(std::vector<double> values);
  /// Whole numbers from first to last. @pre first ≤ last, both within ±2⁵³
  [[nodiscard]] static Distribution integers(std::int64_t first, std::int64_t last);

  /// x for 0 ≤ u ≤ 1; finite, also at the ends of an unbounded distribution.
  [[nodiscard]] double quantile(double u) const;
  /// Smallest and largest value; infinite for a normal distribution that is not cut.
  [[nodiscard]] double lower() const { return lower_; }
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] bool discrete() const { return kind_ == Kind::kValues || kind_ == Kind::kIntegers; }
  /// Number of values of a discrete distribution, else 0.
  [[nodiscard]] std::uint64_t levels() const;
  /// Value k of a discrete distribution. @pre k < levels() (throws InvalidArgument)
  [[nodiscard]] double level(std::uint64_t k) const;

 private:
  enum class Kind { kUniform, kLogUniform, kNormal, kTriangular, kValues, kIntegers };
  Distribution(Kind kind, double lower, double upper) : kind_{kind}, lower_{lower}, upper_{upper} {}

  Kind kind_;
  double lower_, upper_;
  double centre_ = 0.0;                  // mean or tip
  double sd_ = 0.0;                      // of a normal distribution
  double cut_low_ = 0.0, cut_up_ = 1.0;  // its F at the cuts
  std::vector<double> values_;
};

}  // namespace enfold::study
