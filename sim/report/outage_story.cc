#include "sim/report/outage_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "sim/report/happening_subjects.h"
#include "sim/report/happening_text.h"

namespace faultline {
namespace {

constexpr std::size_t kMostOthers = 20;

class Story {
 public:
  Story(const RecordedRun& journal, const Outage& outage) : journal_(journal), outage_(outage) {
    find_slots();
    find_lines();
  }

  std::string text() const {
    std::string text;
    for (auto line = lines_.begin(); line != lines_.end();) {
      const auto same = run_of(line);
      add_line(text, *line, static_cast<std::size_t>(std::distance(line, same)));
      line = same;
    }
    add_others(text);
    return text;
  }

 private:
  const Happening& at(HappeningId id) const { return journal_.happenings[id.index()]; }
  SimTime begin() const { return at(*lines_.begin()).time; }
  bool on_path(NodeSlot slot) const { return slots_.count(slot) > 0; }

  // The nodes on the critical path.
  void find_slots() {
    if (outage_.node.slot.valid()) slots_.insert(outage_.node.slot);
    for (const OutagePiece& piece : outage_.pieces) {
      if (piece.node.slot.valid()) slots_.insert(piece.node.slot);
    }
  }

  void walk_causes(HappeningId id) {
    for (; id.valid() && lines_.insert(id).second; id = at(id).cause) {
    }
  }

  void find_lines() {
    for (HappeningId id = outage_.first; id <= outage_.last; id = HappeningId(id.index() + 1)) {
      if (belongs(at(id))) walk_causes(id);
    }
    // What happened to a node on the path since its own first line, before the job stopped.
    for (HappeningId id = *lines_.begin(); id < outage_.first; id = HappeningId(id.index() + 1)) {
      bool since_its_first = false;
      for_each_node(at(id), [&](NodeId node) {
        since_its_first = since_its_first || (on_path(node.slot) && has_begun(node.slot, id));
      });
      if (since_its_first && !job_of(at(id)).valid() && is_told(at(id))) lines_.insert(id);
    }
  }

  bool has_begun(NodeSlot slot, HappeningId id) const {
    return std::any_of(lines_.begin(), lines_.upper_bound(id),
                       [&](HappeningId line) { return is_about(at(line), slot); });
  }

  // Steps are no part of an outage, and the fault behind a report has its own line.
  static bool is_told(const Happening& happening) {
    return !std::holds_alternative<JobProgressed>(happening.what) &&
           !std::holds_alternative<FaultBehind>(happening.what);
  }

  bool belongs(const Happening& happening) const {
    if (!is_told(happening)) return false;
    if (happening.id == outage_.first || happening.id == outage_.last) return true;
    const JobId job = job_of(happening);
    bool names_a_node = false;
    bool is_on_path = false;
    for_each_node(happening, [&](NodeId node) {
      names_a_node = true;
      is_on_path = is_on_path || on_path(node.slot);
    });
    if (job.valid() && outage_.job.valid())
      return job == outage_.job && (is_on_path || !names_a_node);
    return is_on_path;
  }

  // The end of the equal lines that begin here: a gate that refuses the same node again and again.
  std::set<HappeningId>::const_iterator run_of(std::set<HappeningId>::const_iterator line) const {
    const auto* blocked = std::get_if<RepairBlocked>(&at(*line).what);
    auto end = std::next(line);
    if (blocked == nullptr) return end;
    while (end != lines_.end()) {
      const auto* next = std::get_if<RepairBlocked>(&at(*end).what);
      if (next == nullptr || next->node != blocked->node) break;
      ++end;
    }
    return end;
  }

  void add_line(std::string& text, HappeningId id, std::size_t times) const {
    const Happening& happening = at(id);
    const HappeningText told = describe(happening, journal_.names);
    const std::string when =
        id == *lines_.begin() ? to_string(happening.time) : "+" + spoken(happening.time - begin());
    const std::string repeated = times > 1 ? fmt::format(" ({} times)", times) : "";
    text += fmt::format("{:>18}  {:<9}  {}{}\n", when, told.stage, told.text, repeated);
  }

  // Holds of the job by nodes off the critical path.
  void add_others(std::string& text) const {
    if (!outage_.job.valid()) return;
    std::vector<std::string> others;
    for (std::size_t i = outage_.first.index(); i <= outage_.last.index(); ++i) {
      const auto* held = std::get_if<JobHeld>(&journal_.happenings[i].what);
      if (held == nullptr || held->job != outage_.job || !held->node.slot.valid()) continue;
      if (!on_path(held->node.slot)) others.push_back(other(*held, i));
    }
    if (others.empty()) return;
    text += "\nMeanwhile these held it too, but not for longer:\n";
    for (std::size_t i = 0; i < std::min(others.size(), kMostOthers); ++i) text += others[i];
    if (others.size() > kMostOthers) {
      text += fmt::format("{:>18}  and {} more\n", "...", others.size() - kMostOthers);
    }
  }

  std::string other(const JobHeld& held, std::size_t i) const {
    SimTime until = outage_.to;
    for (std::size_t j = i; j <= outage_.last.index(); ++j) {
      const auto* released = std::get_if<JobReleased>(&journal_.happenings[j].what);
      if (released == nullptr || released->job != held.job) continue;
      if (released->node.slot != held.node.slot) continue;
      until = journal_.happenings[j].time;
      break;
    }
    std::string fault;
    for (std::size_t j = i; j-- > 0;) {
      const auto* struck = std::get_if<FaultStruck>(&journal_.happenings[j].what);
      if (struck == nullptr || struck->node.slot != held.node.slot) continue;
      fault = fmt::format(", struck by {}", journal_.names.text(struck->fault_class));
      break;
    }
    const SimTime from = journal_.happenings[i].time;
    return fmt::format("{:>18}  {}, for {}{}\n", "+" + spoken(from - begin()),
                       journal_.names.text(held.node), spoken(until - from), fault);
  }

  const RecordedRun& journal_;
  const Outage& outage_;
  std::set<NodeSlot> slots_;
  std::set<HappeningId> lines_;
};

}  // namespace

std::string cause_text(const Outage& outage, const HappeningNames& names) {
  const std::string node = outage.node.slot.valid() ? names.text(outage.node) : "";
  if (outage.fault_class.valid()) {
    const std::string& name = names.text(outage.fault_class);
    return node.empty() ? name : fmt::format("{} on {}", name, node);
  }
  if (node.empty()) return "the start";
  return fmt::format("{} {}", outage.kind == StopKind::kEvicted ? "eviction from" : "repair of",
                     node);
}

std::string phases_text(const Outage& outage) {
  std::array<Duration, kAccounts> sums{};
  for (const OutagePiece& piece : outage.pieces) {
    sums[static_cast<std::size_t>(piece.account)] += piece.to - piece.from;
  }
  std::string text;
  for (std::size_t a = 0; a < kAccounts; ++a) {
    if (sums[a] == Duration::zero()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kAccountNames[a], spoken(sums[a]));
  }
  return text.empty() ? "no time" : text;
}

std::string tell(const RecordedRun& journal, const Outage& outage) {
  return Story(journal, outage).text();
}

}  // namespace faultline
