#include "sim/control/control_plane.h"

#include <algorithm>
#include <bit>

#include "models/base/check.h"

namespace faultline {

using observed::NodeKey;
using observed::PodKey;

void count_for(const ControllerList& controllers, observed::Picture& picture) {
  for (std::size_t c = 0; c < controllers.size(); ++c) picture.add_counter(controllers[c].counts());
}

ControlPlane::ControlPlane(const ControllerList& controllers, observed::Picture picture,
                           ControlListener& listener)
    : controllers_(controllers), picture_(std::move(picture)), listener_(listener) {
  for (std::size_t c = 0; c < controllers.size(); ++c) {
    for (std::size_t bit = 0; bit < watchers_.size(); ++bit) {
      if ((controllers[c].watches() >> bit) & 1U) {
        watchers_[bit].push_back(static_cast<std::uint8_t>(c));
      }
    }
  }
  for (std::size_t type = 0; type < picture_.condition_types().size(); ++type) {
    auto& watchers = watchers_of_condition_.emplace_back();
    for (const std::uint8_t c : watchers_.front()) {
      if (controllers[c].cares_for(ConditionId(type))) watchers.push_back(c);
    }
  }
}

void ControlPlane::begin(const RandomSource& random) {
  random_ = &random;
  now_ = SimTime::start();
  picture_.reset();
  appointments_.clear();
  wakes_.clear();
  served_ = 0;
  refused_.clear();
}

// --- wakes

void ControlPlane::wake(Wake wake) {
  // (the queue of an instant is short, but for storms, in which a second look does no harm)
  constexpr std::size_t kLooked = 16;
  const std::size_t from = std::max(served_, wakes_.size() - std::min(wakes_.size(), kLooked));
  for (std::size_t w = from; w < wakes_.size(); ++w) {
    if (wakes_[w] == wake) return;
  }
  wakes_.push_back(wake);
}

void ControlPlane::wake(Watch watch, Subject subject) {
  for (const std::uint8_t c :
       watchers_[static_cast<std::size_t>(std::countr_zero(watching(watch)))]) {
    wake({.subject = subject, .controller = c});
  }
}

void ControlPlane::wake_pages_of(const observed::Node& node) {
  for (const PodKey pod : node.pods) {
    if (!picture_.pod(pod).page.since.is_never()) wake(Watch::kPages, Subject::of(pod));
  }
}

void ControlPlane::wake_pods_of(NodeKey node) {
  if (!node.valid() || picture_.node(node).taints.empty()) return;
  wake(Watch::kPodsOfNode, Subject::of(node));
}

void ControlPlane::wake_machine(observed::MachineKey machine) {
  wake(Watch::kMachines, Subject::of(machine));
  wake(Watch::kMachineEnds, Subject::of(machine));
}

void ControlPlane::wake_refused(PodKey pod) {
  const observed::BudgetKey budget = picture_.owner_of(pod).budget;
  if (refused_.empty() || !budget.valid()) return;
  std::erase_if(refused_, [&](const Refused& refused) {
    if (refused.budget != budget) return false;
    wake(refused.who);
    return true;
  });
}

void ControlPlane::pool_changed(PoolId pool) {
  if (!appointments_.awaits_gates()) return;
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    const auto controller = static_cast<std::uint8_t>(c);
    if (!appointments_.awaits(pool, controller)) continue;
    if (controllers_[c].gate_is_open(picture_.pool(pool), c)) {
      appointments_.gate_opens(pool, controller, now_);
    }
  }
}

// --- what a change wakes

void ControlPlane::follow(const observed::ConditionSet& set) {
  const observed::Node& node = picture_.node(set.node);
  for (const std::uint8_t c : watchers_of_condition_[set.type.index()]) {
    wake({.subject = Subject::of(set.node), .controller = c});
  }
  wake_pages_of(node);
  pool_changed(node.pool);
  if (set.type == observed::kReady && !node.pods.empty()) pods_hear(node);
}

