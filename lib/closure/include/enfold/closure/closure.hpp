// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "enfold/base/types.hpp"
#include "enfold/closure/contact_wrenches.hpp"

namespace enfold::closure {

enum class ClosureStatus : std::uint8_t {
  kNotRun,
  kClosed,     ///< `lambda` proves it
  kNotClosed,  ///< `escape` proves it
  kUndecided,  ///< rounding hides it: no certificate of either kind passed its check
};

[[nodiscard]] std::string_view to_string(ClosureStatus status);

/// A verdict on closure, with what proves it. Both proofs are checked without the solver.
struct Closure {
  ClosureStatus status = ClosureStatus::kNotRun;

  /// If closed: forces along the columns of W, all > 0 with sum 1, that balance: W λ = 0. Together with
  /// rank W = n_w any wrench can be exerted: some λ exerts it, and enough of this squeeze makes it ≥ 0.
  VectorXd lambda;
  double smallest = 0.0;  ///< smallest entry of λ, in units of 1/‖W_j‖ (moments scaled): how clearly closed
  double balance = 0.0;  ///< ‖W λ‖ that rounding leaves, moments scaled [N]

  /// If not closed: a direction with escapeᵀ W_j ≥ 0 for all columns, unit length with moments scaled. As a
  /// motion, the contacts do not stop it; as a disturbance, they cannot resist it.
  VectorXd escape;

  [[nodiscard]] bool closed() const { return status == ClosureStatus::kClosed; }
};

/// Force closure: the contacts can exert every wrench.                                    [eq:force-closure]
///
///     cone(W) = ℝ^{n_w}   ⇔   rank W = n_w and  W λ = 0 for some λ > 0
///                         ⇔   there is no d ≠ 0 with dᵀ W ≥ 0
///
/// The first by max t s.t. W λ = 0, Σ λ = 1, λ ≥ t; the second by max Σ dᵀ W_j s.t. dᵀ W ≥ 0, |d| ≤ 1.
[[nodiscard]] Closure force_closure(const ContactWrenches& contacts);

/// Form closure of first order: the same for the normals alone, with all links locked. Takes n_w + 1 contacts
/// or more. `escape` is a motion that opens or keeps every contact.                        [eq:form-closure]
[[nodiscard]] Closure form_closure(const ContactWrenches& contacts);

}  // namespace enfold::closure
