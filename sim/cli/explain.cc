#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/engine/metric_help.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

class Explain final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command =
        app.add_subcommand("explain", "Tell what a field of a scenario, or a metric, means.");
    command
        ->add_option("PATH", path_,
                     "The field, or the metric; without it, the fields of a scenario.")
        ->type_name("");
    command->add_flag("--recursive", recursive_, "All fields below, too.");
    command->footer(
        "Examples:\n"
        "  faultline explain policy.tolerations\n"
        "  faultline explain workloads.checkpoint --recursive\n"
        "  faultline explain stockout_ratio");
    return command;
  }

  ExitCode execute(const World& world) override {
    const auto text = explain_scenario(path_, recursive_);
    if (text) return print(world, *text);
    if (const MetricHelp* metric = find_metric()) {
      return print(world, fmt::format("{}\n  {}\n", metric->name, metric->text));
    }
    fmt::print(world.err, "faultline explain: {}\n", text.error());
    return ExitCode::kUsage;
  }

 private:
  // By its name, with or without the unit and a member: `ettr`, `lost{redo}`.
  const MetricHelp* find_metric() const {
    const std::string_view name = std::string_view(path_).substr(0, path_.find('{'));
    const auto found =
        std::find_if(metric_helps().begin(), metric_helps().end(), [&](const MetricHelp& metric) {
          return metric.name == name || without_unit(metric.name) == name;
        });
    return found == metric_helps().end() ? nullptr : &*found;
  }

  std::string path_;
  bool recursive_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<Explain>(); }

}  // namespace faultline
