// SPDX-License-Identifier: BSD-3-Clause
#include "document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "enfold/base/error.hpp"

namespace enfold::io {
namespace {

// A scenario nests six deep; the limits stop self-referring and exploding aliases.
constexpr int kMaxDepth = 32;
constexpr int kMaxValues = 200'000;

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  std::string place(const YAML::Mark& mark) const {
    if (mark.is_null()) return fmt::format("{}:1:1", file_);
    return fmt::format("{}:{}:{}", file_, mark.line + 1, mark.column + 1);
  }

  Value convert(const YAML::Node& node, int depth = 0) {
    Value out;
    out.place = place(node.Mark());
    if (depth > kMaxDepth || ++count_ > kMaxValues) fail(out.place, "too deep or too large for a scenario");
    if (node.IsScalar()) {
      out.kind = Value::Kind::kScalar;
      out.text = node.Scalar();
      out.quoted = node.Tag() == "!";
    } else if (node.IsSequence()) {
      out.kind = Value::Kind::kList;
      for (const YAML::Node& item : node) out.items.push_back(convert(item, depth + 1));
    } else if (node.IsMap()) {
      out.kind = Value::Kind::kMap;
      for (const auto& entry : node) add_entry(entry.first, entry.second, out, depth);
    }
    return out;
  }

 private:
  void add_entry(const YAML::Node& key, const YAML::Node& value, Value& out, int depth) {
    const std::string key_place = place(key.Mark());
    if (!key.IsScalar()) fail(key_place, "a key must be a word");
    if (find(out, key.Scalar()) != nullptr) {
      fail(key_place, fmt::format("key '{}' is given twice; keep one of them", key.Scalar()));
    }
    out.entries.push_back({key.Scalar(), key_place, convert(value, depth + 1)});
    // yaml-cpp gives an empty value the place of nothing; its key is where the user looks.
    if (value.IsNull()) out.entries.back().value.place = key_place;
  }

  std::string file_;
  int count_ = 0;
};

void set_place(Value& value, const std::string& place) {
  value.place = place;
  for (Value& item : value.items) set_place(item, place);
  for (Entry& entry : value.entries) {
    entry.place = place;
    set_place(entry.value, place);
  }
}

struct Override {
  std::string place;
  std::string_view key;  // what is left of it
  std::string done;      // what has been followed, for messages
  Value value;
};

bool starts_with_segment(std::string_view key, std::string_view segment) {
  return key.starts_with(segment) && (key.size() == segment.size() || key[segment.size()] == '.');
}

void step(Override& set, std::string_view segment) {
  set.done += (set.done.empty() ? "" : ".") + std::string(segment);
  set.key.remove_prefix(std::min(set.key.size(), segment.size() + 1));
}

std::string item_name(const Value& item) {
  for (const char* key : {"name", "link"}) {
    const Value* name = item.kind == Value::Kind::kMap ? find(item, key) : nullptr;
    if (name != nullptr) return name->text;
  }
  return {};
}

void follow(Value& at, Override& set);

void follow_map(Value& at, Override& set) {
  // Names may hold dots (contact → number), so the longest key that fits is the one meant.
  std::size_t best = at.entries.size();
  for (std::size_t i = 0; i < at.entries.size(); ++i) {
    const bool fits = starts_with_segment(set.key, at.entries[i].key);
    if (fits && (best == at.entries.size() || at.entries[i].key.size() > at.entries[best].key.size()))
      best = i;
  }
  const auto entry = at.entries.begin() + static_cast<std::ptrdiff_t>(best);
  if (best < at.entries.size()) {
    step(set, std::string(entry->key));
    if (set.key.empty() && set.value.kind == Value::Kind::kNull) {
      at.entries.erase(entry);
    } else {
      entry->place = set.key.empty() ? set.place : entry->place;
      follow(entry->value, set);
    }
    return;
  }
  const std::string segment(set.key.substr(0, set.key.find('.')));
  step(set, segment);
  Value fresh;
  fresh.kind = Value::Kind::kMap;
  fresh.place = set.place;
  follow(fresh, set);
  if (fresh.kind != Value::Kind::kNull) at.entries.push_back({segment, set.place, std::move(fresh)});
}

void follow_list(Value& at, Override& set) {
  std::vector<std::string> names;
  for (const Value& item : at.items) names.push_back(item_name(item));
  std::size_t best = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool by_name = !names[i].empty() && starts_with_segment(set.key, names[i]);
    if (by_name && (best == names.size() || names[i].size() > names[best].size())) best = i;
  }
  std::string segment = best < names.size() ? names[best] : std::string();
  for (std::size_t i = 0; i < names.size() && best == names.size(); ++i) {
    segment = std::to_string(i);
    if (starts_with_segment(set.key, segment)) best = i;
  }
  if (best == names.size()) {
    std::vector<std::string_view> known(names.begin(), names.end());
    fail(set.place, fmt::format("'{}' names no item of {};{} items go by number from 0 or by name: {}",
                                set.key, set.done, did_you_mean(set.key.substr(0, set.key.rfind('.')), known),
                                fmt::join(known, ", ")));
  }
  step(set, segment);
  follow(at.items[best], set);
}

void follow(Value& at, Override& set) {
  if (set.key.empty()) {
    at = set.value;
  } else if (at.kind == Value::Kind::kMap) {
    follow_map(at, set);
  } else if (at.kind == Value::Kind::kList) {
    follow_list(at, set);
  } else {
    fail(set.place, fmt::format("{} is a single value and has no '{}' inside", set.done, set.key));
  }
}

}  // namespace

void fail(const std::string& place, const std::string& message) {
  throw ScenarioError(fmt::format("{}: {}", place, message));
}

const Value* find(const Value& map, std::string_view key) {
  for (const Entry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Value parse_document(const std::string& text, const std::string& file_name, std::string_view what,
                     std::string_view first_line) {
  Converter converter(file_name);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || documents.front().IsNull()) {
      fail(file_name + ":1:1",
           fmt::format("the {} is empty; its first line should be '{}'", what, first_line));
    }
    if (documents.size() > 1) {
      fail(converter.place(documents[1].Mark()),
           fmt::format("a second document; a {0} file holds one {0}", what));
    }
    Value root = converter.convert(documents.front());
    if (root.kind != Value::Kind::kMap)
      fail(root.place, fmt::format("a {} is a map of keys; its first line is '{}'", what, first_line));
    return root;
  } catch (const YAML::Exception& error) {
    fail(converter.place(error.mark), fmt::format("not valid YAML: {}", error.msg));
  }
}

void apply_overrides(Value& root, std::span<const std::string> overrides) {
  for (const std::string& text : overrides) {
    Override set;
    set.place = "--set " + text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      fail(set.place, "an override is written key=value, for example noise.force=0.1");
    }
    std::string key = text.substr(0, equals);
    if (key.starts_with("arms.")) key = "hand." + key;
    if (key.front() == '.' || key.back() == '.' || key.find("..") != std::string::npos) {
      fail(set.place, "the key has an empty part; write it like noise.force");
    }
    try {
      set.value = Converter("").convert(YAML::Load(text.substr(equals + 1)));
    } catch (const YAML::Exception& error) {
      fail(set.place, fmt::format("the value is not valid YAML: {}", error.msg));
    }
    set_place(set.value, set.place);
    set.key = key;
    follow(root, set);
  }
}

}  // namespace enfold::io
