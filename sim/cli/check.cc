#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cli/command.h"
#include "sim/cli/expectations_or_complain.h"
#include "sim/cli/experiment.h"
#include "sim/lab/stats/doubling_looks.h"
#include "sim/report/check_report.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

class Check final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "check", "Run scenarios and say whether what their `expect:` blocks demand is kept.");
    command->add_option("FILE", names_, "Names or paths of scenarios.")->type_name("")->required();
    options_.add_to(*command, {.replications = "auto",
                               .automatic = true,
                               .most = "6400",
                               .precision = false,
                               .scenario = false});
    command->footer(fmt::format(
        "Each expectation holds, fails or is undecided at its confidence (95%, if it states none). "
        "A bound on\n"
        "a mean is tested by one-sided limits; == and != speak of every single replication. With "
        "--reps auto,\n"
        "{} replications are doubled up to --max-reps as long as one is undecided.\n"
        "\n"
        "Exit code 0: all hold. 1: one fails or stays undecided. 2: one names no metric, or none "
        "is there.\n"
        "130: interrupted while one was undecided. A share (--shard) leaves the verdict to "
        "`merge`.\n"
        "\n"
        "Examples:\n"
        "  faultline check small\n"
        "  faultline check traces/scenarios/*.yaml --format json -o check.json\n"
        "  faultline check small --set 'expect=[ettr >= 90%]'",
        kFirstLook));
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = options_.read()) return options_.complain(world, *problem);
    Experiment experiment(options_, world);
    if (!load_all(experiment, world)) return ExitCode::kUsage;
    const bool nothing = std::all_of(checks_.begin(), checks_.end(),
                                     [](const auto& check) { return check.expected.empty(); });
    if (nothing) {
      return options_.complain(
          world, fmt::format("`{}` expects nothing: add a block such as `expect: [ettr >= 85%]`",
                             printable(names_.front())));
    }
    looks_ = settings_.replications == 0 ? doubling_looks(kFirstLook, settings_.most_replications)
                                         : std::vector{settings_.replications};
    if (const auto code = experiment.begin(needs(looks_.back()), names_)) {
      return *code;
    }
    look_until_decided(experiment);
    return report(experiment);
  }

 private:
  struct OneCheck {
    Point point;
    std::vector<Expected> expected;
    std::vector<Judgement> judgements;

    bool undecided() const {
      return std::any_of(judgements.begin(), judgements.end(), [](const Judgement& judgement) {
        return judgement.verdict == Verdict::kUndecided;
      });
    }
  };

  // All errors of all files.
  bool load_all(const Experiment& experiment, const World& world) {
    bool fine = true;
    for (const std::string& name : names_) {
      auto point = experiment.load(name, name, {});
      fine = fine && point;
      if (!point) continue;
      auto expected = expectations_or_complain(point->scenario(), point->metrics(), name,
                                               settings_.overrides, world);
      fine = fine && expected;
      if (!expected) continue;
      for (const auto& [condition, confidence] : *expected) {
        options_.warn(world, "expect", condition);
      }
      checks_.push_back({std::move(*point), std::move(*expected), {}});
    }
    return fine;
  }

  std::vector<Runner::Need> needs(std::uint32_t replications) const {
    std::vector<Runner::Need> needs;
    for (const OneCheck& check : checks_) {
      if (!check.expected.empty()) needs.push_back({&check.point, replications});
    }
    return needs;
  }

  void look_until_decided(Experiment& experiment) {
    std::vector<Runner::Need> wanted = needs(looks_.front());
    for (std::size_t look = 0; look < looks_.size() && !wanted.empty(); ++look) {
      const bool complete = experiment.run(wanted);
      wanted.clear();
      const std::uint32_t next = looks_[std::min(look + 1, looks_.size() - 1)];
      for (OneCheck& check : checks_) {
        const Rows& rows = experiment.rows(check.point);
        check.judgements.clear();
        for (const auto& [condition, confidence] : check.expected) {
          check.judgements.push_back(
              judge(condition, confidence, rows.values, static_cast<int>(looks_.size())));
        }
        if (check.undecided()) wanted.push_back({&check.point, next});
      }
      if (!complete) return;
    }
  }

  ExitCode report(Experiment& experiment) {
    CheckResults results{.seed = settings_.seed, .remark = experiment.remark()};
    for (OneCheck& check : checks_) {
      results.scenarios.push_back({.name = check.point.label(),
                                   .replications = experiment.rows(check.point).finished.size(),
                                   .expected = std::move(check.expected),
                                   .judgements = std::move(check.judgements)});
    }
    return experiment.finish({.document = [&] { return check_report(results); },
                              .json = [&] { return check_json(results); },
                              .csv = [&] { return check_csv(results); }},
                             verdict(results, experiment));
  }

  // Of a share, it is not for us to give; what an interruption left open is neither kept nor broken.
  ExitCode verdict(const CheckResults& results, const Experiment& experiment) const {
    if (!settings_.shard.whole()) return ExitCode::kDone;
    if (results.count(Verdict::kFails) > 0) return ExitCode::kThreshold;
    if (results.count(Verdict::kUndecided) == 0) return ExitCode::kDone;
    return experiment.cut_short() ? ExitCode::kInterrupted : ExitCode::kThreshold;
  }

  ExperimentOptions options_;
  const ExperimentSettings& settings_ = options_.settings();
  std::vector<std::string> names_;
  std::vector<OneCheck> checks_;
  std::vector<std::uint32_t> looks_;  // after how many replications
};

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<Check>(); }

}  // namespace faultline
