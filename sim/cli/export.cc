#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/lab/store/result_store.h"
#include "sim/report/csv.h"
#include "sim/report/json_quoted.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

void write_csv(std::ostream& out, const ResultStore::Value& value) {
  fmt::print(out, "{},{},{},{},{},{},{},{}\n", csv_text(value.scenario), csv_text(value.settings),
             value.hash, csv_text(value.version), value.seed, value.replication,
             csv_text(value.metric), csv_number(value.value));
}

void write_json_line(std::ostream& out, const ResultStore::Value& value) {
  const std::string number = csv_number(value.value);
  fmt::print(out,
             R"({{"scenario":{},"settings":{},"hash":"{}","version":{},"seed":{},)"
             R"("replication":{},"metric":{},"value":{}}})"
             "\n",
             json_quoted(value.scenario), json_quoted(value.settings), value.hash,
             json_quoted(value.version), value.seed, value.replication, json_quoted(value.metric),
             number.empty() ? "null" : number);
}

class Export final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "export", "Print a result store in long format: a line per replication and metric.");
    command->add_option("FILE", file_, "The result store.")->type_name("")->required();
    command->add_option("--format", format_, "csv or jsonl.")
        ->type_name("FORMAT")
        ->capture_default_str();
    command->add_option("-o,--output", output_, "Where it goes; -: stdout.")
        ->type_name("FILE")
        ->capture_default_str();
    command->footer(
        "The file is SQLite, so this works, too:\n"
        "  sqlite3 results.db \"SELECT settings, avg(value) FROM metric WHERE metric = "
        "'ettr_ratio' GROUP BY hash\"\n"
        "\n"
        "Example:\n"
        "  faultline export results.db --format jsonl -o results.jsonl");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (format_ != "csv" && format_ != "jsonl") {
      return complain(world, fmt::format("--format: `{}` is not csv or jsonl", printable(format_)),
                      ExitCode::kUsage);
    }
    const auto store = ResultStore::open_existing(file_);
    if (!store) return complain(world, store.error(), ExitCode::kInputOutput);
    auto output = Output::open(output_, world);
    if (!output) return complain(world, output.error(), ExitCode::kInputOutput);
    std::ostream& out = output->stream();
    const bool csv = format_ == "csv";
    if (csv) out << "scenario,settings,hash,version,seed,replication,metric,value\n";
    const auto written = store->for_each_value([&](const ResultStore::Value& value) {
      if (out) csv ? write_csv(out, value) : write_json_line(out, value);
    });
    if (!written) return complain(world, written.error(), ExitCode::kInputOutput);
    if (const auto closed = output->close(); !closed) {
      return complain(world, closed.error(), ExitCode::kInputOutput);
    }
    return ExitCode::kDone;
  }

 private:
  static ExitCode complain(const World& world, const std::string& problem, ExitCode code) {
    fmt::print(world.err, "faultline export: {}\n", problem);
    return code;
  }

  std::string file_;
  std::string format_ = "csv";
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<Export>(); }

}  // namespace faultline
