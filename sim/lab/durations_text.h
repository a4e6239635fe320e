// What replications add to the pooled durations, as text for a result store.
//
// The reports of `run` need more than the metrics: histograms of repair phases, of detection, of stalls. They are
// sums of whole numbers, so the sum of what single replications added is, in any order and over any partition,
// what one process would have pooled, to the last bit.
//
// The text is a JSON object with three flat arrays of whole numbers, and says only what is not zero:
//
//   buckets   5 numbers for each bucket with something in it: histogram, bucket, count, least [ns],
//             greatest - least [ns]. Histograms are numbered in the order of `PooledDurations`:
//             detections, by channel, by class, phases of a repair, stalls by class
//   stalls    4 for each class with stalls: class, count, seconds and nanoseconds lost
//   savings   7 for each limit of `kStallLimits` that saves something: limit, seconds and nanoseconds
//             saved, seconds and nanoseconds regained, shortened, cut
//
// Worked by hand: a histogram of 1 s and 1.5 ms. A bucket is a millisecond wide up to 64 ms, so 1.5 ms is in
// bucket 1; 1000 ms has 10 bits, shift 4: bucket 5 x 32 + 62 - 32 = 190. As the only histogram:
//   {"buckets":[0,1,1,1500000,0,0,190,1,1000000000,0],"stalls":[],"savings":[]}
//
// The format belongs to the schema of the result store (store/result_schema.cc): who changes one raises the other.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "sim/engine/metrics.h"

namespace faultline {

std::string durations_to_text(const PooledDurations& durations);

// Adds what a text says. False if it is damaged, or of another plan; `into` is then good for nothing.
bool add_durations(PooledDurations& into, std::string_view text);

// Adds `from` to `into` and empties it; costs only the histograms that have something.
void move_durations(PooledDurations& from, PooledDurations& into);

}  // namespace faultline
