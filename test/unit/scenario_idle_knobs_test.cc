// Knobs that are turned and cannot matter: each rule fires, with its text, and is silent where the knob
// matters. Everything starts from shipped scenarios, which earn no warning.
#include "sim/scenario/idle_knobs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/scenario/load_scenario.h"
#include "sim/scenario/memory_files.h"

namespace faultline {
namespace {

DiskFiles project() {
  const char* const home = std::getenv("FAULTLINE_HOME");
  return DiskFiles(home == nullptr ? "." : home);
}

std::string rendered(const std::string& name, const std::vector<std::string>& settings,
                     const FileSystem& files) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) overrides.push_back({.text = setting});
  const auto tree = load_scenario_tree(name, overrides, files);
  if (!tree) return tree.error().render();
  const auto scenario = read_scenario(*tree, files);
  return scenario ? idle_knobs(*scenario, *tree).render() : scenario.error().render();
}

// The warnings of a scenario with settings: `PATH: problem`, without the places and the settings that they
// stand in.
std::vector<std::string> warnings(const std::string& name,
                                  const std::vector<std::string>& settings) {
  std::vector<std::string> lines;
  const std::string text = rendered(name, settings, project());
  const std::string mark = "warning: ";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    std::string line = text.substr(at, text.find('\n', at) - at);
    lines.push_back(line.substr(0, line.find(" (with --set")));
  }
  if (lines.empty() && !text.empty()) return {text};
  return lines;
}

using Lines = std::vector<std::string>;
const std::string kPool = "fleet.pools[train].";

TEST(IdleKnobs, ShippedScenariosHaveNone) {
  const DiskFiles files = project();
  for (const std::string& name : scenario_names(files)) {
    EXPECT_EQ(rendered(name, {}, files), "") << name;
  }
}

// Place, line and caret, as an editor takes them; of an option, the option.
TEST(IdleKnobs, TheirPlace) {
  const std::string text =
      "extends: small\n"
      "scenario: mine\n"
      "capacity:\n"
      "  returns_after: 2h\n";
  const DiskFiles disk = project();
  std::map<std::string, std::string> content{{"mine.yaml", text}};
  for (const char* file : {"traces/scenarios/small.yaml", "models/detectors/eks-nma.yaml",
                           "policies/karpenter/aws.yaml"}) {
    content[file] = *disk.read(join_path(disk.project_root(), file));
  }
  EXPECT_EQ(rendered("mine.yaml", {}, MemoryFiles(content)),
            "mine.yaml:4:3: warning: capacity.returns_after: has no effect: `capacity.spares` is "
            "unlimited, so no launch waits for a machine\n"
            "      returns_after: 2h\n"
            "      ^~~~~~~~~~~~~\n");
  EXPECT_EQ(rendered("small", {"capacity.returns_after=2h"}, disk),
            "--set capacity.returns_after=2h: warning: capacity.returns_after: has no effect: "
            "`capacity.spares` is unlimited, so no launch waits for a machine\n"
            "    capacity.returns_after=2h\n"
            "             ^~~~~~~~~~~~~\n");
  // The line is innocent, the option is not.
  EXPECT_NE(rendered("rsc1-shop", {"capacity.shop.escalates=0%"}, disk)
                .find("so no machine gets there (with --set capacity.shop.escalates=0%)\n"),
            std::string::npos);
}

