// A room of the engine alone: the kernel, what rooms read of each other, and the agenda as a list to read.
//
//   RoomWorld world(MicroWorld(2, 2));
//   Holds holds(world.plan, world.kernel, world.standing, world.places, world.jobs);
//   holds.sicken(0, NodeSlot(1));
//   ...
//   world.heard().of<PodRestarts>()
#pragma once

#include <tuple>
#include <vector>

#include "sim/engine/degraded_parts.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/jobs.h"
#include "sim/engine/kernel.h"
#include "sim/engine/places.h"
#include "sim/engine/standing.h"
#include "test/support/micro_world.h"

namespace faultline {

template <class>
class HeardFrom;
// Everything that was on an agenda, by kind.
template <class... Kinds>
class HeardFrom<Agenda<Kinds...>> {
 public:
  template <class Kind>
  void on(const Kind& entry) {
    std::get<std::vector<Kind>>(entries_).push_back(entry);
  }
  template <class Kind>
  const std::vector<Kind>& of() const {
    return std::get<std::vector<Kind>>(entries_);
  }
  std::size_t size() const { return (0 + ... + of<Kinds>().size()); }

 private:
  std::tuple<std::vector<Kinds>...> entries_;
};
using Heard = HeardFrom<FollowUps>;

struct RoomWorld {
  explicit RoomWorld(const MicroWorld& world)
      : scenario(world.scenario),
        plan(scenario),
        kernel(plan.jobs().size(), plan.fleet().slots(), 0),
        active(plan.fleet().slots()),
        standing(plan, 0),
        places(plan),
        parts(plan, standing, places),
        jobs(plan, kernel) {
    kernel.tell(journal);
    kernel.begin(random, scenario.horizon);
    draws.begin(random);
    standing.begin(random);
    jobs.begin();
  }

  // Takes what is on the agenda: nobody hears it but the test.
  Heard heard() {
    Heard heard;
    kernel.agenda().drain(heard);
    return heard;
  }
  // It is that time now; whatever was expected before is passed over.
  void wait_until(Duration time) {
    const Calendar::Slot alarm = kernel.layout().script();
    kernel.expect(alarm, at(time), Expect::kArrival);
    while (kernel.next()->slot != alarm) {
    }
  }
  // A fault that has struck the node now, in the book.
  std::uint32_t strike(std::size_t fault_class, NodeSlot slot, SimTime clears = SimTime::never()) {
    const auto number = static_cast<std::uint32_t>(active.capacity());
    const std::uint32_t index = active.add({.id = FaultId(number),
                                            .fault_class = FaultClassId(fault_class),
                                            .node = standing.node(slot),
                                            .job = places.job_on(slot),
                                            .struck = kernel.now(),
                                            .clears = clears});
    kernel.make_room(active.capacity());
    return index;
  }
  template <class What>
  std::vector<typename Journal::Found<What>> told() const {
    return journal.all<What>();
  }

  Scenario scenario;
  SimulationPlan plan;
  RandomSource random{1, 0};
  Journal journal;
  Kernel kernel;
  FaultDraws draws;
  ActiveFaults active;
  Standing standing;
  Places places;
  DegradedParts parts;
  Jobs jobs;
};

}  // namespace faultline
