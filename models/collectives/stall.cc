#include "models/collectives/stall.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr std::int64_t kAckUnit = 4096;  // ns

}  // namespace

Duration retry_budget(const IbRetry& retry) {
  FAULTLINE_CHECK(retry.timeout >= 0 && retry.timeout <= 31 && retry.retries >= 0,
                  "IB timeout {}, retries {}", retry.timeout, retry.retries);
  return Duration::nanoseconds(kAckUnit * (std::int64_t{1} << retry.timeout) * retry.retries);
}

LinkOutage link_outage(Duration length, std::optional<Duration> budget, Duration watchdog,
                       Duration enqueued_before) {
  const Duration error = budget.value_or(Duration::infinite());
  const Duration gives_up = std::max(Duration::zero(), watchdog - enqueued_before);
  if (length <= error && length <= gives_up) return {LinkOutage::End::kGoesOn, length};
  if (error <= gives_up) return {LinkOutage::End::kError, error};
  return {LinkOutage::End::kWatchdog, gives_up};
}

std::vector<Duration> watchdog_ends(std::span<const Duration> enqueued, Duration watchdog) {
  std::vector<Duration> ends;
  for (const Duration time : enqueued) ends.push_back(time + watchdog);
  return ends;
}

}  // namespace faultline
