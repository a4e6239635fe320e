#include "sim/cli/experiment.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "sim/report/format.h"

namespace faultline {
namespace {

Progress::Style progress_style(bool quiet, const World& world) {
  if (quiet) return Progress::Style::kNone;
  return world.err_is_terminal ? Progress::Style::kTerminal : Progress::Style::kLines;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string replications(std::uint64_t n) {
  return fmt::format("{} replication{}", number(static_cast<double>(n), 0), n == 1 ? "" : "s");
}

}  // namespace

Experiment::Experiment(const ExperimentOptions& options, const World& world)
    : options_(options),
      settings_(options.settings()),
      world_(world),
      progress_(world.err, progress_style(settings_.quiet || settings_.dry_run, world)),
      runner_(runner_options()) {}

RunnerOptions Experiment::runner_options() {
  return {
      .seed = settings_.seed,
      .threads = settings_.threads,
      .shard = settings_.shard,
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

std::optional<ExitCode> Experiment::begin(const std::vector<Runner::Need>& most) {
  if (settings_.dry_run) return dry_run(most);
  auto output = Output::open(settings_.report, world_);
  if (!output) return options_.complain(world_, output.error(), ExitCode::kInputOutput);
  output_ = std::move(*output);
  return std::nullopt;
}

ExitCode Experiment::dry_run(const std::vector<Runner::Need>& most) {
  std::uint64_t all = 0;
  for (const Runner::Need& need : most) all += need.replications;
  const std::uint64_t missing = runner_.missing(most);
  // The first replication of up to three points, after one that warms up.
  double seconds = 0;
  std::size_t measured = 0;
  const std::size_t step = std::max<std::size_t>(1, (most.size() + 1) / 2);
  for (std::size_t i = 0; i < most.size() && missing > 0; i += step) {
    Runner alone({.seed = settings_.seed, .threads = 1, .stop = &interrupt_.requested()});
    alone.run({{most[i].point, 1}});
    const auto start = std::chrono::steady_clock::now();
    alone.run({{most[i].point, 2}});
    seconds += seconds_since(start);
    ++measured;
  }
  std::string text = fmt::format("{} point{} x replications: {} in all\n", most.size(),
                                 most.size() == 1 ? "" : "s", number(static_cast<double>(all), 0));
  const int threads = runner_.threads();
  text += fmt::format("{} to run here", number(static_cast<double>(missing), 0));
  if (measured > 0) {
    const double each = seconds / static_cast<double>(measured);
    text += fmt::format(": about {} on {} thread{}, at {} each",
                        brief(each * static_cast<double>(missing) / threads), threads,
                        threads == 1 ? "" : "s", brief(each));
  }
  return print(world_, text + "\n");
}

bool Experiment::run(const std::vector<Runner::Need>& needs) {
  const std::uint64_t before = runner_.simulated();
  const bool complete = runner_.run(needs);
  total_ += runner_.simulated() - before;
  return complete;
}

ExitCode Experiment::finish(const ExperimentReport& report, ExitCode code) {
  progress_.clear();
  if (interrupted()) {
    fmt::print(world_.err, "interrupted after {}\n", replications(runner_.simulated()));
    if (runner_.empty()) return ExitCode::kInterrupted;
  }
  output_->stream() << rendered(report);
  if (const auto closed = output_->close(); !closed) {
    return options_.complain(world_, closed.error(), ExitCode::kInputOutput);
  }
  if (!settings_.quiet) {
    fmt::print(world_.err, "{} of {}, seed {}, in {}\n", replications(runner_.simulated()),
               settings_.scenario, settings_.seed, brief(seconds_since(start_)));
  }
  return code;
}

std::string Experiment::rendered(const ExperimentReport& report) const {
  if (settings_.format == "json") return report.json();
  if (settings_.format == "csv") return report.csv();
  const Document document = report.document();
  if (settings_.format == "md") return to_markdown(document);
  return to_text(document, {.colour = world_.colour_out && settings_.report == "-"});
}

}  // namespace faultline
