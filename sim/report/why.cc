#include "sim/report/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/report/format.h"
#include "sim/report/happening_subjects.h"
#include "sim/report/happening_text.h"
#include "sim/report/journal_reader.h"
#include "sim/report/outage_story.h"
#include "sim/report/outages.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::size_t kMostListed = 20;

// A job, or a node: a place with all its machines, or one machine of it.
struct Topic {
  std::string name;
  JobId job;
  NodeId node;
  bool one_machine = false;
};

tl::expected<Topic, std::string> find_subject(const RecordedRun& journal, std::string_view name) {
  Topic subject{.name = std::string(name), .job = {}, .node = {}};
  if (journal.names.find(name, subject.job)) return subject;
  if (!journal.names.find(name, subject.node)) {
    std::vector<std::string> known = journal.names.lists().jobs;
    for (std::uint32_t slot = 0; slot < journal.names.slots(); ++slot) {
      known.push_back(journal.names.text(NodeId{NodeSlot(slot)}));
    }
    const std::string close = suggest(name, known);
    return tl::unexpected(fmt::format(
        "the journal has no job and no node `{}`; {}", printable(name),
        close.empty() ? "it has " + join_names(known, 6) : "did you mean " + close + "?"));
  }
  subject.one_machine = subject.node.generation > 0;
  std::uint32_t newest = 0;
  for (const Happening& happening : journal.happenings) {
    for_each_node(happening, [&](NodeId node) {
      if (node.slot == subject.node.slot) newest = std::max(newest, node.generation);
    });
  }
  if (subject.node.generation > newest) {
    return tl::unexpected(fmt::format("there was no {}: the last machine in that place is {}", name,
                                      journal.names.text(NodeId{subject.node.slot, newest})));
  }
  return subject;
}

std::vector<Outage> outages_of(const RecordedRun& journal, JobId job) {
  std::vector<Outage> found;
  Outages outages(journal.names.lists().jobs.size(), journal.names.slots());
  for (const Happening& happening : journal.happenings) {
    outages.on(happening);
    if (outages.latest(job).last == happening.id) found.push_back(outages.latest(job));
  }
  return found;
}

// The troubles of a node have the shape of an outage, without a job.
std::vector<Outage> troubles_of(const RecordedRun& journal, const Topic& subject) {
  std::vector<Outage> found;
  NodePhases phases(journal.names.slots());
  const NodeSlot slot = subject.node.slot;
  Outage open;
  SimTime since;
  HappeningId changed;  // the last change of phase
  const auto end_phase = [&](Account phase, const Happening& happening) {
    if (happening.time <= since) return;
    open.pieces.push_back(
        {.from = since, .to = happening.time, .account = phase, .node = open.node});
  };
  const auto close = [&](const Happening& happening) {
    open.to = happening.time;
    open.last = happening.id;
    if (!subject.one_machine || open.node == subject.node) found.push_back(open);
  };
  for (const Happening& happening : journal.happenings) {
    const auto change = phases.on(happening);
    const auto* behind = std::get_if<FaultBehind>(&happening.what);
    if (behind != nullptr && happening.cause == changed) open.fault_class = behind->fault_class;
    if (!change || change->slot != slot) continue;
    changed = happening.id;
    if (change->before == NodePhases::kHealthy) {
      open = {.from = happening.time, .first = happening.id, .node = {}};
      for_each_node(happening, [&](NodeId node) { open.node = node; });
    } else {
      end_phase(change->before, happening);
    }
    since = happening.time;
    if (const auto* struck = std::get_if<FaultStruck>(&happening.what)) {
      open.fault_class = struck->fault_class;
    }
    if (change->after == NodePhases::kHealthy) close(happening);
  }
  const Happening& end = journal.happenings.back();
  if (phases.phase(slot) != NodePhases::kHealthy) {
    end_phase(phases.phase(slot), end);
    close(end);
  }
  return found;
}

bool is_open(const RecordedRun& journal, const Outage& outage) {
  return outage.last == journal.happenings.back().id;
}

