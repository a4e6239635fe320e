// The jobs: their state machines, what is expected of them, and what they tell.
//
// A `TrainingJob` answers an input with happenings and with the one thing that it expects. Here the
// happenings get their cause (by default the job's newest one, which they become), the expectation goes to
// the calendar, and the faults that strike only running jobs learn when a job's processes come and go.
//
// A gang that waits for nodes expects those instead (`wait_until`): the job's own expectation, the restart,
// has to wait.
//
// Invariants: what the calendar holds for a job is what the job (or its gang) expects; a held job does not
// run.
//
// Ownership: the lowest of the rooms of work. Holds, Hangs, Speeds, Gangs, Placement, Effects and Milestones
// call it; it calls the kernel alone.
//
// Thread rule: one per simulation.
#pragma once

#include <vector>

#include "models/workloads/training_job.h"
#include "sim/engine/kernel.h"
#include "sim/engine/plan.h"

namespace faultline {

class Jobs final : private JobTeller {
 public:
  Jobs(const SimulationPlan& plan, Kernel& kernel);
  void begin();
  // The end of the run: accounts for what is under way.
  void end();

  std::size_t size() const { return jobs_.size(); }
  const TrainingJob& model(JobId id) const { return jobs_[id.index()].model; }
  HappeningId newest(JobId id) const { return jobs_[id.index()].newest; }
  void set_newest(JobId id, HappeningId happening) { jobs_[id.index()].newest = happening; }
  // Something about the job that follows from its newest happening.
  template <class What>
  HappeningId emit_of(JobId id, const What& what) {
    Job& job = jobs_[id.index()];
    return job.newest = kernel_.emit(what, job.newest);
  }

  // The inputs of TrainingJob, at this instant.
  void stop(JobId id, StopKind kind, const TrainingJob::Blame& blame, Duration surfaces,
            HappeningId cause);
  void hold(JobId id, NodeId node, HappeningId cause);
  void release(JobId id, NodeId node, TrainingJob::Fit fit, HappeningId cause);
  void stall(JobId id, const TrainingJob::Blame& blame, SimTime ends, HappeningId cause);
  void stall_ends(JobId id, SimTime ends);
  void unstall(JobId id, HappeningId cause);
  void set_speed(JobId id, std::int64_t speed, FaultClassId slowed_by);
  void corrupt(JobId id, HappeningId cause);
  void sick_node_leaves(JobId id) { jobs_[id.index()].model.sick_node_leaves(kernel_.now()); }
  void select_hosts(JobId id);
  void fulfil(JobId id);

  // A gang waits for its nodes, the next of which comes then; until `wait_ends`.
  void wait_until(JobId id, SimTime node_comes);
  void wait_ends(JobId id) { jobs_[id.index()].waits = false; }

 private:
  struct Job {
    TrainingJob model;
    HappeningId newest;
    bool busy = true;  // as the faults know it
    bool waits = false;
    SimTime node_comes;
  };

  // What the job tells from now on has that cause.
  JobTeller& telling(Job& job, HappeningId cause) {
    telling_ = &job;
    because_ = cause;
    return *this;
  }
  template <class What>
  void told(const What& what) {
    telling_->newest = kernel_.emit(what, because_);
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
  // After any input: what is expected now, and whether the processes are there.
  void follow(JobId id, Job& job);

  Kernel& kernel_;
  std::vector<Job> jobs_;
  Job* telling_ = nullptr;
  HappeningId because_;
};

}  // namespace faultline
