#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>

#include "sim/cli/command.h"
#include "sim/cli/command_line.h"
#include "sim/cli/experiment_options.h"
#include "sim/lab/store/result_store.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

class Merge final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "merge", "Join the result stores of an experiment's shares and print its report.");
    command->add_option("FILE", files_, "Result stores.")->type_name("")->required();
    command
        ->add_option("-o,--output", outputs_,
                     "X.db: the result store that gets everything. Any other: where the report "
                     "goes; -: stdout.")
        ->type_name("FILE")
        ->allow_extra_args(false);
    command->add_option("--format", format_, "text, json, md or csv.")
        ->type_name("FORMAT")
        ->capture_default_str();
    command->footer(
        "Nothing is simulated: if replications are missing, it says which. The report is that of "
        "the "
        "same\n"
        "experiment in one process, byte for byte. Stores of different experiments are joined, "
        "too, "
        "but\n"
        "not reported: exit code 3.\n"
        "\n"
        "Example:\n"
        "  faultline sweep llama3 --vary policy.gate=off,20% --shard 1/2 -o part1.db   (here)\n"
        "  faultline sweep llama3 --vary policy.gate=off,20% --shard 2/2 -o part2.db   (there)\n"
        "  faultline merge part1.db part2.db -o all.db");
    return command;
  }

  ExitCode execute(const World& world) override {
    std::vector<std::string> passed_on{"--stored", "--format", format_};
    for (const std::string& path : outputs_) {
      passed_on.insert(passed_on.end(), {"-o", path});
      if (names_store(path)) into_ = path;
    }
    if (into_.empty()) {
      return complain(world, "name the result store that gets everything: `-o all.db`",
                      ExitCode::kUsage);
    }
    std::vector<ResultStore::Experiment> experiments;
    if (const auto merged = merge(experiments); !merged) {
      return complain(world, merged.error(), ExitCode::kInputOutput);
    }
    if (experiments.size() == 1) {
      std::vector<std::string> words = experiments.front().words;
      words.insert(words.end(), passed_on.begin(), passed_on.end());
      return run_command_line(words, world);
    }
    if (experiments.empty()) {
      return complain(world,
                      fmt::format("`{}` holds no experiment, so there is nothing to report",
                                  printable(into_, 200)),
                      ExitCode::kInputOutput);
    }
    fmt::print(
        world.err,
        "faultline merge: `{}` holds {} experiments, so none was reported; for the report of "
        "one of them:\n",
        printable(into_, 200), experiments.size());
    for (const ResultStore::Experiment& experiment : experiments) {
      std::vector<std::string> words = experiment.words;
      words.insert(words.end(), {"-o", into_});
      fmt::print(world.err, "  {}\n", command_text(words));
    }
    return ExitCode::kInputOutput;
  }

 private:
  // (The store is closed again before the report's command opens it.)
  tl::expected<void, std::string> merge(std::vector<ResultStore::Experiment>& experiments) const {
    auto all = ResultStore::open(into_);
    if (!all) return tl::unexpected(all.error());
    for (const std::string& file : files_) {
      std::error_code ignored;
      if (std::filesystem::equivalent(file, into_, ignored)) continue;
      if (auto merged = all->merge(file); !merged) return merged;
    }
    auto known = all->experiments();
    if (!known) return tl::unexpected(known.error());
    experiments = std::move(*known);
    return {};
  }

  static ExitCode complain(const World& world, const std::string& problem, ExitCode code) {
    fmt::print(world.err, "faultline merge: {}\n", problem);
    return code;
  }

  std::vector<std::string> files_;
  std::vector<std::string> outputs_;
  std::string format_ = "text";
  std::string into_;
};

}  // namespace

std::unique_ptr<Command> make_merge_command() { return std::make_unique<Merge>(); }

}  // namespace faultline
