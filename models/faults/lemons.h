// Which machines are lemons: at the start exactly floor(share x machines) of them, drawn without
// replacement; later launches of new machines are lemons with that probability each.
//
// A lemon stays one wherever it stands, until a repair mends it.
//
// The draw is Floyd's algorithm (Bentley and Floyd, Communications of the ACM 30, 1987): for
// j = n-m .. n-1, draw t from 0..j and take t, or j if t is taken already. Every set of m out of n
// has the same chance, and the cost grows with the lemons alone.
//
// Worked example. 15% of 4,360 machines: floor(654.0) = 654 lemons.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>

#include "models/base/ids.h"
#include "models/base/index_set.h"
#include "models/base/random.h"

namespace faultline {

class Lemons {
 public:
  // share 0: there are none, and nothing here costs anything.
  Lemons(double share, std::size_t machines) : share_(share), lemons_(share > 0 ? machines : 0) {
    // A share such as 15% is a hair below its value in binary: 654 is not 653.99999.
    count_ = static_cast<std::size_t>(share * static_cast<double>(machines) + 1e-9);
    machines_ = machines;
  }

  bool exist() const { return share_ > 0; }
  void begin(const RandomSource& random);
  void begin(RandomSource&&) = delete;  // it is asked until the next `begin`
  // Of the machines that are known by number.
  bool contains(MachineId machine) const { return exist() && lemons_.contains(machine); }
  void mend(MachineId machine) {
    if (exist()) lemons_.erase(machine);
  }
  const std::vector<MachineId>& members() const { return lemons_.members(); }
  // Of a machine that the provider launches new.
  bool launched(NodeId node) const;

 private:
  double share_;
  std::size_t machines_ = 0;
  std::size_t count_ = 0;
  IndexSet<MachineId> lemons_;
  const RandomSource* random_ = nullptr;
};

}  // namespace faultline
