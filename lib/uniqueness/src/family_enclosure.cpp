// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/family_enclosure.hpp"

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {
namespace {

// A₁ with the signs of the columns `rows` changed where the bit of `mask` is set.
MatrixXd with_signs(MatrixXd A_1, const std::vector<Index>& rows, std::uint32_t mask) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if ((mask >> k & 1U) != 0) A_1.col(rows[k]) *= -1.0;
  return A_1;
}

}  // namespace

std::vector<FrictionFamily> corner_families(const FamilyEnclosure& enclosure, SlipDirections slip) {
  const FrictionFamily& centre = enclosure.centre;
  validate(centre);
  const Index n = centre.size();
  const auto fits = [n](const MatrixXd& R) {
    return R.rows() == n && R.cols() == n && (R.array() >= 0.0).all();
  };
  ENFOLD_REQUIRE(fits(enclosure.radius_0) && fits(enclosure.radius_1) &&
                     static_cast<Index>(enclosure.turns.size()) == n && n <= 12,
                 "corner_families: radii of {} × {} and {} × {} and {} turns for {} rows, expected sizes "
                 "that agree, entries ≥ 0, at most 12 rows",
                 enclosure.radius_0.rows(), enclosure.radius_0.cols(), enclosure.radius_1.rows(),
                 enclosure.radius_1.cols(), enclosure.turns.size(), n);
  std::vector<Index> signs;
  for (Index j = 0; j < n; ++j) {
    const bool enters = centre.enters(j) || !enclosure.radius_1.col(j).isZero(0.0);
    if (enters && (slip == SlipDirections::kBoth || enclosure.turns[static_cast<std::size_t>(j)]))
      signs.push_back(j);
  }
  // The sums below round: a few units in the last place of the largest entries.
  constexpr double kRounding = 1e-15;
  const MatrixXd R_0 = (enclosure.radius_0 + kRounding * (centre.A_0.cwiseAbs() + enclosure.radius_0));
  const MatrixXd R_1 = (enclosure.radius_1 + kRounding * (centre.A_1.cwiseAbs() + enclosure.radius_1));
  std::vector<FrictionFamily> out;
  VectorXd z = VectorXd::Ones(n);
  for (std::uint32_t turned = 0; turned < 1U << signs.size(); ++turned) {
    const MatrixXd A_1 = with_signs(centre.A_1, signs, turned);
    // z and −z give the same matrix: the last sign stays.
    for (std::uint32_t mask = 0; mask < 1U << std::max<Index>(0, n - 1); ++mask) {
      for (Index i = 0; i + 1 < n; ++i) z[i] = (mask >> i & 1U) != 0 ? -1.0 : 1.0;
      out.push_back(
          {centre.A_0 - z.asDiagonal() * R_0 * z.asDiagonal(), A_1 - z.asDiagonal() * R_1 * z.asDiagonal()});
    }
  }
  return out;
}

std::vector<FrictionFamily> signed_families(const FrictionFamily& family) {
  validate(family);
  std::vector<Index> rows;
  for (Index j = 0; j < family.size(); ++j)
    if (family.enters(j)) rows.push_back(j);
  ENFOLD_REQUIRE(rows.size() <= 16, "signed_families: {} coefficients enter, expected at most 16",
                 rows.size());
  std::vector<FrictionFamily> out;
  for (std::uint32_t mask = 0; mask < 1U << rows.size(); ++mask)
    out.push_back({family.A_0, with_signs(family.A_1, rows, mask)});
  return out;
}

}  // namespace enfold::uniqueness
