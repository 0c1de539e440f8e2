// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cassert>

#include "enfold/base/error.hpp"

/// Throws InvalidArgument with an fmt-formatted message unless `condition` holds. For what a caller passes
/// in.
#define ENFOLD_REQUIRE(condition, ...)                                           \
  do {                                                                           \
    if (!(condition)) throw ::enfold::InvalidArgument(fmt::format(__VA_ARGS__)); \
  } while (false)

/// An invariant of our own; checked in debug and sanitizer builds only.
#define ENFOLD_ASSERT(condition) assert(condition)
