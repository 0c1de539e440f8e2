// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>

#include "commands.hpp"
#include "console.hpp"
#include "enfold/base/error.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/io/file.hpp"
#include "enfold/study/result_log.hpp"
#include "sweep_answers.hpp"
#include "sweep_figures.hpp"
#include "sweep_page.hpp"
#include "sweep_ranks.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  fs::path file, out;
  SweepOptions options;
  int threads = 0;
  bool restart = false, no_figures = false, no_report = false, quiet = false;
};

std::atomic<bool> g_stop{false};  // set by a signal; nothing else can be done there

extern "C" void stop_sweep(int) {
  g_stop.store(true);
}

/// While it lives, Ctrl-C ends the study after the samples in work, and a file that may not grow is an error
/// that can be told instead of the end of the program.
class Signals {
 public:
  Signals() {
    g_stop.store(false);
    struct sigaction stop {};
    stop.sa_handler = stop_sweep;
    ::sigaction(SIGINT, &stop, &interrupt_);
    ::sigaction(SIGTERM, &stop, &terminate_);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGXFSZ, &ignore, &file_size_);
  }
  ~Signals() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
    ::sigaction(SIGXFSZ, &file_size_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  struct sigaction interrupt_ {
  }, terminate_{}, file_size_{};
};

/// Makes the folder of a study, or says why it is none.
void prepare_folder(const fs::path& folder, bool restart) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw IoError(fmt::format("can't make the folder '{}': {}", folder.string(), error.message()));
  const fs::path log = folder / "results.log";
  if (fs::exists(log)) {
    if (restart) study::ResultLog::remove(log);
  } else if (!fs::is_empty(folder, error) && !fs::exists(folder / "study.json")) {
    throw IoError(
        fmt::format("'{}' holds files but no study; give another folder with --out", folder.string()));
  }
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

/// Rank 0's side: what is left to do, and what is done.
class Progress {
 public:
  Progress(const SweepStudy& study, study::ResultLog& log, const Console& console)
      : log_{log}, bar_{console, "sampling"}, total_{study.design.size()}, done_(total_, false) {
    for (const study::Record& record : log.found()) {
      if (record.index >= total_ || done_[record.index]) continue;
      done_[record.index] = true;
      records_.push_back(record);
    }
    before_ = records_.size();
  }

  std::optional<std::uint64_t> next() {
    while (cursor_ < total_ && done_[cursor_]) ++cursor_;
    if (g_stop.load() || cursor_ == total_) return std::nullopt;
    return cursor_++;
  }

  void finish(study::Record record) {
    log_.append(std::span(&record, 1));
    records_.push_back(std::move(record));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    const auto now = static_cast<double>(records_.size() - before_);
    const double rate = now / std::max(time.count(), 1e-9);
    const double left = static_cast<double>(total_ - records_.size()) / rate;
    bar_.update(
        static_cast<double>(records_.size()) / static_cast<double>(total_),
        fmt::format("{} of {}, {:.0f}/s, {} left", records_.size(), total_, rate, duration_text(left)));
  }

  [[nodiscard]] std::size_t found() const { return before_; }
  [[nodiscard]] std::size_t finished() const { return records_.size(); }
  [[nodiscard]] std::vector<study::Record> take() { return std::move(records_); }

 private:
  study::ResultLog& log_;
  ProgressBar bar_;
  std::uint64_t total_;
  std::vector<bool> done_;  // when the study was opened
  std::uint64_t cursor_ = 0;
  std::size_t before_ = 0;
  std::vector<study::Record> records_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void write_pictures(const fs::path& folder, const SweepStudy& study, const SweepAnswers& answers,
                    const Arguments& arguments) {
  std::vector<PagePicture> pictures;
  const std::vector<SweepFigure> figures =
      arguments.no_figures ? std::vector<SweepFigure>() : sweep_figures(study, answers);
  if (!figures.empty()) {
    const fs::path into = folder / "figures";
    fs::create_directories(into);
    std::vector<figure::Job> jobs;
    for (const SweepFigure& one : figures)
      jobs.push_back({one.figure, {into / (one.name + ".svg"), into / (one.name + ".png")}});
    figure::default_renderer()->render_all(jobs);
    for (const SweepFigure& one : figures)
      pictures.push_back({io::read_file(into / (one.name + ".svg")), one.caption});
  }
  if (!arguments.no_report) io::write_file(folder / "report.html", sweep_page(study, answers, pictures));
}

void print_answers(const Console& console, const SweepStudy& study, const SweepAnswers& answers,
                   const fs::path& folder) {
  const auto n = static_cast<double>(std::max<std::size_t>(answers.records.size(), 1));
  console.say("{}: {} samples, {} succeeded: {:.1f} %{}", study.design.study().name, answers.records.size(),
              answers.successes, 100.0 * static_cast<double>(answers.successes) / n,
              study.design.random() ? fmt::format(" (95 %: {:.1f} % to {:.1f} %)",
                                                  100.0 * answers.wilson.lower, 100.0 * answers.wilson.upper)
                                    : std::string());
  double spent = 0.0;
  double saved = 0.0;
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    const study::LevelCount& level = answers.levels[k];
    spent += level.seconds;
    saved += level.seconds_saved;
    console.say("  {:<11} {:>8} reached {:>8} fell   {:>9.2f} s CPU {:>9.2f} s saved",
                to_string(study.levels[k]), level.reached, level.fell, level.seconds, level.seconds_saved);
  }
  if (study.levels.size() > 1 && spent + saved > 0.0)
    console.say("  stopping at the first failure saved {:.0f} % of {:.4g} s CPU",
                100.0 * saved / (spent + saved), spent + saved);
  if (!answers.best.empty())
    console.say("  best        {:.6g}, sample {}\n    {}", answers.best.front().objective,
                answers.best.front().index, answers.best.front().command);
  if (!answers.worst.empty())
    console.say("  worst       {:.6g}, sample {}\n    {}", answers.worst.front().objective,
                answers.worst.front().index, answers.worst.front().command);
  console.say("  written to  {}", folder.string());
}

