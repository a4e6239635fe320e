// One subcommand: its options, and what it does. One file each; `make_commands` lists them.
//
// To add one: a file with a class and its make function, a line here and one in commands.cc.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <vector>

#include "sim/cli/world.h"

namespace faultline {

class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  // Adds the subcommand, with options that are bound to this object.
  virtual CLI::App* add_to(CLI::App& app) = 0;
  // After the options were read.
  virtual ExitCode execute(const World& world) = 0;
};

std::unique_ptr<Command> make_run_command();
std::unique_ptr<Command> make_tune_command();
std::unique_ptr<Command> make_spares_command();
std::unique_ptr<Command> make_compare_command();
std::unique_ptr<Command> make_sweep_command();
std::unique_ptr<Command> make_sensitivity_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_merge_command();
std::unique_ptr<Command> make_export_command();
std::unique_ptr<Command> make_validate_command();
std::unique_ptr<Command> make_show_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_schema_command();
std::unique_ptr<Command> make_reference_command();
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_why_command();
std::unique_ptr<Command> make_collectives_command();
std::unique_ptr<Command> make_noise_command();

// In the order of the help text.
std::vector<std::unique_ptr<Command>> make_commands();

}  // namespace faultline
