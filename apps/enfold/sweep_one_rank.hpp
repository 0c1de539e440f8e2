// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sweep_ranks.hpp"

namespace enfold::app {

/// A study in one process.
class OneRank final : public Ranks {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] int on_this_machine() const override { return 1; }
  [[nodiscard]] int first_trouble(bool fine) override { return fine ? -1 : 0; }
  [[nodiscard]] std::string from_first(const std::string& text) override { return text; }
  void run(int threads, const SweepWork& work) override { run_on_threads(threads, work); }
};

}  // namespace enfold::app
