#include "sim/report/replication_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

Duration time_in(const Outage& outage, Account account) {
  if (account == Account::kRedo) return outage.work_lost;
  Duration sum;
  for (const OutagePiece& piece : outage.pieces) {
    if (piece.account == account) sum += piece.to - piece.from;
  }
  return sum;
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

std::string outage_text(const Outage& outage, const HappeningNames& names) {
  return fmt::format("{}, {} from {} on, {}: {}", names.text(outage.job),
                     spoken(outage.to - outage.from), to_string(outage.from),
                     cause_text(outage, names), phases_text(outage));
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
  if (text.empty()) text = "no more time lost in any account";
  text += fmt::format("; the jobs stood still {} times, with {} {} times.", after.outages.size(),
                      baseline_name, before.outages.size());
  if (after.outages.empty()) return text;

  const auto longest_by = [&](auto length) {
    return std::max_element(
        after.outages.begin(), after.outages.end(),
        [&](const Outage& a, const Outage& b) { return length(a) < length(b); });
  };
  const HappeningNames names(candidate);
  if (!more.empty()) {
    const Account account = more.front().account;
    const auto worst = longest_by([&](const Outage& one) { return time_in(one, account); });
    if (time_in(*worst, account) > Duration::zero()) {
      std::string of_work;
      if (account == Account::kRedo)
        of_work = fmt::format("; work lost {}", spoken(worst->work_lost));
      return text + fmt::format(" The most in {}: {}{}.", to_string(account),
                                outage_text(*worst, names), of_work);
    }
  }
  const auto longest = longest_by([](const Outage& one) { return one.to - one.from; });
  return text + fmt::format(" The longest: {}.", outage_text(*longest, names));
}

}  // namespace faultline
