// What StepPace says of a state is what step_time says of it, part by part, on random small fabrics.
#include "models/collectives/step_pace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "models/collectives/oracle.h"
#include "test/support/small_fabric.h"

namespace faultline {
namespace {

constexpr double kTolerance = 1e-9;  // of a step of seconds

// A step that fits: pp over nodes where it divides them, tp inside them, dp outermost.
TrainingStep fitting_step(const Fabric& fabric) {
  const std::int64_t tp = fabric.gpus_per_node();
  const std::int64_t nodes = fabric.nodes();
  const std::int64_t stages = *rc::gen::inRange(1, 4);
  const std::int64_t pp = nodes % stages == 0 ? stages : 1;
  const std::int64_t cp = *rc::gen::arbitrary<bool>() ? 1 : tp;
  return {.model =
              {.parameters = 8e9, .layers = 32, .hidden = 4096, .kv_width = 2048, .sequence = 4096},
          .parallel = {.tp = tp / cp, .cp = cp, .pp = pp, .dp = nodes / pp},
          .sequences = 4 * (nodes / pp),
          .peak_flops = 1e15,
          .kernel_efficiency = 0.5,
          .tp_hidden = *rc::gen::element(0.0, 0.3),
          .dp_hidden = *rc::gen::element(0.0, 0.9)};
}

StepTime total_of(const StepPace& pace, const StepParts& parts) { return pace.sum().time(parts); }

// Up to four faults anywhere, some of them dead, some with a latency as long as a message.
FabricState lossy_state(const Fabric& fabric) {
  std::vector<FabricFault> faults = small_state(fabric, 4).faults();
  for (FabricFault& fault : faults) fault.extra_latency = *rc::gen::element(0_ms, 0_ms, 100_ms);
  return FabricState(std::move(faults));
}

void compare(const TrainingStep& step, const Fabric& fabric, const StepPace& pace,
             const FabricState& state, std::uint32_t first_node = 0) {
  const auto exact = step_time(step, fabric, state, first_node);
  const auto parts = pace.with(state);
  RC_ASSERT(parts.has_value() == exact.has_value());
  if (!exact) return;
  const StepTime healthy = total_of(pace, pace.healthy());
  const StepTime now = total_of(pace, *parts);
  for (const auto part : {&StepTime::compute, &StepTime::cp, &StepTime::pp}) {
    RC_ASSERT(std::abs(now.*part - std::max(healthy.*part, (*exact).*part)) < kTolerance);
  }
  RC_ASSERT(now.tp + kTolerance > exact->tp);
  RC_ASSERT(now.dp + kTolerance > exact->dp);
  RC_ASSERT(now.total + kTolerance > exact->total);
  // (a detour that relieves the slowest link is the only difference)
  const bool relieved = exact->tp < healthy.tp - kTolerance ||
                        exact->cp < healthy.cp - kTolerance ||
                        exact->pp < healthy.pp - kTolerance || exact->dp < healthy.dp - kTolerance;
  if (!relieved && step.dp_hidden == 0) RC_ASSERT(std::abs(now.total - exact->total) < kTolerance);
}

RC_GTEST_PROP(StepPace, SaysWhatStepTimeSays, ()) {
  const Fabric fabric = small_fabric(6);
  RC_PRE(fabric.nodes() * fabric.gpus_per_node() > 1);
  const TrainingStep step = fitting_step(fabric);
  const StepPace pace(step, fabric);
  for (int state = 0; state < 20; ++state) compare(step, fabric, pace, lossy_state(fabric));
}

// Pipelines over leaves of pods: a ring of stages begins anywhere at a leaf, so that flows of several leave it,
// some inside the pod and some out of it. Dead uplinks move flows to where they meet others, and where that is
// one that goes further, it is the slowest.
struct Detours {
  static FabricConfig any_config() {
    FabricConfig config{.topology = FabricTopology::kThreeLayer};
    config.nodes_per_leaf = *rc::gen::inRange(2, 4);
    config.spines = *rc::gen::inRange(2, 4);
    config.leaves_per_pod = 2;
    config.cores = *rc::gen::inRange(1, 3);
    config.core_oversubscription = 1;
    return config;
  }

  const Fabric fabric{any_config(), 12, 1, 1};
  const std::int64_t pp = *rc::gen::inRange(3, 5);
  const std::int64_t dp = *rc::gen::inRange(2, 4);
  const std::uint32_t first_node = *rc::gen::inRange(0u, 13u - static_cast<std::uint32_t>(pp * dp));
  const TrainingStep step = pipeline(pp, dp);

