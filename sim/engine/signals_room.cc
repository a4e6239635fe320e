#include "sim/engine/signals_room.h"

#include <algorithm>

#include "models/detectors/fail_slow.h"

namespace faultline {

SignalsRoom::SignalsRoom(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults,
                         FaultDraws& draws, const Standing& standing, const Places& places,
                         const Jobs& jobs, const DegradedParts& parts)
    : plan_(plan),
      kernel_(kernel),
      faults_(faults),
      draws_(draws),
      standing_(standing),
      places_(places),
      jobs_(jobs),
      parts_(parts),
      watches_(plan.fleet().slots()) {}

void SignalsRoom::begin() {
  signals_.clear();
  watches_.clear();
  sightings_.clear();
  counting_.clear();
}

Watched SignalsRoom::watched(NodeSlot slot) {
  Watch& watch = watches_.touch(slot.index());
  const StandingMachine& machine = standing_[slot];
  if (watch.generation != machine.generation) {
    watch.generation = machine.generation;
    watch.first_report = SimTime::never();
  }
  return {.node = standing_.node(slot),
          .started = machine.started,
          .first_report = &watch.first_report};
}

void SignalsRoom::begin(std::uint32_t index) {
  make_room();
  const ActiveFault& fault = faults_[index];
  const bool crash = parts_.effect_of(fault) == FaultEffect::kCrash;
  bool seen = false;
  const std::vector<SimulationPlan::Signal>& configs = this->configs(fault);
  for (std::size_t s = 0; s < configs.size(); ++s) {
    if (configs[s].of_job && !fault.job.valid()) continue;
    if (configs[s].by_pace && !slows_enough(fault, configs[s].reason)) continue;
    if (configs[s].coverage < 1 &&
        draw(fault, FaultDraws::caught(configs[s].draw)) >= configs[s].coverage) {
      continue;
    }
    seen = true;
    signals_[index].silences |= configs[s].leased && crash;
    const double share = configs[s].blames_another;
    if (share > 0 && blames_another(index, s, share)) continue;
    begin_one(index, s, configs[s].draw);
  }
  if (crash && fault.job.valid() && jobs_.model(fault.job).config().gang) {
    kernel_.post(GangNodeCrashed{.fault = index, .explained = seen});
  }
}

void SignalsRoom::begin(std::uint32_t index, std::uint32_t signal) {
  make_room();
  begin_one(index, signal, signal);
}

void SignalsRoom::begin_one(std::uint32_t index, std::size_t signal, std::size_t delay) {
  const ActiveFault& fault = faults_[index];
  signals_[index].stages[signal] = SignalStage::kDelayed;
  const Duration after =
      draws_.sample(*configs(fault)[signal].delay, plan_.classes()[fault.fault_class.index()],
                    fault, FaultDraws::delay(delay));
  if (after == Duration::zero()) {
    advance(index, signal);
  } else {
    kernel_.expect(slot_of(index, signal), kernel_.now() + after, Expect::kSignal);
  }
}

bool SignalsRoom::slows_enough(const ActiveFault& fault, ReasonId reason) const {
  const JobPace::Kind* const kind =
      fault.job.valid() ? parts_.pace_under(fault, fault.job) : nullptr;
  if (kind == nullptr || kind->cut) return false;  // a cut ends the job, and is no slow-down
  const std::int64_t speed =
      plan_.jobs()[fault.job.index()].pace->speed(kind->parts, WorkClock::kFullSpeed);
  return fail_slow::sees(plan_.channel(plan_.contract().reason(reason)),
                         static_cast<double>(speed) / WorkClock::kFullSpeed);
}

bool SignalsRoom::blames_another(std::uint32_t index, std::size_t signal, double share) {
  const ActiveFault& fault = faults_[index];
  if (!fault.job.valid()) return false;
  const std::vector<NodeSlot>& places = places_.of(fault.job);
  const double u = draw(fault, FaultDraws::blamed(signal)) / share;
  if (u >= 1 || places.size() < 2) return false;
  const auto n = static_cast<std::size_t>(u * static_cast<double>(places.size() - 1));
  const NodeSlot slot = places[n] == fault.node.slot ? places.back() : places[n];
  if (standing_[slot].standing) {
    kernel_.post(AnotherIsBlamed{
        .fault = index, .signal = static_cast<std::uint32_t>(signal), .slot = slot});
  }
  return true;
}

void SignalsRoom::advance(std::uint32_t index, std::size_t signal) {
  SignalStage& stage = signals_[index].stages[signal];
  switch (stage) {
    case SignalStage::kNone: return;
    case SignalStage::kDelayed:
      if (faults_[index].present) {
        raise(index, signal);
      } else {  // gone before it gave the signal
        stage = SignalStage::kNone;
      }
      break;
    case SignalStage::kOnItsWay:
      if (configs(faults_[index])[signal].of_job) {
        // No longer, or not yet: the first step begins the count.
        if (!steps_on(faults_[index].node.slot)) return;
        std::erase(counting_, std::pair(index, signal));
      }
      if (!wait_for_host(index, signal)) publish(index, signal);
      break;
    case SignalStage::kPublished: break;
    case SignalStage::kClearing:
      if (!wait_for_host(index, signal)) cleared(index, signal);
      break;
  }
  settle(index);
}

void SignalsRoom::raise(std::uint32_t index, std::size_t signal) {
  const ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = configs(fault)[signal];
  OfFault& signals = signals_[index];
  signals.raised_as[signal] =
      kernel_.emit(SignalRaised{.fault = fault.id, .node = fault.node, .reason = config.reason},
                   fault.struck_as);
  // The caught signals have u uniform below the coverage: what is left of it decides the delay.
  const double u = config.pushed ? draw(fault, FaultDraws::caught(signal)) / config.coverage : 0.5;
  const SimTime published = plan_.timing().published_at(
      config.reason, watched(fault.node.slot), kernel_.now(), fault.clears, u, kernel_.random());
  if (published.is_never()) {
    signals.stages[signal] = SignalStage::kNone;
    kernel_.cancel(slot_of(index, signal));
    return;
  }
  signals.stages[signal] = SignalStage::kOnItsWay;
  if (published > kernel_.now()) {
    if (config.of_job) counting_.emplace_back(index, signal);
    kernel_.expect(slot_of(index, signal), published, Expect::kSignal);
  } else if (!wait_for_host(index, signal)) {
    publish(index, signal);
  }
}

SimTime SignalsRoom::host_back(NodeSlot slot) const {
  SimTime back = SimTime::start();
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;
       index = faults_[index].next_on_node) {
    if (faults_[index].present && signals_[index].silences) {
      back = std::max(back, faults_[index].clears);
    }
  }
  return back;
}

