#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/cli/experiment_options.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/option_values.h"
#include "sim/cli/output.h"
#include "sim/cli/overwritten_input.h"
#include "sim/engine/simulation.h"
#include "sim/lab/metric_values.h"
#include "sim/report/format.h"
#include "sim/report/journal.h"
#include "sim/report/json_report.h"
#include "sim/report/run_report.h"
#include "sim/report/timeline.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostReplications = 1'000'000;

class Run final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "run", "Simulate a scenario many times and report goodput, stalls and repairs.");
    options_.add_to(*command, {.automatic = true});
    const auto value = [&](const char* name, std::string& text, const char* type,
                           const char* help) {
      command->add_option(name, text, help)->type_name(type)->capture_default_str();
    };
    value("--journal", journal_, "FILE", "Write every happening of one replication as JSON lines.");
    value("--timeline", timeline_, "FILE", "Write one replication for ui.perfetto.dev.");
    value("--journal-replication", traced_, "K", "Which replication those two are of; from 0.");
    command->footer(
        "Ctrl-C ends the run early and reports the replications that are finished; again, a second "
        "later, it kills.\n"
        "\n"
        "Examples:\n"
        "  faultline run llama3\n"
        "  faultline run llama3 --set policy.tolerations.AcceleratedHardwareReady=0s\n"
        "  faultline run llama3 --set policy=policies/restart-in-place/default.yaml\n"
        "  faultline run rsc1 --reps 1000 --format json -o rsc1.json\n"
        "  faultline run rsc1 --reps 20000 -o rsc1.db      (again: only what is missing runs)");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = read_options()) return options_.complain(world, *problem);
    Experiment experiment(options_, world, /*durations=*/true);
    const auto point = experiment.load(settings_.scenario, settings_.scenario, {});
    if (!point) return ExitCode::kUsage;
    warn_of_idle_knobs(point->scenario(), settings_.scenario, settings_.overrides, world);
    if (const auto problem =
            overwritten_input(settings_.scenario, settings_.overrides,
                              {{"--journal", journal_}, {"--timeline", timeline_}}, world)) {
      return options_.complain(world, *problem);
    }
    const bool automatic = settings_.replications == 0;
    const std::uint32_t most = automatic ? settings_.most_replications : settings_.replications;
    if (const auto code = experiment.begin({{&*point, most}})) return *code;
    if (const auto problem = open_traces(world)) return input_output(world, *problem);
    std::optional<StoppingOutcome> stopping;
    requested_ = most;
    if (automatic) {
      stopping = run_until_precise(experiment, *point);
    } else {
      experiment.run({{&*point, most}});
    }
    const Rows& rows = experiment.rows(*point);
    const ReplicationTable table{.seed = settings_.seed,
                                 .requested = requested_,
                                 .names = point->metrics(),
                                 .finished = rows.finished,
                                 .values = rows.values,
                                 .pooled = experiment.durations(*point),
                                 .stopping = stopping};
    const RunResults results(point->plan(), table);
    // Before the report, whose reader may have seen enough (`| head`).
    std::optional<std::string> untraced;
    if (!rows.finished.empty()) untraced = trace(point->plan());
    const ExitCode code = experiment.finish({.document = [&] { return run_report(results); },
                                             .json = [&] { return json_report(results); },
                                             .csv = [&] { return run_csv(results); }});
    if (code == ExitCode::kInputOutput || !untraced) return code;
    return input_output(world, *untraced);
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
    for (const auto& [option, path] : {std::pair{"-o", settings_.report},
                                       {"-o", settings_.store.value_or("")},
                                       {"--journal", journal_},
                                       {"--timeline", timeline_}}) {
      if (path.empty()) continue;
      const auto [user, added] = users.emplace(path, option);
      if (!added) {
        return fmt::format("{} and {} would both write to `{}`", user->second, option,
                           printable(path));
      }
    }
    return std::nullopt;
  }

  // Before the work starts.
  std::optional<std::string> open_traces(const World& world) {
    for (const auto& [path, output] :
         {std::pair{&journal_, &journal_to_}, {&timeline_, &timeline_to_}}) {
      if (path->empty()) continue;
      auto opened = Output::open(*path, world);
      if (!opened) return opened.error();
      *output = std::move(*opened);
    }
    return std::nullopt;
  }

  StoppingOutcome run_until_precise(Experiment& experiment, const Point& point) {
    requested_ = first_look(rule_);
    while (true) {
      const bool complete = experiment.run({{&point, requested_}});
      const Rows& rows = experiment.rows(point);
      const MeanEstimate ettr =
          mean_estimate(metric_values(point.metrics(), rows.values, MetricIndex::kEttr));
      const StoppingLook now = look(rule_, requested_, ettr);
      if (!complete || now.next == requested_) {
        return {.replications = static_cast<std::uint32_t>(rows.finished.size()),
                .half_width = ettr.interval(rule_.confidence).half_width(),
                .target = rule_.precision.target(ettr.mean),
                .reached = now.reached && complete,
                .capped = now.capped && complete};
      }
      experiment.note(fmt::format(
          "ETTR {}", percent_with_margin(summarise(column(rows.values, MetricIndex::kEttr)))));
      requested_ = now.next;
    }
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
  std::uint32_t requested_ = 0;
  std::optional<Output> journal_to_;
  std::optional<Output> timeline_to_;
};

}  // namespace

std::unique_ptr<Command> make_run_command() { return std::make_unique<Run>(); }

}  // namespace faultline
