// The wiring: who is told what. Models say what happens and when; this class makes it happen.
//
//   fault -> signal -> condition -> decision -> action -> capacity -> placement -> progress
//
//   simulation.cc            the loop, the calendar, the jobs' expectations, the journal's numbering
//   simulation_faults.cc     a fault strikes a part, and is gone again
//   simulation_effects.cc    what it does to the job
//   simulation_stalls.cc     what ends a stall: the watchdog, the transport, the end of the fault
//   simulation_signals.cc    what can be seen of it
//   simulation_nodes.cc      a node is repaired or replaced
//   simulation_places.cc     a place is held and released, and moves to a spare
//   simulation_shop.cc       a machine is in the repair shop; which machines are lemons
//   simulation_gang.cc       a gang is formed and kept whole
//
// One `Simulation` runs replication after replication and keeps its memory: after the first ones, a
// run allocates nothing.
//
// Invariants, checked in every run: the clock never goes back; no expectation of a node that is
// gone; a job that is held does not run. The ledger checks that every nanosecond of every job is
// accounted for.
//
// Thread rule: one per thread; the plan is shared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/base/random.h"
#include "models/base/touched_table.h"
#include "models/capacity/capacity.h"
#include "models/faults/active_faults.h"
#include "models/faults/arrivals.h"
#include "models/faults/lemons.h"
#include "models/faults/script.h"
#include "models/observed/cluster.h"
#include "models/workloads/gang.h"
#include "models/workloads/training_job.h"
#include "policies/policy.h"
#include "sim/control/calendar.h"
#include "sim/engine/expectations.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/engine/simulation_state.h"
#include "sim/engine/sink.h"

namespace faultline {

class Simulation final : private RepairActions, private JobTeller {
 public:
  explicit Simulation(const SimulationPlan& plan);

  // One replication; every happening goes to `sink`. Returns the number of events processed.
  std::uint64_t run(const RandomSource& random, HappeningSink& sink);
  // The same for metrics alone, which are told without a Happening being made: a seventh faster.
  std::uint64_t run(const RandomSource& random, RunMetrics& metrics);

 private:
  // --- simulation.cc: the loop ---
  void begin(const RandomSource& random);
  std::uint64_t run();
  void handle(Expect what, Calendar::Slot slot);
  template <class What>
  HappeningId emit(const What& what, HappeningId cause) {
    const HappeningId id(next_happening_++);
    if (metrics_ != nullptr) {
      metrics_->take(what, now_);
    } else {
      sink_->on({.time = now_, .id = id, .cause = cause, .what = what});
    }
    return id;
  }
  // What the job tells from now on has that cause.
  JobTeller& telling(JobState& job, HappeningId cause) {
    telling_ = &job;
    told_because_ = cause;
    return *this;
  }
  template <class What>
  void told(const What& what) {
    telling_->last = emit(what, told_because_);
  }
  void tell(const JobInterrupted& what) override { told(what); }
  void tell(const JobStalled& what) override { told(what); }
  void tell(const JobUnstalled& what) override { told(what); }
  void tell(const JobProgressed& what) override { told(what); }
  void tell(const JobHeld& what) override { told(what); }
  void tell(const JobReleased& what) override { told(what); }
  void tell(const JobRestarting& what) override { told(what); }
  void tell(const JobResumed& what) override { told(what); }
  void tell(const JobCompleted& what) override { told(what); }
  void expect(Calendar::Slot slot, SimTime at, Expect what);
  // After any input to a job: what it expects now, and whether its exposure clock runs.
  void follow(JobId id);
  void fulfil_job(JobId id);
  SlotState& touch(NodeSlot slot) { return slots_.touch(slot.index()); }
  JobId job_on(NodeSlot slot) const { return shares_[slot.index()].job; }
  // The calendar's slot of what is expected of a node.
  Calendar::Slot expectation(Expect what, NodeId node) {
    touch(node.slot);
    return layout_.node(what, 2 * std::size_t{slots_.row(node.slot.index())} + node.generation % 2);
  }
  NodeId standing_node(NodeSlot slot) const { return {slot, slots_[slot.index()].generation}; }
  Watched watched(NodeSlot slot) {
    SlotState& state = touch(slot);
    return {.node = {slot, state.generation},
            .started = state.started,
            .first_report = &state.first_report};
  }