TEST(IdleKnobs, Domains) {
  const auto unused = [](const std::string& field, const std::string& level) {
    return Lines{"fleet.pools[train]." + field + ": has no effect: no fault class is counted per " +
                 level + ", and no strike names one"};
  };
  EXPECT_EQ(warnings("small", {kPool + "zone=b"}), unused("zone", "zone"));
  EXPECT_EQ(warnings("small", {kPool + "region=eu"}), unused("region", "region or zone"));
  EXPECT_EQ(warnings("small", {kPool + "racks_per_block=4"}), unused("racks_per_block", "block"));
  EXPECT_EQ(warnings("small", {kPool + "nodes_per_rack=4"}),
            unused("nodes_per_rack", "rack or block"));
  const std::string per_zone = "faults.classes[gpu-lost].rate=1 per zone-year";
  const std::string per_block = "faults.classes[gpu-lost].rate=1 per block-year";
  EXPECT_EQ(warnings("small", {kPool + "zone=b", kPool + "region=eu", per_zone}), Lines{});
  EXPECT_EQ(warnings("small", {kPool + "racks_per_block=4", kPool + "nodes_per_rack=4", per_block}),
            Lines{});
  EXPECT_EQ(warnings("small", {kPool + "racks_per_block=4",
                               "faults.classes[gpu-lost].rate=1 per rack-year"}),
            unused("racks_per_block", "block"));
  EXPECT_EQ(warnings("small", {kPool + "zone=b",
                               "faults.classes[gpu-lost].strikes=[{at: 1h, "
                               "domain: zone b}]"}),
            Lines{});
  // A class that is switched off counts nothing.
  EXPECT_EQ(
      warnings("small", {kPool + "zone=b", "faults.classes[gpu-lost].rate=0 per 1 zone-days"}),
      unused("zone", "zone"));
}

TEST(IdleKnobs, NicsAndCoresOfTheFabric) {
  EXPECT_EQ(warnings("small", {kPool + "nics_per_node=4"}),
            Lines{"fleet.pools[train].nics_per_node: has no effect: without `fleet.fabric` nothing "
                  "asks for NICs"});
  EXPECT_EQ(warnings("small", {kPool + "nics_per_node=4", "fleet.fabric={topology: rail}"}),
            Lines{});
  EXPECT_EQ(
      warnings("small", {"fleet.fabric={topology: rail, cores: 4}"}),
      Lines{"fleet.fabric.cores: has no effect: only a `three-layer` fabric has pods and core "
            "switches, and this one is `rail`"});
  EXPECT_EQ(warnings("small", {"fleet.fabric={topology: three-layer, cores: 4}"}), Lines{});
}

TEST(IdleKnobs, Lemons) {
  EXPECT_EQ(warnings("small", {"faults.lemons={share: 10%}"}),
            Lines{"faults.lemons: has no effect: no fault class with a rate strikes only the "
                  "lemons, or only the sound machines (`victims`)"});
  for (const char* victims : {"lemons", "sound"}) {
    EXPECT_EQ(warnings("small", {"faults.lemons={share: 10%}",
                                 "faults.classes[dead-host].victims=" + std::string(victims)}),
              Lines{});
  }
  EXPECT_EQ(warnings("small", {"faults.classes[dead-host].victims=sound"}),
            Lines{"faults.classes[dead-host].victims: has no effect: without `faults.lemons` every "
                  "machine is sound"});
}

TEST(IdleKnobs, AClassThatOnlyStrikesByTheScript) {
  const std::string scripted =
      "faults.classes[dead-host]={name: dead-host, effect: crash, clock: running, source: x, "
      "strikes: [{at: 1h, node: train-1}]}";
  EXPECT_EQ(warnings("small", {scripted}),
            Lines{"faults.classes[dead-host].clock: has no effect: without a `rate` the class "
                  "strikes at its `strikes` only"});
  EXPECT_EQ(warnings("small", {scripted, "faults.classes[dead-host].rate=1 per node-year"}),
            Lines{});
}

TEST(IdleKnobs, AnUnlimitedStock) {
  EXPECT_EQ(warnings("small", {"capacity.returns_after=2h"}),
            Lines{"capacity.returns_after: has no effect: `capacity.spares` is unlimited, so no "
                  "launch waits for a machine"});
  EXPECT_EQ(warnings("small", {"capacity.returns_after=2h", "capacity.spares=1"}), Lines{});
  EXPECT_EQ(warnings("small", {"capacity.insufficient.retry=1m"}),
            Lines{"capacity.insufficient.retry: has no effect: `capacity.insufficient.probability` "
                  "is 0%, so no launch is refused"});
  EXPECT_EQ(warnings("small", {"capacity.insufficient={retry: 1m, probability: 5%}"}), Lines{});
}

