// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "animation.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/io/file.hpp"
#include "run_job.hpp"
#include "uniqueness_figures.hpp"
#include "uniqueness_json.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ScenarioArguments scenario;
  OutputArguments output;
  std::string at, direction, groups, box;
  std::string from = "zero";
  bool both_directions = false;
  bool animate = false;
  bool quiet = false;
  double window = 0.0;
  int samples = 0;
};

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> out;
  std::string part;
  std::istringstream stream(text);
  while (std::getline(stream, part, mark)) out.push_back(part);
  return out;
}

double number(const std::string& text, const char* option) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw ScenarioError(fmt::format("{}: '{}' is not a finite number", option, text));
  return value;
}

UniquenessQuestion question_of(const Arguments& arguments, double duration) {
  UniquenessQuestion out;
  out.from_scenario = arguments.from == "scenario";
  out.both_directions = arguments.both_directions;
  out.window = arguments.window;
  out.samples = arguments.samples;
  for (const std::string& text : split(arguments.at, ',')) out.times.push_back(number(text, "--at"));
  if (out.times.empty()) {
    out.times = {0.5 * duration, 0.8 * duration};
    if (duration == 0.0) out.times = {0.0};
  }
  for (const std::string& pair : split(arguments.direction, ',')) {
    const std::size_t equals = pair.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw ScenarioError(fmt::format("--direction: '{}' is not contact=number", pair));
    const std::string contact = pair.substr(0, equals);
    if (!out.direction.emplace(contact, number(pair.substr(equals + 1), "--direction")).second)
      throw ScenarioError(fmt::format("--direction names contact '{}' twice", contact));
  }
  for (const std::string& entry : split(arguments.box, ',')) {
    const std::size_t equals = entry.rfind('=');
    const std::size_t colon = entry.rfind(':');
    if (equals == std::string::npos || equals == 0 || colon == std::string::npos || colon < equals)
      throw ScenarioError(fmt::format("--box: '{}' is not contact=lower:upper", entry));
    const double lower = number(entry.substr(equals + 1, colon - equals - 1), "--box");
    const double upper = number(entry.substr(colon + 1), "--box");
    if (!(lower <= upper && upper >= 0.0))
      throw ScenarioError(fmt::format("--box: '{}' needs lower ≤ upper and upper ≥ 0", entry));
    if (!out.box.try_emplace(entry.substr(0, equals), lower, upper).second)
      throw ScenarioError(fmt::format("--box names contact '{}' twice", entry.substr(0, equals)));
  }
  for (const std::string& group : split(arguments.groups, ',')) out.groups.push_back(split(group, '+'));
  return out;
}

std::string names_of(const Setup& setup, const uniqueness::GraspFamily& rows, const std::vector<Index>& S) {
  std::string out;
  for (const Index row : S) {
    const Index contact = rows.contacts[static_cast<std::size_t>(row)];
    out += (out.empty() ? "" : ", ") + setup.model.contacts->names()[static_cast<std::size_t>(contact)];
  }
  return out;
}

// The failing set; with both slip directions also who slips the other way there.
std::string failing(const Setup& setup, const InstantStudy& instant) {
  const uniqueness::DirectedFrontier& directed = instant.frontier;
  std::vector<Index> reversed;
  for (const Index row : directed.frontier.indices)
    if (directed.signs[row] < 0.0) reversed.push_back(row);
  return names_of(setup, instant.at.rows, directed.frontier.indices) + " fails" +
         (reversed.empty() ? ""
                           : " (slip of " + names_of(setup, instant.at.rows, reversed) + " the other way)");
}

std::string frontier_text(const Setup& setup, const InstantStudy& instant) {
  using uniqueness::FrontierStatus;
  const uniqueness::Frontier& frontier = instant.frontier.frontier;
  const std::string fails = frontier.indices.empty() ? "" : failing(setup, instant);
  switch (frontier.status) {
    case FrontierStatus::kCrossing:
      return fmt::format("unique up to r = {:.9g} along the direction; there {}{}", frontier.r, fails,
                         frontier.ties.empty() ? "" : fmt::format(", with {} ties", frontier.ties.size()));
    case FrontierStatus::kTouchOnly:
    case FrontierStatus::kNone: {
      std::string out =
          std::isinf(frontier.proved_to)
              ? std::string("unique for every r along the direction")
              : fmt::format("unique up to r = {:.6g} along the direction, beyond that not proved",
                            frontier.proved_to);
      for (const uniqueness::Touch& touch : frontier.touches)
        out += fmt::format(", but for a touch of {} at r = {:.9g}",
                           names_of(setup, instant.at.rows, touch.indices), touch.r);
      return out;
    }
    case FrontierStatus::kNotPAtStart:
      return fmt::format("not unique at the start of the direction: {}", fails);
    case FrontierStatus::kTooLarge:
      return fmt::format(
          "not proved along the direction, {} contacts are too many: unique up to r = {:.6g}, {}",
          instant.at.rows.family.size(), frontier.proved_to,
          std::isfinite(frontier.refuted_at)
              ? fmt::format("not from {:.6g} on ({})", frontier.refuted_at, fails)
              : std::string("beyond that not known"));
    default:
      return fmt::format("not proved along the direction ({})", to_string(frontier.status));
  }
}

