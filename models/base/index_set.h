// A set of small numbers (slots) with members in no particular order: insert, erase and pick in
// constant time, and a walk over the members.
//
//   picked = at(floor(u x size)), u uniform: each member with the same chance.
//
// The order depends on the history of inserts and erases alone, so a run is reproducible.
//
// Cost: memory for the range; `clear` costs the members. No allocation once it has grown.
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline {

template <class Id>
class IndexSet {
 public:
  explicit IndexSet(std::size_t range) : position_(range, kNowhere) {}

  bool contains(Id id) const { return position_[id.index()] != kNowhere; }
  std::size_t size() const { return members_.size(); }
  Id at(std::size_t n) const { return members_[n]; }
  const std::vector<Id>& members() const { return members_; }

  // Nothing happens if it is a member already, or none.
  void insert(Id id) {
    if (contains(id)) return;
    position_[id.index()] = static_cast<std::uint32_t>(members_.size());
    members_.push_back(id);
  }
  void erase(Id id) {
    const std::uint32_t place = position_[id.index()];
    if (place == kNowhere) return;
    const Id last = members_.back();
    members_[place] = last;
    position_[last.index()] = place;
    position_[id.index()] = kNowhere;
    members_.pop_back();
  }
  void clear() {
    for (const Id id : members_) position_[id.index()] = kNowhere;
    members_.clear();
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  std::vector<std::uint32_t> position_;
  std::vector<Id> members_;
};

}  // namespace faultline
