// What no other point beats in both of two ways: the choices that a trade-off leaves.
//
// Thread rule: pure function.
#pragma once

#include <vector>

namespace faultline {

// Of points with a gain (larger is better) and a price (smaller is better): true where no other point has at
// least the gain at no more than the price, and one of the two better. Of equal points all or none are in.
// A NaN is in for nothing and beats nobody.
//
//   gain 1, 2, 3, 3 at price 1, 1, 5, 4: only 2 at 1 and 3 at 4.
std::vector<bool> pareto_set(const std::vector<double>& gain, const std::vector<double>& price);

}  // namespace faultline
