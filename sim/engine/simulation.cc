#include "sim/engine/simulation.h"

#include "models/base/check.h"

namespace faultline {

Simulation::Simulation(const SimulationPlan& plan)
    : plan_(plan),
      layout_(plan.jobs().size(), 2 * std::size_t{plan.fleet().slots()}),
      script_(plan.classes(), plan.fleet(), plan.job_names()),
      fleet_arrivals_(plan.classes(), FaultClock::kAlways, plan.everything(), 0),
      faults_(plan.fleet().slots()),
      cluster_(plan.make_cluster()),
      capacity_(plan.scenario().capacity),
      slots_(plan.fleet().slots()),
      shares_at_start_(plan.fleet().slots()),
      idle_at_start_(plan.fleet().pools().size()) {
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    const SimulationPlan::Job& job = plan.jobs()[j];
    const JobId id(j);
    jobs_.push_back({.model = TrainingJob(*job.config, id, job.gpus), .places = job.places});
    job_arrivals_.emplace_back(plan.classes(), FaultClock::kRunning, plan.of_job(id),
                               static_cast<std::uint32_t>(1 + j));
    for (std::uint32_t rank = 0; rank < job.places.size(); ++rank) {
      shares_at_start_[job.places[rank].index()] = {.job = id, .rank = rank};
    }
  }
  for (std::uint32_t slot = plan.fleet().slots(); slot-- > 0;) {
    if (shares_at_start_[slot].job.valid()) continue;
    idle_at_start_[plan.fleet().pool_of(NodeSlot(slot)).index()].emplace_back(slot);
  }
  calendar_.grow(layout_.slots(0));
}

void Simulation::begin(const RandomSource& random, HappeningSink& sink) {
  random_ = &random;
  sink_ = &sink;
  now_ = SimTime::start();
  next_happening_ = next_fault_ = 0;
  calendar_.clear();
  faults_.clear();
  cluster_.reset();
  capacity_.begin(random);
  slow_faults_.clear();
  sightings_.clear();
  slots_.clear();
  shares_ = shares_at_start_;
  idle_ = idle_at_start_;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    JobState& job = jobs_[j];
    job.model.begin();
    job.places = plan_.jobs()[j].places;
    job.hanging = 0;
    job.last = HappeningId();
    job.busy = true;
    job.busy_since = SimTime::start();
    job.busy_before = Duration::zero();
    job_arrivals_[j].begin(random);
    expect(layout_.arrival(static_cast<std::uint32_t>(1 + j)), job_arrivals_[j].next(),
           Expect::kArrival);
  }
  fleet_arrivals_.begin(random);
  expect(layout_.arrival(0), fleet_arrivals_.next(), Expect::kArrival);
  script_.begin();
  expect(layout_.script(), script_.next(), Expect::kArrival);
}

std::uint64_t Simulation::run(const RandomSource& random, HappeningSink& sink) {
  begin(random, sink);
  const SimTime end = SimTime::at(plan_.scenario().horizon);
  std::uint64_t events = 0;
  while (!calendar_.empty() && calendar_.next() < end) {
    const Calendar::Due due = calendar_.pop();
    FAULTLINE_CHECK_AT(now_, due.at >= now_, "an event at {} is in the past", to_string(due.at));
    now_ = due.at;
    ++events;
    const auto what = static_cast<Expect>(due.priority);
    handle(what, layout_.subject(what, due.slot));
  }
  now_ = end;
  for (JobState& job : jobs_) {
    job.model.end(now_, answers_);
    emit_answers(job, job.last);
  }
  emit(RunEnded{}, HappeningId());
  return events;
}

void Simulation::handle(Expect what, SlotLayout::Subject subject) {
  // Of the two generations that a slot can hold, expectations are about the one in this place, or about
  // the one that is coming.
  const auto slot = [&] { return NodeSlot(slots_.owner(subject.index / 2)); };
  const auto node = [&] { return cluster_.node_in(slot(), subject.index % 2); };
  const auto coming = [&] { return NodeId{slot(), touch(slot()).generation + 1}; };
  switch (what) {
    case Expect::kArrival: return arrival(subject.index);
    case Expect::kFaultClears: return fault_clears(subject.index);
    case Expect::kFaultFound: return fault_found(subject.index);
    case Expect::kSignal: return advance_signal(subject.index, subject.signal);
    case Expect::kLook: return reconcile(node());
    case Expect::kOnCallLook: return pod_failing(node());
    case Expect::kRepaired: return node_repaired(slot());
    case Expect::kDrained: return node_drained(slot());
    case Expect::kRemoved: return node_removed(node());
    case Expect::kMachineBack: return machine_back();
    case Expect::kRequested: return node_requested(coming());
    case Expect::kCapacityFound: return capacity_found(coming());
    case Expect::kRegistered: return node_registered(coming());
    case Expect::kJoined: return node_joined(coming());
    case Expect::kJob: return fulfil_job(JobId(subject.index));
  }
}

void Simulation::emit_answers(JobState& job, HappeningId cause) {
  for (const Happening::What& what : answers_) job.last = emit(what, cause);
  answers_.clear();
}

void Simulation::expect(Calendar::Slot slot, SimTime at, Expect what) {
  calendar_.schedule(slot, at, static_cast<std::uint8_t>(what));
}

void Simulation::follow(JobId id) {
  JobState& job = jobs_[id.index()];
  const Calendar::Slot slot = layout_.job(id);
  const SimTime expected = job.model.expected().at;
  if (calendar_.at(slot) != expected) expect(slot, expected, Expect::kJob);

  const bool busy = job.model.busy();
  if (busy == job.busy) return;
  job.busy = busy;
  const Calendar::Slot arrivals = layout_.arrival(id.value() + 1);
  if (busy) {
    job.busy_since = now_;
    const SimTime next = job_arrivals_[id.index()].next();
    if (!next.is_never()) {
      expect(arrivals, now_ + (next.since_start() - job.busy_before), Expect::kArrival);
    }
  } else {
    job.busy_before += now_ - job.busy_since;
    calendar_.cancel(arrivals);
  }
}

void Simulation::fulfil_job(JobId id) {
  JobState& job = jobs_[id.index()];
  if (job.model.expected().what == TrainingJob::Expected::kWatchdog) {
    watchdog_fires(id);
    return;
  }
  job.model.fulfil(now_, answers_);
  emit_answers(job, job.last);
  follow(id);
}

}  // namespace faultline