bool SignalsRoom::wait_for_host(std::uint32_t index, std::size_t signal) {
  const ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = configs(fault)[signal];
  if (!config.by_agent) return false;
  const SimTime back = host_back(fault.node.slot);
  if (back <= kernel_.now()) return false;
  const ReasonId reason = config.reason;
  const auto& by = plan_.channel(plan_.contract().reason(reason)).by;
  SignalStage& stage = signals_[index].stages[signal];
  // A machine that does not come back is replaced. What was pushed or logged goes with the host; a poll finds
  // what is there still.
  SimTime reported = SimTime::never();
  if (!back.is_never()) {
    const Watched host = watched(fault.node.slot);
    if (stage == SignalStage::kClearing) {
      reported = plan_.timing().cleared_at(reason, host, back, fault.clears, kernel_.random());
    } else if (std::holds_alternative<PollChannel>(by)) {
      reported =
          plan_.timing().published_at(reason, host, back, fault.clears, 0.5, kernel_.random());
    }
  }
  if (reported.is_never()) stage = SignalStage::kNone;
  kernel_.expect(slot_of(index, signal), reported, Expect::kSignal);
  return true;
}

void SignalsRoom::publish(std::uint32_t index, std::size_t signal) {
  const ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = configs(fault)[signal];
  const Reason& reason = plan_.contract().reason(config.reason);
  OfFault& signals = signals_[index];
  signals.stages[signal] = SignalStage::kNone;
  if (reason.occurrences > 1 && !is_sighted(fault, config.reason)) return;
  if (reason.severity == Severity::kWarning) {
    const HappeningId posted = kernel_.emit(
        EventPosted{.node = fault.node, .reason = config.reason}, signals.raised_as[signal]);
    kernel_.emit(FaultBehind{.node = fault.node,
                             .reason = config.reason,
                             .fault = fault.id,
                             .fault_class = fault.fault_class,
                             .since_fault = kernel_.now() - fault.struck},
                 posted);
    return;
  }
  signals.stages[signal] = SignalStage::kPublished;
  ++watches_.touch(fault.node.slot.index()).alarms[reason.condition.index()];
  report(index, signal, config.leased ? ConditionStatus::kUnknown : ConditionStatus::kFalse);
  if (!fault.present) clear(index);
}

// Log lines count up per machine and reason, whatever their age, and start anew when reported.
bool SignalsRoom::is_sighted(const ActiveFault& fault, ReasonId id) {
  const Reason& reason = plan_.contract().reason(id);
  if (!std::holds_alternative<LogChannel>(plan_.channel(reason).by)) return true;
  const std::pair seen{fault.node, id};
  sightings_.push_back(seen);
  if (std::count(sightings_.begin(), sightings_.end(), seen) < reason.occurrences) return false;
  std::erase(sightings_, seen);
  return true;
}

void SignalsRoom::report(std::uint32_t index, std::size_t signal, ConditionStatus status) {
  const ActiveFault& fault = faults_[index];
  const ReasonId reason = configs(fault)[signal].reason;
  kernel_.post(ConditionReported{.node = fault.node,
                                 .condition = plan_.contract().reason(reason).condition,
                                 .status = status,
                                 .reason = reason,
                                 .cause = signals_[index].raised_as[signal],
                                 .fault = observed::is_bad(status) ? fault.id : FaultId(),
                                 .fault_class = fault.fault_class,
                                 .struck = fault.struck});
}

