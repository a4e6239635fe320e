// Never is not now: what takes longer than the run does and what takes for ever come to the same. Every duration
// of every scenario that the project ships is set beyond the horizon and to `infinite`: each metric of each
// replication is equal, to the last bit, or both are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/scenario/field_path.h"
#include "sim/scenario/memory_files.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/shape.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const ReplicationOptions kOptions{.seed = 1, .replications = 2};

// The paths of all durations, of defaults too.
void find_durations(const Tree& tree, const Shape& maybe_optional, const std::string& path,
                    std::vector<std::string>& paths) {
  const Shape& shape = without_optional(maybe_optional);
  if (shape.kind == Shape::Kind::kScalar && shape.type == "duration") {
    if (tree.kind == Tree::Kind::kScalar) paths.push_back(path);
    return;
  }
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    if (shape.kind != Shape::Kind::kList) break;
    find_durations(tree.items[i], *shape.element, with_element(path, tree.items[i], i), paths);
  }
  const Shape* const fields = shape.struct_of(tree.tag);
  for (const TreeEntry& entry : tree.entries) {
    const Field* const field = fields == nullptr ? nullptr : fields->field(entry.key);
    const Shape* const below = field != nullptr                  ? field->shape.get()
                               : shape.kind == Shape::Kind::kMap ? shape.element.get()
                                                                 : nullptr;
    if (below != nullptr) find_durations(entry.value, *below, with_key(path, entry.key), paths);
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class Durations : public testing::TestWithParam<const char*> {};

TEST_P(Durations, BeyondTheHorizonIsForEver) {
  const Scenario shipped = project_scenario(GetParam(), {"horizon=4d"});
  const std::string text = show_scenario(shipped, true);
  const MemoryFiles files({{"a.yaml", text}});
  const auto tree = load_scenario_tree("a.yaml", {}, files);
  ASSERT_TRUE(tree) << tree.error().render();
  std::vector<std::string> paths;
  find_durations(*tree, *describe<Scenario>(), "", paths);
  ASSERT_GT(paths.size(), 10U);
  std::size_t compared = 0;
  for (const std::string& path : paths) {
    if (path == "horizon") continue;
    const auto with = [&](const char* value) {
      return load_scenario("a.yaml", {{.text = path + "=" + value}}, files);
    };
    const auto longer = with("4000d");
    const auto endless = with("infinite");
    // A step of the network, a poll: some cannot be endless, some not even long.
    if (!longer || !endless) continue;
    const ReplicationTable a = run_scenario(*longer, kOptions);
    const ReplicationTable b = run_scenario(*endless, kOptions);
    ++compared;
    for (std::size_t r = 0; r < a.values.size(); ++r) {
      for (std::size_t m = 0; m < a.names.size(); ++m) {
        EXPECT_TRUE(same(a.values[r][m], b.values[r][m]))
            << path << ": " << a.names[m].text() << " is " << a.values[r][m] << " with 4000d and "
            << b.values[r][m] << " with infinite";
      }
    }
  }
  EXPECT_GT(compared, paths.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Durations,
                         testing::Values("agent-noise", "byterobust", "failslow-512", "llama3",
                                         "llama3-fabric", "rsc1", "rsc1-repair", "rsc1-shop",
                                         "rsc2", "small"));

}  // namespace
}  // namespace faultline
