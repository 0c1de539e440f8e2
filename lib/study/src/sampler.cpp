// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/sampler.hpp"

#include <boost/random/sobol.hpp>
#include <numeric>
#include <utility>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

// Streams of the seed that are no sample's: shifts and permutations.
constexpr std::uint64_t kShiftStream = 0x5348494654ULL << 20U;
constexpr std::uint64_t kPermutationStream = 0x5045524dULL << 24U;
constexpr int kBits = 64;

double to_unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

void require_size(std::size_t found, std::size_t expected) {
  ENFOLD_REQUIRE(found == expected, "a sampler of dimension {} was asked for {} coordinates", expected,
                 found);
}

}  // namespace

std::string_view to_string(SamplerKind kind) {
  switch (kind) {
    case SamplerKind::kGrid:
      return "grid";
    case SamplerKind::kRandom:
      return "random";
    case SamplerKind::kLatinHypercube:
      return "latin_hypercube";
    case SamplerKind::kSobol:
      return "sobol";
  }
  return "?";
}

void RandomSampler::point(std::uint64_t index, std::span<double> u) const {
  require_size(u.size(), dimension_);
  const CounterRandom random(seed_, index);
  for (std::size_t j = 0; j < u.size(); ++j) u[j] = random.uniform(j);
}

LatinHypercubeSampler::LatinHypercubeSampler(std::size_t dimension, std::uint64_t count, std::uint64_t seed)
    : count_{count}, seed_{seed}, places_(dimension) {
  ENFOLD_REQUIRE(count >= 1 && count < (std::uint64_t{1} << 32U),
                 "a Latin hypercube has 1 to 2^32 - 1 points, found {}", count);
  for (std::size_t j = 0; j < dimension; ++j) {
    const CounterRandom random(seed, kPermutationStream + j);
    std::vector<std::uint32_t>& place = places_[j];
    place.resize(static_cast<std::size_t>(count));
    std::iota(place.begin(), place.end(), std::uint32_t{0});
    for (std::uint64_t i = count - 1; i > 0; --i) {  // Fisher and Yates
      const auto k = static_cast<std::uint64_t>(random.uniform(i) * static_cast<double>(i + 1));
      std::swap(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(k)]);
    }
  }
}

void LatinHypercubeSampler::point(std::uint64_t index, std::span<double> u) const {
  require_size(u.size(), places_.size());
  ENFOLD_REQUIRE(index < count_, "point {} of a Latin hypercube with {}", index, count_);
  const CounterRandom random(seed_, index);
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double slice = places_[j][static_cast<std::size_t>(index)];
    u[j] = (slice + random.uniform(j)) / static_cast<double>(count_);
    if (u[j] >= 1.0) u[j] = 1.0 - 0x1.0p-53;
  }
}

SobolSampler::SobolSampler(std::size_t dimension, std::uint64_t seed)
    : directions_(dimension * kBits), shift_(dimension) {
  ENFOLD_REQUIRE(dimension <= kMaxDimension, "Sobol's sequence is offered for up to {} dimensions, found {}",
                 kMaxDimension, dimension);
  const CounterRandom random(seed, kShiftStream);
  for (std::size_t j = 0; j < dimension; ++j) shift_[j] = random.bits(j);
  if (dimension == 0) return;
  // Point 2^k of the sequence is v_k ⊕ v_(k−1) (its Gray code has these two bits), and v_0 is point 1.
  // The engine leaves out point 0, so that seed(i) makes point i + 1 the next.
  boost::random::sobol engine(dimension);
  for (int k = 0; k < kBits; ++k) {
    engine.seed((std::uint64_t{1} << static_cast<unsigned>(k)) - 1);
    const std::size_t at = static_cast<std::size_t>(k) * dimension;
    for (std::size_t j = 0; j < dimension; ++j) {
      directions_[at + j] = engine() ^ (k == 0 ? 0 : directions_[at - dimension + j]);
    }
  }
}

void SobolSampler::unshifted(std::uint64_t index, std::span<std::uint64_t> x) const {
  require_size(x.size(), shift_.size());
  std::fill(x.begin(), x.end(), std::uint64_t{0});
  std::uint64_t gray = index ^ (index >> 1U);
  for (std::size_t k = 0; gray != 0; ++k, gray >>= 1U) {
    if ((gray & 1U) == 0) continue;
    const std::size_t at = k * x.size();
    for (std::size_t j = 0; j < x.size(); ++j) x[j] ^= directions_[at + j];
  }
}

void SobolSampler::point(std::uint64_t index, std::span<double> u) const {
  require_size(u.size(), shift_.size());
  std::vector<std::uint64_t> x(u.size());
  unshifted(index, x);
  for (std::size_t j = 0; j < u.size(); ++j) u[j] = to_unit(x[j] ^ shift_[j]);
}

}  // namespace enfold::study
