// The numbers of scenarios with a repair shop, a gang, or work that comes to an end. They stand after
// the metrics of every scenario, and only where the scenario can say something about them. What each is
// stands in metric_help.cc.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/happenings.h"
#include "sim/engine/plan.h"

namespace faultline {

class ShopMetrics {
 public:
  static std::vector<std::string_view> names(const SimulationPlan& plan);

  explicit ShopMetrics(const SimulationPlan& plan);

  void begin() { *this = ShopMetrics(jobs_, completes_, gangs_, shop_); }
  void take(const NodeDrained&) { ++to_shop_; }
  void take(const RepairStageEnded& ended);
  void take(const HostsSelected&) { ++selections_; }
  void take(const NodePreempted&) { ++preemptions_; }
  void take(const JobCompleted&, SimTime now) {
    ++completed_;
    last_completion_ = now;
  }
  // In the order of the names.
  void write(double* values) const;

 private:
  ShopMetrics(std::size_t jobs, bool completes, bool gangs, bool shop)
      : jobs_(jobs), completes_(completes), gangs_(gangs), shop_(shop) {}

  std::size_t jobs_;
  bool completes_;
  bool gangs_;
  bool shop_;
  std::uint64_t completed_ = 0;
  SimTime last_completion_;
  std::uint64_t selections_ = 0;
  std::uint64_t preemptions_ = 0;
  std::uint64_t to_shop_ = 0;
  std::uint64_t automatic_ = 0;
  std::uint64_t manual_ = 0;
  std::uint64_t mended_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t retired_ = 0;
};

}  // namespace faultline
