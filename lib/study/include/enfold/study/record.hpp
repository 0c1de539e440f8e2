// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::study {

/// What became of one sample. Failing is a result like any other.
struct Record {
  std::uint64_t index = 0;        ///< the sample's key
  std::uint32_t passed = 0;       ///< levels of the study that it passed, in order
  std::string reason{};           ///< why it fell at the next one; empty if it passed all
  std::vector<double> values{};   ///< the study's outputs, in order; NaN where it did not get that far
  std::vector<double> seconds{};  ///< CPU time per level; no part of what must be the same in every run [s]
};

/// A record as bytes, little-endian; what result logs and messages hold.
[[nodiscard]] std::string to_bytes(const Record& record);

/// The record at the start of `bytes`, which is moved past it. Throws IoError if there is none.
[[nodiscard]] Record take_record(std::string_view& bytes);

}  // namespace enfold::study
