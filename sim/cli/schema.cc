#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

class Schema final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command =
        app.add_subcommand("schema", "Print the JSON Schema of scenario files, for editors.");
    command->footer(
        "Example:\n  faultline schema > scenario.schema.json\n"
        "and in the first line of a scenario:\n"
        "  # yaml-language-server: $schema=scenario.schema.json");
    return command;
  }

  ExitCode execute(const World& world) override { return print(world, scenario_json_schema()); }
};

}  // namespace

std::unique_ptr<Command> make_schema_command() { return std::make_unique<Schema>(); }

}  // namespace faultline
