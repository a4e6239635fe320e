#include "sim/lab/experiments/spares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/lab/metric_values.h"
#include "sim/lab/stats/doubling_looks.h"
#include "sim/lab/stats/paired_difference.h"

namespace faultline {
namespace {

using Index = MetricIndex;
using Values = MetricRows;

constexpr double kSecondsPerHour = 3600;
constexpr std::int64_t kNeighbours = 2;
// Many pairs are looked at for a curve that falls: only what is far beyond the noise counts.
constexpr double kSureOfWorse = 0.999;

double job_gpus(const SimulationPlan& plan) {
  double gpus = 0;
  for (const auto& job : plan.jobs()) gpus += static_cast<double>(job.gpus);
  return gpus;
}

double gpu_hours_per_spare(const Scenario& scenario) {
  double gpus = 0;
  for (const PoolConfig& pool : scenario.fleet.pools) {
    gpus += static_cast<double>(pool.gpus_per_node);
  }
  return gpus * scenario.horizon.seconds() / kSecondsPerHour;
}

// The rows of the replications that both have.
std::pair<Values, Values> common(const Rows& a, const Rows& b) {
  std::pair<Values, Values> both;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.finished.size(); ++i) {
    while (j < b.finished.size() && b.finished[j] < a.finished[i]) ++j;
    if (j == b.finished.size()) break;
    if (b.finished[j] != a.finished[i]) continue;
    both.first.push_back(a.values[i]);
    both.second.push_back(b.values[j]);
  }
  return both;
}

// 0, 1, 2, 4, 8, ..., most.
std::int64_t next_to_try(std::int64_t spares, std::int64_t most) {
  return std::min(spares == 0 ? 1 : 2 * spares, most);
}

class Search {
 public:
  Search(const Scenario& scenario, const SparesQuestion& question, const SparesRun& run)
      : scenario_(scenario), question_(question), run_(run) {}

  SparesAnswer answer() {
    find_fewest();
    if (fewest_ && !stopped_) run_neighbours();
    SparesAnswer answer{.question = question_,
                        .fewest = fewest_,
                        .complete = !stopped_,
                        .gpu_hours_per_spare = gpu_hours_per_spare(scenario_)};
    for (auto& [spares, point] : points_) {
      if (!run_.rows(*point.point).finished.empty()) answer.curve.push_back(point);
    }
    for (SparesPoint& point : answer.curve) {
      point.chain = spare_chain(*point.point, run_.rows(*point.point));
    }
    if (answer.curve.empty()) return answer;
    add_steps(answer);
    look_for_worse(answer);
    ask_the_chain(answer);
    return answer;
  }

 private:
  // What a number of spares comes to; runs it if it was not run yet.
  const SparesPoint& evaluate(std::int64_t spares) {
    run_all({spares});
    return points_.at(spares);
  }

  void run_all(const std::vector<std::int64_t>& numbers) {
    std::vector<SparesPoint*> open;
    for (const std::int64_t spares : numbers) {
      SparesPoint& point = points_[spares];
      if (point.point) continue;
      point.spares = spares;
      point.point = with_spares(scenario_, question_.kind, spares);
      open.push_back(&point);
    }
    for (const std::uint32_t replications : question_.looks()) {
      if (open.empty() || stopped_) return;
      std::vector<Runner::Need> needs;
      for (const SparesPoint* point : open) needs.push_back({point->point.get(), replications});
      if (!run_.run(needs)) stopped_ = true;
      for (SparesPoint* point : open) judge(*point);
      std::erase_if(
          open, [](const SparesPoint* point) { return point->verdict != SparesVerdict::kOpen; });
    }
  }