  // --- simulation_faults.cc: a fault strikes, and is gone ---
  void arrival(std::uint32_t population);
  void strike(const Arrival& arrival, std::uint32_t population);
  // The number of the strike, invalid if there was nothing to strike. `parent`: of the same rack
  // fault.
  HappeningId strike_node(const Arrival& arrival, std::uint32_t population, NodeSlot slot,
                          std::uint32_t gpu, HappeningId parent);
  // The nodes of a rack: the first that stands is the primary one.
  template <class SlotOf>
  void strike_together(const Arrival& arrival, std::uint32_t population, std::uint32_t count,
                       SlotOf slot_of);
  void strike_job(const Arrival& arrival, std::uint32_t population, JobId job);
  double detail(const ActiveFault& fault, FaultDraws::Question question);
  Duration drawn(const Distribution& distribution, const ActiveFault& fault,
                 FaultDraws::Question question);
  // It is no longer there, by itself; the number of the happening that says so.
  HappeningId is_gone(ActiveFault& fault);
  void fault_clears(std::uint32_t index);
  // Ends the fault for good if it is gone and nothing is expected of it any more.
  void forget_if_over(std::uint32_t index) {
    if (!faults_[index].present && is_over(index)) faults_.remove(index);
  }
  bool is_over(std::uint32_t index) const;
  // Of the machine that stood in the slot; its alarms go with them.
  void end_faults_on(NodeSlot slot);
  void drop(std::uint32_t index);

  // --- simulation_effects.cc: what it does to the job ---
  void affect_job(std::uint32_t index);
  void update_speed(JobId id);
  // A part that others than the struck node use: every job is stopped, slowed or left alone.
  void degrade_shared(std::uint32_t index);
  // Whether a dead shared part holds the job, after anything that could change it; the job is down.
  void update_cut(JobId id);
  bool is_cut_by(const ActiveFault& fault, JobId id) const;
  const std::optional<DegradesConfig>& degrades_of(const ActiveFault& fault) const {
    return plan_.classes()[fault.fault_class.index()].config->degrades;
  }
  // What it comes to: a degraded part that cuts the job is a crash.
  FaultEffect effect_of(const ActiveFault& fault) const;
  // The job's steps with the part degraded; null where the job does not use it.
  const JobPace::Kind* pace_under(const ActiveFault& fault, JobId id) const;
  // Where the part is, as the job's steps count places; invalid: none of its nodes is there.
  NodeSlot place_of(const ActiveFault& fault, JobId id) const;
  void fault_found(std::uint32_t index);
  void undo_effect(ActiveFault& fault);

  // --- simulation_stalls.cc: a collective hangs ---
  void hang_job(std::uint32_t index);
  void flap_job(std::uint32_t index);
  // The job makes its first step: flaps that are there still stop its messages.
  void meet_flaps(JobId id);
  // One of the faults for which the job waits is gone, others are not.
  void still_hangs(JobId id);
  // When the job's stall ends, if no fault clears before.
  SimTime stall_end(JobId id) const;
  std::uint32_t first_hang(JobId id) const;
  void stall_times_out(JobId id);
  void transport_fails(std::uint32_t index);
  bool is_flap(const ActiveFault& fault) const;
  // The processes are gone and with them the hang; what made it may be there to fail the restart.
  // Every hang that would have outlasted the watchdog is an interruption, not only the one that is
  // `counted`.
  void end_hangs(JobId id, std::uint32_t counted, SimTime watchdog);

  // --- simulation_signals.cc: signal -> condition ---
  // Whether anything can be seen of the fault, on whatever node.
  bool raise_signals(std::uint32_t index);
  // Whether what a degraded part costs the job is enough for the detector of slow nodes.
  bool slows_enough(const ActiveFault& fault, ReasonId reason) const;
  void blame_another(std::uint32_t index, std::size_t signal, double u);
  // Puts off what the agent of a host that is gone would report; false if nothing is put off.
  bool wait_for_host(std::uint32_t index, std::size_t signal);
  void advance_signal(std::uint32_t index, std::size_t signal);
  void publish(ActiveFault& fault, std::size_t signal);
  // Whether a fault that is there keeps the node's kubelet from renewing its lease.
  bool is_silent(NodeSlot slot) const;
  // A look at the node finds what would have raised the same reason soon: its condition stays as it is, and
  // is that fault's from now on.
  bool goes_on_by_another(NodeSlot slot, ReasonId reason);
  void clear_signals(std::uint32_t index);
  // Detectors that count slow steps: whether there are any on the fault's node, and the first one after a
  // restart, from which they count anew.
  bool steps_on(const ActiveFault& fault) const;
  void count_anew(JobId id);

  // --- simulation_nodes.cc: decision -> action -> capacity ---
  void condition_changes(NodeId node, ConditionId condition, ConditionStatus status,
                         ReasonId reason, FaultClassId fault_class, SimTime struck,
                         HappeningId cause);
  void reconcile(NodeId node);
  void pod_failing(NodeId node);
  void replace(NodeId node, const Replacement& how) override;
  void repair_in_place(NodeId node, Duration hands_on) override;
  void report_blocked(NodeId node, const GateClosed& gate) override;
  void look_again(SimTime at) override;
  bool needless(NodeSlot slot) const;
  void node_repaired(NodeSlot slot);
  void node_drained(NodeSlot slot);
  void node_removed(NodeId node);
  void node_requested(NodeId node);
  void follow_launch(NodeId node, const LaunchPlan& launch);
  void machine_back();
  void capacity_found(NodeId node);
  void registration_times_out(NodeId node);
  void node_registered(NodeId node);
  void node_joined(NodeId node);

