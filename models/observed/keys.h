// What the objects of a picture are called: dense numbers, given in the order in which the objects were
// first seen, and never used twice within one picture.
//
// A key is not a place. A machine that is replaced is a new Node and a new NodeClaim with keys of their
// own, whatever slot of a simulated fleet or of a rack they stand in; who simulates keeps that
// correspondence for himself (sim/engine), who reads a recording keeps names (`Picture::find_node`).
//
// Thread rule: values; share freely.
#pragma once

#include "models/base/ids.h"

namespace faultline::observed {

using NodeKey = StrongId<struct NodeKeyTag>;  // a Node object
using MachineKey =
    StrongId<struct MachineKeyTag>;             // a NodeClaim, and the instance that it stands for
using PodKey = StrongId<struct PodKeyTag>;      // a pod; one made anew under the same name keeps it
using OwnerKey = StrongId<struct OwnerKeyTag>;  // what makes pods: a Job, a JobSet, a DaemonSet
using BudgetKey = StrongId<struct BudgetKeyTag>;  // a PodDisruptionBudget
using DeviceKey = StrongId<struct DeviceKeyTag>;  // a device of a ResourceSlice
using ClaimKey = StrongId<struct ClaimKeyTag>;    // a ResourceClaim
using LabelsKey = StrongId<struct LabelsKeyTag>;  // a set of labels that many nodes share
using TaintName = StrongId<struct TaintNameTag>;  // a taint's key, such as karpenter.sh/disrupted

// The taints that controllers of ours set and read; a picture knows them from the start, under these numbers.
inline constexpr TaintName kDisruptedTaint{0};    // karpenter.sh/disrupted
inline constexpr TaintName kUnreachableTaint{1};  // node.kubernetes.io/unreachable
inline constexpr TaintName kNotReadyTaint{2};     // node.kubernetes.io/not-ready

}  // namespace faultline::observed
