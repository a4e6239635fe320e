// What can be seen of a fault: signals become conditions and events, and clear.

#include <algorithm>

#include "models/detectors/fail_slow.h"
#include "sim/engine/simulation.h"

namespace faultline {
namespace {

// When the host is there again, and its agent with it: the past, if it was never gone.
SimTime host_back(const ActiveFaults& faults, NodeSlot slot) {
  SimTime back = SimTime::start();
  for (std::uint32_t index = faults.first_on(slot); index != kNoFault;
       index = faults[index].next_on_node) {
    const ActiveFault& fault = faults[index];
    if (fault.present && fault.silences) back = std::max(back, fault.clears);
  }
  return back;
}

struct FoundSignal {
  std::uint32_t fault = kNoFault;
  std::size_t signal = 0;
};

// The first signal, of faults that are there on the node, that matches.
template <class Matches>
FoundSignal find_signal(const SimulationPlan& plan, const ActiveFaults& faults, NodeSlot slot,
                        Matches matches) {
  for (std::uint32_t index = faults.first_on(slot); index != kNoFault;
       index = faults[index].next_on_node) {
    const ActiveFault& fault = faults[index];
    if (!fault.present) continue;
    const std::vector<SimulationPlan::Signal>& signals = plan.signals(fault.fault_class);
    for (std::size_t s = 0; s < signals.size(); ++s) {
      if (matches(signals[s], fault.signals[s])) return {.fault = index, .signal = s};
    }
  }
  return {};
}

}  // namespace

bool Simulation::raise_signals(std::uint32_t index) {
  bool seen = false;
  const std::vector<SimulationPlan::Signal>& signals = plan_.signals(faults_[index].fault_class);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    ActiveFault& fault = faults_[index];
    if (signals[s].of_job && !fault.job.valid()) continue;
    if (signals[s].by_pace && !slows_enough(fault, signals[s].reason)) continue;
    if (signals[s].coverage < 1 &&
        detail(fault, FaultDraws::caught(signals[s].draw)) >= signals[s].coverage) {
      continue;
    }
    seen = true;
    fault.silences |= signals[s].leased && effect_of(fault) == FaultEffect::kCrash;
    if (signals[s].blames_another > 0 && fault.job.valid()) {
      const double u = detail(fault, FaultDraws::blamed(s)) / signals[s].blames_another;
      if (u < 1 && jobs_[fault.job.index()].places.size() > 1) {
        blame_another(index, s, u);
        continue;
      }
    }
    fault.signals[s] = SignalStage::kDelayed;
    const Duration delay = drawn(*signals[s].delay, fault, FaultDraws::delay(signals[s].draw));
    if (delay == Duration::zero()) {
      advance_signal(index, s);
    } else {
      expect(layout_.fault(Expect::kSignal, index, s), now_ + delay, Expect::kSignal);
    }
  }
  return seen;
}

bool Simulation::slows_enough(const ActiveFault& fault, ReasonId reason) const {
  const JobPace::Kind* const kind = fault.job.valid() ? pace_under(fault, fault.job) : nullptr;
  if (kind == nullptr || kind->cut) return false;  // a cut ends the job, and is no slow-down
  const std::int64_t speed =
      plan_.jobs()[fault.job.index()].pace->speed(kind->parts, WorkClock::kFullSpeed);
  return fail_slow::sees(plan_.channel(plan_.contract().reason(reason)),
                         static_cast<double>(speed) / WorkClock::kFullSpeed);
}

// Another node of the job, each with the same chance: a fault there that does nothing, and stays
// until the node is repaired.
void Simulation::blame_another(std::uint32_t index, std::size_t signal, double u) {
  const ActiveFault fault = faults_[index];
  const std::vector<NodeSlot>& places = jobs_[fault.job.index()].places;
  const auto others = static_cast<double>(places.size() - 1);
  const auto n = static_cast<std::size_t>(u * others);
  const NodeSlot slot = places[n] == fault.node.slot ? places.back() : places[n];
  if (!slots_[slot.index()].standing) return;
  ActiveFault misplaced = fault;
  misplaced.node = standing_node(slot);
  misplaced.clears = SimTime::never();
  misplaced.primary = misplaced.hangs = misplaced.holds = false;
  misplaced.misplaced = misplaced.present = true;
  misplaced.signals = {};
  misplaced.signals[signal] = SignalStage::kDelayed;
  const std::uint32_t there = faults_.add(misplaced);
  calendar_.grow(layout_.slots(faults_.capacity()));
  const Duration delay =
      drawn(*plan_.signals(fault.fault_class)[signal].delay, misplaced, FaultDraws::delay(signal));
  if (delay == Duration::zero()) {
    advance_signal(there, signal);
  } else {
    expect(layout_.fault(Expect::kSignal, there, signal), now_ + delay, Expect::kSignal);
  }
}

