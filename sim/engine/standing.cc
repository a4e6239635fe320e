#include "sim/engine/standing.h"

#include <algorithm>

namespace faultline {

Standing::Standing(const SimulationPlan& plan, std::size_t numbered)
    : numbered_(numbered > 0),
      slots_(plan.fleet().slots()),
      lemons_(plan.scenario().faults.lemons ? plan.scenario().faults.lemons->share : 0,
              std::max<std::size_t>(numbered, plan.fleet().slots())) {}

void Standing::begin(const RandomSource& random) {
  slots_.clear();
  if (lemons_.exist()) lemons_.begin(random);
}

NodeId Standing::of_parity(NodeSlot slot, std::uint32_t parity) const {
  const std::uint32_t generation = slots_[slot.index()].registered;
  return {slot, generation % 2 == parity ? generation : generation - 1};
}

MachineId Standing::machine(NodeId node) const {
  return node.generation == 0 ? MachineId(node.slot.index())
                              : slots_[node.slot.index()].machines[node.generation % 2];
}

bool Standing::is_lemon(NodeSlot slot) const {
  if (!lemons_.exist()) return false;
  if (numbered_ && lemons_.members().empty()) return false;  // all are mended
  const StandingMachine& state = slots_[slot.index()];
  if (state.generation > 0 && !numbered_) return state.lemon;
  return lemons_.contains(machine(node(slot)));
}

}  // namespace faultline