  static TrainingStep pipeline(std::int64_t pp, std::int64_t dp) {
    return {.model = {.parameters = 8e9,
                      .layers = 12,
                      .hidden = 4096,
                      .kv_width = 2048,
                      .sequence = 4096},
            .parallel = {.pp = pp, .dp = dp},
            .sequences = 4 * dp,
            .peak_flops = 1e15,
            .kernel_efficiency = 0.5};
  }
  FabricState dead_uplinks() const {
    std::vector<FabricFault> faults;
    const int count = *rc::gen::inRange(1, 3);
    for (int i = 0; i < count; ++i) {
      const auto leaf = *rc::gen::inRange<std::uint32_t>(0, fabric.count(ElementKind::kLeaf));
      const auto port = *rc::gen::inRange<std::uint32_t>(0, fabric.uplinks_per_leaf());
      faults.push_back({.element = fabric.leaf_uplink(leaf, port), .bandwidth = 0});
    }
    return FabricState(std::move(faults));
  }
};

RC_GTEST_PROP(StepPace, SaysWhatStepTimeSaysOfDetours, ()) {
  const Detours detours;
  const StepPace pace(detours.step, detours.fabric, detours.first_node);
  for (int state = 0; state < 5; ++state) {
    compare(detours.step, detours.fabric, pace, detours.dead_uplinks(), detours.first_node);
  }
}

// One of them by hand. Leaves of three nodes with one NIC, three spines, pods of two leaves. The stages of PP 4
// stand on nodes 3 4 5 6 and 7 8 9 10, so on leaves 1, 2 and 3, of which 2 and 3 are one pod. From leaf 2, node 6
// sends to node 3 over uplink 0 and a core switch, node 8 to node 9 over uplink 2. Uplink 2 of leaf 2 dies: node 8
// takes uplink 0 too, and halves it. Slowest is node 6, which the fault does not touch: it goes over the core as
// before, with half the bandwidth. Node 5, whose message to node 6 comes down another spine now, shares nothing.
//
//   each of the 2 (pp - 1) = 6 messages of n bytes: n / 50e9 more, as the latency is what it was
TEST(StepPace, AFlowThatMeetsADetour) {
  FabricConfig config{.topology = FabricTopology::kThreeLayer, .nodes_per_leaf = 3, .spines = 3};
  config.leaves_per_pod = 2;
  config.cores = 2;
  config.core_oversubscription = 1;
  const Fabric fabric(config, 12, 1, 1);
  const TrainingStep step = Detours::pipeline(4, 2);
  const StepPace pace(step, fabric, 3);
  const FabricState dead({{.element = fabric.leaf_uplink(2, 2), .bandwidth = 0}});
  const double healthy = pace.healthy()[StepPart::kPp];
  const double met = (*pace.with(dead))[StepPart::kPp];
  EXPECT_NEAR(met - healthy, 6 * step_bytes(step).pp / 50e9, 1e-9);
  EXPECT_NEAR(met, step_time(step, fabric, dead, 3)->pp, 1e-12);
}

// Two slow parts that meet on no edge: the worse one of each part is exact.
RC_GTEST_PROP(StepPace, TwoFaultsFarApartAreTheWorseOfBoth, ()) {
  FabricConfig config;
  config.topology = *rc::gen::element(FabricTopology::kRail, FabricTopology::kThreeLayer);
  config.nodes_per_leaf = 2;
  config.spines = 2;
  config.leaves_per_pod = 2;
  config.cores = 2;
  const Fabric fabric(config, 8, 2, 2);
  const TrainingStep step = fitting_step(fabric);
  const StepPace pace(step, fabric);
  // NIC 0 of a node and NIC 1 of a node, the same or another, are on no route together.
  const auto share = rc::gen::element(0.05, 0.3, 0.7);
  const FabricFault nic{.element = fabric.nic(*rc::gen::inRange(0u, 8u), 0), .bandwidth = *share};
  const FabricFault other{.element = fabric.nic(*rc::gen::inRange(0u, 8u), 1), .bandwidth = *share};
  const auto a = pace.with(FabricState({nic}));
  const auto b = pace.with(FabricState({other}));
  const auto both = step_time(step, fabric, FabricState({nic, other}));
  RC_ASSERT(a && b && both);
  RC_ASSERT(std::abs(total_of(pace, worse_of(*a, *b)).total - both->total) < kTolerance);
}

// Wherever they are, the worse of both is no more than the state with both.
RC_GTEST_PROP(StepPace, TheWorseOfBothIsALowerBound, ()) {
  const Fabric fabric = small_fabric(6);
  RC_PRE(fabric.nodes() * fabric.gpus_per_node() > 1);
  const TrainingStep step = fitting_step(fabric);
  const StepPace pace(step, fabric);
  const auto slow = [&] {
    return FabricFault{.element = ElementId(*rc::gen::inRange<std::uint32_t>(0, fabric.elements())),
                       .bandwidth = *rc::gen::element(0.1, 0.5),
                       .extra_latency = *rc::gen::element(0_ns, 20_us)};
  };
  const FabricFault first = slow();
  const FabricFault second = slow();
  const auto a = pace.with(FabricState({first}));
  const auto b = pace.with(FabricState({second}));
  const auto both = pace.with(FabricState({first, second}));
  RC_ASSERT(a && b && both);
  for (std::size_t p = 0; p < kStepParts; ++p) {
    RC_ASSERT(worse_of(*a, *b).seconds[p] <= both->seconds[p] + kTolerance);
  }
}

TEST(StepPace, OfAJobInTheMiddleOfTheFabric) {
  const Fabric fabric(FabricConfig{.nodes_per_leaf = 32}, 8, 8, 8);
  TrainingStep step{.model = {.parameters = 8e9,
                              .layers = 32,
                              .hidden = 4096,
                              .kv_width = 2048,
                              .sequence = 4096},
                    .parallel = {.tp = 8, .dp = 4},
                    .sequences = 16,
                    .peak_flops = 1e15,
                    .kernel_efficiency = 0.5};
  // A job on the nodes 4 to 7: a NIC of node 3 is none of its own, one of node 5 is.
  const StepPace pace(step, fabric, 4);
  const auto healthy = pace.sum().time(pace.healthy());
  const FabricState outside({{.element = fabric.nic(3, 0), .bandwidth = 0}});
  const FabricState inside({{.element = fabric.nic(5, 0), .bandwidth = 0.1}});
  EXPECT_EQ(pace.sum().time(*pace.with(outside)).total, healthy.total);
  const StepTime slow = pace.sum().time(*pace.with(inside));
  EXPECT_NEAR(slow.total, step_time(step, fabric, inside, 4)->total, 1e-12);
  EXPECT_GT(slow.dp, 9 * healthy.dp);
}

}  // namespace
}  // namespace faultline
