// A gang under the bursts of its monitoring agents, walked through meeting by meeting in whole
// nanoseconds: the judge of the closed forms in agent_noise.h, with which it shares nothing, and
// the replay of "the agent's tasks woke together and stalled the collectives".
//
// Every node does `work` = step / meetings (node 0 takes work / slowest for it) while bursts take
// at most its spare cores, and then waits for all others. One replay is one set of phases, drawn
// uniform in 0..T:
//
//   together   one phase a node, for all of its tasks       aligned       node 0's, on all nodes
//   jittered   one for each task                            independent   each node its own
//   queued     as together, task i a burst after task i - 1
//
// Only nodes with a burst within a meeting are looked at, and quiet meetings are skipped at once.
//
// Worked example. Two nodes, 1 s of work, one task of 0.5 s every 10 s, at 0.2 s on node 0 and at
// 1.6 s on node 1. They meet at 1.5 s (node 0 was stalled), at 3.0 s (node 1 was), and then every
// second until 10.0 s, as the next burst begins at 10.2 s: in 10 s, 9 s of work and 1 s of waiting.
//
// Draws: stream "noise/phase", entity = node, draw = task.
// Units: durations. Thread rule: one per thread; `RandomSource` decides everything.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/base/time.h"
#include "models/detectors/agent_noise.h"
#include "models/detectors/monitoring_config.h"

namespace faultline::noise {

struct ReplaySetting {
  SynchronisedGang gang;
  Monitoring monitoring;
  InsideNode inside = InsideNode::kTogether;
  AcrossNodes across = AcrossNodes::kAligned;
};

class NoiseReplay {
 public:
  // By node and task, 0..T: for examples.
  using Phases = std::vector<std::vector<Duration>>;

  NoiseReplay(const ReplaySetting& setting, const RandomSource& random);
  NoiseReplay(const ReplaySetting& setting, Phases phases);

  // A meeting that somebody's burst has delayed, or some that nobody's has.
  struct Meetings {
    SimTime began;
    SimTime ended;
    std::int64_t count = 1;
    Duration wait;           // of all of them for bursts
    std::uint32_t last = 0;  // the node that the others waited for, if they did
  };
  Meetings next();

  // Of one gang meeting after another: a meeting takes as long without noise.
  Duration undisturbed() const { return slow_work_; }
  const Phases& phases() const { return phases_; }

 private:
  struct Start {
    Duration phase;
    std::uint32_t node;
  };

  void sort_starts();
  SimTime finish(std::uint32_t node, SimTime from) const;

  ReplaySetting setting_;
  Duration work_;
  Duration slow_work_;  // of node 0
  Phases phases_;
  std::vector<Start> starts_;  // of all bursts, by phase
  SimTime now_;
};

// One set of phases from its beginning: the meetings that begin within so many periods, at most
// `most` delayed ones (a gang that meets every millisecond has many).
struct ReplayedTime {
  Duration undisturbed;
  Duration wait;
};
ReplayedTime replay(NoiseReplay& replay, Duration period, std::int64_t periods, std::int64_t most);

}  // namespace faultline::noise
