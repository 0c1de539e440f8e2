// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "enfold/io/file.hpp"

namespace enfold::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string number(double x) {
  return std::isnan(x) ? std::string() : fmt::format("{}", x);
}

Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
  return out + "\"";
}

/// What a value of a parameter reads as: its word, if its values are words.
std::string parameter_text(const SweepStudy& study, std::size_t parameter, double value) {
  const std::vector<std::string>& words = study.design.words(parameter);
  return words.empty() ? number(value) : words.at(static_cast<std::size_t>(value));
}

/// How many levels a sample must have passed so that level k can be tried at all: nothing without a closed
/// hand, no run without a plan.
std::vector<std::size_t> what_levels_need(const SweepStudy& study) {
  std::vector<std::size_t> needs;
  for (const SweepLevel level : study.levels) {
    std::size_t need = 0;
    for (std::size_t j = 0; j < needs.size(); ++j) {
      const SweepLevel before = study.levels[j];
      const bool needed =
          before == SweepLevel::kGeometry || (before == SweepLevel::kLp && level >= SweepLevel::kRigid);
      if (needed) need = j + 1;
    }
    needs.push_back(need);
  }
  return needs;
}

void add_columns(const SweepStudy& study, SweepAnswers& out) {
  for (const std::string& name : study.design.names()) out.parameters.push_back({name, {}});
  for (const std::string& name : study.outputs) out.outputs.push_back({name, {}});
  for (const study::Record& record : out.records) {
    const std::vector<double> parameters = study.design.values(record.index);
    for (std::size_t i = 0; i < parameters.size(); ++i) out.parameters[i].values.push_back(parameters[i]);
    for (std::size_t i = 0; i < study.outputs.size(); ++i)
      out.outputs[i].values.push_back(i < record.values.size() ? record.values[i] : kNaN);
    const bool survived = record.passed == study.levels.size();
    out.success.push_back(survived ? 1.0 : 0.0);
    out.successes += survived ? 1 : 0;
    if (!study.objective) continue;
    std::vector<double> values = record.values;
    values.resize(study.outputs.size(), kNaN);
    out.objective.push_back(study.objective->evaluate(parameters, values));
  }
}

void add_drawn(const SweepStudy& study, SweepAnswers& out) {
  out.drawn.push_back({"success", out.success});
  const io::StudySpec& spec = study.design.study();
  if (spec.objective) out.drawn.push_back({spec.objective->formula.text, out.objective});
  for (const io::PlacedText& name : spec.outputs) {
    const bool there = std::any_of(out.drawn.begin(), out.drawn.end(),
                                   [&](const SweepColumn& column) { return column.name == name.text; });
    if (there) continue;
    out.drawn.push_back(*std::find_if(out.outputs.begin(), out.outputs.end(),
                                      [&](const SweepColumn& column) { return column.name == name.text; }));
  }
}

void add_effects(SweepAnswers& out) {
  for (const SweepColumn& output : out.drawn) {
    for (const SweepColumn& parameter : out.parameters) {
      out.effects.push_back({parameter.name, output.name, study::main_effect(parameter.values, output.values),
                             study::correlation(parameter.values, output.values),
                             study::rank_correlation(parameter.values, output.values)});
    }
  }
}

void add_maps(const SweepStudy& study, SweepAnswers& out) {
  if (out.records.empty()) return;
  const auto column = [&](const std::string& name) -> const SweepColumn& {
    return *std::find_if(out.parameters.begin(), out.parameters.end(),
                         [&](const SweepColumn& one) { return one.name == name; });
  };
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const auto& [x, y] : study.design.study().maps) wanted.emplace_back(x.text, y.text);
  const std::vector<std::string>& names = study.design.names();
  if (wanted.empty() && names.size() > 1) wanted.emplace_back(names[0], names[1]);
  for (const auto& [x, y] : wanted)
    out.maps.push_back(study::success_map(x, column(x).values, y, column(y).values, out.success));
}

void add_ranking(const SweepStudy& study, SweepAnswers& out) {
  const auto ranked = [&](std::size_t i) {
    return RankedSample{out.records[i].index, out.objective[i], study.replay(out.records[i])};
  };
  if (study.objective) {
    const bool maximize = study.design.study().objective->maximize;
    const auto most = static_cast<std::size_t>(study.design.study().worst);
    const std::vector<std::size_t> worst = study::ranked(out.objective, !maximize);
    for (std::size_t k = 0; k < std::min(most, worst.size()); ++k) out.worst.push_back(ranked(worst[k]));
    // The best are those one would build: a sample that fell is none of them.
    std::vector<double> survivors = out.objective;
    for (std::size_t i = 0; i < survivors.size(); ++i)
      if (out.success[i] == 0.0) survivors[i] = kNaN;
    const std::vector<std::size_t> best = study::ranked(survivors, maximize);
    for (std::size_t k = 0; k < std::min(most, best.size()); ++k) out.best.push_back(ranked(best[k]));
  }
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    const auto first = std::find_if(out.records.begin(), out.records.end(),
                                    [&](const study::Record& record) { return record.passed == k; });
    if (first == out.records.end()) continue;
    out.fallen.push_back({study.levels[k], first->index, first->reason, study.replay(*first)});
  }
}

