// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "enfold/base/error.hpp"
#include "gnuplot_script.hpp"
#include "page.hpp"

namespace enfold::figure {
namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string replaced(const std::string& text, const std::string& old, const std::string& by) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, from)) {
    out.append(text, from, at - from).append(by);
    from = at + old.size();
  }
  return out.append(text, from);
}

// Drops each line that opens a group when the next line closes it.
std::string without_empty_groups(const std::string& svg) {
  std::string out;
  for (std::size_t at = 0; at < svg.size();) {
    const std::size_t end = std::min(svg.find('\n', at), svg.size() - 1) + 1;
    const std::string_view line = std::string_view(svg).substr(at, end - at);
    const bool empty =
        line.starts_with("<g fill=") && line.ends_with(">\n") && svg.compare(end, 5, "</g>\n") == 0;
    if (!empty) out += line;
    at = empty ? end + 5 : end;
  }
  return out;
}

}  // namespace

void prepare_output(const std::filesystem::path& file) {
  errno = 0;
  std::ofstream probe(file, std::ios::binary | std::ios::trunc);
  if (!probe) throw IoError(fmt::format("can't write figure '{}': {}", file.string(), std::strerror(errno)));
}

void finish_output(const std::filesystem::path& file, const std::string& said) {
  const auto fail = [&](std::string_view what) {
    throw IoError(fmt::format("figure '{}' {}{}{}", file.string(), what, said.empty() ? "" : ":\n", said));
  };
  std::string content = read_file(file);
  if (content.empty()) fail("was not drawn");
  if (format_of(file) == Format::kPng) {
    if (content.rfind("IEND") == std::string::npos) fail("is incomplete");
    return;
  }
  if (content.rfind("</svg>") == std::string::npos) fail("is incomplete");
  // gnuplot's SVG driver does not know bold fonts, and its empty groups depend on what it drew before.
  const std::string fonts = fmt::format("font-family=\"{},Verdana,Helvetica,Arial,sans-serif\"", kFont);
  content = replaced(content, fmt::format("font-family=\"{}:Bold\"", kFont), fonts + " font-weight=\"bold\"");
  content = replaced(content, fmt::format("font-family=\"{}\"", kFont), fonts);
  content = without_empty_groups(content);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  if (!out) fail("can't be written");
}

}  // namespace enfold::figure
