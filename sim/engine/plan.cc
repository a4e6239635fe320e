#include "sim/engine/plan.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/detectors/fail_slow.h"
#include "sim/control/control_plane.h"
#include "sim/engine/plan_noise.h"

namespace faultline {
namespace {

constexpr double kLongestStep = 1e8;  // seconds

std::vector<std::int64_t> xids_of(const FaultCatalogueConfig& catalogue) {
  std::vector<std::int64_t> xids;
  for (const FaultClassConfig& fault_class : catalogue.classes) {
    for (const SignalConfig& signal : fault_class.signals) {
      if (signal.xid) xids.push_back(*signal.xid);
    }
  }
  std::sort(xids.begin(), xids.end());
  xids.erase(std::unique(xids.begin(), xids.end()), xids.end());
  return xids;
}

ReasonId reason_of(const SignalConfig& signal, const Contract& contract) {
  if (signal.xid) return contract.xid(*signal.xid);
  const auto name = signal.heartbeat_lost ? kHeartbeatReason : std::string_view(signal.reason);
  const auto reason = contract.find(name);
  FAULTLINE_CHECK(reason, "no reason `{}`", name);
  return *reason;
}

}  // namespace

SimulationPlan::SimulationPlan(const Scenario& scenario)
    : scenario_(scenario),
      fleet_(scenario.fleet, scenario.capacity.warm_spares),
      classes_(compile_fault_classes(scenario.faults, scenario.horizon)),
      contract_(scenario.detectors, xids_of(scenario.faults)),
      timing_(scenario.detectors, contract_),
      control_facts_(facts_of(scenario.policy, scenario.controllers)),
      controllers_(make_controllers(
          scenario.controllers.empty() ? controllers_of(scenario.policy) : scenario.controllers,
          contract_.conditions())) {
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    std::vector<Signal>& signals = signals_.emplace_back();
    for (const SignalConfig& signal : fault_class.signals) {
      const ReasonId id = reason_of(signal, contract_);
      const Reason& reason = contract_.reason(id);
      if (!reason.published) continue;
      const bool slows = fault_class.effect == FaultEffect::kSlow;
      const bool by_place = slows && fault_class.degrades.has_value();
      if (slows && !by_place && !fail_slow::sees(channel(reason), fault_class.slow_speed())) {
        continue;
      }
      const auto& by = channel(reason).by;
      const auto* push = std::get_if<PushChannel>(&by);
      signals.push_back({.reason = id,
                         .coverage = signal.coverage * reason.coverage,
                         .delay = &signal.delay,
                         .pushed = push != nullptr && !push->delay.is_fixed(),
                         .leased = std::holds_alternative<LeaseChannel>(by),
                         .by_agent = push != nullptr || std::holds_alternative<PollChannel>(by) ||
                                     std::holds_alternative<LogChannel>(by),
                         .checked = std::holds_alternative<StatusCheckChannel>(by),
                         .draw = signals.size(),
                         .blames_another = signal.blames_another,
                         .of_job = fail_slow::looks_at_jobs(channel(reason)),
                         .by_pace = by_place && !fail_slow::sees(channel(reason), 1)});
    }
    check_host(fault_class, signals);
  }
  place_jobs();
  if (scenario.fleet.fabric) pace_jobs();
  for (Job& job : jobs_) job.noise = noise_of(scenario, *job.config);
}

// A host that is gone is silent and fails the status check, by the same draws, unless the class itself
// says how the check sees it.
void SimulationPlan::check_host(const FaultClassConfig& fault_class,
                                std::vector<Signal>& signals) const {
  const std::optional<ReasonId> check = contract_.status_check();
  const bool says_so = std::any_of(signals.begin(), signals.end(),
                                   [](const Signal& signal) { return signal.checked; });
  if (!check || fault_class.effect != FaultEffect::kCrash || says_so) return;
  const auto lost = std::find_if(fault_class.signals.begin(), fault_class.signals.end(),
                                 [](const SignalConfig& signal) { return signal.heartbeat_lost; });
  if (lost == fault_class.signals.end()) return;
  const auto lease = std::find_if(signals.begin(), signals.end(),
                                  [](const Signal& signal) { return signal.leased; });
  signals.push_back({.reason = *check,
                     .coverage = lost->coverage * contract_.reason(*check).coverage,
                     .delay = &lost->delay,
                     .checked = true,
                     .draw = static_cast<std::size_t>(lease - signals.begin())});
}

void SimulationPlan::place_jobs() {
  std::vector<std::uint32_t> taken(fleet_.pools().size());
  for (const WorkloadConfig& workload : scenario_.workloads) {
    const auto& config = std::get<TrainingConfig>(workload);
    std::size_t pool = 0;
    while (!config.pool.empty() && fleet_.pools()[pool].name != config.pool) ++pool;
    const Fleet::Pool& nodes = fleet_.pools()[pool];
    Job job{.config = &config, .pool = PoolId(pool)};
    if (config.gang && !config.gang->preempts.empty()) {
      std::size_t other = 0;
      while (fleet_.pools()[other].name != config.gang->preempts) ++other;
      job.preempts = PoolId(other);
    }
    for (std::int64_t rank = 0; rank < config.nodes; ++rank) {
      job.places.emplace_back(nodes.first_slot + taken[pool]++);
    }
    job.gpus = job.places.size() * nodes.gpus_per_node;
    jobs_.push_back(std::move(job));
  }
}

