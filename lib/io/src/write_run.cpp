// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/compile.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "document.hpp"
#include "enfold/base/require.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/run_folder.hpp"
#include "run_format.hpp"

namespace enfold::io {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "matrices.bin is little-endian");

class CsvBuffer {
 public:
  void number(double x) {
    separate();
    // A NaN's sign bit depends on how it arose; the file should not.
    if (std::isnan(x)) {
      raw("nan");
    } else {
      fmt::format_to(fmt::appender(buffer_), FMT_COMPILE("{}"), x);
    }
  }
  void integer(long n) {
    separate();
    fmt::format_to(fmt::appender(buffer_), FMT_COMPILE("{}"), n);
  }
  void empty() { separate(); }
  void text(std::string_view s) {
    separate();
    if (s.find_first_of(",\"\r\n") == std::string_view::npos) return raw(s);
    buffer_.push_back('"');
    for (const char c : s) {
      if (c == '"') buffer_.push_back('"');
      // One line of the file is one row.
      buffer_.push_back(c == '\n' || c == '\r' ? ' ' : c);
    }
    buffer_.push_back('"');
  }
  void numbers(const VectorXd& v) {
    for (const double x : v) number(x);
  }
  void padded(const VectorXd& v, Index size) {
    numbers(v);
    for (Index i = v.size(); i < size; ++i) empty();
  }
  void end_row() {
    buffer_.push_back('\n');
    first_ = true;
  }
  [[nodiscard]] std::string_view bytes() const { return {buffer_.data(), buffer_.size()}; }

 private:
  void separate() {
    if (!first_) buffer_.push_back(',');
    first_ = false;
  }
  void raw(std::string_view s) { buffer_.append(s.data(), s.data() + s.size()); }

  fmt::memory_buffer buffer_;
  bool first_ = true;
};

// The number of internal forces changes with the contact modes; the columns hold the most there are.
std::pair<Index, Index> alpha_columns(const sim::History& history) {
  std::pair<Index, Index> n{0, 0};
  for (const sim::Sample& s : history.samples) {
    n = {std::max(n.first, s.alpha.size()), std::max(n.second, s.alpha_des.size())};
  }
  return n;
}

// A scene without motors has no desired motion.
bool has_desired(const sim::History& history) {
  return history.samples.empty() || history.samples.front().x_des.size() > 0;
}

void check_sizes(const sim::History& history) {
  const Index n_x = static_cast<Index>(history.names.object_position.size());
  const Index n_v = static_cast<Index>(history.names.object_velocity.size());
  const Index n_j = static_cast<Index>(history.names.joints.size());
  const Index n_c = static_cast<Index>(history.names.contacts.size());
  for (std::size_t i = 0; i < history.samples.size(); ++i) {
    const sim::Sample& s = history.samples[i];
    const auto check = [i](const char* name, Index found, Index expected) {
      ENFOLD_REQUIRE(found == expected, "write_run: sample {} has {} entries in {}, expected {}", i, found,
                     name, expected);
    };
    check("x", s.x.size(), n_x);
    check("x_des", s.x_des.size(), has_desired(history) ? n_x : 0);
    check("x_dot", s.x_dot.size(), n_v);
    check("x_dot_des", s.x_dot_des.size(), has_desired(history) ? n_v : 0);
    check("theta", s.theta.size(), n_j);
    check("omega", s.omega.size(), n_j);
    check("tau", s.tau.size(), n_j);
    check("lambda_N", s.lambda_N.size(), n_c);
    check("lambda_T", s.lambda_T.size(), n_c);
    check("gap", s.gap.size(), n_c);
    check("slip", s.slip.size(), n_c);
    check("offset", s.offset.size(), n_c);
    check("modes", static_cast<Index>(s.modes.size()), n_c);
    for (const MatrixXd* A : {&s.A0, &s.A1}) {
      if (A->size() != 0) check("A0 or A1", A->rows() == n_c ? A->cols() : A->rows(), n_c);
    }
    ENFOLD_REQUIRE(s.critical_contact >= -1 && s.critical_contact < n_c,
                   "write_run: sample {} has critical contact {}, expected -1 to {}", i, s.critical_contact,
                   n_c - 1);
  }
}

void write_contacts(const sim::Sample& s, CsvBuffer& csv) {
  for (std::size_t c = 0; c < s.modes.size(); ++c) {
    const Index i = static_cast<Index>(c);
    csv.number(s.lambda_N[i]);
    csv.number(s.lambda_T[i]);
    csv.number(s.gap[i]);
    csv.number(s.offset[i]);
    csv.number(s.slip[i]);
    csv.text(contact::to_string(s.modes[c]));
  }
}

void write_uniqueness(const sim::Sample& s, CsvBuffer& csv) {
  csv.text(s.model == sim::ContactModel::kRigid ? "rigid" : "compliant");
  if (s.p_matrix == sim::Uniqueness::kUndecided) {
    csv.empty();
  } else {
    csv.integer(s.p_matrix == sim::Uniqueness::kUnique ? 1 : 0);
  }
  if (std::isnan(s.min_minor)) {
    csv.empty();
  } else {
    csv.number(s.min_minor);
  }
  if (s.lcp_solutions < 0) {
    csv.empty();
  } else {
    csv.integer(s.lcp_solutions);
  }
}

