// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/run_folder.hpp"
#include "enfold/io/scenario_file.hpp"
#include "run_format.hpp"

namespace enfold::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::string> split_row(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// A CSV file, one row at a time, with cells found by the name of their column.
class CsvReader {
 public:
  /// With `troubles`, a column that is missing is noted there, once, and reads as empty.
  explicit CsvReader(const fs::path& path, std::vector<std::string>* troubles = nullptr)
      : path_(path.string()), bytes_(read_file(path)), rest_(bytes_), troubles_(troubles) {
    if (!next())
      throw IoError(fmt::format("{}: the file is empty; the line of column names is missing", path_));
    for (std::size_t i = 0; i < row_.size(); ++i) columns_[row_[i]] = i;
  }

  bool next() {
    if (rest_.empty()) return false;
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) damaged("the last line is cut off");
    row_ = split_row(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    if (line_ > 1 && row_.size() != columns_.size()) {
      damaged(fmt::format("{} values for {} columns", row_.size(), columns_.size()));
    }
    return true;
  }

  [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }

  [[nodiscard]] const std::string& text(const std::string& column) const {
    const auto found = columns_.find(column);
    if (found != columns_.end()) return row_[found->second];
    const std::string what = fmt::format("{}:1: column '{}' is missing", path_, column);
    if (troubles_ == nullptr) throw IoError(what);
    if (absent_.insert(column).second) troubles_->push_back(what);
    static const std::string kEmpty;
    return kEmpty;
  }

  [[nodiscard]] double number(const std::string& column) const {
    const std::string& cell = text(column);
    if (absent_.contains(column)) return std::numeric_limits<double>::quiet_NaN();
    double x = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
    if (error != std::errc() || end != cell.data() + cell.size()) {
      damaged(fmt::format("column '{}' holds '{}', which is no number", column, cell));
    }
    return x;
  }

  /// Whether a column was asked for that the file does not hold.
  [[nodiscard]] bool absent(const std::string& column) const { return absent_.contains(column); }

  [[nodiscard]] double number_or(const std::string& column, double fallback) const {
    return text(column).empty() ? fallback : number(column);
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw IoError(fmt::format("{}:{}: {}; the file is damaged, run the scenario again", path_, line_, what));
  }

 private:
  std::string path_;
  std::string bytes_;
  std::string_view rest_;
  std::vector<std::string> row_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::string>* troubles_;
  mutable std::unordered_set<std::string> absent_;
  int line_ = 0;
};

struct Prefixed {
  const char* prefix;
  const std::vector<std::string>& names;
  const char* unit;
};

VectorXd read_vector(const CsvReader& csv, const Prefixed& columns) {
  VectorXd out(static_cast<Index>(columns.names.size()));
  Index i = 0;
  for (const std::string& name : columns.names) out[i++] = csv.number(columns.prefix + name + columns.unit);
  return out;
}

VectorXd read_numbered(const CsvReader& csv, const char* prefix) {
  std::vector<double> values;
  for (int i = 1;; ++i) {
    const std::string column = fmt::format("{}{}_N", prefix, i);
    if (!csv.has(column) || csv.text(column).empty()) break;
    values.push_back(csv.number(column));
  }
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

contact::ContactMode read_mode(const CsvReader& csv, const std::string& column) {
  using contact::ContactMode;
  const std::string& word = csv.text(column);
  if (csv.absent(column)) return ContactMode::kOpen;
  for (const ContactMode mode :
       {ContactMode::kOpen, ContactMode::kSlidePlus, ContactMode::kSlideMinus, ContactMode::kRoll}) {
    if (word == contact::to_string(mode)) return mode;
  }
  csv.damaged(fmt::format("column '{}' holds '{}', which is no contact mode", column, word));
}

void read_uniqueness(const CsvReader& csv, sim::Sample& s) {
  const std::string& model = csv.text("model");
  if (model != "rigid" && model != "compliant" && !csv.absent("model")) {
    csv.damaged(fmt::format("column 'model' holds '{}', expected rigid or compliant", model));
  }
  s.model = model == "compliant" ? sim::ContactModel::kCompliant : sim::ContactModel::kRigid;
  const std::string& p = csv.text("p_matrix");
  s.p_matrix = p.empty()  ? sim::Uniqueness::kUndecided
               : p == "1" ? sim::Uniqueness::kUnique
                          : sim::Uniqueness::kNotUnique;
  s.min_minor = csv.number_or("min_minor", std::numeric_limits<double>::quiet_NaN());
  s.lcp_solutions = static_cast<int>(csv.number_or("lcp_solutions", -1.0));
}

int read_critical(const CsvReader& csv, const std::vector<std::string>& contacts) {
  const std::string& name = csv.text("critical_contact");
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i] == name) return static_cast<int>(i);
  }
  if (!name.empty()) csv.damaged(fmt::format("critical_contact '{}' is no contact", name));
  return -1;
}

