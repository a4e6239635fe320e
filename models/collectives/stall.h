// How a collective stalls when a link stops carrying data, in closed form.
//
//   outage shorter than the transport's retry budget    the operation waits, and goes on: a stall of
//                                                       the outage's length
//   longer                                              the queue pair fails on both ends when the
//                                                       budget is used up: an error
//   no end and no error (a dead peer, a lost message    every rank waits for its own watchdog, which
//   of a transport without retries)                     counts from its own enqueue
//
// The budget of InfiniBand and RoCE: a message is sent again after 4.096 us x 2^timeout, `retries`
// times (InfiniBand Architecture Specification, vol. 1, local ACK timeout). NCCL sets timeout
// (NCCL_IB_TIMEOUT) to 20, 18 or 14 in its newer and older releases and retries
// (NCCL_IB_RETRY_CNT) to 7: about 30 s, 7.5 s or 0.47 s. EFA's transport is another one.
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/base/time.h"

namespace faultline {

struct IbRetry {
  int timeout = 20;  // NCCL_IB_TIMEOUT
  int retries = 7;   // NCCL_IB_RETRY_CNT
};
Duration retry_budget(const IbRetry& retry);

struct LinkOutage {
  enum class End {
    kGoesOn,    // a stall of `after`
    kError,     // both ends report an error `after` the link stopped
    kWatchdog,  // the first rank gives up `after` the link stopped
  };
  End end = End::kGoesOn;
  Duration after;
};
// `length`: of the outage, perhaps infinite. `budget`: none where the transport waits for ever.
// `enqueued_before`: how long before the outage the first rank had enqueued the operation.
LinkOutage link_outage(Duration length, std::optional<Duration> budget, Duration watchdog,
                       Duration enqueued_before);

// When each rank's watchdog ends it, if the operation never completes.
std::vector<Duration> watchdog_ends(std::span<const Duration> enqueued, Duration watchdog);

}  // namespace faultline
