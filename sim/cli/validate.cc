#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/cli/command.h"
#include "sim/cli/expectations_or_complain.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/output.h"
#include "sim/engine/plan.h"

namespace faultline {
namespace {

class Validate final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "validate", "Check scenario files and list all that is wrong with them.");
    command->add_option("FILE", names_, "Names or paths of scenarios.")->type_name("")->required();
    command->footer(
        "Each error has its file, line, column, field and a way out. Exit code 2 if there is "
        "one.\n"
        "A warning is about a field that is set and has no effect; it changes no exit code.\n\n"
        "Example:\n  faultline validate traces/scenarios/*.yaml");
    return command;
  }

  ExitCode execute(const World& world) override {
    std::string good;
    std::size_t bad = 0;
    for (const std::string& name : names_) {
      if (is_good(name, world)) {
        good += name + ": ok\n";
      } else {
        ++bad;
      }
    }
    const ExitCode printed = print(world, good);
    if (printed != ExitCode::kDone) return printed;
    return bad == 0 ? ExitCode::kDone : ExitCode::kUsage;
  }

 private:
  static bool is_good(const std::string& name, const World& world) {
    const auto scenario = load_or_complain(name, {}, world);
    if (!scenario) return false;
    warn_of_idle_knobs(*scenario, name, {}, world);
    if (scenario->expect.empty()) return true;
    const SimulationPlan plan(*scenario);
    return expectations_or_complain(*scenario, metric_names(plan), name, {}, world).has_value();
  }

  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> make_validate_command() { return std::make_unique<Validate>(); }

}  // namespace faultline