  // --- simulation_places.cc: placement ---
  void stop_job(JobId id, StopKind kind, TrainingJob::Blame blame, Duration surfaces,
                HappeningId cause);
  // A fault that kept the kubelet from renewing its lease is gone; the node will be Ready at `ready`. If it was
  // unreachable for longer than the job's pods tolerate, they are marked for deletion, and are deleted now.
  void kubelet_back(NodeId node, SimTime ready);
  // Whether the slot's state stops its job from going on; tells the job if that has changed.
  void update_hold(NodeSlot slot, TrainingJob::Fit fit);
  void move_to_spare(NodeSlot from);
  void serve_waiting_jobs(NodeSlot spare);
  bool is_free_spare(NodeSlot slot) const;
  void take_place(NodeSlot from, NodeSlot to);

  // --- simulation_shop.cc: the repair shop, and lemons ---
  MachineId machine_in(NodeSlot slot, std::uint32_t generation) const;
  void to_shop(NodeId node);
  void work_begins(const RepairShop::Work& work);
  void repair_stage_ends(MachineId machine);
  void serve(const Capacity::Served& served);
  // Machines that leave at the very instant of the decision.
  void leave_now();
  bool is_lemon(NodeSlot slot) const;
  void lemons_begin();
  void lemon_comes_or_goes(NodeSlot slot, bool comes);
  // The node that a class with victims of one kind strikes; invalid: there is none.
  NodeSlot victim(const Arrival& arrival, std::uint32_t population, NodeSlot candidate);

  // --- simulation_gang.cc: a gang is formed and kept whole ---
  void make_gang(JobId id);
  GangState* gang_at(NodeSlot slot);
  void gangs_begin();
  // Whether the node is in the line, after anything that could change it.
  void update_line(NodeSlot slot);
  void lose_place(NodeSlot slot);
  void fill_place(JobId id, const Gang::Move& move);
  // Every place is taken, and the restart may begin; otherwise what is to be waited for.
  bool gang_is_whole(JobId id);
  void form_gang(JobId id);
  void go_on_waiting(JobId id);
  void node_preempted(JobId id);
  void after_crash(NodeSlot slot, JobId id, bool explained);
  void complete(JobId id);

  const SimulationPlan& plan_;
  Capacity capacity_;
  SlotLayout layout_;
  Calendar calendar_;
  Script script_;
  Arrivals fleet_arrivals_;
  std::vector<Arrivals> job_arrivals_;
  FaultDraws fault_draws_;
  ActiveFaults faults_;
  observed::Cluster cluster_;
  TouchedTable<SlotState> slots_;
  std::vector<PlaceShare> shares_at_start_;
  std::vector<PlaceShare> shares_;
  std::vector<std::vector<NodeSlot>>
      idle_at_start_;  // per pool: places without a job, last one first
  std::vector<std::vector<NodeSlot>> idle_;
  std::vector<JobState> jobs_;
  std::vector<JobId> gang_of_pool_;  // empty: there is no gang
  Lemons lemons_;
  std::optional<IndexSet<NodeSlot>> fleet_lemons_;
  std::vector<NodeId> in_shop_as_;                          // by machine
  std::vector<std::pair<NodeSlot, Duration>> leaving_now_;  // and when the launch is asked for
  std::size_t jobs_done_ = 0;
  std::vector<std::uint32_t> slow_faults_;              // indices of present faults that slow
  std::vector<std::uint32_t> dead_parts_;               // those of shared parts that may cut jobs
  std::vector<std::uint32_t> flaps_;                    // and of links that carry nothing
  std::vector<std::pair<NodeId, ReasonId>> sightings_;  // of reasons that need several
  std::vector<std::pair<std::uint32_t, std::size_t>> counting_;  // faults and signals: slow steps
  JobState* telling_ = nullptr;
  HappeningId told_because_;

  const RandomSource* random_ = nullptr;
  // One of them is told.
  RunMetrics* metrics_ = nullptr;
  HappeningSink* sink_ = nullptr;
  SimTime now_;
  SimTime end_;
  std::uint32_t next_happening_ = 0;
  std::uint32_t next_fault_ = 0;
  Calendar::Slot looking_ = 0;  // the slot that look_again fills
  Expect looking_kind_ = Expect::kLook;
};

}  // namespace faultline