TEST(IdleKnobs, TheShop) {
  EXPECT_EQ(warnings("rsc1-shop", {"capacity.shop.escalates=0%"}),
            Lines{"capacity.shop.manual: has no effect: `capacity.shop.escalates` is 0%, so no "
                  "machine gets there"});
  EXPECT_EQ(warnings("rsc1-shop", {"capacity.shop.retire.score={penalty: 0}"}),
            Lines{"capacity.shop.retire.score: has no effect: its `penalty` is 0, so no machine is "
                  "given up"});
  EXPECT_EQ(warnings("rsc1-shop", {"capacity.shop.retire.score={penalty: 10}"}), Lines{});
  const std::string in_place = "policy=policies/restart-in-place/default.yaml";
  const std::string why =
      ": has no effect: `!restart-in-place` mends nodes where they stand, and takes no machine out "
      "of service";
  EXPECT_EQ(warnings("rsc1-shop", {in_place}), Lines{"capacity.shop" + why});
  EXPECT_EQ(warnings("rsc1-repair", {in_place}), Lines{"capacity.returns_after" + why});
}

TEST(IdleKnobs, ChannelsAndWhatTheyLearn) {
  EXPECT_EQ(warnings("failslow-512", {"detectors.reasons[SlowPair].channel=peers"}),
            Lines{"detectors.channels[probe]: has no effect: no reason comes through it"});
  EXPECT_EQ(warnings("small", {"detectors.latching=true", "detectors.recheck=1m"}),
            Lines{"detectors.recheck: has no effect: with `latching: true` no condition returns to "
                  "True"});
  EXPECT_EQ(warnings("small", {"detectors.recheck=1m"}), Lines{});
  EXPECT_EQ(warnings("failslow-512", {"detectors.recheck=1m", "detectors.report=1m"}),
            (Lines{"detectors.recheck: has no effect: only what is pushed or logged is checked "
                   "again, and no channel is `!push` or `!log`",
                   "detectors.report: has no effect: no channel is the agent's own (`!push`, "
                   "`!poll` or `!log`)"}));
  EXPECT_EQ(warnings("small", {"detectors.report=1m"}), Lines{});
  EXPECT_EQ(warnings("failslow-512", {"detectors.reasons[SlowMachine].occurrences=2"}),
            Lines{"detectors.reasons[SlowMachine].occurrences: has no effect: `peers` is no "
                  "`!poll`, `!log` or `!status_check`, which count sightings"});
  EXPECT_EQ(warnings("small", {"detectors.reasons[InterfaceNotRunning].occurrences=3"}), Lines{});
}

TEST(IdleKnobs, ConditionsThatNobodyPublishes) {
  EXPECT_EQ(warnings("small", {"detectors.disabled_monitors=[networking]"}),
            Lines{"policy.tolerations.NetworkingReady: has no effect: every monitor that publishes "
                  "`NetworkingReady` is disabled"});
  EXPECT_EQ(warnings("small", {"detectors.disabled_monitors=[ec2]"}),
            Lines{"policy.status_checks: has no effect: every monitor that publishes "
                  "`InstanceStatus` is disabled"});
  EXPECT_EQ(warnings("failslow-512", {"policy.status_checks={}"}),
            Lines{"policy.status_checks: has no effect: no detector publishes `InstanceStatus`"});
  EXPECT_EQ(warnings("failslow-512", {"policy.status_checks={condition: PerformanceReady}"}),
            Lines{});
}