void print_stick_slip(const Console& console, const Setup& setup, const InstantStudy& instant) {
  if (!instant.stick_slip) return;
  std::string names;
  for (const Index i : instant.sticking)
    names += (names.empty() ? "" : ", ") + setup.model.contacts->names()[static_cast<std::size_t>(i)];
  console.say(
      "  full stick/slip problem, {} at rest: never P by construction (the rows of the slip have a zero "
      "diagonal); {} for this b; copositive: {}",
      names, stick_slip_words(*instant.stick_slip), lcp::to_string(instant.copositive->verdict));
  if (instant.copositive->verdict == lcp::ClassVerdict::kYes)
    console.say("    copositive: Lemke finds a solution wherever it does not prove that b allows none");
  std::size_t shown = 0;
  for (const sim::FrictionAnswer& answer : instant.stick_slip->answers) {
    if (++shown > 4) {
      console.say("    … all {} that were found are in uniqueness.json", instant.stick_slip->answers.size());
      break;
    }
    std::string each;
    for (std::size_t k = 0; k < instant.closed.size(); ++k)
      each += fmt::format("{}{} {} {:.4g}", k == 0 ? "" : ", ",
                          setup.model.contacts->names()[static_cast<std::size_t>(instant.closed[k])],
                          contact::to_string(answer.modes[k]), answer.lambda_N[static_cast<Index>(k)]);
    console.say("    λ_N [N]: {}", each);
  }
}

void print_instant(const Console& console, const Setup& setup, const UniquenessStudy& study,
                   const InstantStudy& instant) {
  if (!instant.without_matrix.empty()) {
    console.say("t = {:.6g} s: {}", instant.at.time, instant.without_matrix);
    print_stick_slip(console, setup, instant);
    return;
  }
  console.say(
      "t = {:.6g} s: {}{}", instant.at.time,
      instant.p_test.status == lcp::PMatrixStatus::kUndecided
          ? std::string_view("not proved: a minor is zero to rounding, or there are too many contacts")
          : lcp::to_string(instant.p_test.status),
      instant.p_test.status == lcp::PMatrixStatus::kP ? ", every b has one answer"
      : instant.p_test.status == lcp::PMatrixStatus::kNotP
          ? ", some b have none or several answers: " +
                names_of(setup, instant.at.rows, instant.p_test.witness.indices) + " fails"
          : std::string());
  console.say("  {}", frontier_text(setup, instant));
  const uniqueness::FrictionMargin& margin = instant.margin;
  if (margin.status == uniqueness::MarginStatus::kFinite) {
    console.say("  friction margin {:.6g}: every μ may change by so much, all at once; then {} fails",
                margin.half_width, names_of(setup, instant.at.rows, margin.indices));
  } else if (margin.status == uniqueness::MarginStatus::kTooLarge ||
             margin.status == uniqueness::MarginStatus::kUndecided) {
    console.say("  friction margin: not proved; at least {:.6g}", margin.half_width);
  } else {
    console.say("  friction margin: {}", uniqueness::to_string(margin.status));
  }
  if (instant.certificate) {
    const uniqueness::Certificate& box = *instant.certificate;
    console.say("  box of friction coefficients: {} (by {})", uniqueness::to_string(box.status),
                uniqueness::to_string(box.method));
    if (box.status == uniqueness::CertificateStatus::kCertified && std::isfinite(box.smallest.value))
      console.say("    smallest minor over the box {:.6g}: {}", box.smallest.value,
                  names_of(setup, instant.at.rows, box.smallest.indices));
    if (box.status == uniqueness::CertificateStatus::kRefuted)
      console.say("    witness: {} has the minor {:.6g}",
                  names_of(setup, instant.at.rows, box.witness_minor.indices), box.witness_minor.value);
  }
  if (instant.map && instant.map->design) {
    console.say("  in the plane of the two groups the design is {}{}",
                instant.map->design_inside ? "inside" : "outside",
                std::isfinite(instant.map->distance.distance)
                    ? fmt::format(", {:.6g} from the edge", instant.map->distance.distance)
                    : std::string());
  }
  for (Index j = 0; j < instant.at.rows.family.size(); ++j)
    if (!instant.at.rows.family.enters(j))
      console.say("  {} rolls: its μ does not enter the contact matrix",
                  names_of(setup, instant.at.rows, {j}));
  if (instant.answers) {
    console.say("  contact problem {}: {}", study.moves ? "at the planned torques" : "under the loads",
                instant.answers->status == lcp::EnumerationStatus::kExact
                    ? fmt::format("{} solution(s)", instant.answers->answers.size())
                : instant.p_test.status == lcp::PMatrixStatus::kP
                    ? std::string("one solution, since A is a P-matrix; not enumerated")
                    : fmt::format("not counted ({})", lcp::to_string(instant.answers->status)));
    for (const uniqueness::ContactAnswer& answer : instant.answers->answers) {
      std::string forces;
      for (Index i = 0; i < answer.lambda_N.size(); ++i)
        forces += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", answer.lambda_N[i]);
      console.say("    {}  λ_N = {} N", answer.word, forces);
    }
    if (instant.change && std::isfinite(instant.change->distance))
      console.say("    the number of solutions changes {:.4g} m/s² away in b", instant.change->distance);
  }
  print_stick_slip(console, setup, instant);
}

