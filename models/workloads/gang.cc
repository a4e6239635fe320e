#include "models/workloads/gang.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr StreamId kSelection("workload/selection");

}  // namespace

Gang::Gang(JobId job, std::size_t nodes, std::size_t standbys, std::vector<NodeSlot> own,
           std::vector<NodeSlot> others, std::size_t slots)
    : job_(job), nodes_(nodes), most_standbys_(standbys), places_(slots), idle_(slots) {
  for (const NodeSlot slot : own) {
    Place& place = at(slot);
    place.own = true;
    append(slot);
    if (ranks_.size() < nodes_) {
      place.role = Role::kWorks;
      place.rank = static_cast<std::uint32_t>(ranks_.size());
      ranks_.push_back(slot);
    } else {
      stand_by_or_idle(slot);
    }
  }
  for (const NodeSlot slot : others) at(slot).role = Role::kToPreempt;
  start_ = places_;
  ranks_at_start_ = ranks_;
  standbys_at_start_ = standbys_;
  idle_at_start_ = idle_.members();
  others_at_start_ = std::move(others);
  first_at_start_ = first_;
  last_at_start_ = last_;
  in_line_at_start_ = in_line_;
  begin();
}

void Gang::begin() {
  places_ = start_;
  ranks_ = ranks_at_start_;
  standbys_ = standbys_at_start_;
  idle_.clear();
  for (const NodeSlot slot : idle_at_start_) idle_.insert(slot);
  others_ = others_at_start_;
  vacant_.clear();
  unfit_.clear();
  first_ = first_at_start_;
  last_ = last_at_start_;
  in_line_ = in_line_at_start_;
}

void Gang::append(NodeSlot slot) {
  Place& place = at(slot);
  place.in_line = true;
  place.before = last_;
  place.after = kNil;
  (last_ == kNil ? first_ : places_[last_].after) = slot.value();
  last_ = slot.value();
  ++in_line_;
}

void Gang::unlink(NodeSlot slot) {
  Place& place = at(slot);
  place.in_line = false;
  (place.before == kNil ? first_ : places_[place.before].after) = place.after;
  (place.after == kNil ? last_ : places_[place.after].before) = place.before;
  --in_line_;
}

void Gang::stand_by_or_idle(NodeSlot slot) {
  if (standbys_.size() < most_standbys_) {
    at(slot).role = Role::kStandsBy;
    standbys_.push_back(slot);
  } else {
    at(slot).role = Role::kIdle;
    idle_.insert(slot);
  }
}

void Gang::enter(NodeSlot slot) {
  Place& place = at(slot);
  if (available(slot)) return;
  if (!place.own) {
    place.role = Role::kToPreempt;
    others_.push_back(slot);
    return;
  }
  append(slot);
  if (place.role == Role::kWorks) {
    std::erase(unfit_, slot);
  } else {
    stand_by_or_idle(slot);
  }
}

void Gang::leave(NodeSlot slot) {
  Place& place = at(slot);
  if (place.in_line) unlink(slot);
  switch (place.role) {
    case Role::kWorks:
      if (std::find(unfit_.begin(), unfit_.end(), slot) == unfit_.end()) unfit_.push_back(slot);
      return;
    case Role::kStandsBy: std::erase(standbys_, slot); break;
    case Role::kIdle: idle_.erase(slot); break;
    case Role::kToPreempt: std::erase(others_, slot); break;
    case Role::kNone:
    case Role::kStranger: return;
  }
  place.role = Role::kNone;
}

void Gang::to_the_end(NodeSlot slot) {
  if (!at(slot).in_line) return;
  unlink(slot);
  append(slot);
}

void Gang::vacate(NodeSlot slot) {
  Place& place = at(slot);
  FAULTLINE_CHECK(place.role == Role::kWorks, "slot {} does not work", slot.value());
  vacant_.push_back(place.rank);
  if (place.in_line) {
    stand_by_or_idle(slot);
  } else {
    std::erase(unfit_, slot);
    place.role = Role::kNone;
  }
}

bool Gang::take_standby(Move& move) {
  if (standbys_.empty() || vacant_.empty()) return false;
  move = {.rank = vacant_.back(), .to = standbys_.front()};
  vacant_.pop_back();
  standbys_.erase(standbys_.begin());
  works(move.to, move.rank);
  return true;
}

