#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/experiment.h"
#include "sim/cli/experiment_options.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/knob.h"
#include "sim/lab/metric_values.h"
#include "sim/report/sweep_report.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

const std::vector<std::string> kUsualMetrics{"ettr",
                                             "goodput",
                                             "interruptions",
                                             "replacements",
                                             "needless_replacements",
                                             "gate_blocked_total"};

// Mean and interval of the linearised values, quantiles of the values themselves.
Summary summary_of(const Expression& expression, const Rows& rows) {
  std::vector<double> plain;
  for (const std::vector<double>& row : rows.values) plain.push_back(expression.at(row));
  Summary summary = summarise(plain);
  const Summary linear = summarise(expression.values(rows.values));
  summary.mean = linear.mean;
  summary.ci95_low = linear.ci95_low;
  summary.ci95_high = linear.ci95_high;
  return summary;
}

class Sweep final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "sweep", "Simulate every combination of some fields' values and tabulate the metrics.");
    options_.add_to(*command);
    command
        ->add_option("--vary", vary_,
                     "A field with its values: a range A..B/STEP, or a list; may be repeated.")
        ->type_name("PATH=VALUES")
        ->allow_extra_args(false);
    command
        ->add_option("--metric", chosen_,
                     "A metric, or an expression of some, to report; may be repeated. All "
                     "metrics without it.")
        ->type_name("EXPR")
        ->allow_extra_args(false);
    command->footer(
        "Without --vary the scenario as it is makes the only point.\n"
        "\n"
        "Examples:\n"
        "  faultline sweep llama3 --vary policy.tolerations.AcceleratedHardwareReady=0s..30m/5m\n"
        "  faultline sweep llama3 --vary policy.gate=off,10%..50%/10% --vary "
        "capacity.warm_spares=0..16/4\n"
        "  faultline sweep rsc1 --vary capacity.warm_spares=0,8,32 --reps 1000 -o rsc1.db -o "
        "rsc1.csv --format csv");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = options_.read()) return options_.complain(world, *problem);
    auto knobs = parse_knobs(vary_);
    if (!knobs) return options_.complain(world, knobs.error());
    knobs_ = std::move(*knobs);
    Experiment experiment(options_, world);
    auto points = experiment.load_grid(knobs_);
    if (!points) return points.error();
    points_ = std::move(*points);
    const auto& metrics = chosen_.empty() ? kUsualMetrics : chosen_;
    for (const std::string& text : metrics) {
      const auto expression = Expression::parse(text, points_.front().metrics());
      if (!expression) {
        return options_.complain(
            world, fmt::format("--metric {}: {}", printable(text), expression.error()));
      }
      columns_.push_back({text, expression->unit()});
    }
    std::vector<Runner::Need> needs;
    for (const Point& point : points_) {
      needs.push_back({&point, options_.settings().replications});
    }
    if (const auto code = experiment.begin(needs)) return *code;
    experiment.run(needs);
    const auto results = [&] { return results_of(experiment); };
    return experiment.finish({.document = [&] { return sweep_document(results()); },
                              .json = [&] { return sweep_json(results()); },
                              .csv = [&] { return sweep_csv(results()); }});
  }

 private:
  SweepResults results_of(const Experiment& experiment) const {
    SweepResults results{.scenario = points_.front().scenario().name,
                         .seed = options_.settings().seed,
                         .requested = options_.settings().replications,
                         .columns = columns_,
                         .chosen = !chosen_.empty()};
    for (const Knob& knob : knobs_) results.knobs.push_back(knob.path);
    const std::vector<std::vector<std::size_t>> combinations = grid(knobs_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Rows& rows = experiment.rows(points_[i]);
      SweepResults::Point point{.label = points_[i].label(),
                                .hash = points_[i].hash(),
                                .replications = rows.finished.size()};
      for (std::size_t k = 0; k < knobs_.size(); ++k) {
        point.values.push_back(knobs_[k].values[combinations[i][k]]);
      }
      for (const auto& [text, unit] : columns_) {
        // (A point may lack what another one has: a fault class, a policy's metric.)
        const auto expression = Expression::parse(text, points_[i].metrics());
        point.shown.push_back(expression ? summary_of(*expression, rows) : summarise({}));
        if (results.chosen) point.metrics.emplace_back(text, point.shown.back());
      }
      if (!results.chosen) {
        const auto summaries = faultline::summaries(points_[i].metrics(), rows.values);
        for (std::size_t m = 0; m < summaries.size(); ++m) {
          point.metrics.emplace_back(points_[i].metrics()[m].text(), summaries[m]);
        }
      }
      results.points.push_back(std::move(point));
    }
    return results;
  }

  ExperimentOptions options_;
  std::vector<std::string> vary_;
  std::vector<std::string> chosen_;
  std::vector<Knob> knobs_;
  std::vector<Point> points_;
  std::vector<SweepResults::Column> columns_;
};

}  // namespace

std::unique_ptr<Command> make_sweep_command() { return std::make_unique<Sweep>(); }

}  // namespace faultline