void Simulation::advance_signal(std::uint32_t index, std::size_t signal) {
  ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = plan_.signals(fault.fault_class)[signal];
  const Calendar::Slot slot = layout_.fault(Expect::kSignal, index, signal);
  switch (fault.signals[signal]) {
    case SignalStage::kNone: return;
    case SignalStage::kDelayed: {
      if (!fault.present) {  // gone before it gave the signal
        fault.signals[signal] = SignalStage::kNone;
        break;
      }
      fault.raised_as[signal] =
          emit(SignalRaised{.fault = fault.id, .node = fault.node, .reason = config.reason},
               fault.struck_as);
      // The caught signals have u uniform below the coverage: what is left of it decides the delay.
      const double u =
          config.pushed ? detail(fault, FaultDraws::caught(signal)) / config.coverage : 0.5;
      const SimTime published = plan_.timing().published_at(config.reason, watched(fault.node.slot),
                                                            now_, fault.clears, u, *random_);
      fault.signals[signal] = published.is_never() ? SignalStage::kNone : SignalStage::kOnItsWay;
      if (config.of_job && published > now_ && !published.is_never()) {
        counting_.emplace_back(index, signal);
      }
      if (published == now_) {
        if (!wait_for_host(index, signal)) publish(fault, signal);
        break;
      }
      expect(slot, published, Expect::kSignal);
      break;
    }
    case SignalStage::kOnItsWay:
      if (config.of_job) {
        if (!steps_on(fault)) return;  // no longer, or not yet: the first step begins the count
        std::erase(counting_, std::pair(index, signal));
      }
      if (wait_for_host(index, signal)) break;
      publish(fault, signal);
      break;
    case SignalStage::kPublished: break;
    case SignalStage::kClearing: {
      if (wait_for_host(index, signal)) break;
      fault.signals[signal] = SignalStage::kNone;
      const bool by_look = config.leased || config.checked;
      if (by_look && goes_on_by_another(fault.node.slot, config.reason)) break;
      const Reason& reason = plan_.contract().reason(config.reason);
      std::uint8_t& alarms = touch(fault.node.slot).alarms[reason.condition.index()];
      if (--alarms == 0) {
        condition_changes(fault.node, reason.condition, ConditionStatus::kTrue, config.reason,
                          fault.fault_class, fault.struck, fault.raised_as[signal]);
      }
      break;
    }
  }
  forget_if_over(index);
}

bool Simulation::wait_for_host(std::uint32_t index, std::size_t signal) {
  ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = plan_.signals(fault.fault_class)[signal];
  if (!config.by_agent) return false;
  const SimTime back = host_back(faults_, fault.node.slot);
  if (back <= now_) return false;
  const ReasonId reason = config.reason;
  const auto& by = plan_.channel(plan_.contract().reason(reason)).by;
  // A machine that does not come back is replaced. What was pushed or logged goes with the host; a poll finds
  // what is there still.
  SimTime reported = SimTime::never();
  if (!back.is_never()) {
    const Watched host = watched(fault.node.slot);
    if (fault.signals[signal] == SignalStage::kClearing) {
      reported = plan_.timing().cleared_at(reason, host, back, fault.clears, *random_);
    } else if (std::holds_alternative<PollChannel>(by)) {
      reported = plan_.timing().published_at(reason, host, back, fault.clears, 0.5, *random_);
    }
  }
  if (reported.is_never()) fault.signals[signal] = SignalStage::kNone;
  expect(layout_.fault(Expect::kSignal, index, signal), reported, Expect::kSignal);
  return true;
}

