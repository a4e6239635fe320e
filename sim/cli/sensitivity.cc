#include <fmt/format.h>
#include <fmt/ostream.h>

#include <deque>
#include <utility>

#include "models/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/report/sensitivity_report.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

constexpr std::uint32_t kFewestReplications = 2;

class SensitivityCommand final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "sensitivity", "Say which assumption of a scenario matters most, and is worth measuring.");
    options_.add_to(*command);
    const auto value = [&](const char* name, std::string& text, const char* type,
                           const char* help) {
      command->add_option(name, text, help)->type_name(type)->capture_default_str();
    };
    value("--objective", objective_, "EXPR", "What the assumptions may move: metrics and + - * /.");
    value("--by", by_, "SHARE", "How far each assumption is moved down and up.");
    command->footer(
        "An assumption is a number whose line in the scenario, or in a file that it includes, has "
        "a "
        "comment\n"
        "`# assumption`. Each is moved alone, under the same faults (common random numbers).\n"
        "\n"
        "Examples:\n"
        "  faultline sensitivity small\n"
        "  faultline sensitivity llama3 --by 50%\n"
        "  faultline sensitivity llama3 --objective 'lost{redo} + lost{restart}' --format csv -o "
        "s.csv");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = options_.read()) return options_.complain(world, *problem);
    const auto by = parse_ratio(by_);
    if (!by) return options_.complain(world, "--by: " + by.error());
    if (*by <= 0 || *by >= 1) {
      return options_.complain(world, "--by: a share between 0% and 100%, such as 20%, is needed");
    }
    if (settings_.replications < kFewestReplications) {
      return options_.complain(
          world, fmt::format("--reps: {} has no spread, so no effect could be told from chance; at "
                             "least {}",
                             settings_.replications, kFewestReplications));
    }
    Experiment experiment(options_, world);
    const auto tree = load_scenario_tree(settings_.scenario, settings_.overrides, world.files);
    if (!tree) return complain(world, tree.error());
    auto scenario = read_scenario(*tree, world.files);
    if (!scenario) return complain(world, scenario.error());
    points_.emplace_back("as it is", std::move(*scenario));

    auto objective = Expression::parse(objective_, base().metrics());
    if (!objective) return options_.complain(world, "--objective: " + objective.error());
    results_ = {.scenario = base().scenario().name,
                .seed = settings_.seed,
                .objective = std::move(*objective),
                .by = *by};
    make_variants(*tree, world);
    if (results_.assumptions.empty() && results_.skipped.empty()) {
      return options_.complain(
          world, fmt::format("no number of `{}` is marked as an assumption: end its line with "
                             "`# assumption: why`",
                             settings_.scenario));
    }
    const std::vector<Runner::Need> needs = all_needs();
    if (const auto code = experiment.begin(needs)) return *code;
    experiment.run(needs);
    const Rows& rows = experiment.rows(base());
    const std::string why = results_.objective.undefined(rows.values);
    if (!rows.values.empty() && !why.empty()) return options_.complain(world, why);
    analyse(experiment);
    if (experiment.cut_short() && !results_.anything()) {
      return experiment.finish({}, ExitCode::kInterrupted);
    }
    return experiment.finish({.document = [&] { return sensitivity_report(results_); },
                              .json = [&] { return sensitivity_json(results_); },
                              .csv = [&] { return sensitivity_csv(results_); }});
  }

 private:
  const Point& base() const { return points_.front(); }

  static ExitCode complain(const World& world, const Diagnostics& diagnostics) {
    fmt::print(world.err, "{}", diagnostics.render());
    return ExitCode::kUsage;
  }

  // Each assumption with its variants, as far as the scenario allows them.
  void make_variants(const Tree& tree, const World& world) {
    for (Assumption& assumption : scenario_assumptions(tree, results_.by)) {
      if (!assumption.fixed.empty()) {
        results_.skipped.push_back({assumption, assumption.fixed});
        continue;
      }
      const std::size_t refused = results_.skipped.size();
      const Variants variants{.low = variant(tree, assumption, assumption.low, world),
                              .high = variant(tree, assumption, assumption.high, world)};
      if (variants.low == nullptr && variants.high == nullptr) continue;
      if (results_.skipped.size() > refused) {
        results_.skipped.back().reason +=
            variants.low == nullptr ? "; moved up only" : "; moved down only";
      }
      variants_.push_back(variants);
      results_.assumptions.push_back(std::move(assumption));
    }
  }

  // The point with another value of an assumption; null, and an entry in `skipped`, if it cannot be.
  const Point* variant(const Tree& tree, const Assumption& assumption, const Tree& value,
                       const World& world) {
    auto scenario = read_scenario(with_value(tree, assumption.path, value), world.files);
    if (scenario) {
      const std::string label = assumption.path + "=" + one_line(value);
      return &points_.emplace_back(label, std::move(*scenario));
    }
    const Diagnostic& first = scenario.error().all().front();
    results_.skipped.push_back(
        {assumption,
         fmt::format("cannot become {}: {} {}", one_line(value),
                     first.path == assumption.path ? "it" : first.path, first.problem)});
    return nullptr;
  }

  std::vector<Runner::Need> all_needs() const {
    std::vector<Runner::Need> needs;
    for (const Point& point : points_) needs.push_back({&point, settings_.replications});
    return needs;
  }

  void analyse(const Experiment& experiment) {
    const auto rows_of = [&](const Point* point) {
      return point == nullptr ? nullptr : &experiment.rows(*point);
    };
    std::vector<VariantRows> variants;
    for (const auto& [low, high] : variants_) variants.push_back({rows_of(low), rows_of(high)});
    const Rows& rows = experiment.rows(base());
    results_.replications = rows.finished.size();
    results_.remark = experiment.remark();
    results_.base = mean_estimate(results_.objective.values(rows.values));
    results_.tornado = tornado(results_.objective, rows, variants, results_.confidence);
  }

  struct Variants {
    const Point* low = nullptr;
    const Point* high = nullptr;
  };

  ExperimentOptions options_;
  const ExperimentSettings& settings_ = options_.settings();
  std::string objective_ = "ettr";
  std::string by_ = "20%";
  std::deque<Point> points_;        // the base first
  std::vector<Variants> variants_;  // of results_.assumptions
  SensitivityResults results_;
};

}  // namespace

std::unique_ptr<Command> make_sensitivity_command() {
  return std::make_unique<SensitivityCommand>();
}

}  // namespace faultline
