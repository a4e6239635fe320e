// The Kubernetes release of a cluster, and the defaults that follow from it.
//
// A scenario says `kubernetes: 1.34`. A field whose default is not the same in all releases names its
// line of the table below in its FieldInfo (`by_kubernetes`); where the scenario does not give the field,
// the release decides, where it does, what is given holds.
//
//   kNodeMonitorGracePeriod.in({31})   "40s"
//   kNodeMonitorGracePeriod.in({32})   "50s"
//
// A release is written as its major and minor number, as it stands in the file: to YAML itself 1.30 is
// the number 1.3, which names no release that is known here.
//
// The default is 1.34: it was the oldest release that upstream still patched (until October 2026) when the
// agent and Karpenter were read for this project (August 2026), and managed clusters follow late. No
// line of the table differs between 1.34 and the newest release.
//
// Thread rule: constants and pure functions.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "models/base/units.h"

namespace faultline {

struct KubernetesVersion {
  int minor = 34;  // of major version 1
  auto operator<=>(const KubernetesVersion&) const = default;
};
inline constexpr KubernetesVersion kOldestKubernetes{30};
inline constexpr KubernetesVersion kNewestKubernetes{37};

// "1.30" to "1.37"; the error continues a sentence that begins with the field.
Parsed<KubernetesVersion> parse_kubernetes_version(std::string_view text);
// What somebody may have meant: "1.30" for 1.3, "1.34" for v1.34 and 1.34.2; empty: nothing known.
std::string meant_kubernetes_version(std::string_view text);
std::string to_string(KubernetesVersion version);

// A default that changed once within the releases that are known here.
struct KubernetesDefault {
  std::string_view before;  // as a scenario writes it
  KubernetesVersion changed_in;
  std::string_view since;
  std::string_view source;

  constexpr std::string_view in(KubernetesVersion version) const {
    return version < changed_in ? before : since;
  }
};

// --- What depends on the release, with its source.

// --node-monitor-grace-period of the kube-controller-manager: the age of a node's last heartbeat at which
// it turns Unknown. It became longer than the 45 s that an HTTP/2 connection which broke may need to be
// given up (issue 121793).
inline constexpr KubernetesDefault kNodeMonitorGracePeriod{
    .before = "40s",
    .changed_in = {32},
    .since = "50s",
    .source = "kubernetes/kubernetes PR 126287, CHANGELOG-1.32"};

}  // namespace faultline
