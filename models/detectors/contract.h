// The reason-code contract, compiled: which reason means which condition, how severe it is, and
// through which channel the agent sees it.
//
//   reason -> (condition, severity, channel);  Xid c -> NvidiaXID<c>Error if listed as fatal, otherwise
//   NvidiaXID<c>Warning;  a silent kubelet -> NodeStatusUnknown, by the lease channel.
//
// A fatal reason sets its condition to False (the lease channel: Ready to Unknown); a warning is an
// event and nothing else. A host that is gone (a crash that the lease shows) fails the provider's status
// check too: the reason of the `!status_check` channel. A reason whose monitor is disabled is not published at all, and a
// condition all of whose monitors are disabled is absent.
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/ids.h"
#include "models/detectors/detectors_config.h"

namespace faultline {

inline constexpr std::string_view kHeartbeatReason = "NodeStatusUnknown";

struct Reason {
  std::string name;
  ConditionId condition{};
  Severity severity = Severity::kWarning;
  ChannelId channel{};
  std::int64_t occurrences = 1;
  double coverage = 1;
  bool published = true;  // its monitor is enabled
};

class Contract {
 public:
  // The config is checked by the scenario: every name that it refers to exists. `xids`: the codes
  // that the failure catalogue can raise.
  Contract(const DetectorsConfig& config, const std::vector<std::int64_t>& xids);

  const std::vector<std::string>& conditions() const { return conditions_; }
  // For each condition: whether an enabled monitor publishes it. Ready always is.
  const std::vector<bool>& published() const { return published_; }
  const std::vector<Reason>& reasons() const { return reasons_; }
  const Reason& reason(ReasonId id) const { return reasons_[id.index()]; }

  std::optional<ReasonId> find(std::string_view name) const;
  // The reason of the status check, if there is one and its monitor is enabled.
  std::optional<ReasonId> status_check() const { return status_check_; }
  ReasonId xid(std::int64_t code) const;

 private:
  ConditionId condition(const std::string& name);

  std::vector<std::string> conditions_{"Ready"};
  std::vector<bool> published_{true};
  std::vector<Reason> reasons_;
  std::vector<std::pair<std::int64_t, ReasonId>> xids_;
  std::optional<ReasonId> status_check_;
};

}  // namespace faultline
