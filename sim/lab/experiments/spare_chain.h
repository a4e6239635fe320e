// The Markov chain of a scenario's spare pool, to be set beside the simulation.
//
// The chain (models/analytic/spare_pool.h) knows machines that fail, spares, and the time that a
// machine is out. What a policy makes of faults it cannot know, so it is fed with what was
// simulated: the nodes that were replaced, per node and time, and how long a replaced one was out.
// Everything else is its own: what it says about running out of spares is a second opinion, and so
// is every spare count that was not simulated.
//
//   N       nodes of the jobs        s   all other nodes of the pool, warm spares included
//   lambda  replacements / (node-seconds exposed): those of the jobs, while they do not wait for a machine, if
//           every class counts `clock: running`; those of all nodes otherwise, which then fail when idle too
//   unlimited launches: an endless shelf; lead = the mean time from the decision to the node that joined
//   a stock of K: a shelf of K; lead = launch + registration; repair = drain, termination, `returns_after`
//   a repair shop: its stages, crews and escalation
//
// `breaks` names the assumptions that the scenario breaks, as sentences; `notes` says what is left
// out.
//
// Errors: a sentence, where there is nothing to set up (no node is ever replaced; several pools).
// Thread rule: pure functions.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/analytic/spare_pool.h"
#include "sim/lab/point.h"
#include "sim/lab/runner.h"

namespace faultline {

struct SpareChain {
  analytic::SparePool pool;
  analytic::SparePoolShares shares;
  std::vector<std::string> breaks;
  std::vector<std::string> notes;
};

tl::expected<SpareChain, std::string> spare_chain(const Point& point, const Rows& rows);

// The same chain with other numbers of spares.
tl::expected<analytic::SparePoolShares, std::string> spare_chain_with(const SpareChain& chain,
                                                                      std::int64_t more_warm,
                                                                      std::int64_t more_cold);

}  // namespace faultline
