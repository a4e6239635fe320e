#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "models/detectors/contract.h"
#include "policies/registry.h"
#include "sim/cli/command.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/output.h"
#include "sim/engine/metric_help.h"
#include "sim/report/document.h"
#include "sim/scenario/load.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string table_text(const std::vector<std::string>& titles, Rows rows) {
  Table table{.rows = std::move(rows)};
  for (const std::string& title : titles) table.columns.push_back({.title = title});
  return to_text(table, {});
}

std::string scenarios(const World& world) {
  Rows rows;
  for (const std::string& name : scenario_names(world.files)) {
    const auto scenario = load_scenario(name, {}, world.files);
    rows.push_back({name, scenario ? scenario->description : "(has errors: faultline validate)"});
  }
  return table_text({"scenario", "what it is"}, std::move(rows));
}

std::string metrics() {
  Rows rows;
  for (const MetricHelp& metric : metric_helps()) {
    const std::string member =
        metric.label.empty() ? "" : fmt::format("{{{}=\"...\"}}", metric.label);
    rows.push_back({std::string(metric.name) + member, std::string(metric.text)});
  }
  return table_text({"metric", "what it is, of one run"}, std::move(rows));
}

std::string tags(const char* title, const std::vector<PolicyEntry>& entries) {
  Rows rows;
  for (const PolicyEntry& entry : entries) {
    rows.push_back({"!" + std::string(entry.tag), std::string(entry.help)});
  }
  return table_text({title, "what it does"}, std::move(rows));
}

// The catalogues of a kind in a folder of the project: files that load as one.
template <class Catalogue>
std::string catalogues(const World& world, const std::string& folder, const std::string& title) {
  Rows rows;
  for (const std::string& name : world.files.list(join_path(world.files.project_root(), folder))) {
    if (!name.ends_with(".yaml")) continue;
    const std::string file = folder + "/" + name;
    const auto catalogue = load<Catalogue>(
        {.file = join_path(world.files.project_root(), file), .named_folder = folder}, world.files);
    if (catalogue) rows.push_back({file, catalogue->source});
  }
  return table_text({title, "source"}, std::move(rows));
}

std::string fault_classes(const Scenario& scenario) {
  Rows rows;
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    rows.push_back({fault_class.name, std::string(enum_name(fault_class.effect)),
                    fault_class.rate ? to_string(*fault_class.rate) : "scripted",
                    fault_class.source});
  }
  return table_text({"class", "effect", "rate", "source"}, std::move(rows));
}

std::string reasons(const Scenario& scenario) {
  Rows rows;
  const Contract contract(scenario.detectors, scenario.detectors.xids.fatal);
  for (const Reason& reason : contract.reasons()) {
    rows.push_back({reason.name, contract.conditions()[reason.condition.index()],
                    std::string(enum_name(reason.severity)),
                    scenario.detectors.channels[reason.channel.index()].name,
                    reason.published ? "" : "disabled"});
  }
  return table_text({"reason", "condition", "severity", "channel", ""}, std::move(rows));
}

class List final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "list",
        "List the scenarios, policies, controllers, detectors, faults or metrics that there are.");
    command
        ->add_option("WHAT", what_,
                     "scenarios, policies, controllers, detectors, faults or metrics")
        ->type_name("")
        ->required();
    command
        ->add_option("SCENARIO", scenario_,
                     "With detectors and faults: what this scenario uses, in full.")
        ->type_name("");
    command->footer("Examples:\n  faultline list scenarios\n  faultline list faults llama3");
    return command;
  }

  ExitCode execute(const World& world) override {
    const std::vector<std::string> kinds{"scenarios", "policies", "controllers",
                                         "detectors", "faults",   "metrics"};
    if (std::find(kinds.begin(), kinds.end(), what_) == kinds.end()) {
      const std::string suggestion = suggest(what_, kinds);
      fmt::print(world.err, "faultline list: there is no list of `{}`{}\n", printable(what_),
                 suggestion.empty() ? "; there are " + join_names(kinds)
                                    : fmt::format("; did you mean `{}`?", suggestion));
      return ExitCode::kUsage;
    }
    const bool of_scenario = what_ == "detectors" || what_ == "faults";
    if (!scenario_.empty() && !of_scenario) {
      fmt::print(world.err, "faultline list: `{}` do not depend on a scenario\n", what_);
      return ExitCode::kUsage;
    }
    if (what_ == "scenarios") return print(world, scenarios(world));
    if (what_ == "policies") return print(world, tags("policy", registered_policies()));
    if (what_ == "controllers") {
      return print(world, tags("controller", registered_controllers()));
    }
    if (what_ == "metrics") return print(world, metrics());
    if (scenario_.empty()) {
      return print(world, what_ == "faults"
                              ? catalogues<FaultCatalogueConfig>(world, "traces", "catalogue")
                              : catalogues<DetectorsConfig>(world, "models/detectors", "agent"));
    }
    const auto scenario = load_or_complain(scenario_, {}, world);
    if (!scenario) return ExitCode::kUsage;
    return print(world, what_ == "faults" ? fault_classes(*scenario) : reasons(*scenario));
  }

 private:
  std::string what_;
  std::string scenario_;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<List>(); }

}  // namespace faultline
