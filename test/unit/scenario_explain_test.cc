// `explain`, the JSON Schema and the reference page.
#include "sim/scenario/explain.h"

#include <gtest/gtest.h>

#include "sim/scenario/reference.h"
#include "sim/scenario/schema.h"
#include "test/support/scenario_demo.h"

namespace faultline::demo {
namespace {

std::string explained(const std::string& path, bool recursive = false) {
  const auto text = explain(*describe<Demo>(), path, recursive);
  return text ? *text : "error: " + text.error();
}

TEST(ScenarioExplain, AValue) {
  EXPECT_EQ(explained("parts.factor"), R"(FIELD     parts.factor
TYPE      number
RANGE     at least 0.2, at most 10
DEFAULT   0.5
MEANING   A number.
)");
}

TEST(ScenarioExplain, AFieldOfOneKindOnly) {
  EXPECT_EQ(explained("policy.tolerations"), R"(FIELD     policy.tolerations  (of !repair)
TYPE      map to duration
RANGE     0 or more
DEFAULT   {}
MEANING   Patience by condition.
)");
}

TEST(ScenarioExplain, FieldsBelow) {
  EXPECT_EQ(explained("workloads[llama3].checkpoint"),
            R"(FIELD     workloads[llama3].checkpoint  (of !training)
TYPE      map
MEANING   Checkpoints.

FIELDS
  every  <duration>  default 10m
      Work between two.
  blocks  <duration>  default 5s
      Time that one stops the steps.
)");
}

TEST(ScenarioExplain, BracketsAreOptional) {
  for (const std::string path :
       {"fleet.pools.nodes", "fleet.pools[].nodes", "fleet.pools[0].nodes"}) {
    EXPECT_EQ(explained(path), "FIELD     " + path + R"(
TYPE      count
RANGE     more than 0
DEFAULT   none: it must be given
MEANING   Nodes.
)");
  }
}

TEST(ScenarioExplain, RequiredAndRecursive) {
  EXPECT_EQ(explained("fleet", true), R"(FIELD     fleet
TYPE      map
MEANING   The machines.

FIELDS
  pools  <list of map>  required
      The node pools.
      name  <text>  required
          Name of the pool.
      nodes  <count>  required
          Nodes.
      gpu  <text>  default H100-80GB
          GPU model.
)");
}

TEST(ScenarioExplain, OneKindOfAVariant) {
  EXPECT_EQ(explained("workloads[!inference].replicas"),
            R"(FIELD     workloads[!inference].replicas  (of !inference)
TYPE      count
RANGE     0 or more
DEFAULT   2
MEANING   Replicas.
)");
}

TEST(ScenarioExplain, ParameterOfADistribution) {
  EXPECT_EQ(explained("parts.launch.median"), R"(FIELD     parts.launch.median  (of !lognormal)
TYPE      duration
RANGE     more than 0
DEFAULT   none
MEANING   Half of the times are shorter; goes with `p95`.
)");
}

TEST(ScenarioExplain, UnknownPaths) {
  EXPECT_EQ(explained("policy.toleration"),
            "error: there is no field `toleration` below `policy`; did you mean tolerations?");
  EXPECT_EQ(explained("flet"), "error: there is no field `flet`; did you mean fleet?");
  EXPECT_EQ(explained("parts.colour"),
            "error: there is no field `colour` below `parts` (expected latching, factor, coverage, "
            "memory, link, spares, rate, effect, xids or launch)");
  EXPECT_EQ(explained("horizon.days"),
            "error: there is no field `days` below `horizon`, which is a single value");
  EXPECT_EQ(explained("workloads[!trainig].nodes"),
            "error: there is no field `!trainig` below `workloads`; did you mean !training?");
  EXPECT_EQ(explained("fleet."), "error: a name is missing in the path");
  EXPECT_EQ(explained("fleet[a"), "error: the `[` in the path is not closed");
}

TEST(ScenarioExplain, ReferenceHasEveryField) {
  const std::string page = reference_page(*describe<Demo>());
  EXPECT_NE(page.find("## `fleet.pools[]`"), std::string::npos);
  EXPECT_NE(page.find("| `nodes` | count | more than 0 | **required** | Nodes. |"),
            std::string::npos);
  EXPECT_NE(page.find("## `workloads[] !training.checkpoint`"), std::string::npos);
  EXPECT_NE(page.find("## `a distribution !lognormal`"), std::string::npos);
}

TEST(ScenarioSchema, SaysWhatTheLoaderChecks) {
  const std::string schema = json_schema(*describe<Demo>(), "demo");
  EXPECT_EQ(
      schema.substr(0, 97),
      "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"demo\","
      "\n  \"type\": \"obje");
  EXPECT_NE(schema.find("\"additionalProperties\": false"), std::string::npos);
  EXPECT_NE(schema.find("\"maximum\": 10"), std::string::npos);
  EXPECT_NE(schema.find("\"#/$defs/distribution\""), std::string::npos);
}

}  // namespace
}  // namespace faultline::demo
