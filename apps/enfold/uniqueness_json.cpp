// SPDX-License-Identifier: BSD-3-Clause
#include "uniqueness_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace enfold::app {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class T>
Json optional_number(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Rows of a family by the names of their contacts.
class Names {
 public:
  Names(const Setup& setup, const uniqueness::GraspFamily& rows)
      : all_{setup.model.contacts->names()}, rows_{rows.contacts} {}

  [[nodiscard]] const std::string& operator[](std::size_t row) const {
    return all_[static_cast<std::size_t>(rows_[row])];
  }
  [[nodiscard]] Json set(const std::vector<Index>& S) const {
    Json out = Json::array();
    for (const Index row : S) out.push_back((*this)[static_cast<std::size_t>(row)]);
    return out;
  }
  /// Of contacts by their numbers, not rows.
  [[nodiscard]] Json numbers(const std::vector<Index>& contacts) const {
    Json out = Json::array();
    for (const Index i : contacts) out.push_back(all_[static_cast<std::size_t>(i)]);
    return out;
  }
  [[nodiscard]] Json values(const VectorXd& v) const {
    Json out = Json::object();
    for (Index row = 0; row < v.size(); ++row) out[(*this)[static_cast<std::size_t>(row)]] = number(v[row]);
    return out;
  }

 private:
  const std::vector<std::string>& all_;
  const std::vector<Index>& rows_;
};

// The contacts whose slip direction is the other one where the frontier is met.
Json reversed(const Names& names, const uniqueness::DirectedFrontier& directed) {
  Json out = Json::array();
  for (const Index row : directed.frontier.indices)
    if (directed.signs[row] < 0.0) out.push_back(names[static_cast<std::size_t>(row)]);
  return out;
}

Json frontier_json(const Names& names, const InstantStudy& instant) {
  using uniqueness::FrontierStatus;
  const uniqueness::Frontier& frontier = instant.frontier.frontier;
  Json direction = Json::object();
  for (Index row = 0; row < instant.direction.size(); ++row)
    if (instant.direction[row] != 0.0)
      direction[names[static_cast<std::size_t>(row)]] = instant.direction[row];
  Json ties = Json::array();
  for (const std::vector<Index>& S : frontier.ties) ties.push_back(names.set(S));
  Json touches = Json::array();
  for (const uniqueness::Touch& touch : frontier.touches)
    touches.push_back({{"r", number(touch.r)}, {"contacts", names.set(touch.indices)}, {"kind", "touch"}});
  const bool proved =
      frontier.status != FrontierStatus::kTooLarge && frontier.status != FrontierStatus::kUndecided;
  return {{"time_s", instant.at.time},
          {"direction", direction},
          {"r", proved ? number(frontier.r) : Json(nullptr)},
          {"contacts", names.set(frontier.indices)},
          {"ties", ties},
          {"touches", touches},
          {"verdict", proved ? to_string(frontier.status) : "not proved"},
          {"proved_to", number(frontier.proved_to)},
          {"refuted_at", number(frontier.refuted_at)},
          {"reversed", reversed(names, instant.frontier)}};
}

// No contact matrix: contacts that can't share a load have no unique forces at any μ, and no contacts are no
// question.
Json frontier_without_matrix(const Names& contacts, const InstantStudy& instant) {
  const bool shared = instant.at.rows.status == uniqueness::GraspFamilyStatus::kDependentRolling;
  return {{"time_s", instant.at.time},
          {"direction", Json::object()},
          {"r", shared ? Json(0.0) : Json(nullptr)},
          {"contacts", shared ? contacts.numbers(instant.sticking) : Json::array()},
          {"ties", Json::array()},
          {"touches", Json::array()},
          {"verdict", instant.without_matrix},
          {"proved_to", shared ? Json(0.0) : Json(nullptr)},
          {"refuted_at", shared ? Json(0.0) : Json(nullptr)},
          {"reversed", Json::array()}};
}

Json margin_json(const Names& names, const uniqueness::FrictionMargin& margin) {
  return {
      {"status", margin.status == uniqueness::MarginStatus::kTooLarge ? "not proved"
                                                                      : uniqueness::to_string(margin.status)},
      {"half_width", known(margin) ? number(margin.half_width) : Json(nullptr)},
      {"proved_at_least", number(margin.half_width)},
      {"contacts", names.set(margin.indices)},
      {"critical_mu", names.values(margin.critical_mu)},
      {"scale_r", number(margin.scale.r)},
      {"scale_contacts", names.set(margin.scale.indices)}};
}

Json map_json(const Names& names, const PlaneMap& map, bool both) {
  const uniqueness::PRegion& region = map.region;
  Json curves = Json::array();
  for (const uniqueness::RegionCurve& curve : region.curves) {
    Json points = Json::array();
    Json sets = Json::array();
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      points.push_back({curve.points[k].x(), curve.points[k].y()});
      sets.push_back(curve.minor[k]);
    }
    curves.push_back({{"closed", curve.closed}, {"points", points}, {"minor", sets}});
  }
  Json minors = Json::array();
  for (const uniqueness::RegionMinor& minor : region.minors)
    minors.push_back(
        {{"instant", minor.family / map.families_per_instant}, {"contacts", names.set(minor.indices)}});
  Json parts = Json::array();
  for (const uniqueness::RegionPart& part : region.parts)
    parts.push_back({{"area", part.area}, {"inside", {part.inside.x(), part.inside.y()}}});
  Json touches = Json::array();
  for (const uniqueness::RegionTouch& touch : region.touches)
    touches.push_back({{"mu", {touch.mu.x(), touch.mu.y()}}, {"minor", touch.minor}, {"kind", "touch"}});
  return {{"status", uniqueness::to_string(region.status)},
          {"window", {map.plane.upper.x(), map.plane.upper.y()}},
          {"area", region.area},
          {"undecided_area", region.undecided_area},
          {"slip_directions", both ? "both" : "planned"},
          {"design", map.design ? Json({map.design->x(), map.design->y()}) : Json(nullptr)},
          {"design_inside", map.design ? Json(map.design_inside) : Json(nullptr)},
          {"distance", number(map.distance.distance)},
          {"nearest", std::isfinite(map.distance.distance)
                          ? Json({map.distance.nearest.x(), map.distance.nearest.y()})
                          : Json(nullptr)},
          {"parts", parts},
          {"touches", touches},
          {"minors", minors},
          {"curves", curves}};
}

