// What monitoring agents cost a gang that waits for its slowest node: the bursts of one node delay
// all others at the next collective. The engine charges it by these closed forms where they hold
// (charged_noise.h), once per plan; noise_replay.h, which shares nothing with them, walks the same
// gang burst by burst.
//
// The model. N nodes do tau of work, then meet (a barrier, an all-reduce); that repeats. On each
// node k tasks wake every T for a burst of d and take c cores each, before the ranks get theirs. S
// cores of a node serve no rank. While the bursts of a node need more than S cores, the node stalls
// (the rank whose core is taken is the one that the others wait for). Two questions:
//
//   inside a node     together: all k wake at once        jittered: each at a phase of its own
//                     queued: one after another
//   across the nodes  aligned: every node has the same phases (a wall clock, say)
//                     independent: every node has its own (what start-up jitter does)
//
// Phases are drawn once, uniform in 0..T, and kept.
//
//   (1) aligned across        tau B / (T - B), B = what a node stalls in a period: in every T the
//                             gang does T - B of work. Exact, for any pattern of stalls.
//   (2) independent, a stall of d per period, a step that begins at a random time
//                             d - T/(N+1) [(1 - tau/T)^(N+1) - (1 - (tau+d)/T)^(N+1)]
//                             A node has more than x of a stall ahead with probability
//                             p(x) = (tau + d - x)/T, x < d; E[max] = integral 1 - (1 - p)^N.
//   (3) the same, stalls of L_1..L_n per period
//                             p(x) = sum over L_j > x of (tau + L_j - x)/T
//   (4) independent, the long run
//                             A step that follows a wait of y can meet the rest of a stall only if
//                             that began within the wait: others that were under way are over.
//                             p(x, y) = sum over L_j > x of (tau + min(y, L_j - x))/T
//                             The wait is a Markov chain; its stationary law G(x) = P(wait > x) is
//                             G(x) = E[1 - (1 - p(x, Y))^N], Y of law G, a linear integral
//                             equation. The delay is the integral of G.
//   (5) jittered, independent, stalls so rare that no node has two in a meeting: (4),
//       q = floor(S/c) bursts of a node at a time do no harm
//                 q = 0       with k N for N: every burst of every node on its own
//                 q > 0       with r (1 - x/d)^q stalls a period that are longer than x, where
//                             r = k C(k-1, q) (d/T)^q (1 - d/T)^(k-1-q): a burst begins while
//                             exactly q go on, and all last until one of these ends
//   (6) jittered, aligned     (1) with B = T P(binomial(k, d/T) > q), the mean over the phases
//   (7) beside a straggler    one node does its work at speed s, so that the others wait for
//                             w = tau (1/s - 1) at every meeting. Noise that is shorter hides there:
//                             (4) with tau/s for tau on that node, and for each of the others
//                             p(x, y) = sum over L_j > x + w of
//                                       (tau + min(y + w, L_j - x - w))/T
//                             Aligned, the slow node stalls with all others and nothing hides: (1)
//                             and (6) keep their ratio to the time of a step.
//
// Sources. Noise that a barrier amplifies: Petrini, Kerbyson, Pakin, "The case of the missing
// supercomputer performance", SC 2003 (ASCI Q); Hoefler, Schneider, Lumsdaine, "Characterizing the
// influence of system noise on large-scale applications by simulation", SC 2010. They state the
// effect; the forms above follow from the model by the arguments given here.
//
// Which to take. (2) and (3) are exact for one step, and too high for a job unless tau is many d or
// N (tau + d)/T is more than about 3: by d/(2 tau) for few nodes, which is 5% for tau = 10 d and
// 1250% for tau = d/25. So tau -> tau/m for a step of m synchronisations is safe in (4) only.
// (4) forgets which nodes have just stalled: an error of about d/(2T) for one node, where (1) is
// exact. All of (2) to (5) need at least tau + d between two stalls of a node; with less, a node
// that stalls twice in a step makes them too low. By arrangement:
//
//   (4) together, queued   a stall a period: twice only if tau + k d > T, which scenarios may not say.
//                          Few nodes with stalls of L: too low by about L/(2T) (9% for 1 s of 6 s)
//   (5) with q = 0         phases are anywhere: N C(k, 2) ((tau + d)/T)^2 nodes have two bursts in a
//                          meeting. That number, over min(1, N k (tau + d)/T), is about the share by
//                          which (5) is too low, while small: 0.012 nodes 1.5%, 0.093 nodes 8%,
//                          0.37 nodes 24%. Steps that are mostly noise: by three quarters
//   (5) with q > 0         the same, with r^2/2 for C(k, 2); and where k d/T is not small, a stall
//                          goes on with another burst (4% for q = 2, k d/T = 0.18)
//   (7)                    with tau/s for tau on the slow node; jittered, two bursts of another node
//                          can outlast the wait for it though each alone hides (3% at N = 2,048)
//
// What follows for the advice to jitter the start of agents.
//
//   right   for whoever collects: aligned, N bursts report at once; jittered, N d/T on average.
//   right   inside a node that has cores to spare, c <= S < k c: together they stall it,
//           jittered seldom. (One queue never does.)
//   wrong   across the nodes of a gang: once N (tau + d)/T is more than 1, most steps wait for a
//           burst somewhere, in the end d for each step instead of d for each T: (T - d)/tau times
//           worse. Aligning never loses for the gang. So: collect by the wall clock, and jitter
//           only what is sent.
//   wrong   inside a node without cores to spare: k bursts, each alone, stall it k times.
//
// Worked example, by hand. T = 10 s, tau = 1 s, d = 1 s.
//   (1)  1 x 1/9 = 0.111111 s
//   (2)  N = 1: 1 - 5 (0.81 - 0.64) = 0.15 s;  N = 2: 1 - (10/3)(0.729 - 0.512) = 0.276667 s
//   (3)  N = 1, stalls of 1 s and 2 s: each adds L (tau + L/2)/T: 0.15 + 0.4 = 0.55 s
//   (4)  N = 1: G'(x) = -G(d - x)/T, G(d) = tau/T; solved by cosine and sine of x/T:
//        tau ((1 + sin(d/T))/cos(d/T) - 1) = 1.0998334/0.9950042 - 1 = 0.105356 s
//   (5)  k = 2, c = S = 1: r = 2 x 0.1 = 0.2 a period, of mean d/2: about 0.02 x 1/2 = 0.01 s
//   (6)  the same: B = 10 x 0.1^2 = 0.1 s, 0.1/9.9 = 0.010101 s
//   (7)  s = 0.5: w = 1 s, no stall is longer. A thousand nodes cost what the slow one costs alone,
//        (4) with tau = 2 s: 2 ((1 + sin 0.1)/cos 0.1 - 1) = 0.210711 s a meeting, 0.105356 of it
//   five nodes are where N (tau + d)/T = 1
//
// Units: durations in, seconds or ratios out. A delay is per synchronisation. A gang that never
// gets to work has an infinite delay. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/time.h"
#include "models/detectors/monitoring_config.h"

