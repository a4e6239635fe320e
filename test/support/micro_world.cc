#include "test/support/micro_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"

namespace faultline {
namespace {

ReasonConfig fatal_reason(const std::string& name, const std::string& condition) {
  return {.name = name, .condition = condition, .severity = Severity::kFatal, .channel = "push"};
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Reads a journal line by line and remembers what must not be contradicted.
class JournalReader {
 public:
  explicit JournalReader(const Scenario& scenario) : jobs_(scenario.workloads.size()) {
    for (const FaultClassConfig& fault : scenario.faults.classes) {
      if (fault.degrades && is_shared(fault.degrades->part)) most_holds_ = 2;
    }
  }

  void read(const Happening& happening, std::size_t line) {
    line_ = line;
    require(happening.id.index() == line, "ids do not count from 0");
    require(!(happening.time < now_), "the clock goes back");
    require(!happening.cause.valid() || happening.cause < happening.id, "the cause comes later");
    require(!ended_, "a line after the end");
    now_ = happening.time;
    require(!owes_fault_ || std::holds_alternative<FaultBehind>(happening.what),
            "no fault is told of the report before");
    owes_fault_ = false;
    const HappeningId before = std::exchange(before_, happening.id);
    std::visit(
        Overloaded{
            [&](const FaultStruck& struck) {
              if (struck.node.slot.valid()) require_standing(struck.node, "struck");
            },
            [&](const ConditionChanged& changed) {
              owes_fault_ = observed::is_bad(changed.status);
              reported_ = happening;
            },
            [&](const EventPosted&) {
              owes_fault_ = true;
              reported_ = happening;
            },
            [&](const FaultBehind& behind) {
              require(happening.cause == before && happening.cause == reported_.id &&
                          happening.time == reported_.time,
                      "the fault behind something else");
              std::visit(
                  [&]<class What>(const What& what) {
                    if constexpr (requires { what.reason; }) {
                      require(what.node == behind.node && what.reason == behind.reason,
                              "the fault behind another report");
                    }
                  },
                  reported_.what);
            },
            [&](const RepairWasNeedless& needless) {
              require(happening.cause == before && happening.cause == decided_,
                      "a needless repair that was not decided");
              require(decided_node_ == needless.node, "another repair was needless");
            },
            [&](const NodeRemoved& removed) {
              require(places_[removed.node.slot].objects.erase(removed.node.generation) == 1,
                      "a Node is removed that does not exist");
            },
            [&](const RepairDecided& decided) {
              decided_ = happening.id;
              decided_node_ = decided.node;
              Place& place = places_[decided.node.slot];
              if (decided.node.generation > place.standing) {
                require(decided.node.generation == place.standing + 1 + place.skipped &&
                            place.objects.count(decided.node.generation) == 1,
                        "a node is replaced that does not boot");
                ++place.skipped;
              } else if (decided.action == RepairAction::kReplace) {
                require_standing(decided.node, "replaced");
                place.leaving = true;
              }
            },
            [&](const NodeJoined& joined) {
              Place& place = places_[joined.node.slot];
              require(place.leaving, "a machine joins a place that is taken");
              require(joined.node.generation == place.standing + 1 + place.skipped,
                      "a generation is left out");
              place.standing = joined.node.generation;
              place.skipped = 0;
              place.leaving = false;
            },
            [&](const NodeRegistered& registered) {
              std::set<std::uint32_t>& objects = places_[registered.node.slot].objects;
              require(objects.insert(registered.node.generation).second, "registered twice");
              require(objects.size() <= 2, "three Nodes in one place");
            },
            [&](const JobHeld& held) {
              // Two maintenances may overlap; a place holds once, and so does the shared part that was
              // struck there.
              std::multiset<NodeSlot>& holds = jobs_[held.job.index()].holds;
              require(!held.node.slot.valid() || holds.count(held.node.slot) < most_holds_,
                      "held too often by one place");
              holds.insert(held.node.slot);
            },
            [&](const JobReleased& released) {
              std::multiset<NodeSlot>& holds = jobs_[released.job.index()].holds;
              const auto hold = holds.find(released.node.slot);
              require(hold != holds.end(), "released without a hold");
              if (hold != holds.end()) holds.erase(hold);
            },
            [&](const JobProgressed& progressed) {
              const Job& job = jobs_[progressed.job.index()];
              require(job.running, "progress while down");
              require(progressed.work >= Duration::zero() &&
                          progressed.straggler >= Duration::zero() &&
                          progressed.noise >= Duration::zero() &&
                          progressed.checkpoint >= Duration::zero(),
                      "progress goes back");
              require(progressed.work + progressed.straggler + progressed.noise +
                              progressed.checkpoint <=
                          now_ - job.since,
                      "more progress than time");
            },
            [&](const JobStalled& stalled) { jobs_[stalled.job.index()].running = false; },
            [&](const JobUnstalled& unstalled) { runs(unstalled.job); },
            [&](const JobInterrupted& interrupted) {
              jobs_[interrupted.job.index()].running = false;
              require(interrupted.work_lost >= Duration::zero(), "negative work lost");
            },
            [&](const JobRestarting& restarting) {
              require(jobs_[restarting.job.index()].holds.empty(), "restarts while held");
            },
            [&](const JobResumed& resumed) {
              require(jobs_[resumed.job.index()].holds.empty(), "resumes while held");
              runs(resumed.job);
            },
            [&](const JobSubmitted& submitted) { jobs_[submitted.job.index()].running = false; },
            [&](const JobCompleted& completed) {
              require(jobs_[completed.job.index()].running, "done while down");
              jobs_[completed.job.index()].running = false;
            },
            [&](const RunEnded&) { ended_ = true; },
            [](const auto&) {},
        },
        happening.what);
  }

  std::vector<std::string> faults() {
    if (!ended_) faults_.emplace_back("no end of the run");
    return faults_;
  }

 private:
  struct Place {
    std::uint32_t standing = 0;
    bool leaving = false;
    std::set<std::uint32_t> objects{0};  // generations that exist as Nodes
    std::uint32_t skipped = 0;           // that were replaced while they booted
  };
  struct Job {
    bool running = true;
    SimTime since;
    std::multiset<NodeSlot> holds;
  };

  void require(bool holds, const std::string& fault) {
    if (!holds) {
      faults_.push_back("line " + std::to_string(line_) + " at " + to_string(now_) + ": " + fault);
    }
  }
  void require_standing(NodeId node, const std::string& what) {
    const Place& place = places_[node.slot];
    require(place.standing == node.generation, what + " a machine that does not stand there");
  }
  void runs(JobId job) {
    jobs_[job.index()].running = true;
    jobs_[job.index()].since = now_;
  }

  std::size_t line_ = 0;
  SimTime now_;
  bool ended_ = false;
  HappeningId before_;
  Happening reported_;       // the last condition or event
  bool owes_fault_ = false;  // it turned bad: the fault behind it comes next
  HappeningId decided_;      // the last repair
  NodeId decided_node_;
  std::size_t most_holds_ = 1;
  std::map<NodeSlot, Place> places_;
  std::vector<Job> jobs_;
  std::vector<std::string> faults_;
};

}  // namespace

Charged charged(const Ledger::Accounts& accounts) {
  Charged charged;
  for (std::size_t a = 0; a < kAccounts; ++a) {
    if (accounts[a] == Duration::zero()) continue;
    charged.emplace(kAccountNames[a], to_string(accounts[a]));
  }
  return charged;
}

Charged charged(const std::map<Account, Duration>& accounts) {
  Ledger::Accounts all{};
  for (const auto& [account, time] : accounts) all[static_cast<std::size_t>(account)] = time;
  return charged(all);
}

Duration MicroRun::total(std::size_t job) const {
  Duration sum;
  for (const Duration account : accounts.at(job)) sum += account;
  return sum;
}

MicroWorld::MicroWorld(int pool_nodes, int job_nodes, Duration horizon) {
  scenario.name = "micro";
  scenario.horizon = horizon;
  scenario.fleet.pools = {{.name = "train", .nodes = pool_nodes, .gpus_per_node = 1}};
  scenario.faults.name = "scripted";

  DetectorsConfig& detectors = scenario.detectors;
  detectors.name = "exact";
  detectors.report = 0_s;
  detectors.latching = false;
  detectors.recheck = 0_s;
  detectors.channels = {{.name = "push", .monitor = "gpu", .by = PushChannel{}},
                        {.name = "lease", .monitor = "kubelet", .by = LeaseChannel{}}};
  detectors.xids = {.fatal = {79}, .condition = "AcceleratedHardwareReady", .channel = "push"};
  detectors.reasons = {fatal_reason("GpuLost", "AcceleratedHardwareReady"),
                       fatal_reason("LinkDown", "NetworkingReady"),
                       {.name = "NodeStatusUnknown",
                        .condition = "Ready",
                        .severity = Severity::kFatal,
                        .channel = "lease"}};

  KarpenterConfig policy;
  policy.tolerations = {
      {"AcceleratedHardwareReady", 10_min}, {"NetworkingReady", 30_min}, {"Ready", 30_min}};
  policy.gate = Gate{};
  scenario.policy = policy;

  scenario.capacity.launch = fixed(90_s);
  scenario.capacity.registration = fixed(5_s);

  TrainingConfig training;
  training.name = "job";
  training.nodes = job_nodes;
  training.step = 1_s;
  training.checkpoint = {.every = 10_min, .blocks = 5_s, .write = 0_s, .load = 1_min};
  training.restart.nccl_init_per_1000_ranks = 0_s;
  training.nccl_dump = 0_s;
  scenario.workloads = {training};
}

FaultClassConfig& MicroWorld::fault(const std::string& name, FaultEffect effect) {
  FaultClassConfig& fault = scenario.faults.classes.emplace_back();
  fault.name = name;
  fault.effect = effect;
  return fault;
}

FaultClassConfig& MicroWorld::fault(const std::string& name, FaultEffect effect, Duration at,
                                    int node) {
  FaultClassConfig& added = fault(name, effect);
  added.strikes = {strike(at, node)};
  return added;
}

FaultClassConfig& MicroWorld::job_fault(const std::string& name, FaultEffect effect, Duration at) {
  FaultClassConfig& added = fault(name, effect);
  added.rate = Rate{.count = 0, .unit = ExposureUnit::kJob};
  added.strikes = {{.at = at, .node = {}, .job = {}}};
  return added;
}

MicroRun MicroWorld::run(std::uint64_t seed, std::uint32_t replication) const {
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  Ledger ledger(plan.jobs().size(), plan.fleet().slots());
  ledger.begin();
  MicroRun run;
  Tee both(run.journal, ledger);
  simulation.run(RandomSource(seed, replication), both);
  for (std::size_t job = 0; job < plan.jobs().size(); ++job) {
    run.accounts.push_back(ledger.accounts(JobId(job)));
    // To the horizon, or until the job is done.
    Duration until = scenario.horizon;
    for (const auto& completed : run.journal.all<JobCompleted>()) {
      if (completed.what.job == JobId(job)) until = completed.time.since_start();
    }
    EXPECT_EQ(run.total(job), until);
  }
  EXPECT_EQ(journal_faults(run.journal, scenario), std::vector<std::string>{});
  return run;
}

std::vector<Ledger::Accounts> MicroWorld::run_after_another(std::uint64_t seed) const {
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  Ledger ledger(plan.jobs().size(), plan.fleet().slots());
  for (const std::uint64_t s : {seed + 1, seed}) {
    ledger.begin();
    simulation.run(RandomSource(s, 0), ledger);
  }
  std::vector<Ledger::Accounts> accounts;
  for (std::size_t job = 0; job < plan.jobs().size(); ++job) {
    accounts.push_back(ledger.accounts(JobId(job)));
  }
  return accounts;
}

std::vector<std::string> journal_faults(const Journal& journal, const Scenario& scenario) {
  JournalReader reader(scenario);
  for (std::size_t line = 0; line < journal.happenings.size(); ++line) {
    reader.read(journal.happenings[line], line);
  }
  return reader.faults();
}

std::vector<Duration> refusals(const MicroRun& run, NodeSlot slot, Duration until) {
  std::vector<Duration> looks;
  const auto told = run.journal.all<RepairBlocked>();
  const auto decided = run.journal.all<RepairDecided>();
  for (std::size_t n = 0; n < told.size(); ++n) {
    if (told[n].what.node.slot != slot) continue;
    Duration end = until;
    const auto ends_at = [&](const auto& found) {
      if (found.what.node.slot == slot && found.time > told[n].time) {
        end = std::min(end, found.time.since_start());
      }
    };
    for (const auto& other : told) ends_at(other);
    for (const auto& other : decided) ends_at(other);
    for (Duration at = told[n].time.since_start(); at < end; at += told[n].what.every) {
      looks.push_back(at);
    }
  }
  return looks;
}

}  // namespace faultline