Json answers_json(const Names& names, const InstantStudy& instant) {
  Json list = Json::array();
  for (const uniqueness::ContactAnswer& answer : instant.answers->answers) {
    list.push_back({{"modes", answer.word},
                    {"lambda_N", names.values(answer.lambda_N)},
                    {"friction_N", names.values(answer.friction)},
                    {"separation_mps2", names.values(answer.separation)},
                    {"residual", number(answer.residual)}});
  }
  Json out = {{"status", lcp::to_string(instant.answers->status)},
              {"b", names.values(*instant.at.b)},
              {"solutions", list}};
  if (instant.change) {
    const lcp::SolutionChange& change = *instant.change;
    out["nearest_change"] = {{"status", lcp::to_string(change.status)},
                             {"distance", number(change.distance)},
                             {"b", names.values(change.b_changed)},
                             {"count_before", optional_number(change.count_before)},
                             {"count_after", optional_number(change.count_after)}};
  }
  return out;
}

Json change_json(const DesignChange& change) {
  return {{"parameter", change.parameter},
          {"unit", change.unit},
          {"value", change.value},
          {"margin_derivative", optional_number(change.margin_derivative)},
          {"scale_derivative", optional_number(change.scale_derivative)},
          {"restores_at", optional_number(change.restores_at)},
          {"effect", number(change.effect)}};
}

}  // namespace

