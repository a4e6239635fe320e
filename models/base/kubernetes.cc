#include "models/base/kubernetes.h"

#include <fmt/format.h>

namespace faultline {
namespace {

constexpr std::string_view kMajor = "1.";

bool is_known(KubernetesVersion version) {
  return version >= kOldestKubernetes && version <= kNewestKubernetes;
}

}  // namespace

Parsed<KubernetesVersion> parse_kubernetes_version(std::string_view text) {
  const auto minor =
      text.starts_with(kMajor) ? parse_count(text.substr(kMajor.size())) : parse_count("");
  if (!minor) return tl::unexpected<std::string>("is no Kubernetes version");
  if (*minor < kOldestKubernetes.minor || *minor > kNewestKubernetes.minor) {
    return tl::unexpected<std::string>("is out of range");
  }
  return KubernetesVersion{static_cast<int>(*minor)};
}

std::string meant_kubernetes_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (text.starts_with(kMajor)) text.remove_prefix(kMajor.size());
  text = text.substr(0, text.find('.'));
  const auto minor = parse_count(text);
  if (!minor || *minor > kNewestKubernetes.minor) return "";
  // YAML libraries write the number 1.30 as 1.3.
  const KubernetesVersion meant{static_cast<int>(*minor == 3 ? 30 : *minor)};
  return is_known(meant) ? to_string(meant) : "";
}

std::string to_string(KubernetesVersion version) {
  return fmt::format("{}{}", kMajor, version.minor);
}

}  // namespace faultline
