// The report of `tune`, from made-up results: what it says in which case.
#include "sim/report/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "sim/report/curve.h"
#include "sim/report/tune_text.h"
#include "test/support/plain_scenario.h"

namespace faultline {
namespace {

using testing::HasSubstr;
using testing::Not;

MeanEstimate known(double mean, double error = 0) {
  return {.n = 101, .mean = mean, .error = error, .degrees = 100};
}

// Points 0m, 1m, ... of one knob or 2 x 2 of two, that own 8 GPUs for 10 h each.
class Case {
 public:
  explicit Case(const std::vector<std::string>& knobs, const std::string& objective = "ettr") {
    knobs_ = parse_knobs(knobs).value();
    const auto combinations = grid(knobs_);
    for (const auto& combination : combinations) {
      loaded_.emplace_back(label(knobs_, combination), plain_scenario(1, 10_h));
    }
    for (const Point& point : loaded_) {
      points_.push_back({.point = &point,
                         .objective = Objective::parse(objective, point).value(),
                         .conditions = {}});
    }
    results_.grid = points_.size();
    results_.points.resize(points_.size());
    results_.precision = 0.001;
    results_.difference_confidence = 0.99;
    results_.finished = results_.decided = true;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      TunedPoint& point = results_.points[i];
      point.replications = 101;
      point.precise = true;
      point.level = known(0.9 - 0.01 * static_cast<double>(i), 0.0004);
      point.behind = known(0.01 * static_cast<double>(i), 0.001);
      point.gpu_hours = known(0.8 * static_cast<double>(i), 0.1);
      point.needless = 30 - 10 * static_cast<double>(i);
      point.more_needless = known(-10 * static_cast<double>(i));
      point.contest.standing = i == 0 ? PointStanding::kContender : PointStanding::kBeaten;
      point.pareto = true;
    }
    results_.recommended = 0;
  }

  TuneResults& results() { return results_; }
  TuneReport report() const { return {knobs_, points_, results_, 7}; }
  std::string text() const { return to_text(tune_document(report()), {}); }

