// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::io {

struct Entry;

/// A YAML value that knows where it was written: `file:line:column`, or `--set key=value`.
struct Value {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;     // of a scalar
  bool quoted = false;  // a quoted scalar is a string, whatever it looks like
  std::vector<Value> items;
  std::vector<Entry> entries;
  std::string place;
};

struct Entry {
  std::string key;
  std::string place;
  Value value;
};

[[noreturn]] void fail(const std::string& place, const std::string& message);

/// One YAML document with a map at its root; `what` it is and its `first_line` are for messages. Throws
/// ScenarioError.
[[nodiscard]] Value parse_document(const std::string& text, const std::string& file_name,
                                   std::string_view what = "scenario",
                                   std::string_view first_line = "enfold: 1");

/// Applies `key=value` strings, in order.
void apply_overrides(Value& root, std::span<const std::string> overrides);

/// ` did you mean 'x'?` for the candidate nearest to `word`, or an empty string if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

[[nodiscard]] const Value* find(const Value& map, std::string_view key);

}  // namespace enfold::io
