#include <fmt/format.h>
#include <fmt/ostream.h>

#include <utility>

#include "models/base/check.h"
#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/cli/experiment_options.h"
#include "sim/cli/option_values.h"
#include "sim/lab/experiments/tune.h"
#include "sim/lab/knob.h"
#include "sim/lab/knob_range.h"
#include "sim/report/format.h"
#include "sim/report/tune_report.h"
#include "sim/report/tune_text.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::size_t kMostKnobs = 2;
constexpr std::size_t kMostPoints = 2000;
constexpr std::uint32_t kFewestReplications = 20;

// GPU-hours are plain numbers.
Expression::Unit unit_of(const Objective& objective) {
  switch (objective.unit()) {
    case Objective::Unit::kRatio: return Expression::Unit::kRatio;
    case Objective::Unit::kSeconds: return Expression::Unit::kSeconds;
    case Objective::Unit::kPlain:
    case Objective::Unit::kGpuHours: break;
  }
  return Expression::Unit::kPlain;
}

class Tune final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "tune", "Find the best setting of one or two knobs, and how sure that is.");
    options_.add_to(*command, {.replications = "1000"});
    command
        ->add_option("--vary", vary_,
                     "A field and its values: PATH=LO..HI/STEP or PATH=A,B,C. Once or twice.")
        ->type_name("PATH=VALUES")
        ->required()
        ->allow_extra_args(false);
    command
        ->add_option("--objective", objective_,
                     "ettr, cost (GPU-hours without kept work, spares included), EXPR or min EXPR.")
        ->type_name("EXPR")
        ->capture_default_str();
    command
        ->add_option("--subject-to", conditions_,
                     "Only settings that meet this with 95% confidence; may be repeated.")
        ->type_name("EXPR")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--precision", precision_,
            "Half-width of each band: 0.1pp of a share, 30s, or 1% of its size. Default: 0.1pp "
            "of a share, 1% of anything else.")
        ->type_name("WIDTH");
    command->footer(
        "All settings meet the same faults. Replications go where the decision is undecided; "
        "--reps "
        "is the most\nthat any setting gets. The zone in the report holds the best setting of the "
        "grid "
        "with 95% confidence.\n"
        "\n"
        "Examples:\n"
        "  faultline tune llama3 --vary policy.tolerations.AcceleratedHardwareReady=0s..30m/1m\n"
        "  faultline tune llama3 --vary policy.gate=off,10%..50%/10% --objective cost\n"
        "  faultline tune rsc1 --vary 'workloads[0].checkpoint.every=5m..1h/5m' \\\n"
        "      --vary capacity.warm_spares=0..16/4 --subject-to 'stockout <= 1%'");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = read()) return options_.complain(world, *problem);
    Experiment experiment(options_, world);
    if (const auto code = load(experiment)) return *code;
    auto points = ask();
    if (!points) return options_.complain(world, points.error());
    for (const Condition& condition : points->front().conditions) {
      options_.warn(world, "--subject-to", condition);
    }
    TunePoint present = std::move(points->back());
    points->pop_back();
    Tuning tuning(std::move(*points), std::move(present), rule_,
                  [&](const Point& point) -> const Rows& { return experiment.rows(point); });
    if (options_.settings().dry_run && !options_.settings().quiet) {
      fmt::print(world.err, "the most that may run; tune stops as soon as it knows enough\n");
    }
    if (const auto code = experiment.begin(tuning.most())) return *code;
    if (!options_.settings().shard.whole()) return run_share(experiment, tuning, world);
    return tune(experiment, tuning, world);
  }

 private:
  // What can be read without the scenario.
  std::optional<std::string> read() {
    if (auto problem = options_.read()) return problem;
    if (vary_.size() > kMostKnobs) {
      return fmt::format(
          "--vary: one or two knobs can be tuned at once, not {}; tune the two that matter most "
          "and "
          "fix the others with --set, or write out the whole grid with `faultline sweep`",
          vary_.size());
    }
    auto knobs = parse_knobs(vary_);
    if (!knobs) return knobs.error();
    knobs_ = std::move(*knobs);
    if (const std::size_t points = grid(knobs_).size(); points > kMostPoints) {
      return fmt::format("--vary: {} settings are more than {}; take larger steps",
                         number(static_cast<double>(points), 0), kMostPoints);
    }
    rule_.most = options_.settings().replications;
    if (rule_.most < kFewestReplications) {
      return fmt::format("--reps: {} is too few to tell settings apart; at least {}", rule_.most,
                         kFewestReplications);
    }
    return std::nullopt;
  }

  // The grid, and the scenario as it is; the code with which the command ends, if it does.
  std::optional<ExitCode> load(const Experiment& experiment) {
    auto points = experiment.load_grid(knobs_);
    if (!points) return points.error();
    loaded_ = std::move(*points);
    auto present = experiment.load("as it is", options_.settings().scenario, {});
    if (!present) return ExitCode::kUsage;
    loaded_.push_back(std::move(*present));
    return std::nullopt;
  }

  // Every point with the objective and the conditions in its own metrics.
  tl::expected<std::vector<TunePoint>, std::string> ask() {
    std::vector<TunePoint> points;
    for (const Point& point : loaded_) {
      const auto at = [&](const char* option, const std::string& problem) {
        return points.empty() ? fmt::format("{}: {}", option, problem)
                              : fmt::format("{}, for {}: {}", option, point.label(), problem);
      };
      auto objective = Objective::parse(objective_, point);
      if (!objective) return tl::unexpected(at("--objective", objective.error()));
      TunePoint tuned{.point = &point, .objective = std::move(*objective), .conditions = {}};
      for (const std::string& text : conditions_) {
        auto condition = Condition::parse(text, point.metrics(), /*delta_allowed=*/false);
        if (!condition) return tl::unexpected(at("--subject-to", condition.error()));
        tuned.conditions.push_back(std::move(*condition));
      }
      points.push_back(std::move(tuned));
    }
    const auto band = precision(precision_, unit_of(points.front().objective));
    if (!band) return tl::unexpected(band.error());
    rule_.precision = *band;
    return points;
  }

  // All that a report may need: which points are still in it is seen from all shares only.
  ExitCode run_share(Experiment& experiment, const Tuning& tuning, const World& world) {
    const bool complete = experiment.run(tuning.most());
    if (experiment.runner().problem()) {
      return options_.complain(world, *experiment.runner().problem(), ExitCode::kInputOutput);
    }
    const Shard& shard = options_.settings().shard;
    if (!options_.settings().quiet) {
      fmt::print(world.err,
                 "{} {}/{}: {} replications simulated; `faultline merge` reports all shares\n",
                 complete ? "share" : "interrupted in share", shard.number, shard.count,
                 number(static_cast<double>(experiment.runner().simulated()), 0));
    }
    return complete ? ExitCode::kDone : ExitCode::kInterrupted;
  }

  ExitCode tune(Experiment& experiment, Tuning& tuning, const World& world) {
    for (auto needs = tuning.needs(); !needs.empty(); needs = tuning.needs()) {
      if (!experiment.run(needs)) break;
      tuning.look();
      experiment.note(progress(tuning));
    }
    if (!tuning.begun() && experiment.interrupted()) {
      fmt::print(world.err,
                 "interrupted before every setting had its first replications; a result store (-o "
                 "X.db) keeps what is finished\n");
      return ExitCode::kInterrupted;
    }
    if (!tuning.begun()) return experiment.finish({});  // it says why
    const TuneResults results = tuning.results();
    const TuneReport report{.knobs = knobs_,
                            .points = tuning.points(),
                            .results = results,
                            .seed = options_.settings().seed};
    const bool none = results.finished && !results.recommended;
    return experiment.finish({.document = [&] { return tune_document(report); },
                              .json = [&] { return tune_json(report); },
                              .csv = [&] { return tune_csv(report); }},
                             none ? ExitCode::kThreshold : ExitCode::kDone);
  }

  // "best so far 5m: 83.6% +- 0.2, 4 of 31 left"
  static std::string progress(const Tuning& tuning) {
    const TuneResults results = tuning.results();
    if (!results.recommended) return "";
    std::size_t left = 0;
    for (std::size_t i = 0; i < results.grid; ++i) {
      left += results.points[i].contest.standing == PointStanding::kContender ? 1 : 0;
    }
    const std::size_t best = *results.recommended;
    return fmt::format(
        "best so far {}: {}, {} of {} left", tuning.points()[best].point->label(),
        tune_text::level(results.points[best].level, tuning.points()[best].objective.unit(), 0.95),
        left, results.grid);
  }

  ExperimentOptions options_;
  std::vector<std::string> vary_;
  std::vector<std::string> conditions_;
  std::string objective_ = "ettr";
  std::string precision_;
  std::vector<Knob> knobs_;
  std::vector<Point> loaded_;
  TuneRule rule_;
};

}  // namespace

std::unique_ptr<Command> make_tune_command() { return std::make_unique<Tune>(); }

}  // namespace faultline