namespace faultline::noise {

// One task of a node with a known phase.
struct Burst {
  Duration phase;          // of its start, 0 or more; taken modulo the period
  Duration length = 1_ms;  // more than 0, at most the period
  std::int64_t cores = 1;  // 1 or more
};

// The stalls of one node in a period, each by its length, in the order of their starts: when the
// bursts need more than `spare_cores`. One that crosses the end of the period is one stall.
std::vector<Duration> stalls(Duration period, std::int64_t spare_cores,
                             const std::vector<Burst>& bursts);

// `work` = tau, more than 0; `nodes` 1 or more. (1):
double aligned_delay_seconds(Duration work, Duration period, Duration stalled);
// (2) and (3), of one step that begins at a random time:
double independent_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                                 Duration stall);
double independent_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                                 const std::vector<Duration>& stalls);
// (4), of the steps of a job; solved on 200 points (a millisecond; to 1e-4, or to 1/200 of the
// longest where lengths differ):
double long_run_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                              const std::vector<Duration>& stalls);

// Alike tasks, on every node.
struct Monitoring {
  std::int64_t tasks = 1;        // k, 1 or more
  Duration period = 1_min;       // T
  Duration burst = 1_ms;         // d, of one task; k d < T
  std::int64_t cores = 1;        // c, of one task; 1 or more
  std::int64_t spare_cores = 0;  // S
};

Monitoring monitoring_of(const MonitoringConfig& config, std::int64_t spare_cores);

struct SynchronisedGang {
  std::int64_t nodes = 1;     // N
  Duration step = 1_s;        // work of a step, more than 0
  std::int64_t meetings = 1;  // synchronisations in a step: tau = step / meetings
  double slowest = 1;         // speed of one node, of the others' 1; more than 0, at most 1
};

// Time lost to noise over the time of a step without it, in the long run, by (1) or (4) to (7): 0.1
// makes steps that are 10% longer.
double noise_slowdown(const SynchronisedGang& gang, const Monitoring& monitoring, InsideNode inside,
                      AcrossNodes across);

struct NoiseArrangement {
  InsideNode inside = InsideNode::kTogether;
  AcrossNodes across = AcrossNodes::kAligned;
  double slowdown = 0;
  // Bursts that go on at one time on all nodes, as the collector feels them: the most of any
  // moment if aligned (jittered inside: at least), the mean if independent.
  double at_once = 0;
};

// All six, in the order of the enumerations, so that an advice can be given with its price.
std::array<NoiseArrangement, 6> compare_arrangements(const SynchronisedGang& gang,
                                                     const Monitoring& monitoring);

// T / (tau + d): the number of nodes from which on most steps wait for somebody's burst.
double saturating_nodes(Duration work, Duration period, Duration stall);

}  // namespace faultline::noise
