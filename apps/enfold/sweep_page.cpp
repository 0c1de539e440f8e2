// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "commands.hpp"
#include "html_text.hpp"

namespace enfold::app {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 16px/1.55 "DejaVu Sans", "Segoe UI", sans-serif; color: #1c2024; background: #fff; margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.5rem 5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2.6rem 0 .6rem; }
p { margin: .4rem 0; } .quiet { color: #5c646c; }
.big { font-size: 2.1rem; font-weight: 600; margin: 1.4rem 0 0; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .92rem; }
th { text-align: left; font-weight: 600; border-bottom: 1.5px solid #1c2024; padding: .25rem 1.1rem .25rem 0; }
td { border-bottom: 1px solid #e3e7ea; padding: .25rem 1.1rem .25rem 0; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .82rem/1.5 "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; } figcaption { color: #5c646c; font-size: .9rem; }
.scroll { overflow-x: auto; }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
)";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t some = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (k < some ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= some ? kDigits[bits >> (18U - 6U * k) & 63U] : '=';
  }
  return out;
}

std::string number(double x) {
  return std::isfinite(x) ? fmt::format("{:.4g}", x)
         : std::isnan(x)  ? std::string("–")
                          : fmt::format("{}", x);
}

std::string headline(const SweepStudy& study, const SweepAnswers& answers) {
  const std::size_t n = answers.records.size();
  if (n == 0) return "<p class=\"big\">No sample is finished.</p>\n";
  std::string text = fmt::format("<p class=\"big\">{:.1f} % succeeded</p>\n",
                                 100.0 * static_cast<double>(answers.successes) / static_cast<double>(n));
  text += fmt::format("<p>{} of {} samples", answers.successes, n);
  if (study.design.random()) {
    text += fmt::format(
        "; 95 % interval {:.1f} % to {:.1f} % (Wilson), {:.1f} % to {:.1f} % (Clopper and Pearson)",
        100.0 * answers.wilson.lower, 100.0 * answers.wilson.upper, 100.0 * answers.exact.lower,
        100.0 * answers.exact.upper);
  }
  text += ".</p>\n";
  const std::string& sampler = study.design.study().sampler.type;
  if (sampler == "sobol" || sampler == "latin_hypercube")
    text +=
        "<p class=\"quiet\">The samples are spread more evenly than independent draws, so that the intervals "
        "err on the wide side.</p>\n";
  if (n < study.design.size())
    text += fmt::format("<p><b>Unfinished: {} of {} samples.</b> The same command goes on.</p>\n", n,
                        study.design.size());
  return text;
}

std::string setting(const SweepStudy& study) {
  const io::StudySpec& spec = study.design.study();
  std::string text =
      fmt::format("<h2>The question</h2>\n<p>Scenario <code>{}</code>; {} samples, {}, seed {}.</p>\n",
                  escaped(study.scenario_file.generic_string()), study.design.size(),
                  spec.sampler.type == "latin_hypercube" ? "Latin hypercube" : spec.sampler.type, spec.seed);
  text += "<div class=\"scroll\"><table><tr><th>parameter</th><th>spread</th><th>drives</th></tr>\n";
  for (const io::ParameterSpec& parameter : spec.parameters) {
    std::string spread = parameter.distribution.kind;
    const std::vector<double>& x = parameter.distribution.numbers;
    if (x.size() > 8) {
      spread += fmt::format(" {} … {} ({} values)", x.front(), x.back(), x.size());
    } else {
      for (std::size_t k = 0; k < x.size(); ++k)
        if (std::isfinite(x[k])) spread += fmt::format("{}{}", k == 0 ? " " : ", ", x[k]);
    }
    for (const std::string& word : parameter.distribution.words) spread += " " + word;
    std::string keys;
    for (const io::PlacedText& key : parameter.keys) keys += (keys.empty() ? "" : "<br>") + escaped(key.text);
    text += fmt::format("<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n", escaped(parameter.name),
                        escaped(spread), keys.empty() ? "formulas" : keys);
  }
  text += "</table></div>\n";
  if (!spec.success.empty()) {
    text += "<p>Success: every level is passed, and</p>\n<ul>";
    for (const io::PlacedText& clause : spec.success)
      text += fmt::format("<li><code>{}</code></li>", escaped(clause.text));
    text += "</ul>\n";
  }
  if (spec.objective)
    text += fmt::format("<p>{} <code>{}</code>.</p>\n", spec.objective->maximize ? "Maximise" : "Minimise",
                        escaped(spec.objective->formula.text));
  return text;
}

std::string hierarchy(const SweepStudy& study, const SweepAnswers& answers) {
  double spent = 0.0;
  double saved = 0.0;
  std::string text =
      "<h2>Levels</h2>\n<table><tr><th>level</th><th class=\"n\">reached</th><th class=\"n\">fell</th>"
      "<th class=\"n\">not run</th><th class=\"n\">CPU time</th><th class=\"n\">saved</th></tr>\n";
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    const study::LevelCount& level = answers.levels[k];
    spent += level.seconds;
    saved += level.seconds_saved;
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{:.2f} s</td><td class=\"n\">{:.2f} s</td></tr>\n",
        to_string(study.levels[k]), level.reached, level.fell, answers.records.size() - level.reached,
        level.seconds, level.seconds_saved);
  }
  text += fmt::format(
      "<tr><td><b>all</b></td><td></td><td></td><td></td><td class=\"n\"><b>{:.2f} s</b></td>"
      "<td class=\"n\"><b>{:.2f} s</b></td></tr></table>\n",
      spent, saved);
  if (study.levels.size() > 1)
    text +=
        "<p class=\"quiet\">A sample stops at the first level that it fails. Saved: the samples that did not "
        "come to a level and could have been tried there (no run without a plan), times its mean cost for "
        "those that "
        "did. Times alone differ from run to run.</p>\n";
  return text;
}

