// Who works where: the places of every job, and the nodes that stand by.
//
// A job has as many places as nodes; place `rank` is carried by one slot. A slot that carries no place is
// idle: a warm spare of its pool. What a slot is fit for is not known here (`Standing`, `NodeHealth`).
//
// Example: pool of three slots, a job on the first two. Slot 1 fails and its place moves to slot 2: the job
// is on 0 and 2, and slot 1 is the idle one.
//
// Invariant: a slot carries rank r of a job exactly while the job's place r is that slot; only a place that
// a gang has given up (`give_up`) is carried by nobody.
//
// Ownership: written by the rooms of work (Placement, Gangs, Milestones); everybody else reads.
//
// Thread rule: one per simulation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "sim/engine/plan.h"

namespace faultline {

// Which part of a job a slot carries; no job: a spare.
struct PlaceShare {
  JobId job;
  std::uint32_t rank = 0;
};

class Places {
 public:
  explicit Places(const SimulationPlan& plan);
  void begin();

  const PlaceShare& share(NodeSlot slot) const { return shares_[slot.index()]; }
  JobId job_on(NodeSlot slot) const { return shares_[slot.index()].job; }
  bool is_done(JobId job) const { return done_[job.index()]; }
  // By rank.
  const std::vector<NodeSlot>& of(JobId job) const { return places_[job.index()]; }

  // The idle slot of the pool that came last and is fit; invalid: there is none.
  template <class IsFit>
  NodeSlot last_idle(PoolId pool, IsFit is_fit) const {
    const std::vector<NodeSlot>& idle = idle_[pool.index()];
    const auto found = std::find_if(idle.rbegin(), idle.rend(), is_fit);
    return found == idle.rend() ? NodeSlot() : *found;
  }

  // --- for the rooms of work ---
  // The place on `from` moves to the idle `to`; `from` is idle from now on.
  void move(NodeSlot from, NodeSlot to);
  // The slot works no longer; its place is carried by nobody until `take`.
  void give_up(NodeSlot slot) { shares_[slot.index()] = PlaceShare{}; }
  void take(JobId job, std::uint32_t rank, NodeSlot slot);
  // The job is done: its nodes are free.
  void leave_all(JobId job);

 private:
  const SimulationPlan& plan_;
  std::vector<PlaceShare> shares_at_start_;
  std::vector<PlaceShare> shares_;
  // Per pool: slots without a job, last one first.
  std::vector<std::vector<NodeSlot>> idle_at_start_;
  std::vector<std::vector<NodeSlot>> idle_;
  std::vector<std::vector<NodeSlot>> places_;  // per job
  std::vector<bool> done_;                     // per job
};

}  // namespace faultline
