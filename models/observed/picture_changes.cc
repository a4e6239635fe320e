// What each change does to the picture.

#include <algorithm>

#include "models/base/check.h"
#include "models/observed/picture.h"

namespace faultline::observed {

struct ApplyChange {
  Picture& picture;
  SimTime now;

  Node& existing(NodeKey key) const {
    Node& node = picture.nodes_.touch(key.index());
    FAULTLINE_CHECK_AT(now, node.exists, "node {} is gone", key.value());
    return node;
  }
  Pool& pool_of(const Node& node) const { return picture.pools_[node.pool.index()]; }

  // After a condition of the node has changed, or the node has come or goes (`exists` is not looked at).
  void count_matches(Node& node, bool there) const {
    std::uint32_t matches = 0;
    if (there && node.bad_conditions > 0) {
      for (const Picture::Counter& counter : picture.counters_) {
        const bool any = std::any_of(
            counter.matches.begin(), counter.matches.end(),
            [&](const ConditionMatch& m) { return m.matches(node.condition(m.type).status); });
        matches |= std::uint32_t{any} << counter.number;
      }
    }
    if (matches == node.matches) return;
    Pool& pool = pool_of(node);
    for (const Picture::Counter& counter : picture.counters_) {
      pool.matching[counter.number] +=
          static_cast<std::int64_t>((matches >> counter.number) & 1U) -
          static_cast<std::int64_t>((node.matches >> counter.number) & 1U);
    }
    node.matches = matches;
  }

  bool set_status(Node& node, ConditionId type, ConditionStatus status) const {
    Condition& condition = node.conditions[type.index()];
    if (condition.status == status) return false;
    if (is_bad(condition.status)) --node.bad_conditions;
    if (is_bad(status)) ++node.bad_conditions;
    condition.status = status;
    condition.last_transition = whole_seconds(now);
    return true;
  }

  // A pod's share of its budget, before and after it changes.
  bool unavailable(const Pod& pod) const {
    return !pod.node.valid() || !pod.deletion.is_never() || !pod.page.since.is_never();
  }
  template <class Edit>
  void edit_pod(PodKey key, Edit edit) const {
    Pod& pod = picture.pods_.touch(key.index());
    const bool before = unavailable(pod);
    edit(pod);
    const BudgetKey budget = picture.owner_of(key).budget;
    if (!budget.valid()) return;
    picture.budgets_[budget.index()].unavailable +=
        std::int64_t{unavailable(pod)} - std::int64_t{before};
  }
  void unbind(PodKey key, Pod& pod) const {
    if (!pod.node.valid()) return;
    auto& pods = picture.nodes_.touch(pod.node.index()).pods;
    pods.erase(std::find(pods.begin(), pods.end(), key));
    pod.node = NodeKey();
  }
  void bind(PodKey key, Pod& pod, NodeKey node) const {
    pod.node = node;
    if (node.valid()) existing(node).pods.push_back(key);
  }

  // --- nodes
  bool operator()(const NodeAdded& added) const {
    Node node = picture.new_node_;
    node.pool = added.pool;
    node.labels = added.labels;
    node.machine = added.machine;
    node.created = now;
    for (Condition& condition : node.conditions) condition.last_transition = whole_seconds(now);
    set_status(node, kReady, ConditionStatus::kFalse);
    picture.nodes_.add(node);
    const NodeKey key(picture.nodes_.size() - 1);
    count_matches(picture.nodes_.touch(key.index()), true);
    ++picture.pools_[added.pool.index()].nodes;
    if (added.machine.valid()) picture.machines_.touch(added.machine.index()).node = key;
    if (!added.name.empty()) {
      picture.names_.emplace(key, added.name);
      picture.by_name_.insert_or_assign(added.name, key);
    }
    return true;
  }
  bool operator()(const ConditionSet& set) const {
    Node& node = existing(set.node);
    node.conditions[set.type.index()].reason = set.reason;
    if (!set_status(node, set.type, set.status)) return false;
    count_matches(node, true);
    return true;
  }
  bool operator()(const TaintAdded& added) const {
    Node& node = existing(added.node);
    if (node.taint(added.name) != nullptr) return false;
    node.taints.push_back({.name = added.name, .effect = added.effect, .added = now});
    return true;
  }
  bool operator()(const TaintRemoved& removed) const {
    auto& taints = existing(removed.node).taints;
    const auto found = std::find_if(taints.begin(), taints.end(),
                                    [&](const Taint& t) { return t.name == removed.name; });
    if (found == taints.end()) return false;
    taints.erase(found);
    return true;
  }
  bool operator()(const CordonSet& set) const {
    return std::exchange(existing(set.node).cordoned, set.cordoned) != set.cordoned;
  }
  bool operator()(const MaintenanceSet& set) const {
    Node& node = existing(set.node);
    return std::exchange(node.in_maintenance, set.in_maintenance) != set.in_maintenance;
  }
  bool operator()(const NodeDeleted& deleted) const {
    Node& node = existing(deleted.node);
    // A second deletion only brings the end of patience nearer.
    const SimTime by = std::min(node.terminate_by, deleted.terminate_by);
    const bool changes = node.deleted.is_never() || by != node.terminate_by;
    node.deleted = std::min(node.deleted, now);
    node.terminate_by = by;
    if (node.machine.valid()) (*this)(MachineDeleted{node.machine});
    return changes;
  }
  bool operator()(const NodeDrained& drained) const {
    return !std::exchange(existing(drained.node).drained, true);
  }
  bool operator()(const NodeGone& gone) const {
    Node& node = existing(gone.node);
    count_matches(node, false);
    while (!node.pods.empty()) (*this)(PodGone{node.pods.back()});
    node.exists = false;
    --pool_of(node).nodes;
    return true;
  }

