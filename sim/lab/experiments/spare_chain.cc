#include "sim/lab/experiments/spare_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "models/base/units.h"
#include "sim/engine/metrics.h"

namespace faultline {
namespace {

using Index = MetricIndex;

constexpr double kLongEnough = 20;  // times the mean time out, for a steady state
constexpr double kWorthNoting = 0.0005;
constexpr double kSlowStart = 0.01;  // of the run

double mean_of(const Rows& rows, std::size_t metric) {
  double sum = 0;
  std::size_t n = 0;
  for (const std::vector<double>& row : rows.values) {
    if (std::isnan(row[metric])) continue;
    sum += row[metric];
    ++n;
  }
  return n == 0 ? 0 : sum / static_cast<double>(n);
}

bool exponential(const Distribution& distribution) {
  return distribution.text().starts_with("!exponential") ||
         (distribution.is_fixed() && distribution.mean_seconds() == 0);
}

// Whether a fault of the class can lead to the loss of a node.
bool strikes_nodes(const FaultClass& fault_class) {
  const FaultClassConfig& config = *fault_class.config;
  return config.rate && config.rate->count > 0 && config.unit() != ExposureUnit::kJob &&
         config.effect != FaultEffect::kPlanned;
}

bool ends_in_replacement(const FaultClassConfig& config) {
  const bool at_once =
      config.clears && config.clears->is_fixed() && config.clears->mean_seconds() == 0;
  return !at_once && (!config.signals.empty() || config.fails_restart);
}

// Of the time out, not its law: unlimited crews, and nothing that depends on which of two came
// first.
bool only_the_mean_matters(const analytic::SparePool& pool) {
  if (pool.cold_spares.unlimited()) return true;
  const bool shelf_far_away = pool.cold_spares.count > 0 && pool.lead > Duration::zero();
  return pool.crews.unlimited() && (pool.manual_share == 0 || pool.manual_crews.unlimited()) &&
         !shelf_far_away;
}

void find_breaks_of_shop(const RepairShopConfig& shop, SpareChain& chain) {
  const auto look_at = [&](const char* name, const RepairStageConfig& stage) {
    if (stage.success < 1) {
      chain.breaks.push_back(fmt::format("a repair does not always help: shop.{}.success {}", name,
                                         ratio_to_string(stage.success)));
    }
    if (!only_the_mean_matters(chain.pool) && !exponential(stage.takes)) {
      chain.breaks.push_back(
          fmt::format("repair is not exponential: shop.{}.takes {}", name, stage.takes.text()));
    }
  };
  look_at("automatic", shop.automatic);
  if (shop.escalates > 0) look_at("manual", shop.manual);
  if (shop.retire.threshold || shop.retire.score) {
    chain.breaks.push_back("machines are given up (`shop.retire`), so the pool shrinks");
  }
}

void find_breaks(const Point& point, const Rows& rows, SpareChain& chain) {
  const Scenario& scenario = point.scenario();
  for (const FaultClass& fault_class : point.plan().classes()) {
    const FaultClassConfig& config = *fault_class.config;
    if (!config.strikes.empty()) {
      chain.breaks.push_back(fmt::format(
          "the failure rate is not constant: `{}` strikes at given instants", config.name));
    }
    if (!strikes_nodes(fault_class) || !ends_in_replacement(config)) continue;
    if (config.weibull_shape && *config.weibull_shape != 1) {
      chain.breaks.push_back(fmt::format(
          "the failure rate is not constant: machines age under `{}` (Weibull shape {})",
          config.name, *config.weibull_shape));
    }
    if (*level_of(config.unit()) < DomainLevel::kNode) {
      chain.breaks.push_back(
          fmt::format("machines do not fail independently: `{}` strikes whole {}s", config.name,
                      to_string(config.unit())));
    }
  }
  if (!only_the_mean_matters(chain.pool)) {
    const CapacityConfig& capacity = scenario.capacity;
    if (!exponential(capacity.launch) || !exponential(capacity.registration)) {
      chain.breaks.push_back(fmt::format("the way from the stock is not exponential: launch {}",
                                         capacity.launch.text()));
    }
    if (!capacity.shop && !exponential(capacity.returns_after)) {
      chain.breaks.push_back(fmt::format("repair is not exponential: returns_after {}",
                                         capacity.returns_after.text()));
    }
    if (capacity.insufficient.probability > 0) {
      chain.breaks.push_back(
          "launches are refused now and then: their retries are not exponential");
    }
  }
  if (scenario.capacity.shop) find_breaks_of_shop(*scenario.capacity.shop, chain);
  if (scenario.faults.lemons) {
    chain.breaks.push_back("machines are not alike: some are lemons (`faults.lemons`)");
  }
  if (const double late = mean_of(rows, Index::kRegistrationTimeouts); late > 0) {
    chain.breaks.push_back(fmt::format(
        "{:.1f} launches a run were given up: they outlast `policy.registration_ttl`", late));
  }
  if (mean_of(rows, Index::kGateBlocked) > 0) {
    chain.breaks.push_back(fmt::format("the safety gate held {:.1f} repairs a run back",
                                       mean_of(rows, Index::kGateBlocked)));
  }
  bool may_move = true;
  for (const auto& job : point.plan().jobs()) may_move = may_move && job.config->may_move;
  if (!may_move) {
    chain.breaks.push_back("a spare takes nobody's place: `may_move: false`");
  }
  if (point.plan().jobs().size() > 1) {
    chain.breaks.push_back(fmt::format("{} jobs share the pool; the chain knows one gang",
                                       point.plan().jobs().size()));
  }
}

double mean_seconds_until_granted(const InsufficientCapacityConfig& insufficient) {
  const double p = insufficient.probability;
  return p < 1 ? p / (1 - p) * insufficient.retry.seconds() : 0;
}

// A limited stock, and where machines come back from; the mean time of that in seconds.
double set_up_repair(const Scenario& scenario, analytic::SparePool& pool) {
  const CapacityConfig& capacity = scenario.capacity;
  const double drain = facts_of(scenario.policy, scenario.controllers).shortest_drain.seconds();
  pool.cold_spares = capacity.spares;
  pool.lead =
      Duration::from_seconds(capacity.launch.mean_seconds() + capacity.registration.mean_seconds() +
                             mean_seconds_until_granted(capacity.insufficient));
  if (!capacity.shop) {
    const double repair =
        drain + capacity.terminate.mean_seconds() + capacity.returns_after.mean_seconds();
    pool.repair = Duration::from_seconds(repair);
    return repair;
  }
  const RepairShopConfig& shop = *capacity.shop;
  const double automatic = drain + shop.automatic.takes.mean_seconds();
  pool.repair = Duration::from_seconds(automatic);
  pool.crews = shop.automatic.crews;
  pool.manual_share = shop.escalates;
  if (shop.escalates == 0) return automatic;
  pool.manual = Duration::from_seconds(shop.manual.takes.mean_seconds());
  pool.manual_crews = shop.manual.crews;
  return automatic + shop.escalates * shop.manual.takes.mean_seconds();
}

tl::expected<analytic::SparePoolShares, std::string> solve(const analytic::SparePool& pool) {
  return analytic::has_product_form(pool) ? analytic::spare_pool_by_product_form(pool)
                                          : analytic::spare_pool(pool);
}

}  // namespace

tl::expected<SpareChain, std::string> spare_chain(const Point& point, const Rows& rows) {
  const SimulationPlan& plan = point.plan();
  const CapacityConfig& capacity = point.scenario().capacity;
  const double replaced = mean_of(rows, Index::kReplacements);
  if (!(replaced > 0)) return tl::unexpected(std::string("no node was replaced"));
  if (plan.fleet().pools().size() != 1) {
    return tl::unexpected(
        fmt::format("it knows one pool, and the fleet has {}", plan.fleet().pools().size()));
  }
  SpareChain chain;
  std::int64_t working = 0;
  for (const auto& job : plan.jobs()) working += job.config->nodes;
  chain.pool.nodes = working;
  chain.pool.warm_spares = static_cast<std::int64_t>(plan.fleet().slots()) - working;

  bool idle_ones_fail = false;
  for (const FaultClass& fault_class : plan.classes()) {
    idle_ones_fail =
        idle_ones_fail || (strikes_nodes(fault_class) && ends_in_replacement(*fault_class.config) &&
                           fault_class.config->clock == FaultClock::kAlways);
  }
  const double out = mean_of(rows, Index::kMttr + 3) + mean_of(rows, Index::kMttr + 4);
  if (!(out > 0) && mean_of(rows, Index::kRegistrationTimeouts) > 0) {
    return tl::unexpected(std::string(
        "no machine registers within `policy.registration_ttl` (`infinite` waits for them)"));
  }
  const double horizon = point.scenario().horizon.seconds();
  const double exposed =
      idle_ones_fail
          ? static_cast<double>(plan.fleet().slots()) * horizon - replaced * out
          : static_cast<double>(working) * horizon * (1 - mean_of(rows, Index::kStockout));
  chain.pool.failures_per_second = replaced / exposed;
  chain.pool.idle_failures_per_second = idle_ones_fail ? chain.pool.failures_per_second : 0;

  const bool back_at_once = !capacity.shop && capacity.returns_after.mean_seconds() == 0;
  double longest = out;
  if (capacity.spares.unlimited() || back_at_once) {
    if (!(out > 0)) return tl::unexpected(std::string("a replaced node is back at once"));
    chain.pool.cold_spares = Limit{};
    chain.pool.lead = Duration::from_seconds(out);
  } else {
    longest = set_up_repair(point.scenario(), chain.pool);
    if (!(longest > 0)) return tl::unexpected(std::string("a repair takes no time"));
  }
  find_breaks(point, rows, chain);
  if (horizon < kLongEnough * longest) {
    chain.breaks.push_back(fmt::format(
        "the run is too short for a steady state: {:.1f} times the mean time out of {:.1f} h",
        horizon / longest, longest / 3600));
  }
  double before = 0;
  for (const Account account : {Account::kDetect, Account::kTolerate, Account::kGate}) {
    before += mean_of(rows, Index::kLost + static_cast<std::size_t>(account));
  }
  if (before > kWorthNoting) {
    chain.notes.push_back(
        fmt::format("it begins when a replacement is decided: the {:.1f}% of the time that the job "
                    "is down before "
                    "(detection, tolerance, gate) is not in it",
                    100 * before));
  }
  if (longest > kSlowStart * horizon && horizon >= kLongEnough * longest) {
    chain.notes.push_back(fmt::format(
        "it is the steady state, and a run begins with every spare at hand: it takes about "
        "{:.0f}% of the run to get there, with fewer stock-outs than the chain's",
        100 * longest / horizon));
  }
  auto shares = solve(chain.pool);
  if (!shares) return tl::unexpected(shares.error());
  chain.shares = *std::move(shares);
  return chain;
}

tl::expected<analytic::SparePoolShares, std::string> spare_chain_with(const SpareChain& chain,
                                                                      std::int64_t more_warm,
                                                                      std::int64_t more_cold) {
  analytic::SparePool pool = chain.pool;
  pool.warm_spares += more_warm;
  if (!pool.cold_spares.unlimited()) pool.cold_spares.count += more_cold;
  return solve(pool);
}

}  // namespace faultline
