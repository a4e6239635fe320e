// Which of k points are the best: a set that holds the best one with the stated confidence, and how
// far each point is from the best of the others.
//
// The procedure: multiple comparisons with the best (Hsu 1984) for unequal variances (Edwards and
// Hsu, "Multiple comparisons with the best treatment", JASA 78 (1983) 965-971), with Bonferroni
// paired-t critical values, which hold under common random numbers (Clark and Yang, "A Bonferroni
// selection procedure when using common random numbers with unknown variances", WSC 1986; Nelson
// and Matejcik, "Using common random numbers for indifference-zone selection and multiple
// comparisons in simulation", Management Science 41 (1995) 1935-1945). The set is that of
// screen-to-the-best (Nelson, Swann, Goldsman and Song, Operations Research 49 (2001) 950-963).
//
// With m_i the means, e_ij the error of the paired difference of i and j, and
//
//   W_ij = t(n - 1, 1 - (1 - confidence) / (k - 1)) e_ij
//
// the interval of mu_i - max of the other mu_j is
//
//   high_i = max(0, min over j != i of  m_i - m_j + W_ij)
//   low_i  = 0 if i alone is in the set, else min(0, min over j != i in the set of  m_i - m_j - W_ij)
//
// and the set holds every i with m_i - m_j + W_ij >= 0 for all j. All k intervals hold at once, and
// the set holds the best, with at least the stated confidence: both follow from the k - 1 events
// m_i - m_b - (mu_i - mu_b) <= W_ib about the true best b, whatever the correlations are.
//
// Errors: none. A single point is the best one.
// Thread rule: pure function.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

inline constexpr std::string_view kSelectionProcedure =
    "multiple comparisons with the best (Edwards and Hsu 1983), Bonferroni on paired differences";

struct Selection {
  std::vector<std::size_t> ranked;  // points, the best mean first; equal ones in their order
  std::vector<bool> may_be_best;    // per point: in the set
  // Per point: mu_i - max of the others. Where smaller is better, the sign is turned: above 0 is better.
  std::vector<Interval> to_best_other;
};

// systems[i][r]: the value of point i in replication r; as many rows for all, at least two, no NaN.
Selection select_best(const std::vector<std::vector<double>>& systems, double confidence,
                      bool larger_is_better);

}  // namespace faultline
