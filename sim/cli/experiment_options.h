// The options that experiments share, so that a command declares only what is special to it.
//
//   SCENARIO --set --seed --reps --threads --format -o --quiet --shard --stored --dry-run
//
// `-o X.db` (or .sqlite) names a result store, any other -o the file of the report; both may be given.
//
// Use: `add_to` in Command::add_to, `read` first thing in execute(), `settings` after it.
//
// Thread rule: one thread.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/world.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/shard.h"
#include "sim/report/document.h"
#include "sim/scenario/override.h"

namespace faultline {

// What the options said.
struct ExperimentSettings {
  std::string command;   // "sweep"
  std::string scenario;  // a name or a path
  std::vector<Override> overrides;
  std::uint64_t seed = 1;
  std::uint32_t replications = 0;  // 0: `auto`
  std::string precision;  // of --reps auto, as it was written; empty: the default (option_values.h)
  std::uint32_t most_replications = 0;  // the cap of --reps auto
  int threads = 0;
  std::string format;
  std::string report = "-";          // where it goes
  std::optional<std::string> store;  // a result store
  Shard shard;
  bool stored = false;  // simulate nothing
  bool dry_run = false;
  bool quiet = false;
  // The words that decide the answer: the command line without what only says how, how much of it and
  // where to (--threads, --shard, --format, -o, ...). The same for every share.
  std::vector<std::string> words;
};

// `X.db` and `X.sqlite` name a result store.
bool names_store(const std::string& path);

// A command line to copy: "faultline sweep llama3 '--vary=policy.gate=off,20%' -o all.db".
std::string command_text(const std::vector<std::string>& words);

class ExperimentOptions {
 public:
  // What a command offers.
  struct Offer {
    std::vector<std::string> formats = {"text", "json", "md", "csv"};
    std::string replications = "100";  // the default of --reps
    bool automatic = false;            // --reps auto, with --max-reps
    std::string most = "10000";        // the default of --max-reps
    bool precision = true;             // and --precision; false: something else says what is enough
    bool scenario = true;              // false: the command has an argument of its own for it
  };

  void add_to(CLI::App& command, Offer offer);
  void add_to(CLI::App& command) { add_to(command, Offer()); }

  // Reads the values; the first problem as a sentence.
  std::optional<std::string> read();
  const ExperimentSettings& settings() const { return settings_; }

  // For --format text and md; in colour where the report goes to a terminal.
  std::string rendered(const Document& document, const World& world) const;

  // "faultline compare: warning: --fail-if 'ettr.delta < -0.5': DOUBT" on stderr, if there is any.
  void warn(const World& world, const char* option, const Condition& condition) const;

  // "faultline sweep: PROBLEM" on stderr; returns the code.
  ExitCode complain(const World& world, const std::string& problem,
                    ExitCode code = ExitCode::kUsage) const;

 private:
  std::optional<std::string> read_numbers();
  std::optional<std::string> read_outputs();
  std::vector<std::string> words() const;

  const CLI::App* command_ = nullptr;
  Offer offer_;
  std::string scenario_;
  std::vector<std::string> sets_;
  std::string seed_ = "1";
  std::string replications_;
  std::string precision_;
  std::string most_replications_;
  std::string threads_ = "0";
  std::string format_ = "text";
  std::vector<std::string> outputs_;
  std::string shard_ = "1/1";
  ExperimentSettings settings_;
};

}  // namespace faultline
