#include "sim/engine/calendar.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "models/base/check.h"

namespace faultline {

Calendar::Calendar() : tree_(2, kEmpty), leaves_(1), slot_of_(1), free_leaves_{0} {}

void Calendar::clear() {
  fill_hole();
  for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf) {
    if (tree_[leaves_ + leaf] == kEmpty) continue;
    leaf_of_[slot_of_[leaf]] = kNoLeaf;
    free_leaves_.push_back(leaf);
  }
  std::fill(tree_.begin(), tree_.end(), kEmpty);
  // Which leaf a slot borrows has no effect on the order; sorted, it is the same in every run.
  std::sort(free_leaves_.begin(), free_leaves_.end(), std::greater<>());
  pending_ = 0;
  sequence_ = 0;
}

void Calendar::grow(std::size_t slots) {
  if (slots > leaf_of_.size()) leaf_of_.resize(slots, kNoLeaf);
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

void Calendar::schedule(Slot slot, SimTime at, std::uint8_t priority) {
  if (at.is_never()) {
    cancel(slot);
    return;
  }
  std::uint32_t leaf = leaf_of_[slot];
  if (leaf == kNoLeaf) {
    if (hole_ != kNoLeaf) {
      leaf = std::exchange(hole_, kNoLeaf);
    } else {
      if (free_leaves_.empty()) double_leaves();
      leaf = free_leaves_.back();
      free_leaves_.pop_back();
    }
    leaf_of_[slot] = leaf;
    slot_of_[leaf] = slot;
    ++pending_;
  }
  const std::uint64_t order =
      (std::uint64_t{priority} << kPriorityShift) | (sequence_++ << kLeafBits) | leaf;
  set(leaf, (Key{static_cast<std::uint64_t>(at.ns())} << 64) | order);
}

void Calendar::cancel(Slot slot) {
  const std::uint32_t leaf = leaf_of_[slot];
  if (leaf == kNoLeaf) return;
  leaf_of_[slot] = kNoLeaf;
  free_leaves_.push_back(leaf);
  --pending_;
  set(leaf, kEmpty);
}

SimTime Calendar::at(Slot slot) const {
  const std::uint32_t leaf = leaf_of_[slot];
  return leaf == kNoLeaf ? SimTime::never() : time_of(tree_[leaves_ + leaf]);
}

Calendar::Due Calendar::pop() {
  fill_hole();
  const auto order = static_cast<std::uint64_t>(tree_[1]);
  const auto leaf = static_cast<std::uint32_t>(order & ((std::uint64_t{1} << kLeafBits) - 1));
  const Due due{.at = time_of(tree_[1]),
                .slot = slot_of_[leaf],
                .priority = static_cast<std::uint8_t>(order >> kPriorityShift)};
  leaf_of_[due.slot] = kNoLeaf;
  hole_ = leaf;
  --pending_;
  return due;
}

}  // namespace faultline