void write_history(const fs::path& path, const sim::History& history) {
  CsvBuffer csv;
  for (const std::string& name : history_columns(history)) csv.text(name);
  csv.end_row();
  const auto [n_alpha, n_alpha_des] = alpha_columns(history);
  for (const sim::Sample& s : history.samples) {
    csv.number(s.time);
    for (const VectorXd* v : {&s.x, &s.x_dot, &s.x_des, &s.x_dot_des, &s.theta, &s.omega, &s.tau})
      csv.numbers(*v);
    write_contacts(s, csv);
    write_uniqueness(s, csv);
    csv.padded(s.alpha, n_alpha);
    csv.padded(s.alpha_des, n_alpha_des);
    const bool critical = s.critical_contact >= 0;
    csv.text(critical ? history.names.contacts[static_cast<std::size_t>(s.critical_contact)] : std::string());
    csv.number(s.energy);
    if (std::isnan(s.contact_growth)) {
      csv.empty();
    } else {
      csv.number(s.contact_growth);
    }
    csv.integer(s.saturated ? 1 : 0);
    csv.end_row();
  }
  write_file(path, csv.bytes());
}

void write_events(const fs::path& path, const sim::History& history) {
  CsvBuffer csv;
  for (const sim::Event& e : history.events) {
    csv.number(e.time);
    for (const std::string* s : {&e.kind, &e.contact, &e.from, &e.to, &e.cause}) csv.text(*s);
    for (const double jump : {e.jump_q, e.jump_v, e.jump_lambda, e.energy_change}) csv.number(jump);
    csv.end_row();
  }
  write_file(path, std::string(kEventColumns) + "\n" + std::string(csv.bytes()));
}

// Real and imaginary parts of the contacts' own eigenvalues; only if there are any.
void write_stability(const fs::path& path, const sim::History& history) {
  Index most = 0;
  for (const sim::Sample& s : history.samples) most = std::max(most, s.contact_eigenvalues.size());
  if (most == 0) return;
  CsvBuffer csv;
  csv.text("time_s");
  for (Index i = 1; i <= most; ++i) {
    csv.text(fmt::format("eigenvalue.{}.re_1ps", i));
    csv.text(fmt::format("eigenvalue.{}.im_1ps", i));
  }
  csv.end_row();
  for (const sim::Sample& s : history.samples) {
    csv.number(s.time);
    for (Index i = 0; i < most; ++i) {
      if (i < s.contact_eigenvalues.size()) {
        csv.number(s.contact_eigenvalues[i].real());
        csv.number(s.contact_eigenvalues[i].imag());
      } else {
        csv.empty();
        csv.empty();
      }
    }
    csv.end_row();
  }
  write_file(path, csv.bytes());
}

void write_matrices(const fs::path& path, const sim::History& history) {
  const std::size_t n = history.names.contacts.size();
  const Index size = static_cast<Index>(n);
  std::vector<double> numbers;
  numbers.reserve(2 * n * n * history.samples.size());
  for (const sim::Sample& s : history.samples) {
    for (const MatrixXd* A : {&s.A0, &s.A1}) {
      for (Index k = 0; k < size * size; ++k) {
        numbers.push_back(A->size() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                         : (*A)(k / size, k % size));
      }
    }
  }
  std::string bytes(numbers.size() * sizeof(double), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  write_file(path, bytes);
}

Json to_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNull:
      return nullptr;
    case Value::Kind::kScalar: {
      if (value.quoted) return value.text;
      // A plain scalar that JSON reads as a number or a flag is one; anything else is a text.
      const Json parsed = Json::parse(value.text, nullptr, false);
      return parsed.is_number() || parsed.is_boolean() ? parsed : Json(value.text);
    }
    case Value::Kind::kList: {
      Json out = Json::array();
      for (const Value& item : value.items) out.push_back(to_json(item));
      return out;
    }
    case Value::Kind::kMap:
      break;
  }
  Json out = Json::object();
  for (const Entry& entry : value.entries) out[entry.key] = to_json(entry.value);
  return out;
}

std::string_view word_of(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::kReproduced:
      return "reproduced";
    case VerdictStatus::kUnderReading:
      return "reproduced_under_reading";
    case VerdictStatus::kNotReproduced:
      return "not_reproduced";
  }
  return "?";
}

Json summary_json(const sim::History& history, const RunInfo& info) {
  Json out = Json::object();
  for (const auto& [key, member] : kSummaryNumbers) out[std::string(key)] = history.summary.*member;
  out["contact_solves"] = history.summary.contact_solves;
  out["model_switches"] = history.summary.model_switches;
  out["compliant_method"] = history.summary.compliant_method;
  out["stability_warning"] = history.summary.stability_warning;
  for (const auto& [key, number] : info.summary) out[key] = number;
  return out;
}