std::string samples_csv(const SweepStudy& study, const SweepAnswers& answers) {
  std::string text = "sample";
  for (const SweepColumn& column : answers.parameters) text += "," + column.name;
  text += ",success,fell_at";
  for (const SweepColumn& column : answers.outputs) text += "," + column.name;
  if (study.objective) text += ",objective";
  text += ",reason\n";
  for (std::size_t i = 0; i < answers.records.size(); ++i) {
    const study::Record& record = answers.records[i];
    text += fmt::format("{}", record.index);
    for (std::size_t k = 0; k < answers.parameters.size(); ++k)
      text += "," + parameter_text(study, k, answers.parameters[k].values[i]);
    const bool survived = record.passed == study.levels.size();
    text += fmt::format(",{},{}", survived ? 1 : 0,
                        survived ? std::string_view() : to_string(study.levels[record.passed]));
    for (const SweepColumn& column : answers.outputs) text += "," + number(column.values[i]);
    if (study.objective) text += "," + number(answers.objective[i]);
    text += "," + (record.reason.empty() ? std::string() : quoted(record.reason)) + "\n";
  }
  return text;
}

std::string effects_csv(const SweepAnswers& answers) {
  std::string text = "output,parameter,share,correlation,rank_correlation,from,to,count,mean,half_width\n";
  for (const SweepEffect& effect : answers.effects) {
    for (const study::EffectBin& bin : effect.main.bins) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{}\n", quoted(effect.output), effect.parameter,
                      number(effect.main.share), number(effect.correlation), number(effect.rank_correlation),
                      number(bin.lower), number(bin.upper), bin.count, number(bin.mean),
                      std::isfinite(bin.half_width) ? number(bin.half_width) : std::string());
    }
  }
  return text;
}

std::string histograms_csv(const SweepAnswers& answers) {
  std::string text = "output,from,to,count\n";
  for (const SweepColumn& column : answers.drawn) {
    const study::Histogram histogram = study::histogram(column.values);
    for (std::size_t k = 0; k < histogram.counts.size(); ++k)
      text += fmt::format("{},{},{},{}\n", quoted(column.name), histogram.edges[k], histogram.edges[k + 1],
                          histogram.counts[k]);
  }
  return text;
}

std::string map_csv(const study::SuccessMap& map) {
  std::string text = fmt::format("{},{},trials,successes,rate,lower,upper\n", map.x.name, map.y.name);
  for (std::size_t row = 0; row < map.y.values.size(); ++row) {
    for (std::size_t column = 0; column < map.x.values.size(); ++column) {
      const std::size_t k = map.at(column, row);
      const std::uint64_t trials = map.trials[k];
      const study::Interval interval = study::wilson_interval(map.successes[k], trials);
      const double rate =
          trials == 0 ? kNaN : static_cast<double>(map.successes[k]) / static_cast<double>(trials);
      text += fmt::format("{},{},{},{},{},{},{}\n", map.x.values[column], map.y.values[row], trials,
                          map.successes[k], number(rate), interval.lower, interval.upper);
    }
  }
  return text;
}

std::string ranking_csv(const SweepAnswers& answers) {
  std::string text = "list,rank,sample,objective,command\n";
  const auto add = [&](std::string_view list, const std::vector<RankedSample>& samples) {
    for (std::size_t k = 0; k < samples.size(); ++k)
      text += fmt::format("{},{},{},{},{}\n", list, k + 1, samples[k].index, number(samples[k].objective),
                          quoted(samples[k].command));
  };
  add("best", answers.best);
  add("worst", answers.worst);
  for (const FallenSample& sample : answers.fallen)
    text +=
        fmt::format("fell at {},1,{},,{}\n", to_string(sample.level), sample.index, quoted(sample.command));
  return text;
}

