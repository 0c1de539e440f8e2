// SPDX-License-Identifier: BSD-3-Clause
#include "report_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "enfold/base/require.hpp"
#include "enfold/io/file.hpp"
#include "html_text.hpp"
#include "report_run.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// For the numbers of all runs of a page, in base64; program text and the rest take about 0.4 MB.
constexpr std::size_t kBudget = 2'300'000;

/// Inside a script element only `<` can end it or open a comment.
std::string json_for_script(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// Replaces the places {{name}} of a text, once each; what is put in is not looked at again.
std::string filled(std::string_view text,
                   std::span<const std::pair<std::string_view, std::string_view>> parts) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("}}", open);
    ENFOLD_REQUIRE(close != std::string_view::npos, "report page: a place is not closed");
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto* part = std::find_if(parts.data(), parts.data() + parts.size(),
                                    [&](const auto& one) { return one.first == name; });
    ENFOLD_REQUIRE(part != parts.data() + parts.size(), "report page: nothing for the place {}", name);
    out += part->second;
    text.remove_prefix(close + 2);
  }
  return out;
}

/// Runs of one scenario are told apart by their folders.
void tell_apart(Json& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (i == k || runs[i]["label"] != runs[k]["label"]) continue;
      for (Json& run : runs)
        run["label"] = (fs::path(run["folder"].get<std::string>()) / "").parent_path().filename().string();
      return;
    }
  }
}

}  // namespace

std::string report_page(std::span<const fs::path> folders) {
  ENFOLD_REQUIRE(!folders.empty(), "report_page: no run folder given");
  Json runs = Json::array();
  for (const fs::path& folder : folders) runs.push_back(report_run(folder, kBudget / folders.size()));
  std::string title = runs[0]["label"].get<std::string>();
  tell_apart(runs);
  if (runs.size() > 1) {
    title.clear();
    for (const Json& run : runs) title += (title.empty() ? "" : " · ") + run["label"].get<std::string>();
  }
  const std::string data = json_for_script({{"enfold", version()}, {"runs", std::move(runs)}});
  const std::string safe_title = escaped(title);
  const PageParts& parts = page_parts();
  const std::pair<std::string_view, std::string_view> places[] = {
      {"title", safe_title}, {"style", parts.style},     {"library_style", parts.library_style},
      {"data", data},        {"library", parts.library}, {"script", parts.script}};
  return filled(parts.html, places);
}

fs::path write_report(const fs::path& folder) {
  const fs::path file = folder / "report.html";
  io::write_file(file, report_page({&folder, 1}));
  return file;
}

}  // namespace enfold::app