std::string uniqueness_json(const Setup& setup, const UniquenessQuestion& question,
                            const UniquenessStudy& study, const std::vector<ChangesAt>& changes) {
  const std::vector<std::string>& contacts = setup.model.contacts->names();
  const auto contact_names = [&](const std::vector<Index>& numbers) {
    Json out = Json::array();
    for (const Index i : numbers) out.push_back(contacts[static_cast<std::size_t>(i)]);
    return out;
  };
  Json out;
  out["scenario"] = setup.scenario.name;
  out["from"] = question.from_scenario ? "scenario" : "zero";
  out["slip_directions"] = question.both_directions ? "both" : "planned";
  out["groups"] = Json::array();
  for (const auto& group : study.groups) out["groups"].push_back(contact_names(group));
  out["frontiers"] = Json::array();
  out["instants"] = Json::array();
  for (const InstantStudy& instant : study.instants) {
    const Names names(setup, instant.at.rows);
    const bool has_matrix = instant.without_matrix.empty();
    out["frontiers"].push_back(has_matrix ? frontier_json(names, instant)
                                          : frontier_without_matrix(names, instant));
    Json modes = Json::object();
    for (std::size_t i = 0; i < contacts.size(); ++i)
      modes[contacts[i]] = contact::to_string(instant.at.motion.modes[i]);
    Json one = {{"time_s", instant.at.time},
                {"modes", modes},
                {"p_matrix", !has_matrix ? instant.without_matrix
                             : instant.p_test.status == lcp::PMatrixStatus::kUndecided
                                 ? std::string("not proved")
                                 : std::string(lcp::to_string(instant.p_test.status))}};
    if (has_matrix) one["margin"] = margin_json(names, instant.margin);
    Json idle = Json::array();
    for (Index j = 0; j < instant.at.rows.family.size(); ++j)
      if (!instant.at.rows.family.enters(j)) idle.push_back(names[static_cast<std::size_t>(j)]);
    one["mu_does_not_enter"] = idle;
    if (instant.certificate) {
      const uniqueness::Certificate& box = *instant.certificate;
      one["box"] = {{"verdict", uniqueness::to_string(box.status)},
                    {"method", uniqueness::to_string(box.method)},
                    {"lower", names.values(box.box.lower)},
                    {"upper", names.values(box.box.upper)},
                    {"smallest_minor", number(box.smallest.value)},
                    {"witness_mu", names.values(box.witness)},
                    {"witness_contacts", names.set(box.witness_minor.indices)},
                    {"proved_size", box.proved_size}};
    }
    if (instant.map) one["map"] = map_json(names, *instant.map, question.both_directions);
    if (instant.answers) one["answers"] = answers_json(names, instant);
    if (instant.stick_slip) {
      Json answers = Json::array();
      for (const sim::FrictionAnswer& answer : instant.stick_slip->answers) {
        Json each = {{"modes", Json::object()}, {"lambda_N", Json::object()}, {"lambda_T", Json::object()}};
        for (std::size_t k = 0; k < instant.closed.size(); ++k) {
          const std::string& name = contacts[static_cast<std::size_t>(instant.closed[k])];
          each["modes"][name] = contact::to_string(answer.modes[k]);
          each["lambda_N"][name] = number(answer.lambda_N[static_cast<Index>(k)]);
          each["lambda_T"][name] = number(answer.lambda_T[static_cast<Index>(k)]);
        }
        answers.push_back(std::move(each));
      }
      one["stick_slip"] = {{"contacts", contact_names(instant.sticking)},
                           {"p_matrix", false},
                           {"status", stick_slip_words(*instant.stick_slip)},
                           {"solutions", optional_number(stick_slip_count(*instant.stick_slip))},
                           {"answers", answers},
                           {"copositive", lcp::to_string(instant.copositive->verdict)},
                           {"copositive_reason", instant.copositive->reason}};
    }
    out["instants"].push_back(std::move(one));
  }
  out["smallest_margin"] = nullptr;
  if (study.least)
    out["smallest_margin"] = {
        {"time_s", study.least->time},
        {"half_width", study.least->half_width},
        {"contacts", contact_names(study.least->contacts)},
        {"proved_at_least", optional_number(study.least->proved)},
        {"basis", study.least->proved || study.least->half_width == 0.0 ? "proved" : "sampled"}};
  out["over_time"] = {{"unique_for_all_t",
                       study.over_time.stretches.empty() ? Json(nullptr) : Json(study.over_time.unique())},
                      {"stretches", Json::array()}};
  for (const uniqueness::TimeStretch& stretch : study.over_time.stretches)
    out["over_time"]["stretches"].push_back({{"from_s", stretch.from},
                                             {"to_s", stretch.to},
                                             {"verdict", uniqueness::to_string(stretch.verdict)}});
  const Names rows(setup, study.rows);
  if (study.robust) out["robust"] = map_json(rows, *study.robust, question.both_directions);
  if (study.robust_proved) {
    out["robust_proved"] = map_json(rows, *study.robust_proved, question.both_directions);
    for (Json& minor : out["robust_proved"]["minors"]) minor.erase("instant");  // a corner of an enclosure
  }
  out["design_changes"] = Json::array();
  for (const ChangesAt& at : changes) {
    Json list = Json::array();
    for (const DesignChange& change : at.changes) list.push_back(change_json(change));
    out["design_changes"].push_back({{"time_s", at.time}, {"ranked", list}});
  }
  out["notes"] = study.notes;
  return out.dump(2) + "\n";
}