const char* words_of(uniqueness::TimeVerdict verdict) {
  using uniqueness::TimeVerdict;
  switch (verdict) {
    case TimeVerdict::kUnique:
      return "unique, proved for every instant";
    case TimeVerdict::kNotUnique:
      return "not unique, proved for every instant";
    case TimeVerdict::kSampledUnique:
      return "unique at the samples, between them not proved";
    case TimeVerdict::kSampledNotUnique:
      return "not unique at the samples, between them not proved";
    case TimeVerdict::kUndecided:
      return "uniqueness changes in here";
    case TimeVerdict::kNoMotion:
      return "the motion can't be followed";
  }
  return "";
}

void print_over_time(const Console& console, const Setup& setup, const UniquenessStudy& study) {
  if (study.moves) console.say("over the motion");
  if (study.least) {
    std::string names;
    for (const Index i : study.least->contacts)
      names += (names.empty() ? "" : ", ") + setup.model.contacts->names()[static_cast<std::size_t>(i)];
    if (study.least->half_width == 0.0) {
      console.say("  smallest friction margin 0, first at {:.8f} s: {}", study.least->time, names);
    } else {
      console.say("  smallest friction margin {:.6g} at {:.6g} s: {} ({})", study.least->half_width,
                  study.least->time, names,
                  study.least->proved
                      ? fmt::format("proved: at no instant is it below {:.6g}", *study.least->proved)
                      : std::string("sampled: between the instants looked at it is not proved"));
    }
  }
  for (const uniqueness::TimeStretch& stretch : study.over_time.stretches)
    console.say("  {:.8f} s to {:.8f} s  {}", stretch.from, stretch.to, words_of(stretch.verdict));
  if (study.robust_proved)
    console.say(
        "  robust set in the window: area {:.6g} proved unique at every instant, {:.6g} at the sampled ones",
        study.robust_proved->region.area, study.robust->region.area);
  for (const std::string& note : study.notes) console.say("  note: {}", note);
}

void print_changes(const Console& console, const ChangesAt& at) {
  if (at.changes.empty()) return;
  console.say("what to change at t = {:.6g} s", at.time);
  const std::size_t shown = std::min<std::size_t>(6, at.changes.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const DesignChange& change = at.changes[k];
    if (change.restores_at) {
      console.say("  {:<34} {:.6g} → {:.6g} {} restores uniqueness", change.parameter, change.value,
                  *change.restores_at, change.unit);
    } else {
      console.say(
          "  {:<34} {:+.3g} of margin per {}", change.parameter, change.effect,
          change.parameter.starts_with("pose.") ? (change.unit == "rad" ? "degree" : "mm") : "percent");
    }
  }
}

