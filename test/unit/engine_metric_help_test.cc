// Every metric has a sentence that explains it, and every sentence a metric.
#include <gtest/gtest.h>

#include <set>

#include "sim/engine/metric_help.h"
#include "sim/engine/metric_names.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

TEST(MetricHelp, NamesWhatThereIs) {
  std::set<std::string_view> helped;
  for (const MetricHelp& metric : metric_helps()) {
    EXPECT_TRUE(helped.insert(metric.name).second) << metric.name << " stands there twice";
    EXPECT_TRUE(metric.text.ends_with('.')) << metric.name;
  }
  // Those that need a shop, a gang or an end of the work are not in this one.
  std::set<std::string_view> unused = helped;
  const EventfulWorld world;
  const SimulationPlan plan(world.scenario);
  const std::vector<MetricName> names = metric_names(plan);
  for (const MetricName& metric : names) {
    EXPECT_TRUE(helped.contains(metric.name)) << metric.name << " is not explained";
    unused.erase(metric.name);
  }
  const std::set<std::string_view> of_shops{"completion_seconds",     "completed_ratio",
                                            "host_selections_total",  "preemptions_total",
                                            "machines_to_shop_total", "repairs_automatic_total",
                                            "repairs_manual_total",   "repairs_mended_total",
                                            "repairs_failed_total",   "machines_retired_total"};
  EXPECT_EQ(unused, of_shops);
}

TEST(MetricHelp, NamesWithoutTheirUnit) {
  EXPECT_EQ(without_unit("ettr_ratio"), "ettr");
  EXPECT_EQ(without_unit("gate_blocked_seconds"), "gate_blocked");
  EXPECT_EQ(without_unit("spares_used_max"), "spares_used_max");
  EXPECT_EQ(without_unit("_total"), "_total");
}

}  // namespace
}  // namespace faultline
