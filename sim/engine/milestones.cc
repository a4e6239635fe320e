#include "sim/engine/milestones.h"

#include <algorithm>

namespace faultline {

Milestones::Milestones(const SimulationPlan& plan, Kernel& kernel, Places& places, Jobs& jobs,
                       Hangs& hangs, Gangs& gangs)
    : kernel_(kernel), places_(places), jobs_(jobs), hangs_(hangs), gangs_(gangs) {
  for (std::size_t c = 0; c < plan.classes().size(); ++c) {
    const std::vector<SimulationPlan::Signal>& signals = plan.signals(FaultClassId(c));
    steps_count_ |= std::any_of(signals.begin(), signals.end(),
                                [](const auto& signal) { return signal.of_job; });
  }
}

void Milestones::fulfil(JobId job) {
  using Expected = TrainingJob::Expected;
  if (gangs_.waits(job)) return gangs_.preempted(job);
  const Expected what = jobs_.model(job).expected().what;
  if (what == Expected::kWatchdog) return hangs_.times_out(job);
  if (what == Expected::kRestart && !gangs_.may_restart(job)) return;
  jobs_.fulfil(job);
  if (what == Expected::kDone) return complete(job);
  hangs_.meet_flaps(job);
  if (steps_count_) kernel_.post(StepsBegin{job});
}

void Milestones::complete(JobId job) {
  places_.leave_all(job);
  if (++done_ == jobs_.size()) return kernel_.end_now();
  for (std::uint32_t rank = 0; rank < places_.of(job).size(); ++rank) {
    kernel_.post(PodMoves{.job = job, .rank = rank, .to = {}});
  }
}

}  // namespace faultline