// The map at 25 instants, as one animated SVG.
std::string animate(const Setup& setup, const UniquenessStudy& study, const UniquenessQuestion& question,
                    const fs::path& folder) {
  constexpr int kFrames = 25;
  const GraspPath path(setup);
  std::vector<figure::Job> jobs;
  std::vector<fs::path> files;
  for (int k = 0; k < kFrames; ++k) {
    const double t = path.duration() * k / (kFrames - 1);
    const GraspInstant at = path.at(t);
    if (!at.motion.ok() || !at.rows.ok()) continue;
    const PlaneMap map = make_map({at}, {study.groups, study.window, 60, question.slip()});
    files.push_back(folder / fmt::format("frame_{:02}.svg", k));
    jobs.push_back({maps_figure(setup, study, {{fmt::format("t = {:.2f} s", t), map}},
                                setup.scenario.name + ": where the physics is unique"),
                    {files.back()}});
  }
  figure::default_renderer()->render_all(jobs);
  std::vector<std::string> frames;
  for (const fs::path& file : files) {
    frames.push_back(io::read_file(file));
    fs::remove(file);
  }
  return animated_svg(frames, 0.2);
}

ExitCode run_uniqueness(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = arguments.scenario.read();
  const Setup setup = make_setup(scenario);
  const UniquenessQuestion question = question_of(arguments, GraspPath(setup).duration());
  UniquenessStudy study;
  try {
    study = study_uniqueness(setup, question);
  } catch (const MotionError& error) {
    Console::trouble("{}: {}", scenario.name, error.what());
    return ExitCode::kMathematics;
  }
  std::vector<ChangesAt> changes;
  for (const InstantStudy& instant : study.instants)
    changes.push_back({instant.at.time, rank_design_changes(scenario, instant.at.time, question.slip())});

  for (const InstantStudy& instant : study.instants) print_instant(console, setup, study, instant);
  print_over_time(console, setup, study);
  for (const ChangesAt& at : changes) print_changes(console, at);

  const fs::path folder = arguments.output.folder(scenario.name);
  ScenarioRun run;
  run.setup = setup;
  run.planned = study.planned;
  run.history.status = sim::RunStatus::kPlanned;
  write_run_folder(folder, run, arguments.scenario.command_text("uniqueness"));
  io::write_file(folder / "uniqueness.json", uniqueness_json(setup, question, study, changes));
  for (const auto& [name, text] : uniqueness_tables(setup, study)) io::write_file(folder / name, text);
  console.say("written to {}", (folder / "uniqueness.json").string());
  if (arguments.output.no_figures) return ExitCode::kDone;
  const fs::path figures = folder / "figures";
  fs::create_directories(figures);
  std::vector<figure::Job> jobs;
  for (auto& [name, figure] : uniqueness_figures(setup, study))
    jobs.push_back({std::move(figure), {figures / (name + ".svg"), figures / (name + ".png")}});
  figure::default_renderer()->render_all(jobs);
  if (arguments.animate && !study.groups.empty() && study.moves && study.rows.ok())
    io::write_file(figures / "map-animated.svg", animate(setup, study, question, figures));
  console.say("figures    {}", figures.string());
  return ExitCode::kDone;
}

}  // namespace

void add_uniqueness_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("uniqueness", "where rigid contact has one answer, and how far the edge is");
  arguments->scenario.add_to(*command);
  arguments->output.add_to(*command);
  command->add_option("--at", arguments->at,
                      "times in seconds, by commas; default: 0.5 and 0.8 of the motion");
  command->add_option("--direction", arguments->direction,
                      "contact=number, by commas: μ = μ₀ + r·d; default: the scenario's μ");
  command->add_option("--from", arguments->from, "μ₀: zero, or the scenario's μ")
      ->check(CLI::IsMember({"zero", "scenario"}))
      ->capture_default_str();
  command->add_option("--groups", arguments->groups, "two groups for the maps: a+b,c+d");
  command->add_option("--box", arguments->box,
                      "contact=lower:upper, by commas: is A unique for every μ of this box?");
  command->add_flag("--both-directions", arguments->both_directions,
                    "everything for all slip directions, not the planned ones only");
  command->add_option("--window", arguments->window, "upper end of μ in the maps")
      ->check(CLI::Range(1e-3, 100.0));
  command
      ->add_option("--samples", arguments->samples,
                   "instants of the margin over time; default: by the number of contacts")
      ->check(CLI::Range(2, 100000));
  command->add_flag("--animate", arguments->animate, "the map over time as an animated SVG");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return run_uniqueness(*arguments); }; });
}

}  // namespace enfold::app