 private:
  std::vector<Knob> knobs_;
  std::vector<Point> loaded_;
  std::vector<TunePoint> points_;
  TuneResults results_;
};

const std::vector<std::string> kWindow{"policy.tolerations.Ready=0s..4m/1m"};

TEST(Curve, ABandOnItsScale) {
  const Scale scale{.low = 0, .high = 10};
  EXPECT_EQ(drawn_band(scale, 5, {4, 6}, 11), "....-o-....");
  EXPECT_EQ(drawn_band(scale, 0, {0, 0}, 11), "o..........");
  EXPECT_EQ(drawn_band({1, 1}, 1, {1, 1}, 3), ".o.");
  EXPECT_EQ(shade(scale, 0), ' ');
  EXPECT_EQ(shade(scale, 10), '@');
  // The better end may be the lower one.
  EXPECT_EQ(shade({.low = 10, .high = 0}, 0), '@');
}

TEST(TuneText, NumbersInTheUnitOfTheObjective) {
  using Unit = Objective::Unit;
  const MeanEstimate estimate{.n = 101, .mean = 0.8359, .error = 0.0004, .degrees = 100};
  EXPECT_EQ(tune_text::level(estimate, Unit::kRatio, 0.95), "83.59% +- 0.08");
  EXPECT_EQ(tune_text::change(known(0.0057, 0.0001), Unit::kRatio, 0.95), "0.57 pp +- 0.02");
  EXPECT_EQ(tune_text::change(known(120816, 3000), Unit::kGpuHours, 0.95), "120,816 +- 5,952");
  EXPECT_EQ(tune_text::level(known(200), Unit::kSeconds, 0.95), "3m20s");
}

TEST(TuneReport, TheZoneInWords) {
  Case it(kWindow);
  EXPECT_EQ(zone_text(it.report()),
            "No other value is within noise of it: the other 4 are worse (95%).");
  it.results().points[1].contest.standing = PointStanding::kContender;
  EXPECT_EQ(zone_text(it.report()), "Within noise of the best (95%): 0s and 1m.");
  it.results().points[2].contest.standing = PointStanding::kContender;
  EXPECT_EQ(zone_text(it.report()), "Anything from 0s to 2m is within noise of the best (95%).");
  it.results().points[4].contest.standing = PointStanding::kContender;
  EXPECT_EQ(zone_text(it.report()), "Within noise of the best (95%): 0s to 2m; 4m.");
  it.results().points[3].contest.standing = PointStanding::kContender;
  EXPECT_EQ(zone_text(it.report()), "All values are within noise of the best (95%).");
}

TEST(TuneReport, TheRecommendationAgainstThePresentSetting) {
  Case it(kWindow);
  it.results().present = 2;
  // t(100, 99.5%) = 2.6259; 80 GPU-hours are owned.
  EXPECT_THAT(it.text(), HasSubstr("0s: ettr 90.00% +- 0.08\n"));
  EXPECT_THAT(it.text(),
              HasSubstr("Against the present setting, 2m, it is 2.00 pp +- 0.26 better. Worth 1.6 "
                        "+- 0.3 GPU-hours in 10h\n    (2.00% of all that are owned); needless "
                        "replacements: 20 more.\n"));
  it.results().present = 0;
  EXPECT_THAT(it.text(), HasSubstr("It is the present setting."));
}

TEST(TuneReport, APresentSettingInTheZoneMayStay) {
  Case it(kWindow);
  it.results().present = 1;
  it.results().points[1].contest.standing = PointStanding::kContender;
  it.results().points[1].behind = known(0.0001, 0.001);
  EXPECT_THAT(it.text(), HasSubstr("no difference is detectable: 0.01 pp +- 0.26;"));
  EXPECT_THAT(it.text(), HasSubstr("Nothing speaks for a change."));
  EXPECT_THAT(it.text(), HasSubstr("Of these, 1m needs the fewest needless replacements: 10 fewer "
                                   "than 0s."));
}

TEST(TuneReport, APresentSettingThatIsBeatenByAnUnknownAmount) {
  Case it(kWindow);
  it.results().present = 1;
  it.results().points[1].behind = known(0.002, 0.001);
  EXPECT_THAT(it.text(), HasSubstr("The present setting, 1m, is not the best (95%), but how far "
                                   "it is behind is open: 0.20 pp +- 0.26;"));
}

TEST(TuneReport, WithoutAFeasiblePointThereIsNoRecommendation) {
  Case it(kWindow);
  it.results().recommended.reset();
  EXPECT_THAT(it.text(), HasSubstr("None: no value is known to meet the conditions (95%)."));
  EXPECT_THAT(tune_json(it.report()), HasSubstr("\"recommendation\": null"));
}

TEST(TuneReport, WhatIsNotAsSureAsAskedForIsSaid) {
  Case it(kWindow);
  EXPECT_THAT(it.text(), Not(HasSubstr("wider than")));
  it.results().points[3].precise = false;
  it.results().points[3].level.error = 0.001;
  it.results().decided = false;
  it.results().tie = 0.0002;
  EXPECT_THAT(it.text(), HasSubstr("The bands of 1 of 5 values are wider than +-0.10 pp, the "
                                   "widest is +-0.20 pp."));
  EXPECT_THAT(it.text(), HasSubstr("Not decided to within 0.02 pp"));
  it.results().finished = false;
  EXPECT_THAT(it.text(), HasSubstr("Stopped early:"));
}

TEST(TuneReport, TwoKnobsAreAMap) {
  Case it({"policy.tolerations.Ready=0m,1m", "policy.gate=off,20%"});
  it.results().points[1].contest.standing = PointStanding::kContender;
  it.results().points[3].contest.standing = PointStanding::kInfeasible;
  EXPECT_THAT(it.text(), HasSubstr("        off     20%\n"
                                   "  0m  90.0%*  89.0%~\n"
                                   "  1m  88.0%   87.0%x\n"));
}

TEST(TuneReport, AWideMapIsShaded) {
  Case it({"policy.tolerations.Ready=0m,1m", "capacity.warm_spares=0..39/1"});
  const std::string text = it.text();
  EXPECT_THAT(text, HasSubstr("0 to 39\n"));
  EXPECT_THAT(text, HasSubstr("|O@"));
  EXPECT_THAT(text, HasSubstr("  |\n"));
}

TEST(TuneReport, CsvHasALinePerPoint) {
  Case it({"policy.tolerations.Ready=0m,1m"});
  EXPECT_THAT(tune_csv(it.report()),
              testing::StartsWith(
                  "policy.tolerations.Ready,n,objective,objective_low,objective_high,standing,"
                  "feasible,pareto,behind,more_gpu_hours,ettr_ratio,replacements_total,"
                  "needless_replacements_total\n0m,101,0.9,0.8992"));
}

}  // namespace
}  // namespace faultline
