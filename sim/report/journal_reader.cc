#include "sim/report/journal_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/report/exact_seconds.h"
#include "sim/report/flat_json.h"
#include "sim/report/happening_fields.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

using Json = nlohmann::json;
using Unexpected = tl::unexpected<std::string>;

constexpr std::int64_t kMostNodes =
    10'000'000;  // in a pool; a damaged file must not eat the memory

// Fills each field that it visits from the members of a line; keeps the first problem.
class FieldReader {
 public:
  FieldReader(const FlatJson& line, const HappeningNames& names) : line_(line), names_(names) {}

  const std::string& problem() const { return problem_; }

  void operator()(std::string_view name, bool& field) {
    if (const auto* value = get(name, FlatJson::Kind::kBool, "true or false")) {
      field = value->text == "true";
    }
  }
  template <class Integer>
  requires std::is_integral_v<Integer>
  void operator()(std::string_view name, Integer& field) {
    const auto* value = get(name, FlatJson::Kind::kNumber, "a whole number");
    if (value == nullptr) return;
    const char* const end = value->text.data() + value->text.size();
    const auto [stopped, error] = std::from_chars(value->text.data(), end, field);
    if (error != std::errc() || stopped != end)
      complain(name, "is not a whole number in its range");
  }
  void operator()(std::string_view name, FaultId& field) {
    std::uint32_t number = 0;
    (*this)(name, number);
    field = FaultId(number);
  }
  void operator()(std::string_view name, Duration& field) {
    const auto* value = get(name, FlatJson::Kind::kNumber, "a number of seconds");
    if (value == nullptr) return;
    const auto parsed = parse_exact_seconds(value->text);
    if (!parsed) return complain(name, "is not a number of seconds with at most 9 decimals");
    field = *parsed;
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(std::string_view name, Enum& field) {
    const auto* value = get(name, FlatJson::Kind::kText, "a name");
    if (value == nullptr) return;
    for (const auto& [candidate, text] : EnumNames<Enum>::kNames) {
      if (text == value->text) {
        field = candidate;
        return;
      }
    }
    unknown(name, value->text);
  }
  template <class Id>
  requires requires(const HappeningNames& names, Id& id) { names.find("", id); }
  void operator()(std::string_view name, Id& field) {
    const auto* value = get(name, FlatJson::Kind::kText, "a name");
    if (value != nullptr && !names_.find(value->text, field)) unknown(name, value->text);
  }

  template <class Id>
  void optional(std::string_view name, Id& field) {
    if (line_.find(name) != nullptr) (*this)(name, field);
  }

 private:
  void complain(std::string_view name, std::string_view text) {
    if (problem_.empty()) problem_ = fmt::format("`{}` {}", name, text);
  }
  void unknown(std::string_view name, std::string_view value) {
    complain(name, fmt::format("is `{}`, which is unknown", printable(value)));
  }
  const FlatJson::Value* get(std::string_view name, FlatJson::Kind kind,
                             std::string_view expected) {
    const FlatJson::Value* const value = line_.find(name);
    if (value == nullptr) {
      complain(name, "is missing");
      return nullptr;
    }
    if (value->kind != kind) {
      complain(name, fmt::format("is `{}` instead of {}", printable(value->text), expected));
      return nullptr;
    }
    return value;
  }

  const FlatJson& line_;
  const HappeningNames& names_;
  std::string problem_;
};

// The alternative of that name, with every field at its default.
template <std::size_t I = 0>
std::optional<Happening::What> make_what(std::string_view name) {
  if constexpr (I == std::variant_size_v<Happening::What>) {
    return std::nullopt;
  } else {
    using What = std::variant_alternative_t<I, Happening::What>;
    if (HappeningFields<What>::kName == name) return What{};
    return make_what<I + 1>(name);
  }
}

tl::expected<Happening, std::string> read_happening(const std::string& text,
                                                    const HappeningNames& names) {
  const std::optional<FlatJson> line = FlatJson::parse(text);
  if (!line) return Unexpected("is not a whole line of a journal; the file was cut off or changed");
  FieldReader reader(*line, names);
  Happening happening;
  Duration since_start;
  std::uint32_t id = 0;
  reader("t", since_start);
  reader("id", id);
  happening.time = SimTime::at(since_start);
  happening.id = HappeningId(id);
  if (line->find("cause") != nullptr) {
    std::uint32_t cause = 0;
    reader("cause", cause);
    happening.cause = HappeningId(cause);
  }
  if (!reader.problem().empty()) return Unexpected(reader.problem());

  const FlatJson::Value* const what = line->find("what");
  if (what == nullptr) return Unexpected("`what` is missing");
  auto made = make_what(what->text);
  if (!made)
    return Unexpected(fmt::format("`what` is `{}`, which is unknown", printable(what->text)));
  happening.what = *std::move(made);
  std::visit([&]<class What>(What& fields) { HappeningFields<What>::visit(fields, reader); },
             happening.what);
  if (!reader.problem().empty()) return Unexpected(what->text + ": " + reader.problem());
  return happening;
}

// What is wrong with the order: lines are numbered from 0, time and causes do not point forward.
std::string order_problem(const Happening& happening, const std::vector<Happening>& before) {
  if (happening.id.index() != before.size()) {
    return fmt::format("`id` is {} instead of {}: lines are missing or out of order",
                       happening.id.value(), before.size());
  }
  const SimTime earliest = before.empty() ? SimTime::start() : before.back().time;
  if (happening.time < earliest) {
    return fmt::format("`t` is {}, before the {} of the line before",
                       exact_seconds(happening.time.since_start()),
                       exact_seconds(earliest.since_start()));
  }
  if (happening.cause.valid() && happening.cause >= happening.id) {
    return fmt::format("`cause` is {}, which comes later", happening.cause.value());
  }
  return "";
}

HappeningNames::Lists read_lists(const Json& head) {
  HappeningNames::Lists lists;
  for (const Json& pool : head.at("pools")) {
    lists.pools.push_back(
        {pool.at("name").get<std::string>(), pool.at("nodes").get<std::int64_t>()});
  }
  for (const Json& fault_class : head.at("classes")) {
    lists.classes.push_back(
        {fault_class.at("name").get<std::string>(), fault_class.at("per_gpu").get<bool>()});
  }
  head.at("jobs").get_to(lists.jobs);
  head.at("conditions").get_to(lists.conditions);
  head.at("reasons").get_to(lists.reasons);
  return lists;
}

tl::expected<RecordedRun, std::string> read_header(const std::string& text) {
  const Json head = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!head.is_object() || !head.contains("journal") || head["journal"] != "faultline") {
    return Unexpected(
        "line 1: this is not a journal of faultline "
        R"((one begins with {"journal":"faultline",...))");
  }
  // The library reports a missing or wrong member by an exception; it ends here.
  try {
    if (const int version = head.at("schema_version").get<int>();
        version != kJournalSchemaVersion) {
      return Unexpected(
          fmt::format("line 1: the journal has schema_version {}; this faultline reads {}", version,
                      kJournalSchemaVersion));
    }
    const JournalHeader header{
        .scenario = head.at("scenario").get<std::string>(),
        .seed = head.at("seed").get<std::uint64_t>(),
        .replication = head.at("replication").get<std::uint32_t>(),
        .horizon = Duration::from_seconds(head.at("horizon_seconds").get<double>())};
    HappeningNames::Lists lists = read_lists(head);
    for (const HappeningNames::Pool& pool : lists.pools) {
      if (pool.nodes >= 0 && pool.nodes <= kMostNodes) continue;
      return Unexpected(fmt::format("line 1: a pool has {} nodes", pool.nodes));
    }
    return RecordedRun{
        .header = header, .names = HappeningNames(std::move(lists)), .happenings = {}};
  } catch (const Json::exception& problem) {
    return Unexpected(fmt::format("line 1: the first line is damaged ({})", problem.what()));
  }
}

}  // namespace

tl::expected<RecordedRun, std::string> read_journal(std::istream& in) {
  std::string text;
  if (!std::getline(in, text)) return Unexpected("the journal is empty");
  tl::expected<RecordedRun, std::string> journal = read_header(text);
  if (!journal) return journal;
  std::vector<Happening>& happenings = journal->happenings;
  std::size_t line = 1;
  const auto at_line = [&](std::string_view problem) {
    return Unexpected(fmt::format("line {}: {}", line, problem));
  };
  bool ended = false;
  while (std::getline(in, text)) {
    ++line;
    if (ended) return at_line("comes after RunEnded, which is the last line of a journal");
    tl::expected<Happening, std::string> happening = read_happening(text, journal->names);
    if (!happening) return at_line(happening.error());
    if (const std::string problem = order_problem(*happening, happenings); !problem.empty()) {
      return at_line(problem);
    }
    ended = std::holds_alternative<RunEnded>(happening->what);
    happenings.push_back(std::move(*happening));
  }
  if (in.bad()) return at_line("the journal cannot be read any further");
  if (!ended) return at_line("the journal ends before its run (no RunEnded): it was cut off");
  return journal;
}

}  // namespace faultline
