#include "sim/report/why.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "sim/cli/command.h"
#include "sim/cli/option_values.h"
#include "sim/cli/output.h"

namespace faultline {
namespace {

class Why final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "why", "Walk the causes of what happened to a job or a node, from a journal.");
    command->add_option("--journal", journal_, "A file that `faultline run --journal` has written.")
        ->type_name("FILE")
        ->required();
    command->add_option("SUBJECT", subject_, "The name of a job or of a node.")
        ->type_name("")
        ->required();
    command->add_option("TIME", time_, "When: 12d3h4m, or 12d 03:04:05. Without it, the last stop.")
        ->type_name("");
    command->footer(
        "Example:\n"
        "  faultline run llama3 --reps 1 --journal run.jsonl\n"
        "  faultline why --journal run.jsonl llama3 12d3h");
    return command;
  }

  ExitCode execute(const World& world) override {
    std::optional<SimTime> at;
    if (!time_.empty()) {
      const auto parsed = instant(time_);
      if (!parsed) {
        fmt::print(world.err, "faultline why: {}\n", parsed.error());
        return ExitCode::kUsage;
      }
      at = *parsed;
    }
    errno = 0;
    std::ifstream journal(journal_, std::ios::binary);
    if (!journal) {
      fmt::print(world.err, "faultline why: cannot read `{}`: {}\n", journal_,
                 std::strerror(errno));
      return ExitCode::kInputOutput;
    }
    const auto text = why(journal, subject_, at);
    if (text) return print(world, *text);
    fmt::print(world.err, "faultline why: {}\n", text.error());
    return ExitCode::kUsage;
  }

 private:
  std::string journal_;
  std::string subject_;
  std::string time_;
};

}  // namespace

std::unique_ptr<Command> make_why_command() { return std::make_unique<Why>(); }

}  // namespace faultline
