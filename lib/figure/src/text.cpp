// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace enfold::figure {
namespace {

// Advance widths of DejaVu Sans for U+0020 … U+007E, in thousandths of the font size.
constexpr std::array<int, 95> kAdvance{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

constexpr double kScriptScale = 0.8;  // gnuplot's size of sub- and superscripts
constexpr std::string_view kEllipsis = "…";

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Code point of the sequence at `at`; length 0 when it is not valid UTF-8.
struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;
};
Decoded decode(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = sequence_length(lead);
  if (length == 0 || at + length > text.size()) return {};
  if (length == 1) return {lead, 1};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto byte = static_cast<unsigned char>(text[at + k]);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

double advance(std::uint32_t code) {
  if (code >= 0x20 && code < 0x7F) return kAdvance[code - 0x20] / 1000.0;
  if (code >= 0x300 && code < 0x370) return 0.0;  // combining marks
  if (code == 0x2212) return 0.838;               // minus sign
  if ((code >= 0x2070 && code < 0x20A0) || code == 0xB2 || code == 0xB3 || code == 0xB9) return 0.45;
  if (code == 0xB7) return 0.318;
  return code >= 0x2E80 ? 1.0 : 0.7;
}

bool is_script_mark(char c) {
  return c == '_' || c == '^';
}

// End of what the mark at `mark` acts on: the closing brace, or one character. npos when nothing follows.
std::size_t script_end(std::string_view text, std::size_t mark) {
  if (mark + 1 >= text.size()) return std::string_view::npos;
  if (text[mark + 1] != '{') return mark + 1 + decode(text, mark + 1).length;
  const std::size_t close = text.find('}', mark + 2);
  return close == std::string_view::npos ? close : close + 1;
}

std::string_view script_body(std::string_view text, std::size_t mark, std::size_t end) {
  const bool braced = text[mark + 1] == '{';
  return braced ? text.substr(mark + 2, end - mark - 3) : text.substr(mark + 1, end - mark - 1);
}

double plain_width(std::string_view text) {
  double width = 0.0;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    width += advance(d.code);
    at += std::max<std::size_t>(d.length, 1);
  }
  return width;
}

std::string escape_enhanced(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\{}_^@&~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string cut_plain(const std::string& text, double size, double max_width) {
  std::string kept;
  const double room = max_width / size - advance(0x2026);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(decode(text, at).length, 1);
    if (plain_width(kept) + plain_width(std::string_view(text).substr(at, length)) > room) break;
    kept += text.substr(at, length);
    at += length;
  }
  return kept + std::string(kEllipsis);
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded d = decode(text, at);
    if (d.length == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    const bool control = (d.code < 0x20 && d.code != '\n') || (d.code >= 0x7F && d.code < 0xA0) ||
                         d.code == 0xFFFE || d.code == 0xFFFF;
    if (control) {
      out += ' ';
    } else {
      out += text.substr(at, d.length);
    }
    at += d.length;
  }
  return out;
}

double text_width(const Label& line, double size) {
  if (line.markup == Markup::kPlain) return plain_width(line.text) * size;
  const std::string_view text = line.text;
  double width = 0.0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = is_script_mark(text[at]) ? script_end(text, at) : std::string_view::npos;
    if (end != std::string_view::npos) {
      width += kScriptScale * plain_width(script_body(text, at, end));
      at = end;
    } else {
      const Decoded d = decode(text, at);
      width += advance(d.code);
      at += std::max<std::size_t>(d.length, 1);
    }
  }
  return width * size;
}

std::vector<Label> wrap_text(const Label& label, double size, double max_width) {
  std::vector<Label> lines;
  if (label.empty()) return lines;
  const std::string text = clean_text(label.text);
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t newline = std::min(text.find('\n', start), text.size());
    const std::string paragraph = text.substr(start, newline - start);
    start = newline + 1;
    if (label.markup != Markup::kPlain) {  // a cut could fall inside braces
      lines.emplace_back(paragraph, label.markup);
      continue;
    }
    std::string line;
    for (std::size_t at = 0; at < paragraph.size();) {
      const std::size_t space = std::min(paragraph.find(' ', at), paragraph.size());
      const std::string word = paragraph.substr(at, space - at);
      at = space + 1;
      const std::string longer = line.empty() ? word : line + ' ' + word;
      if (!line.empty() && plain_width(longer) * size > max_width) {
        lines.emplace_back(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.emplace_back(line);
  }
  for (Label& line : lines) {
    if (line.markup == Markup::kPlain && text_width(line, size) > max_width) {
      line.text = cut_plain(line.text, size, max_width);
    }
  }
  return lines;
}

Label elide_text(const Label& label, double size, double max_width) {
  Label line = label;
  line.text = clean_text(label.text);
  std::replace(line.text.begin(), line.text.end(), '\n', ' ');
  if (text_width(line, size) <= max_width) return line;
  return {cut_plain(line.text, size, max_width)};
}

std::string enhanced_text(const Label& label) {
  if (label.markup == Markup::kPlain) return escape_enhanced(label.text);
  const std::string_view text = label.text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = is_script_mark(text[at]) ? script_end(text, at) : std::string_view::npos;
    if (end != std::string_view::npos) {
      out += text[at];
      out += '{' + escape_enhanced(script_body(text, at, end)) + '}';
      at = end;
    } else {
      out += escape_enhanced(text.substr(at, 1));
      ++at;
    }
  }
  return out;
}

}  // namespace enfold::figure
