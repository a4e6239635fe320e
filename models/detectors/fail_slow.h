// Detectors of fail-slow nodes: what they see, and when. A fault slows a node at time t, to 1/x of its
// speed, and is gone at g.
//
//   channel     sees x of at least   at                                       not at all if gone by
//   progress    factor               t + window                               t + window
//   peers       factor               t + continuity + alert                   t + continuity
//   probe       factor               the end of the first test begun from t   the end of the test
//
// Nothing polls: each instant is computed when the fault strikes. A milder fault behind a worse one is seen
// as if it were alone.
//
// Progress monitors and peers sample the steps of a job. While it is down there are none, and no machine
// stands out from the others: what is not seen through by then is counted anew from the first step after
// the restart, t = that step. (Minder's rule is continuity: the same machine in window after window. A
// tracker of iteration times, as Greyhound's, lives in the processes and starts with them.) A stall is no
// restart: its long step counts like other slow ones. Probes test nodes, whatever the job does.
//
// A condition that clears does so when as much time has passed without the fault, for a probe at the end
// of the next test.
//
// Worked example. A node runs at 80%, x = 1.25, from 100 s to 400 s. Progress with factor 1.1 and window 5
// min would see it at 400 s: gone, never. Peers with continuity 4 min: stands out until 340 s, alert at 343.6
// s. With factor 1.3 nobody sees it.
//
// Had the job crashed at 200 s and made its first step again at 320 s, peers would count from there: until 560
// s, when the fault is long gone. Never.
//
// How often they are right: the `coverage` of a reason is the recall, the `blames_another` of a signal is 1
// - precision. Minder publishes a precision P = 0.904 and a recall R = 0.883, which make its F1 = 2 P R / (P + R) =
// 0.893.
//
// Source: Minder (arXiv 2411.01791). Thread rule: pure functions.
#pragma once

#include <optional>

#include "models/base/time.h"
#include "models/detectors/detectors_config.h"

namespace faultline::fail_slow {

inline SimTime seen(const ProgressChannel& progress, SimTime signal, SimTime gone) {
  const SimTime full = signal + progress.window;
  return full < gone ? full : SimTime::never();
}
inline SimTime seen(const PeersChannel& peers, SimTime signal, SimTime gone) {
  const SimTime full = signal + peers.continuity;
  return full < gone ? full + peers.alert : SimTime::never();
}
// `test`: when the first test begins at or after the signal.
inline SimTime seen(const ProbeChannel& probe, SimTime test, SimTime gone) {
  const SimTime end = test + probe.takes;
  return end < gone ? end : SimTime::never();
}

// The least slow-down that the channel sees; none: it is no detector of slow nodes.
inline std::optional<double> least_factor(const ChannelConfig& channel) {
  if (const auto* progress = std::get_if<ProgressChannel>(&channel.by)) return progress->factor;
  if (const auto* peers = std::get_if<PeersChannel>(&channel.by)) return peers->factor;
  if (const auto* probe = std::get_if<ProbeChannel>(&channel.by)) return probe->factor;
  return std::nullopt;
}
// Whether it sees a node that works at `speed` (a share of full speed).
inline bool sees(const ChannelConfig& channel, double speed) {
  constexpr double kRounding = 1e-9;
  const std::optional<double> factor = least_factor(channel);
  return !factor || speed * *factor <= 1 + kRounding;
}
// Whether it looks at a job and its machines, and so at nothing that no job uses.
inline bool looks_at_jobs(const ChannelConfig& channel) {
  return std::holds_alternative<ProgressChannel>(channel.by) ||
         std::holds_alternative<PeersChannel>(channel.by);
}

}  // namespace faultline::fail_slow
