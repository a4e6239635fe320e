#include "models/detectors/agent_noise.h"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace faultline::noise {
namespace {

double aligned(double work, double period, double stalled) {
  if (stalled >= period) return std::numeric_limits<double>::infinity();
  return work * stalled / (period - stalled);
}

// Form (3). Between two lengths p is a straight line; `lengths` ascending.
double independent(double nodes, double work, double period, const std::vector<double>& lengths) {
  double alive = static_cast<double>(lengths.size());
  double remaining = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  double expected = 0;
  double from = 0;
  for (const double to : lengths) {
    const auto power = [&](double x) {
      const double quiet = 1 - (alive * (work - x) + remaining) / period;
      return std::pow(std::max(quiet, 0.0), nodes + 1);
    };
    expected += to - from - period / (alive * (nodes + 1)) * (power(to) - power(from));
    from = to;
    remaining -= to;
    --alive;
  }
  return expected;
}

// What a node may stall in a period, by length: how many stalls are longer than x, and the sum of
// what these exceed x by.
struct StallLengths {
  double longest;
  std::function<double(double)> longer;
  std::function<double(double)> excess;
};

StallLengths known(const std::vector<double>& lengths) {
  const auto longer = [lengths](double x) {
    return static_cast<double>(
        std::count_if(lengths.begin(), lengths.end(), [x](double l) { return l > x; }));
  };
  const auto excess = [lengths](double x) {
    double sum = 0;
    for (const double length : lengths) sum += std::max(length - x, 0.0);
    return sum;
  };
  return {.longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()),
          .longer = longer,
          .excess = excess};
}

// Nodes that do `work` between two meetings and then wait for `slack` at least.
struct Workers {
  double nodes;
  double work;
  double slack;
};

// Forms (4) and (7), by the middles of kCells cells of the delay: G = first + again G, a linear
// system.
double long_run(const std::vector<Workers>& gang, double period, const StallLengths& stall) {
  constexpr int kCells = 200;
  if (stall.longest == 0) return 0;
  const double cell = stall.longest / kCells;
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(kCells, kCells);
  Eigen::VectorXd first(kCells);
  std::vector<double> fresh(gang.size());
  for (int i = 0; i < kCells; ++i) {
    const double x = (i + 0.5) * cell;
    for (std::size_t g = 0; g < gang.size(); ++g) {
      const double exceeds = x + gang[g].slack;
      fresh[g] = gang[g].work * stall.longer(exceeds) + stall.excess(exceeds);
    }
    const auto somebody_exceeds_x = [&](int waited_cells) {
      double log_nobody = 0;
      for (std::size_t g = 0; g < gang.size(); ++g) {
        const double over = stall.excess(x + waited_cells * cell + 2 * gang[g].slack);
        log_nobody += gang[g].nodes * std::log1p(-std::min((fresh[g] - over) / period, 1.0));
      }
      return -std::expm1(log_nobody);
    };
    first[i] = somebody_exceeds_x(0);
    double before = first[i];
    for (int j = 0; j < kCells; ++j) {
      const double after = somebody_exceeds_x(j + 1);
      system(i, j) -= after - before;
      before = after;
    }
  }
  return cell * system.partialPivLu().solve(first).sum();
}

// `each`: how many bursts of a node count as nodes of their own.
std::vector<Workers> workers(const SynchronisedGang& gang, double work, std::int64_t each) {
  const auto bursts = static_cast<double>(each);
  const double others = static_cast<double>(gang.nodes - 1) * bursts;
  if (gang.slowest == 1) return {{.nodes = others + bursts, .work = work, .slack = 0}};
  const double slow = work / gang.slowest;
  if (gang.nodes == 1) return {{.nodes = bursts, .work = slow, .slack = 0}};
  return {{.nodes = others, .work = work, .slack = slow - work},
          {.nodes = bursts, .work = slow, .slack = 0}};
}

