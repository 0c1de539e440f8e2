// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>

/// Counts every malloc of the program, that is operator new and Eigen as well. It replaces the C function:
/// for executables of their own, included by one source. The sanitizers bring a malloc of their own: label
/// no_sanitizer.
namespace enfold::test {

namespace detail {
inline std::atomic<long> malloc_calls{0};
}

/// How often malloc was called so far.
[[nodiscard]] inline long mallocs() {
  return detail::malloc_calls.load();
}

}  // namespace enfold::test

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" void* __libc_malloc(std::size_t size);     // NOLINT: glibc's own name
extern "C" void* malloc(std::size_t size) noexcept {  // NOLINT: replaces the C function
  enfold::test::detail::malloc_calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif
