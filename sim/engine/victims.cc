#include "sim/engine/victims.h"

#include <algorithm>

#include "models/faults/script.h"

namespace faultline {
namespace {

void count_in(Victims::Lemons& lemons, NodeSlot slot, bool is_there) {
  if (!lemons) return;
  if (is_there) {
    lemons->insert(slot);
  } else {
    lemons->erase(slot);
  }
}

}  // namespace

Victims::Victims(const SimulationPlan& plan, const Standing& standing, const Places& places,
                 FaultDraws& draws)
    : plan_(plan),
      standing_(standing),
      places_(places),
      draws_(draws),
      lemons_(1 + plan.jobs().size()) {}

void Victims::count(std::uint32_t population) {
  lemons_[population].emplace(plan_.fleet().slots());
}

void Victims::begin() {
  for (Lemons& lemons : lemons_) {
    if (lemons) lemons->clear();
  }
  if (!standing_.lemons().exist()) return;
  for (const MachineId machine : standing_.lemons().members()) {
    if (machine.index() < plan_.fleet().slots()) {  // otherwise it is in stock
      lemon_moves(NodeSlot(machine.index()), /*comes=*/true);
    }
  }
}

void Victims::lemon_moves(NodeSlot slot, bool comes) {
  const JobId job = places_.job_on(slot);
  if (job.valid()) count_in(lemons_[1 + job.index()], slot, comes);
  count_in(lemons_[0], slot, comes);
}

void Victims::place_moves(JobId job, NodeSlot slot, bool taken) {
  if (taken && !standing_.is_lemon(slot)) return;
  count_in(lemons_[1 + job.index()], slot, taken);
}

NodeSlot Victims::of(const Arrival& arrival, std::uint32_t population, NodeSlot candidate) {
  const FaultClass& fault_class = plan_.classes()[arrival.fault_class.index()];
  if (population == kScript || fault_class.config->victims == FaultVictims::kAll) return candidate;
  if (fault_class.config->victims == FaultVictims::kLemons) {
    const IndexSet<NodeSlot>& lemons = *lemons_[population];
    if (lemons.size() == 0) return {};
    return lemons.at(std::min<std::size_t>(arrival.part, lemons.size() - 1));
  }
  // Among the sound ones each has the same chance: draw until one is met.
  const std::vector<NodeSlot>* const places =
      population == 0 ? nullptr : &places_.of(JobId(population - 1));
  const std::size_t parts = places == nullptr ? plan_.fleet().slots() : places->size();
  for (std::uint32_t attempt = 0; attempt < FaultDraws::kMostAttempts; ++attempt) {
    if (!standing_.is_lemon(candidate)) return candidate;
    const double u = draws_.draw(fault_class.detail_stream, arrival.ordinal, population,
                                 FaultDraws::victim(attempt));
    const auto part = static_cast<std::size_t>(u * static_cast<double>(parts));
    candidate = places == nullptr ? NodeSlot(part) : (*places)[part];
  }
  return {};
}

}  // namespace faultline