TEST(IdleKnobs, ConditionsThatNeverTurnUnknown) {
  EXPECT_EQ(
      warnings("small", {"policy.unknown_counts=[Ready, KernelReady]"}),
      Lines{"policy.unknown_counts[1]: has no effect: `KernelReady` never turns Unknown, which "
            "only a reason of a `!lease` channel makes of a condition"});
  EXPECT_EQ(warnings("small", {"detectors.reasons[SoftLockup].channel=kubelet",
                               "policy.unknown_counts=[Ready, KernelReady]"}),
            Lines{});
  EXPECT_EQ(
      warnings("small", {"detectors.reasons[SoftLockup].channel=kubelet",
                         "policy.unknown_counts=[KernelReady]", "policy.tolerations={Ready: 5m}"}),
      Lines{"policy.unknown_counts[0]: has no effect: `KernelReady` has no toleration, so it "
            "is never repaired"});
}

TEST(IdleKnobs, GateAndSilence) {
  EXPECT_EQ(warnings("small", {"policy.gate=off", "policy.blocked_requeue=1m"}),
            Lines{"policy.blocked_requeue: has no effect: `policy.gate` is off and holds no repair "
                  "back"});
  EXPECT_EQ(warnings("small", {"policy.blocked_requeue=1m"}), Lines{});
  const std::string toleration = "workloads[job].unreachable_toleration";
  EXPECT_EQ(warnings("byterobust", {toleration + "=1m"}),
            Lines{toleration +
                  ": has no effect: no reason of a `!lease` channel makes `Ready` Unknown, so no "
                  "kubelet is known to be silent"});
  EXPECT_EQ(warnings("small", {toleration + "=1m"}), Lines{});
}

TEST(IdleKnobs, TheReleaseOfKubernetes) {
  const Lines idle{"kubernetes: has no effect: every default that follows the release is given"};
  const std::string grace = "detectors.channels[kubelet].by.grace=45s";
  EXPECT_EQ(warnings("byterobust", {"kubernetes=1.31"}), idle);
  EXPECT_EQ(warnings("small", {"kubernetes=1.31", grace}), idle);
  EXPECT_EQ(warnings("small", {"kubernetes=1.31"}), Lines{});
  EXPECT_EQ(warnings("small", {grace}), Lines{});
}

TEST(IdleKnobs, CoresAndMeetings) {
  const std::string why = ": has no effect: it matters with `detectors.monitoring` only";
  EXPECT_EQ(
      warnings("small", {"workloads[job].spare_cores=2", "workloads[job].meetings_per_step=8"}),
      (Lines{"workloads[job].meetings_per_step" + why, "workloads[job].spare_cores" + why}));
  EXPECT_EQ(warnings("small", {"workloads[job].spare_cores=2",
                               "detectors.monitoring={tasks: 1, period: 300s, burst: 1ms}"}),
            Lines{});
}

TEST(IdleKnobs, Checkpoints) {
  const std::string job = "workloads[job].checkpoint.";
  const std::string never =
      ": has no effect: `checkpoint.every` is infinite, so none is ever saved";
  EXPECT_EQ(warnings("small", {job + "every=infinite", job + "blocks=1s", job + "write=1m",
                               job + "verified_every=2"}),
            (Lines{job + "blocks" + never, job + "write" + never, job + "verified_every" + never}));
  EXPECT_EQ(warnings("small", {job + "blocks=1s", job + "write=1m"}), Lines{});
  EXPECT_EQ(warnings("small", {job + "verified_every=2"}),
            Lines{job + "verified_every: has no effect: no fault class has `effect: silent`, so "
                        "every checkpoint is sound"});
  EXPECT_EQ(warnings("llama3", {"workloads[llama3].checkpoint.verified_every=2"}), Lines{});
}