std::string run_json(const sim::History& history, const std::string& scenario_yaml, const RunInfo& info) {
  Json run;
  run["enfold_run"] = kRunFormat;
  run["version"] = info.version;
  run["command"] = info.command;
  run["seed"] = info.seed;
  for (const auto& [word, status] : kRunStatusWords) {
    if (status == history.status) run["status"] = word;
  }
  run["message"] = history.message;
  run["summary"] = summary_json(history, info);
  run["readings"] = Json::object();
  for (const auto& [key, text] : info.readings) run["readings"][key] = text;
  run["verdicts"] = Json::array();
  for (const Verdict& v : info.verdicts) {
    run["verdicts"].push_back({{"claim", v.claim},
                               {"source", v.source},
                               {"reading", v.reading},
                               {"expected", v.expected},
                               {"measured", v.measured},
                               {"verdict", word_of(v.status)}});
  }
  run["names"] = {{"joints", history.names.joints},
                  {"contacts", history.names.contacts},
                  {"object_position", history.names.object_position},
                  {"object_velocity", history.names.object_velocity}};
  run["history"] = {{"file", "history.csv"}, {"rows", history.samples.size()}};
  run["events"] = {{"file", "events.csv"}, {"rows", history.events.size()}};
  const std::size_t n = history.names.contacts.size();
  run["matrices"] = {{"file", "matrices.bin"},
                     {"type", "float64"},
                     {"byte_order", "little-endian"},
                     {"shape", {history.samples.size(), 2, n, n}},
                     {"order", "per row of history.csv A0, then A1, each row by row; A = A0 + A1 diag(mu)"}};
  run["scenario"] = to_json(parse_document(scenario_yaml, "scenario"));
  return run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void prepare(const fs::path& folder) {
  try {
    fs::create_directories(folder);
    if (!fs::is_empty(folder) && !fs::exists(folder / "run.json")) {
      throw IoError(
          fmt::format("'{}' holds files but no run.json, so it is not a run that may be replaced; choose "
                      "another folder with --out",
                      folder.string()));
    }
    for (const char* old :
         {"history.csv", "events.csv", "matrices.bin", "plan.csv", "uniqueness.json", "margin.csv",
          "boundary.csv", "verdicts.md", "report.html", "comparison.html", "stability.csv", "figures"}) {
      fs::remove_all(folder / old);
    }
    std::vector<fs::path> maps;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("map_") && name.ends_with(".csv")) maps.push_back(entry.path());
    }
    for (const fs::path& map : maps) fs::remove(map);
  } catch (const fs::filesystem_error& error) {
    throw IoError(fmt::format("can't use the run folder '{}': {}", folder.string(), error.code().message()));
  }
}

}  // namespace

std::vector<std::string> history_columns(const sim::History& history) {
  const sim::HistoryNames& names = history.names;
  std::vector<std::string> out = {"time_s"};
  for (const char* whose : {"object.", "desired."}) {
    if (whose[0] == 'd' && !has_desired(history)) continue;
    for (const std::string& name : names.object_position) out.push_back(whose + name);
    for (const std::string& name : names.object_velocity) out.push_back(whose + name);
  }
  for (const auto& [prefix, unit] : {std::pair{"theta.", "_rad"}, {"omega.", "_radps"}, {"tau.", "_Nm"}}) {
    for (const std::string& joint : names.joints) out.push_back(prefix + joint + unit);
  }
  for (const std::string& contact : names.contacts) {
    for (const auto& [prefix, unit] : {std::pair{"lambda_N.", "_N"},
                                       {"lambda_T.", "_N"},
                                       {"gap.", "_m"},
                                       {"offset.", "_m"},
                                       {"slip.", "_mps"},
                                       {"mode.", ""}}) {
      out.push_back(prefix + contact + unit);
    }
  }
  for (const char* name : {"model", "p_matrix", "min_minor", "lcp_solutions"}) out.emplace_back(name);
  const auto [n_alpha, n_alpha_des] = alpha_columns(history);
  for (Index i = 1; i <= n_alpha; ++i) out.push_back(fmt::format("alpha.{}_N", i));
  for (Index i = 1; i <= n_alpha_des; ++i) out.push_back(fmt::format("alpha_des.{}_N", i));
  out.emplace_back("critical_contact");
  out.emplace_back("energy_J");
  out.emplace_back("contact_growth_1ps");
  out.emplace_back("saturated");
  return out;
}

void write_run(const fs::path& folder, const sim::History& history, const std::string& scenario_yaml,
               const RunInfo& info) {
  check_sizes(history);
  const std::string run = run_json(history, scenario_yaml, info);
  prepare(folder);
  // First, so that a folder left behind by a full disk is known as a run and may be replaced.
  write_file(folder / "run.json", run);
  write_history(folder / "history.csv", history);
  write_events(folder / "events.csv", history);
  write_matrices(folder / "matrices.bin", history);
  write_stability(folder / "stability.csv", history);
}

}  // namespace enfold::io
