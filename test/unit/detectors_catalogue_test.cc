// models/detectors/eks-nma.yaml against the facts of the agent's source (commit 51af5494): which reasons are
// fatal, on which condition, and which Xids.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/detectors/contract.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

DetectorsConfig eks() { return project_scenario("small").detectors; }

TEST(EksCatalogue, FatalXids) {
  const std::vector<std::int64_t> expected{46,  48,  54,  62,  63,  64,  74,  79,  95,  109, 110,
                                           119, 120, 136, 140, 142, 143, 151, 155, 156, 158};
  EXPECT_EQ(eks().xids.fatal, expected);
  EXPECT_EQ(eks().xids.condition, "AcceleratedHardwareReady");
}

// The 21 fatal reasons of the agent are these and NvidiaXID<c>Error; NodeStatusUnknown is the kubelet's,
// InstanceStatusImpaired EC2's.
TEST(EksCatalogue, FatalReasonsAndTheirConditions) {
  const std::string gpu = "AcceleratedHardwareReady";
  const std::string network = "NetworkingReady";
  const std::map<std::string, std::string> expected{
      {"DCGMDiagnosticFailure", gpu},
      {"DCGMError", gpu},
      {"DCGMHealthCodeFatal", gpu},
      {"FabricManagerNotRunning", gpu},
      {"ForkFailedOutOfPIDs", "KernelReady"},
      {"IPAMDNotReady", network},
      {"IPAMDNotRunning", network},
      {"InstanceStatusImpaired", "InstanceStatus"},
      {"InterfaceNotRunning", network},
      {"InterfaceNotUp", network},
      {"MissingLoopbackInterface", network},
      {"NPANotRunning", network},
      {"NeuronDMAError", gpu},
      {"NeuronHBMUncorrectableError", gpu},
      {"NeuronNCUncorrectableError", gpu},
      {"NeuronSRAMUncorrectableError", gpu},
      {"NodeStatusUnknown", "Ready"},
      {"NvidiaDeviceCountMismatch", gpu},
      {"NvidiaDoubleBitError", gpu},
      {"NvidiaFabricError", gpu},
      {"NvidiaNVLinkError", gpu},
      {"PodStuckTerminating", "ContainerRuntimeReady"},
  };
  std::map<std::string, std::string> fatal;
  for (const ReasonConfig& reason : eks().reasons) {
    if (reason.severity == Severity::kFatal) fatal[reason.name] = reason.condition;
  }
  EXPECT_EQ(fatal, expected);
}

// No fatal reason can make StorageReady False.
TEST(EksCatalogue, StorageIsNeverRepaired) {
  for (const ReasonConfig& reason : eks().reasons) {
    EXPECT_FALSE(reason.condition == "StorageReady" && reason.severity == Severity::kFatal);
  }
}

// 76 reasons, two of which are the Xid families, the kubelet's and EC2's.
TEST(EksCatalogue, IsComplete) { EXPECT_EQ(eks().reasons.size(), 76U - 2U + 2U); }

}  // namespace
}  // namespace faultline
