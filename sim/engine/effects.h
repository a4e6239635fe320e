// What a fault does to the jobs: crash, hang, flap, slow-down, silent corruption, maintenance.
//
// Here it is only decided which of them it is; Hangs, Speeds and Holds know how each goes on, and undo it.
//
//   crash    the job stops; if the fault stays and fails restarts, its node holds the job
//   hang     the job waits in a collective (Hangs); without a job it waits for one that moves there: sick
//   flap     the same, until the transport gives up
//   slow     the job goes at the pace of its slowest rank (Speeds); a dead shared part cuts jobs
//   silent   what is computed is wrong, which is noticed after a while (`found`)
//   planned  the job stops after a checkpoint, and is held while the maintenance lasts
//
// A fault of the job's own (it has no node) is over with the restart that it causes, unless it is one that
// lasts: a hang that is there, maintenance, a slow-down, or corruption that is yet to be found.
//
// Re-entrance: none; nothing of faults, signals or control is called. That a job's own fault is over is
// posted.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>

#include "models/faults/active_faults.h"
#include "sim/engine/degraded_parts.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/hangs.h"
#include "sim/engine/holds.h"
#include "sim/engine/jobs.h"
#include "sim/engine/speeds.h"

namespace faultline {

class Effects {
 public:
  Effects(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults, FaultDraws& draws,
          const DegradedParts& parts, Jobs& jobs, Holds& holds, Hangs& hangs, Speeds& speeds);

  void begin(std::uint32_t fault);
  void end(const EffectEnds& ends);
  // The corruption is noticed; a fault of a node that is still there fails the restart, if it is of that
  // kind.
  void found(std::uint32_t fault);

 private:
  void strike(std::uint32_t fault);
  void crash(std::uint32_t fault);
  // A part that others than the struck node use: every job is stopped, slowed or left alone.
  void degrade_shared(std::uint32_t fault);
  void settle_own(std::uint32_t fault);
  const FaultClass& class_of(const ActiveFault& fault) const {
    return plan_.classes()[fault.fault_class.index()];
  }
  Duration surfaces(const ActiveFault& fault, JobId job);

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const ActiveFaults& faults_;
  FaultDraws& draws_;
  const DegradedParts& parts_;
  Jobs& jobs_;
  Holds& holds_;
  Hangs& hangs_;
  Speeds& speeds_;
};

}  // namespace faultline
