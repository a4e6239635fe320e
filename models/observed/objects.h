// The objects of a picture, as an API server shows them: Kubernetes' nouns and nothing else.
//
// They are read through `Picture` and change by changes alone (changes.h). Times are instants of the
// clock of whoever feeds the picture; `never` says that something has not happened (a node that is not
// being deleted, a pod that has not failed), which is not the same as "now" or "at the start".
//
// Thread rule: values.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/time.h"
#include "models/observed/condition.h"
#include "models/observed/keys.h"

namespace faultline::observed {

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

// A node has at most one taint of a name and effect.
struct Taint {
  TaintName name;
  TaintEffect effect = TaintEffect::kNoSchedule;
  SimTime added;
};

// The lists are short, and stand in the node itself: a run allocates nothing for them.
struct Node {
  PoolId pool;
  LabelsKey labels;    // invalid: none
  MachineKey machine;  // invalid: nobody claims it (a node that no provisioner made)
  SimTime created;     // registered by its kubelet
  SimTime deleted = SimTime::never();  // metadata.deletionTimestamp: since then it is being deleted
  // Karpenter's karpenter.sh/nodeclaim-termination-timestamp: from then on its drain is forced. Never: the
  // drain is graceful and asks every pod's budget.
  SimTime terminate_by = SimTime::never();
  boost::container::small_vector<Condition, 8> conditions;  // by type
  boost::container::small_vector<Taint, 3> taints;
  boost::container::small_vector<PodKey, 2> pods;  // bound to it, until each is gone
  std::uint32_t matches = 0;  // by controller: whether a condition of it is of those that it counts
  std::uint16_t bad_conditions = 0;  // False or Unknown
  bool exists = true;
  bool cordoned = false;
  bool in_maintenance = false;  // somebody works on it
  bool drained = false;         // its pods are gone and its machine is to end

  const Condition& condition(ConditionId type) const { return conditions[type.index()]; }
  // Null: it has none of that name.
  const Taint* taint(TaintName name) const {
    for (const Taint& taint : taints) {
      if (taint.name == name) return &taint;
    }
    return nullptr;
  }
  // Whether somebody has decided about it already.
  bool under_repair() const { return !deleted.is_never() || in_maintenance; }
};

// A NodeClaim with its instance.
struct Machine {
  PoolId pool;
  NodeKey node;          // invalid: not registered yet
  MachineKey replaces;   // that it was made for; invalid: of the first ones
  MachineKey successor;  // made for this one's pods; invalid: none yet
  SimTime launched = SimTime::never();
  SimTime deleted = SimTime::never();
};

// A page: the pod's containers end and are started again without getting anywhere.
struct Page {
  SimTime since = SimTime::never();  // never: it runs
  // Where it was and the how-many-th of that place: the address of whatever is drawn about it, so that it
  // is the same under every policy.
  std::uint32_t place = 0;
  std::uint32_t episode = 0;
};

struct Pod {
  NodeKey node;                         // invalid: Pending
  SimTime deletion = SimTime::never();  // metadata.deletionTimestamp: when its grace is over
  Page page;
};

// What all pods of an owner have in common.
struct PodOwner {
  std::string name;
  Duration grace = 30_s;  // terminationGracePeriodSeconds
  std::int32_t priority = 0;
  // tolerationSeconds of node.kubernetes.io/unreachable and not-ready (NoExecute): infinite, it stays.
  Duration tolerates_unreachable = 300_s;
  Duration tolerates_not_ready = 300_s;
  BudgetKey budget;             // invalid: none
  bool do_not_disrupt = false;  // karpenter.sh/do-not-disrupt
  bool ignores_drain =
      false;  // tolerates karpenter.sh/disrupted, or is a static pod: no drain waits for it
};

// A PodDisruptionBudget as its status shows it.
struct Budget {
  std::string name;
  std::int64_t max_unavailable = 0;
  std::int64_t unavailable = 0;  // of its pods: pending, failing, or being deleted
};

struct Pool {
  std::string name;
  std::int64_t limit = -1;             // NodePool spec.limits in nodes; negative: none
  std::int64_t nodes = 0;              // Node objects
  std::vector<std::int64_t> matching;  // by controller: those with a condition that it counts
};

enum class DeviceHealth : std::uint8_t { kUnknown, kHealthy, kUnhealthy };

struct Device {
  std::string name;
  NodeKey node;
  DeviceHealth health = DeviceHealth::kUnknown;
  std::vector<Taint> taints;  // of the driver and of DeviceTaintRules
  ClaimKey held_by;           // invalid: free
};

// A ResourceClaim that one pod uses.
struct Claim {
  std::string name;
  PodKey pod;
  Duration tolerates = Duration::infinite();  // tolerationSeconds of its request for NoExecute
};

}  // namespace faultline::observed
