// The signals room: what can be seen of a fault, and when somebody reports it.
//
// A signal of a fault on a node goes through stages. The instants are computed (models/detectors/timing.h),
// nothing polls:
//
//   none --begin--> delayed --raised--> on its way --published--> published --fault gone--> clearing --> none
//                        '-- fault gone before --> none           (latched: it stays published)
//
// Published is a condition: the control room hears that it is False, or Unknown if the kubelet's lease ran
// out. Several signals may keep the same condition bad (*alarms*); it is True again when the last of them
// has cleared. A warning is only an Event.
//
// Whose host is gone reports nothing: what its agent would have said waits for it, or goes with it. What
// counts slow steps counts while the job makes steps, and anew after a restart.
//
// Worked example: a poll every 300 s with its first tick at 40 s, a report every 15 s with its first at 5 s. A
// fault at 100 s: raised at 100 s, seen at 340 s, on its way, published at 350 s. If it is gone at 340 s, it
// is none again at 350 s, and no condition changed.
//
// Invariants: alarms of a condition of a slot = its signals that are published or clearing, unless a host that
// never came back took one with it; a fault may be forgotten when it is gone and none of its signals has a
// stage: posted as `FaultForgotten`, at every change.
//
// Ownership: owns the stages, by the index of the fault; reads faults, places, jobs and who stands where.
//
// Re-entrance: none; what is reported, and who else is blamed, is posted.
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/touched_table.h"
#include "models/faults/active_faults.h"
#include "models/observed/condition.h"
#include "sim/engine/degraded_parts.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/jobs.h"
#include "sim/engine/kernel.h"
#include "sim/engine/places.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"

namespace faultline {

// A signal on its way to a condition, and back.
enum class SignalStage : std::uint8_t {
  kNone = 0,   // not raised, or done with
  kDelayed,    // the fault has not given it yet
  kOnItsWay,   // raised; the agent has not published it
  kPublished,  // its condition is False (or Unknown)
  kClearing,   // the fault is gone; the agent has not noticed
};

static_assert(kMaxSignals <= 8);

class SignalsRoom {
 public:
  SignalsRoom(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults,
              FaultDraws& draws, const Standing& standing, const Places& places, const Jobs& jobs,
              const DegradedParts& parts);
  void begin();

  // Of a fault that has struck: those that can be seen of it begin.
  void begin(std::uint32_t fault);
  // One of them alone, on the node that is blamed.
  void begin(std::uint32_t fault, std::uint32_t signal);
  // The instant has come at which the signal was to go on.
  void advance(std::uint32_t fault, std::size_t signal);
  void end(const SignalsEnd& ends);
  // The machine in the slot left, or was mended: nobody reports anything about it.
  void forget_alarms(NodeSlot slot) { watches_.touch(slot.index()).alarms = {}; }
  // The job has made its first step after a restart.
  void count_anew(JobId job);

  SignalStage stage(std::uint32_t fault, std::size_t signal) const {
    return signals_[fault].stages[signal];
  }

 private:
  struct OfFault {
    std::array<SignalStage, 8> stages{};  // (a word: `settle` looks at all of them)
    std::array<HappeningId, kMaxSignals> raised_as{};
    bool silences = false;  // the host is gone, and with it the agent
  };
  // Of the machine in a slot.
  struct Watch {
    std::uint32_t generation = 0;
    SimTime first_report = SimTime::never();  // once it was asked for
    std::array<std::uint8_t, observed::kMaxConditions>
        alarms{};  // signals that keep a condition bad
  };
  struct Found {
    std::uint32_t fault = kNoFault;
    std::size_t signal = 0;
  };

  const std::vector<SimulationPlan::Signal>& configs(const ActiveFault& fault) const {
    return plan_.signals(fault.fault_class);
  }
  double draw(const ActiveFault& fault, FaultDraws::Question question) {
    return draws_.draw(plan_.classes()[fault.fault_class.index()], fault, question);
  }
  Calendar::Slot slot_of(std::uint32_t fault, std::size_t signal) const {
    return kernel_.layout().fault(Expect::kSignal, fault, signal);
  }
  Watched watched(NodeSlot slot);

  // Every fault that is active has a row, blank until its signals begin.
  void make_room() {
    if (signals_.size() < faults_.capacity()) signals_.resize(faults_.capacity());
  }
  void begin_one(std::uint32_t fault, std::size_t signal, std::size_t delay);
  // Whether what a degraded part costs the job is enough for the detector of slow nodes.
  bool slows_enough(const ActiveFault& fault, ReasonId reason) const;
  // Whether it is another node that is blamed: each other one of the job with the same chance, all together
  // `share`.
  bool blames_another(std::uint32_t fault, std::size_t signal, double share);
  void raise(std::uint32_t fault, std::size_t signal);
  void publish(std::uint32_t fault, std::size_t signal);
  // Of a reason that needs several log lines: there are enough of them now.
  bool is_sighted(const ActiveFault& fault, ReasonId reason);
  void clear(std::uint32_t fault);
  void cleared(std::uint32_t fault, std::size_t signal);
  void report(std::uint32_t fault, std::size_t signal, ConditionStatus status);
  // Puts off what the agent of a host that is gone would report; false if nothing is put off.
  bool wait_for_host(std::uint32_t fault, std::size_t signal);
  SimTime host_back(NodeSlot slot) const;
  // The first signal, of faults that are there on the node, that matches.
  template <class Matches>
  Found find(NodeSlot slot, Matches matches) const;
  // Whether a fault that is there keeps the node's kubelet from renewing its lease.
  bool is_silent(NodeSlot slot) const;
  // A look at the node finds what would have raised the same reason soon: its condition stays as it is, and
  // is that fault's from now on.
  bool goes_on_by_another(NodeSlot slot, ReasonId reason);
  // Detectors that count slow steps: whether there are any on the fault's node.
  bool steps_on(NodeSlot slot) const;
  // Says so if the fault is gone and nothing can be seen of it any more.
  void settle(std::uint32_t fault) {
    if (faults_[fault].present) return;
    if (std::bit_cast<std::uint64_t>(signals_[fault].stages) != 0) return;
    signals_[fault] = OfFault();
    kernel_.post(FaultForgotten{fault});
  }

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const ActiveFaults& faults_;
  FaultDraws& draws_;
  const Standing& standing_;
  const Places& places_;
  const Jobs& jobs_;
  const DegradedParts& parts_;
  std::vector<OfFault> signals_;  // by fault
  TouchedTable<Watch> watches_;
  std::vector<std::pair<NodeId, ReasonId>> sightings_;           // of reasons that need several
  std::vector<std::pair<std::uint32_t, std::size_t>> counting_;  // faults and signals: slow steps
};

}  // namespace faultline
