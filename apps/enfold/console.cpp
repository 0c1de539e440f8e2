// SPDX-License-Identifier: BSD-3-Clause
#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace enfold::app {

void Console::line(std::string_view text) {
  fmt::print(stdout, "{}\n", text);
}
void Console::error_line(std::string_view text) {
  fmt::print(stderr, "enfold: {}\n", text);
}

ProgressBar::ProgressBar(const Console& console, std::string_view what)
    : active_{!console.quiet() && isatty(STDERR_FILENO) != 0}, what_{what} {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(double fraction, std::string_view note) {
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  constexpr int kWidth = 40;
  const int filled = std::clamp(static_cast<int>(fraction * kWidth), 0, kWidth);
  fmt::print(stderr, "\r{} [{}{}] {:3.0f} % {}\033[K", what_,
             std::string(static_cast<std::size_t>(filled), '#'),
             std::string(static_cast<std::size_t>(kWidth - filled), '.'), 100.0 * fraction, note);
  std::fflush(stderr);
}

}  // namespace enfold::app
