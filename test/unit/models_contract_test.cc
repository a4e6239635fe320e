// The reason-code contract: names, severities, conditions, disabled monitors.
#include <gtest/gtest.h>

#include "models/detectors/contract.h"

namespace faultline {
namespace {

DetectorsConfig agent() {
  DetectorsConfig config;
  config.channels = {{.name = "push", .monitor = "gpu", .by = PushChannel{}},
                     {.name = "log", .monitor = "kernel", .by = LogChannel{}},
                     {.name = "lease", .monitor = "kubelet", .by = LeaseChannel{}}};
  config.xids = {.fatal = {79}, .condition = "Accelerated", .channel = "push", .coverage = 0.9};
  config.reasons = {
      {.name = "Fork", .condition = "Kernel", .severity = Severity::kFatal, .channel = "log"},
      {.name = "NodeStatusUnknown",
       .condition = "Ready",
       .severity = Severity::kFatal,
       .channel = "lease"}};
  return config;
}

TEST(Contract, ReadyIsTheFirstConditionAndAlwaysPublished) {
  const DetectorsConfig config = agent();
  const Contract contract(config, {79, 43});
  EXPECT_EQ(contract.conditions(), (std::vector<std::string>{"Ready", "Kernel", "Accelerated"}));
  EXPECT_EQ(contract.published(), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(contract.reason(*contract.find("NodeStatusUnknown")).condition, ConditionId(0));
}

TEST(Contract, XidsMakeReasonsOfTheirOwn) {
  const DetectorsConfig config = agent();
  const Contract contract(config, {43, 79});
  const Reason& fatal = contract.reason(contract.xid(79));
  EXPECT_EQ(fatal.name, "NvidiaXID79Error");
  EXPECT_EQ(fatal.severity, Severity::kFatal);
  EXPECT_EQ(fatal.coverage, 0.9);
  EXPECT_EQ(contract.conditions()[fatal.condition.index()], "Accelerated");
  const Reason& warning = contract.reason(contract.xid(43));
  EXPECT_EQ(warning.name, "NvidiaXID43Warning");
  EXPECT_EQ(warning.severity, Severity::kWarning);
  EXPECT_EQ(contract.find("NvidiaXID79Error"), contract.xid(79));
}

TEST(Contract, ConditionOfADisabledMonitorIsAbsent) {
  DetectorsConfig config = agent();
  config.disabled_monitors = {"gpu"};
  const Contract contract(config, {79});
  EXPECT_EQ(contract.published(), (std::vector<bool>{true, true, false}));
  EXPECT_FALSE(contract.reason(contract.xid(79)).published);
  EXPECT_TRUE(contract.reason(*contract.find("Fork")).published);
}

// A condition that two monitors feed is there as long as one of them runs; Ready is always there.
TEST(Contract, OneEnabledMonitorIsEnough) {
  DetectorsConfig config = agent();
  config.reasons[0].condition = "Accelerated";
  config.disabled_monitors = {"gpu", "kubelet"};
  const Contract contract(config, {79});
  EXPECT_EQ(contract.conditions(), (std::vector<std::string>{"Ready", "Accelerated"}));
  EXPECT_EQ(contract.published(), (std::vector<bool>{true, true}));
}

TEST(Contract, UnknownReason) {
  const DetectorsConfig config = agent();
  EXPECT_FALSE(Contract(config, {}).find("Nothing").has_value());
}

}  // namespace
}  // namespace faultline