std::string cost_csv(const SweepStudy& study, const SweepAnswers& answers) {
  std::string text = "level,reached,fell,cpu_s,cpu_saved_s\n";
  for (std::size_t k = 0; k < answers.levels.size(); ++k) {
    const study::LevelCount& level = answers.levels[k];
    text += fmt::format("{},{},{},{:.6g},{:.6g}\n", to_string(study.levels[k]), level.reached, level.fell,
                        level.seconds, level.seconds_saved);
  }
  return text;
}

Json interval_json(const study::Interval& interval) {
  return Json::array({interval.lower, interval.upper});
}

Json ranked_json(const std::vector<RankedSample>& samples) {
  Json out = Json::array();
  for (const RankedSample& sample : samples) {
    out.push_back({{"sample", sample.index},
                   {"objective", json_number(sample.objective)},
                   {"command", sample.command}});
  }
  return out;
}

std::string study_json(const SweepStudy& study, const SweepAnswers& answers) {
  const io::StudySpec& spec = study.design.study();
  Json out;
  out["version"] = version();
  out["study"] = spec.name;
  out["shows"] = spec.shows;
  out["identity"] = study.identity();
  out["scenario"] = study.scenario_file.generic_string();
  out["sampler"] = spec.sampler.type;
  out["seed"] = spec.seed;
  out["samples"] = study.design.size();
  out["finished"] = answers.records.size();
  out["successes"] = answers.successes;
  const auto n = static_cast<double>(answers.records.size());
  out["success_rate"] =
      answers.records.empty() ? Json(nullptr) : Json(static_cast<double>(answers.successes) / n);
  out["success_rate_95_wilson"] = interval_json(answers.wilson);
  out["success_rate_95_exact"] = interval_json(answers.exact);
  out["levels"] = Json::array();
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    out["levels"].push_back({{"level", to_string(study.levels[k])},
                             {"reached", answers.levels[k].reached},
                             {"fell", answers.levels[k].fell}});
  }
  for (const SweepColumn& column : answers.outputs) {
    const study::Moments m = study::moments(column.values);
    if (m.count == 0) continue;
    out["outputs"][column.name] = {{"count", m.count},
                                   {"mean", m.mean},
                                   {"sd", m.sd},
                                   {"least", m.least},
                                   {"lower_quartile", m.lower_quartile},
                                   {"median", m.median},
                                   {"upper_quartile", m.upper_quartile},
                                   {"most", m.most}};
  }
  out["effects"] = Json::array();
  for (const SweepEffect& effect : answers.effects) {
    out["effects"].push_back({{"output", effect.output},
                              {"parameter", effect.parameter},
                              {"share", json_number(effect.main.share)},
                              {"correlation", json_number(effect.correlation)},
                              {"rank_correlation", json_number(effect.rank_correlation)}});
  }
  out["best"] = ranked_json(answers.best);
  out["worst"] = ranked_json(answers.worst);
  out["fallen"] = Json::array();
  for (const FallenSample& sample : answers.fallen) {
    out["fallen"].push_back({{"level", to_string(sample.level)},
                             {"sample", sample.index},
                             {"reason", sample.reason},
                             {"command", sample.command}});
  }
  // Messages may hold bytes of a file that are not UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

SweepAnswers make_answers(const SweepStudy& study, std::vector<study::Record> records) {
  SweepAnswers out;
  std::stable_sort(records.begin(), records.end(),
                   [](const study::Record& a, const study::Record& b) { return a.index < b.index; });
  for (study::Record& record : records) {
    if (record.index >= study.design.size()) continue;  // of a longer study
    if (!out.records.empty() && out.records.back().index == record.index) continue;
    out.records.push_back(std::move(record));
  }
  add_columns(study, out);
  out.wilson = study::wilson_interval(out.successes, out.records.size());
  out.exact = study::exact_interval(out.successes, out.records.size());
  out.levels = study::count_levels(out.records, what_levels_need(study));
  add_drawn(study, out);
  add_effects(out);
  add_maps(study, out);
  add_ranking(study, out);
  return out;
}

void write_answers(const std::filesystem::path& folder, const SweepStudy& study,
                   const SweepAnswers& answers) {
  io::write_file(folder / "samples.csv", samples_csv(study, answers));
  io::write_file(folder / "effects.csv", effects_csv(answers));
  io::write_file(folder / "histograms.csv", histograms_csv(answers));
  io::write_file(folder / "ranking.csv", ranking_csv(answers));
  io::write_file(folder / "cost.csv", cost_csv(study, answers));
  for (std::size_t k = 0; k < answers.maps.size(); ++k)
    io::write_file(folder / fmt::format("map_{}.csv", k + 1), map_csv(answers.maps[k]));
  io::write_file(folder / "study.json", study_json(study, answers));
}

}  // namespace enfold::app