void SignalsRoom::end(const SignalsEnd& ends) {
  OfFault& signals = signals_[ends.fault];
  if (ends.by == SignalsEndBy::kClears) clear(ends.fault);
  if (ends.by == SignalsEndBy::kDropped) {
    for (std::size_t s = 0; s < kMaxSignals; ++s) kernel_.cancel(slot_of(ends.fault, s));
    std::erase_if(counting_, [&](const auto& counted) { return counted.first == ends.fault; });
    signals.stages = {};
  }
  settle(ends.fault);
}

void SignalsRoom::clear(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  const std::vector<SimulationPlan::Signal>& configs = this->configs(fault);
  for (std::size_t s = 0; s < configs.size(); ++s) {
    SignalStage& stage = signals_[index].stages[s];
    if (configs[s].of_job && stage == SignalStage::kOnItsWay &&
        kernel_.expected(slot_of(index, s)).is_never()) {  // gone before the job made a step
      stage = SignalStage::kNone;
      std::erase(counting_, std::pair(index, s));
    }
    if (stage != SignalStage::kPublished) continue;
    const bool latched = !configs[s].leased && !configs[s].checked;
    if (plan_.scenario().detectors.latching && latched) continue;
    stage = SignalStage::kClearing;
    const SimTime cleared = plan_.timing().cleared_at(
        configs[s].reason, watched(fault.node.slot), kernel_.now(), fault.clears, kernel_.random());
    kernel_.expect(slot_of(index, s), cleared, Expect::kSignal);
    if (configs[s].leased && !is_silent(fault.node.slot)) {
      kernel_.post(KubeletBack{fault.node});
    }
  }
}

void SignalsRoom::cleared(std::uint32_t index, std::size_t signal) {
  const ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = configs(fault)[signal];
  signals_[index].stages[signal] = SignalStage::kNone;
  const bool by_look = config.leased || config.checked;
  if (by_look && goes_on_by_another(fault.node.slot, config.reason)) return;
  const ConditionId condition = plan_.contract().reason(config.reason).condition;
  if (--watches_.touch(fault.node.slot.index()).alarms[condition.index()] == 0) {
    report(index, signal, ConditionStatus::kTrue);
  }
}

template <class Matches>
SignalsRoom::Found SignalsRoom::find(NodeSlot slot, Matches matches) const {
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;
       index = faults_[index].next_on_node) {
    if (!faults_[index].present) continue;
    const std::vector<SimulationPlan::Signal>& configs = this->configs(faults_[index]);
    for (std::size_t s = 0; s < configs.size(); ++s) {
      if (matches(configs[s], signals_[index].stages[s])) return {.fault = index, .signal = s};
    }
  }
  return {};
}

bool SignalsRoom::is_silent(NodeSlot slot) const {
  return find(slot, [](const auto& config, SignalStage stage) {
           return config.leased &&
                  (stage == SignalStage::kOnItsWay || stage == SignalStage::kPublished);
         }).fault != kNoFault;
}

bool SignalsRoom::goes_on_by_another(NodeSlot slot, ReasonId reason) {
  const Found other = find(slot, [&](const auto& config, SignalStage stage) {
    return config.reason == reason && stage == SignalStage::kOnItsWay;
  });
  if (other.fault == kNoFault) return false;
  signals_[other.fault].stages[other.signal] = SignalStage::kPublished;
  kernel_.cancel(slot_of(other.fault, other.signal));
  return true;
}

bool SignalsRoom::steps_on(NodeSlot slot) const {
  const JobId job = places_.job_on(slot);
  if (!job.valid()) return false;
  const TrainingJob::State state = jobs_.model(job).state();
  return state == TrainingJob::State::kRunning || state == TrainingJob::State::kStalled;
}

void SignalsRoom::count_anew(JobId job) {
  if (counting_.empty() || jobs_.model(job).state() != TrainingJob::State::kRunning) return;
  std::size_t kept = 0;
  for (std::size_t c = 0; c < counting_.size(); ++c) {
    const auto [index, signal] = counting_[c];
    const ActiveFault& fault = faults_[index];
    counting_[kept++] = counting_[c];
    if (places_.job_on(fault.node.slot) != job) continue;
    const SimTime published =
        plan_.timing().published_at(configs(fault)[signal].reason, watched(fault.node.slot),
                                    kernel_.now(), fault.clears, 0.5, kernel_.random());
    kernel_.expect(slot_of(index, signal), published, Expect::kSignal);  // (never: cancelled)
    if (!published.is_never()) continue;
    --kept;
    signals_[index].stages[signal] = SignalStage::kNone;
    settle(index);
  }
  counting_.resize(kept);
}

}  // namespace faultline
