// Who is told what a job does: the happenings of this instant, in order. The engine gives them their time,
// number and cause.
//
// One function per kind and no list of variants: every place of the model tells one kind, so a processor
// knows where the call goes.
//
// Thread rule: one per simulation.
#pragma once

#include "models/happenings.h"

namespace faultline {

class JobTeller {
 public:
  virtual void tell(const JobInterrupted& what) = 0;
  virtual void tell(const JobStalled& what) = 0;
  virtual void tell(const JobUnstalled& what) = 0;
  virtual void tell(const JobProgressed& what) = 0;
  virtual void tell(const JobHeld& what) = 0;
  virtual void tell(const JobReleased& what) = 0;
  virtual void tell(const JobRestarting& what) = 0;
  virtual void tell(const JobResumed& what) = 0;
  virtual void tell(const JobCompleted& what) = 0;

 protected:
  ~JobTeller() = default;
};

}  // namespace faultline
