#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>

#include "models/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/cli/option_values.h"
#include "sim/lab/experiments/spares.h"
#include "sim/lab/stats/doubling_looks.h"
#include "sim/report/spares_report.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostSpares = 100'000;
constexpr std::int64_t kFewestToTry = 8;
constexpr std::int64_t kShareToTry = 16;  // up to a sixteenth of the largest pool
constexpr double kLeastConfidence = 0.5;

class Spares final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "spares", "The fewest spares that meet a target, with the risk of running out.");
    options_.add_to(*command, {.replications = "200", .automatic = true, .precision = false});
    command->add_option("--target", target_, "What they are for: `ettr >= 95%`, `stockout <= 1%`.")
        ->type_name("EXPR")
        ->required();
    command->add_flag(
        "--cold", cold_,
        "Count the machines that a launch can draw from (`capacity.spares`), not the warm "
        "ones.");
    command->add_option("--confidence", confidence_, "With which the target is met.")
        ->type_name("SHARE")
        ->capture_default_str();
    command
        ->add_option("--max", most_,
                     "The most spares to try; by default a sixteenth of the pool, at least 8.")
        ->type_name("N");
    command->footer(
        "Warm spares are ready nodes beyond the pool's own (`capacity.warm_spares`).\n"
        "With --reps auto, each number of spares gets 100 replications, doubled while it is open "
        "whether\n"
        "the target is met, up to --max-reps.\n"
        "\n"
        "Exit code 0: there is an answer. 1: no number up to --max is shown to meet the target. "
        "130:\n"
        "interrupted before that was clear. A share (--shard) leaves the answer to `merge`.\n"
        "\n"
        "Examples:\n"
        "  faultline spares byterobust --target 'stockout <= 1%'\n"
        "  faultline spares rsc1-repair --target 'ettr >= 90%' --confidence 99%\n"
        "  faultline spares rsc1-repair --target 'ettr >= 90%' --reps auto\n"
        "  faultline spares rsc1-repair --target 'stockout <= 1%' --cold\n"
        "  faultline spares llama3 --target 'ettr >= 84%' --max 32 --format json");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = read()) return options_.complain(world, *problem);
    Experiment experiment(options_, world);
    const auto base = experiment.load("as it is", options_.settings().scenario, {});
    if (!base) return ExitCode::kUsage;
    if (const auto problem = ask(*base)) return options_.complain(world, *problem);
    options_.warn(world, "--target", question_.target);
    const Scenario& scenario = base->scenario();

    const Shard& shard = options_.settings().shard;
    const bool everything = !shard.whole() || options_.settings().dry_run;
    std::vector<std::shared_ptr<const Point>> points;
    std::vector<Runner::Need> needs;
    if (everything) {
      points = shard.whole() ? likely_numbers_of_spares(scenario, question_)
                             : all_numbers_of_spares(scenario, question_);
    }
    const std::uint32_t most = question_.looks().back();
    for (const auto& point : points) needs.push_back({point.get(), most});
    if (const auto code = experiment.begin(needs)) return *code;
    if (everything) experiment.run(needs);
    const SparesAnswer answer = find_spares(
        scenario, question_,
        {.run = [&](const std::vector<Runner::Need>& more) { return experiment.run(more); },
         .rows = [&](const Point& point) -> const Rows& { return experiment.rows(point); }});
    const SparesReport report{.answer = answer,
                              .scenario = scenario,
                              .seed = options_.settings().seed,
                              .remark = Experiment::share_remark(shard)};
    ExitCode code = ExitCode::kDone;
    if (!answer.fewest && shard.whole()) {
      code = answer.complete ? ExitCode::kThreshold : ExitCode::kInterrupted;
    }
    return experiment.finish({.document = [&] { return report.document(); },
                              .json = [&] { return report.json(); },
                              .csv = [&] { return report.csv(); }},
                             code);
  }

 private:
  // What can be read without the scenario.
  std::optional<std::string> read() {
    if (auto problem = options_.read()) return problem;
    question_.kind = cold_ ? SpareKind::kCold : SpareKind::kWarm;
    const ExperimentSettings& settings = options_.settings();
    question_.replications = settings.replications;
    if (settings.replications == 0) {
      question_.cap = settings.most_replications;
      question_.replications = std::min(kFirstLook, question_.cap);
    }
    const auto confidence = parse_ratio(confidence_);
    if (!confidence) return "--confidence: " + confidence.error();
    if (!(*confidence > kLeastConfidence && *confidence < 1)) {
      return fmt::format("--confidence: {} is not between 50% and 100%, both excluded",
                         printable(confidence_));
    }
    question_.confidence = *confidence;
    const std::string varied = cold_ ? "capacity.spares" : "capacity.warm_spares";
    for (const Override& change : options_.settings().overrides) {
      if (change.text.starts_with(varied + "=")) {
        return fmt::format("--set {}: that is what is looked for; limit it with --max", varied);
      }
    }
    if (most_.empty()) return std::nullopt;
    const auto most = whole_number("--max", most_, 0, kMostSpares);
    if (!most) return most.error();
    question_.most = *most;
    return std::nullopt;
  }

  // What needs the scenario.
  std::optional<std::string> ask(const Point& base) {
    const auto target = Condition::parse(target_, base.metrics(), false);
    if (!target) return "--target: " + target.error();
    if (target->relation == Relation::kEqual || target->relation == Relation::kNotEqual) {
      return fmt::format("--target: `{}` is no limit: write it with <, <=, > or >=",
                         printable(target_));
    }
    question_.target = *target;
    if (most_.empty()) {
      std::int64_t nodes = 0;
      for (const PoolConfig& pool : base.scenario().fleet.pools) {
        nodes = std::max(nodes, pool.nodes);
      }
      question_.most = std::max({kFewestToTry, (nodes + kShareToTry - 1) / kShareToTry,
                                 base.scenario().capacity.warm_spares});
    }
    return std::nullopt;
  }

  ExperimentOptions options_;
  std::string target_;
  std::string confidence_ = "95%";
  std::string most_;
  bool cold_ = false;
  SparesQuestion question_;
};

}  // namespace

std::unique_ptr<Command> make_spares_command() { return std::make_unique<Spares>(); }

}  // namespace faultline
