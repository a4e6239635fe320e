// From what a user calls a metric to its column.
//
//   ettr_ratio, ettr                 the unit suffix (_ratio, _total, _seconds) may be left out where one
//                                    metric alone is meant
//   lost_ratio{cause="redo"}         a member of a family; also lost{redo}, lost{cause=redo}, lost{"redo"}
//
// Errors: the sentence, and where in the reference it points to.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/engine/metrics.h"

namespace faultline {

struct MetricReferenceError {
  bool in_member = false;  // it is about the text between the braces
  std::string sentence;
};

// `name` stands before the braces, `member` between them (without braces); none: no braces.
tl::expected<std::size_t, MetricReferenceError> find_metric(std::string_view name,
                                                            const std::string_view* member,
                                                            const std::vector<MetricName>& metrics);

// The shortest way to write a metric that `find_metric` understands: "ettr", "lost{redo}".
std::string short_name(const MetricName& metric, const std::vector<MetricName>& metrics);

}  // namespace faultline
