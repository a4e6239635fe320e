#include "sim/engine/calendar.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "models/base/check.h"

namespace faultline {

Calendar::Calendar() : tree_(2, kEmpty), leaves_(1), slot_of_(1), free_leaves_{0} {}

void Calendar::clear() {
  for (std::size_t i = 0; i < front_size_; ++i) where_[front_[i].slot] = kNowhere;
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
  const Key key = (Key{static_cast<std::uint64_t>(at.ns())} << 64) | order;
  if (in_tree_ > 0 && key > tree_[1]) {
    insert_in_tree(key, slot);
    return;
  }
  if (front_size_ == kFront) {
    if (key > front_[0].key) {
      insert_in_tree(key, slot);
      return;
    }
    insert_in_tree(front_[0].key, front_[0].slot);
    std::move(front_.begin() + 1, front_.end(), front_.begin());
    --front_size_;
  }
  insert_in_front(key, slot);
}

void Calendar::cancel(Slot slot) {
  const std::uint32_t where = std::exchange(where_[slot], kNowhere);
  if (where == kNowhere) return;
  if (where != kInFront) {
    erase_from_tree(where);
    return;
  }
  for (std::size_t i = find_in_front(slot); i + 1 < front_size_; ++i) front_[i] = front_[i + 1];
  --front_size_;
}

SimTime Calendar::at(Slot slot) const {
  const std::uint32_t where = where_[slot];
  if (where == kNowhere) return SimTime::never();
  return time_of(where == kInFront ? front_[find_in_front(slot)].key : tree_[leaves_ + where]);
}

std::size_t Calendar::find_in_front(Slot slot) const {
  std::size_t i = front_size_ - 1;
  while (front_[i].slot != slot) --i;
  return i;
}

void Calendar::insert_in_front(Key key, Slot slot) {
  std::size_t i = front_size_++;
  for (; i > 0 && front_[i - 1].key < key; --i) front_[i] = front_[i - 1];
  front_[i] = {.key = key, .slot = slot};
  where_[slot] = kInFront;
}

void Calendar::refill() {
  // Half full, so that what is expected next finds room.
  while (in_tree_ > 0 && front_size_ < kFront / 2) {
    constexpr Key kLeafMask = (Key{1} << kLeafBits) - 1;
    const Key key = tree_[1];
    const auto leaf = static_cast<std::uint32_t>(key & kLeafMask);
    erase_from_tree(leaf);
    // Later than all that are there: in front of them.
    for (std::size_t i = front_size_++; i > 0; --i) front_[i] = front_[i - 1];
    front_[0] = {.key = key & ~kLeafMask, .slot = slot_of_[leaf]};
    where_[slot_of_[leaf]] = kInFront;
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
