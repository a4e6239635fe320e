// An experiment on the command line, from its options to its report: what every experiment does in the
// same way. A command says which replications it needs and what they mean.
//
//   Experiment experiment(options, world);
//   const auto point = experiment.load("baseline", settings.scenario, overrides);   // complains
//   if (!point) return ExitCode::kUsage;
//   if (const auto code = experiment.begin({{&*point, settings.replications}})) return *code;
//   experiment.run({{&*point, settings.replications}});             // once, or round by round
//   return experiment.finish({.document = ..., .json = ..., .csv = ...});
//
// Ctrl-C ends `run` early; the report is then made from what is finished, so it must be ready for rows that
// are missing. `--dry-run` ends in `begin`, after it has said what would be done.
//
// Thread rule: the main thread, one at a time (sim/cli/interrupt.h).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/cli/experiment_options.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/cli/world.h"
#include "sim/lab/knob.h"
#include "sim/lab/point.h"
#include "sim/lab/runner.h"
#include "sim/lab/store/result_store.h"
#include "sim/report/document.h"

namespace faultline {

// The same answer in all formats; only the one that was asked for is made.
struct ExperimentReport {
  std::function<Document()> document;  // text and Markdown
  std::function<std::string()> json;
  std::function<std::string()> csv;
};

class Experiment {
 public:
  // `options` have been read and outlive it. `durations`: they are asked for, too.
  Experiment(const ExperimentOptions& options, const World& world, bool durations = false);

  // The scenario with all of --set and then `more` applied. What is wrong goes to stderr: kUsage.
  std::optional<Point> load(std::string label, const std::string& scenario,
                            const std::vector<Override>& more) const;

  // The scenario with every combination of the knobs' values, in the order of `grid`. The first one that does
  // not load ends it, since the others would say the same; so does an interruption. The error is the code with
  // which the command ends; why has been said.
  tl::expected<std::vector<Point>, ExitCode> load_grid(const std::vector<Knob>& knobs) const;

  // Opens what will be written, and the result store. `most`: all replications that may be needed;
  // `more_scenarios`: those that the options do not know. The code with which the command ends here, if it does.
  std::optional<ExitCode> begin(const std::vector<Runner::Need>& most,
                                const std::vector<std::string>& more_scenarios = {});

  // Brings the needs to their numbers of replications. False: stop here and report.
  bool run(const std::vector<Runner::Need>& needs);
  const Rows& rows(const Point& point) const { return runner_.rows(point); }
  const PooledDurations& durations(const Point& point) { return runner_.durations(point); }
  const Runner& runner() const { return runner_; }
  // What the progress line ends with from now on.
  void note(std::string text) { progress_.note(std::move(text)); }
  bool interrupted() const { return interrupt_.requested(); }
  // An interruption left out replications that were asked for.
  bool cut_short() const { return interrupted() && left_out_ > 0; }
  // What a report of a share says first; nothing of the whole.
  static std::string share_remark(const Shard& shard);
  // What a report says first if it is not the whole answer, of a share alone or after an interruption; or nothing.
  std::string remark() const;

  // Writes the report and returns `code`, or a worse one. An empty report: an interruption left nothing to say.
  ExitCode finish(const ExperimentReport& report, ExitCode code = ExitCode::kDone);

 private:
  RunnerOptions runner_options(ResultStore* store);
  tl::expected<void, std::string> open_store();
  ExitCode dry_run(const std::vector<Runner::Need>& most);
  double seconds_per_replication(const std::vector<Runner::Need>& needs) const;
  std::string lacks(const std::vector<Runner::Missing>& missing) const;
  std::string rendered(const ExperimentReport& report) const;

  const ExperimentOptions& options_;
  const ExperimentSettings& settings_;
  const World& world_;
  const bool durations_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Interrupt interrupt_;
  Progress progress_;
  std::optional<Output> output_;
  std::optional<ResultStore> store_;
  Runner runner_;
  std::uint64_t total_ = 0;     // replications of all calls of `run`
  std::uint64_t asked_ = 0;     // replications of the last call, those that were there included
  std::uint64_t left_out_ = 0;  // by the last call
  std::optional<std::string> lacking_;  // what --stored did not find
};

}  // namespace faultline
