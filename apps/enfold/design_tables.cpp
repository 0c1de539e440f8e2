// SPDX-License-Identifier: BSD-3-Clause
#include "design_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace enfold::app {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json pole_list(const std::vector<loop::Pole>& poles) {
  Json out = Json::array();
  for (const loop::Pole& pole : poles)
    out.push_back({{"re", number(pole.s.real())},
                   {"im", number(pole.s.imag())},
                   {"damping_ratio", number(pole.damping_ratio())},
                   {"settling_time_s", number(pole.settling_time())}});
  return out;
}

/// null: no limit was found.
Json margin_values(const loop::Margins& margins) {
  if (!margins.stable) return {{"stable", false}};
  return {{"stable", true},
          {"gain_low", number(margins.gain_low)},
          {"gain_high", number(margins.gain_high)},
          {"phase_rad", number(margins.phase)},
          {"phase_frequency_radps", number(margins.phase_frequency)},
          {"delay_s", number(margins.delay)}};
}

Json delay_values(const loop::CriticalDelay& delay) {
  return {{"delay_s", number(delay.delay)}, {"frequency_radps", number(delay.omega)}};
}

}  // namespace

std::string design_json(const Setup& setup, const DesignStudy& study, const DesignQuestion& question) {
  const bool sampled = question.rate > 0.0;
  Json out;
  out["scenario"] = setup.scenario.name;
  out["controller"] = setup.scenario.controller.type;
  out["time_s"] = study.time;
  out["pose"] = std::vector<double>(study.pose.begin(), study.pose.end());
  out["rate_hz"] = question.rate;
  out["delay_s"] = question.delay;
  for (const DesignCase& one : study.cases) {
    Json item{{"name", one.name},
              {"Kp", one.gains.Kp},
              {"Kv", one.gains.Kv},
              {"Kalpha", one.gains.Kalpha},
              {"continuous",
               {{"stable", one.continuous_stable},
                {"distance", number(one.continuous_distance)},
                {"poles", pole_list(one.continuous)}}}};
    if (sampled)
      item["sampled"] = {{"stable", one.sampled_stable},
                         {"distance", number(one.sampled_distance)},
                         {"poles", pole_list(one.sampled)}};
    out["cases"].push_back(item);
  }
  for (const CutMargins& cut : study.margins) {
    Json& item = out["margins"][cut.name];
    item["continuous"] = margin_values(cut.continuous);
    if (sampled) item["sampled"] = margin_values(cut.sampled);
  }
  out["critical_delay"]["continuous"] = delay_values(study.continuous_delay);
  if (sampled) out["critical_delay"]["sampled"] = delay_values(study.sampled_delay);
  const auto& steps = sampled ? study.sampled_steps : study.continuous_steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    out["steps"][study.coordinates[i]] = {{"overshoot", steps[i].overshoot},
                                          {"settling_time_s", number(steps[i].settling_time)}};
  out["warnings"] = study.warnings;
  return out.dump(2) + "\n";
}

std::string poles_csv(const DesignStudy& study) {
  std::string out = "case,control,re_radps,im_radps,z_re,z_im,damping_ratio,settling_time_s\n";
  auto to = std::back_inserter(out);
  const auto rows = [&](const std::string& name, const char* control, const std::vector<loop::Pole>& poles) {
    for (const loop::Pole& pole : poles)
      fmt::format_to(to, "{},{},{},{},{},{},{},{}\n", name, control, pole.s.real(), pole.s.imag(),
                     pole.z.real(), pole.z.imag(), pole.damping_ratio(), pole.settling_time());
  };
  for (const DesignCase& one : study.cases) {
    rows(one.name, "continuous", one.continuous);
    rows(one.name, "sampled", one.sampled);
  }
  return out;
}

std::string step_csv(const DesignStudy& study, const std::vector<std::string>& contacts, bool sampled) {
  const auto& steps = sampled ? study.sampled_steps : study.continuous_steps;
  std::string out = "step_of,time_s";
  auto to = std::back_inserter(out);
  for (const std::string& coordinate : study.coordinates) fmt::format_to(to, ",{}", coordinate);
  for (const std::string& contact : contacts) fmt::format_to(to, ",lambda_N.{}_N", contact);
  out += "\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t k = 0; k < steps[i].time.size(); ++k) {
      const auto row = static_cast<Index>(k);
      fmt::format_to(to, "{},{}", study.coordinates[i], steps[i].time[k]);
      for (std::size_t j = 0; j < study.coordinates.size(); ++j)
        fmt::format_to(to, ",{}", steps[i].motion(row, static_cast<Index>(j)));
      for (std::size_t c = 0; c < contacts.size(); ++c)
        fmt::format_to(to, ",{}", steps[i].forces(row, static_cast<Index>(c)));
      out += "\n";
    }
  }
  return out;
}

}  // namespace enfold::app
