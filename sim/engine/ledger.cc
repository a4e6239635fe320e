#include "sim/engine/ledger.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {

Ledger::Ledger(std::size_t jobs, std::size_t slots) : nodes_(slots), jobs_(jobs) {}

void Ledger::begin() {
  nodes_.clear();
  for (JobTrack& job : jobs_) {
    job.accounts = {};
    job.state = State::kRunning;
    job.since = SimTime::start();
    job.holds.clear();
    job.pieces.clear();
  }
}

void Ledger::enter(NodeSlot slot, SimTime now, Account phase) {
  NodeTrack& node = write(slot);
  if (node.phase == phase) return;
  node.phase = phase;
  // Only the outage of a job that it holds asks when.
  if (node.holds > 0) node.marks.push_back({.from = now, .account = phase});
}

void Ledger::on(const Happening& happening) {
  std::visit([&](const auto& what) { take(what, happening.time); }, happening.what);
}

void Ledger::take(const FaultStruck& struck, SimTime now) {
  if (struck.node.slot.valid() && phase(struck.node.slot) == Account::kProductive) {
    enter(struck.node.slot, now, Account::kDetect);
  }
}

void Ledger::take(const ConditionChanged& changed, SimTime now) {
  NodeTrack& node = write(changed.node.slot);
  if (observed::is_bad(changed.status)) {
    ++node.bad_conditions;
    if (waiting(changed.node.slot)) enter(changed.node.slot, now, Account::kTolerate);
    return;
  }
  if (node.bad_conditions > 0) --node.bad_conditions;
  const bool tolerated = node.phase == Account::kTolerate || node.phase == Account::kGate;
  if (node.bad_conditions == 0 && tolerated) {
    enter(changed.node.slot, now, Account::kProductive);
  }
}

void Ledger::take(const FaultCleared& cleared, SimTime now) {
  if (cleared.node.slot.valid() && phase(cleared.node.slot) == Account::kDetect) {
    enter(cleared.node.slot, now, Account::kProductive);
  }
}

void Ledger::take(const RepairDecided& decided, SimTime now) {
  enter(decided.node.slot, now,
        decided.action == RepairAction::kReplace ? Account::kDrain : Account::kProvision);
}

void Ledger::take(const RepairBlocked& blocked, SimTime now) {
  enter(blocked.node.slot, now, Account::kGate);
}

void Ledger::take(const NodeDrained& drained, SimTime now) {
  if (phase(drained.node.slot) == Account::kDrain) {
    enter(drained.node.slot, now, Account::kProvision);
  }
}

// The launch runs beside the drain: a shortage counts from when it shows.
void Ledger::take(const CapacityMissing& missing, SimTime now) {
  enter(missing.node.slot, now, Account::kNoCapacity);
}

void Ledger::take(const CapacityFound& found, SimTime now) {
  if (phase(found.node.slot) == Account::kNoCapacity) {
    enter(found.node.slot, now, Account::kProvision);
  }
}

void Ledger::take(const NodeRepaired& repaired, SimTime now) {
  NodeTrack& node = write(repaired.node.slot);
  node.bad_conditions = 0;
  enter(repaired.node.slot, now, Account::kProductive);
}

void Ledger::take(const NodeJoined& joined, SimTime now) {
  NodeTrack& node = write(joined.node.slot);
  node.bad_conditions = 0;
  enter(joined.node.slot, now, Account::kProductive);
}

void Ledger::take(const JobProgressed& progressed, SimTime) {
  JobTrack& job = jobs_[progressed.job.index()];
  charge(job, Account::kProductive, progressed.work);
  charge(job, Account::kStraggler, progressed.straggler);
  charge(job, Account::kAgentNoise, progressed.noise);
  charge(job, Account::kCheckpoint, progressed.checkpoint);
}

void Ledger::take(const JobStalled& stalled, SimTime now) {
  jobs_[stalled.job.index()].state = State::kStalled;
  jobs_[stalled.job.index()].since = now;
}

void Ledger::take(const JobUnstalled& unstalled, SimTime now) {
  JobTrack& job = jobs_[unstalled.job.index()];
  charge(job, Account::kHang, now - job.since);
  job.state = State::kRunning;
}

void Ledger::take(const JobReleased& released, SimTime now) {
  release(jobs_[released.job.index()], released.node, now);
}

void Ledger::take(const JobRestarting& restarting, SimTime now) {
  JobTrack& job = jobs_[restarting.job.index()];
  charge_outage(job, now);
  job.state = State::kRestarting;
  job.since = now;
}

void Ledger::take(const JobResumed& resumed, SimTime now) {
  JobTrack& job = jobs_[resumed.job.index()];
  charge(job, Account::kRestart, now - job.since);
  job.state = State::kRunning;
  job.since = now;
}

void Ledger::take(const JobSubmitted& submitted, SimTime now) {
  jobs_[submitted.job.index()].state = State::kDown;
  jobs_[submitted.job.index()].since = now;
}

