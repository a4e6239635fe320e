#include "sim/cli/experiment_options.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <limits>

#include "sim/cli/load_or_complain.h"
#include "sim/cli/option_values.h"
#include "sim/report/format.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostReplications = 1'000'000;
constexpr std::int64_t kMostThreads = 1024;

}  // namespace

bool names_store(const std::string& path) {
  return path.ends_with(".db") || path.ends_with(".sqlite");
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text = "faultline";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

void ExperimentOptions::add_to(CLI::App& command, Offer offer) {
  command_ = &command;
  offer_ = std::move(offer);
  replications_ = offer_.replications;
  most_replications_ = offer_.most;
  const auto value = [&](const char* names, std::string& text, const char* type,
                         const std::string& help) {
    command.add_option(names, text, help)->type_name(type)->capture_default_str();
  };
  if (offer_.scenario) {
    command.add_option("SCENARIO", scenario_, "A name (`faultline list scenarios`) or a path.")
        ->type_name("")
        ->required();
  }
  command.add_option("--set", sets_, "Change a field of the scenario; may be repeated.")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  value("--seed", seed_, "N", "Seed of all randomness.");
  value("--reps", replications_, offer_.automatic ? "N|auto" : "N",
        "Replications; more of them narrow the intervals.");
  if (offer_.automatic) {
    if (offer_.precision) {
      value("--precision", precision_, "WIDTH",
            "With --reps auto: the half-width of the 95% interval to reach, 0.1pp or 1%.");
    }
    value("--max-reps", most_replications_, "N", "With --reps auto: the most that it may take.");
  }
  value("--threads", threads_, "N", "Threads; 0: one per core. Results never depend on it.");
  value("--format", format_, "FORMAT", join_names(offer_.formats) + ".");
  command
      .add_option("-o,--output", outputs_,
                  "Where the report goes; -: stdout. X.db: a result store, to continue from; both "
                  "may be given.")
      ->type_name("FILE")
      ->allow_extra_args(false);
  value("--shard", shard_, "I/N", "Run share I of N; `faultline merge` joins them.");
  command.add_flag("--stored", settings_.stored,
                   "Simulate nothing; an error if the result store lacks something.");
  command.add_flag("--dry-run", settings_.dry_run, "Say what would run, and how long.");
  command.add_flag("--quiet", settings_.quiet, "No progress and no summary on stderr.");
}

std::optional<std::string> ExperimentOptions::read() {
  settings_.command = command_->get_name();
  settings_.scenario = scenario_;
  settings_.overrides = overrides_of(sets_);
  settings_.words = words();
  if (auto problem = read_numbers()) return problem;
  if (std::find(offer_.formats.begin(), offer_.formats.end(), format_) == offer_.formats.end()) {
    return fmt::format("--format: `{}` is not {}", printable(format_), join_names(offer_.formats));
  }
  settings_.format = format_;
  return read_outputs();
}

std::optional<std::string> ExperimentOptions::read_numbers() {
  const auto seed = whole_number("--seed", seed_, 0, std::numeric_limits<std::int64_t>::max());
  if (!seed) return seed.error();
  settings_.seed = static_cast<std::uint64_t>(*seed);
  if (!offer_.automatic || replications_ != "auto") {
    const auto replications = whole_number("--reps", replications_, 1, kMostReplications);
    if (!replications) return replications.error() + (offer_.automatic ? ", or auto" : "");
    settings_.replications = static_cast<std::uint32_t>(*replications);
  }
  const auto most = whole_number("--max-reps", most_replications_, 1, kMostReplications);
  if (!most) return most.error();
  settings_.most_replications = static_cast<std::uint32_t>(*most);
  settings_.precision = precision_;
  if (offer_.automatic && settings_.replications != 0) {
    for (const char* option : {"--precision", "--max-reps"}) {
      const CLI::Option* given = command_->get_option_no_throw(option);
      if (given != nullptr && given->count() > 0)
        return fmt::format("{} goes with --reps auto", option);
    }
  }
  const auto threads = whole_number("--threads", threads_, 0, kMostThreads);
  if (!threads) return threads.error();
  settings_.threads = static_cast<int>(*threads);
  const auto shard = parse_shard(shard_);
  if (!shard) return "--shard: " + shard.error();
  settings_.shard = *shard;
  if (settings_.replications == 0 && !shard->whole()) {
    return "--reps auto looks at all replications, so it does not go with --shard";
  }
  return std::nullopt;
}

std::optional<std::string> ExperimentOptions::read_outputs() {
  std::optional<std::string> report;
  for (const std::string& path : outputs_) {
    std::optional<std::string>& taken = names_store(path) ? settings_.store : report;
    if (taken) {
      return fmt::format("-o: `{}` and `{}` are two {}; one of each kind can be given",
                         printable(*taken), printable(path),
                         names_store(path) ? "result stores" : "reports");
    }
    taken = path;
  }
  if (report) settings_.report = *report;
  if (settings_.stored && !settings_.store) return "--stored goes with a result store: `-o X.db`";
  return std::nullopt;
}

std::vector<std::string> ExperimentOptions::words() const {
  const std::vector<std::string> not_these{"threads",
                                           "format",
                                           "output",
                                           "shard",
                                           "stored",
                                           "quiet",
                                           "dry-run",
                                           "journal",
                                           "help",
                                           "timeline",
                                           "journal-replication"};
  std::vector<std::string> words{command_->get_name()};
  for (const CLI::Option* option : command_->get_options()) {
    const std::string name = option->get_positional() ? "" : option->get_lnames().front();
    if (std::find(not_these.begin(), not_these.end(), name) != not_these.end()) continue;
    const bool is_flag = option->get_items_expected_min() == 0;
    for (const std::string& value : option->results()) {
      words.push_back(name.empty() ? value
                      : is_flag    ? "--" + name
                                   : fmt::format("--{}={}", name, value));
    }
  }
  return words;
}

std::string ExperimentOptions::rendered(const Document& document, const World& world) const {
  if (settings_.format == "md") return to_markdown(document);
  return to_text(document, {.colour = world.colour_out && settings_.report == "-"});
}

void ExperimentOptions::warn(const World& world, const char* option,
                             const Condition& condition) const {
  if (condition.doubt.empty()) return;
  fmt::print(world.err, "faultline {}: warning: {} '{}': {}\n", command_->get_name(), option,
             printable(condition.text), condition.doubt);
}

ExitCode ExperimentOptions::complain(const World& world, const std::string& problem,
                                     ExitCode code) const {
  fmt::print(world.err, "faultline {}: {}\n", command_->get_name(), problem);
  return code;
}

}  // namespace faultline
