#include "sim/cli/experiment.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/cli/overwritten_input.h"
#include "sim/lab/parallel_replications.h"
#include "sim/lab/store/version.h"
#include "sim/report/format.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string replications(std::uint64_t n) { return counted(n, "replication"); }

// How many replications of different points the needs are, as far as they are the share's.
std::uint64_t owned(const std::vector<Runner::Need>& needs, const Shard& shard) {
  std::map<std::string, std::uint32_t> most;
  for (const Runner::Need& need : needs) {
    std::uint32_t& replications = most[need.point->hash()];
    replications = std::max(replications, need.replications);
  }
  std::uint64_t sum = 0;
  for (const auto& [hash, replications] : most) {
    for (std::uint32_t r = 0; r < replications; ++r) sum += shard.owns(r) ? 1 : 0;
  }
  return sum;
}

}  // namespace

Experiment::Experiment(const ExperimentOptions& options, const World& world, bool durations)
    : options_(options),
      settings_(options.settings()),
      world_(world),
      durations_(durations),
      progress_(world.err, progress_style(world, settings_.quiet || settings_.dry_run)),
      runner_(runner_options(nullptr)) {}

RunnerOptions Experiment::runner_options(ResultStore* store) {
  return {
      .seed = settings_.seed,
      .threads = settings_.threads,
      .shard = settings_.shard,
      .store = store,
      .durations = durations_,
      .progress = [this](std::uint64_t done,
                         std::uint64_t total) { progress_.update(total_ + done, total_ + total); },
      .stop = &interrupt_.requested()};
}

std::optional<Point> Experiment::load(std::string label, const std::string& scenario,
                                      const std::vector<Override>& more) const {
  std::vector<Override> overrides = settings_.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  auto point = Point::load(std::move(label), scenario, overrides, world_.files);
  if (point) return std::move(*point);
  fmt::print(world_.err, "{}", point.error().render());
  return std::nullopt;
}

tl::expected<std::vector<Point>, ExitCode> Experiment::load_grid(
    const std::vector<Knob>& knobs) const {
  std::vector<Point> points;
  const std::vector<std::vector<std::size_t>> combinations = grid(knobs);
  for (const std::vector<std::size_t>& combination : combinations) {
    if (interrupted()) {
      fmt::print(world_.err, "interrupted with {} of {} points loaded, nothing was simulated\n",
                 points.size(), combinations.size());
      return tl::unexpected(ExitCode::kInterrupted);
    }
    std::vector<Override> overrides;
    for (std::size_t k = 0; k < knobs.size(); ++k) {
      overrides.push_back(knobs[k].set(combination[k]));
    }
    auto point = load(label(knobs, combination), settings_.scenario, overrides);
    if (!point) return tl::unexpected(ExitCode::kUsage);
    points.push_back(std::move(*point));
  }
  return points;
}

std::optional<ExitCode> Experiment::begin(const std::vector<Runner::Need>& most,
                                          const std::vector<std::string>& more_scenarios) {
  std::vector<std::string> scenarios = more_scenarios;
  if (!settings_.scenario.empty()) scenarios.push_back(settings_.scenario);
  for (const std::string& scenario : scenarios) {
    const auto overwritten =
        overwritten_input(scenario, settings_.overrides, {{"-o", settings_.report}}, world_);
    if (overwritten) return options_.complain(world_, *overwritten);
  }
  // A dry run leaves no file behind.
  if (settings_.store && (!settings_.dry_run || world_.files.exists(*settings_.store))) {
    if (const auto opened = open_store(); !opened) {
      return options_.complain(world_, opened.error(), ExitCode::kInputOutput);
    }
  }
  if (settings_.dry_run) return dry_run(most);
  auto output = Output::open(settings_.report, world_);
  if (!output) return options_.complain(world_, output.error(), ExitCode::kInputOutput);
  output_ = std::move(*output);
  return std::nullopt;
}

tl::expected<void, std::string> Experiment::open_store() {
  auto store = settings_.stored ? ResultStore::open_existing(*settings_.store)
                                : ResultStore::open(*settings_.store);
  if (!store) return tl::unexpected(store.error());
  store_ = std::move(*store);
  runner_ = Runner(runner_options(&*store_));
  const auto versions = store_->versions();
  if (!versions) return tl::unexpected(versions.error());
  const bool only_others = !versions->empty() && std::find(versions->begin(), versions->end(),
                                                           engine_version()) == versions->end();
  if (only_others && !settings_.quiet) {
    fmt::print(world_.err, "`{}` has only results of {}; this is {}, which does not use them\n",
               printable(*settings_.store, 200), join_names(*versions), engine_version());
  }
  if (settings_.dry_run) return {};
  return store_->remember({.words = settings_.words, .seed = settings_.seed}, settings_.shard);
}

ExitCode Experiment::dry_run(const std::vector<Runner::Need>& most) {
  std::uint64_t all = 0;
  for (const Runner::Need& need : most) all += need.replications;
  const std::size_t missing = runner_.missing(most).size();
  if (runner_.problem()) {
    return options_.complain(world_, *runner_.problem(), ExitCode::kInputOutput);
  }
  std::string text = fmt::format("{}, {} in all", counted(most.size(), "point"), replications(all));
  if (store_) {
    text += fmt::format("\n{} in `{}` already", number(static_cast<double>(runner_.stored()), 0),
                        printable(*settings_.store));
  }
  text += fmt::format("\n{} to run", number(static_cast<double>(missing), 0));
  if (!settings_.shard.whole()) {
    text += fmt::format(" in share {}/{}", settings_.shard.number, settings_.shard.count);
  }
  if (missing > 0) {
    const int threads = runner_.threads();
    const double each = seconds_per_replication(most);
    text += fmt::format(": about {} on {} thread{}",
                        brief(each * static_cast<double>(missing) / threads), threads,
                        threads == 1 ? "" : "s");
  }
  return print(world_, text + "\n");
}