sim::Sample read_sample(const CsvReader& csv, const sim::HistoryNames& names) {
  sim::Sample s;
  s.time = csv.number("time_s");
  s.x = read_vector(csv, {"object.", names.object_position, ""});
  s.x_dot = read_vector(csv, {"object.", names.object_velocity, ""});
  if (!names.joints.empty()) {
    s.x_des = read_vector(csv, {"desired.", names.object_position, ""});
    s.x_dot_des = read_vector(csv, {"desired.", names.object_velocity, ""});
  }
  s.theta = read_vector(csv, {"theta.", names.joints, "_rad"});
  s.omega = read_vector(csv, {"omega.", names.joints, "_radps"});
  s.tau = read_vector(csv, {"tau.", names.joints, "_Nm"});
  s.lambda_N = read_vector(csv, {"lambda_N.", names.contacts, "_N"});
  s.lambda_T = read_vector(csv, {"lambda_T.", names.contacts, "_N"});
  s.gap = read_vector(csv, {"gap.", names.contacts, "_m"});
  s.offset = read_vector(csv, {"offset.", names.contacts, "_m"});
  s.slip = read_vector(csv, {"slip.", names.contacts, "_mps"});
  for (const std::string& contact : names.contacts) s.modes.push_back(read_mode(csv, "mode." + contact));
  read_uniqueness(csv, s);
  s.alpha = read_numbered(csv, "alpha.");
  s.alpha_des = read_numbered(csv, "alpha_des.");
  s.critical_contact = read_critical(csv, names.contacts);
  s.energy = csv.number("energy_J");
  s.contact_growth = csv.number_or("contact_growth_1ps", std::numeric_limits<double>::quiet_NaN());
  s.saturated = csv.has("saturated") && csv.text("saturated") == "1";
  return s;
}

void read_events(const fs::path& path, sim::History& history, std::vector<std::string>* troubles = nullptr) {
  CsvReader csv(path, troubles);
  while (csv.next()) {
    sim::Event e;
    e.time = csv.number("time_s");
    e.kind = csv.text("kind");
    e.contact = csv.text("contact");
    e.from = csv.text("from");
    e.to = csv.text("to");
    e.cause = csv.text("cause");
    e.jump_q = csv.number("jump_q");
    e.jump_v = csv.number("jump_v");
    e.jump_lambda = csv.number("jump_lambda_N");
    e.energy_change = csv.number("energy_change_J");
    history.events.push_back(std::move(e));
  }
}

std::string wrong_size(const fs::path& path, std::size_t found, std::size_t expected) {
  return fmt::format("{}: {} bytes, expected {}; the file is damaged, run the scenario again", path.string(),
                     found, expected);
}

std::size_t matrix_bytes(const sim::History& history) {
  const std::size_t n = history.names.contacts.size();
  return 2 * n * n * sizeof(double) * history.samples.size();
}

// As many samples get their matrices as the bytes are enough for.
void take_matrices(const std::string& bytes, sim::History& history) {
  const std::size_t n = history.names.contacts.size();
  const std::size_t block = n * n * sizeof(double);
  if (block == 0) return;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor A(static_cast<Index>(n), static_cast<Index>(n));
  std::size_t at = 0;
  for (sim::Sample& s : history.samples) {
    if (at + 2 * block > bytes.size()) return;
    for (MatrixXd* out : {&s.A0, &s.A1}) {
      std::memcpy(A.data(), bytes.data() + at, block);
      at += block;
      if (!A.array().isNaN().all()) *out = A;
    }
  }
}

void read_matrices(const fs::path& path, sim::History& history) {
  const std::string bytes = read_file(path);
  if (bytes.size() != matrix_bytes(history))
    throw IoError(wrong_size(path, bytes.size(), matrix_bytes(history)));
  take_matrices(bytes, history);
}

