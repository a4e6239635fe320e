#include "sim/report/timeline.h"

#include <fmt/format.h>

#include <array>

#include "sim/report/happening_subjects.h"

namespace faultline {
namespace {

constexpr std::uint32_t kCluster = 1;
constexpr std::uint32_t kJobs = 2;
constexpr std::uint32_t kFirstPool = 3;
constexpr std::array<std::string_view, 3> kCounters{"unhealthy nodes", "spares in use",
                                                    "nodes missing"};

std::string piece_name(Account account, bool down) {
  if (account == Account::kHang) return "stalled";
  if (account == Account::kRestart && !down) return "restarting";
  return fmt::format("down: {}", to_string(account));
}

template <class Id>
std::string name_or_empty(const HappeningNames& names, Id id) {
  return id.valid() ? names.text(id) : std::string();
}
std::string name_or_empty(const HappeningNames& names, NodeId id) {
  return id.slot.valid() ? names.text(id) : std::string();
}

}  // namespace

TimelineWriter::TimelineWriter(const SimulationPlan& plan, std::ostream& out)
    : plan_(plan),
      names_(plan),
      events_(out),
      outages_(plan.jobs().size(), plan.fleet().slots()),
      jobs_(plan.jobs().size()),
      pool_named_(plan.fleet().pools().size()),
      counters_(kCounters.size(), -1) {
  events_.name_process(kCluster, "cluster");
  events_.name_process(kJobs, "jobs");
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    events_.name_row(row_of(JobId(j)), names_.text(JobId(j)));
  }
  draw_counters(SimTime::start());
}

TraceEvents::Row TimelineWriter::row_of(NodeSlot slot) const {
  return {.process = kFirstPool + plan_.fleet().pool_of(slot).value(), .thread = slot.value() + 1};
}

TraceEvents::Row TimelineWriter::row_of(JobId job) {
  return {.process = kJobs, .thread = job.value() + 1};
}

TimelineWriter::NodeRow& TimelineWriter::node_row(NodeId node) {
  const auto [row, added] = nodes_.try_emplace(node.slot);
  if (added) {
    row->second.node = node;
    const PoolId pool = plan_.fleet().pool_of(node.slot);
    if (!pool_named_[pool.index()]) {
      pool_named_[pool.index()] = true;
      events_.name_process(kFirstPool + pool.value(), "pool " + plan_.fleet().pool(pool).name);
    }
    events_.name_row(row_of(node.slot), names_.text(NodeId{node.slot}));
  }
  return row->second;
}

void TimelineWriter::on(const Happening& happening) {
  note(happening);
  outages_.on(happening);
  if (outages_.change()) draw_node(*outages_.change(), happening.time);
  if (const JobId job = job_of(happening); job.valid()) draw_job(job, happening);
  draw_counters(happening.time);
  if (std::holds_alternative<RunEnded>(happening.what)) end(happening);
}

// What slices say about their node, and what is drawn as an instant.
void TimelineWriter::note(const Happening& happening) {
  if (const auto* struck = std::get_if<FaultStruck>(&happening.what)) {
    if (!struck->node.slot.valid()) return;
    NodeRow& row = node_row(struck->node);
    if (outages_.phases().phase(struck->node.slot) != NodePhases::kHealthy) return;
    row.node = struck->node;
    row.fault_class = struck->fault_class;
    row.reason = ReasonId();
  } else if (const auto* changed = std::get_if<ConditionChanged>(&happening.what)) {
    NodeRow& row = node_row(changed->node);
    if (!observed::is_bad(changed->status)) return;
    const Account phase = outages_.phases().phase(changed->node.slot);
    if (phase != NodePhases::kHealthy && phase != Account::kDetect) return;
    row.node = changed->node;
    row.reason = changed->reason;
    row.condition = happening.id;
    if (phase == NodePhases::kHealthy) row.fault_class = FaultClassId();
  } else if (const auto* behind = std::get_if<FaultBehind>(&happening.what)) {
    NodeRow& row = node_row(behind->node);
    if (happening.cause == row.condition) row.fault_class = behind->fault_class;
  } else if (const auto* blocked = std::get_if<RepairBlocked>(&happening.what)) {
    node_row(blocked->node);
    events_.instant(row_of(blocked->node.slot), happening.time, "gate closed",
                    {{"unhealthy", std::to_string(blocked->unhealthy)},
                     {"allowed", std::to_string(blocked->allowed)},
                     {"total", std::to_string(blocked->total)}});
  } else if (const auto* taken = std::get_if<PlaceTaken>(&happening.what)) {
    spares_in_use_ += warm_spare(taken->to) - warm_spare(taken->from);
    events_.instant(row_of(taken->job), happening.time, "place taken",
                    {{"from", names_.text(taken->from)}, {"to", names_.text(taken->to)}});
  }
}

