#include "models/capacity/capacity.h"

#include <algorithm>
#include <functional>

#include "models/base/check.h"

namespace faultline {
namespace {

// One draw number per generation and question; a launch may be refused often, so attempts count
// apart.
constexpr StreamId kLaunch("capacity/launch");
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

LaunchPlan Capacity::plan(NodeId node, SimTime from, MachineId machine) const {
  SimTime launched = from;
  if (config_.insufficient.probability > 0) {
    for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      const double u =
          random_->uniform(kRefused, node.slot.value(), node.generation * kMostAttempts + attempt);
      if (u >= config_.insufficient.probability) break;
      launched = launched + config_.insufficient.retry;
    }
  }
  const bool fixed = config_.launch.is_fixed() && config_.registration.is_fixed();
  const auto [u, v] = fixed ? TwoUniforms{.first = 0.5, .second = 0.5}
                            : random_->two_uniforms(kLaunch, node.slot.value(), node.generation);
  const SimTime registered = launched + config_.launch.sample(u);
  return {.launched = launched,
          .registered = registered,
          .joined = registered + config_.registration.sample(v),
          .machine = machine};
}

LaunchPlan Capacity::request(NodeId node, SimTime now) {
  if (!limited()) return plan(node, now);
  if (stock_ == 0) {
    waiting_.join(node);
    return {.launched = SimTime::never(),
            .registered = SimTime::never(),
            .joined = SimTime::never(),
            .machine = {}};
  }
  --stock_;
  if (!shop_) return plan(node, now);
  const MachineId machine = cold_.back();
  cold_.pop_back();
  return plan(node, now, machine);
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
  return {.node = node, .plan = plan(node, now, machine)};
}

}  // namespace faultline
