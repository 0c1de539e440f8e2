// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "table.hpp"

namespace enfold::io {

/// The list, read item by item, with the names checked for doubles.
template <typename T, typename Read>
std::vector<T> read_named(const Field& list, const Read& read) {
  std::vector<T> out;
  for (const Field& item : list.items()) {
    T next = read(item);
    if (std::any_of(out.begin(), out.end(), [&](const T& other) { return other.name == next.name; })) {
      fail(item.place(),
           fmt::format("the name '{}' is used twice in {}; names tell items apart", next.name, list.path));
    }
    out.push_back(std::move(next));
  }
  return out;
}

/// The keys of `object`.
[[nodiscard]] ObjectSpec read_object(const Field& field);

/// The keys of `contacts`, for a scenario whose hand, planes and object are read.
[[nodiscard]] std::vector<ContactSpec> read_contacts(const Field& field, const Scenario& scenario);

}  // namespace enfold::io
