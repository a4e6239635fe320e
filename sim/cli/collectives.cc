#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "sim/cli/command.h"
#include "sim/cli/degrade_option.h"
#include "sim/cli/load_or_complain.h"
#include "sim/cli/option_values.h"
#include "sim/cli/output.h"
#include "sim/lab/collectives/cost_file.h"
#include "sim/lab/collectives/simgrid_oracle.h"
#include "sim/report/collectives_report.h"

namespace faultline {
namespace {

constexpr const char* kAnalytic = "analytic";
constexpr const char* kSimGrid = "simgrid";

template <class E>
std::vector<std::string> names_of_enum() {
  std::vector<std::string> names;
  for (const auto& [value, name] : EnumNames<E>::kNames) names.emplace_back(name);
  return names;
}

template <class E>
std::optional<E> value_of(const std::string& text) {
  for (const auto& [value, name] : EnumNames<E>::kNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

class Collectives final : public Command {
 public:
  CLI::App* add_to(CLI::App& app) override {
    CLI::App* command = app.add_subcommand(
        "collectives", "What all-reduce and its like cost on the fabric, healthy or degraded.");
    command->add_option("SCENARIO", scenario_, "A name (`faultline list scenarios`) or a path.")
        ->type_name("")
        ->required();
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* type,
                          const char* help) {
      command->add_option(name, values, help)->type_name(type)->allow_extra_args(false);
    };
    const auto value = [&](const char* names, std::string& text, const char* type,
                           const char* help) {
      command->add_option(names, text, help)->type_name(type)->capture_default_str();
    };
    list("--degrade", degrade_, "PART=SHARE",
         "What is left of a part: rail3@node17=10%, leaf12=dead, uplink5@leaf3=50%+20us; may be "
         "repeated.");
    value("--backend", back_end_, "NAME", "analytic, fluid or simgrid.");
    list("--op", ops_, "OP",
         "all-reduce, reduce-scatter, all-gather or all-to-all; may be repeated (without it, the "
         "first three).");
    list("--bytes", bytes_, "SIZE", "Size as in nccl-tests, such as 1GiB; may be repeated.");
    value("--nodes", nodes_, "N",
          "The first N nodes take part (without it, those of the first job).");
    value("--algorithm", algorithm_, "NAME",
          "ring, tree, hierarchical or direct (without it, what NCCL would choose; with fluid and "
          "simgrid, hierarchical).");
    value("--protocol", protocol_, "NAME",
          "LL, LL128 or Simple (without it, what NCCL would choose).");
    command->add_flag("--per-gpu", per_gpu_,
                      "A group for each GPU number over the nodes, all at once, as data parallel "
                      "ranks have it.");
    value("--cache", cache_, "FOLDER", "simgrid: keep costs there and use them again.");
    list("--set", sets_, "PATH=VALUE", "Change a field of the scenario; may be repeated.");
    value("--format", format_, "FORMAT", "text, json or md.");
    value("-o,--output", output_, "FILE", "Where the report goes; -: stdout.");
    command->footer(
        "Examples:\n"
        "  faultline collectives llama3-fabric\n"
        "  faultline collectives llama3-fabric --degrade rail3@train-17=10%\n"
        "  faultline collectives llama3-fabric --backend simgrid --nodes 64 --degrade "
        "leaf3=50%");
    return command;
  }

  ExitCode execute(const World& world) override {
    if (const auto problem = read_options()) return usage(world, *problem);
    const auto scenario = load_or_complain(scenario_, overrides_of(sets_), world);
    if (!scenario) return ExitCode::kUsage;
    if (!scenario->fleet.fabric) {
      return usage(world, fmt::format("scenario `{}` has no fabric: see `faultline explain "
                                      "fleet.fabric`, or try `llama3-fabric`",
                                      printable(scenario->name)));
    }
    auto output = Output::open(output_, world);
    if (!output) return input_output(world, output.error());
    const Fleet fleet(scenario->fleet, scenario->capacity.warm_spares);
    const Fabric fabric(scenario->fleet, scenario->capacity.warm_spares);
    CollectivesResults results{.scenario = scenario->name, .back_end = back_end_, .fabric = fabric};
    if (const auto problem = read_faults(fleet, results)) return usage(world, *problem);
    auto nodes = job_nodes(*scenario, fleet);
    if (!nodes) return usage(world, nodes.error());
    results.nodes = static_cast<std::uint32_t>(nodes->size());
    look_at_graph(*nodes, results);
    if (const ExitCode code = add_costs(*nodes, results, world); code != ExitCode::kDone) {
      return code;
    }
    output->stream() << report(results, world);
    if (const auto closed = output->close(); !closed) return input_output(world, closed.error());
    return ExitCode::kDone;
  }

 private:
  ExitCode usage(const World& world, const std::string& problem) const {
    fmt::print(world.err, "faultline collectives: {}\n", problem);
    return ExitCode::kUsage;
  }
  ExitCode input_output(const World& world, const std::string& problem) const {
    fmt::print(world.err, "faultline collectives: {}\n", problem);
    return ExitCode::kInputOutput;
  }

  std::optional<std::string> read_options() {
    if (const auto p = not_one_of("--backend", back_end_, {kAnalytic, "fluid", kSimGrid})) return p;
    if (const auto p = not_one_of("--format", format_, {"text", "json", "md"})) return p;
    if (ops_.empty()) ops_ = {"all-reduce", "reduce-scatter", "all-gather"};
    for (const std::string& op : ops_) {
      if (const auto p = not_one_of("--op", op, names_of_enum<CollectiveOp>())) return p;
    }
    if (!algorithm_.empty()) {
      const auto names = names_of_enum<CollectiveAlgorithm>();
      if (const auto p = not_one_of("--algorithm", algorithm_, names)) return p;
    }
    if (!protocol_.empty()) {
      if (const auto p = not_one_of("--protocol", protocol_, names_of_enum<Protocol>())) return p;
    }
    if (!cache_.empty() && back_end_ != kSimGrid) return "--cache goes with --backend simgrid";
    if (bytes_.empty()) bytes_ = {"1MiB", "16MiB", "256MiB", "4GiB"};
    for (const std::string& text : bytes_) {
      const auto size = parse_bytes(text);
      if (!size) return fmt::format("--bytes `{}`: {}", printable(text), size.error());
      if (size->value < 1) return fmt::format("--bytes `{}`: at least 1B", printable(text));
      sizes_.push_back(size->value);
    }
    return std::nullopt;
  }

  std::optional<std::string> read_faults(const Fleet& fleet, CollectivesResults& results) const {
    std::vector<FabricFault> faults;
    for (const std::string& text : degrade_) {
      const auto fault = degraded_part(text, results.fabric, fleet);
      if (!fault) return fault.error();
      faults.push_back(*fault);
    }
    results.state = FabricState(std::move(faults));
    return std::nullopt;
  }

  tl::expected<std::vector<std::uint32_t>, std::string> job_nodes(const Scenario& scenario,
                                                                  const Fleet& fleet) const {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    if (nodes_.empty()) {
      const auto& job = std::get<TrainingConfig>(scenario.workloads.front());
      for (const Fleet::Pool& pool : fleet.pools()) {
        if (pool.name == job.pool) first = pool.first_slot;
      }
      count = static_cast<std::uint32_t>(job.nodes);
    } else {
      const auto number = whole_number("--nodes", nodes_, 1, fleet.slots());
      if (!number) return tl::unexpected(number.error());
      count = static_cast<std::uint32_t>(*number);
    }
    std::vector<std::uint32_t> nodes(count);
    std::iota(nodes.begin(), nodes.end(), first);
    return nodes;
  }

  static void look_at_graph(const std::vector<std::uint32_t>& nodes, CollectivesResults& results) {
    const FabricView view(results.fabric, results.state);
    results.verdict = verdict(view, nodes);
    for (const std::uint32_t vertex : articulation_points(view)) {
      // (a node joins its NICs, and whoever loses it loses nothing else)
      if (vertex < FabricVertices(results.fabric).first_nic) continue;
      results.single_points.push_back(vertex_name(results.fabric, vertex));
    }
  }

  // The costs of every operation and size. Costs that SimGrid finds are remembered.
  ExitCode add_costs(const std::vector<std::uint32_t>& nodes, CollectivesResults& results,
                     const World& world) const {
    const Fabric& fabric = results.fabric;
    AnalyticOracle analytic(fabric);
    results.efficiency = analytic.efficiency();
    if (back_end_ == kAnalytic) return fill(nodes, analytic, analytic, results, world);
    if (back_end_ != kSimGrid) {
      FluidOracle fluid(fabric);
      return fill(nodes, fluid, analytic, results, world);
    }
    auto process = SimGridProcess::start(SimGridProcess::program_beside_this(), fabric);
    if (!process) return input_output(world, process.error());
    SimGridOracle simgrid(fabric, std::move(*process));
    const std::string path = cache_ + "/" + cost_file_name(fabric, back_end_);
    CostMemo memo;
    if (!cache_.empty()) {
      auto known = read_cost_file(path);
      if (!known) return input_output(world, known.error());
      memo = std::move(*known);
    }
    const std::size_t before = memo.size();
    MemoOracle remembering(fabric, simgrid, memo);
    const ExitCode code = fill(nodes, remembering, analytic, results, world);
    if (code != ExitCode::kDone || cache_.empty() || memo.size() == before) return code;
    if (const auto written = write_cost_file(path, memo); !written) {
      return input_output(world, written.error());
    }
    return code;
  }

  ExitCode fill(const std::vector<std::uint32_t>& nodes, CollectiveOracle& oracle,
                AnalyticOracle& analytic, CollectivesResults& results, const World& world) const {
    for (const std::string& op : ops_) {
      for (const double size : sizes_) {
        CollectiveSpec spec{.op = *value_of<CollectiveOp>(op),
                            .bytes = size,
                            .nodes = nodes,
                            .groups = per_gpu_ ? RankGroups::kPerGpu : RankGroups::kAllGpus,
                            .algorithm = value_of<CollectiveAlgorithm>(algorithm_),
                            .protocol = value_of<Protocol>(protocol_)};
        const bool hierarchical = back_end_ != kAnalytic && !spec.algorithm;
        if (hierarchical && can_do(CollectiveAlgorithm::kHierarchical, spec)) {
          spec.algorithm = CollectiveAlgorithm::kHierarchical;
        }
        const auto healthy = oracle.cost(spec, FabricState());
        if (!healthy) return usage(world, healthy.error());
        CollectivesResults::Row row{.op = spec.op,
                                    .bytes = size,
                                    .ranks = ranks_of(spec, results.fabric),
                                    .healthy = *healthy};
        // (what is remembered names the bottleneck of another state of the same cost)
        const auto even = analytic.cost(spec, results.state);
        if (even) {
          const auto now = oracle.cost(spec, results.state);
          if (!now) return usage(world, now.error());
          row.now = *now;
          row.now->bottleneck = even->bottleneck;
        }
        results.rows.push_back(std::move(row));
      }
    }
    return ExitCode::kDone;
  }

  std::string report(const CollectivesResults& results, const World& world) const {
    if (format_ == "json") return collectives_json(results);
    const Document document = collectives_report(results);
    if (format_ == "md") return to_markdown(document);
    return to_text(document, {.colour = world.colour_out && output_ == "-"});
  }

  std::string scenario_;
  std::vector<std::string> degrade_;
  std::string back_end_ = kAnalytic;
  std::vector<std::string> ops_;
  std::vector<std::string> bytes_;
  std::vector<double> sizes_;
  std::string nodes_;
  std::string algorithm_;
  std::string protocol_;
  bool per_gpu_ = false;
  std::string cache_;
  std::vector<std::string> sets_;
  std::string format_ = "text";
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_collectives_command() { return std::make_unique<Collectives>(); }

}  // namespace faultline
