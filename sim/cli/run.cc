#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <chrono>
#include <map>

#include "models/base/check.h"
#include "sim/cli/command.h"
#include "sim/cli/experiment_options.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/option_values.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/engine/simulation.h"
#include "sim/lab/replications.h"
#include "sim/report/format.h"
#include "sim/report/journal.h"
#include "sim/report/json_report.h"
#include "sim/report/run_report.h"
#include "sim/report/timeline.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostReplications = 1'000'000;

class Run final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "run", "Simulate a scenario many times and report goodput, stalls and repairs.");
    options_.add_to(*command,
                    {.formats = {"text", "json", "md"}, .automatic = true, .experiment = false});
    const auto value = [&](const char* name, std::string& text, const char* type,
                           const char* help) {
      command->add_option(name, text, help)->type_name(type)->capture_default_str();
    };
    value("--journal", journal_, "FILE", "Write every happening of one replication as JSON lines.");
    value("--timeline", timeline_, "FILE", "Write one replication for ui.perfetto.dev.");
    value("--journal-replication", traced_, "K", "Which replication those two are of; from 0.");
    command->footer(
        "Ctrl-C ends the run early and reports the replications that are finished; again, it "
        "kills.\n"
        "\n"
        "Examples:\n"
        "  faultline run llama3\n"
        "  faultline run llama3 --set policy.tolerations.AcceleratedHardwareReady=0s\n"
        "  faultline run llama3 --set policy=policies/restart-in-place/default.yaml\n"
        "  faultline run rsc1 --reps 1000 --format json -o rsc1.json");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = read_options()) return options_.complain(world, *problem);
    const auto scenario = load_or_complain(settings_.scenario, settings_.overrides, world);
    if (!scenario) return ExitCode::kUsage;
    if (const auto problem = open_outputs(world)) return input_output(world, *problem);
    const SimulationPlan plan(*scenario);
    try {
      return simulate(plan, world);
    } catch (const InternalError& error) {
      throw InternalError(fmt::format("{}\nscenario {}, seed {}", error.what(), settings_.scenario,
                                      settings_.seed));
    }
  }

 private:
  ExitCode input_output(const World& world, const std::string& problem) const {
    return options_.complain(world, problem, ExitCode::kInputOutput);
  }

  std::optional<std::string> read_options() {
    if (auto problem = options_.read()) return problem;
    const auto width = precision(settings_.precision, Expression::Unit::kRatio);
    if (!width) return width.error();
    rule_ = {.precision = *width, .cap = settings_.most_replications};
    const auto traced = whole_number("--journal-replication", traced_, 0, kMostReplications);
    if (!traced) return traced.error();
    replication_to_trace_ = static_cast<std::uint32_t>(*traced);
    if (*traced != 0 && journal_.empty() && timeline_.empty()) {
      return "--journal-replication goes with --journal or --timeline";
    }
    std::map<std::string, std::string> users;
    for (const auto& [option, path] :
         {std::pair{"-o", settings_.report}, {"--journal", journal_}, {"--timeline", timeline_}}) {
      if (path.empty()) continue;
      const auto [user, added] = users.emplace(path, option);
      if (!added) {
        return fmt::format("{} and {} would both write to `{}`", user->second, option,
                           printable(path));
      }
    }
    return std::nullopt;
  }

  // All of them before the work starts.
  std::optional<std::string> open_outputs(const World& world) {
    for (const auto& [path, output] : {std::pair{&settings_.report, &report_to_},
                                       {&journal_, &journal_to_},
                                       {&timeline_, &timeline_to_}}) {
      if (path->empty()) continue;
      auto opened = Output::open(*path, world);
      if (!opened) return opened.error();
      *output = std::move(*opened);
    }
    return std::nullopt;
  }

  ExitCode simulate(const SimulationPlan& plan, const World& world) {
    const auto start = std::chrono::steady_clock::now();
    const ReplicationTable table = replicate(plan, world);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::size_t finished = table.finished.size();
    if (finished < table.requested) {
      fmt::print(world.err, "interrupted: {} of {} replications are finished\n", finished,
                 table.requested);
      if (finished == 0) return ExitCode::kInterrupted;
    }
    report_to_->stream() << report(RunResults(plan, table), world);
    if (const auto problem = trace(plan)) return input_output(world, *problem);
    if (const auto closed = report_to_->close(); !closed)
      return input_output(world, closed.error());
    if (!settings_.quiet) {
      fmt::print(world.err, "{} replication{} of {}, seed {}: {} events in {}\n", finished,
                 finished == 1 ? "" : "s", plan.scenario().name, settings_.seed,
                 number(static_cast<double>(table.events), 0), brief(seconds));
    }
    return ExitCode::kDone;
  }

  ReplicationTable replicate(const SimulationPlan& plan, const World& world) const {
    const Interrupt interrupt;
    Progress progress(world.err, progress_style(world, settings_.quiet));
    ReplicationOptions options{
        .seed = settings_.seed, .threads = settings_.threads, .stop = &interrupt.requested()};
    if (settings_.replications == 0) {
      return run_until_precise(
          plan, options, rule_, MetricIndex::kEttr,
          [&](std::uint32_t done, std::uint32_t total) { progress.update(done, total); });
    }
    options.replications = settings_.replications;
    options.progress = [&](std::uint32_t done) { progress.update(done, settings_.replications); };
    return run_replications(plan, options);
  }

  std::string report(const RunResults& results, const World& world) const {
    if (settings_.format == "json") return json_report(results);
    return options_.rendered(run_report(results), world);
  }

  // One replication again, with a journal and a timeline; what is wrong with their files.
  std::optional<std::string> trace(const SimulationPlan& plan) {
    std::optional<JournalWriter> journal;
    std::optional<TimelineWriter> timeline;
    std::vector<HappeningSink*> sinks;
    if (journal_to_) {
      sinks.push_back(
          &journal.emplace(plan, journal_to_->stream(), settings_.seed, replication_to_trace_));
    }
    if (timeline_to_) sinks.push_back(&timeline.emplace(plan, timeline_to_->stream()));
    if (sinks.empty()) return std::nullopt;
    Tee both(*sinks.front(), *sinks.back());
    HappeningSink& sink = sinks.size() == 1 ? *sinks.front() : both;
    Simulation(plan).run(RandomSource(settings_.seed, replication_to_trace_), sink);
    // Whether everything arrived is what close() tells.
    if (journal) static_cast<void>(journal->finish());
    if (timeline) static_cast<void>(timeline->finish());
    for (auto* output : {&journal_to_, &timeline_to_}) {
      if (!*output) continue;
      if (const auto closed = (*output)->close(); !closed) return closed.error();
    }
    return std::nullopt;
  }

  ExperimentOptions options_;
  const ExperimentSettings& settings_ = options_.settings();
  std::string journal_;
  std::string timeline_;
  std::string traced_ = "0";
  std::uint32_t replication_to_trace_ = 0;
  StoppingRule rule_;  // of --reps auto, by ETTR
  std::optional<Output> report_to_;
  std::optional<Output> journal_to_;
  std::optional<Output> timeline_to_;
};

}  // namespace

std::unique_ptr<Command> make_run_command() { return std::make_unique<Run>(); }

}  // namespace faultline
