#include "models/capacity/capacity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr StreamId kLaunch("capacity/launch");
constexpr StreamId kRelaunch("capacity/relaunch");
constexpr StreamId kRefused("capacity/refused");
constexpr StreamId kOldMachine("capacity/old-machine");
constexpr std::uint32_t kMostAttempts = 1U << 12;

}  // namespace

void Capacity::begin(const RandomSource& random) {
  random_ = &random;
  stock_ = config_.spares.count;
  cold_.clear();
  if (shop_) {
    shop_->begin(random);
    for (std::size_t m = machines(); m-- > slots_;) cold_.emplace_back(m);
  }
  waiting_.clear();
  returns_.clear();
}

LaunchPlan Capacity::plan(NodeId node, std::uint32_t timeouts, SimTime from,
                          MachineId machine) const {
  const std::uint32_t slot = node.slot.value();
  const std::uint32_t attempt = node.generation * kMostAttempts + timeouts;
  SimTime launched = from;
  const double p = config_.insufficient.probability;
  if (p >= 1) return {.machine = machine};
  if (p > 0) {
    // Refusals in a row are geometric: at least n of them with probability p^n.
    const double n = std::floor(std::log(random_->uniform(kRefused, slot, attempt)) / std::log(p));
    launched = from + config_.insufficient.retry *
                          static_cast<std::int64_t>(std::min<double>(n, kMostAttempts));
  }
  const bool fixed = config_.launch.is_fixed() && config_.registration.is_fixed();
  const auto [u, v] = fixed           ? TwoUniforms{.first = 0.5, .second = 0.5}
                      : timeouts == 0 ? random_->two_uniforms(kLaunch, slot, node.generation)
                                      : random_->two_uniforms(kRelaunch, slot, attempt);
  const SimTime registered = launched + config_.launch.sample(u);
  return {.launched = launched,
          .registered = registered,
          .joined = registered + config_.registration.sample(v),
          .machine = machine};
}

LaunchPlan Capacity::request(NodeId node, SimTime now) {
  if (!limited()) return plan(node, 0, now);
  if (stock_ == 0) {
    waiting_.join(node);
    return {};
  }
  --stock_;
  if (!shop_) return plan(node, 0, now);
  const MachineId machine = cold_.back();
  cold_.pop_back();
  return plan(node, 0, now, machine);
}

Duration Capacity::terminate(NodeId node) const {
  if (config_.terminate.is_fixed()) return config_.terminate.sample(0.5);
  return config_.terminate.sample(
      random_->two_uniforms(kOldMachine, node.slot.value(), node.generation).first);
}

void Capacity::machine_leaves(NodeId node, SimTime now) {
  const double u = random_->two_uniforms(kOldMachine, node.slot.value(), node.generation).second;
  const SimTime back = now + config_.returns_after.sample(u);
  const auto place = std::upper_bound(returns_.begin(), returns_.end(), back, std::greater<>());
  returns_.insert(place, back);
}

SimTime Capacity::next_return() const {
  return returns_.empty() ? SimTime::never() : returns_.back();
}

Capacity::Served Capacity::machine_returns(SimTime now) {
  FAULTLINE_CHECK_AT(now, next_return() <= now, "no machine is back yet");
  returns_.pop_back();
  return offer({}, now);
}

Capacity::Served Capacity::offer(MachineId machine, SimTime now) {
  if (waiting_.empty()) {
    ++stock_;
    if (shop_) cold_.push_back(machine);
    return {};
  }
  const NodeId node = waiting_.next();
  return {.node = node, .plan = plan(node, 0, now, machine)};
}

}  // namespace faultline
