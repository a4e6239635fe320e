#include "sim/control/calendar.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "models/base/check.h"

namespace faultline {

Calendar::Calendar() : tree_(2, kEmpty), leaves_(1), slot_of_(1), free_leaves_{0} {}

void Calendar::clear() {
  for (std::size_t i = 0; i < front_size_; ++i) where_[front_slot_[i]] = kNowhere;
  front_size_ = 0;
  if (in_tree_ > 0) {
    for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf) {
      if (tree_[leaves_ + leaf] == kEmpty) continue;
      where_[slot_of_[leaf]] = kNowhere;
      free_leaves_.push_back(leaf);
    }
    std::fill(tree_.begin(), tree_.end(), kEmpty);
    in_tree_ = 0;
  }
  sequence_ = 0;
}

void Calendar::grow(std::size_t slots) {
  if (slots > where_.size()) where_.resize(slots, kNowhere);
}

void Calendar::schedule(Slot slot, SimTime at, std::uint8_t priority) {
  if (where_[slot] != kNowhere) cancel(slot);
  if (at.is_never()) return;
  const std::uint64_t order =
      (std::uint64_t{priority} << kPriorityShift) | (sequence_++ << kLeafBits);
  const Key key = key_of(at.ns(), order);
  if (in_tree_ > 0 && key > tree_[1]) {
    insert_in_tree(key, slot);
    return;
  }
  if (front_size_ == kFront) {
    const std::size_t last = latest();
    const Key moves = front_key(last);
    if (key > moves) {
      insert_in_tree(key, slot);
      return;
    }
    const Slot mover = front_slot_[last];
    erase_from_front(last);
    insert_in_tree(moves, mover);
  }
  add_to_front(at.ns(), order, slot);
}

void Calendar::cancel(Slot slot) {
  const std::uint32_t where = std::exchange(where_[slot], kNowhere);
  if (where == kNowhere) return;
  if (where >= kInFront) {
    erase_from_front(where - kInFront);
    where_[slot] = kNowhere;
  } else {
    erase_from_tree(where);
  }
}

SimTime Calendar::at(Slot slot) const {
  const std::uint32_t where = where_[slot];
  if (where == kNowhere) return SimTime::never();
  return time_of(where >= kInFront ? front_key(where - kInFront) : tree_[leaves_ + where]);
}

std::size_t Calendar::latest() const {
  std::size_t place = 0;
  for (std::size_t i = 1; i < kFront; ++i) {
    if (front_key(i) > front_key(place)) place = i;
  }
  return place;
}

void Calendar::refill() {
  // Half full, so that what is expected next finds room.
  while (in_tree_ > 0 && front_size_ < kFront / 2) {
    constexpr Key kLeafMask = (Key{1} << kLeafBits) - 1;
    const Key key = tree_[1];
    const auto leaf = static_cast<std::uint32_t>(key & kLeafMask);
    erase_from_tree(leaf);
    add_to_front(time_of(key).ns(), static_cast<std::uint64_t>(key & ~kLeafMask), slot_of_[leaf]);
  }
}

void Calendar::insert_in_tree(Key key, Slot slot) {
  if (free_leaves_.empty()) double_leaves();
  const std::uint32_t leaf = free_leaves_.back();
  free_leaves_.pop_back();
  slot_of_[leaf] = slot;
  where_[slot] = leaf;
  ++in_tree_;
  set(leaf, key | leaf);
}

void Calendar::erase_from_tree(std::uint32_t leaf) {
  free_leaves_.push_back(leaf);
  --in_tree_;
  set(leaf, kEmpty);
}

void Calendar::set(std::uint32_t leaf, Key key) {
  std::size_t node = leaves_ + leaf;
  tree_[node] = key;
  while (node > 1) {
    const Key sibling = tree_[node ^ 1];
    key = sibling < key ? sibling : key;
    node /= 2;
    if (tree_[node] == key) return;
    tree_[node] = key;
  }
}

void Calendar::double_leaves() {
  FAULTLINE_CHECK(leaves_ < (1U << kLeafBits), "more than {} events are pending", leaves_);
  std::vector<Key> tree(4 * std::size_t{leaves_}, kEmpty);
  std::copy(tree_.begin() + leaves_, tree_.end(), tree.begin() + 2 * leaves_);
  for (std::uint32_t leaf = 2 * leaves_; leaf-- > leaves_;) free_leaves_.push_back(leaf);
  leaves_ *= 2;
  slot_of_.resize(leaves_);
  for (std::size_t node = leaves_; node-- > 1;) {
    tree[node] = std::min(tree[2 * node], tree[2 * node + 1]);
  }
  tree_ = std::move(tree);
}

}  // namespace faultline
