// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace enfold {

/// A random stream without state: the n-th draw is a hash of (seed, stream, n), so that results do not depend
/// on the order or the number of workers that draw them. The mixer is SplitMix64's finaliser [Steele 2014].
class CounterRandom {
 public:
  constexpr CounterRandom(std::uint64_t seed, std::uint64_t stream)
      : key_{mix(mix(seed) ^ (stream * kGolden))} {}

  /// 64 random bits of draw n.
  [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t n) const { return mix(key_ + (n + 1) * kGolden); }

  /// Uniform on [0, 1) with 53 bits.
  [[nodiscard]] constexpr double uniform(std::uint64_t n) const {
    return static_cast<double>(bits(n) >> 11U) * 0x1.0p-53;
  }

  /// Uniform on [−1, 1).
  [[nodiscard]] constexpr double symmetric(std::uint64_t n) const { return 2.0 * uniform(n) - 1.0; }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  std::uint64_t key_;
};

}  // namespace enfold
