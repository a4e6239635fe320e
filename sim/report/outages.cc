#include "sim/report/outages.h"

#include <algorithm>

#include "sim/report/happening_subjects.h"

namespace faultline {

Outages::Outages(std::size_t jobs, std::size_t slots) : phases_(slots), jobs_(jobs) {}

void Outages::on(const Happening& happening) {
  change_ = phases_.on(happening);
  if (change_) mark_holds(*change_, happening.time);
  if (const auto* stalled = std::get_if<JobStalled>(&happening.what)) {
    open(stalled->job, happening, stalled->node, stalled->fault_class, StopKind::kWatchdog);
    jobs_[stalled->job.index()].state = State::kStalled;
  } else if (const auto* interrupted = std::get_if<JobInterrupted>(&happening.what)) {
    interrupt(*interrupted, happening);
  } else if (const auto* submitted = std::get_if<JobSubmitted>(&happening.what)) {
    submit(*submitted, happening);
  } else if (std::holds_alternative<RunEnded>(happening.what)) {
    end(happening);
  } else if (const JobId job = job_of(happening); job.valid()) {
    // A journal may have been edited: what can only happen in an outage is skipped outside.
    if (jobs_[job.index()].state != State::kRunning) go_on(jobs_[job.index()], happening);
  }
}

void Outages::go_on(JobTrack& job, const Happening& happening) {
  const SimTime now = happening.time;
  if (const auto* held = std::get_if<JobHeld>(&happening.what)) {
    hold(job, held->node, now);
  } else if (const auto* released = std::get_if<JobReleased>(&happening.what)) {
    release(job, released->node.slot, now);
  } else if (std::holds_alternative<JobRestarting>(happening.what)) {
    add_wait(job, now);
    job.state = State::kRestarting;
    job.since = now;
  } else if (std::holds_alternative<JobUnstalled>(happening.what)) {
    add_piece(job, now, Account::kHang);
    close(job, happening);
  } else if (std::holds_alternative<JobResumed>(happening.what)) {
    add_piece(job, now, Account::kRestart);
    close(job, happening);
  }
}

void Outages::mark_holds(const NodePhases::Change& change, SimTime now) {
  for (JobTrack& job : jobs_) {
    for (Hold& hold : job.holds) {
      if (hold.node.slot != change.slot || !hold.to.is_never()) continue;
      hold.marks.push_back({.from = now, .account = change.after});
    }
  }
}

void Outages::open(JobId id, const Happening& happening, NodeId node, FaultClassId fault_class,
                   StopKind kind) {
  JobTrack& job = jobs_[id.index()];
  job.since = happening.time;
  job.holds.clear();
  job.outage = {.job = id,
                .from = happening.time,
                .first = happening.id,
                .node = node,
                .fault_class = fault_class,
                .kind = kind};
}

void Outages::close(JobTrack& job, const Happening& happening) {
  job.state = State::kRunning;
  job.outage.to = happening.time;
  job.outage.last = happening.id;
}

void Outages::interrupt(const JobInterrupted& interrupted, const Happening& happening) {
  JobTrack& job = jobs_[interrupted.job.index()];
  if (job.state == State::kRunning) {
    open(interrupted.job, happening, interrupted.node, interrupted.fault_class, interrupted.kind);
  }
  job.outage.work_lost += interrupted.work_lost;
  if (interrupted.already_down) return;
  if (job.state == State::kStalled) add_piece(job, happening.time, Account::kHang);
  if (job.state == State::kRestarting) add_piece(job, happening.time, Account::kRestart);
  job.state = State::kDown;
  job.since = happening.time;
  job.holds.clear();
}

// The time until its gang is there for the first time is told as an outage without a cause.
void Outages::submit(const JobSubmitted& submitted, const Happening& happening) {
  open(submitted.job, happening, {}, {}, StopKind::kPlanned);
  jobs_[submitted.job.index()].state = State::kDown;
}

void Outages::hold(JobTrack& job, NodeId node, SimTime now) {
  Hold& hold = job.holds.emplace_back(Hold{.node = node, .from = now, .marks = {}});
  const Account account = node.slot.valid() ? phases_.phase(node.slot) : Account::kPlanned;
  hold.marks.push_back({.from = now, .account = account});
}

void Outages::release(JobTrack& job, NodeSlot slot, SimTime now) {
  for (Hold& hold : job.holds) {
    if (hold.node.slot == slot && hold.to.is_never()) hold.to = now;
  }
}

void Outages::end(const Happening& happening) {
  for (JobTrack& job : jobs_) {
    switch (job.state) {
      case State::kRunning: continue;
      case State::kStalled: add_piece(job, happening.time, Account::kHang); break;
      case State::kRestarting: add_piece(job, happening.time, Account::kRestart); break;
      case State::kDown:
        for (Hold& hold : job.holds) hold.to = std::min(hold.to, happening.time);
        add_wait(job, happening.time);
        break;
    }
    job.outage.last = happening.id;
    job.outage.to = happening.time;
  }
}

// From the begin of the state to `to`.
void Outages::add_piece(JobTrack& job, SimTime to, Account account) {
  if (to > job.since) {
    job.outage.pieces.push_back({.from = job.since, .to = to, .account = account, .node = {}});
  }
}

// The time down, from its begin to `until`. Going back from the end: the hold that was released
// last answers for the time back to its own begin, then the one released last among those that had
// begun before.
void Outages::add_wait(JobTrack& job, SimTime until) {
  std::vector<OutagePiece> wait;  // going back
  SimTime open = until;
  while (open > job.since) {
    const Hold* last = nullptr;
    SimTime gap_to = job.since;
    for (const Hold& hold : job.holds) {
      if (hold.from >= open) continue;
      if (hold.to < open) {
        gap_to = std::max(gap_to, hold.to);
      } else if (last == nullptr || hold.to > last->to) {
        last = &hold;
      }
    }
    if (last == nullptr) {
      wait.push_back({.from = gap_to, .to = open, .account = Account::kRestart, .node = {}});
      open = gap_to;
      continue;
    }
    for (auto mark = last->marks.rbegin(); mark != last->marks.rend(); ++mark) {
      const SimTime from = std::max(mark->from, job.since);
      if (from >= open) continue;
      // A node that holds the job though nothing is known to be wrong with it is not detected yet.
      const Account account =
          mark->account == NodePhases::kHealthy ? Account::kDetect : mark->account;
      wait.push_back({.from = from, .to = open, .account = account, .node = last->node});
      open = from;
    }
  }
  job.outage.pieces.insert(job.outage.pieces.end(), wait.rbegin(), wait.rend());
  job.holds.clear();
}

}  // namespace faultline
