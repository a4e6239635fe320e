#include "sim/cli/command.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/output.h"

namespace faultline {
namespace {

class Show final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "show", "Print the effective scenario as YAML: files taken in, --set applied.");
    command->add_option("SCENARIO", name_, "A name (`faultline list scenarios`) or a path.")
        ->type_name("")
        ->required();
    command->add_flag("--full", full_, "Every field, not only what differs from the defaults.");
    command->add_option("--set", sets_, "Change a field; may be repeated.")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command->footer(
        "The output is a scenario file itself.\n\n"
        "Example:\n  faultline show llama3 --set policy.gate=off > mine.yaml");
    return command;
  }

  ExitCode execute(const World& world) override {
    const auto scenario = load_or_complain(name_, overrides_of(sets_), world);
    return scenario ? print(world, show_scenario(*scenario, full_)) : ExitCode::kUsage;
  }

 private:
  std::string name_;
  bool full_ = false;
  std::vector<std::string> sets_;
};

}  // namespace

std::unique_ptr<Command> make_show_command() { return std::make_unique<Show>(); }

}  // namespace faultline