double choose(std::int64_t n, std::int64_t k) {
  double ways = 1;
  for (std::int64_t i = 0; i < k; ++i) {
    ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return ways;
}

// q: so many bursts of a node at a time do no harm.
std::int64_t harmless(const Monitoring& m) { return m.spare_cores / m.cores; }

// Form (5).
double jittered_independent(const SynchronisedGang& gang, double work, const Monitoring& m) {
  const std::int64_t q = harmless(m);
  const double period = m.period.seconds();
  const double burst = m.burst.seconds();
  if (q >= m.tasks) return 0;
  if (q == 0) return long_run(workers(gang, work, m.tasks), period, known({burst}));
  const double share = burst / period;
  const double others = static_cast<double>(q);
  const double per_period = static_cast<double>(m.tasks) * choose(m.tasks - 1, q) *
                            std::pow(share, others) *
                            std::pow(1 - share, static_cast<double>(m.tasks - 1 - q));
  const auto left = [burst](double x) { return std::max(1 - x / burst, 0.0); };
  return long_run(workers(gang, work, 1), period,
                  {.longest = burst,
                   .longer = [=](double x) { return per_period * std::pow(left(x), others); },
                   .excess =
                       [=](double x) {
                         return per_period * burst / (others + 1) * std::pow(left(x), others + 1);
                       }});
}

// Form (6).
double jittered_stalled(const Monitoring& m) {
  if (harmless(m) >= m.tasks) return 0;
  const boost::math::binomial_distribution<double> active(static_cast<double>(m.tasks),
                                                          m.burst.seconds() / m.period.seconds());
  return m.period.seconds() * cdf(complement(active, static_cast<double>(harmless(m))));
}

std::vector<Burst> bursts_of(const Monitoring& m, InsideNode inside) {
  std::vector<Burst> bursts;
  for (std::int64_t task = 0; task < m.tasks; ++task) {
    const Duration phase = inside == InsideNode::kQueued ? m.burst * task : Duration::zero();
    bursts.push_back({.phase = phase, .length = m.burst, .cores = m.cores});
  }
  return bursts;
}

std::vector<double> ascending_seconds(const std::vector<Duration>& lengths) {
  std::vector<double> seconds;
  for (const Duration length : lengths) seconds.push_back(length.seconds());
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

double bursts_at_once(double nodes, const Monitoring& m, InsideNode inside, AcrossNodes across) {
  const double tasks = static_cast<double>(m.tasks);
  if (across == AcrossNodes::kIndependent) {
    return nodes * tasks * m.burst.seconds() / m.period.seconds();
  }
  return inside == InsideNode::kTogether ? nodes * tasks : nodes;
}

}  // namespace

std::vector<Duration> stalls(Duration period, std::int64_t spare_cores,
                             const std::vector<Burst>& bursts) {
  std::map<Duration, std::int64_t> changes;  // when, and by how many cores
  std::int64_t demand = 0;                   // before the first change
  for (const Burst& burst : bursts) {
    const Duration start = burst.phase % period;
    const Duration end = start + burst.length;
    const bool wraps = end >= period;
    changes[start] += burst.cores;
    changes[wraps ? end - period : end] -= burst.cores;
    if (wraps) demand += burst.cores;
  }

  const bool open_at_start = demand > spare_cores;
  std::vector<Duration> lengths;
  Duration since;
  for (const auto& [at, cores] : changes) {
    const bool stalled = demand > spare_cores;
    demand += cores;
    if (stalled == (demand > spare_cores)) continue;
    if (stalled) {
      lengths.push_back(at - since);
    } else {
      since = at;
    }
  }
  if (demand <= spare_cores) return lengths;
  // It goes on at the end of the period, so it did at the start.
  const Duration tail = period - since;
  if (open_at_start && !lengths.empty()) {
    lengths.front() += tail;
  } else {
    lengths.push_back(tail);
  }
  return lengths;
}

double aligned_delay_seconds(Duration work, Duration period, Duration stalled) {
  return aligned(work.seconds(), period.seconds(), stalled.seconds());
}

double independent_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                                 Duration stall) {
  return independent(static_cast<double>(nodes), work.seconds(), period.seconds(),
                     {stall.seconds()});
}

double independent_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                                 const std::vector<Duration>& stalls) {
  return independent(static_cast<double>(nodes), work.seconds(), period.seconds(),
                     ascending_seconds(stalls));
}

double long_run_delay_seconds(std::int64_t nodes, Duration work, Duration period,
                              const std::vector<Duration>& stalls) {
  return long_run(workers({.nodes = nodes}, work.seconds(), 1), period.seconds(),
                  known(ascending_seconds(stalls)));
}

Monitoring monitoring_of(const MonitoringConfig& config, std::int64_t spare_cores) {
  return {.tasks = config.tasks,
          .period = config.period,
          .burst = config.burst,
          .cores = config.cores,
          .spare_cores = spare_cores};
}

double noise_slowdown(const SynchronisedGang& gang, const Monitoring& monitoring, InsideNode inside,
                      AcrossNodes across) {
  const double work = gang.step.seconds() / static_cast<double>(gang.meetings);
  const double slow = work / gang.slowest;
  const double period = monitoring.period.seconds();
  const bool is_aligned = across == AcrossNodes::kAligned;
  if (inside == InsideNode::kJittered) {
    return (is_aligned ? aligned(slow, period, jittered_stalled(monitoring))
                       : jittered_independent(gang, work, monitoring)) /
           slow;
  }
  const std::vector<double> lengths = ascending_seconds(
      stalls(monitoring.period, monitoring.spare_cores, bursts_of(monitoring, inside)));
  return (is_aligned ? aligned(slow, period, std::accumulate(lengths.begin(), lengths.end(), 0.0))
                     : long_run(workers(gang, work, 1), period, known(lengths))) /
         slow;
}

std::array<NoiseArrangement, 6> compare_arrangements(const SynchronisedGang& gang,
                                                     const Monitoring& monitoring) {
  std::array<NoiseArrangement, 6> all;
  auto next = all.begin();
  for (const InsideNode inside :
       {InsideNode::kTogether, InsideNode::kJittered, InsideNode::kQueued}) {
    for (const AcrossNodes across : {AcrossNodes::kAligned, AcrossNodes::kIndependent}) {
      *next++ = {
          .inside = inside,
          .across = across,
          .slowdown = noise_slowdown(gang, monitoring, inside, across),
          .at_once = bursts_at_once(static_cast<double>(gang.nodes), monitoring, inside, across)};
    }
  }
  return all;
}

double saturating_nodes(Duration work, Duration period, Duration stall) {
  return period.seconds() / (work + stall).seconds();
}

}  // namespace faultline::noise
