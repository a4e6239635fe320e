// What is wrong with a fabric: the list of its degraded and dead elements, sorted, one entry each.
//
// A fault on a switch holds for every cable at it. Faults that meet on a cable multiply their
// bandwidths and add their latencies; the same element named twice keeps its worst values.
//
// `key()` is a 64-bit hash of the list: equal states have equal keys in every process and on every
// machine.
//
// Thread rule: immutable values; share freely.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/time.h"
#include "models/fleet/fabric.h"

namespace faultline {

struct FabricFault {
  ElementId element;
  double bandwidth = 0;    // share that is left: 0 is dead, 1 is as new
  Duration extra_latency;  // a lossy cable's retransmissions, for each message

  bool dead() const { return bandwidth == 0; }
  bool operator==(const FabricFault&) const = default;
};

class FabricState {
 public:
  FabricState() : FabricState(std::vector<FabricFault>{}) {}
  explicit FabricState(std::vector<FabricFault> faults);

  const std::vector<FabricFault>& faults() const { return faults_; }
  bool healthy() const { return faults_.empty(); }
  std::uint64_t key() const { return key_; }
  bool operator==(const FabricState& other) const { return faults_ == other.faults_; }

 private:
  std::vector<FabricFault> faults_;  // ordered by element
  std::uint64_t key_ = 0;
};

// A 64-bit hash made of words, the same everywhere (the finaliser of splitmix64, Steele et al.,
// OOPSLA 2014).
class WordHash {
 public:
  void add(std::uint64_t word);
  void add(double value);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x9E3779B97F4A7C15U;
};

}  // namespace faultline
