#include "sim/cli/command.h"

namespace faultline {

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_run_command());
  commands.push_back(make_tune_command());
  commands.push_back(make_spares_command());
  commands.push_back(make_compare_command());
  commands.push_back(make_sweep_command());
  commands.push_back(make_sensitivity_command());
  commands.push_back(make_check_command());
  commands.push_back(make_merge_command());
  commands.push_back(make_export_command());
  commands.push_back(make_validate_command());
  commands.push_back(make_show_command());
  commands.push_back(make_explain_command());
  commands.push_back(make_list_command());
  commands.push_back(make_why_command());
  commands.push_back(make_collectives_command());
  commands.push_back(make_noise_command());
  commands.push_back(make_schema_command());
  commands.push_back(make_reference_command());
  return commands;
}

}  // namespace faultline
