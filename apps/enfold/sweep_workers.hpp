// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "enfold/study/record.hpp"

namespace enfold::app {

/// Where samples come from and where results go. The three are called by many threads; `next` and `finish` by
/// one at a time each.
struct SweepWork {
  std::function<std::optional<std::uint64_t>()> next;
  std::function<study::Record(std::uint64_t)> evaluate;
  std::function<void(study::Record)> finish;
};

/// Cores that this process may use.
[[nodiscard]] int available_cores();

/// Evaluates until `next` gives nothing more. Results come out in the order in which they are ready. What a
/// function throws ends the work and is thrown on.
void run_on_threads(int threads, const SweepWork& work);

}  // namespace enfold::app
