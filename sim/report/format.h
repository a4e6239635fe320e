// How a report writes a number for a person.
//
//   number(1077.23, 1)   1,077.2
//   counted(1, "run")    1 run
//   percent(0.8314)      83.1%
//   brief(698)           11m38s       the notation of scenario files, cut to two units
//   bar(0.5, 8)          ####
//
// What is not known (NaN) is a dash.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/statistics.h"

namespace faultline {

std::string number(double value, int decimals);
// "1 replication", "2,000 replications".
std::string counted(std::size_t n, std::string_view noun);
std::string percent(double ratio, int decimals = 1);
// As a shell takes it for one word: quoted where it has to be.
std::string shell_word(std::string_view word);

// Seconds as a short duration: 0s (below 1.5 ms), 350ms, 7.6s, 43s, 11m38s, 2h47m, 3.2d.
std::string brief(double seconds);

// A margin, everywhere: "MEAN UNIT +- MARGIN", the unit said once.
//
//   418.9 +- 2.9      83.1% +- 0.2      +0.58 pp +- 0.05      11m38s +- 12s (seconds have their own units)
//
// With as many decimals as the margin deserves: one digit of it, at least `least_decimals`, at most three.
// The mean alone if there is no margin, or one too narrow to show.
std::string with_margin(double mean, double margin, std::string_view unit, int least_decimals = 1);
std::string brief_with_margin(double seconds, double margin);

// Of a mean and the half-width of its 95% interval.
std::string with_margin(const Summary& summary);
// "83.1% +- 0.2" of a ratio.
std::string percent_with_margin(const Summary& summary);
// "11m38s +- 12s" of seconds.
std::string brief_with_margin(const Summary& summary);
// The one of these that fits the unit.
std::string with_margin(const Summary& summary, Expression::Unit unit);
// A value alone: "83.1%", "0.012%", "11m38s", "418.9", "7".
std::string value_text(double value, Expression::Unit unit);

// `#` for each part of `width`, rounded; at least one for anything above zero.
std::string bar(double share, int width);

}  // namespace faultline
