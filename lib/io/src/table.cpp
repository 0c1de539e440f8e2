// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "enfold/io/scenario_file.hpp"
#include "enfold/io/study_file.hpp"

namespace enfold::io {
namespace {

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return "nothing";
    case Value::Kind::kScalar:
      return fmt::format("{}'{}'", value.quoted ? "the text " : "", value.text);
    case Value::Kind::kList:
      return fmt::format("a list of {}", value.items.size());
    case Value::Kind::kMap:
      return "a map";
  }
  return "?";
}

[[noreturn]] void fail_type(const Field& field, std::string_view expected) {
  fail(field.place(), fmt::format("{} must be {}, found {}", field.path, expected, describe(*field.value)));
}

const std::vector<std::string_view>& keys_of(std::string_view section) {
  const auto named = [&](const ScenarioSection& s) { return s.name == section; };
  const auto& all = scenario_sections();
  const auto found = std::find_if(all.begin(), all.end(), named);
  if (found != all.end()) return found->keys;
  return std::find_if(study_sections().begin(), study_sections().end(), named)->keys;
}

bool is_number_word(std::string_view text) {
  return text == ".nan" || text == ".NaN" || text == ".NAN" || text == ".inf" || text == "-.inf" ||
         text == "+.inf" || text == ".Inf" || text == "-.Inf" || text == ".INF" || text == "-.INF";
}

}  // namespace

double Field::number(Sign sign) const {
  if (value->kind != Value::Kind::kScalar || value->quoted) fail_type(*this, "a number");
  if (is_number_word(value->text)) fail_type(*this, "a finite number");
  std::string_view text = value->text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc::result_out_of_range) fail_type(*this, "a number that a double can hold");
  if (error != std::errc() || end != text.data() + text.size()) fail_type(*this, "a number");
  if (!std::isfinite(x)) fail_type(*this, "a finite number");
  if (sign == Sign::kPositive && !(x > 0.0)) fail_type(*this, "positive");
  if (sign == Sign::kNonNegative && !(x >= 0.0)) fail_type(*this, "zero or positive");
  return x;
}

std::uint64_t Field::count() const {
  if (value->kind != Value::Kind::kScalar || value->quoted) fail_type(*this, "a whole number");
  const std::string& text = value->text;
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail_type(*this, "a whole number from 0 to 18446744073709551615");
  }
  return n;
}

bool Field::flag() const {
  if (value->kind != Value::Kind::kScalar || value->quoted ||
      (value->text != "true" && value->text != "false")) {
    fail_type(*this, "true or false");
  }
  return value->text == "true";
}

std::string Field::text() const {
  if (value->kind != Value::Kind::kScalar) fail_type(*this, "a text");
  return value->text;
}

std::string Field::name(bool dots) const {
  const std::string word = text();
  const auto allowed = [dots](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || (dots && c == '.');
  };
  const bool starts_well =
      !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) != 0 || word[0] == '_');
  if (!starts_well || !std::all_of(word.begin(), word.end(), allowed)) {
    fail(place(),
         fmt::format("{} must be a name that starts with a letter and holds only letters, digits, '_'{} and "
                     "'-', found {}",
                     path, dots ? ", '.'" : "", describe(*value)));
  }
  return word;
}

std::array<double, 2> Field::pair(Sign sign) const {
  if (value->kind != Value::Kind::kList || value->items.size() != 2)
    fail_type(*this, "a list of two numbers");
  return {Field{&value->items[0], path + ".0"}.number(sign),
          Field{&value->items[1], path + ".1"}.number(sign)};
}

std::vector<Field> Field::items() const {
  if (value->kind != Value::Kind::kList || value->items.empty())
    fail_type(*this, "a list with at least one item");
  std::vector<Field> out;
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    out.push_back({&value->items[i], fmt::format("{}.{}", path, i)});
  }
  return out;
}

Table::Table(const Field& field, std::string_view section) : field_(field) {
  const std::string shown = field.path.empty() ? fmt::format("the {}", section) : field.path;
  if (field.value->kind != Value::Kind::kMap) fail_type({field.value, shown}, "a map of keys");
  const auto& keys = keys_of(section);
  for (const Entry& entry : field.value->entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
    const std::string hint = did_you_mean(entry.key, keys);
    fail(entry.place, fmt::format("unknown key '{}' in {};{}", entry.key, shown,
                                  hint.empty() ? fmt::format(" known: {}", fmt::join(keys, ", ")) : hint));
  }
}

Field Table::operator[](std::string_view key) const {
  const Value* value = find(*field_.value, key);
  const std::string path = field_.path.empty() ? std::string(key) : fmt::format("{}.{}", field_.path, key);
  if (value == nullptr) fail(place(), fmt::format("{} is missing; it has no default", path));
  return {value, path};
}

void fail_unknown_value(const Field& field, const std::string& word,
                        std::span<const std::string_view> known) {
  fail(field.place(), fmt::format("{} is unknown: '{}';{} known: {}", field.path, word,
                                  did_you_mean(word, known), fmt::join(known, ", ")));
}

}  // namespace enfold::io
