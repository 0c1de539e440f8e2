// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/record.hpp"

#include <bit>
#include <cstring>

#include "enfold/base/error.hpp"

namespace enfold::study {
namespace {

static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");

template <typename T>
void put(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

void require_bytes(std::string_view bytes, std::size_t count) {
  if (bytes.size() < count) throw IoError("a study record ends too early");
}

template <typename T>
T take(std::string_view& bytes) {
  require_bytes(bytes, sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

void put_numbers(std::string& bytes, const std::vector<double>& numbers) {
  put(bytes, static_cast<std::uint32_t>(numbers.size()));
  for (const double number : numbers) put(bytes, number);
}

std::vector<double> take_numbers(std::string_view& bytes) {
  const auto count = static_cast<std::size_t>(take<std::uint32_t>(bytes));
  require_bytes(bytes, count * sizeof(double));
  std::vector<double> numbers(count);
  for (double& number : numbers) number = take<double>(bytes);
  return numbers;
}

}  // namespace

std::string to_bytes(const Record& record) {
  std::string bytes;
  put(bytes, record.index);
  put(bytes, record.passed);
  put(bytes, static_cast<std::uint32_t>(record.reason.size()));
  bytes += record.reason;
  put_numbers(bytes, record.values);
  put_numbers(bytes, record.seconds);
  return bytes;
}

Record take_record(std::string_view& bytes) {
  Record record;
  record.index = take<std::uint64_t>(bytes);
  record.passed = take<std::uint32_t>(bytes);
  const auto length = static_cast<std::size_t>(take<std::uint32_t>(bytes));
  require_bytes(bytes, length);
  record.reason = std::string(bytes.substr(0, length));
  bytes.remove_prefix(length);
  record.values = take_numbers(bytes);
  record.seconds = take_numbers(bytes);
  return record;
}

}  // namespace enfold::study
