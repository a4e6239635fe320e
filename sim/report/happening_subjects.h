// Whom a happening is about, read off its fields.
//
// Thread rule: pure functions.
#pragma once

#include <string_view>
#include <type_traits>
#include <variant>

#include "models/happenings.h"
#include "sim/report/happening_fields.h"

namespace faultline {

// The job whose course it changes; invalid: none. (A fault names the job that uses the part, but is
// about the part.)
inline JobId job_of(const Happening& happening) {
  return std::visit(
      []<class What>(const What& what) {
        constexpr bool is_fault =
            std::is_same_v<What, FaultStruck> || std::is_same_v<What, FaultCleared>;
        if constexpr (!is_fault && requires { what.job; }) return what.job;
        return JobId();
      },
      happening.what);
}

// Calls `use(NodeId)` for each node field that it visits.
template <class Use>
struct NodeFieldVisitor {
  Use& use;
  void operator()(std::string_view, const auto&) {}
  void operator()(std::string_view, const NodeId& node) { use(node); }
  void optional(std::string_view, const auto&) {}
  void optional(std::string_view, const NodeId& node) {
    if (node.slot.valid()) use(node);
  }
};

// Calls `use(NodeId)` for each node that the happening names.
template <class Use>
void for_each_node(const Happening& happening, Use use) {
  NodeFieldVisitor<Use> visitor{use};
  std::visit([&]<class What>(const What& what) { HappeningFields<What>::visit(what, visitor); },
             happening.what);
}

inline bool is_about(const Happening& happening, NodeSlot slot) {
  bool found = false;
  for_each_node(happening, [&](NodeId node) { found = found || node.slot == slot; });
  return found;
}

}  // namespace faultline
