// SPDX-License-Identifier: BSD-3-Clause
#include "report_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "base64.hpp"
#include "enfold/base/error.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/run_folder.hpp"
#include "run_table.hpp"
#include "thin_rows.hpp"

namespace enfold::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr Index kOutlinePoints = 160;
constexpr std::size_t kFewestRows = 200;

Json number_or_null(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json point(const Vector2d& p) {
  return Json::array({p.x(), p.y()});
}

Json encode(const Column& column, const std::vector<std::size_t>& rows) {
  std::vector<float> numbers;
  numbers.reserve(rows.size());
  for (const std::size_t row : rows) numbers.push_back(static_cast<float>(column.values[row]));
  Json out{{"name", column.name}};
  const bool constant = std::all_of(numbers.begin(), numbers.end(), [&](float x) {
    return x == numbers.front() || (std::isnan(x) && std::isnan(numbers.front()));
  });
  if (constant) {
    out["constant"] = number_or_null(static_cast<double>(numbers.front()));
  } else {
    out["f32"] = base64_of(std::span<const float>(numbers));
  }
  return out;
}

Json encode(const StateColumn& column, const std::vector<std::size_t>& rows) {
  std::vector<std::uint8_t> states;
  states.reserve(rows.size());
  for (const std::size_t row : rows) states.push_back(column.values[row]);
  return {{"name", column.name}, {"u8", base64(states)}};
}

std::size_t row_characters(const RunTable& table) {
  return (8 + 4 * table.columns.size() + table.states.size()) * 4 / 3 + 1;
}

/// A₀ and A₁ at as many of the shown rows as the budget allows, evenly spread.
Json encode_matrices(const sim::History& history, const std::vector<std::size_t>& samples,
                     std::size_t budget) {
  const std::size_t n = history.names.contacts.size();
  std::vector<std::size_t> with;
  for (std::size_t row = 0; row < samples.size(); ++row)
    if (history.samples[samples[row]].A0.size() > 0) with.push_back(row);
  if (with.empty() || n == 0) return nullptr;
  const std::size_t most = std::max<std::size_t>(2, budget / (2 * n * n * 32 / 3 + 8));
  const std::size_t step = (with.size() + most - 1) / most;
  Json rows = Json::array();
  std::vector<double> numbers;
  for (std::size_t k = 0; k < with.size(); k += step) {
    rows.push_back(with[k]);
    const sim::Sample& s = history.samples[samples[with[k]]];
    for (const MatrixXd* A : {&s.A0, &s.A1})
      for (Index i = 0; i < A->rows(); ++i)
        for (Index j = 0; j < A->cols(); ++j) numbers.push_back((*A)(i, j));
  }
  Json out{{"n", n}};
  out["rows"] = step == 1 && with.size() == samples.size() ? Json("all") : std::move(rows);
  out["f64"] = base64_of(std::span<const double>(numbers));
  return out;
}

/// From joint to tip in the link's frame: straight, or the arc whose middle stands out by `bulge`.
Json centreline(const mechanics::PlanarLink& link, geometry::Side object_side) {
  Json out = Json::array({point(Vector2d::Zero())});
  if (link.bulge != 0.0) {
    // Half the angle of the arc from chord L and sagitta s: tan(γ/2) = 2 s / L.
    const double half = 2.0 * std::atan(2.0 * std::abs(link.bulge) / link.length);
    const double radius = 0.5 * link.length / std::sin(half);
    const double side = (object_side == geometry::Side::kLeft ? 1.0 : -1.0) * std::copysign(1.0, link.bulge);
    constexpr int kPieces = 24;
    for (int k = 1; k < kPieces; ++k) {
      const double angle = half * (2.0 * k / kPieces - 1.0);
      out.push_back(point({0.5 * link.length + radius * std::sin(angle),
                           side * radius * (std::cos(angle) - std::cos(half))}));
    }
  }
  out.push_back(point({link.length, 0.0}));
  return out;
}

/// What does not move with time: outline and mark of the object, links, half-planes.
Json scene_json(const models::GraspModel& model, const io::Scenario& scenario) {
  const mechanics::PlanarObject& object = model.mechanism->object();
  Json out;
  out["size_m"] = mechanics::characteristic_length(object);
  out["outline"] = Json::array();
  for (const Vector2d& p : mechanics::outline(object, kOutlinePoints)) out["outline"].push_back(point(p));
  if (object.shape != nullptr) out["mark"] = point(0.86 * object.shape->boundary_point(0.0));
  out["links"] = Json::array();
  const mechanics::PlanarHand& hand = model.mechanism->hand();
  for (Index i = 0; i < hand.n_joints(); ++i) {
    out["links"].push_back({{"name", hand.link_names()[static_cast<std::size_t>(i)]},
                            {"length", hand.link(i).length},
                            {"radius", hand.link(i).radius},
                            {"centreline", centreline(hand.link(i), hand.arm_of(i).object_side)},
                            {"first", hand.first_joint(i) == i}});
  }
  out["planes"] = Json::array();
  for (const io::PlaneSpec& plane : scenario.planes)
    out["planes"].push_back(
        {{"name", plane.name}, {"point", {plane.point[0], plane.point[1]}}, {"angle", plane.angle}});
  return out;
}

Json events_json(const sim::History& history) {
  Json out = Json::array();
  for (const sim::Event& e : history.events) {
    Json event{{"time", number_or_null(e.time)}, {"kind", e.kind}};
    for (const auto& [key, text] :
         {std::pair{"contact", &e.contact}, {"from", &e.from}, {"to", &e.to}, {"cause", &e.cause}})
      if (!text->empty()) event[key] = *text;
    for (const auto& [key, x] : {std::pair{"jump_q", e.jump_q},
                                 {"jump_v", e.jump_v},
                                 {"jump_lambda_N", e.jump_lambda},
                                 {"energy_change_J", e.energy_change}})
      if (x != 0.0) event[key] = number_or_null(x);
    out.push_back(std::move(event));
  }
  return out;
}

/// The audit at the first recorded instant, in words.
Json audit_json(const sim::Sample& first, const models::GraspModel& model) {
  const VectorXd q = (VectorXd(first.x.size() + first.theta.size()) << first.x, first.theta).finished();
  const grasp::GraspAudit audit = grasp::audit(*model.mechanism, *model.contacts, q, first.modes, model.mu);
  Json out{{"controllable", audit.controllable()}, {"lines", grasp::describe(audit)}};
  out["warnings"] = audit.warnings;
  out["violations"] = Json::array();
  for (const grasp::Violation& violation : audit.violations)
    out["violations"].push_back({{"assumption", violation.assumption}, {"reason", violation.reason}});
  return out;
}

/// Contacts and their friction: from the scenario where it can be read, else their names.
Json contacts_json(const sim::History& history, const std::optional<io::Scenario>& scenario,
                   const std::vector<int>& tangents) {
  Json out = Json::array();
  for (std::size_t i = 0; i < history.names.contacts.size(); ++i) {
    Json contact{{"name", history.names.contacts[i]}};
    if (scenario && i < scenario->contacts.size()) {
      const io::ContactSpec& spec = scenario->contacts[i];
      contact["mu"] = spec.mu;
      contact["on"] = spec.link.empty() ? spec.plane : spec.link;
    }
    if (i < tangents.size()) contact["tangent"] = tangents[i];
    out.push_back(std::move(contact));
  }
  return out;
}

/// A key of run.json, or null.
Json key_of(const Json& run, const char* key) {
  return run.contains(key) ? run[key] : Json(nullptr);
}

/// Runs `work`; a failure becomes a sentence in `missing`.
template <class Work>
void attempt(const char* what, std::vector<std::string>& missing, const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    missing.push_back(fmt::format("{}: {}", what, error.what()));
  }
}

}  // namespace