std::vector<std::pair<std::string, std::string>> uniqueness_tables(const Setup& setup,
                                                                   const UniquenessStudy& study) {
  std::vector<std::pair<std::string, std::string>> out;
  const std::vector<std::string>& contacts = setup.model.contacts->names();
  std::string margin = "time_s,p_matrix,min_minor,half_width,scale_r,contacts\n";
  for (const MarginSample& sample : study.margins) {
    if (!sample.followed) continue;
    std::string names;
    for (const Index i : sample.contacts)
      names += (names.empty() ? "" : " ") + contacts[static_cast<std::size_t>(i)];
    const bool has_scale = sample.margin.scale.status == uniqueness::FrontierStatus::kCrossing;
    margin += fmt::format("{},{},{},{},{},{}\n", sample.time, sample.p_matrix ? 1 : 0, sample.min_minor,
                          known(sample.margin) ? fmt::format("{}", sample.margin.half_width) : std::string(),
                          has_scale ? fmt::format("{}", sample.margin.scale.r) : std::string(), names);
  }
  out.emplace_back("margin.csv", std::move(margin));

  std::string boundary = "time_s,curve,mu_1,mu_2,contacts\n";
  const auto add_curves = [&](const std::string& time, const PlaneMap& map, const std::vector<Index>& rows) {
    for (std::size_t c = 0; c < map.region.curves.size(); ++c) {
      const uniqueness::RegionCurve& curve = map.region.curves[c];
      for (std::size_t k = 0; k < curve.points.size(); ++k) {
        std::string names;
        for (const Index row : map.region.minors[static_cast<std::size_t>(curve.minor[k])].indices)
          names += (names.empty() ? "" : " ") +
                   contacts[static_cast<std::size_t>(rows[static_cast<std::size_t>(row)])];
        boundary += fmt::format("{},{},{},{},{}\n", time, c, curve.points[k].x(), curve.points[k].y(), names);
      }
    }
  };
  for (std::size_t k = 0; k < study.instants.size(); ++k) {
    const InstantStudy& instant = study.instants[k];
    if (!instant.map) continue;
    add_curves(fmt::format("{}", instant.at.time), *instant.map, instant.at.rows.contacts);
    const SampledMap& sampled = instant.map->sampled;
    std::string map = "mu_1,mu_2,min_minor,solutions\n";
    const Vector2d step = (instant.map->plane.upper - instant.map->plane.lower) / std::max(1, sampled.n);
    for (std::size_t i = 0; i < sampled.min_minor.size(); ++i) {
      const auto n = static_cast<std::size_t>(sampled.n);
      const Vector2d at =
          instant.map->plane.lower +
          step.cwiseProduct(Vector2d{static_cast<double>(i % n) + 0.5, static_cast<double>(i / n) + 0.5});
      map += fmt::format("{},{},{},{}\n", at.x(), at.y(), sampled.min_minor[i],
                         sampled.solutions.empty() ? std::string() : fmt::format("{}", sampled.solutions[i]));
    }
    out.emplace_back(fmt::format("map_{}.csv", k + 1), std::move(map));
  }
  if (study.robust) add_curves("samples", *study.robust, study.rows.contacts);
  if (study.robust_proved) add_curves("all", *study.robust_proved, study.rows.contacts);
  out.emplace_back("boundary.csv", std::move(boundary));
  return out;
}

}  // namespace enfold::app
