// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace enfold::contact {

/// What a contact does at an instant; an explicit state of a simulation, with logged transitions.
enum class ContactMode {
  kOpen,        ///< φ > 0 or λ_N = 0 and parting
  kSlidePlus,   ///< φ = 0, slip > 0: λ_T = −μ λ_N
  kSlideMinus,  ///< φ = 0, slip < 0: λ_T = +μ λ_N
  kRoll,        ///< φ = 0, slip = 0: |λ_T| ≤ μ λ_N
};

[[nodiscard]] constexpr bool is_sliding(ContactMode mode) {
  return mode == ContactMode::kSlidePlus || mode == ContactMode::kSlideMinus;
}

/// sign(φ̇_T) of S4 (3): +1, −1, or 0 where the contact does not slide.
[[nodiscard]] constexpr double slip_sign(ContactMode mode) {
  return mode == ContactMode::kSlidePlus ? 1.0 : mode == ContactMode::kSlideMinus ? -1.0 : 0.0;
}

/// The mode's name in files: slide+, slide-, roll, open.
[[nodiscard]] constexpr std::string_view to_string(ContactMode mode) {
  switch (mode) {
    case ContactMode::kOpen:
      return "open";
    case ContactMode::kSlidePlus:
      return "slide+";
    case ContactMode::kSlideMinus:
      return "slide-";
    case ContactMode::kRoll:
      return "roll";
  }
  return "?";
}

}  // namespace enfold::contact
