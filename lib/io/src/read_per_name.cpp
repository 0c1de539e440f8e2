// SPDX-License-Identifier: BSD-3-Clause
#include "read_per_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace enfold::io {

std::vector<double> read_per_name(const Field& field, const std::vector<std::string>& names, PerName what,
                                  Sign sign) {
  const std::size_t n = names.size();
  if (field.value->kind == Value::Kind::kList) {
    std::vector<double> out;
    for (const Field& item : field.items()) out.push_back(item.number(sign));
    if (out.size() != n) {
      fail(field.place(),
           fmt::format("{} lists {} {}s for {} {}s", field.path, out.size(), what.quantity, n, what.owner));
    }
    return out;
  }
  if (field.value->kind != Value::Kind::kMap) return std::vector<double>(n, field.number(sign));
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const Entry& entry : field.value->entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    fail(entry.place, fmt::format("unknown {} '{}' in {};{} known: {}", what.owner, entry.key, field.path,
                                  did_you_mean(entry.key, known), fmt::join(known, ", ")));
  }
  std::vector<double> out;
  for (const std::string& name : names) {
    const Value* value = find(*field.value, name);
    if (value == nullptr)
      fail(field.place(),
           fmt::format("{} has no {} for {} '{}'", field.path, what.quantity, what.owner, name));
    out.push_back(Field{value, fmt::format("{}.{}", field.path, name)}.number(sign));
  }
  return out;
}

std::vector<std::string> contact_names(const std::vector<ContactSpec>& contacts) {
  std::vector<std::string> names;
  for (const ContactSpec& contact : contacts) names.push_back(contact.name);
  return names;
}

}  // namespace enfold::io
