// The observed cluster against a recount after every change.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "models/observed/cluster.h"

namespace faultline {
namespace {

// Steps of 0.7 s: transition times are in whole seconds.
SimTime at(std::int64_t step) { return SimTime::at(Duration::nanoseconds(step * 700'000'000)); }

RC_GTEST_PROP(ObservedCluster, SuspectsEqualARecount, ()) {
  constexpr int kSlots = 6;
  std::vector<PoolId> pool_of;
  for (int slot = 0; slot < kSlots; ++slot) pool_of.emplace_back(slot % 2);
  observed::Cluster cluster({"a", "b"}, pool_of, {"Ready", "Gpu", "Absent"}, {true, true, false});

  struct Model {
    std::map<std::uint32_t, ConditionStatus> status{
        {0, ConditionStatus::kTrue}, {1, ConditionStatus::kTrue}, {2, ConditionStatus::kAbsent}};
    std::map<std::uint32_t, SimTime> since{{0, at(0)}, {1, at(0)}, {2, at(0)}};
  };
  std::map<NodeId, Model> nodes;
  const auto start = [&] {
    nodes.clear();
    for (int slot = 0; slot < kSlots; ++slot) nodes[{NodeSlot(slot), 0}] = {};
  };
  start();
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 1; step <= steps; ++step) {
    auto chosen = nodes.begin();
    std::advance(chosen, *rc::gen::inRange<std::size_t>(0, nodes.size()));
    const NodeId id = chosen->first;
    switch (*rc::gen::inRange(0, 8)) {
      case 0: {  // the next generation registers, if its place is free
        const NodeId next{id.slot, id.generation + 1};
        const bool free = !nodes.contains(next) &&
                          (id.generation == 0 || !nodes.contains({id.slot, id.generation - 1}));
        if (!free) break;
        cluster.add_node(next, at(step));
        nodes[next].status[0] = ConditionStatus::kFalse;
        nodes[next].since = {{0, observed::whole_seconds(at(step))},
                             {1, cluster.node(next).conditions[1].last_transition},
                             {2, cluster.node(next).conditions[2].last_transition}};
        break;
      }
      case 1:
        if (nodes.size() > 1) {
          cluster.remove_node(id);
          nodes.erase(id);
        }
        break;
      case 2:
        if (*rc::gen::inRange(0, 10) == 0) {
          cluster.reset();
          start();
        }
        break;
      default: {
        const auto type = static_cast<std::uint32_t>(*rc::gen::inRange(0, 2));
        const auto status = *rc::gen::element(ConditionStatus::kTrue, ConditionStatus::kFalse,
                                              ConditionStatus::kUnknown);
        Model& model = nodes[id];
        const bool changes = model.status[type] != status;
        RC_ASSERT(cluster.set_condition(id, ConditionId(type), status, ReasonId(7), at(step)) ==
                  changes);
        if (changes) model.since[type] = observed::whole_seconds(at(step));
        model.status[type] = status;
      }
    }
    for (int pool = 0; pool < 2; ++pool) {
      std::set<NodeId> expected;
      std::int64_t exist = 0;
      for (const auto& [node, model] : nodes) {
        if (pool_of[node.slot.index()] != PoolId(pool)) continue;
        ++exist;
        bool bad = false;
        for (const auto& [type, status] : model.status) {
          bad = bad || observed::is_bad(status);
          RC_ASSERT(cluster.node(node).conditions[type].status == status);
          RC_ASSERT(cluster.node(node).conditions[type].last_transition == model.since.at(type));
        }
        if (bad) expected.insert(node);
      }
      const observed::Pool& counted = cluster.pool(PoolId(pool));
      RC_ASSERT(counted.nodes == exist);
      RC_ASSERT(counted.suspects.size() == expected.size());
      RC_ASSERT(std::set<NodeId>(counted.suspects.begin(), counted.suspects.end()) == expected);
    }
  }
}

}  // namespace
}  // namespace faultline
