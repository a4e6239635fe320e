// Which part of the fabric a fault degrades, as a scenario describes it.
//
//   - name: slow-nic
//     rate: ...
//     effect: slow
//     degrades: {part: nic, to: 10%}
//
// The part belongs to the struck GPU; for a class counted per node, rack or larger domain, to the first
// GPU of each node. What that makes of a job follows from its steps over the fabric: untouched, slowed, or cut. From
// an uplink on, parts are shared: the question is asked for every job, wherever its nodes are.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "models/base/fields.h"
#include "models/base/time.h"

namespace faultline {

enum class DegradedPart {
  kGpu,     // its speed of computation
  kNvlink,  // its NVLink ports
  kNic,     // the NIC that it uses, with the cable to the leaf
  kUplink,  // the cable from that leaf to the spine that this NIC's flows take
  kLeaf,    // the leaf switch of that NIC, with every cable at it
  kSpine,   // the spine that this NIC's flows take, likewise
  kCore,    // the core switch that they take out of the pod, likewise; three layers
};
template <>
struct EnumNames<DegradedPart> {
  static constexpr std::array kNames{std::pair{DegradedPart::kGpu, std::string_view("gpu")},
                                     std::pair{DegradedPart::kNvlink, std::string_view("nvlink")},
                                     std::pair{DegradedPart::kNic, std::string_view("nic")},
                                     std::pair{DegradedPart::kUplink, std::string_view("uplink")},
                                     std::pair{DegradedPart::kLeaf, std::string_view("leaf")},
                                     std::pair{DegradedPart::kSpine, std::string_view("spine")},
                                     std::pair{DegradedPart::kCore, std::string_view("core")}};
};

// Whether other nodes use the part too.
constexpr bool is_shared(DegradedPart part) { return part >= DegradedPart::kUplink; }
// Whether only nodes at one leaf use it.
constexpr bool is_of_leaf(DegradedPart part) {
  return part == DegradedPart::kUplink || part == DegradedPart::kLeaf;
}

struct DegradesConfig {
  DegradedPart part = DegradedPart::kNic;
  double to = 0;
  Duration extra_latency;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("part", &DegradesConfig::part,
          {.help = "gpu: the struck GPU's speed of computation. nvlink: its NVLink ports. nic: its "
                   "NIC. uplink: the cable that this NIC's traffic takes out of its leaf switch. "
                   "leaf: that switch. spine, core: the ones that this traffic goes through.",
           .required = true});
    visit("to", &DegradesConfig::to,
          {.help = "Share of its speed or bandwidth that is left; 0%: dead. A job that a dead part "
                   "cuts in two stops as by `crash`; one with a detour is slowed.",
           .required = true,
           .ratio = true});
    visit("extra_latency", &DegradesConfig::extra_latency,
          {.help = "What each message over the part takes longer: retransmissions of a lossy "
                   "cable."});
  }

  void check(FieldProblems& problems) const {
    if (part == DegradedPart::kGpu && extra_latency > Duration::zero()) {
      problems.add("extra_latency", "goes with a part that carries messages, not with `gpu`");
    }
    if (to == 1 && extra_latency == Duration::zero()) {
      problems.add("to", "is 100%: nothing is degraded");
    }
  }
};

}  // namespace faultline
