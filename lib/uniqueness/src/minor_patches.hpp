// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include "enfold/uniqueness/p_region.hpp"

namespace enfold::uniqueness::detail {

/// A polynomial of bi-degree (k₀, k₁) on a cell by its Bernstein coefficients, entry (k₁ + 1) i + j.
struct Patch {
  Index minor = 0;  ///< number in MinorPatches::minors
  std::array<int, 2> degree{};
  std::vector<double> b;
};

/// The minors of a plane problem, on its window.
struct MinorPatches {
  std::vector<RegionMinor> minors;
  std::vector<Patch> patches;  ///< one for each minor that is not positive on the whole window
};

[[nodiscard]] MinorPatches make_patches(const PlaneProblem& problem);

/// Keeps the lower (0) or upper (1) half along an axis.
void halve(Patch& patch, int axis, int half);

/// The coefficients along `axis` at the place u ∈ [0, 1] of the other axis.
void restrict_to_line(const Patch& patch, int axis, double u, std::vector<double>& b);

/// 1 if the polynomial rises along the axis on the whole cell, −1 if it falls, 0 if not known.
[[nodiscard]] int direction(const Patch& patch, int axis);

/// Value of a polynomial from its Bernstein coefficients.
[[nodiscard]] double bernstein_value(std::span<const double> b, double u);

/// Appends the places in (0, 1) where the polynomial changes its sign, ascending.
void append_sign_changes(std::span<const double> b, std::vector<double>& roots);

}  // namespace enfold::uniqueness::detail