std::int64_t TimelineWriter::warm_spare(NodeId node) const {
  const Fleet::Pool& pool = plan_.fleet().pool(plan_.fleet().pool_of(node.slot));
  return node.slot.value() >= pool.first_slot + pool.nodes ? 1 : 0;
}

void TimelineWriter::draw_node(const NodePhases::Change& change, SimTime now) {
  NodeRow& row = node_row({change.slot});
  const bool over = change.after == NodePhases::kHealthy;
  // A phase without length is drawn only if nothing else tells that there was something.
  const bool needed = over && (!row.drawn || !row.arrows.empty());
  if (change.before != NodePhases::kHealthy && (now > row.since || needed)) {
    const bool unreported = over && change.before == Account::kDetect;
    events_.slice(row_of(change.slot), row.since, now,
                  unreported ? "fault" : to_string(change.before),
                  {{"node", names_.text(row.node)},
                   {"class", name_or_empty(names_, row.fault_class)},
                   {"reason", name_or_empty(names_, row.reason)}});
    row.drawn = true;
    for (const Arrow& arrow : row.arrows) {
      events_.arrow_from(row_of(change.slot), arrow.at, arrow.number);
    }
    row.arrows.clear();
  }
  row.since = now;
  if (over) row.drawn = false;
}

void TimelineWriter::draw_job(JobId id, const Happening& happening) {
  JobRow& job = jobs_[id.index()];
  const Outage& outage = outages_.latest(id);
  if (outage.first == happening.id) {  // it begins
    if (outage.from > job.since) events_.slice(row_of(id), job.since, outage.from, "running", {});
    job.drawn = 0;
    job.arrows.clear();
    const NodeSlot slot = outage.node.slot;
    if (slot.valid() && outages_.phases().phase(slot) != NodePhases::kHealthy) {
      const Arrow arrow{.number = ++arrows_, .at = outage.from};
      node_row(outage.node).arrows.push_back(arrow);
      job.arrows.push_back(arrow);
    }
    return;
  }
  draw_pieces(id, /*down=*/std::holds_alternative<JobRestarting>(happening.what));
  if (outage.last == happening.id) job.since = happening.time;
}

void TimelineWriter::draw_pieces(JobId id, bool down) {
  JobRow& job = jobs_[id.index()];
  const Outage& outage = outages_.latest(id);
  for (; job.drawn < outage.pieces.size(); ++job.drawn) {
    const OutagePiece& piece = outage.pieces[job.drawn];
    events_.slice(row_of(id), piece.from, piece.to, piece_name(piece.account, down),
                  {{"class", name_or_empty(names_, outage.fault_class)},
                   {"waits for", name_or_empty(names_, piece.node)}});
    for (const Arrow& arrow : job.arrows) events_.arrow_to(row_of(id), arrow.at, arrow.number);
    job.arrows.clear();
  }
}

void TimelineWriter::draw_counters(SimTime now) {
  const std::array<std::int64_t, 3> values{outages_.phases().unhealthy(), spares_in_use_,
                                           outages_.phases().missing()};
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (values[c] == counters_[c]) continue;
    counters_[c] = values[c];
    events_.counter(kCluster, now, kCounters[c], values[c]);
  }
}

void TimelineWriter::end(const Happening& happening) {
  const SimTime now = happening.time;
  for (const auto& [slot, row] : nodes_) {
    const Account phase = outages_.phases().phase(slot);
    draw_node({.slot = slot, .before = phase, .after = NodePhases::kHealthy}, now);
  }
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobId id(j);
    const Outage& outage = outages_.latest(id);
    if (outage.last == happening.id) {
      draw_pieces(id, /*down=*/false);
    } else if (now > jobs_[j].since) {
      events_.slice(row_of(id), jobs_[j].since, now, "running", {});
    }
  }
}

bool TimelineWriter::finish() { return events_.finish(); }

}  // namespace faultline
