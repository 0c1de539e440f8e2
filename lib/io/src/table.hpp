// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "document.hpp"

namespace enfold::io {

enum class Sign { kAny, kNonNegative, kPositive };

/// A value and its dotted key, for messages.
struct Field {
  const Value* value = nullptr;
  std::string path;

  [[nodiscard]] const std::string& place() const { return value->place; }
  [[nodiscard]] double number(Sign sign = Sign::kAny) const;
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] std::string text() const;
  /// A word that may become part of a column name, a path or a dotted key.
  [[nodiscard]] std::string name(bool dots) const;
  [[nodiscard]] std::array<double, 2> pair(Sign sign = Sign::kAny) const;
  /// The items of a list that must not be empty.
  [[nodiscard]] std::vector<Field> items() const;
};

/// A map that holds only the keys of one section of scenario_sections(); the constructor checks that.
class Table {
 public:
  Table(const Field& field, std::string_view section);

  [[nodiscard]] bool has(std::string_view key) const { return find(*field_.value, key) != nullptr; }
  /// Throws ScenarioError if the key is missing.
  [[nodiscard]] Field operator[](std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double fallback, Sign sign) const {
    return has(key) ? (*this)[key].number(sign) : fallback;
  }
  [[nodiscard]] const std::string& place() const { return field_.place(); }
  [[nodiscard]] const std::string& path() const { return field_.path; }

 private:
  Field field_;
};

/// Throws ScenarioError: `word` is none of `known`.
[[noreturn]] void fail_unknown_value(const Field& field, const std::string& word,
                                     std::span<const std::string_view> known);

}  // namespace enfold::io
