#include "models/detectors/contract.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

ChannelId channel_id(const DetectorsConfig& config, const std::string& name) {
  const auto found =
      std::find_if(config.channels.begin(), config.channels.end(),
                   [&](const ChannelConfig& channel) { return channel.name == name; });
  FAULTLINE_CHECK(found != config.channels.end(), "no channel `{}`", name);
  return ChannelId(static_cast<std::size_t>(found - config.channels.begin()));
}

}  // namespace

Contract::Contract(const DetectorsConfig& config, const std::vector<std::int64_t>& xids) {
  const auto add = [&](Reason reason, const std::string& condition_name) {
    reason.condition = condition(condition_name);
    const std::string& monitor = config.channels[reason.channel.index()].monitor;
    reason.published = !contains(config.disabled_monitors, monitor);
    if (reason.published) published_[reason.condition.index()] = true;
    reasons_.push_back(std::move(reason));
    return ReasonId(reasons_.size() - 1);
  };
  for (const ReasonConfig& reason : config.reasons) {
    const ReasonId id = add({.name = reason.name,
                             .severity = reason.severity,
                             .channel = channel_id(config, reason.channel),
                             .occurrences = reason.occurrences,
                             .coverage = reason.coverage},
                            reason.condition);
    const auto& by = config.channels[reasons_[id.index()].channel.index()].by;
    if (reasons_[id.index()].published && std::holds_alternative<StatusCheckChannel>(by)) {
      status_check_ = id;
    }
  }
  for (const std::int64_t code : xids) {
    const bool fatal = contains(config.xids.fatal, code);
    xids_.emplace_back(code,
                       add({.name = fmt::format("NvidiaXID{}{}", code, fatal ? "Error" : "Warning"),
                            .severity = fatal ? Severity::kFatal : Severity::kWarning,
                            .channel = channel_id(config, config.xids.channel),
                            .coverage = config.xids.coverage},
                           config.xids.condition));
  }
}

ConditionId Contract::condition(const std::string& name) {
  const auto found = std::find(conditions_.begin(), conditions_.end(), name);
  if (found != conditions_.end()) {
    return ConditionId(static_cast<std::size_t>(found - conditions_.begin()));
  }
  conditions_.push_back(name);
  published_.push_back(false);
  return ConditionId(conditions_.size() - 1);
}

std::optional<ReasonId> Contract::find(std::string_view name) const {
  const auto found = std::find_if(reasons_.begin(), reasons_.end(),
                                  [&](const Reason& reason) { return reason.name == name; });
  if (found == reasons_.end()) return std::nullopt;
  return ReasonId(static_cast<std::size_t>(found - reasons_.begin()));
}

ReasonId Contract::xid(std::int64_t code) const {
  const auto found = std::find_if(xids_.begin(), xids_.end(),
                                  [&](const auto& entry) { return entry.first == code; });
  FAULTLINE_CHECK(found != xids_.end(), "Xid {} was not declared", code);
  return found->second;
}

}  // namespace faultline