// Of the first, the middle and the last point: the first replication warms up, then as many as fit into a moment.
double Experiment::seconds_per_replication(const std::vector<Runner::Need>& needs) const {
  constexpr double kMoment = 0.05;
  double seconds = 0;
  const std::size_t last = needs.size() - 1;
  const std::set<std::size_t> sample{0, last / 2, last};
  for (const std::size_t i : sample) {
    ReplicationWorker worker(needs[i].point->plan());
    worker.run(settings_.seed, 0);
    const auto start = std::chrono::steady_clock::now();
    std::uint32_t replications = 0;
    while (seconds_since(start) < kMoment) worker.run(settings_.seed, ++replications);
    seconds += seconds_since(start) / replications;
  }
  return seconds / static_cast<double>(sample.size());
}

// What each of the shares lacks, as far as there were any.
std::string Experiment::lacks(const std::vector<Runner::Missing>& missing) const {
  std::string text =
      fmt::format("`{}` lacks {}", printable(*settings_.store, 200), replications(missing.size()));
  const auto shares = store_->shares({.words = settings_.words, .seed = settings_.seed});
  const std::uint32_t count = shares && !shares->empty() ? shares->back().count : 1;
  for (std::uint32_t number = 1; number <= count && count > 1; ++number) {
    const Shard share{number, count};
    const auto of_share =
        std::count_if(missing.begin(), missing.end(),
                      [&](const Runner::Missing& one) { return share.owns(one.replication); });
    if (of_share == 0) continue;
    const bool seen = std::any_of(shares->begin(), shares->end(), [&](const Shard& known) {
      return known.number == number && known.count == count;
    });
    text += fmt::format("\n  share {}/{}: {}{}", number, count,
                        replications(static_cast<std::uint64_t>(of_share)),
                        seen ? "" : ", it is not here at all");
  }
  std::vector<std::string> words = settings_.words;
  words.insert(words.end(), {"-o", *settings_.store});
  return text + "\nTo simulate them here:\n  " + command_text(words);
}

bool Experiment::run(const std::vector<Runner::Need>& needs) {
  if (settings_.stored && !lacking_) {
    const auto missing = runner_.missing(needs);
    if (!missing.empty()) lacking_ = lacks(missing);
  }
  if (lacking_) return false;
  const std::uint64_t before = runner_.simulated();
  const bool complete = runner_.run(needs);
  total_ += runner_.simulated() - before;
  left_out_ = 0;
  if (!complete) {
    left_out_ = runner_.missing(needs).size();
    asked_ = owned(needs, settings_.shard);
  }
  return complete;
}

std::string Experiment::remark() const {
  std::string text;
  if (cut_short()) {
    text = fmt::format("Interrupted: {} of {} are finished; this is what they say.",
                       number(static_cast<double>(asked_ - left_out_), 0), replications(asked_));
  }
  const std::string share = share_remark(settings_.shard);
  return text + (text.empty() || share.empty() ? "" : " ") + share;
}

std::string Experiment::share_remark(const Shard& shard) {
  if (shard.whole()) return "";
  return fmt::format("Share {}/{} alone: `faultline merge` joins the shares to the answer.",
                     shard.number, shard.count);
}

ExitCode Experiment::finish(const ExperimentReport& report, ExitCode code) {
  progress_.clear();
  if (runner_.problem()) {
    return options_.complain(world_, *runner_.problem(), ExitCode::kInputOutput);
  }
  if (lacking_) return options_.complain(world_, *lacking_, ExitCode::kInputOutput);
  if (cut_short()) {
    const bool nothing = runner_.empty() || !report.document;
    fmt::print(world_.err, "interrupted after {}{}\n", replications(runner_.simulated()),
               nothing ? ", before there was anything to report" : "");
    if (nothing) return ExitCode::kInterrupted;
    // Whoever runs shares (Slurm, Kubernetes) must not take an early end for success.
    if (store_ || !settings_.shard.whole()) code = ExitCode::kInterrupted;
  }
  output_->stream() << rendered(report);
  if (const auto closed = output_->close(); !closed) {
    return options_.complain(world_, closed.error(), ExitCode::kInputOutput);
  }
  if (!settings_.quiet) {
    const std::string stored =
        store_
            ? fmt::format(" ({} more from `{}`)", number(static_cast<double>(runner_.stored()), 0),
                          printable(*settings_.store))
            : "";
    const std::string of = settings_.scenario.empty() ? "" : " of " + settings_.scenario;
    fmt::print(world_.err, "{}{}, seed {}, in {}: {} events{}\n", replications(runner_.simulated()),
               of, settings_.seed, brief(seconds_since(start_)),
               number(static_cast<double>(runner_.events()), 0), stored);
  }
  return code;
}

std::string Experiment::rendered(const ExperimentReport& report) const {
  if (settings_.format == "json") return report.json();
  if (settings_.format == "csv") return report.csv();
  return options_.rendered(report.document(), world_);
}

}  // namespace faultline
