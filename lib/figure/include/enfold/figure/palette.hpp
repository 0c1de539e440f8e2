// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace enfold::figure {

/// An sRGB colour, 0 … 255 per channel. Opacity belongs to what is drawn, not to the colour.
struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// The eight colours of Okabe and Ito, told apart under the common forms of colour blindness. [Okabe & Ito
/// 2008]
inline constexpr Colour kBlack{0, 0, 0};
inline constexpr Colour kOrange{230, 159, 0};
inline constexpr Colour kSkyBlue{86, 180, 233};
inline constexpr Colour kBluishGreen{0, 158, 115};
inline constexpr Colour kYellow{240, 228, 66};
inline constexpr Colour kBlue{0, 114, 178};
inline constexpr Colour kVermilion{213, 94, 0};
inline constexpr Colour kReddishPurple{204, 121, 167};

inline constexpr Colour kWhite{255, 255, 255};

/// What a colour stands for, the same in every figure.
inline constexpr Colour kObjectFill{226, 221, 208};  ///< the grasped object
inline constexpr Colour kObjectOutline{92, 84, 66};  ///< its outline
inline constexpr Colour kLink{158, 166, 176};        ///< a link of the hand
inline constexpr Colour kLinkOutline{84, 92, 102};   ///< its outline, and joints
inline constexpr Colour kDesired{110, 110, 110};     ///< a desired pose, path or force
inline constexpr Colour kMinimumLine{170, 0, 0};     ///< a bound that must not be crossed
inline constexpr Colour kWarningBand{240, 228, 66};  ///< a time span to be wary of
inline constexpr Colour kYes{205, 213,
                             219};        ///< a property that holds (A is a P-matrix); no contact's colour
inline constexpr Colour kNo{30, 30, 30};  ///< a property that fails; no contact's colour
inline constexpr Colour kUndecided{140, 140, 140};  ///< a property that was not decided

/// Colours of contacts in the order they are given out. Yellow is left out: too faint for a line on white.
inline constexpr std::array<Colour, 7> kContactColours{kBlue,   kVermilion, kBluishGreen, kReddishPurple,
                                                       kOrange, kSkyBlue,   kBlack};

/// Colour of contact i (0-based), the same in all figures; repeats after seven contacts.
[[nodiscard]] constexpr Colour contact_colour(std::size_t i) {
  return kContactColours[i % kContactColours.size()];
}

}  // namespace enfold::figure
