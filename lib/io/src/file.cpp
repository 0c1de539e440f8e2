// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "enfold/base/error.hpp"

namespace enfold::io {
namespace {

std::string reason() {
  return std::error_code(errno, std::generic_category()).message();
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(fmt::format("can't read '{}': it is a folder", path.string()));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(fmt::format("can't read '{}': {}", path.string(), reason()));
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw IoError(fmt::format("can't read '{}': {}", path.string(), reason()));
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) throw IoError(fmt::format("can't write '{}': {}", path.string(), reason()));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  const bool written = out.good();
  const std::string why = reason();
  out.close();
  if (!written || out.fail()) throw IoError(fmt::format("can't write '{}': {}", path.string(), why));
}

}  // namespace enfold::io