template <class Change>
void ControlPlane::follow(const Change& change) {
  using namespace observed;
  if constexpr (std::is_same_v<Change, TaintAdded>) {
    if (change.effect == TaintEffect::kNoExecute) wake(Watch::kTaints, Subject::of(change.node));
  } else if constexpr (std::is_same_v<Change, TaintRemoved>) {
    wake(Watch::kTaints, Subject::of(change.node));
  } else if constexpr (std::is_same_v<Change, NodeAdded>) {
    wake(Watch::kConditions, Subject::of(NodeKey(picture_.nodes() - 1)));
    if (change.machine.valid()) wake(Watch::kMachines, Subject::of(change.machine));
    pool_changed(change.pool);
  } else if constexpr (std::is_same_v<Change, observed::NodeDeleted>) {
    wake(Watch::kDeletions, Subject::of(change.node));
    const Node& node = picture_.node(change.node);
    if (node.machine.valid()) wake_machine(node.machine);
    wake_pages_of(node);
  } else if constexpr (std::is_same_v<Change, MaintenanceSet>) {
    wake(Watch::kDeletions, Subject::of(change.node));
    wake_pages_of(picture_.node(change.node));
  } else if constexpr (std::is_same_v<Change, NodeGone>) {
    appointments_.forget(Subject::of(change.node));
    pool_changed(picture_.node(change.node).pool);
  } else if constexpr (std::is_same_v<Change, MachineLaunched>) {
    wake(Watch::kMachines, Subject::of(change.machine));
  } else if constexpr (std::is_same_v<Change, MachineDeleted>) {
    wake_machine(change.machine);
  } else if constexpr (std::is_same_v<Change, PodAdded>) {
    wake_pods_of(change.node);
  } else if constexpr (std::is_same_v<Change, PodBound>) {
    wake_pods_of(change.node);
    wake_refused(change.pod);
  } else if constexpr (std::is_same_v<Change, PodPaged>) {
    wake(Watch::kPages, Subject::of(change.pod));
    wake_refused(change.pod);
  }
}

template <class Change>
void ControlPlane::observe(const Change& change, SimTime now) {
  FAULTLINE_CHECK_AT(now_, now >= now_, "an observation at {} is in the past", to_string(now));
  now_ = now;
  if constexpr (std::is_same_v<Change, observed::PodGone>) {
    const NodeKey node = picture_.pod(change.pod).node;
    picture_.apply(change, now);
    appointments_.forget(Subject::of(change.pod));
    wake_pods_of(node);
    wake_refused(change.pod);
    return;
  }
  if constexpr (std::is_same_v<Change, observed::NodeGone>) {
    while (!picture_.node(change.node).pods.empty()) {
      observe(observed::PodGone{picture_.node(change.node).pods.back()}, now);
    }
  }
  if (picture_.apply(change, now)) follow(change);
}

template void ControlPlane::observe(const observed::ConditionSet&, SimTime);
template void ControlPlane::observe(const observed::NodeAdded&, SimTime);
template void ControlPlane::observe(const observed::NodeGone&, SimTime);
template void ControlPlane::observe(const observed::MachineLaunched&, SimTime);
template void ControlPlane::observe(const observed::MachineDeleted&, SimTime);
template void ControlPlane::observe(const observed::MaintenanceSet&, SimTime);
template void ControlPlane::observe(const observed::PodAdded&, SimTime);
template void ControlPlane::observe(const observed::PodBound&, SimTime);
template void ControlPlane::observe(const observed::PodPaged&, SimTime);
template void ControlPlane::observe(const observed::PodGone&, SimTime);

void ControlPlane::settle(SimTime now) {
  now_ = now;
  while (served_ < wakes_.size()) {
    called_ = wakes_[served_++];
    const Subject subject = called_.subject;
    if (called_.controller == Appointments::kKubernetes) {
      end_pod(subject.pod());
      continue;
    }
    if (subject.kind == Subject::Kind::kNode && !picture_.node(subject.node()).exists) continue;
    appointments_.forget(subject, called_.controller);
    controllers_[called_.controller].reconcile({.picture = picture_,
                                                .subject = subject,
                                                .now = now,
                                                .random = *random_,
                                                .self = called_.controller,
                                                .controllers = controllers_},
                                               *this);
  }
  wakes_.clear();
  served_ = 0;
}

void ControlPlane::take_next(SimTime now) {
  const Appointments::Due due = appointments_.take_next();
  wake({.subject = due.subject, .controller = due.controller});
  settle(now);
}

// --- pods

void ControlPlane::pod_hears(PodKey key) {
  const SimTime deletion = picture_.pod(key).deletion;
  const bool heard = appointments_.forget(Subject::of(key), Appointments::kKubernetes);
  if (!heard) listener_.pod_stops(key);
  if (deletion <= now_) {
    wake({.subject = Subject::of(key), .controller = Appointments::kKubernetes});
  } else {
    appointments_.make(Subject::of(key), Appointments::kKubernetes, deletion, false);
  }
}

