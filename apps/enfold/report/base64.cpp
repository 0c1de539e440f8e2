// SPDX-License-Identifier: BSD-3-Clause
#include "base64.hpp"

#include <bit>
#include <cstddef>

namespace enfold::app {
namespace {

static_assert(std::endian::native == std::endian::little, "a page's numbers are little-endian");

template <class Number>
std::string encode(std::span<const Number> numbers) {
  return base64({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()});
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = (group << 8) | (k < n ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(k <= n ? kDigits[(group >> (18 - 6 * k)) & 63U] : '=');
  }
  return out;
}

std::string base64_of(std::span<const float> numbers) {
  return encode(numbers);
}

std::string base64_of(std::span<const double> numbers) {
  return encode(numbers);
}

}  // namespace enfold::app
