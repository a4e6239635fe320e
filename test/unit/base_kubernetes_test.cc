// Kubernetes releases as texts, and the table of what follows from them.
#include "models/base/kubernetes.h"

#include <gtest/gtest.h>

#include <string>

namespace faultline {
namespace {

TEST(KubernetesVersion, EveryKnownReleaseReadsBack) {
  for (int minor = 30; minor <= 37; ++minor) {
    const auto version = parse_kubernetes_version("1." + std::to_string(minor));
    ASSERT_TRUE(version) << minor;
    EXPECT_EQ(version->minor, minor);
    EXPECT_EQ(to_string(*version), "1." + std::to_string(minor));
  }
}

// The text as it stands: 1.3 is not 1.30, whatever the number says.
TEST(KubernetesVersion, RefusesEverythingElse) {
  for (const char* text : {"1.29", "1.38", "1.3", "1.330", "1.0"}) {
    EXPECT_EQ(parse_kubernetes_version(text).error(), "is out of range") << text;
  }
  for (const char* text : {"", "1", "1.", "2.34", "v1.34", "1.34.2", "1.034", "1.-4", "1.3e1"}) {
    EXPECT_EQ(parse_kubernetes_version(text).error(), "is no Kubernetes version") << text;
  }
}

TEST(KubernetesVersion, WhatWasMeant) {
  EXPECT_EQ(meant_kubernetes_version("1.3"), "1.30");
  EXPECT_EQ(meant_kubernetes_version("v1.34"), "1.34");
  EXPECT_EQ(meant_kubernetes_version("1.36.4"), "1.36");
  EXPECT_EQ(meant_kubernetes_version("v1.32.0-eks-1"), "1.32");
  EXPECT_EQ(meant_kubernetes_version("35"), "1.35");
  for (const char* text : {"1.29", "1.38", "newest", "", "1.99999999999999999999"}) {
    EXPECT_EQ(meant_kubernetes_version(text), "") << text;
  }
}

TEST(KubernetesDefaults, TheGraceOfANodeGrewIn132) {
  EXPECT_EQ(kNodeMonitorGracePeriod.in({30}), "40s");
  EXPECT_EQ(kNodeMonitorGracePeriod.in({31}), "40s");
  EXPECT_EQ(kNodeMonitorGracePeriod.in({32}), "50s");
  EXPECT_EQ(kNodeMonitorGracePeriod.in({37}), "50s");
}

}  // namespace
}  // namespace faultline
