// Field lists: a config struct names its fields once, and five products come from that one list:
// the strict loader, the defaults, `faultline explain`, the JSON Schema with the reference page,
// and the sparse or verbose writer (all in sim/scenario). The struct itself knows no YAML.
//
//   struct CheckpointConfig {
//     Duration every = 10_min;
//     Duration blocks = 5_s;
//
//     template <class Visitor>
//     static void fields(Visitor& visit) {
//       visit("every", &CheckpointConfig::every,
//             {.help = "Work between two checkpoints, at full speed.", .more_than_zero = true});
//       visit("blocks", &CheckpointConfig::blocks,
//             {.help = "Time for which a checkpoint stops the step loop.", .required = true});
//     }
//     // Optional: what fields() cannot say. Each sentence becomes an error at the field it names.
//     void check(FieldProblems& problems) const {
//       if (blocks > every) problems.add("blocks", "is longer than `every`");
//     }
//   };
//
// The type of a member decides its notation: bool, int64_t (count), double (number; Ratio where
// `.ratio`), Duration, Distribution, Rate, Bytes, Bandwidth, Limit, Gate, std::string, an enum with
// `enum_names(E)`, KubernetesVersion, std::optional<T>, std::vector<T> of scalars or structs,
// std::map<std::string, T>, another struct with fields(), or std::variant<Struct...> whose
// alternative is chosen by a YAML tag (each one has `static constexpr std::string_view kTag`).
//
// Rules the loader enforces: a key that is not in the list is an error (with a suggestion), a
// required field without a value is an error, so is a value outside its range.
//
// A field of struct type may be written as a path instead of a map (`policy: policies/karpenter/
// aws.yaml`), or as a map that starts from a file and changes what it names (`detectors: {extends:
// models/detectors/eks-nma.yaml, latching: false}`). A list of structs that have a `name` field is
// addressed by name: `workloads[llama3].checkpoint.every`. A struct with `static constexpr
// std::string_view kShortForm = "FIELD"` may be written as that field's value alone, and not as a path.
//
// A field with `by_kubernetes` takes its default from the scenario's `kubernetes`
// (models/base/kubernetes.h); the struct's own default is that of the default release.
//
// Thread rule: immutable descriptions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline {

struct KubernetesDefault;

struct FieldInfo {
  std::string_view help;  // one or two sentences: effect, when to change it. Never empty.
  bool required = false;  // no default: the file must say
  // A required field may be missing where this one is given.
  std::string_view unless = {};
  bool more_than_zero = false;  // numbers and durations: 0 is refused (negative always is)
  bool ratio = false;           // a double in 0..1, written as 20% or 0.2
  bool identifier = false;      // a number that is a name (an Xid): 20% more of it means nothing
  std::optional<double> at_least = {};               // numbers: smallest value
  std::optional<double> at_most = {};                // numbers: largest value
  const KubernetesDefault* by_kubernetes = nullptr;  // scalars: the default follows the release
};

// The path of a field or key below another: `policy.tolerations`, `Ready` -> `policy.tolerations.Ready`; a key with
// special characters stands in brackets and quotes: `policy.tolerations["example.com/Gpu"]`.
inline std::string with_key(const std::string& path, std::string_view key) {
  constexpr std::string_view kSpecial = ".[]=\"' ";
  if (key.empty() || key.find_first_of(kSpecial) != std::string_view::npos) {
    return path + "[\"" + std::string(key) + "\"]";
  }
  return path + (path.empty() ? "" : ".") + std::string(key);
}

// Collects what a struct's own check() finds.
class FieldProblems {
 public:
  struct Problem {
    std::string field;    // a name from fields(), or a path below it ("signals[1].xid")
    std::string message;  // continues the sentence "FIELD ..."
    bool of_key = false;  // the key itself is wrong, not its value
  };
  void add(std::string_view field, std::string message) {
    problems_.push_back({std::string(field), std::move(message)});
  }
  // A key of a map that names nothing.
  void add_key(std::string_view field, std::string message) {
    problems_.push_back({std::string(field), std::move(message), true});
  }
  const std::vector<Problem>& all() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

// An enum that appears in files specialises this: a list of (value, name in files).
//   template <> struct EnumNames<FaultEffect> {
//     static constexpr std::array kNames{
//         std::pair{FaultEffect::kCrash, std::string_view("crash")}, ...};
//   };
template <class E>
struct EnumNames;

template <class E>
constexpr std::string_view enum_name(E value) {
  for (const auto& [candidate, name] : EnumNames<E>::kNames) {
    if (candidate == value) return name;
  }
  return "?";
}

}  // namespace faultline