void ControlPlane::end_pod(PodKey key) {
  const NodeKey node = picture_.pod(key).node;
  if (!node.valid()) return;
  observe(observed::PodGone{key}, now_);
  listener_.pod_gone(key, node);
}

void ControlPlane::pods_hear(const observed::Node& node) {
  for (const PodKey pod : node.pods) {
    if (picture_.pod(pod).deletion.is_never()) continue;
    if (answers(node)) {
      pod_hears(pod);
    } else {
      appointments_.forget(Subject::of(pod), Appointments::kKubernetes);
    }
  }
}

void ControlPlane::kubelet_back(NodeKey key, SimTime now) {
  now_ = now;
  for (const PodKey pod : picture_.node(key).pods) {
    if (!picture_.pod(pod).deletion.is_never()) pod_hears(pod);
  }
}

// --- verbs

void ControlPlane::taint(NodeKey node, observed::TaintName name, observed::TaintEffect effect) {
  observe(observed::TaintAdded{.node = node, .name = name, .effect = effect}, now_);
}

void ControlPlane::untaint(NodeKey node, observed::TaintName name) {
  observe(observed::TaintRemoved{.node = node, .name = name}, now_);
}

void ControlPlane::cordon(NodeKey node, bool cordoned) {
  picture_.apply(observed::CordonSet{.node = node, .cordoned = cordoned}, now_);
}

void ControlPlane::delete_node(NodeKey node, SimTime terminate_by) {
  const bool first = picture_.node(node).deleted.is_never();
  observe(observed::NodeDeleted{.node = node, .terminate_by = terminate_by}, now_);
  if (first) listener_.node_deleted(node, called_.controller);
}

void ControlPlane::terminate(NodeKey node) {
  if (picture_.apply(observed::NodeDrained{node}, now_)) listener_.drained(node);
}

void ControlPlane::work_on(NodeKey node, Duration takes) {
  observe(observed::MaintenanceSet{.node = node, .in_maintenance = true}, now_);
  listener_.worked_on(node, takes, called_.controller);
}

bool ControlPlane::evict(PodKey pod) {
  const observed::PodOwner& owner = picture_.owner_of(pod);
  const auto refuse = [&] {
    const Refused refused{.budget = owner.budget, .who = called_};
    const bool known = std::find(refused_.begin(), refused_.end(), refused) != refused_.end();
    if (!known) refused_.push_back(refused);
    return false;
  };
  if (owner.do_not_disrupt) return refuse();
  if (owner.budget.valid()) {
    const observed::Budget& budget = picture_.budget(owner.budget);
    if (budget.unavailable >= budget.max_unavailable) return refuse();
  }
  delete_pod(pod, owner.grace);
  return true;
}

void ControlPlane::delete_pod(PodKey pod, Duration grace) {
  if (!picture_.apply(observed::PodDeleted{.pod = pod, .deletion = now_ + grace}, now_)) return;
  const NodeKey node = picture_.pod(pod).node;
  if (answers(picture_.node(node))) pod_hears(pod);
  wake_pods_of(node);
}

void ControlPlane::launch(PoolId pool, observed::MachineKey replaces) {
  picture_.apply(observed::MachineAdded{.pool = pool, .replaces = replaces}, now_);
  listener_.launch(observed::MachineKey(picture_.machines() - 1));
}

void ControlPlane::delete_machine(observed::MachineKey machine) {
  observe(observed::MachineDeleted{machine}, now_);
  listener_.given_back(machine);
}

void ControlPlane::look_again(SimTime at) {
  FAULTLINE_CHECK_AT(now_, at >= now_, "{} wants to look again in the past",
                     controllers_[called_.controller].name());
  if (!at.is_never()) appointments_.make(called_.subject, called_.controller, at, false);
}

void ControlPlane::time_out(SimTime at) {
  if (!at.is_never()) appointments_.make(called_.subject, called_.controller, at, true);
}

void ControlPlane::wait_for_gate(const GateClosed& gate, Duration every) {
  const NodeKey node = called_.subject.node();
  listener_.blocked(node, gate, every);
  appointments_.await_gate(called_.subject, called_.controller, picture_.node(node).pool, now_,
                           every);
}

}  // namespace faultline
