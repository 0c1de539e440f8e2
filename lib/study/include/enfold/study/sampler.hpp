// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace enfold::study {

enum class SamplerKind { kGrid, kRandom, kLatinHypercube, kSobol };

[[nodiscard]] std::string_view to_string(SamplerKind kind);

/// Points of the unit cube [0, 1)^d. Point i is a function of (kind, d, count, seed, i) alone, so that it
/// does not matter who computes which of them, or when.
class Sampler {
 public:
  virtual ~Sampler() = default;
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// @pre u.size() = dimension() (throws InvalidArgument)
  virtual void point(std::uint64_t index, std::span<double> u) const = 0;
};

/// Independent and uniform: draw j of the random stream number `index`. [Steele 2014]
class RandomSampler final : public Sampler {
 public:
  RandomSampler(std::size_t dimension, std::uint64_t seed) : dimension_{dimension}, seed_{seed} {}
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  void point(std::uint64_t index, std::span<double> u) const override;

 private:
  std::size_t dimension_;
  std::uint64_t seed_;
};

/// Each coordinate has exactly one of the `count` points in each of `count` equal slices; which slice goes
/// with which is random, and so is the place inside.                          [eq:latin-hypercube] [McKay
/// 1979]
///
///     u_j(i) = (π_j(i) + r_ij) / count,   π_j a random permutation, r_ij uniform on [0, 1)
class LatinHypercubeSampler final : public Sampler {
 public:
  /// @pre 1 ≤ count < 2³² (throws InvalidArgument)
  LatinHypercubeSampler(std::size_t dimension, std::uint64_t count, std::uint64_t seed);
  [[nodiscard]] std::size_t dimension() const override { return places_.size(); }
  /// @pre index < count
  void point(std::uint64_t index, std::span<double> u) const override;

 private:
  std::uint64_t count_, seed_;
  std::vector<std::vector<std::uint32_t>> places_;  // π_j
};

/// Sobol's sequence, moved by a random digital shift: every coordinate's bits are exchanged by one pattern
/// drawn from the seed, which keeps the even spread and makes estimates unbiased.     [eq:sobol] [Joe & Kuo
/// 2008]
///
///     u_j(i) = 2⁻⁶⁴ (v_j,a ⊕ v_j,b ⊕ … ⊕ s_j),   a, b, … the bits that are set in i ⊕ ⌊i/2⌋
///
/// The direction numbers v are Boost.Random's, checked up to kMaxDimension. Use 2^k points for the best
/// spread.
class SobolSampler final : public Sampler {
 public:
  static constexpr std::size_t kMaxDimension = 1000;

  /// @pre dimension ≤ kMaxDimension (throws InvalidArgument)
  SobolSampler(std::size_t dimension, std::uint64_t seed);
  [[nodiscard]] std::size_t dimension() const override { return shift_.size(); }
  void point(std::uint64_t index, std::span<double> u) const override;
  /// The integers before the shift, 64 bits each.
  void unshifted(std::uint64_t index, std::span<std::uint64_t> x) const;

 private:
  std::vector<std::uint64_t> directions_;  // bit after bit, `dimension` numbers each
  std::vector<std::uint64_t> shift_;
};

}  // namespace enfold::study
