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
  // Old marks are of no use once nothing is wrong and no job's outage still asks for them.
  if (node.phase == Account::kProductive && node.holds == 0) node.marks.clear();
  node.phase = phase;
  node.marks.push_back({.from = now, .account = phase});
}

void Ledger::on(const Happening& happening) {
  const SimTime now = happening.time;
  struct Visitor {
    Ledger& ledger;
    SimTime now;

    Account phase(NodeSlot slot) const { return ledger.nodes_[slot.index()].phase; }
    bool waiting(NodeSlot slot) const {
      return phase(slot) == Account::kProductive || phase(slot) == Account::kDetect;
    }

    void operator()(const FaultStruck& struck) {
      if (struck.node.slot.valid() && phase(struck.node.slot) == Account::kProductive) {
        ledger.enter(struck.node.slot, now, Account::kDetect);
      }
    }
    void operator()(const ConditionChanged& changed) {
      NodeTrack& node = ledger.write(changed.node.slot);
      if (observed::is_bad(changed.status)) {
        ++node.bad_conditions;
        if (waiting(changed.node.slot)) ledger.enter(changed.node.slot, now, Account::kTolerate);
        return;
      }
      if (node.bad_conditions > 0) --node.bad_conditions;
      const bool tolerated = node.phase == Account::kTolerate || node.phase == Account::kGate;
      if (node.bad_conditions == 0 && tolerated) {
        ledger.enter(changed.node.slot, now, Account::kProductive);
      }
    }
    void operator()(const FaultCleared& cleared) {
      if (cleared.node.slot.valid() && phase(cleared.node.slot) == Account::kDetect) {
        ledger.enter(cleared.node.slot, now, Account::kProductive);
      }
    }
    void operator()(const RepairDecided& decided) {
      ledger.enter(
          decided.node.slot, now,
          decided.action == RepairAction::kReplace ? Account::kDrain : Account::kProvision);
    }
    void operator()(const RepairBlocked& blocked) {
      ledger.enter(blocked.node.slot, now, Account::kGate);
    }
    void operator()(const NodeDrained& drained) {
      if (phase(drained.node.slot) == Account::kDrain) {
        ledger.enter(drained.node.slot, now, Account::kProvision);
      }
    }
    // The launch runs beside the drain: a shortage counts from when it shows.
    void operator()(const CapacityMissing& missing) {
      ledger.enter(missing.node.slot, now, Account::kNoCapacity);
    }
    void operator()(const CapacityFound& found) {
      if (phase(found.node.slot) == Account::kNoCapacity) {
        ledger.enter(found.node.slot, now, Account::kProvision);
      }
    }
    void operator()(const NodeRepaired& repaired) {
      NodeTrack& node = ledger.write(repaired.node.slot);
      node.bad_conditions = 0;
      ledger.enter(repaired.node.slot, now, Account::kProductive);
    }
    void operator()(const NodeJoined& joined) {
      NodeTrack& node = ledger.write(joined.node.slot);
      node.bad_conditions = 0;
      ledger.enter(joined.node.slot, now, Account::kProductive);
    }
    void operator()(const JobProgressed& progressed) {
      JobTrack& job = ledger.jobs_[progressed.job.index()];
      ledger.charge(job, Account::kProductive, progressed.work);
      ledger.charge(job, Account::kStraggler, progressed.straggler);
      ledger.charge(job, Account::kCheckpoint, progressed.checkpoint);
    }
    void operator()(const JobInterrupted& interrupted) { ledger.interrupt(interrupted, now); }
    void operator()(const JobStalled& stalled) {
      ledger.jobs_[stalled.job.index()].state = State::kStalled;
      ledger.jobs_[stalled.job.index()].since = now;
    }
    void operator()(const JobUnstalled& unstalled) {
      JobTrack& job = ledger.jobs_[unstalled.job.index()];
      ledger.charge(job, Account::kHang, now - job.since);
      job.state = State::kRunning;
    }
    void operator()(const JobHeld& held) { ledger.hold(held, now); }
    void operator()(const JobReleased& released) {
      ledger.release(ledger.jobs_[released.job.index()], released.node, now);
    }
    void operator()(const JobRestarting& restarting) {
      JobTrack& job = ledger.jobs_[restarting.job.index()];
      ledger.charge_outage(job, now);
      job.state = State::kRestarting;
      job.since = now;
    }
    void operator()(const JobResumed& resumed) {
      JobTrack& job = ledger.jobs_[resumed.job.index()];
      ledger.charge(job, Account::kRestart, now - job.since);
      job.state = State::kRunning;
      job.since = now;
    }
    void operator()(const RunEnded&) { ledger.end(now); }

    void operator()(const SignalRaised&) {}
    void operator()(const EventPosted&) {}
    void operator()(const NodeRemoved&) {}
    void operator()(const NodeRequested&) {}
    void operator()(const NodeRegistered&) {}
    void operator()(const PlaceTaken&) {}
  };
  std::visit(Visitor{*this, now}, happening.what);
}

void Ledger::interrupt(const JobInterrupted& interrupted, SimTime now) {
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

void Ledger::hold(const JobHeld& held, SimTime now) {
  if (held.node.slot.valid()) ++write(held.node.slot).holds;
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
    FAULTLINE_CHECK_AT(now, sum == now.since_start(),
                       "the accounts of a job sum to {} instead of {}", to_string(sum),
                       to_string(now.since_start()));
  }
}

}  // namespace faultline
