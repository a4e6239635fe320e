#include "sim/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <exception>

#include "sim/cli/argument_check.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/lab/store/version.h"

namespace faultline {
namespace {

constexpr const char* kDescription =
    "faultline simulates a GPU cluster from the instant a part breaks to the instant the training\n"
    "job makes progress again, and reports goodput, stalls, repairs and what the safety gates did.";
constexpr const char* kFooter =
    "Examples:\n"
    "  faultline run llama3                       54 days of Llama 3 under Karpenter node repair\n"
    "  faultline run small --set policy.gate=off  the same week without the safety gate\n"
    "  faultline tune llama3 --vary policy.tolerations.AcceleratedHardwareReady=0s..30m/1m\n"
    "  faultline spares rsc1-repair --target 'stockout <= 1%'\n"
    "  faultline compare llama3 --with policy.gate=off --fail-if 'ettr.delta < -0.5pp'\n"
    "  faultline explain policy.tolerations       what a field means\n"
    "\n"
    "`faultline COMMAND --help` tells more. Data goes to stdout, talk to stderr. Exit codes: 0 "
    "done,\n"
    "1 a threshold failed or a target is out of reach, 2 usage or configuration, 3 input or "
    "output,\n"
    "70 a bug in faultline, 130 interrupted before there was an answer.";

std::string version_text() { return "faultline " + std::string(kVersion); }

ExitCode our_bug(const World& world, const std::vector<std::string>& arguments, const char* what) {
  fmt::print(
      world.err,
      "faultline: internal error: {}\n"
      "This is a bug in faultline. Please report it with this text, the scenario's files and "
      "the command:\n  faultline {}\n",
      what, fmt::join(arguments, " "));
  return ExitCode::kOurBug;
}

ExitCode parse_and_execute(const std::vector<std::string>& arguments, const World& world) {
  CLI::App app(kDescription, "faultline");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(), "Print the version and exit.");
  app.set_help_flag("-h,--help", "Print this help and exit.");
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("REQUIRED", "(required)");

  std::vector<std::pair<CLI::App*, std::unique_ptr<Command>>> commands;
  for (auto& command : make_commands()) {
    CLI::App* added = command->add_to(app);
    added->group("Commands");
    commands.emplace_back(added, std::move(command));
  }
  if (arguments.empty()) {
    fmt::print(world.err, "{}", app.help());
    return ExitCode::kUsage;
  }
  if (const auto problem = usage_problem(app, arguments)) {
    fmt::print(world.err, "{}\n", *problem);
    return ExitCode::kUsage;
  }
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    const auto asked = app.get_subcommands();
    return print(world, asked.empty() ? app.help() : asked.front()->help("faultline"));
  } catch (const CLI::CallForVersion&) {
    return print(world, version_text() + "\n");
  } catch (const CLI::ParseError& error) {
    fmt::print(world.err, "faultline: {}\n", error.what());
    return ExitCode::kUsage;
  }
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const auto& command) { return command.first->parsed(); });
  return chosen->second->execute(world);
}

}  // namespace

ExitCode run_command_line(const std::vector<std::string>& arguments, const World& world) {
  try {
    return parse_and_execute(arguments, world);
  } catch (const std::exception& error) {
    return our_bug(world, arguments, error.what());
  }
}

}  // namespace faultline
