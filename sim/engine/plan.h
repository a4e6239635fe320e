// A scenario made ready to run: every name resolved, every rate multiplied out. Built once, shared
// by all replications and threads.
//
// Thread rule: immutable; share freely. The scenario must outlive it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/detectors/contract.h"
#include "models/detectors/timing.h"
#include "models/faults/fault_classes.h"
#include "models/fleet/fleet.h"
#include "models/observed/picture.h"
#include "policies/registry.h"
#include "sim/engine/job_pace.h"
#include "sim/engine/plan_noise.h"
#include "sim/scenario/scenario.h"

namespace faultline {

class SimulationPlan {
 public:
  struct Signal {
    ReasonId reason;
    double coverage = 1;  // the class's share times the agent's
    const Distribution* delay = nullptr;
    bool pushed = false;    // by a push channel, whose delay is drawn
    bool leased = false;    // by the lease: Unknown instead of False, and never latched
    bool by_agent = false;  // by the agent on the node: a host that is gone reports nothing
    bool checked = false;   // by a status check from outside, which is never latched
    std::size_t draw = 0;  // of FaultDraws: its own number, or that of the signal that it goes with
    double blames_another = 0;
    bool of_job = false;  // by a channel that looks at jobs
    // By a detector of slow nodes, of a class that slows by what its place costs: asked at the strike.
    bool by_pace = false;
  };
  struct Job {
    const TrainingConfig* config = nullptr;  // where its step follows from a fabric, with `step`
    PoolId pool;
    std::vector<NodeSlot> places;  // at the start, by rank of the node
    std::uint64_t gpus = 0;
    PoolId preempts;              // of a gang; invalid: it takes nodes from no other pool
    std::optional<JobPace> pace;  // with `parallelism`
    JobNoise noise;
  };

  // The scenario has passed its checks.
  explicit SimulationPlan(const Scenario& scenario);
  SimulationPlan(const SimulationPlan&) = delete;
  SimulationPlan& operator=(const SimulationPlan&) = delete;

  const Scenario& scenario() const { return scenario_; }
  const Fleet& fleet() const { return fleet_; }
  const std::vector<FaultClass>& classes() const { return classes_; }
  const Contract& contract() const { return contract_; }
  const ChannelConfig& channel(const Reason& reason) const {
    return scenario_.detectors.channels[reason.channel.index()];
  }
  const DetectionTiming& timing() const { return timing_; }
  // The control plane, and what it says about itself.
  const ControllerList& controllers() const { return controllers_; }
  const ControlPlaneFacts& control_facts() const { return control_facts_; }
  const std::vector<Job>& jobs() const { return jobs_; }
  const std::vector<Signal>& signals(FaultClassId fault_class) const {
    return signals_[fault_class.index()];
  }
  std::vector<std::string> job_names() const;
  // All parts of the fleet, by the wall clock; the parts of one job, by the time that it is busy.
  Population everything() const;
  // Of everything, the warm spares, and the racks and blocks that hold nothing else: the last ones by
  // number. None in a fleet of several pools, whose spares are not the last ones.
  Population warm_spares() const;
  // With the domains in which the job stands at the start.
  Population of_job(JobId job) const;
  // The first of those of a level that its pool has.
  Domain first_domain(JobId job, DomainLevel level) const;
  // Nodes that a fault of the class strikes at once, in the mean over the parts that it counts.
  double nodes_per_fault(FaultClassId fault_class) const;

  // The cluster at the start, seen through this contract: the node and the machine of a slot have its number, a
  // job is the owner of its number, and its pods stand in the order of jobs and ranks.
  observed::Picture make_picture() const;

 private:
  void check_host(const FaultClassConfig& fault_class, std::vector<Signal>& signals) const;
  void place_jobs();
  void pace_jobs();

  const Scenario& scenario_;
  Fleet fleet_;
  std::vector<FaultClass> classes_;
  Contract contract_;
  DetectionTiming timing_;
  ControlPlaneFacts control_facts_;
  ControllerList controllers_;
  std::deque<TrainingConfig> stepped_;  // of jobs whose step follows from the fabric
  std::vector<Job> jobs_;
  std::vector<std::vector<Signal>> signals_;
};

}  // namespace faultline
