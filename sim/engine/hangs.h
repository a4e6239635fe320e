// Jobs that wait in a collective: what hangs them, and what ends it: the watchdog, the transport, or the end
// of the fault.
//
// A flap stops the messages that are under way. They are sent again until the transport's budget is
// used up, and then the queue pairs fail at both ends: a crash. A flap that strikes a job that waits
// already stops nothing as yet: its messages are sent, and their retries count, when what the job
// waits for is over. One that strikes a job that is down or restarts does so at the first step.
//
// Whatever stops a job ends its hangs, so every stop goes through here (`stop`). A hang that would have
// outlasted the watchdog is an interruption by its fault, whoever came first; a repair that takes a node
// from a job that hangs for good only ends the hang.
//
// Worked example: watchdog after 600 s. A hang strikes at 100 s and stays; at 400 s Karpenter takes another
// node of the job. The job stops at 400 s, and the interruption is the hang's: at 700 s the watchdog would
// have ended it.
//
// Invariants: a job stalls exactly while some fault hangs it; a flap is listed from its strike to its end.
//
// Ownership: calls Holds and Jobs; is called by Effects, Gangs, Placement and Milestones. A job's own fault
// ends with the job's stop: the faults room hears that by the agenda.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/faults/active_faults.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/holds.h"
#include "sim/engine/jobs.h"

namespace faultline {

class Hangs {
 public:
  Hangs(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults, FaultDraws& draws,
        const Places& places, Holds& holds, Jobs& jobs);
  void begin();

  // Stops the job, whatever it does, unless it is done.
  void stop(JobId job, StopKind kind, TrainingJob::Blame blame, Duration surfaces,
            HappeningId cause);

  // A fault of a job hangs it, or counts as an interruption of a job that is down.
  void hang(std::uint32_t fault);
  // A flap that is there for a while begins; its job, if it has one, may be stopped by it.
  void flap(std::uint32_t fault);
  bool hangs(std::uint32_t fault) const {
    return fault < faults_hang_.size() && faults_hang_[fault].hangs;
  }
  // The fault is gone: the job goes on, if it waits for no other.
  void ends(std::uint32_t fault);

  // The job makes its first step: flaps that are there still stop its messages.
  void meet_flaps(JobId job);
  // The job's stall comes to its end, by the watchdog or the transport.
  void times_out(JobId job);

 private:
  struct OfFault {
    bool hangs = false;
    JobId job;                            // that waits for it
    SimTime gives_up = SimTime::never();  // a flap with messages under way: their last retry
  };
  struct OfJob {
    int faults = 0;    // for which it waits
    SimTime stalled;   // since then
    SimTime watchdog;  // and when the collective's own watchdog ends it
  };

  OfFault& touch(std::uint32_t fault);
  const FaultClassConfig& config(std::uint32_t fault) const {
    return *plan_.classes()[faults_[fault].fault_class.index()].config;
  }
  TrainingJob::Blame blame(std::uint32_t fault) const {
    return {.node = faults_[fault].node, .fault_class = faults_[fault].fault_class};
  }
  void stop_messages(std::uint32_t flap, JobId job);
  // One of the faults for which the job waits is gone, others are not.
  void still_hangs(JobId job);
  // When the job's stall ends, if no fault clears before.
  SimTime stall_end(JobId job) const;
  std::uint32_t first_hang(JobId job) const;
  void transport_fails(std::uint32_t flap);
  // The processes are gone and with them the hang; what made it may be there to fail the restart.
  // Every hang that would have outlasted the watchdog is an interruption, not only the one that is
  // `counted`.
  void end_all(JobId job, std::uint32_t counted, SimTime watchdog);
  // What is left of the fault fails restarts, if it is of that kind; a job's own fault is over.
  void stays(std::uint32_t fault);

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const ActiveFaults& faults_;
  FaultDraws& draws_;
  const Places& places_;
  Holds& holds_;
  Jobs& jobs_;
  std::vector<OfFault> faults_hang_;  // by fault
  std::vector<OfJob> jobs_hang_;
  std::vector<std::uint32_t> flaps_;
};

}  // namespace faultline
