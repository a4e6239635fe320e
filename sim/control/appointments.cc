#include "sim/control/appointments.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/ticks.h"

namespace faultline {

void Appointments::clear() {
  calendar_.clear();
  for (const Appointment& appointment : all_) {
    if (appointment.who.controller != kFree) first_of(appointment.who.subject) = kNone;
  }
  all_.clear();
  free_.clear();
  for (auto& of_pool : queues_) {
    for (Queue& queue : of_pool) queue.clear();
  }
  awaiting_ = 0;
  changed_ = true;
}

Appointments::Index& Appointments::first_of(Subject subject) {
  std::vector<Index>& first = first_[static_cast<std::size_t>(subject.kind)];
  if (subject.number >= first.size()) first.resize(subject.number + 1, kNone);
  return first[subject.number];
}

Appointments::Index Appointments::add(Subject subject, std::uint8_t controller) {
  Index index = 0;
  if (free_.empty()) {
    index = static_cast<Index>(all_.size());
    all_.emplace_back();
    calendar_.grow(all_.size());
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Index& first = first_of(subject);
  all_[index] = {.who = {.subject = subject, .controller = controller},
                 .next_of_subject = first,
                 .pool = {},
                 .since = {},
                 .every = {}};
  first = index;
  return index;
}

void Appointments::make(Subject subject, std::uint8_t controller, SimTime at, bool late) {
  FAULTLINE_CHECK(controller == kKubernetes || controller < kMostControllers,
                  "controller {} is one too many", controller);
  const std::uint8_t turn = controller == kKubernetes ? kHost : controller;
  calendar_.schedule(add(subject, controller), at, late ? kLate : turn);
  changed_ = true;
}

void Appointments::await_gate(Subject subject, std::uint8_t controller, PoolId pool, SimTime since,
                              Duration every) {
  const Index index = add(subject, controller);
  Queue& waiting = queue(pool, controller);
  all_[index].pool = pool;
  all_[index].place = static_cast<std::uint32_t>(waiting.size());
  all_[index].since = since;
  all_[index].every = every;
  waiting.push_back(index);
  ++awaiting_;
}

Appointments::Queue& Appointments::queue(PoolId pool, std::uint8_t controller) {
  if (pool.index() >= queues_.size()) queues_.resize(pool.index() + 1);
  return queues_[pool.index()][controller];
}

void Appointments::leave_queue(const Appointment& appointment) {
  Queue& waiting = queue(appointment.pool, appointment.who.controller);
  all_[waiting.back()].place = appointment.place;
  waiting[appointment.place] = waiting.back();
  waiting.pop_back();
  --awaiting_;
}

void Appointments::release(Index index) {
  Appointment& appointment = all_[index];
  Index* link = &first_of(appointment.who.subject);
  while (*link != index) link = &all_[*link].next_of_subject;
  *link = appointment.next_of_subject;
  appointment.who.controller = kFree;
  free_.push_back(index);
  changed_ = true;
}

bool Appointments::forget_of(Subject subject, std::uint8_t controller) {
  for (Index i = first_of(subject); i != kNone; i = all_[i].next_of_subject) {
    if (all_[i].who.controller != controller) continue;
    if (all_[i].pool.valid()) {
      leave_queue(all_[i]);
    } else {
      calendar_.cancel(i);
    }
    release(i);
    return true;
  }
  return false;
}

void Appointments::forget(Subject subject) {
  while (has_any(subject)) forget(subject, all_[first_of(subject)].who.controller);
}

bool Appointments::awaits(PoolId pool, std::uint8_t controller) const {
  return pool.index() < queues_.size() && !queues_[pool.index()][controller].empty();
}

void Appointments::gate_opens(PoolId pool, std::uint8_t controller, SimTime now) {
  Queue& waiting = queue(pool, controller);
  for (const Index index : waiting) {
    Appointment& appointment = all_[index];
    appointment.pool = PoolId();
    calendar_.schedule(index,
                       next_tick(appointment.since + appointment.every, appointment.every, now),
                       controller);
  }
  changed_ = true;
  awaiting_ -= waiting.size();
  waiting.clear();
}

Appointments::Due Appointments::take_next() {
  const Index index = calendar_.pop().slot;
  const Due due = all_[index].who;
  release(index);
  return due;
}

}  // namespace faultline
