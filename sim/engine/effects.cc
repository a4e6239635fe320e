#include "sim/engine/effects.h"

namespace faultline {
namespace {

TrainingJob::Blame blame(const ActiveFault& fault) {
  return {.node = fault.node, .fault_class = fault.fault_class};
}

}  // namespace

Effects::Effects(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults,
                 FaultDraws& draws, const DegradedParts& parts, Jobs& jobs, Holds& holds,
                 Hangs& hangs, Speeds& speeds)
    : plan_(plan),
      kernel_(kernel),
      faults_(faults),
      draws_(draws),
      parts_(parts),
      jobs_(jobs),
      holds_(holds),
      hangs_(hangs),
      speeds_(speeds) {}

void Effects::begin(std::uint32_t index) {
  strike(index);
  if (!faults_[index].node.slot.valid()) settle_own(index);
}

void Effects::strike(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *class_of(fault).config;
  const FaultEffect effect = parts_.effect_of(fault);
  const bool stays = fault.clears != kernel_.now();
  if (parts_.is_shared(fault)) {
    degrade_shared(index);
  } else if (effect == FaultEffect::kSlow && stays) {
    speeds_.slows(index);
  }
  if (effect == FaultEffect::kSlow) return;
  if (config.effect == FaultEffect::kFlap && stays) return hangs_.flap(index);
  // A lasting fault also fails the restarts of a job that moves to the node later on.
  const bool on_node = fault.node.slot.valid();
  const bool cuts = config.degrades && effect == FaultEffect::kCrash;
  const bool sickens = on_node && (config.fails_restart || cuts) && stays;
  const bool hang = effect == FaultEffect::kHang && stays;
  if (sickens && (effect == FaultEffect::kCrash || (hang && !fault.job.valid()))) {
    holds_.sicken(index, fault.node.slot);
  }
  if (!fault.job.valid()) return;
  switch (effect) {
    case FaultEffect::kCrash: return crash(index);
    case FaultEffect::kHang:
      if (hang) hangs_.hang(index);
      return;
    case FaultEffect::kSilent:
      jobs_.corrupt(fault.job, fault.struck_as);
      kernel_.expect(kernel_.layout().fault(Expect::kFaultFound, index),
                     kernel_.now() + draws_.sample(*config.found_after, class_of(fault), fault,
                                                   FaultDraws::kFound),
                     Expect::kFaultFound);
      return;
    case FaultEffect::kPlanned:
      hangs_.stop(fault.job, StopKind::kPlanned, blame(fault), Duration::zero(), fault.struck_as);
      return;
    case FaultEffect::kNone:
    case FaultEffect::kFlap:
    case FaultEffect::kSlow: return;
  }
}

Duration Effects::surfaces(const ActiveFault& fault, JobId job) {
  return draws_.sample(jobs_.model(job).config().crash_surfaces, class_of(fault), fault,
                       FaultDraws::kSurfaces);
}

void Effects::crash(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  // The other nodes of a rack are the same interruption.
  if (fault.primary || jobs_.model(fault.job).state() != TrainingJob::State::kDown) {
    hangs_.stop(fault.job, StopKind::kCrash, blame(fault), surfaces(fault, fault.job),
                fault.struck_as);
  }
  if (fault.node.slot.valid()) holds_.update(fault.node.slot, TrainingJob::Fit::kInPlace);
}

void Effects::degrade_shared(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  const bool dead = parts_.degrades(fault)->to == 0;
  if (fault.clears != kernel_.now()) speeds_.slows_all(index, dead);
  if (!dead) return;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobId id(j);
    // (the job of the struck node stops as by any crash there)
    if (id == fault.job || !parts_.cuts(fault, id)) continue;
    if (fault.primary || jobs_.model(id).state() != TrainingJob::State::kDown) {
      hangs_.stop(id, StopKind::kCrash, blame(fault), surfaces(fault, id), fault.struck_as);
    }
    speeds_.update_cut(id);
  }
}

void Effects::settle_own(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  const FaultEffect effect = class_of(fault).config->effect;
  const bool stays = fault.clears != kernel_.now();
  if (effect == FaultEffect::kPlanned && stays) {
    jobs_.hold(fault.job, {}, jobs_.newest(fault.job));
  }
  const bool lasts = hangs_.hangs(index) || effect == FaultEffect::kPlanned ||
                     effect == FaultEffect::kSlow || effect == FaultEffect::kSilent;
  if (lasts && stays) return;
  hangs_.ends(index);
  kernel_.post(FaultPasses{index});
}

void Effects::end(const EffectEnds& ends) {
  const ActiveFault& fault = faults_[ends.fault];
  const NodeSlot slot = fault.node.slot;
  speeds_.ends(ends.fault);
  hangs_.ends(ends.fault);
  if (slot.valid()) {
    // (with its machine: what becomes of the hold is known when another one is ready)
    if (holds_.heal(ends.fault, slot) && !ends.with_machine) {
      holds_.update(slot, TrainingJob::Fit::kInPlace);
    }
  } else if (class_of(fault).config->effect == FaultEffect::kPlanned) {
    jobs_.release(fault.job, {}, TrainingJob::Fit::kAnew, ends.cleared);
  }
}

void Effects::found(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  hangs_.stop(fault.job, StopKind::kSilent, blame(fault), Duration::zero(), fault.struck_as);
  if (fault.node.slot.valid() && class_of(fault).config->fails_restart && fault.present) {
    holds_.sicken(index, fault.node.slot);
    holds_.update(fault.node.slot, TrainingJob::Fit::kInPlace);
  }
}

}  // namespace faultline
