// When a detector notices: the instant is computed, nothing polls.
//
// A signal at time t, of a fault that is gone at time g, becomes a condition in two steps.
//
// 1. The agent sees it, by its channel:
//      push    t + delay
//      poll    the n-th tick at or after t (n = `occurrences`), if the fault is still there: tick < g
//      log     the next flush at or after t
//      status_check    as poll, but from outside: nobody reports it
//      lease   (last renewal before t) + grace, rounded up to the node controller's next look; not at all
//              if the kubelet's first renewal after g comes no later than that
//      progress, peers, probe    see fail_slow.h
// 2. The agent reports it to the API server at its next report tick (push, poll, log).
//
// Ticks. A periodic activity of a node ticks at first + k period. On a machine that stood there at
// the start, first is uniform in [0, period): the agent has run for long. On a later one the agent
// starts with the machine at time s, and first = s + period (1 + U(0, jitter)) for polls (the first
// tick is late, and nothing is polled before a whole period: pkg/util/time.go), first = s + period
// for reports.
//
// Worked example: poll every 300 s with first = 40 s, report every 15 s with first = 5 s. A fault
// at 100 s is seen at 340 s and reported at 350 s. If it is gone at 340 s it is never seen.
//
// Source: aws/eks-node-monitoring-agent 51af5494; Kubernetes node controller (lease 10 s, grace by release:
// models/base/kubernetes.h, look every 5 s).
//
// Thread rule: immutable; share freely.
#pragma once

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/ticks.h"
#include "models/base/time.h"
#include "models/detectors/contract.h"
#include "models/detectors/detectors_config.h"

namespace faultline {

// The machine whose agent looks.
struct Watched {
  NodeId node;
  SimTime started;  // when the machine joined; generation 0: the start
  // Where its first report tick is kept once it was asked for; never: it was not yet.
  SimTime* first_report = nullptr;
};

class DetectionTiming {
 public:
  DetectionTiming(const DetectorsConfig& config, const Contract& contract)
      : config_(config), contract_(contract) {}

  // When the condition (or the event) of a signal is published; never, if it goes unseen.
  // `u` decides the delay of a push channel.
  SimTime published_at(ReasonId reason, const Watched& watched, SimTime signal, SimTime gone,
                       double u, const RandomSource& random) const;

  // Without latching: when a condition that was published at `published` for a fault gone at `gone`
  // is True again.
  SimTime cleared_at(ReasonId reason, const Watched& watched, SimTime published, SimTime gone,
                     const RandomSource& random) const;

 private:
  const ChannelConfig& channel(ReasonId reason) const {
    return config_.channels[contract_.reason(reason).channel.index()];
  }
  SimTime first_tick(StreamId stream, std::uint32_t channel, Duration period, double jitter,
                     const Watched& watched, const RandomSource& random) const;
  SimTime first_poll(ReasonId reason, const PollChannel& poll, const Watched& watched,
                     const RandomSource& random) const;
  // The `occurrences`-th tick at or after `signal`; never, if the fault is gone by then.
  SimTime sighted(ReasonId reason, SimTime first, Duration period, SimTime signal,
                  SimTime gone) const;
  SimTime first_renewal(const LeaseChannel& lease, const Watched& watched,
                        const RandomSource& random) const;
  // Of what looks at the machine from outside: probes and status checks.
  SimTime first_look(ReasonId reason, Duration period, const Watched& watched,
                     const RandomSource& random) const;
  SimTime next_report(const Watched& watched, SimTime seen, const RandomSource& random) const;

  const DetectorsConfig& config_;
  const Contract& contract_;
};

}  // namespace faultline