Json report_run(const fs::path& folder, std::size_t budget) {
  io::SalvagedRun salvaged = io::salvage_run(folder);
  const sim::History& history = salvaged.history;
  std::vector<std::string>& missing = salvaged.troubles;
  const Json run = Json::parse(io::read_file(folder / "run.json"));

  std::optional<io::Scenario> scenario;
  std::optional<models::GraspModel> model;
  attempt("parameters", missing, [&] { scenario = io::read_run_scenario(folder); });
  if (scenario) attempt("playback", missing, [&] { model = models::make_grasp_model(*scenario); });

  std::vector<std::size_t> kept;
  RunTable table = run_table(history, scenario ? &*scenario : nullptr, kept);
  if (kept.size() < history.samples.size()) {
    missing.push_back(fmt::format("history.csv: {} instants are left out, their times do not increase",
                                  history.samples.size() - kept.size()));
  }
  std::vector<int> tangents;
  if (model && !kept.empty())
    attempt("playback", missing, [&] { tangents = add_scene(history, kept, *model, table); });

  Json out;
  for (const char* key :
       {"version", "command", "seed", "status", "message", "summary", "readings", "verdicts", "scenario"})
    out[key] = key_of(run, key);
  const std::string folder_name = (folder / "").parent_path().filename().string();
  const Json spec = key_of(run, "scenario");
  const bool named = spec.is_object() && spec.contains("name") && spec["name"].is_string();
  out["label"] = named ? spec["name"].get<std::string>() : folder_name;
  out["folder"] = folder.generic_string();
  if (scenario) out["shows"] = scenario->shows;
  out["joints"] = history.names.joints;
  out["coordinates"] = history.names.object_position;
  out["contacts"] = contacts_json(history, scenario, tangents);
  if (model) attempt("playback", missing, [&] { out["scene"] = scene_json(*model, *scenario); });
  if (tangents.empty()) out.erase("scene");
  if (scenario && scenario->has_hand() && scenario->controller.follows_eq14())
    out["gains"] = {{"Kp", scenario->controller.Kp}, {"Kv", scenario->controller.Kv}};
  out["events"] = events_json(history);
  if (model && !kept.empty() && !history.names.joints.empty())
    attempt("audit", missing, [&] { out["audit"] = audit_json(history.samples[kept.front()], *model); });

  if (!kept.empty()) {
    const std::size_t most = std::max(kFewestRows, budget / 2 / row_characters(table));
    const ThinnedRows thinned = thin_rows(table, most);
    std::vector<double> times;
    std::vector<std::size_t> samples;
    for (const std::size_t row : thinned.rows) {
      times.push_back(table.time[row]);
      samples.push_back(kept[row]);
    }
    out["rows"] = {{"recorded", std::max(salvaged.expected_samples, history.samples.size())},
                   {"shown", samples.size()},
                   {"deviation", thinned.deviation}};
    out["time"] = base64_of(std::span<const double>(times));
    out["columns"] = Json::array();
    for (const Column& column : table.columns) out["columns"].push_back(encode(column, thinned.rows));
    out["states"] = Json::array();
    for (const StateColumn& column : table.states) out["states"].push_back(encode(column, thinned.rows));
    out["matrices"] = encode_matrices(history, samples, budget / 2);
  }
  if (kept.empty() && history.status == sim::RunStatus::kPlanned)
    missing.emplace_back("this is a plan: it was not simulated, so that there is nothing to play back");
  out["missing"] = missing;
  return out;
}

}  // namespace enfold::app