bool Gang::take_idle(Move& move) {
  if (idle_.size() == 0 || vacant_.empty()) return false;
  move = {.rank = vacant_.back(), .to = idle_.at(0)};
  vacant_.pop_back();
  idle_.erase(move.to);
  works(move.to, move.rank);
  return true;
}

void Gang::works(NodeSlot slot, std::uint32_t rank) {
  at(slot).role = Role::kWorks;
  at(slot).rank = rank;
  ranks_[rank] = slot;
}

NodeSlot Gang::missing() const {
  const auto is_missing = [&](NodeSlot slot) {
    return at(slot).own && at(slot).role == Role::kNone;
  };
  for (const std::uint32_t rank : vacant_) {
    if (is_missing(ranks_[rank])) return ranks_[rank];
  }
  for (std::size_t slot = 0; slot < places_.size(); ++slot) {
    if (is_missing(NodeSlot(slot))) return NodeSlot(slot);
  }
  return {};
}

const std::vector<Gang::Move>& Gang::select(const RandomSource& random, std::uint32_t ordinal) {
  FAULTLINE_CHECK(in_line_ >= nodes_, "{} fit nodes are too few for a gang", in_line_);
  const std::size_t chosen = std::min(in_line_, nodes_ + most_standbys_);
  // Those at the end of the line stay out, and those who are not fit.
  std::uint32_t tail = last_;
  for (std::size_t n = in_line_ - chosen; n > 0; --n) {
    const NodeSlot slot(tail);
    Place& place = at(slot);
    place.out = true;
    if (place.role == Role::kWorks) {
      vacant_.push_back(place.rank);
      place.role = Role::kIdle;
      idle_.insert(slot);
    }
    tail = place.before;
  }
  for (const NodeSlot slot : unfit_) {
    vacant_.push_back(at(slot).rank);
    at(slot).role = Role::kNone;
  }
  unfit_.clear();
  // Everybody in the new gang who has no place yet.
  candidates_.clear();
  for (const NodeSlot slot : standbys_) {
    if (at(slot).out) {
      at(slot).role = Role::kIdle;
      idle_.insert(slot);
    } else {
      candidates_.push_back(slot);
    }
  }
  standbys_.clear();
  for (std::size_t n = idle_.size(); n-- > 0;) {
    const NodeSlot slot = idle_.at(n);
    if (at(slot).out) continue;
    candidates_.push_back(slot);
    idle_.erase(slot);
  }
  // Who of the new gang stands by: drawn one by one from the places and the candidates.
  std::uint32_t draw = 0;
  const auto entity = (job_.value() << 24) | (ordinal & 0xFFFFFFU);
  while (standbys_.size() < chosen - nodes_) {
    const double u = random.uniform(kSelection, entity, draw++);
    const auto n = static_cast<std::size_t>(u * static_cast<double>(nodes_ + candidates_.size()));
    if (n >= nodes_) {
      const NodeSlot slot = candidates_[n - nodes_];
      candidates_[n - nodes_] = candidates_.back();
      candidates_.pop_back();
      at(slot).role = Role::kStandsBy;
      standbys_.push_back(slot);
      continue;
    }
    const NodeSlot slot = ranks_[n];
    if (at(slot).role != Role::kWorks || at(slot).rank != n) continue;  // vacant
    vacant_.push_back(static_cast<std::uint32_t>(n));
    at(slot).role = Role::kStandsBy;
    standbys_.push_back(slot);
  }
  FAULTLINE_CHECK(vacant_.size() == candidates_.size(), "{} places are vacant for {} nodes",
                  vacant_.size(), candidates_.size());
  moves_.clear();
  for (std::size_t n = 0; n < vacant_.size(); ++n) {
    const std::uint32_t rank = vacant_[n];
    const NodeSlot slot = candidates_[n];
    works(slot, rank);
    moves_.push_back({.rank = rank, .to = slot});
  }
  vacant_.clear();
  tail = last_;
  for (std::size_t n = in_line_ - chosen; n > 0; --n) {
    places_[tail].out = false;
    tail = places_[tail].before;
  }
  return moves_;
}

NodeSlot Gang::preempt() {
  if (others_.empty()) return {};
  const NodeSlot slot = others_.front();
  others_.erase(others_.begin());
  Place& place = at(slot);
  place.own = true;
  append(slot);
  place.role = Role::kIdle;
  idle_.insert(slot);
  return slot;
}

}  // namespace faultline
