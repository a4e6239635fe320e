#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/cli/command.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/option_values.h"
#include "sim/cli/output.h"
#include "sim/engine/plan.h"
#include "sim/report/noise_report.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::size_t kDelayedMeetingsShown = 200;

class Noise final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "noise", "What the bursts of monitoring agents cost a job, by when they wake.");
    command->add_option("SCENARIO", scenario_, "A name (`faultline list scenarios`) or a path.")
        ->type_name("")
        ->required();
    const auto value = [&](const char* names, std::string& text, const char* type,
                           const char* help) {
      return command->add_option(names, text, help)->type_name(type);
    };
    value("--job", job_, "NAME", "Which job (without it, the first one).");
    command
        ->add_option("--set", sets_,
                     "Change a field of the scenario, such as "
                     "detectors.monitoring.burst=5ms; may be repeated.")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    value("--seed", seed_, "N", "Seed of the replay.")->capture_default_str();
    value("--reps", sets_of_phases_, "N",
          "Sets of phases that are replayed; more narrow the "
          "intervals.")
        ->capture_default_str();
    value("--timeline", timeline_, "FILE",
          "Write some meetings of the replay, in the present arrangement, for ui.perfetto.dev.");
    value("--format", format_, "FORMAT", "text, json, md or csv.")->capture_default_str();
    value("-o,--output", output_, "FILE", "Where the report goes; -: stdout.")
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  faultline noise agent-noise\n"
        "  faultline noise agent-noise --set detectors.monitoring.burst=5ms --timeline noise.json\n"
        "  faultline noise agent-noise --set workloads[llama3].spare_cores=2");
    return command;
  }

  ExitCode execute(const World& world) override {
    NoiseSettings settings;
    if (const auto problem = read_options(settings)) return complain(world, *problem);
    const auto scenario = load_or_complain(scenario_, overrides_of(sets_), world);
    if (!scenario) return ExitCode::kUsage;
    if (!scenario->detectors.monitoring) {
      return complain(world,
                      fmt::format("scenario `{}` does not say what its agent takes from the nodes: "
                                  "see `faultline explain detectors.monitoring`, or try "
                                  "`agent-noise`",
                                  printable(scenario->name)));
    }
    const SimulationPlan plan(*scenario);
    const SimulationPlan::Job* const job = find_job(plan);
    if (job == nullptr) return complain(world, no_such_job(plan));
    const MonitoringConfig& agent = *scenario->detectors.monitoring;
    settings.gang = {.nodes = job->config->nodes,
                     .step = job->config->step_length(),
                     .meetings = job->config->meetings_per_step};
    settings.monitoring = noise::monitoring_of(agent, job->config->spare_cores);
    settings.inside = agent.inside_node;
    settings.across = agent.across_nodes;
    settings.gpus = job->gpus;

    auto output = Output::open(output_, world);
    if (!output) return complain(world, output.error(), ExitCode::kInputOutput);
    std::optional<Output> timeline;
    if (!timeline_.empty()) {
      auto opened = Output::open(timeline_, world);
      if (!opened) return complain(world, opened.error(), ExitCode::kInputOutput);
      timeline = std::move(*opened);
    }
    output->stream() << report({.scenario = scenario->name,
                                .job = job->config->name,
                                .comparison = compare_noise(settings)},
                               world);
    if (timeline) {
      // (a stream that fails is found by `close`)
      static_cast<void>(write_noise_timeline(timeline->stream(), settings,
                                             replay_slice(settings, kDelayedMeetingsShown)));
      if (const auto closed = timeline->close(); !closed) {
        return complain(world, closed.error(), ExitCode::kInputOutput);
      }
    }
    if (const auto closed = output->close(); !closed) {
      return complain(world, closed.error(), ExitCode::kInputOutput);
    }
    return ExitCode::kDone;
  }

 private:
  static ExitCode complain(const World& world, const std::string& problem,
                           ExitCode code = ExitCode::kUsage) {
    fmt::print(world.err, "faultline noise: {}\n", problem);
    return code;
  }

  std::optional<std::string> read_options(NoiseSettings& settings) const {
    if (auto p = not_one_of("--format", format_, {"text", "json", "md", "csv"})) return p;
    if (!timeline_.empty() && timeline_ == output_) {
      return fmt::format("-o and --timeline both go to `{}`", printable(output_));
    }
    const auto seed = whole_number("--seed", seed_, 0, std::numeric_limits<std::int64_t>::max());
    if (!seed) return seed.error();
    settings.seed = static_cast<std::uint64_t>(*seed);
    const auto sets = whole_number("--reps", sets_of_phases_, 2, 100'000);
    if (!sets) return sets.error();
    settings.sets = *sets;
    return std::nullopt;
  }

  const SimulationPlan::Job* find_job(const SimulationPlan& plan) const {
    if (job_.empty()) return &plan.jobs().front();
    const auto found =
        std::find_if(plan.jobs().begin(), plan.jobs().end(),
                     [&](const SimulationPlan::Job& job) { return job.config->name == job_; });
    return found == plan.jobs().end() ? nullptr : &*found;
  }
  std::string no_such_job(const SimulationPlan& plan) const {
    const std::string meant = suggest(job_, plan.job_names());
    return fmt::format("there is no job `{}`{}", printable(job_),
                       meant.empty() ? fmt::format(" (there is {})", join_names(plan.job_names()))
                                     : fmt::format("; did you mean `{}`?", meant));
  }

  std::string report(const NoiseResults& results, const World& world) const {
    if (format_ == "json") return noise_json(results);
    if (format_ == "csv") return noise_csv(results);
    const Document document = noise_report(results);
    if (format_ == "md") return to_markdown(document);
    return to_text(document, {.colour = world.colour_out && output_ == "-"});
  }

  std::string scenario_;
  std::string job_;
  std::vector<std::string> sets_;
  std::string seed_ = "1";
  std::string sets_of_phases_ = "20";
  std::string timeline_;
  std::string format_ = "text";
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_noise_command() { return std::make_unique<Noise>(); }

}  // namespace faultline
