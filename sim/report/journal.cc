#include "sim/report/journal.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/report/exact_seconds.h"
#include "sim/report/happening_fields.h"
#include "sim/report/json_quoted.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

// Appends `"name":value` for each field that it visits.
class FieldWriter {
 public:
  FieldWriter(std::string& line, const HappeningNames& names) : line_(line), names_(names) {}

  void operator()(std::string_view name, bool value) { plain(name, value ? "true" : "false"); }
  void operator()(std::string_view name, std::uint32_t value) { plain(name, value); }
  void operator()(std::string_view name, std::int64_t value) { plain(name, value); }
  void operator()(std::string_view name, Duration value) { plain(name, exact_seconds(value)); }
  void operator()(std::string_view name, FaultId value) { plain(name, value.value()); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(std::string_view name, Enum value) { plain(name, json_quoted(enum_name(value))); }
  template <class Id>
  requires requires(const HappeningNames& names, Id id) { names.text(id); }
  void operator()(std::string_view name, Id value) { plain(name, json_quoted(names_.text(value))); }

  void optional(std::string_view name, NodeId value) {
    if (value.slot.valid()) (*this)(name, value);
  }
  void optional(std::string_view name, Duration value) {
    if (value != Duration::zero()) (*this)(name, value);
  }
  template <class Id>
  void optional(std::string_view name, Id value) {
    if (value.valid()) (*this)(name, value);
  }

 private:
  template <class Value>
  void plain(std::string_view name, const Value& value) {
    fmt::format_to(std::back_inserter(line_), ",\"{}\":{}", name, value);
  }

  std::string& line_;
  const HappeningNames& names_;
};

std::string header(const JournalHeader& head, const HappeningNames::Lists& lists) {
  Json pools = Json::array();
  for (const HappeningNames::Pool& pool : lists.pools) {
    pools.push_back({{"name", pool.name}, {"nodes", pool.nodes}});
  }
  Json classes = Json::array();
  for (const HappeningNames::Class& fault_class : lists.classes) {
    classes.push_back({{"name", fault_class.name}, {"per_gpu", fault_class.per_gpu}});
  }
  const Json rest{{"pools", pools},
                  {"jobs", lists.jobs},
                  {"classes", classes},
                  {"conditions", lists.conditions},
                  {"reasons", lists.reasons}};
  return fmt::format(
      R"({{"journal":"faultline","schema_version":{},"scenario":{},"seed":{},"replication":{},)"
      R"("horizon_seconds":{},{})",
      kJournalSchemaVersion, json_quoted(head.scenario), head.seed, head.replication,
      exact_seconds(head.horizon),
      rest.dump(-1, ' ', false, Json::error_handler_t::replace).substr(1));
}

}  // namespace

JournalWriter::JournalWriter(const SimulationPlan& plan, std::ostream& out, std::uint64_t seed,
                             std::uint32_t replication)
    : names_(plan), out_(out) {
  const Scenario& scenario = plan.scenario();
  out_ << header({scenario.name, seed, replication, scenario.horizon}, names_.lists()) << '\n';
}

void JournalWriter::on(const Happening& happening) {
  line_.clear();
  fmt::format_to(std::back_inserter(line_), R"({{"t":{},"id":{})",
                 exact_seconds(happening.time.since_start()), happening.id.value());
  if (happening.cause.valid()) {
    fmt::format_to(std::back_inserter(line_), R"(,"cause":{})", happening.cause.value());
  }
  std::visit(
      [&]<class What>(const What& what) {
        using Fields = HappeningFields<What>;
        fmt::format_to(std::back_inserter(line_), R"(,"what":"{}")", Fields::kName);
        FieldWriter writer(line_, names_);
        Fields::visit(what, writer);
      },
      happening.what);
  line_ += "}\n";
  out_ << line_;
}

bool JournalWriter::finish() {
  out_.flush();
  return out_.good();
}

}  // namespace faultline
