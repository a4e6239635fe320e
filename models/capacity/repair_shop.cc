#include "models/capacity/repair_shop.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr StreamId kVisit("capacity/shop");

}  // namespace

RepairShop::RepairShop(const RepairShopConfig& config, std::size_t machines)
    : config_(config),
      stages_{Stage{.config = &config.automatic, .waiting = {}},
              Stage{.config = &config.manual, .waiting = {}}},
      machines_(machines, Machine{.score = config.retire.score ? config.retire.score->start : 0}),
      remembered_(
          config.retire.threshold ? static_cast<std::size_t>(config.retire.threshold->faults) : 0) {
}

void RepairShop::begin(const RandomSource& random) {
  random_ = &random;
  for (Stage& stage : stages_) {
    stage.busy = 0;
    stage.waiting.clear();
  }
  machines_.clear();
}

void RepairShop::record_fault(MachineId id, SimTime now) {
  if (remembered_ == 0) return;
  Machine& machine = machines_.touch(id.index());
  const std::size_t first = machines_.row(id.index()) * remembered_;
  if (recent_.size() < first + remembered_) recent_.resize(first + remembered_);
  recent_[first + machine.faults++ % remembered_] = now;
}

RepairShop::Work RepairShop::admit(MachineId id, SimTime now, Duration in_service) {
  Machine& machine = machines_.touch(id.index());
  ++machine.visits;
  machine.stage = RepairStage::kAutomatic;
  if (config_.retire.score) {
    const RetireScoreConfig& rule = *config_.retire.score;
    const auto credits = static_cast<double>(in_service / rule.every);
    machine.score = std::min(rule.start, machine.score + rule.credit * credits) - rule.penalty;
  }
  return enters(stages_[0], id, now);
}

RepairShop::Work RepairShop::enters(Stage& stage, MachineId id, SimTime now) {
  if (!stage.config->crews.unlimited() && stage.busy == stage.config->crews.count) {
    stage.waiting.join(id);
    return {};
  }
  ++stage.busy;
  return works(stage, id, now);
}

RepairShop::Work RepairShop::works(Stage& stage, MachineId id, SimTime now) {
  Machine& machine = machines_.touch(id.index());
  const bool automatic = machine.stage == RepairStage::kAutomatic;
  const bool fixed = stage.config->takes.is_fixed();
  double u = 0.5;
  if (automatic || !fixed) {
    const auto [time, fate] =
        random_->two_uniforms(kVisit, id.value(), 2 * machine.visits + (automatic ? 0 : 1));
    u = time;
    if (automatic) machine.fate = fate;
  }
  return {.machine = id, .ends = now + stage.config->takes.sample(u)};
}

RepairShop::StageEnd RepairShop::stage_ends(MachineId id, SimTime now) {
  Machine& machine = machines_.touch(id.index());
  Stage& stage = stages_[static_cast<std::size_t>(machine.stage)];
  FAULTLINE_CHECK_AT(now, stage.busy > 0, "a repair ends that nobody works on");
  StageEnd end{.stage = machine.stage, .goes_on = {}, .next = {}};
  if (stage.waiting.empty()) {
    --stage.busy;
  } else {
    const MachineId next = stage.waiting.next();
    end.next = works(stage, next, now);
  }
  if (machine.stage == RepairStage::kAutomatic) {
    if (machine.fate < config_.escalates) {
      machine.fate /= config_.escalates;
      machine.stage = RepairStage::kManual;
      end.outcome = RepairOutcome::kEscalated;
      end.goes_on = enters(stages_[1], id, now);
      return end;
    }
    machine.fate = (machine.fate - config_.escalates) / (1 - config_.escalates);
  }
  const bool mended = machine.fate < stage.config->success;
  end.outcome = mended ? RepairOutcome::kMended : RepairOutcome::kNotMended;
  end.retired = gives_up(machine, machines_.row(id.index()), now);
  return end;
}

bool RepairShop::gives_up(const Machine& machine, std::uint32_t row, SimTime now) const {
  if (config_.retire.score && machine.score <= 0) return true;
  if (remembered_ == 0 || machine.faults < remembered_) return false;
  // The oldest of the last so many is the next to be overwritten.
  const SimTime oldest = recent_[row * remembered_ + machine.faults % remembered_];
  return now - oldest <= config_.retire.threshold->within;
}

}  // namespace faultline
