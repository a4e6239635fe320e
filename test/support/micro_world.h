// A world that fits on a sheet of paper: a few nodes, one job, every delay a fixed number, faults
// at scripted instants. What a run must come to can then be derived by hand, to the nanosecond.
//
// The defaults, which the derivations in the tests use:
//
//   job         checkpoint after each 600 s of work, stops the steps for 5 s, durable at once
//   stop        tear-down 15 s; container back-off 10 s, 20 s, ... at most 300 s
//   restart     scheduling 10 s + image 20 s (here the script touches the GPU) + set-up 5 s + load
//   60 s = 95 s
//   hang        watchdog after 600 s, no time for the dump
//   detection   `GpuLost` (AcceleratedHardwareReady) and `LinkDown` (NetworkingReady) are pushed
//   and reported
//               at once; a condition clears with its fault
//   policy      karpenter: AcceleratedHardwareReady 600 s, NetworkingReady and Ready 1800 s, no
//   gate, drain
//               5 s, the replacement is asked for 1 s after the decision
//   capacity    launch 90 s + registration 5 s, unlimited; an old node is gone with its drain
//
// So a node that is replaced at time d is drained at d + 5 s, and its replacement is ready at d +
// 96 s.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/happenings.h"
#include "sim/engine/accounts.h"
#include "sim/engine/ledger.h"
#include "sim/engine/sink.h"
#include "sim/scenario/scenario.h"

namespace faultline {

inline std::ostream& operator<<(std::ostream& out, Duration d) { return out << to_string(d); }
inline std::ostream& operator<<(std::ostream& out, SimTime t) {
  return out << to_string(t.since_start());
}

// An instant, written as the time since the start.
constexpr SimTime at(Duration since_start) { return SimTime::at(since_start); }
// 25 min 10 s: `clock(25, 10)`.
constexpr Duration clock(int minutes, int seconds = 0) {
  return Duration::nanoseconds((minutes * 60LL + seconds) * 1'000'000'000);
}

class Journal final : public HappeningSink {
 public:
  void on(const Happening& happening) override { happenings.push_back(happening); }

  template <class What>
  struct Found {
    SimTime time;
    What what;
  };
  template <class What>
  std::vector<Found<What>> all() const {
    std::vector<Found<What>> found;
    for (const Happening& happening : happenings) {
      if (const auto* what = std::get_if<What>(&happening.what)) {
        found.push_back({happening.time, *what});
      }
    }
    return found;
  }
  template <class What>
  std::vector<Duration> times() const {
    std::vector<Duration> times;
    for (const auto& found : all<What>()) times.push_back(found.time.since_start());
    return times;
  }

  std::vector<Happening> happenings;
};

// The accounts that are not zero, by name: compares and prints well.
using Charged = std::map<std::string, std::string>;
Charged charged(const Ledger::Accounts& accounts);
Charged charged(const std::map<Account, Duration>& accounts);

struct MicroRun {
  Journal journal;
  std::vector<Ledger::Accounts> accounts;  // per job

  Charged charged(std::size_t job = 0) const { return faultline::charged(accounts.at(job)); }
  Duration total(std::size_t job = 0) const;
};

// Every look at which a gate refused the node, up to `until`: those that are told, and the further ones of each.
std::vector<Duration> refusals(const MicroRun& run, NodeSlot slot, Duration until);

class MicroWorld {
 public:
  // A pool `train` of so many nodes with one GPU each, and a job on the first `job_nodes` of them.
  explicit MicroWorld(int pool_nodes = 1, int job_nodes = 1, Duration horizon = 2_h);

  // A class that strikes nothing yet.
  FaultClassConfig& fault(const std::string& name, FaultEffect effect);
  // A class that strikes one node at one time.
  FaultClassConfig& fault(const std::string& name, FaultEffect effect, Duration at, int node);
  // The same, counted per job.
  FaultClassConfig& job_fault(const std::string& name, FaultEffect effect, Duration at);

  TrainingConfig& job() { return std::get<TrainingConfig>(scenario.workloads.front()); }
  KarpenterConfig& karpenter() { return std::get<KarpenterConfig>(scenario.policy); }
  PushChannel& push() { return std::get<PushChannel>(scenario.detectors.channels[0].by); }

  // Runs it, checks the journal (`journal_faults`) and that the accounts sum to the horizon (or to the
  // end of the job's work).
  MicroRun run(std::uint64_t seed = 1, std::uint32_t replication = 0) const;

  // The accounts of that replication, by a `Simulation` and a `Ledger` that have run another one
  // before.
  std::vector<Ledger::Accounts> run_after_another(std::uint64_t seed) const;

  Scenario scenario;
};

inline Distribution fixed(Duration value) { return Distribution::fixed(value); }
inline ScriptedStrikeConfig strike(Duration at, int node) {
  return {.at = at, .node = "train-" + std::to_string(node), .job = {}};
}
inline SignalConfig signal(const std::string& reason) {
  SignalConfig config;
  config.reason = reason;
  return config;
}

// What is wrong with a journal; empty if nothing is. Checks: the clock never goes back; ids count
// from 0; a cause stands before its effect; what is behind a report, and whether a decision was needless,
// is told directly after it; each place has at most one standing machine,
// generations increase by one; holds and releases of a job are balanced and no progress is made
// while it is held or down; the run's end is the last line.
std::vector<std::string> journal_faults(const Journal& journal, const Scenario& scenario);

}  // namespace faultline
