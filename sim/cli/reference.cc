#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

class Reference final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    return app.add_subcommand("reference", "Print every field of scenario files as Markdown.");
  }

  ExitCode execute(const World& world) override { return print(world, scenario_reference()); }
};

}  // namespace

std::unique_ptr<Command> make_reference_command() { return std::make_unique<Reference>(); }

}  // namespace faultline
