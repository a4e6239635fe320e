#include "sim/engine/places.h"

#include <utility>

namespace faultline {

Places::Places(const SimulationPlan& plan)
    : plan_(plan),
      shares_at_start_(plan.fleet().slots()),
      idle_at_start_(plan.fleet().pools().size()),
      places_(plan.jobs().size()),
      done_(plan.jobs().size()) {
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    const std::vector<NodeSlot>& places = plan.jobs()[j].places;
    for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
      shares_at_start_[places[rank].index()] = {.job = JobId(j), .rank = rank};
    }
  }
  for (std::uint32_t slot = plan.fleet().slots(); slot-- > 0;) {
    if (shares_at_start_[slot].job.valid()) continue;
    idle_at_start_[plan.fleet().pool_of(NodeSlot(slot)).index()].emplace_back(slot);
  }
  begin();
}

void Places::begin() {
  shares_ = shares_at_start_;
  idle_ = idle_at_start_;
  done_.assign(done_.size(), false);
  for (std::size_t j = 0; j < places_.size(); ++j) places_[j] = plan_.jobs()[j].places;
}

void Places::move(NodeSlot from, NodeSlot to) {
  std::vector<NodeSlot>& idle = idle_[plan_.fleet().pool_of(from).index()];
  std::erase(idle, to);
  idle.push_back(from);
  PlaceShare& share = shares_[from.index()];
  places_[share.job.index()][share.rank] = to;
  std::swap(shares_[to.index()], share);
}

void Places::take(JobId job, std::uint32_t rank, NodeSlot slot) {
  places_[job.index()][rank] = slot;
  shares_[slot.index()] = {.job = job, .rank = rank};
}

void Places::leave_all(JobId job) {
  for (const NodeSlot slot : places_[job.index()]) give_up(slot);
  done_[job.index()] = true;
}

}  // namespace faultline
