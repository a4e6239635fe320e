#include "sim/engine/simulation.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {

Simulation::Simulation(const SimulationPlan& plan)
    : plan_(plan),
      capacity_(plan.scenario().capacity, plan.fleet().slots(),
                plan.policy().provisioning().registration_timeout),
      layout_(plan.jobs().size(), 2 * std::size_t{plan.fleet().slots()}, capacity_.machines()),
      script_(plan.classes(), plan.fleet(), plan.job_names()),
      fleet_arrivals_(plan.classes(), FaultClock::kAlways, plan.everything(), 0,
                      plan.warm_spares()),
      faults_(plan.fleet().slots()),
      cluster_(plan.make_cluster()),
      slots_(plan.fleet().slots()),
      shares_at_start_(plan.fleet().slots()),
      idle_at_start_(plan.fleet().pools().size()),
      lemons_(plan.scenario().faults.lemons ? plan.scenario().faults.lemons->share : 0,
              std::max<std::size_t>(capacity_.machines(), plan.fleet().slots())),
      in_shop_as_(capacity_.machines()) {
  if (fleet_arrivals_.counts_lemons()) fleet_lemons_.emplace(plan.fleet().slots());
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    const SimulationPlan::Job& job = plan.jobs()[j];
    const JobId id(j);
    jobs_.push_back({.model = TrainingJob(*job.config, id, job.gpus, job.noise.by_speed),
                     .places = job.places});
    job_arrivals_.emplace_back(plan.classes(), FaultClock::kRunning, plan.of_job(id),
                               static_cast<std::uint32_t>(1 + j));
    if (job_arrivals_.back().counts_lemons()) jobs_.back().lemons.emplace(plan.fleet().slots());
    if (job.config->gang) make_gang(id);
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

void Simulation::make_gang(JobId id) {
  const SimulationPlan::Job& job = plan_.jobs()[id.index()];
  const auto slots_of = [&](PoolId pool) {
    std::vector<NodeSlot> slots;
    if (!pool.valid()) return slots;
    gang_of_pool_.resize(plan_.fleet().pools().size());
    gang_of_pool_[pool.index()] = id;
    const Fleet::Pool& nodes = plan_.fleet().pool(pool);
    for (std::uint32_t n = 0; n < nodes.slots; ++n) slots.emplace_back(nodes.first_slot + n);
    return slots;
  };
  jobs_[id.index()].gang.emplace(GangState{
      .line = Gang(id, job.places.size(), static_cast<std::size_t>(job.config->gang->standbys),
                   slots_of(job.pool), slots_of(job.preempts), plan_.fleet().slots()),
      .node_comes = {},
      .waits_for = {}});
}

void Simulation::begin(const RandomSource& random) {
  random_ = &random;
  fault_draws_.begin(random);
  now_ = SimTime::start();
  end_ = SimTime::at(plan_.scenario().horizon);
  jobs_done_ = 0;
  leaving_now_.clear();
  next_happening_ = next_fault_ = 0;
  calendar_.clear();
  faults_.clear();
  cluster_.reset();
  capacity_.begin(random);
  slow_faults_.clear();
  dead_parts_.clear();
  flaps_.clear();
  sightings_.clear();
  counting_.clear();
  slots_.clear();
  shares_ = shares_at_start_;
  idle_ = idle_at_start_;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    JobState& job = jobs_[j];
    job.model.begin();
    job.places = plan_.jobs()[j].places;
    job.hanging = 0;
    job.cut_by = {};
    job.last = HappeningId();
    job.busy = true;
    job.busy_since = SimTime::start();
    job.busy_before = Duration::zero();
    job_arrivals_[j].begin(random);
  }
  fleet_arrivals_.begin(random);
  lemons_begin();
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    expect(layout_.arrival(static_cast<std::uint32_t>(1 + j)), job_arrivals_[j].next(),
           Expect::kArrival);
    if (jobs_[j].model.config().work) follow(JobId(j));
  }
  expect(layout_.arrival(0), fleet_arrivals_.next(), Expect::kArrival);
  script_.begin();
  expect(layout_.script(), script_.next(), Expect::kArrival);
  gangs_begin();
}

std::uint64_t Simulation::run(const RandomSource& random, HappeningSink& sink) {
  metrics_ = nullptr;
  sink_ = &sink;
  begin(random);
  return run();
}