TEST(IdleKnobs, TimeoutsOfHangs) {
  const std::string job = "workloads[job].";
  const Lines turned{job + "nccl_timeout=5m", job + "nccl_heartbeat_timeout=5m",
                     job + "nccl_dump=5s", job + "progress_timeout=5m",
                     job + "transport.ib_timeout=18"};
  const std::string stuck = ": has no effect: no fault class has `hang_ends_by: heartbeat`";
  const std::string sent =
      ": has no effect: no fault class has `effect: flap`, so no message is sent again";
  EXPECT_EQ(warnings("small", turned),
            (Lines{job + "nccl_heartbeat_timeout" + stuck, job + "transport.ib_timeout" + sent}));
  EXPECT_EQ(
      warnings("rsc1", turned),
      (Lines{job + "nccl_timeout: has no effect: no fault class hangs until the watchdog ends "
                   "it (`effect: hang` or `flap`)",
             job + "nccl_heartbeat_timeout" + stuck,
             job + "nccl_dump: has no effect: no fault class hangs (`effect: hang` or `flap`)",
             job + "progress_timeout: has no effect: no fault class hangs (`effect: hang` or "
                   "`flap`)",
             job + "transport.ib_timeout" + sent}));
  Lines all = turned;
  all.insert(all.end(), {"faults.classes[nic-stuck].hang_ends_by=heartbeat",
                         "faults.classes[link-flap].effect=flap"});
  EXPECT_EQ(warnings("small", all), Lines{});
}

TEST(IdleKnobs, BackoffGangAndOverlap) {
  const std::string job = "workloads[job].";
  EXPECT_EQ(warnings("small", {job + "restart.on_sick_node=false", job + "restart.backoff=5s"}),
            Lines{job + "restart.backoff: has no effect: `restart.on_sick_node` is false, so the "
                        "first restart waits until it can succeed"});
  EXPECT_EQ(warnings("small", {job + "restart.backoff=5s"}), Lines{});
  EXPECT_EQ(warnings("rsc1-shop", {job + "gang.standbys=0", job + "gang.refill_standbys=true",
                                   job + "may_move=false"}),
            (Lines{job + "gang.refill_standbys: has no effect: `gang.standbys` is 0",
                   job + "may_move: has no effect: a job with a `gang` takes its nodes from the "
                         "gang's own line"}));
  EXPECT_EQ(warnings("rsc1-shop", {job + "gang.refill_standbys=true"}), Lines{});
  EXPECT_EQ(warnings("small", {job + "may_move=false"}), Lines{});
  const std::string llama = "workloads[llama3].";
  EXPECT_EQ(warnings("llama3-fabric",
                     {llama + "parallelism={tp: 1, pp: 1, dp: 16384, virtual_stages: 2}",
                      llama + "model.sequences_per_step=16384", llama + "model.tp_overlap=10%"}),
            (Lines{llama + "parallelism.virtual_stages: has no effect: `parallelism.pp` is 1, so "
                           "there is no pipeline with a bubble",
                   llama + "model.tp_overlap: has no effect: `parallelism.tp` is 1, so there is no "
                           "tensor parallel traffic"}));
  EXPECT_EQ(warnings("llama3-fabric", {llama + "model.tp_overlap=10%"}), Lines{});
}

// What `show` prints is the same scenario, and earns the same warnings.
TEST(IdleKnobs, TheSameOfWhatShowPrints) {
  const std::vector<std::string> settings{kPool + "zone=b",
                                          kPool + "nics_per_node=4",
                                          "faults.lemons={share: 10%}",
                                          "capacity.returns_after=2h",
                                          "detectors.disabled_monitors=[ec2]",
                                          "workloads[job].spare_cores=2",
                                          "policy.unknown_counts=[Ready, KernelReady]"};
  std::vector<Override> overrides;
  for (const std::string& setting : settings) overrides.push_back({.text = setting});
  const auto scenario = load_scenario("small", overrides, project());
  ASSERT_TRUE(scenario) << scenario.error().render();
  const auto tree = load_scenario_tree("small", overrides, project());
  const std::size_t count = idle_knobs(*scenario, *tree).size();
  EXPECT_EQ(count, settings.size());
  for (const bool full : {false, true}) {
    const MemoryFiles shown({{"a.yaml", show_scenario(*scenario, full)}});
    const auto again = load_scenario_tree("a.yaml", {}, shown);
    ASSERT_TRUE(again) << again.error().render();
    EXPECT_EQ(idle_knobs(*read_scenario(*again, shown), *again).size(), count);
  }
}

}  // namespace
}  // namespace faultline