void SimulationPlan::pace_jobs() {
  const Fabric fabric(scenario_.fleet, scenario_.capacity.warm_spares);
  for (Job& job : jobs_) {
    if (!job.config->parallelism) continue;
    const TrainingStep step = training_step(*job.config->model, *job.config->parallelism);
    job.pace.emplace(step, fabric, job.places.front().value(), scenario_.faults);
    stepped_.push_back(*job.config);
    // (a step on a hopeless network outlasts every run; longer ones would overflow the work's clock)
    stepped_.back().step =
        Duration::from_seconds(std::min(job.pace->healthy().total, kLongestStep));
    job.config = &stepped_.back();
  }
}

std::vector<std::string> SimulationPlan::job_names() const {
  std::vector<std::string> names;
  for (const Job& job : jobs_) names.push_back(job.config->name);
  return names;
}

Population SimulationPlan::everything() const { return all_parts(fleet_, jobs_.size()); }

Population SimulationPlan::warm_spares() const {
  if (fleet_.pools().size() != 1) return {};
  const Fleet::Pool& pool = fleet_.pools().front();
  const DomainTree& domains = fleet_.domains();
  const NodeSlot last_of_pool(pool.first_slot + pool.nodes - 1);
  const auto behind = [&](DomainLevel level) -> std::uint64_t {
    const std::optional<Domain> last = domains.of(last_of_pool, level);
    return last ? domains.count(level) - (last->n + 1) : 0;
  };
  const std::uint32_t spares = pool.slots - pool.nodes;
  return {.gpus = std::uint64_t{spares} * pool.gpus_per_node,
          .nodes = spares,
          .racks = behind(DomainLevel::kRack),
          .blocks = behind(DomainLevel::kBlock)};
}

Population SimulationPlan::of_job(JobId id) const {
  const Job& job = jobs_[id.index()];
  const auto stands_in = [&](DomainLevel level) -> std::uint64_t {
    const std::optional<Domain> last = fleet_.domains().of(job.places.back(), level);
    return last ? last->n + 1 - first_domain(id, level).n : 0;
  };
  return {.gpus = job.gpus,
          .nodes = job.places.size(),
          .racks = stands_in(DomainLevel::kRack),
          .blocks = stands_in(DomainLevel::kBlock),
          .zones = stands_in(DomainLevel::kZone),
          .regions = stands_in(DomainLevel::kRegion),
          .jobs = 1};
}

Domain SimulationPlan::first_domain(JobId job, DomainLevel level) const {
  const auto first = fleet_.domains().of(jobs_[job.index()].places.front(), level);
  FAULTLINE_CHECK(first, "the pool of job {} has no such level", job.value());
  return *first;
}

double SimulationPlan::nodes_per_fault(FaultClassId id) const {
  const FaultClass& fault_class = classes_[id.index()];
  const std::optional<DomainLevel> level = level_of(fault_class.unit);
  if (!level || *level >= DomainLevel::kNode) return 1;
  if (fault_class.config->clock == FaultClock::kAlways) {
    return static_cast<double>(fleet_.domains().nodes(*level)) /
           static_cast<double>(fleet_.domains().count(*level));
  }
  double nodes = 0;
  double parts = 0;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Population population = of_job(JobId(job));
    if (population.parts(fault_class.unit) == 0) continue;
    nodes += static_cast<double>(population.nodes);
    parts += static_cast<double>(population.parts(fault_class.unit));
  }
  return nodes / parts;
}

observed::Picture SimulationPlan::make_picture() const {
  observed::Picture picture(contract_.conditions(), contract_.published());
  count_for(controllers_, picture);
  for (const Fleet::Pool& pool : fleet_.pools()) picture.add_pool(pool.name);
  const SimTime start = SimTime::start();
  for (std::uint32_t slot = 0; slot < fleet_.slots(); ++slot) {
    const PoolId pool = fleet_.pool_of(NodeSlot(slot));
    picture.apply(observed::MachineAdded{.pool = pool, .replaces = {}}, start);
    picture.apply(observed::NodeAdded{.pool = pool,
                                      .machine = observed::MachineKey(std::size_t{slot}),
                                      .labels = {},
                                      .name = {}},
                  start);
    picture.apply(
        observed::ConditionSet{
            .node = observed::NodeKey(std::size_t{slot}), .type = observed::kReady, .reason = {}},
        start);
  }
  for (const Job& job : jobs_) {
    const TrainingConfig& config = *job.config;
    observed::PodOwner owner{.name = config.name,
                             .grace = config.pods.grace,
                             .tolerates_unreachable = config.unreachable_toleration,
                             .tolerates_not_ready = config.unreachable_toleration,
                             .budget = {},
                             .do_not_disrupt = config.pods.do_not_disrupt};
    if (config.pods.max_unavailable) {
      owner.budget = picture.add_budget(config.name, *config.pods.max_unavailable);
    }
    const observed::OwnerKey key = picture.add_owner(std::move(owner));
    for (const NodeSlot place : job.places) {
      picture.apply(observed::PodAdded{.owner = key, .node = observed::NodeKey(place.index())},
                    start);
    }
  }
  picture.remember();
  return picture;
}

}  // namespace faultline
