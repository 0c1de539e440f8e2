// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace enfold::app {

/// What the program says. Results go to stdout, trouble to stderr; --quiet leaves only trouble.
class Console {
 public:
  explicit Console(bool quiet) : quiet_{quiet} {}

  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) const {
    if (!quiet_) line(fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  static void trouble(fmt::format_string<Args...> text, Args&&... args) {
    error_line(fmt::format(text, std::forward<Args>(args)...));
  }
  [[nodiscard]] bool quiet() const { return quiet_; }

 private:
  static void line(std::string_view text);
  static void error_line(std::string_view text);
  bool quiet_;
};

/// A bar on a terminal for what takes longer than a second; nothing in a pipe.
class ProgressBar {
 public:
  ProgressBar(const Console& console, std::string_view what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// @param note stands behind the percentage: a rate, the time left
  void update(double fraction, std::string_view note = {});

 private:
  using Clock = std::chrono::steady_clock;
  bool active_;
  bool shown_ = false;
  std::string_view what_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace enfold::app