std::string outputs_table(const SweepAnswers& answers) {
  std::string text =
      "<h2>Outputs</h2>\n<div class=\"scroll\"><table><tr><th>output</th><th class=\"n\">samples</th><th "
      "class=\"n\">mean</th>"
      "<th class=\"n\">sd</th><th class=\"n\">least</th><th class=\"n\">quartile</th><th "
      "class=\"n\">median</th>"
      "<th class=\"n\">quartile</th><th class=\"n\">most</th></tr>\n";
  for (const SweepColumn& column : answers.outputs) {
    const study::Moments m = study::moments(column.values);
    if (m.count == 0) continue;
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td>", escaped(column.name), m.count);
    for (const double x : {m.mean, m.sd, m.least, m.lower_quartile, m.median, m.upper_quartile, m.most})
      text += fmt::format("<td class=\"n\">{}</td>", number(x));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string effects_table(const SweepAnswers& answers) {
  std::string text =
      "<h2>What matters</h2>\n<div class=\"scroll\"><table><tr><th>output</th><th>parameter</th><th "
      "class=\"n\">share of variance</th>"
      "<th class=\"n\">correlation</th><th class=\"n\">of ranks</th></tr>\n";
  for (const SweepEffect& effect : answers.effects) {
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        escaped(effect.output), escaped(effect.parameter),
        std::isnan(effect.main.share) ? "–" : fmt::format("{:.1f} %", 100.0 * effect.main.share),
        std::isnan(effect.correlation) ? "–" : fmt::format("{:+.2f}", effect.correlation),
        std::isnan(effect.rank_correlation) ? "–" : fmt::format("{:+.2f}", effect.rank_correlation));
  }
  return text + "</table></div>\n";
}

std::string ranked_table(std::string_view title, const std::vector<RankedSample>& samples) {
  if (samples.empty()) return {};
  std::string text = fmt::format(
      "<h2>{}</h2>\n<table><tr><th class=\"n\">sample</th><th class=\"n\">objective</th><th>again, "
      "exactly</th></tr>\n",
      title);
  for (const RankedSample& sample : samples)
    text += fmt::format("<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td><code>{}</code></td></tr>\n",
                        sample.index, number(sample.objective), escaped(sample.command));
  return text + "</table>\n";
}

std::string fallen_table(const SweepAnswers& answers) {
  if (answers.fallen.empty()) return {};
  std::string text =
      "<h2>One that fell at each level</h2>\n<table><tr><th>level</th><th class=\"n\">sample</th><th>why, "
      "and how to see it again</th></tr>\n";
  for (const FallenSample& sample : answers.fallen)
    text +=
        fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td>{}<br><code>{}</code></td></tr>\n",
                    to_string(sample.level), sample.index, escaped(sample.reason), escaped(sample.command));
  return text + "</table>\n";
}

}  // namespace

std::string sweep_page(const SweepStudy& study, const SweepAnswers& answers,
                       const std::vector<PagePicture>& pictures) {
  const io::StudySpec& spec = study.design.study();
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p class=\"quiet\">{2}</p>\n",
      escaped(spec.name), kStyle, escaped(spec.shows));
  text += headline(study, answers);
  text += setting(study);
  text += hierarchy(study, answers);
  if (!pictures.empty()) text += "<h2>Figures</h2>\n";
  for (const PagePicture& picture : pictures) {
    text += fmt::format(
        "<figure><img alt=\"{0}\" "
        "src=\"data:image/svg+xml;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        escaped(picture.caption), base64(picture.svg));
  }
  text += outputs_table(answers);
  text += effects_table(answers);
  text += ranked_table("Best", answers.best);
  text += ranked_table("Worst", answers.worst);
  text += fallen_table(answers);
  text += fmt::format(
      "<p class=\"quiet\">enfold {}, study {}. All samples: samples.csv beside this "
      "page.</p>\n</body>\n</html>\n",
      version(), study.identity());
  return text;
}

}  // namespace enfold::app