void read_run_json(const fs::path& path, sim::History& history) {
  const std::string bytes = read_file(path);
  try {
    const Json run = Json::parse(bytes);
    if (const int format = run.at("enfold_run").get<int>(); format != kRunFormat) {
      throw IoError(
          fmt::format("{}: run format {} is not known, expected {}", path.string(), format, kRunFormat));
    }
    const Json& names = run.at("names");
    names.at("joints").get_to(history.names.joints);
    names.at("contacts").get_to(history.names.contacts);
    names.at("object_position").get_to(history.names.object_position);
    names.at("object_velocity").get_to(history.names.object_velocity);
    run.at("message").get_to(history.message);
    const std::string status = run.at("status").get<std::string>();
    for (const auto& [word, value] : kRunStatusWords) {
      if (word == status) history.status = value;
    }
    const Json& summary = run.at("summary");
    for (const auto& [key, member] : kSummaryNumbers) {
      const Json& number = summary.at(std::string(key));
      // JSON has no NaN; it is written as null.
      history.summary.*member =
          number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>();
    }
    summary.at("contact_solves").get_to(history.summary.contact_solves);
    summary.at("model_switches").get_to(history.summary.model_switches);
    summary.at("compliant_method").get_to(history.summary.compliant_method);
    summary.at("stability_warning").get_to(history.summary.stability_warning);
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: the file is damaged: {}", path.string(), error.what()));
  }
}

/// What nothing can be read without. Throws IoError if it is not there.
void read_names(const fs::path& path, SalvagedRun& run) {
  try {
    const Json json = Json::parse(read_file(path));
    const Json& names = json.at("names");
    names.at("joints").get_to(run.history.names.joints);
    names.at("contacts").get_to(run.history.names.contacts);
    names.at("object_position").get_to(run.history.names.object_position);
    names.at("object_velocity").get_to(run.history.names.object_velocity);
    json.at("history").at("rows").get_to(run.expected_samples);
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: the file is damaged: {}", path.string(), error.what()));
  }
}

void require_run(const fs::path& folder) {
  if (!fs::exists(folder / "run.json")) {
    throw IoError(fmt::format("'{}' is no run folder: it holds no run.json", folder.string()));
  }
}

}  // namespace

Scenario read_run_scenario(const fs::path& folder) {
  require_run(folder);
  const fs::path file = folder / "run.json";
  try {
    // JSON is YAML: the reader of scenario files takes it as it is.
    return parse_scenario(Json::parse(read_file(file)).at("scenario").dump(), file.string());
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: the file is damaged: {}", file.string(), error.what()));
  } catch (const ScenarioError& error) {
    throw IoError(fmt::format("{}: its scenario can't be used: {}", file.string(), error.what()));
  }
}

sim::History read_history(const fs::path& folder) {
  require_run(folder);
  sim::History history;
  read_run_json(folder / "run.json", history);
  CsvReader csv(folder / "history.csv");
  while (csv.next()) history.samples.push_back(read_sample(csv, history.names));
  read_events(folder / "events.csv", history);
  read_matrices(folder / "matrices.bin", history);
  return history;
}

SalvagedRun salvage_run(const fs::path& folder) {
  require_run(folder);
  SalvagedRun run;
  read_names(folder / "run.json", run);
  const auto attempt = [&run](const auto& read) {
    try {
      read();
    } catch (const IoError& error) {
      run.troubles.emplace_back(error.what());
    }
  };
  attempt([&] { read_run_json(folder / "run.json", run.history); });
  attempt([&] {
    CsvReader csv(folder / "history.csv", &run.troubles);
    while (csv.next()) run.history.samples.push_back(read_sample(csv, run.history.names));
  });
  if (run.history.samples.size() < run.expected_samples) {
    run.troubles.push_back(fmt::format("{}: {} of {} recorded instants can be read",
                                       (folder / "history.csv").string(), run.history.samples.size(),
                                       run.expected_samples));
  }
  attempt([&] { read_events(folder / "events.csv", run.history, &run.troubles); });
  attempt([&] {
    const fs::path file = folder / "matrices.bin";
    const std::string bytes = read_file(file);
    // One that is longer than the samples that are left is no news.
    if (bytes.size() < matrix_bytes(run.history))
      run.troubles.push_back(wrong_size(file, bytes.size(), matrix_bytes(run.history)));
    take_matrices(bytes, run.history);
  });
  return run;
}

}  // namespace enfold::io