std::string list(const RecordedRun& journal, const Topic& subject, std::vector<Outage> outages) {
  // A run whose work is done ends before the horizon.
  const Duration end = journal.happenings.back().time.since_start();
  const std::string horizon = end == journal.header.horizon ? to_string(end) : spoken(end);
  const std::string_view noun = subject.job.valid() ? "outage" : "trouble";
  if (outages.empty()) return fmt::format("{}: no {} in {}\n", subject.name, noun, horizon);
  Duration sum;
  for (const Outage& outage : outages) sum += outage.to - outage.from;
  std::stable_sort(outages.begin(), outages.end(),
                   [](const Outage& a, const Outage& b) { return a.to - a.from > b.to - b.from; });
  std::string text =
      fmt::format("{}: {} {}{}, {} of {} in all; the longest first\n", subject.name, outages.size(),
                  noun, outages.size() == 1 ? "" : "s", spoken(sum), horizon);
  for (std::size_t i = 0; i < std::min(outages.size(), kMostListed); ++i) {
    const Outage& outage = outages[i];
    text += fmt::format("{:>18}  {:>12}  {}: {}{}\n", to_string(outage.from),
                        spoken(outage.to - outage.from), cause_text(outage, journal.names),
                        phases_text(outage),
                        is_open(journal, outage) ? " (not over when the run ends)" : "");
  }
  if (outages.size() > kMostListed) {
    text += fmt::format("{:>18}  and {} shorter ones\n", "...", outages.size() - kMostListed);
  }
  // A whole second is easier to type; it finds the same outage.
  const Duration shown = outages.front().from.since_start();
  const Duration whole = 1_s * ((shown + 1_s - 1_ns) / 1_s);
  return text + fmt::format("To see one step by step: faultline why --journal FILE {} {}\n",
                            shell_word(subject.name), to_string(whole));
}

std::string state_at(const RecordedRun& journal, const Topic& subject, const Outage& outage,
                     SimTime at) {
  const std::string begin = fmt::format("At {} ", to_string(at));
  const auto piece =
      std::find_if(outage.pieces.begin(), outage.pieces.end(),
                   [&](const OutagePiece& one) { return one.from <= at && at < one.to; });
  if (at >= outage.to && !is_open(journal, outage)) {
    return begin + (subject.job.valid()
                        ? fmt::format("{} runs; its last outage before that:\n", subject.name)
                        : fmt::format("nothing is wrong with {}; its last trouble "
                                      "before that:\n",
                                      subject.name));
  }
  if (piece == outage.pieces.end()) return "";
  std::string text =
      fmt::format("{}{} is in the phase {}", begin, subject.name, to_string(piece->account));
  if (subject.job.valid() && piece->node.slot.valid()) {
    text += fmt::format(" of {}", journal.names.text(piece->node));
  }
  return text + ".\n";
}

std::string story(const RecordedRun& journal, const Topic& subject,
                  const std::vector<Outage>& outages, SimTime at) {
  const SimTime end = journal.happenings.back().time;
  if (at > end) {
    return fmt::format("The run ends at {}, before {}.\n", to_string(end), to_string(at)) +
           story(journal, subject, outages, end);
  }
  const auto after = std::find_if(outages.begin(), outages.end(),
                                  [&](const Outage& outage) { return outage.from > at; });
  if (after == outages.begin()) {
    std::string text = fmt::format("Nothing stops {} until {}", subject.name, to_string(at));
    if (after != outages.end())
      text += fmt::format("; something does at {}", to_string(after->from));
    return text + ".\n";
  }
  const Outage& outage = *std::prev(after);
  std::string text = state_at(journal, subject, outage, at);
  text += fmt::format("{}: {}, from {} ", subject.name, cause_text(outage, journal.names),
                      to_string(outage.from));
  text += is_open(journal, outage)
              ? fmt::format("to the end of the run ({}).\n", spoken(outage.to - outage.from))
              : fmt::format("to {} ({}).\n", to_string(outage.to), spoken(outage.to - outage.from));
  text += fmt::format("Time: {}.", phases_text(outage));
  if (subject.job.valid()) text += fmt::format(" Work lost: {}.", spoken(outage.work_lost));
  return text + "\n\n" + tell(journal, outage);
}

}  // namespace

tl::expected<std::string, std::string> why(std::istream& in, std::string_view name,
                                           std::optional<SimTime> at) {
  const tl::expected<RecordedRun, std::string> journal = read_journal(in);
  if (!journal) return tl::unexpected(journal.error());
  const tl::expected<Topic, std::string> subject = find_subject(*journal, name);
  if (!subject) return tl::unexpected(subject.error());
  std::vector<Outage> outages =
      subject->job.valid() ? outages_of(*journal, subject->job) : troubles_of(*journal, *subject);
  if (at) return story(*journal, *subject, outages, *at);
  return list(*journal, *subject, std::move(outages));
}

}  // namespace faultline
