// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

constexpr double kSmallest = 0x1.0p-53;        // keeps the quantiles of unbounded distributions finite
constexpr double kWhole = 9007199254740992.0;  // 2⁵³

double normal_cdf(double z) {
  if (std::isinf(z)) return z < 0.0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::normal_distribution<double>(), z);
}

}  // namespace

Distribution Distribution::uniform(double lower, double upper) {
  ENFOLD_REQUIRE(std::isfinite(lower) && std::isfinite(upper) && lower < upper,
                 "uniform needs lower < upper, found [{}, {}]", lower, upper);
  return {Kind::kUniform, lower, upper};
}

Distribution Distribution::log_uniform(double lower, double upper) {
  ENFOLD_REQUIRE(std::isfinite(upper) && 0.0 < lower && lower < upper,
                 "log_uniform needs 0 < lower < upper, found [{}, {}]", lower, upper);
  return {Kind::kLogUniform, lower, upper};
}

Distribution Distribution::normal(double mean, double sd, double lower, double upper) {
  ENFOLD_REQUIRE(std::isfinite(mean), "normal needs a finite mean, found {}", mean);
  ENFOLD_REQUIRE(std::isfinite(sd) && sd > 0.0, "normal needs a standard deviation > 0, found {}", sd);
  ENFOLD_REQUIRE(lower < upper, "normal needs min < max, found {} and {}", lower, upper);
  Distribution out(Kind::kNormal, lower, upper);
  out.centre_ = mean;
  out.sd_ = sd;
  out.cut_low_ = normal_cdf((lower - mean) / sd);
  out.cut_up_ = normal_cdf((upper - mean) / sd);
  ENFOLD_REQUIRE(out.cut_up_ - out.cut_low_ > 1e-9,
                 "normal with mean {} and sd {} has next to no mass between {} and {}", mean, sd, lower,
                 upper);
  return out;
}

Distribution Distribution::triangular(double lower, double mode, double upper) {
  ENFOLD_REQUIRE(
      std::isfinite(lower) && std::isfinite(upper) && lower < upper && lower <= mode && mode <= upper,
      "triangular needs lower <= mode <= upper and lower < upper, found [{}, {}, {}]", lower, mode, upper);
  Distribution out(Kind::kTriangular, lower, upper);
  out.centre_ = mode;
  return out;
}

Distribution Distribution::values(std::vector<double> values) {
  ENFOLD_REQUIRE(!values.empty(), "values needs at least one value");
  for (const double value : values) ENFOLD_REQUIRE(std::isfinite(value), "values must be finite");
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  Distribution out(Kind::kValues, *least, *most);
  out.values_ = std::move(values);
  return out;
}

Distribution Distribution::integers(std::int64_t first, std::int64_t last) {
  const auto a = static_cast<double>(first);
  const auto b = static_cast<double>(last);
  ENFOLD_REQUIRE(std::abs(a) <= kWhole && std::abs(b) <= kWhole && first <= last,
                 "integers needs first <= last, both within 2^53, found [{}, {}]", first, last);
  return {Kind::kIntegers, a, b};
}

std::uint64_t Distribution::levels() const {
  if (kind_ == Kind::kIntegers) return static_cast<std::uint64_t>(upper_ - lower_) + 1;
  return values_.size();
}

double Distribution::level(std::uint64_t k) const {
  ENFOLD_REQUIRE(k < levels(), "level {} of a distribution with {}", k, levels());
  return kind_ == Kind::kIntegers ? lower_ + static_cast<double>(k) : values_[static_cast<std::size_t>(k)];
}

double Distribution::quantile(double u) const {
  u = std::clamp(u, 0.0, 1.0);
  switch (kind_) {
    case Kind::kUniform:
      return std::clamp(lower_ + u * (upper_ - lower_), lower_, upper_);
    case Kind::kLogUniform:
      return std::clamp(lower_ * std::exp(u * std::log(upper_ / lower_)), lower_, upper_);
    case Kind::kNormal: {
      const double p = std::clamp(cut_low_ + u * (cut_up_ - cut_low_), kSmallest, 1.0 - kSmallest);
      const double z = boost::math::quantile(boost::math::normal_distribution<double>(), p);
      return std::clamp(centre_ + sd_ * z, lower_, upper_);
    }
    case Kind::kTriangular: {
      const double left = (centre_ - lower_) / (upper_ - lower_);
      const double width = upper_ - lower_;
      if (u < left) return lower_ + width * std::sqrt(u * left);
      return upper_ - width * std::sqrt((1.0 - u) * (1.0 - left));
    }
    case Kind::kValues:
    case Kind::kIntegers: {
      const double n = static_cast<double>(levels());
      const auto k = static_cast<std::uint64_t>(u * n);
      return level(std::min(k, levels() - 1));
    }
  }
  return lower_;
}

}  // namespace enfold::study
