#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

class Explain final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command =
        app.add_subcommand("explain", "Tell what a field of a scenario means, with its default.");
    command->add_option("PATH", path_, "The field; without it, the fields of a scenario.")
        ->type_name("");
    command->add_flag("--recursive", recursive_, "All fields below, too.");
    command->footer(
        "Examples:\n"
        "  faultline explain policy.tolerations\n"
        "  faultline explain workloads.checkpoint --recursive");
    return command;
  }

  ExitCode execute(const World& world) override {
    const auto text = explain_scenario(path_, recursive_);
    if (text) return print(world, *text);
    fmt::print(world.err, "faultline explain: {}\n", text.error());
    return ExitCode::kUsage;
  }

 private:
  std::string path_;
  bool recursive_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<Explain>(); }

}  // namespace faultline