void Simulation::publish(ActiveFault& fault, std::size_t signal) {
  const SimulationPlan::Signal& config = plan_.signals(fault.fault_class)[signal];
  const ReasonId reason_id = config.reason;
  const Reason& reason = plan_.contract().reason(reason_id);
  fault.signals[signal] = SignalStage::kNone;
  const bool by_log = std::holds_alternative<LogChannel>(plan_.channel(reason).by);
  if (by_log && reason.occurrences > 1) {
    // Log lines count up per machine and reason, whatever their age, and start anew when reported.
    const std::pair seen{fault.node, reason_id};
    sightings_.push_back(seen);
    if (std::count(sightings_.begin(), sightings_.end(), seen) < reason.occurrences) return;
    std::erase(sightings_, seen);
  }
  if (reason.severity == Severity::kWarning) {
    emit(EventPosted{.node = fault.node,
                     .reason = reason_id,
                     .fault_class = fault.fault_class,
                     .since_fault = now_ - fault.struck},
         fault.raised_as[signal]);
    return;
  }
  fault.signals[signal] = SignalStage::kPublished;
  ++touch(fault.node.slot).alarms[reason.condition.index()];
  condition_changes(fault.node, reason.condition,
                    config.leased ? ConditionStatus::kUnknown : ConditionStatus::kFalse, reason_id,
                    fault.fault_class, fault.struck, fault.raised_as[signal]);
  if (!fault.present) {
    clear_signals(faults_.index_of(fault));
  }
}

bool Simulation::is_silent(NodeSlot slot) const {
  return find_signal(plan_, faults_, slot, [](const auto& signal, SignalStage stage) {
           return signal.leased &&
                  (stage == SignalStage::kOnItsWay || stage == SignalStage::kPublished);
         }).fault != kNoFault;
}

bool Simulation::goes_on_by_another(NodeSlot slot, ReasonId reason) {
  const FoundSignal other =
      find_signal(plan_, faults_, slot, [&](const auto& signal, SignalStage stage) {
        return signal.reason == reason && stage == SignalStage::kOnItsWay;
      });
  if (other.fault == kNoFault) return false;
  faults_[other.fault].signals[other.signal] = SignalStage::kPublished;
  calendar_.cancel(layout_.fault(Expect::kSignal, other.fault, other.signal));
  return true;
}

void Simulation::clear_signals(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const std::vector<SimulationPlan::Signal>& signals = plan_.signals(fault.fault_class);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    const Calendar::Slot slot = layout_.fault(Expect::kSignal, index, s);
    if (signals[s].of_job && fault.signals[s] == SignalStage::kOnItsWay &&
        calendar_.at(slot).is_never()) {  // gone before the job made a step
      fault.signals[s] = SignalStage::kNone;
      std::erase(counting_, std::pair(index, s));
    }
    if (fault.signals[s] != SignalStage::kPublished) continue;
    const bool latched = !signals[s].leased && !signals[s].checked;
    if (plan_.scenario().detectors.latching && latched) continue;
    fault.signals[s] = SignalStage::kClearing;
    const SimTime cleared = plan_.timing().cleared_at(signals[s].reason, watched(fault.node.slot),
                                                      now_, fault.clears, *random_);
    expect(slot, cleared, Expect::kSignal);
    if (signals[s].leased) kubelet_back(fault.node, cleared);
  }
}

bool Simulation::steps_on(const ActiveFault& fault) const {
  const JobId id = job_on(fault.node.slot);
  if (!id.valid()) return false;
  const TrainingJob::State state = jobs_[id.index()].model.state();
  return state == TrainingJob::State::kRunning || state == TrainingJob::State::kStalled;
}

void Simulation::count_anew(JobId id) {
  if (jobs_[id.index()].model.state() != TrainingJob::State::kRunning) return;
  std::size_t kept = 0;
  for (std::size_t c = 0; c < counting_.size(); ++c) {
    const auto [index, signal] = counting_[c];
    ActiveFault& fault = faults_[index];
    counting_[kept++] = counting_[c];
    if (job_on(fault.node.slot) != id) continue;
    const Calendar::Slot slot = layout_.fault(Expect::kSignal, index, signal);
    const SimTime published =
        plan_.timing().published_at(plan_.signals(fault.fault_class)[signal].reason,
                                    watched(fault.node.slot), now_, fault.clears, 0.5, *random_);
    if (!published.is_never()) {
      expect(slot, published, Expect::kSignal);
      continue;
    }
    --kept;
    calendar_.cancel(slot);
    fault.signals[signal] = SignalStage::kNone;
    forget_if_over(index);
  }
  counting_.resize(kept);
}

}  // namespace faultline
