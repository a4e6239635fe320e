#include "sim/engine/kernel.h"

namespace faultline {

Kernel::Kernel(std::size_t jobs, std::size_t node_slots, std::size_t machines)
    : layout_(jobs, 2 * node_slots, machines), nodes_(node_slots) {
  calendar_.grow(layout_.slots(0));
}

void Kernel::begin(const RandomSource& random, Duration horizon) {
  random_ = &random;
  now_ = SimTime::start();
  end_ = SimTime::at(horizon);
  next_happening_ = 0;
  calendar_.clear();
  agenda_.clear();
  nodes_.clear();
}

}  // namespace faultline
