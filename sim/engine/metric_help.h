// What each metric means, in a sentence: for `faultline list metrics` and `faultline explain METRIC`.
//
// Names and units are those of the design, after Prometheus: `_ratio` is a share of 1, `_seconds` are
// seconds, `_total` counts in one run. A family has a member per value of its label:
// `interruptions_total{class="gpu-hbm"}`. Every value is of one replication; a report gives the mean over
// replications.
//
// Thread rule: immutable.
#pragma once

#include <span>
#include <string_view>

namespace faultline {

struct MetricHelp {
  std::string_view name;   // "lost_ratio"
  std::string_view label;  // of a family: "cause"; empty: none, or some members have one
  std::string_view text;
};

// In the order of metric_names.h, every name once.
std::span<const MetricHelp> metric_helps();

// "ettr_ratio" without its unit: "ettr".
std::string_view without_unit(std::string_view name);

}  // namespace faultline
