// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace enfold::app {

/// RFC 4648, with padding: bytes as text that a page may hold.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

/// Numbers as little-endian float32 or float64, in base64.
[[nodiscard]] std::string base64_of(std::span<const float> numbers);
[[nodiscard]] std::string base64_of(std::span<const double> numbers);

}  // namespace enfold::app