  // --- machines
  bool operator()(const MachineAdded& added) const {
    const MachineKey key(picture.machines_.size());
    picture.machines_.add({.pool = added.pool, .node = {}, .replaces = added.replaces});
    if (added.replaces.valid()) picture.machines_.touch(added.replaces.index()).successor = key;
    return true;
  }
  bool operator()(const MachineLaunched& launched) const {
    picture.machines_.touch(launched.machine.index()).launched = now;
    return true;
  }
  bool operator()(const MachineDeleted& deleted) const {
    Machine& machine = picture.machines_.touch(deleted.machine.index());
    if (!machine.deleted.is_never()) return false;
    machine.deleted = now;
    return true;
  }

  // --- pods
  bool operator()(const PodAdded& added) const {
    picture.pods_.add(Pod{});
    picture.owner_of_pod_.push_back(added.owner);
    const PodKey key(picture.pods_.size() - 1);
    if (const BudgetKey budget = picture.owner_of(key).budget; budget.valid()) {
      ++picture.budgets_[budget.index()].unavailable;
    }
    edit_pod(key, [&](Pod& pod) { bind(key, pod, added.node); });
    return true;
  }
  bool operator()(const PodBound& bound) const {
    edit_pod(bound.pod, [&](Pod& pod) {
      unbind(bound.pod, pod);
      pod.deletion = SimTime::never();
      bind(bound.pod, pod, bound.node);
    });
    return true;
  }
  bool operator()(const PodPaged& paged) const {
    edit_pod(paged.pod, [&](Pod& pod) { pod.page = paged.page; });
    return true;
  }
  bool operator()(const PodDeleted& deleted) const {
    const SimTime before = picture.pod(deleted.pod).deletion;
    if (before <= deleted.deletion && !before.is_never()) return false;
    edit_pod(deleted.pod, [&](Pod& pod) { pod.deletion = deleted.deletion; });
    return true;
  }
  bool operator()(const PodGone& gone) const {
    edit_pod(gone.pod, [&](Pod& pod) {
      unbind(gone.pod, pod);
      pod.deletion = SimTime::never();
      pod.page = Page{};
    });
    return true;
  }

  // --- devices
  bool operator()(const DeviceAdded& added) const {
    picture.devices_.add({.name = added.name, .node = added.node, .taints = {}, .held_by = {}});
    return true;
  }
  bool operator()(const DeviceHealthSet& set) const {
    return std::exchange(picture.devices_.touch(set.device.index()).health, set.health) !=
           set.health;
  }
  bool operator()(const DeviceTainted& tainted) const {
    picture.devices_.touch(tainted.device.index())
        .taints.push_back({.name = tainted.name, .effect = tainted.effect, .added = now});
    return true;
  }
  bool operator()(const DeviceUntainted& untainted) const {
    return std::erase_if(picture.devices_.touch(untainted.device.index()).taints,
                         [&](const Taint& t) { return t.name == untainted.name; }) > 0;
  }
  bool operator()(const ClaimAdded& added) const {
    picture.claims_.add({.name = added.name, .pod = added.pod, .tolerates = added.tolerates});
    return true;
  }
  bool operator()(const ClaimAllocated& allocated) const {
    picture.devices_.touch(allocated.device.index()).held_by = allocated.claim;
    return true;
  }
};

template <class What>
bool Picture::apply(const What& change, SimTime now) {
  return ApplyChange{*this, now}(change);
}

#define FAULTLINE_CHANGE(What) template bool Picture::apply(const What&, SimTime);
FAULTLINE_CHANGE(NodeAdded)
FAULTLINE_CHANGE(ConditionSet)
FAULTLINE_CHANGE(TaintAdded)
FAULTLINE_CHANGE(TaintRemoved)
FAULTLINE_CHANGE(CordonSet)
FAULTLINE_CHANGE(MaintenanceSet)
FAULTLINE_CHANGE(NodeDeleted)
FAULTLINE_CHANGE(NodeDrained)
FAULTLINE_CHANGE(NodeGone)
FAULTLINE_CHANGE(MachineAdded)
FAULTLINE_CHANGE(MachineLaunched)
FAULTLINE_CHANGE(MachineDeleted)
FAULTLINE_CHANGE(PodAdded)
FAULTLINE_CHANGE(PodBound)
FAULTLINE_CHANGE(PodPaged)
FAULTLINE_CHANGE(PodDeleted)
FAULTLINE_CHANGE(PodGone)
FAULTLINE_CHANGE(DeviceAdded)
FAULTLINE_CHANGE(DeviceHealthSet)
FAULTLINE_CHANGE(DeviceTainted)
FAULTLINE_CHANGE(DeviceUntainted)
FAULTLINE_CHANGE(ClaimAdded)
FAULTLINE_CHANGE(ClaimAllocated)
#undef FAULTLINE_CHANGE

}  // namespace faultline::observed
