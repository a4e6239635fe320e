// What work asks about a node's conditions before it puts a pod there.
//
// Answered by the control room from its picture of the cluster; a test answers by itself.
//
// Thread rule: of one simulation.
#pragma once

#include "models/base/ids.h"
#include "models/base/time.h"

namespace faultline {

class NodeHealth {
 public:
  // Every condition of the node is True (or was never published).
  virtual bool healthy(NodeId node) const = 0;

 protected:
  ~NodeHealth() = default;
};

}  // namespace faultline
