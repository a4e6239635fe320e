#include "sim/report/replication_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "sim/report/happening_names.h"
#include "sim/report/happening_text.h"
#include "sim/report/outage_story.h"
#include "sim/report/outages.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

// Shares of the jobs' time below this are not worth a word.
constexpr double kWorthwhile = 0.0005;
constexpr std::size_t kMostAccounts = 2;

class OutageList final : public HappeningSink {
 public:
  explicit OutageList(const SimulationPlan& plan)
      : jobs_(plan.jobs().size()), outages_(jobs_, plan.fleet().slots()) {}

  void on(const Happening& happening) override {
    outages_.on(happening);
    for (std::size_t j = 0; j < jobs_; ++j) {
      const Outage& outage = outages_.latest(JobId(j));
      if (outage.last == happening.id) found_.push_back(outage);
    }
  }
  std::vector<Outage> take() { return std::move(found_); }

 private:
  std::size_t jobs_;
  Outages outages_;
  std::vector<Outage> found_;
};

// A replication with its outages and its ledger.
struct Replayed {
  std::vector<Outage> outages;
  std::array<double, kAccounts> lost{};
};

Replayed replay(const SimulationPlan& plan, std::uint64_t seed, std::uint32_t replication) {
  PooledDurations pooled(plan);
  RunMetrics metrics(plan, pooled);
  OutageList outages(plan);
  metrics.begin();
  Tee both(metrics, outages);
  Simulation(plan).run(RandomSource(seed, replication), both);
  Replayed replayed{.outages = outages.take()};
  for (std::size_t a = 0; a < kAccounts; ++a) {
    replayed.lost[a] = metrics.values()[MetricIndex::kLost + a];
  }
  return replayed;
}

struct Shift {
  Account account = Account::kRedo;
  double more = 0;  // share of the jobs' time
};

// Where the candidate loses more, the most first.
std::vector<Shift> shifts(const Replayed& baseline, const Replayed& candidate) {
  std::vector<Shift> found;
  for (std::size_t a = 1; a < kAccounts; ++a) {  // (0: productive)
    const double more = candidate.lost[a] - baseline.lost[a];
    if (more >= kWorthwhile) found.push_back({static_cast<Account>(a), more});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Shift& a, const Shift& b) { return a.more > b.more; });
  return found;
}

Duration cost(const Outage& outage) { return outage.to - outage.from + outage.work_lost; }

struct Toll {
  std::size_t stops = 0;
  Duration cost;
  const Outage* costliest = nullptr;
};

// What stopped the jobs, by its name.
std::string cause(const Outage& outage, const HappeningNames& names) {
  return outage.fault_class.valid() ? names.text(outage.fault_class) : "repairs";
}

std::map<std::string, Toll> tolls(const std::vector<Outage>& outages, const HappeningNames& names) {
  std::map<std::string, Toll> by_cause;
  for (const Outage& outage : outages) {
    Toll& toll = by_cause[cause(outage, names)];
    ++toll.stops;
    toll.cost += cost(outage);
    if (toll.costliest == nullptr || cost(*toll.costliest) < cost(outage)) toll.costliest = &outage;
  }
  return by_cause;
}

std::string toll_text(const Toll& toll) {
  return fmt::format("{} stop{} that cost {}", toll.stops, toll.stops == 1 ? "" : "s",
                     spoken(toll.cost));
}

std::string outage_text(const Outage& outage, const HappeningNames& names) {
  std::string text = fmt::format("{}, {} from {} on, {}: {}", names.text(outage.job),
                                 spoken(outage.to - outage.from), to_string(outage.from),
                                 cause_text(outage, names), phases_text(outage));
  if (outage.work_lost > Duration::zero()) {
    text += fmt::format("; work lost {}", spoken(outage.work_lost));
  }
  return text;
}

}  // namespace

std::string replication_story(const SimulationPlan& baseline, const SimulationPlan& candidate,
                              std::uint64_t seed, std::uint32_t replication,
                              const std::string& baseline_name) {
  const Replayed before = replay(baseline, seed, replication);
  const Replayed after = replay(candidate, seed, replication);
  std::vector<Shift> more = shifts(before, after);
  more.resize(std::min(more.size(), kMostAccounts));

  std::string text;
  for (const Shift& shift : more) {
    text +=
        fmt::format("{}{} in {}", text.empty() ? "" : ", ",
                    change_text(Expression::Unit::kRatio, shift.more), to_string(shift.account));
  }
  text += text.empty() ? "No more time lost in any account." : ".";

  const HappeningNames names(candidate);
  const auto of_baseline = tolls(before.outages, HappeningNames(baseline));
  const auto of_candidate = tolls(after.outages, names);
  const auto increase = [&](const auto& one) {
    const auto there = of_baseline.find(one.first);
    return there == of_baseline.end() ? one.second.cost : one.second.cost - there->second.cost;
  };
  const auto most =
      std::max_element(of_candidate.begin(), of_candidate.end(),
                       [&](const auto& a, const auto& b) { return increase(a) < increase(b); });
  if (most == of_candidate.end() || increase(*most) <= Duration::zero()) return text;
  const auto there = of_baseline.find(most->first);
  return text + fmt::format(" What cost more is {}: {}, with {} {}. The costliest: {}.",
                            most->first, toll_text(most->second), baseline_name,
                            there == of_baseline.end() ? "none" : toll_text(there->second),
                            outage_text(*most->second.costliest, names));
}

}  // namespace faultline