void Ledger::take(const JobCompleted& completed, SimTime now) {
  jobs_[completed.job.index()].state = State::kDone;
  jobs_[completed.job.index()].since = now;
}

void Ledger::take(const JobInterrupted& interrupted, SimTime now) {
  JobTrack& job = jobs_[interrupted.job.index()];
  charge(job, Account::kProductive, -interrupted.work_lost);
  charge(job, Account::kRedo, interrupted.work_lost);
  if (interrupted.already_down) return;
  if (job.state == State::kStalled) charge(job, Account::kHang, now - job.since);
  if (job.state == State::kRestarting) charge(job, Account::kRestart, now - job.since);
  job.state = State::kDown;
  job.since = now;
  job.holds.clear();
  job.pieces.clear();
}

void Ledger::take(const JobHeld& held, SimTime now) {
  if (held.node.slot.valid()) {
    NodeTrack& node = write(held.node.slot);
    if (node.holds++ == 0) node.marks.assign(1, {.from = now, .account = node.phase});
  }
  jobs_[held.job.index()].holds.push_back({.node = held.node, .from = now, .to = SimTime::never()});
}

void Ledger::release(JobTrack& job, NodeId node, SimTime now) {
  const auto open = std::find_if(job.holds.begin(), job.holds.end(), [&](const Hold& hold) {
    return hold.node.slot == node.slot && hold.to.is_never();
  });
  FAULTLINE_CHECK_AT(now, open != job.holds.end(), "released by a node that does not hold it");
  open->to = now;
  cut_pieces(job, *open);
  if (node.slot.valid()) --write(node.slot).holds;
}

void Ledger::cut_pieces(JobTrack& job, Hold& hold) {
  hold.first_piece = static_cast<std::uint32_t>(job.pieces.size());
  if (!hold.node.slot.valid()) {
    job.pieces.push_back({.from = hold.from, .to = hold.to, .account = Account::kPlanned});
  } else {
    const std::vector<Mark>& marks = nodes_[hold.node.slot.index()].marks;
    SimTime from = hold.from;
    for (std::size_t m = 0; m < marks.size(); ++m) {
      const SimTime to = m + 1 < marks.size() ? std::min(marks[m + 1].from, hold.to) : hold.to;
      if (to <= from) continue;
      // A node that holds the job though nothing is known to be wrong with it: not detected.
      const Account account =
          marks[m].account == Account::kProductive ? Account::kDetect : marks[m].account;
      job.pieces.push_back({.from = from, .to = to, .account = account});
      from = to;
    }
    if (from < hold.to) {
      job.pieces.push_back({.from = from, .to = hold.to, .account = Account::kDetect});
    }
  }
  hold.pieces = static_cast<std::uint32_t>(job.pieces.size()) - hold.first_piece;
}

void Ledger::charge_outage(JobTrack& job, SimTime until) {
  SimTime open = until;  // [job.since, open) is not charged yet
  while (open > job.since) {
    // The hold released last among those that cover the instant just before `open`.
    const Hold* last = nullptr;
    SimTime gap_to = job.since;  // where the next hold, going back, ends
    for (const Hold& hold : job.holds) {
      if (hold.from >= open) continue;
      if (hold.to >= open) {
        if (last == nullptr || hold.to > last->to) last = &hold;
      } else {
        gap_to = std::max(gap_to, hold.to);
      }
    }
    if (last == nullptr) {
      charge(job, Account::kRestart, open - gap_to);
      open = gap_to;
      continue;
    }
    const SimTime from = std::max(last->from, job.since);
    for (std::uint32_t p = 0; p < last->pieces; ++p) {
      const Piece& piece = job.pieces[last->first_piece + p];
      const SimTime begin = std::max(piece.from, from);
      const SimTime end = std::min(piece.to, open);
      if (end > begin) charge(job, piece.account, end - begin);
    }
    open = from;
  }
  job.holds.clear();
  job.pieces.clear();
}

void Ledger::end(SimTime now) {
  for (JobTrack& job : jobs_) {
    if (job.state == State::kStalled) charge(job, Account::kHang, now - job.since);
    if (job.state == State::kRestarting) charge(job, Account::kRestart, now - job.since);
    if (job.state == State::kDown) {
      for (Hold& hold : job.holds) {
        if (!hold.to.is_never()) continue;
        hold.to = now;
        cut_pieces(job, hold);
        if (hold.node.slot.valid()) --write(hold.node.slot).holds;
      }
      charge_outage(job, now);
    }
    Duration sum;
    for (const Duration& account : job.accounts) sum += account;
    const Duration span = (job.state == State::kDone ? job.since : now).since_start();
    FAULTLINE_CHECK_AT(now, sum == span, "the accounts of a job sum to {} instead of {}",
                       to_string(sum), to_string(span));
  }
}

}  // namespace faultline
