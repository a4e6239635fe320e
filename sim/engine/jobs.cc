#include "sim/engine/jobs.h"

namespace faultline {

Jobs::Jobs(const SimulationPlan& plan, Kernel& kernel) : kernel_(kernel) {
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    const SimulationPlan::Job& job = plan.jobs()[j];
    jobs_.push_back({.model = TrainingJob(*job.config, JobId(j), job.gpus, job.noise.by_speed),
                     .newest = {},
                     .node_comes = {}});
  }
}

void Jobs::begin() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Job& job = jobs_[j];
    job.model.begin();
    job.newest = HappeningId();
    job.busy = true;
    job.waits = false;
    follow(JobId(j), job);
  }
}

void Jobs::end() {
  for (Job& job : jobs_) job.model.end(kernel_.now(), telling(job, job.newest));
}

void Jobs::follow(JobId id, Job& job) {
  const Calendar::Slot slot = kernel_.layout().job(id);
  const SimTime expected = job.waits ? job.node_comes : job.model.expected().at;
  if (kernel_.expected(slot) != expected) kernel_.expect(slot, expected, Expect::kJob);
  const bool busy = job.model.busy();
  if (busy == job.busy) return;
  job.busy = busy;
  kernel_.post(JobTurns{.job = id, .busy = busy});
}

void Jobs::stop(JobId id, StopKind kind, const TrainingJob::Blame& blame, Duration surfaces,
                HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.stop(kernel_.now(), kind, blame, surfaces, telling(job, cause));
  follow(id, job);
}

void Jobs::hold(JobId id, NodeId node, HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.hold(kernel_.now(), telling(job, cause), node);
  follow(id, job);
}

void Jobs::release(JobId id, NodeId node, TrainingJob::Fit fit, HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.release(kernel_.now(), telling(job, cause), node, fit);
  follow(id, job);
}

void Jobs::stall(JobId id, const TrainingJob::Blame& blame, SimTime ends, HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.stall(kernel_.now(), blame, ends, telling(job, cause));
  follow(id, job);
}

void Jobs::stall_ends(JobId id, SimTime ends) {
  Job& job = jobs_[id.index()];
  job.model.stall_ends(ends);
  follow(id, job);
}

void Jobs::unstall(JobId id, HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.unstall(kernel_.now(), telling(job, cause));
  follow(id, job);
}

void Jobs::set_speed(JobId id, std::int64_t speed, FaultClassId slowed_by) {
  Job& job = jobs_[id.index()];
  job.model.set_speed(kernel_.now(), speed, slowed_by, telling(job, job.newest));
  follow(id, job);  // the end of its work comes sooner or later
}

void Jobs::corrupt(JobId id, HappeningId cause) {
  Job& job = jobs_[id.index()];
  job.model.corrupt(kernel_.now(), telling(job, cause));
}

void Jobs::select_hosts(JobId id) {
  Job& job = jobs_[id.index()];
  job.model.select_hosts(kernel_.now(), job.model.config().gang->host_selection);
  follow(id, job);
}

void Jobs::fulfil(JobId id) {
  Job& job = jobs_[id.index()];
  job.model.fulfil(kernel_.now(), telling(job, job.newest));
  follow(id, job);
}

void Jobs::wait_until(JobId id, SimTime node_comes) {
  Job& job = jobs_[id.index()];
  job.waits = true;
  job.node_comes = node_comes;
  follow(id, job);
}

}  // namespace faultline
