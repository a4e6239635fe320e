#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <utility>

#include "sim/cli/candidate_changes.h"
#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/cli/experiment_options.h"
#include "sim/cli/option_values.h"
#include "sim/lab/experiments/compare.h"
#include "sim/lab/stats/sequential_stopping.h"
#include "sim/report/compare_report.h"
#include "sim/report/replication_story.h"
#include "sim/report/stopping_text.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

// After an early end, so many replications at most are there of one point and not of the others.
constexpr std::uint32_t kChunk = 20;

class Compare final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "compare", "Judge a change before its rollout: paired differences, hazards, thresholds.");
    options_.add_to(*command, {.automatic = true});
    command->add_option("CANDIDATE", others_, "Scenarios to compare the first one with.")
        ->type_name("");
    const auto repeated = [&](const char* name, std::vector<std::string>& into, const char* type,
                              const char* help) {
      command->add_option(name, into, help)->type_name(type)->allow_extra_args(false);
    };
    repeated("--with", withs_, "PATH=VALUE",
             "What the candidate changes; all of them make one candidate. Without a second "
             "scenario it is the first one with these changes.");
    repeated("--candidate", candidates_, "CHANGES",
             "One more candidate: the first scenario with 'PATH=VALUE PATH=VALUE ...'.");
    repeated("--fail-if", fail_ifs_, "EXPR",
             "End in exit code 1 if this is shown to hold for a candidate at 95%.");
    command->add_flag("--fail-undecided", fail_undecided_,
                      "Also if the interval leaves a --fail-if open.");
    command
        ->add_option(
            "--by", by_,
            "What candidates are ranked and replications judged by; cost: GPU-hours that are "
            "owned and bring no kept work.")
        ->type_name("METRIC|EXPR|cost")
        ->capture_default_str();
    command->footer(
        "In --fail-if, ettr.delta is the difference to the first scenario, ettr the candidate's "
        "own mean.\n"
        "An expression fails when every value of its 95% interval meets it, and passes when none "
        "does.\n"
        "Interrupted before that is clear, the exit code is 130; a share (--shard) leaves it to "
        "`merge`.\n"
        "--set changes all scenarios, so it never makes a difference by itself.\n"
        "\n"
        "Examples:\n"
        "  faultline compare llama3 --with policy.tolerations.AcceleratedHardwareReady=0s\n"
        "  faultline compare llama3 --with policy=policies/restart-in-place/default.yaml \\\n"
        "      --fail-if 'ettr.delta < -0.5pp' --fail-if 'gate_blocked_total.delta > 0'\n"
        "  faultline compare llama3 --candidate capacity.warm_spares=4 \\\n"
        "      --candidate 'capacity.warm_spares=8 policy.gate=off'\n"
        "  faultline compare llama3 --candidate capacity.warm_spares=8 --candidate "
        "capacity.warm_spares=32 --by cost\n"
        "  faultline compare today.yaml tomorrow.yaml --reps auto --precision 0.05pp");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = options_.read()) return options_.complain(world, *problem);
    Experiment experiment(options_, world);
    if (const auto code = load(experiment, world)) return *code;
    if (const auto problem = ask()) return options_.complain(world, *problem);
    for (const Condition& condition : questions_.front().fail_if) {
      options_.warn(world, "--fail-if", condition);
    }
    const bool automatic = settings_.replications == 0;
    if (const auto code = experiment.begin(
            needs(automatic ? settings_.most_replications : settings_.replications), others_)) {
      return *code;
    }
    if (automatic) {
      run_until_precise(experiment);
    } else {
      experiment.run(interleaved(0, settings_.replications));
    }
    return report(experiment, world);
  }

 private:
  // The points; the code with which the command ends, if it does.
  std::optional<ExitCode> load(const Experiment& experiment, const World& world) {
    if (others_.empty() && withs_.empty() && candidates_.empty()) {
      return options_.complain(
          world, fmt::format("there is nothing to compare `{}` with: name a second scenario, or "
                             "say what changes, --with PATH=VALUE",
                             printable(settings_.scenario)));
    }
    if (others_.size() > 1 && !withs_.empty()) {
      return options_.complain(
          world,
          "--with changes one candidate, and here are several: write --candidate "
          "'PATH=VALUE ...' for each");
    }
    if (!add(experiment, settings_.scenario, settings_.scenario, {})) return ExitCode::kUsage;
    std::vector<std::string> scenarios = others_;
    if (scenarios.empty() && !withs_.empty()) scenarios.push_back(settings_.scenario);
    for (const std::string& scenario : scenarios) {
      if (!add(experiment, label_with(scenario, withs_), scenario, withs_, "--with")) {
        return ExitCode::kUsage;
      }
    }
    for (const std::string& text : candidates_) {
      const std::vector<std::string> changes = split_changes(text);
      if (changes.empty()) return options_.complain(world, "--candidate: there is no change in it");
      if (!add(experiment, label_with(settings_.scenario, changes), settings_.scenario, changes,
               "--candidate")) {
        return ExitCode::kUsage;
      }
    }
    return std::nullopt;
  }

  bool add(const Experiment& experiment, std::string label, const std::string& scenario,
           const std::vector<std::string>& changes, const char* option = "") {
    std::vector<Override> overrides;
    for (const std::string& change : changes) {
      overrides.push_back({.text = change, .option = option});
    }
    auto point = experiment.load(std::move(label), scenario, overrides);
    if (!point) return false;
    points_.push_back(std::move(*point));
    return true;
  }

  // Reads the expressions, for each pair: scenarios may know different metrics.
  std::optional<std::string> ask() {
    for (std::size_t p = 1; p < points_.size(); ++p) {
      auto read = question(by_, fail_ifs_, points_[0], points_[p]);
      if (!read) return read.error();
      questions_.push_back(std::move(*read));
    }
    const std::vector<MetricName> common = common_metrics(all());
    for (const Point& point : points_) {
      auto by = ranked_by(by_, point, common);
      if (!by) return by.error();
      by_of_all_.push_back(std::move(*by));
    }
    const auto width = precision(settings_.precision, by_of_all_.front().unit());
    if (!width) return width.error();
    rule_ = {.precision = *width, .cap = settings_.most_replications};
    return std::nullopt;
  }

  std::vector<const Point*> all() const {
    std::vector<const Point*> pointers;
    for (const Point& point : points_) pointers.push_back(&point);
    return pointers;
  }

  std::vector<Runner::Need> needs(std::uint32_t replications) const {
    std::vector<Runner::Need> needs;
    for (const Point& point : points_) needs.push_back({&point, replications});
    return needs;
  }

  // In turns, so that an early end leaves pairs.
  std::vector<Runner::Need> interleaved(std::uint32_t from, std::uint32_t to) const {
    std::vector<Runner::Need> turns;
    while (from < to) {
      from = std::min(to, from + kChunk);
      for (const Runner::Need& need : needs(from)) turns.push_back(need);
    }
    return turns;
  }

  void run_until_precise(Experiment& experiment) {
    std::uint32_t before = 0;
    requested_ = first_look(rule_);
    while (true) {
      const bool complete = experiment.run(interleaved(before, requested_));
      std::uint32_t next = requested_;
      // The widest interval decides.
      for (const StoppingLook& now : looks(experiment, requested_)) {
        next = std::max(next, now.next);
        stopping_.reached = stopping_.reached && now.reached && complete;
        stopping_.capped = stopping_.capped || (now.capped && complete);
      }
      if (!complete || next == requested_) return;
      before = std::exchange(requested_, next);
    }
  }

  // At the difference of each candidate; sets the outcome's widths.
  std::vector<StoppingLook> looks(const Experiment& experiment, std::uint32_t n) {
    std::vector<StoppingLook> looks;
    stopping_ = {.replications = n, .reached = true};
    for (std::size_t p = 1; p < points_.size(); ++p) {
      const CommonRows rows = common_rows(
          {&points_[0], &points_[p]}, {&experiment.rows(points_[0]), &experiment.rows(points_[p])});
      stopping_.replications =
          std::min(stopping_.replications, static_cast<std::uint32_t>(rows.replications.size()));
      const Question& asked = questions_[p - 1];
      const Difference by_difference =
          difference(asked.by_baseline.values(rows.rows[0]), asked.by.values(rows.rows[1]));
      // A share of the baseline's mean: the difference itself may be nothing.
      StoppingRule rule = rule_;
      rule.precision = {.half_width = rule_.precision.target(by_difference.baseline.mean),
                        .relative = false};
      looks.push_back(look(rule, n, by_difference.paired.difference));
      const double half_width = by_difference.interval().half_width();
      if (!(half_width <= stopping_.half_width)) stopping_.half_width = half_width;
      stopping_.target = rule.precision.half_width;
    }
    return looks;
  }

  ExitCode report(Experiment& experiment, const World& world) {
    CompareResults results{.baseline = &points_[0],
                           .seed = settings_.seed,
                           .requested = requested_ > 0 ? requested_ : settings_.replications,
                           .fail_undecided = fail_undecided_,
                           .remark = experiment.remark()};
    for (std::size_t p = 1; p < points_.size(); ++p) {
      results.candidates.push_back(compared(experiment, p));
    }
    const bool complete_share = !settings_.shard.whole() && !experiment.cut_short();
    const bool no_pair =
        std::any_of(results.candidates.begin(), results.candidates.end(),
                    [](const auto& one) { return one.comparison.replications.empty(); });
    if (no_pair && !complete_share) return experiment.finish({}, ExitCode::kInterrupted);
    if (points_.size() > 2) results.ranking = ranked(experiment);
    if (settings_.replications == 0) {
      results.stopping = stopping_text(
          stopping_, fmt::format("the difference in {}", results.title()), results.unit());
    }
    const ExitCode code = experiment.finish({.document = [&] { return compare_report(results); },
                                             .json = [&] { return compare_json(results); },
                                             .csv = [&] { return compare_csv(results); }},
                                            verdict(results, experiment));
    if (settings_.shard.whole()) say_failures(results, world);
    return code;
  }

  // Of a share, it is not for us to give; what an interruption left open is neither passed nor failed.
  ExitCode verdict(const CompareResults& results, const Experiment& experiment) const {
    if (!settings_.shard.whole()) return ExitCode::kDone;
    if (results.any(Judgement::kHolds)) return ExitCode::kThreshold;
    if (!results.any(Judgement::kOpen)) return ExitCode::kDone;
    if (experiment.cut_short()) return ExitCode::kInterrupted;
    return fail_undecided_ ? ExitCode::kThreshold : ExitCode::kDone;
  }

  ComparedCandidate compared(const Experiment& experiment, std::size_t p) const {
    const Point& baseline = points_[0];
    const Point& point = points_[p];
    ComparedCandidate candidate{.name = CompareResults::letter(p),
                                .point = &point,
                                .changes = scenario_changes(baseline.scenario(), point.scenario()),
                                .question = questions_[p - 1],
                                .comparison = compare(baseline, experiment.rows(baseline), point,
                                                      experiment.rows(point), questions_[p - 1])};
    for (const std::size_t row : candidate.comparison.worst) {
      candidate.stories.push_back(replication_story(baseline.plan(), point.plan(), settings_.seed,
                                                    candidate.comparison.replications[row],
                                                    CompareResults::letter(0)));
    }
    return candidate;
  }

  std::optional<Ranking> ranked(const Experiment& experiment) const {
    std::vector<const Rows*> rows;
    for (const Point& point : points_) rows.push_back(&experiment.rows(point));
    return rank(common_rows(all(), rows), by_of_all_, questions_.front().larger_is_better);
  }

  // A pipeline's log shows which one it was, wherever the report went.
  static void say_failures(const CompareResults& results, const World& world) {
    for (const ComparedCandidate& candidate : results.candidates) {
      for (const ThresholdResult& threshold : candidate.comparison.thresholds) {
        if (threshold.judgement == Judgement::kDoesNotHold) continue;
        fmt::print(world.err, "{}: {}: {}\n", outcome(threshold), candidate.point->label(),
                   threshold_text(threshold));
      }
    }
  }

  ExperimentOptions options_;
  const ExperimentSettings& settings_ = options_.settings();
  std::vector<std::string> others_;
  std::vector<std::string> withs_;
  std::vector<std::string> candidates_;
  std::vector<std::string> fail_ifs_;
  std::string by_ = "ettr";
  bool fail_undecided_ = false;
  std::vector<Point> points_;          // the baseline first
  std::vector<Question> questions_;    // of the others
  std::vector<Expression> by_of_all_;  // of each point
  StoppingRule rule_;
  StoppingOutcome stopping_;
  std::uint32_t requested_ = 0;  // by --reps auto
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<Compare>(); }

}  // namespace faultline
