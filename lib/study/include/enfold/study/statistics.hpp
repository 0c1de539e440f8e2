// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace enfold::study {

struct Interval {
  double lower = 0.0;
  double upper = 1.0;
};

/// Confidence interval of a success rate after k successes in n trials.                        [eq:wilson]
///
///     (p̂ + z²/2n ± z √(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n),   p̂ = k/n,   z = Φ⁻¹((1 + confidence)/2)
///
/// Close to its confidence on average over p; never outside [0, 1]; [0, 1] for n = 0.        [Wilson 1927]
/// @pre k ≤ n, 0 < confidence < 1 (throws InvalidArgument, as all of these)
[[nodiscard]] Interval wilson_interval(std::uint64_t k, std::uint64_t n, double confidence = 0.95);

/// The interval that covers the truth with at least its confidence for every p: quantiles of Beta(k, n−k+1)
/// and Beta(k+1, n−k). Wider than Wilson's.                  [eq:clopper-pearson] [Clopper & Pearson 1934]
[[nodiscard]] Interval exact_interval(std::uint64_t k, std::uint64_t n, double confidence = 0.95);

/// Of the finite numbers among those given.
struct Moments {
  std::size_t count = 0;
  double mean = 0.0;
  double sd = 0.0;  ///< with n − 1; 0 for fewer than two numbers
  double least = 0.0, lower_quartile = 0.0, median = 0.0, upper_quartile = 0.0, most = 0.0;
};
[[nodiscard]] Moments moments(std::span<const double> values);

/// Quantile of sorted numbers, linear between them. @pre not empty, 0 ≤ u ≤ 1
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double u);

/// Pearson's coefficient of linear correlation over the pairs of finite numbers; NaN if a side does not vary.
[[nodiscard]] double correlation(std::span<const double> x, std::span<const double> y);

/// Spearman's: the correlation of the ranks, equal numbers sharing their mean rank. Finds every monotone
/// relation.
[[nodiscard]] double rank_correlation(std::span<const double> x, std::span<const double> y);

/// How often which values occur.
struct Histogram {
  std::vector<double> edges;  ///< one more than counts, increasing
  std::vector<std::uint64_t> counts;
};
/// Of the finite numbers. The bin width is that of Freedman and Diaconis, 2 IQR n^(−1/3), within 5 … 40 bins;
/// a single value gets one bin. Empty without numbers.
[[nodiscard]] Histogram histogram(std::span<const double> values);

/// The mean of y in one slice of x.
struct EffectBin {
  double lower = 0.0, upper = 0.0;  ///< of the slice; equal for one value of x
  std::size_t count = 0;
  double mean = 0.0;
  double half_width = 0.0;  ///< of the 95 % interval of that mean, Student's t; infinite for one number
};

/// What x alone does to y.
struct MainEffect {
  std::vector<EffectBin> bins;
  /// Share of the variance of y that x alone explains, between 0 and 1: the slices' between-groups part with
  /// what chance would give taken off; NaN if y does not vary.                            [eq:main-effect]
  ///
  ///     S = max(0, (SS_between − (B − 1) s²) / SS_total),   s² = SS_within/(n − B)
  double share = 0.0;
};

/// Slices x by value if it has up to `max_bins` different ones, else into as many slices of equal count.
/// Pairs with a number that is not finite are left out. The mean of y per slice is the main effect in the
/// sense of [Box 1978]; S estimates the first-order index Var(E[y | x])/Var(y) of [Sobol 1993].
[[nodiscard]] MainEffect main_effect(std::span<const double> x, std::span<const double> y,
                                     std::size_t max_bins = 10);

}  // namespace enfold::study