/// Rank 0 once its study is loaded and its log is open.
ExitCode lead(const Arguments& arguments, const SweepStudy& study, study::ResultLog& log,
              const fs::path& folder, Ranks& ranks, int threads) {
  const Console console(arguments.quiet);
  std::vector<study::Record> records;
  std::size_t finished = 0;
  {
    Progress progress(study, log, console);
    if (log.damaged_bytes() > 0)
      Console::trouble("{}: {} damaged bytes are left out; their samples are run again",
                       (folder / "results.log").string(), log.damaged_bytes());
    if (progress.found() > 0)
      console.say("{} of {} samples are there already", progress.found(), study.design.size());
    std::exception_ptr trouble;
    try {
      ranks.run(threads,
                {[&] { return progress.next(); }, [&](std::uint64_t i) { return run_sample(study, i); },
                 [&](study::Record record) { progress.finish(std::move(record)); }});
      log.sync();
    } catch (...) {
      trouble = std::current_exception();
    }
    finished = progress.finished();
    if (trouble) {
      try {
        std::rethrow_exception(trouble);
      } catch (const std::exception& error) {
        throw IoError(
            fmt::format("{}; {} of {} results are safe in '{}': mend this and give the same command to go on",
                        error.what(), finished, study.design.size(), (folder / "results.log").string()));
      }
    }
    records = progress.take();
  }
  const SweepAnswers answers = make_answers(study, std::move(records));
  write_answers(folder, study, answers);
  write_pictures(folder, study, answers, arguments);
  print_answers(console, study, answers, folder);
  if (finished < study.design.size()) {
    Console::trouble("{}: stopped with {} of {} samples; the same command goes on", study.design.study().name,
                     finished, study.design.size());
    return ExitCode::kWorld;
  }
  return ExitCode::kDone;
}

ExitCode sweep(const Arguments& arguments) {
  const Signals signals;
  const std::unique_ptr<Ranks> ranks = join_ranks();
  const bool first = ranks->rank() == 0;
  // What goes wrong before the work starts must not leave the others waiting, nor be said by each of them.
  std::optional<SweepStudy> study;
  std::unique_ptr<study::ResultLog> log;
  fs::path folder;
  std::exception_ptr trouble;
  try {
    study.emplace(load_study(arguments.file, arguments.options));
    folder = arguments.out.empty() ? fs::path("runs") / study->design.study().name : arguments.out;
    if (first) {
      prepare_folder(folder, arguments.restart);
      try {
        log = std::make_unique<study::ResultLog>(folder / "results.log", study->identity());
      } catch (const study::OtherStudy& other) {
        throw IoError(
            fmt::format("{}; give another folder with --out, or begin anew with --restart", other.what()));
      }
    }
  } catch (...) {
    trouble = std::current_exception();
  }
  const int blamed = ranks->first_trouble(!trouble);
  if (blamed >= 0) {
    if (blamed == ranks->rank()) std::rethrow_exception(trouble);
    return ExitCode::kDone;
  }
  const std::string identity = study->identity();
  const bool same = ranks->from_first(identity) == identity;
  if (const int other = ranks->first_trouble(same); other >= 0) {
    if (other == ranks->rank())
      throw IoError(fmt::format("rank {} sees another study or scenario than rank 0", other));
    return ExitCode::kDone;
  }
  const int threads =
      arguments.threads > 0 ? arguments.threads : std::max(1, available_cores() / ranks->on_this_machine());
  if (first) return lead(arguments, *study, *log, folder, *ranks, threads);
  ranks->run(threads, {nullptr, [&](std::uint64_t i) { return run_sample(*study, i); }, nullptr});
  return ExitCode::kDone;
}

}  // namespace

void add_sweep_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "sweep",
      "run a study: a scenario over what is uncertain or to be designed, on all cores or under mpirun");
  command->add_option("study", arguments->file, "study file (YAML)")->required()->type_name("STUDY");
  command
      ->add_option("--out", arguments->out,
                   "folder for the results (default: runs/<study>); goes on where it stopped")
      ->type_name("DIR");
  command->add_option("--threads", arguments->threads, "threads of each process (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command->add_option("--samples", arguments->options.samples, "instead of the study's sampler.samples")
      ->type_name("N");
  command
      ->add_option("--set", arguments->options.sets,
                   "override a key of the scenario in every sample; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--naive", arguments->options.naive,
                    "run every level of every sample, to see what the hierarchy saves");
  command->add_flag("--restart", arguments->restart, "throw away what the folder holds and begin anew");
  command->add_flag("--no-figures", arguments->no_figures, "write the numbers only");
  command->add_flag("--no-report", arguments->no_report, "write no report page");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return sweep(*arguments); }; });
}

}  // namespace enfold::app
