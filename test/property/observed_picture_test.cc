// The picture against a plain model: random changes, and everything that it counts is counted again.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "models/observed/picture.h"

namespace faultline {
namespace {

using observed::NodeKey;
using observed::PodKey;

// Steps of 0.7 s: transition times are in whole seconds.
SimTime at(std::int64_t step) { return SimTime::at(Duration::nanoseconds(step * 700'000'000)); }

struct Model {
  struct Node {
    int pool = 0;
    bool exists = true;
    std::vector<ConditionStatus> status{ConditionStatus::kFalse, ConditionStatus::kTrue,
                                        ConditionStatus::kAbsent};
    std::vector<SimTime> since;
  };
  struct Pod {
    int node = -1;
    bool paged = false;
    bool deleted = false;
  };
  std::vector<Node> nodes;
  std::vector<Pod> pods;
};

constexpr int kNodesAtStart = 6;
constexpr int kPodsAtStart = 4;

// Ready False or Unknown; GPU False.
const std::vector<observed::ConditionMatch> kCounted{{.type = ConditionId(0), .if_unknown = true},
                                                     {.type = ConditionId(1)}};

bool counts(const Model::Node& node) {
  return observed::is_bad(node.status[0]) || node.status[1] == ConditionStatus::kFalse;
}

RC_GTEST_PROP(ObservedPicture, CountsEqualARecount, ()) {
  observed::Picture picture({"Ready", "Gpu", "Absent"}, {true, true, false});
  picture.add_counter(kCounted);
  picture.add_pool("a");
  picture.add_pool("b");
  const observed::OwnerKey owner =
      picture.add_owner({.name = "job", .budget = picture.add_budget("job", 1)});
  Model model;
  const auto add_node = [&](int pool, SimTime now) {
    picture.apply(observed::NodeAdded{.pool = PoolId(pool), .machine = {}, .labels = {}}, now);
    model.nodes.push_back(
        {.pool = pool, .since = std::vector<SimTime>(3, observed::whole_seconds(now))});
  };
  for (int n = 0; n < kNodesAtStart; ++n) add_node(n % 2, at(0));
  for (int p = 0; p < kPodsAtStart; ++p) {
    picture.apply(observed::PodAdded{.owner = owner, .node = NodeKey(p)}, at(0));
    model.pods.push_back({.node = p});
  }
  picture.remember();
  const Model start = model;

  const int steps = *rc::gen::inRange(1, 80);
  for (int step = 1; step <= steps; ++step) {
    const int n = *rc::gen::inRange<int>(0, static_cast<int>(model.nodes.size()));
    const int p = *rc::gen::inRange<int>(0, static_cast<int>(model.pods.size()));
    Model::Node& node = model.nodes[static_cast<std::size_t>(n)];
    Model::Pod& pod = model.pods[static_cast<std::size_t>(p)];
    switch (*rc::gen::inRange(0, 12)) {
      case 0: add_node(*rc::gen::inRange(0, 2), at(step)); break;
      case 1:
        if (!node.exists) break;
        picture.apply(observed::NodeGone{NodeKey(n)}, at(step));
        node.exists = false;
        for (Model::Pod& each : model.pods) {
          if (each.node == n) each = {};
        }
        break;
      case 2:
        if (*rc::gen::inRange(0, 10) != 0) break;
        picture.reset();
        model = start;
        break;
      case 3:
        if (!node.exists) break;
        picture.apply(observed::PodBound{.pod = PodKey(p), .node = NodeKey(n)}, at(step));
        pod.node = n;
        pod.deleted = false;
        break;
      case 4:
        picture.apply(observed::PodGone{PodKey(p)}, at(step));
        pod = {};
        break;
      case 5:
        picture.apply(observed::PodDeleted{.pod = PodKey(p), .deletion = at(step)}, at(step));
        pod.deleted = true;
        break;
      case 6:
        pod.paged = *rc::gen::arbitrary<bool>();
        picture.apply(
            observed::PodPaged{PodKey(p), {.since = pod.paged ? at(step) : SimTime::never()}},
            at(step));
        break;
      default: {
        if (!node.exists) break;
        const auto type = static_cast<std::size_t>(*rc::gen::inRange(0, 2));
        const auto status = *rc::gen::element(ConditionStatus::kTrue, ConditionStatus::kFalse,
                                              ConditionStatus::kUnknown);
        const bool changes = node.status[type] != status;
        RC_ASSERT(picture.apply(observed::ConditionSet{.node = NodeKey(n),
                                                       .type = ConditionId(type),
                                                       .status = status,
                                                       .reason = ReasonId(7)},
                                at(step)) == changes);
        if (changes) node.since[type] = observed::whole_seconds(at(step));
        node.status[type] = status;
      }
    }
    std::int64_t unavailable = 0;
    for (std::size_t i = 0; i < model.pods.size(); ++i) {
      const Model::Pod& each = model.pods[i];
      unavailable += each.node < 0 || each.paged || each.deleted ? 1 : 0;
      const NodeKey on = picture.pod(PodKey(i)).node;
      RC_ASSERT(on == (each.node < 0 ? NodeKey() : NodeKey(each.node)));
    }
    RC_ASSERT(picture.budget(observed::BudgetKey(0)).unavailable == unavailable);
    for (int pool = 0; pool < 2; ++pool) {
      std::int64_t exist = 0;
      std::int64_t matching = 0;
      for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const Model::Node& each = model.nodes[i];
        const observed::Node& seen = picture.node(NodeKey(i));
        RC_ASSERT(seen.exists == each.exists);
        if (!each.exists) continue;
        std::size_t pods = 0;
        for (const Model::Pod& one : model.pods) pods += one.node == static_cast<int>(i) ? 1U : 0U;
        RC_ASSERT(seen.pods.size() == pods);
        for (std::size_t c = 0; c < 3; ++c) {
          RC_ASSERT(seen.conditions[c].status == each.status[c]);
          RC_ASSERT(seen.conditions[c].last_transition == each.since[c]);
        }
        if (each.pool != pool) continue;
        ++exist;
        matching += counts(each) ? 1 : 0;
      }
      RC_ASSERT(picture.pool(PoolId(pool)).nodes == exist);
      RC_ASSERT(picture.pool(PoolId(pool)).matching[0] == matching);
    }
  }
}

}  // namespace
}  // namespace faultline
