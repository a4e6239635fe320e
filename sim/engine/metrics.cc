#include "sim/engine/metrics.h"

#include <algorithm>
#include <limits>

namespace faultline {
namespace {

using Index = MetricIndex;

constexpr std::array<Account, 3> kStallAccounts{Account::kHang, Account::kStraggler,
                                                Account::kAgentNoise};
constexpr std::size_t kRestartPhase = 5;
constexpr std::size_t kRedoPhase = 6;

double mean(double sum, std::uint64_t n) {
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(n);
}

}  // namespace

RunMetrics::RunMetrics(const SimulationPlan& plan, PooledDurations& pooled)
    : plan_(plan),
      pooled_(pooled),
      ledger_(plan.jobs().size(), plan.fleet().slots()),
      shop_(plan),
      stalls_(plan, pooled.stalls),
      values_(metric_names(plan).size()),
      repairs_(plan.fleet().slots()),
      restart_began_(plan.jobs().size()) {}

void RunMetrics::begin() {
  ledger_.begin();
  shop_.begin();
  stalls_.begin();
  std::fill(values_.begin(), values_.end(), 0.0);
  repairs_.clear();
  unhealthy_ = unhealthy_peak_ = spares_used_ = 0;
  phase_seconds_ = {};
  restart_seconds_ = redo_seconds_ = 0;
  repairs_done_ = restarts_ = stops_ = 0;
}

void RunMetrics::leave(Repair& repair) {
  if (repair.bad_conditions > 0) --unhealthy_;
  repair = Repair{};
}

void RunMetrics::became_bad(Repair& repair) {
  if (repair.bad_conditions++ > 0) return;
  ++unhealthy_;
  unhealthy_peak_ = std::max(unhealthy_peak_, unhealthy_);
}

void RunMetrics::became_good(Repair& repair) {
  if (repair.bad_conditions > 0 && --repair.bad_conditions == 0) --unhealthy_;
}

void RunMetrics::count(const FaultStruck& struck, SimTime now) {
  if (struck.primary)
    values_[Index::kClasses + plan_.classes().size() + struck.fault_class.index()] += 1;
  if (!struck.node.slot.valid()) return;
  Repair& repair = write(struck.node.slot);
  if (!repair.decided.is_never() || repair.fault.valid()) return;
  if (plan_.classes()[struck.fault_class.index()].config->effect != FaultEffect::kNone) {
    repair.fault = struck.fault;
  } else if (repair.bad_conditions > 0) {
    return;
  }
  repair.struck = now;
  repair.fault_class = struck.fault_class;
}

void RunMetrics::count(const FaultCleared& cleared, SimTime) {
  if (!cleared.node.slot.valid()) return;
  Repair& repair = write(cleared.node.slot);
  if (repair.fault == cleared.fault) repair.fault = FaultId();
}

void RunMetrics::count(const ConditionChanged& changed, SimTime now) {
  Repair& repair = write(changed.node.slot);
  if (!observed::is_bad(changed.status)) {
    became_good(repair);
    if (repair.bad_conditions == 0 && repair.decided.is_never()) {
      gate_ends(repair, now);
      repair.seen = repair.blocked = SimTime::never();
      repair.reason = ReasonId();
    }
    return;
  }
  became_bad(repair);
  if (repair.seen.is_never() && repair.decided.is_never()) {
    repair.seen = now;
    repair.reason = changed.reason;
    if (!repair.fault.valid()) repair.struck = SimTime::never();  // FaultBehind says it
  }
}

void RunMetrics::count(const FaultBehind& behind, SimTime now) {
  const std::vector<SimulationPlan::Signal>& signals = plan_.signals(behind.fault_class);
  const auto signal = std::find_if(signals.begin(), signals.end(), [&](const auto& candidate) {
    return candidate.reason == behind.reason;
  });
  if (signal != signals.end()) {
    const auto s = static_cast<std::size_t>(signal - signals.begin());
    const std::size_t first = pooled_.first_of_class[behind.fault_class.index()];
    pooled_.detections[first + s].since_fault.add(behind.since_fault);
  }
  // The condition that has put the node under suspicion, where nothing was known to be wrong.
  const Repair& seen = repairs_[behind.node.slot.index()];
  if (seen.seen.is_never() || !seen.struck.is_never()) return;
  Repair& repair = write(behind.node.slot);
  repair.struck = now - behind.since_fault;
  repair.fault_class = behind.fault_class;
}

void RunMetrics::count(const JobInterrupted& interrupted, SimTime now) {
  stalls_.take(interrupted, now);
  redo_seconds_ += interrupted.work_lost.seconds();
  if (!interrupted.already_down) ++stops_;
  if (!interrupted.fault_class.valid()) {
    values_[interrupted.kind == StopKind::kEvicted ? Index::kEvictions : Index::kByRepair] += 1;
  } else if (interrupted.kind == StopKind::kPlanned) {
    values_[Index::kPlanned] += 1;
  } else {
    values_[Index::kInterruptions] += 1;
    values_[Index::kClasses + interrupted.fault_class.index()] += 1;
    if (interrupted.already_down) values_[Index::kWhileDown] += 1;
  }
}

void RunMetrics::gate_ends(const Repair& repair, SimTime now) {
  if (repair.blocked.is_never()) return;
  values_[Index::kGateSeconds] += (now - repair.blocked).seconds();
  values_[Index::kGateBlocked] += further_looks(repair, now);
}

// Since the last refusal that was told: those strictly before now.
double RunMetrics::further_looks(const Repair& repair, SimTime now) {
  const Duration since = now - repair.refused;
  if (since == Duration::zero() || repair.looks_every == Duration::zero()) return 0;
  return static_cast<double>((since.ns() - 1) / repair.looks_every.ns());
}

void RunMetrics::ready(Repair& repair, SimTime now) {
  if (repair.replacing && !repair.needless && !repair.struck.is_never()) {
    // An undetected fault has no `seen`: all the time until somebody acted is detection. A node that an alarm had
    // put under suspicion before is seen at once.
    const SimTime seen = std::max(std::min(repair.seen, repair.decided), repair.struck);
    const SimTime blocked = std::max(std::min(repair.blocked, repair.decided), seen);
    const SimTime drained = std::min(repair.drained, now);
    const std::array<Duration, kPhases> phases{seen - repair.struck, blocked - seen,
                                               repair.decided - blocked, drained - repair.decided,
                                               now - drained};
    for (std::size_t p = 0; p < kPhases; ++p) {
      phase_seconds_[p] += phases[p].seconds();
      pooled_.phases[p].add(phases[p]);
    }
    ++repairs_done_;
    const Duration total = now - repair.struck;
    pooled_.fault_to_ready_by_class[repair.fault_class.index()].add(total);
    if (repair.reason.valid()) {
      const ChannelId channel = plan_.contract().reason(repair.reason).channel;
      pooled_.fault_to_ready_by_channel[channel.index()].add(total);
    }
  }
  leave(repair);
}

void RunMetrics::count(const RepairDecided& decided, SimTime now) {
  Repair& repair = write(decided.node.slot);
  if (!repair.decided.is_never() && decided.action == RepairAction::kReplace) {
    // The machine that was to take the place of the first is replaced while it boots.
    values_[Index::kReplacements] += 1;
    repair.booted = true;
    return;
  }
  gate_ends(repair, now);
  repair.decided = now;
  if (decided.action == RepairAction::kRepairInPlace) {
    values_[Index::kInPlace] += 1;
    return;
  }
  repair.replacing = true;
  values_[Index::kReplacements] += 1;
}

void RunMetrics::count(const RepairWasNeedless& needless, SimTime) {
  Repair& repair = write(needless.node.slot);
  if (!repair.replacing) return;
  if (!repair.booted) repair.needless = true;
  values_[Index::kNeedless] += 1;
}

void RunMetrics::count(const RepairBlocked& blocked, SimTime now) {
  Repair& repair = write(blocked.node.slot);
  values_[Index::kGateBlocked] += 1;
  if (repair.blocked.is_never()) {
    repair.blocked = now;
  } else {
    values_[Index::kGateBlocked] += further_looks(repair, now);
  }
  repair.refused = now;
  repair.looks_every = blocked.every;
}

void RunMetrics::count(const NodeDrained& drained, SimTime now) {
  Repair& repair = write(drained.node.slot);
  repair.drained = std::min(repair.drained, now);
  shop_.take(drained);
}

// The new node is not Ready yet; the old one may still be bad and terminating: count the slot once.
void RunMetrics::count(const NodeRegistered& registered, SimTime) {
  Repair& repair = write(registered.node.slot);
  if (repair.bad_conditions == 0) became_bad(repair);
}

void RunMetrics::count(const PlaceTaken& taken, SimTime) {
  const auto is_spare = [&](NodeSlot slot) {
    const Fleet::Pool& pool = plan_.fleet().pool(plan_.fleet().pool_of(slot));
    return slot.value() >= pool.first_slot + pool.nodes;
  };
  spares_used_ += (is_spare(taken.to.slot) ? 1 : 0) - (is_spare(taken.from.slot) ? 1 : 0);
  values_[Index::kSparesMax] =
      std::max(values_[Index::kSparesMax], static_cast<double>(spares_used_));
}

void RunMetrics::count(const JobRestarting& restarting, SimTime now) {
  restart_began_[restarting.job.index()] = now;
  stalls_.take(restarting);
  values_[Index::kFailedRestarts] += restarting.failed_attempts;
}

void RunMetrics::count(const JobResumed& resumed, SimTime now) {
  restart_seconds_ += (now - restart_began_[resumed.job.index()]).seconds();
  ++restarts_;
}

void RunMetrics::count(const RunEnded&, SimTime now) {
  stalls_.end(now);
  finish(now);
}

void RunMetrics::on(const Happening& happening) {
  std::visit([&](const auto& what) { take(what, happening.time); }, happening.what);
}

void RunMetrics::finish(SimTime now) {
  for (const std::uint32_t slot : repairs_.owners()) {
    if (repairs_[slot].decided.is_never()) gate_ends(repairs_[slot], now);
  }
  double job_gpus = 0;
  double productive_gpus = 0;
  for (std::size_t j = 0; j < plan_.jobs().size(); ++j) {
    const auto gpus = static_cast<double>(plan_.jobs()[j].gpus);
    job_gpus += gpus;
    const Ledger::Accounts& accounts = ledger_.accounts(JobId(j));
    const double horizon = ledger_.accounted_until(JobId(j), now).seconds();
    for (std::size_t a = 0; a < kAccounts; ++a) {
      values_[Index::kLost + a] += accounts[a].seconds() / horizon * gpus;
    }
    productive_gpus +=
        accounts[static_cast<std::size_t>(Account::kProductive)].seconds() / now.seconds() * gpus;
    for (std::size_t k = 0; k < kStallAccounts.size(); ++k) {
      values_[Index::kStall + k] += accounts[static_cast<std::size_t>(kStallAccounts[k])].seconds();
    }
  }
  values_[Index::kGoodput] = productive_gpus / static_cast<double>(plan_.fleet().gpus());
  for (std::size_t a = 0; a < kAccounts; ++a) values_[Index::kLost + a] /= job_gpus;
  const auto share = [&](Account account) {
    return values_[Index::kLost + static_cast<std::size_t>(account)];
  };
  values_[Index::kEttr] = share(Account::kProductive);
  // A node that is mended where it stands exists.
  const bool in_place = !plan_.control_facts().replaces_nodes;
  values_[Index::kStockout] =
      in_place ? 0 : share(Account::kProvision) + share(Account::kNoCapacity);
  values_[Index::kUnhealthyPeak] =
      static_cast<double>(unhealthy_peak_) / static_cast<double>(plan_.fleet().slots());
  values_[Index::kNodesReplaced] = static_cast<double>(repairs_done_);
  values_[Index::kRestarts] = static_cast<double>(restarts_);
  values_[Index::kStops] = static_cast<double>(stops_);
  for (std::size_t p = 0; p < kPhases; ++p) {
    values_[Index::kMttr + p] = mean(phase_seconds_[p], repairs_done_);
  }
  values_[Index::kMttr + kRestartPhase] = mean(restart_seconds_, restarts_);
  values_[Index::kMttr + kRedoPhase] = mean(redo_seconds_, stops_);
  shop_.write(values_.data() + Index::kClasses + 2 * plan_.classes().size());
}

}  // namespace faultline
