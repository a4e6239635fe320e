// Costs that are known already, found by what matters about the question.
//
// The key is a hash of the collective and of the *canonical* state of the fabric: many states cost
// the same, and one of them stands for all. With N nodes of 8 rails, a slow NIC has 8 N places but
// two costs (at the edge of a leaf, and elsewhere).
//
//   faults of nodes that take no part         are left out
//   rail fabric                               rails are shifted round so that the list is smallest:
//                                             every plan looks the same from each rail
//   rail fabric, a ring in lockstep over      only the slowest of each kind of place is kept, on
//   nodes, no dead part, no added latency     rail 0 of the first such node: the slowest edge decides
//
// A finding holds for the whole class; only its bottleneck is that of the representative.
//
// Thread rule: `CostMemo` may be read by many threads while nobody writes. `MemoOracle`: one thread
// at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/oracle.h"

namespace faultline {

FabricState canonical_state(const Fabric& fabric, const CollectiveSpec& spec,
                            const FabricState& state);

std::uint64_t spec_key(const CollectiveSpec& spec);
std::uint64_t cost_key(std::uint64_t spec_key, std::uint64_t canonical_state_key);

// A hash table that only grows: open addressing, linear probing, at most half full.
class CostMemo {
 public:
  struct Entry {
    std::uint64_t key = 0;  // 0: empty
    CollectiveCost cost;
  };

  // Null when the key is not known.
  const CollectiveCost* find(std::uint64_t key) const {
    for (std::size_t i = key & mask_; entries_[i].key != 0; i = (i + 1) & mask_) {
      if (entries_[i].key == key) return &entries_[i].cost;
    }
    return nullptr;
  }
  // The key must be new.
  void insert(std::uint64_t key, const CollectiveCost& cost);
  std::size_t size() const { return size_; }
  // In order of the keys.
  std::vector<Entry> entries() const;

 private:
  std::vector<Entry> entries_ = std::vector<Entry>(2);
  std::size_t mask_ = 1;
  std::size_t size_ = 0;
};

// Asks another oracle once for each class. It and the memo must outlive this.
class MemoOracle final : public CollectiveOracle {
 public:
  MemoOracle(const Fabric& fabric, CollectiveOracle& source, CostMemo& memo)
      : fabric_(fabric), source_(source), memo_(memo) {}

  tl::expected<CollectiveCost, std::string> cost(const CollectiveSpec& spec,
                                                 const FabricState& state) override;

 private:
  const Fabric& fabric_;
  CollectiveOracle& source_;
  CostMemo& memo_;
};

}  // namespace faultline