std::uint64_t Simulation::run(const RandomSource& random, RunMetrics& metrics) {
  metrics_ = &metrics;
  begin(random);
  return run();
}

std::uint64_t Simulation::run() {
  std::uint64_t events = 0;
  while (const std::optional<Calendar::Due> due = calendar_.pop_before(end_)) {
    FAULTLINE_CHECK_AT(now_, due->at >= now_, "an event at {} is in the past", to_string(due->at));
    now_ = due->at;
    ++events;
    handle(static_cast<Expect>(due->priority), due->slot);
    if (!leaving_now_.empty()) leave_now();
  }
  now_ = end_;
  for (JobState& job : jobs_) {
    job.model.end(now_, telling(job, job.last));
  }
  emit(RunEnded{}, HappeningId());
  return events;
}

void Simulation::handle(Expect what, Calendar::Slot slot) {
  // Of the two generations that a node slot can hold, expectations are about the one in this place, or
  // about the one that is coming.
  const auto node_slot = [&] { return NodeSlot(slots_.owner(layout_.place_of(slot) / 2)); };
  const auto node = [&] { return cluster_.node_in(node_slot(), layout_.place_of(slot) % 2); };
  const auto coming = [&] { return NodeId{node_slot(), touch(node_slot()).generation + 1}; };
  switch (what) {
    case Expect::kArrival: return arrival(layout_.population_of(slot));
    case Expect::kFaultClears: return fault_clears(layout_.fault_of(slot));
    case Expect::kFaultFound: return fault_found(layout_.fault_of(slot));
    case Expect::kSignal: return advance_signal(layout_.fault_of(slot), layout_.signal_of(slot));
    case Expect::kLook: return reconcile(node());
    case Expect::kOnCallLook: return pod_failing(node());
    case Expect::kRepaired: return node_repaired(node_slot());
    case Expect::kDrained: return node_drained(node_slot());
    case Expect::kRemoved: return node_removed(node());
    case Expect::kMachineBack:
      return capacity_.shop() == nullptr ? machine_back()
                                         : repair_stage_ends(layout_.machine_of(slot));
    case Expect::kRequested: return node_requested(coming());
    case Expect::kCapacityFound: return capacity_found(coming());
    case Expect::kRegistered: return node_registered(coming());
    case Expect::kTimesOut: return registration_times_out(coming());
    case Expect::kJoined: return node_joined(coming());
    case Expect::kJob: return fulfil_job(layout_.job_of(slot));
  }
}

void Simulation::expect(Calendar::Slot slot, SimTime at, Expect what) {
  calendar_.schedule(slot, at, static_cast<std::uint8_t>(what));
}

void Simulation::follow(JobId id) {
  JobState& job = jobs_[id.index()];
  const Calendar::Slot slot = layout_.job(id);
  const bool waits = job.gang && job.gang->waits;
  const SimTime expected = waits ? job.gang->node_comes : job.model.expected().at;
  if (calendar_.at(slot) != expected) expect(slot, expected, Expect::kJob);

  const bool busy = job.model.busy();
  if (busy == job.busy) return;
  job.busy = busy;
  const Calendar::Slot arrivals = layout_.arrival(id.value() + 1);
  if (busy) {
    job.busy_since = now_;
    Arrivals& faults = job_arrivals_[id.index()];
    if (job.lemons) faults.set_lemons(job.lemons->size(), SimTime::at(job.busy_before));
    if (faults.has_lives()) faults.restart(SimTime::at(job.busy_before));
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
  if (job.gang && job.gang->waits) return node_preempted(id);
  const TrainingJob::Expected what = job.model.expected().what;
  if (what == TrainingJob::Expected::kWatchdog) return stall_times_out(id);
  if (what == TrainingJob::Expected::kRestart && job.gang && job.gang->line.has_vacancy() &&
      !gang_is_whole(id)) {
    return;
  }
  job.model.fulfil(now_, telling(job, job.last));
  follow(id);
  if (!flaps_.empty()) meet_flaps(id);
  if (!counting_.empty() && what != TrainingJob::Expected::kDone) count_anew(id);
  if (what == TrainingJob::Expected::kDone) complete(id);
}

}  // namespace faultline
