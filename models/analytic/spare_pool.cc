#include "models/analytic/spare_pool.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "models/base/check.h"

namespace faultline::analytic {
namespace {

constexpr std::size_t kMostStates = 30'000;
constexpr double kEdgeShare = 1e-13;
constexpr double kResidual = 1e-12;
constexpr double kRare = 1e8;  // times as likely as the null state

struct State {
  std::int64_t lead = 0;    // l
  std::int64_t repair = 0;  // in the first stage
  std::int64_t manual = 0;  // in the second
  auto operator<=>(const State&) const = default;
};

struct Transition {
  State to;
  double rate = 0;
};

double served(std::int64_t machines, Limit crews, Duration mean) {
  const std::int64_t busy = crews.unlimited() ? machines : std::min(machines, crews.count);
  return static_cast<double>(busy) / mean.seconds();
}

std::int64_t in_repair(const State& state) { return state.repair + state.manual; }

std::int64_t waiting(const SparePool& pool, const State& state) {
  if (pool.cold_spares.unlimited()) return 0;
  return std::max<std::int64_t>(0, in_repair(state) - pool.cold_spares.count);
}

std::int64_t out_of(const SparePool& pool, const State& state) {
  return state.lead + waiting(pool, state);
}

double failure_rate(const SparePool& pool, std::int64_t out) {
  const std::int64_t fit = pool.nodes + pool.warm_spares - out;
  const std::int64_t at_work = pool.gang && fit < pool.nodes ? 0 : std::min(fit, pool.nodes);
  return static_cast<double>(at_work) * pool.failures_per_second +
         static_cast<double>(fit - at_work) * pool.idle_failures_per_second;
}

// A machine comes back from repair: it lies on the shelf, or whoever waits longest gets it.
State repaired(const SparePool& pool, State state, bool someone_waited) {
  if (someone_waited && pool.lead > Duration::zero()) ++state.lead;
  return state;
}

std::array<Transition, 5> transitions(const SparePool& pool, const State& state) {
  const bool limited = !pool.cold_spares.unlimited();
  const bool someone_waits = waiting(pool, state) > 0;

  State failed = state;
  if (limited) ++failed.repair;
  const bool from_shelf = waiting(pool, failed) == waiting(pool, state);
  if (from_shelf && pool.lead > Duration::zero()) ++failed.lead;

  State mended = state;
  --mended.repair;
  State escalated = mended;
  ++escalated.manual;
  State by_hand = state;
  --by_hand.manual;
  State arrived = state;
  --arrived.lead;

  const double ends = served(state.repair, pool.crews, pool.repair);
  return {{{failed, failure_rate(pool, out_of(pool, state))},
           {repaired(pool, mended, someone_waits), ends * (1 - pool.manual_share)},
           {escalated, ends * pool.manual_share},
           {repaired(pool, by_hand, someone_waits),
            state.manual == 0 ? 0 : served(state.manual, pool.manual_crews, pool.manual)},
           {arrived, state.lead == 0 ? 0 : served(state.lead, Limit{}, pool.lead)}}};
}

void check(const SparePool& pool) {
  FAULTLINE_CHECK(pool.nodes > 0 && pool.warm_spares >= 0, "a pool without machines");
  FAULTLINE_CHECK(pool.failures_per_second > 0, "machines that never fail");
  FAULTLINE_CHECK(pool.crews.count != 0 && pool.manual_crews.count != 0, "a shop without a crew");
  FAULTLINE_CHECK(pool.repair > Duration::zero() && pool.manual > Duration::zero(),
                  "a repair that takes no time");
  FAULTLINE_CHECK(!pool.cold_spares.unlimited() || pool.lead > Duration::zero(),
                  "an endless shelf at no distance");
}

// The figures from the shares of the time of `out`.
SparePoolShares figures(const SparePool& pool, std::vector<double> out, std::size_t states) {
  SparePoolShares shares{.out = std::move(out), .states = states};
  double unserved = 0;
  for (std::size_t n = 0; n < shares.out.size(); ++n) {
    const auto missing = static_cast<std::int64_t>(n);
    const double rate = shares.out[n] * failure_rate(pool, missing);
    shares.mean_out += shares.out[n] * static_cast<double>(missing);
    shares.spares_in_use +=
        shares.out[n] * static_cast<double>(std::min(missing, pool.warm_spares));
    shares.failures_per_second += rate;
    if (missing >= pool.warm_spares) unserved += rate;
  }
  // From the small end, so that a rare stock-out keeps its digits.
  for (std::size_t n = shares.out.size(); n-- > static_cast<std::size_t>(pool.warm_spares) + 1;) {
    shares.stockout += shares.out[n];
  }
  shares.finds_none = unserved / shares.failures_per_second;
  return shares;
}

// The states within `most` machines in repair or under way, and the rates between them.
struct Chain {
  std::vector<State> states;                  // the null state first
  std::vector<Eigen::Triplet<double>> rates;  // (to, from, rate)
  std::vector<bool> edge;                     // something was cut off here
  bool too_large = false;
};

Chain chain_within(const SparePool& pool, std::int64_t most) {
  Chain chain;
  std::map<State, int> known{{State{}, 0}};
  chain.states.emplace_back();
  for (std::size_t i = 0; i < chain.states.size(); ++i) {
    if (chain.states.size() > kMostStates) {
      chain.too_large = true;
      return chain;
    }
    const State from = chain.states[i];
    chain.edge.push_back(false);
    for (const Transition& transition : transitions(pool, from)) {
      if (transition.rate <= 0) continue;
      const State& to = transition.to;
      if (to.lead + in_repair(to) > most) {
        chain.edge.back() = true;
        continue;
      }
      const auto [place, is_new] = known.emplace(to, static_cast<int>(chain.states.size()));
      if (is_new) chain.states.push_back(to);
      chain.rates.emplace_back(place->second, static_cast<int>(i), transition.rate);
    }
  }
  return chain;
}

// What leaves each state.
std::vector<double> exit_rates(const Chain& chain) {
  std::vector<double> rates(chain.states.size(), 0.0);
  for (const auto& rate : chain.rates) rates[static_cast<std::size_t>(rate.col())] += rate.value();
  return rates;
}

// pi Q = 0 without the equation of one state, whose pi is 1: that makes the right-hand side. Empty
// if the factorisation fails.
Eigen::VectorXd solve_pinned(const Chain& chain, const std::vector<double>& exits, int pinned) {
  const auto n = static_cast<int>(chain.states.size());
  const auto row = [&](int state) { return state < pinned ? state : state - 1; };
  std::vector<Eigen::Triplet<double>> balance;
  balance.reserve(chain.rates.size() + chain.states.size());
  Eigen::VectorXd from_pinned = Eigen::VectorXd::Zero(n - 1);
  for (const auto& rate : chain.rates) {
    if (rate.row() == pinned) continue;
    if (rate.col() == pinned) {
      from_pinned[row(rate.row())] -= rate.value();
    } else {
      balance.emplace_back(row(rate.row()), row(rate.col()), rate.value());
    }
  }
  for (int i = 0; i < n; ++i) {
    if (i != pinned) balance.emplace_back(row(i), row(i), -exits[static_cast<std::size_t>(i)]);
  }
  Eigen::SparseMatrix<double> matrix(n - 1, n - 1);
  matrix.setFromTriplets(balance.begin(), balance.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.compute(matrix);
  if (lu.info() != Eigen::Success) return {};
  const Eigen::VectorXd others = lu.solve(from_pinned);
  Eigen::VectorXd pi(n);
  pi << others.head(pinned), 1, others.tail(n - 1 - pinned);
  return pi;
}

struct Stationary {
  std::vector<double> shares;  // empty: not found
  double residual = 0;
};

// The null state is pinned. If it turns out to be rare, the matrix is next to singular: the solution
// has the right shape and no right scale, not even a sign, so the most likely state is pinned
// instead.
Stationary solve(const Chain& chain) {
  const std::vector<double> exits = exit_rates(chain);
  Eigen::VectorXd pi = solve_pinned(chain, exits, 0);
  Eigen::Index likely = 0;
  if (pi.size() > 0 && pi.cwiseAbs().maxCoeff(&likely) > kRare) {
    pi = solve_pinned(chain, exits, static_cast<int>(likely));
  }
  if (pi.size() == 0 || !pi.allFinite()) return {};
  pi /= pi.sum();

  Eigen::VectorXd flow = Eigen::VectorXd::Zero(pi.size());
  for (const auto& rate : chain.rates) flow[rate.row()] += rate.value() * pi[rate.col()];
  for (Eigen::Index i = 0; i < pi.size(); ++i)
    flow[i] -= exits[static_cast<std::size_t>(i)] * pi[i];
  const double largest = *std::max_element(exits.begin(), exits.end());
  // Rounding leaves tiny negative shares where the true ones are smaller still.
  if (pi.minCoeff() < -kEdgeShare) return {};
  pi = pi.cwiseMax(0.0);
  return {.shares = {pi.data(), pi.data() + pi.size()},
          .residual = flow.lpNorm<Eigen::Infinity>() / largest};
}

}  // namespace

std::int64_t SparePoolShares::quantile(double q) const {
  double sum = 0;
  for (std::size_t n = 0; n < out.size(); ++n) {
    sum += out[n];
    if (sum >= q) return static_cast<std::int64_t>(n);
  }
  return static_cast<std::int64_t>(out.size()) - 1;
}

tl::expected<SparePoolShares, std::string> spare_pool(const SparePool& pool) {
  check(pool);
  const std::int64_t shelf = pool.cold_spares.unlimited() ? 0 : pool.cold_spares.count;
  // One dimension is small enough to have all of it.
  std::int64_t most = has_product_form(pool) ? std::numeric_limits<std::int64_t>::max()
                                             : pool.warm_spares + shelf + 16;
  while (true) {
    const Chain chain = chain_within(pool, most);
    if (chain.too_large) {
      return tl::unexpected("the chain of the spare pool has more than " +
                            std::to_string(kMostStates) + " states");
    }
    const Stationary stationary = solve(chain);
    if (stationary.shares.empty() || stationary.residual > kResidual) {
      return tl::unexpected(
          std::string("the chain of the spare pool has no solution in floating point"));
    }
    double edge = 0;
    std::vector<double> out;
    for (std::size_t i = 0; i < chain.states.size(); ++i) {
      const auto missing = static_cast<std::size_t>(out_of(pool, chain.states[i]));
      if (missing >= out.size()) out.resize(missing + 1, 0.0);
      out[missing] += stationary.shares[i];
      if (chain.edge[i]) edge += stationary.shares[i];
    }
    if (edge < kEdgeShare) {
      SparePoolShares shares = figures(pool, std::move(out), chain.states.size());
      shares.residual = stationary.residual;
      return shares;
    }
    most += most / 2;
  }
}

bool has_product_form(const SparePool& pool) {
  if (pool.cold_spares.unlimited()) return true;
  return pool.manual_share == 0 && pool.lead == Duration::zero();
}

SparePoolShares spare_pool_by_product_form(const SparePool& pool) {
  check(pool);
  FAULTLINE_CHECK(has_product_form(pool), "a pool of several stages has no product form");
  const bool endless = pool.cold_spares.unlimited();
  const std::int64_t shelf = endless ? 0 : pool.cold_spares.count;
  const auto out_at = [&](std::int64_t n) { return std::max<std::int64_t>(0, n - shelf); };
  std::vector<double> logs{0.0};
  for (std::int64_t n = 0;; ++n) {
    const double up = failure_rate(pool, out_at(n));
    if (up <= 0) break;
    const double down =
        endless ? served(n + 1, Limit{}, pool.lead) : served(n + 1, pool.crews, pool.repair);
    logs.push_back(logs.back() + std::log(up / down));
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  std::vector<double> out(
      static_cast<std::size_t>(out_at(static_cast<std::int64_t>(logs.size()) - 1)) + 1, 0.0);
  double sum = 0;
  for (std::size_t n = 0; n < logs.size(); ++n) {
    const double weight = std::exp(logs[n] - largest);
    sum += weight;
    out[static_cast<std::size_t>(out_at(static_cast<std::int64_t>(n)))] += weight;
  }
  for (double& share : out) share /= sum;
  return figures(pool, std::move(out), logs.size());
}

}  // namespace faultline::analytic