  void judge(SparesPoint& point) const {
    const Values& rows = run_.rows(*point.point).values;
    if (rows.empty()) return;
    point.value = mean_estimate(question_.target.left.values(rows));
    point.ettr = mean_estimate(column(rows, Index::kEttr));
    point.stockout = mean_estimate(column(rows, Index::kStockout));
    point.used_max = mean_estimate(column(rows, Index::kSparesMax));
    point.replaced = mean_estimate(column(rows, Index::kReplacements));
    for (std::size_t a = 0; a < kAccounts; ++a) {
      point.lost[a] = mean_estimate(column(rows, Index::kLost + a)).mean;
    }
    point.stockouts = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const auto& row) { return row[Index::kStockout] > 0; }));
    const double error = (1 - question_.confidence) / static_cast<double>(question_.looks().size());
    ValueRange range = question_.target.range();
    if (question_.kind == SpareKind::kWarm && question_.target.left.metric() == Index::kSparesMax) {
      range = {.low = 0,
               .high = static_cast<double>(point.spares) *
                       static_cast<double>(scenario_.fleet.pools.size())};
    }
    const MeanLimits limits = mean_limits(question_.target.left.values(rows), error, range);
    const Interval& ends = limits.ends;
    point.rare = limits.rare;
    point.bound = question_.at_least() ? ends.low : ends.high;
    const double other = question_.at_least() ? ends.high : ends.low;
    point.verdict = question_.target.holds(point.bound)                  ? SparesVerdict::kMeets
                    : std::isnan(other) || question_.target.holds(other) ? SparesVerdict::kOpen
                                                                         : SparesVerdict::kMisses;
  }

  bool meets(std::int64_t spares) { return evaluate(spares).verdict == SparesVerdict::kMeets; }

  void find_fewest() {
    std::int64_t below = -1;  // does not meet it
    std::int64_t tried = 0;
    while (!meets(tried)) {
      if (stopped_ || tried == question_.most) return;
      below = tried;
      tried = next_to_try(tried, question_.most);
    }
    std::int64_t met = tried;
    while (met - below > 1 && !stopped_) {
      const std::int64_t middle = below + (met - below) / 2;
      (meets(middle) ? met : below) = middle;
    }
    if (!stopped_) fewest_ = met;
  }

  void run_neighbours() {
    std::vector<std::int64_t> numbers;
    for (std::int64_t spares = *fewest_ - kNeighbours; spares <= *fewest_ + kNeighbours; ++spares) {
      if (spares >= 0) numbers.push_back(spares);
    }
    run_all(numbers);
  }

  SparesStep step(const SparesPoint& from, const SparesPoint& to) const {
    const auto [a, b] = common(run_.rows(*from.point), run_.rows(*to.point));
    const Expression& target = question_.target.left;
    const double gpu_hours =
        job_gpus(from.point->plan()) * scenario_.horizon.seconds() / kSecondsPerHour;
    MeanEstimate kept =
        paired_difference(column(a, Index::kEttr), column(b, Index::kEttr)).difference;
    kept.mean *= gpu_hours;
    kept.error *= gpu_hours;
    return {.from = from.spares,
            .to = to.spares,
            .value = paired_difference(target.values(a), target.values(b)).difference,
            .gpu_hours = kept,
            .cost_gpu_hours =
                static_cast<double>(to.spares - from.spares) * gpu_hours_per_spare(scenario_)};
  }

  // One fewer and one more than the answer; without an answer, the whole curve.
  void add_steps(SparesAnswer& answer) const {
    for (std::size_t i = 0; i + 1 < answer.curve.size(); ++i) {
      const SparesPoint& from = answer.curve[i];
      const SparesPoint& to = answer.curve[i + 1];
      const bool here =
          !answer.fewest || from.spares == *answer.fewest || to.spares == *answer.fewest;
      if (here) answer.steps.push_back(step(from, to));
    }
  }

  void look_for_worse(SparesAnswer& answer) const {
    for (std::size_t i = 0; i + 1 < answer.curve.size() && !answer.worse; ++i) {
      const SparesStep found = step(answer.curve[i], answer.curve[i + 1]);
      const Interval ends = found.value.interval(kSureOfWorse);
      if (question_.at_least() ? ends.high < 0 : ends.low > 0) answer.worse = found;
    }
  }

  // A condition on the stock-out share is the chain's own subject; to one on the ETTR it adds the
  // losses that do not depend on spares, as simulated.
  void ask_the_chain(SparesAnswer& answer) const {
    const std::vector<std::size_t>& columns = question_.target.left.columns();
    if (columns.size() != 1) return;
    const SparesPoint& base = answer.main();
    if (!base.chain) return;
    const double other_losses = 1 - base.ettr.mean - base.stockout.mean;
    std::vector<double> row(base.point->metrics().size(), 0.0);
    for (std::int64_t spares = 0; spares <= question_.most; ++spares) {
      const std::int64_t more = spares - base.spares;
      const bool warm = question_.kind == SpareKind::kWarm;
      const auto shares = spare_chain_with(*base.chain, warm ? more : 0, warm ? 0 : more);
      if (!shares) return;
      if (columns.front() == Index::kStockout) {
        row[Index::kStockout] = shares->stockout;
      } else if (columns.front() == Index::kEttr) {
        row[Index::kEttr] = 1 - other_losses - shares->stockout;
      } else {
        return;
      }
      if (question_.target.holds(question_.target.left.at(row))) {
        answer.by_chain = spares;
        return;
      }
    }
  }

  const Scenario& scenario_;
  const SparesQuestion& question_;
  const SparesRun& run_;
  std::map<std::int64_t, SparesPoint> points_;
  std::optional<std::int64_t> fewest_;
  bool stopped_ = false;
};

}  // namespace

std::vector<std::uint32_t> SparesQuestion::looks() const {
  return doubling_looks(replications, std::max(replications, cap));
}

const SparesPoint* SparesAnswer::at(std::int64_t spares) const {
  const auto found = std::find_if(curve.begin(), curve.end(),
                                  [&](const SparesPoint& point) { return point.spares == spares; });
  return found == curve.end() ? nullptr : &*found;
}

std::shared_ptr<const Point> with_spares(const Scenario& scenario, SpareKind kind,
                                         std::int64_t spares) {
  Scenario changed = scenario;
  if (kind == SpareKind::kWarm) {
    changed.capacity.warm_spares = spares;
  } else {
    changed.capacity.spares = Limit{spares};
  }
  return std::make_shared<const Point>(std::to_string(spares), std::move(changed));
}

SparesAnswer find_spares(const Scenario& scenario, const SparesQuestion& question,
                         const SparesRun& run) {
  return Search(scenario, question, run).answer();
}

std::vector<std::shared_ptr<const Point>> all_numbers_of_spares(const Scenario& scenario,
                                                                const SparesQuestion& question) {
  std::vector<std::shared_ptr<const Point>> points;
  for (std::int64_t spares = 0; spares <= question.most + kNeighbours; ++spares) {
    points.push_back(with_spares(scenario, question.kind, spares));
  }
  return points;
}

std::vector<std::shared_ptr<const Point>> likely_numbers_of_spares(const Scenario& scenario,
                                                                   const SparesQuestion& question) {
  std::set<std::int64_t> numbers{0, question.most};
  // The ladder; as many again for the halving; the neighbours.
  for (std::int64_t spares = 0; spares < question.most;
       spares = next_to_try(spares, question.most)) {
    numbers.insert({spares, question.most - spares / 2});
  }
  for (std::int64_t more = 1; more <= 2 * kNeighbours; ++more) numbers.insert(question.most + more);
  std::vector<std::shared_ptr<const Point>> points;
  for (const std::int64_t spares : numbers) {
    points.push_back(with_spares(scenario, question.kind, spares));
  }
  return points;
}

}  // namespace faultline
