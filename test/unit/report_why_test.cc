// `faultline why`: sentences, lists and stories.
#include "sim/report/why.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"
#include "sim/report/happening_text.h"
#include "sim/report/journal.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

std::string journal_of(const Scenario& scenario) {
  const SimulationPlan plan(scenario);
  std::ostringstream out;
  JournalWriter writer(plan, out, 7, 0);
  Simulation(plan).run(RandomSource(7, 0), writer);
  EXPECT_TRUE(writer.finish());
  return out.str();
}

std::string ask(const std::string& journal, const std::string& subject,
                std::optional<SimTime> time = std::nullopt) {
  std::istringstream in(journal);
  const auto answer = why(in, subject, time);
  return answer ? *answer : "error: " + answer.error();
}

// One crash at 25:00 on train-1, seen after 3 s, the node is replaced (see
// report_timeline_test.cc).
MicroWorld one_crash() {
  MicroWorld world(2, 2);
  world.push().delay = fixed(3_s);
  world.fault("lost", FaultEffect::kCrash, 25_min, 1).signals = {signal("GpuLost")};
  return world;
}

TEST(Spoken, LengthsOfTimeForPeople) {
  EXPECT_EQ(spoken(0_s), "0s");
  EXPECT_EQ(spoken(12_us), "12us");
  EXPECT_EQ(spoken(35_ms), "0.035s");
  EXPECT_EQ(spoken(250_ms), "0.25s");
  EXPECT_EQ(spoken(12100_ms), "12.1s");
  EXPECT_EQ(spoken(4_min + 50_s), "4m 50s");
  EXPECT_EQ(spoken(10_min + 12100_ms), "10m 12.1s");
  EXPECT_EQ(spoken(14_min + 2_s), "14m 02s");
  EXPECT_EQ(spoken(59_min + 59_s + 999_ms), "59m 59.9s");
  EXPECT_EQ(spoken(2_h + 5_min + 9_s), "2h 05m 09s");
  EXPECT_EQ(spoken(3_d + 2_h + 5_min), "3d 02h 05m");
  EXPECT_EQ(spoken(-90_s), "-1m 30s");
  EXPECT_EQ(spoken(Duration::infinite()), "for ever");
}

TEST(Why, ListOfAJobsOutages) {
  EXPECT_EQ(
      ask(journal_of(one_crash().scenario), "job"),
      "job: 1 outage, 13m 14s of 2h in all; the longest first\n"
      "   0d 00:25:00.000       13m 14s  lost on train-1: detect 3s, tolerate 10m 00s, drain 5s, "
      "provision 1m 31s, restart 1m 35s\n"
      "To see one step by step: faultline why --journal FILE job 25m\n");
}

// The kubelet of node 0 is silent from 25:00 to 30:41: its pod is evicted then, and the restart takes 2 min.
TEST(Why, AnEvictionIsNoRepair) {
  MicroWorld world(2, 2);
  world.scenario.detectors.channels[1].by =
      LeaseChannel{.renew = 0_s, .grace = 40_s, .monitor = 0_s};
  FaultClassConfig& hiccup = world.fault("hiccup", FaultEffect::kNone, 25_min, 0);
  hiccup.clears = fixed(5_min + 41_s);
  SignalConfig silent;
  silent.heartbeat_lost = true;
  hiccup.signals = {silent};
  EXPECT_NE(ask(journal_of(world.scenario), "job")
                .find("   0d 00:30:41.000        2m 00s  eviction from train-0: restart 2m 00s\n"),
            std::string::npos);
}

TEST(Why, StoryOfAnOutage) {
  EXPECT_EQ(ask(journal_of(one_crash().scenario), "job", at(1_h)),
            "At 0d 01:00:00.000 job runs; its last outage before that:\n"
            "job: lost on train-1, from 0d 00:25:00.000 to 0d 00:38:14.000 (13m 14s).\n"
            "Time: detect 3s, tolerate 10m 00s, drain 5s, provision 1m 31s, restart 1m 35s. "
            "Work lost: 4m 50s.\n"
            "\n"
            "   0d 00:25:00.000  fault      lost strikes train-1\n"
            "               +0s  job        job stops: crash, 4m 50s of work lost\n"
            "               +0s  job        job cannot go on because of train-1\n"
            "               +0s  signal     GpuLost can be seen on train-1\n"
            "               +3s  condition  AcceleratedHardwareReady=False on train-1, GpuLost\n"
            "          +10m 03s  decision   replace train-1\n"
            "          +10m 04s  capacity   train-1.g1 is requested\n"
            "          +10m 08s  action     train-1 is drained\n"
            "          +10m 08s  action     train-1 is gone\n"
            "          +11m 34s  capacity   train-1.g1 registers, not ready yet\n"
            "          +11m 39s  capacity   train-1.g1 is ready\n"
            "          +11m 39s  job        train-1.g1 no longer holds job\n"
            "          +11m 39s  job        job restarts (after 5 failed attempts)\n"
            "          +13m 14s  job        job makes progress again\n");
}

TEST(Why, StateInTheMiddleOfAnOutage) {
  const std::string answer = ask(journal_of(one_crash().scenario), "job", at(30_min));
  EXPECT_EQ(answer.substr(0, answer.find('\n')),
            "At 0d 00:30:00.000 job is in the phase tolerate of train-1.");
}

TEST(Why, BeforeAnythingHappened) {
  const std::string journal = journal_of(one_crash().scenario);
  EXPECT_EQ(ask(journal, "job", at(10_min)),
            "Nothing stops job until 0d 00:10:00.000; something does at 0d 00:25:00.000.\n");
  EXPECT_EQ(ask(journal, "train-0", at(10_min)), "Nothing stops train-0 until 0d 00:10:00.000.\n");
  EXPECT_EQ(ask(journal, "train-0"), "train-0: no trouble in 2h\n");
}

TEST(Why, AfterTheEndOfTheRun) {
  const std::string journal = journal_of(one_crash().scenario);
  const std::string answer = ask(journal, "job", at(99_d));
  EXPECT_EQ(answer.substr(0, answer.find("Time: ")),
            "The run ends at 0d 02:00:00.000, before 99d 00:00:00.000.\n"
            "At 0d 02:00:00.000 job runs; its last outage before that:\n"
            "job: lost on train-1, from 0d 00:25:00.000 to 0d 00:38:14.000 (13m 14s).\n");
  EXPECT_EQ(ask(journal, "train-0", at(99_d)),
            "The run ends at 0d 02:00:00.000, before 99d 00:00:00.000.\n"
            "Nothing stops train-0 until 0d 02:00:00.000.\n");
}

TEST(Why, TheCommandToCopyTakesANameWithSpacesAsOneWord) {
  MicroWorld world = one_crash();
  world.job().name = "Bob's big job";
  const std::string answer = ask(journal_of(world.scenario), "Bob's big job");
  EXPECT_EQ(answer.substr(answer.find("To see")),
            "To see one step by step: faultline why --journal FILE 'Bob'\\''s big job' 25m\n");
}

TEST(Why, TroubleOfANode) {
  const std::string journal = journal_of(one_crash().scenario);
  EXPECT_EQ(
      ask(journal, "train-1"),
      "train-1: 1 trouble, 11m 39s of 2h in all; the longest first\n"
      "   0d 00:25:00.000       11m 39s  lost on train-1: detect 3s, tolerate 10m 00s, drain 5s, "
      "provision 1m 31s\n"
      "To see one step by step: faultline why --journal FILE train-1 25m\n");
  const std::string story = ask(journal, "train-1", at(25_min));
  EXPECT_NE(story.find("+11m 39s  capacity   train-1.g1 is ready\n"), std::string::npos) << story;
  EXPECT_NE(story.find("+0s  job        job stops: crash"), std::string::npos) << story;
  // The replacement had no trouble of its own; a second one never was.
  EXPECT_EQ(ask(journal, "train-1.g1"), "train-1.g1: no trouble in 2h\n");
  EXPECT_EQ(ask(journal, "train-1.g2"),
            "error: there was no train-1.g2: the last machine in that place is train-1.g1");
}

// The second fault, at 27:00, keeps the job down for longer: it is the critical path, and the first
// is what else held the job.
TEST(Why, WhatElseHeldTheJob) {
  MicroWorld world = one_crash();
  world.fault("worse", FaultEffect::kCrash, 27_min, 0).signals = {signal("LinkDown")};
  const std::string journal = journal_of(world.scenario);
  const std::string story = ask(journal, "job", at(1_h));
  EXPECT_NE(story.find("fault      lost strikes train-1\n"), std::string::npos) << story;
  EXPECT_NE(story.find("+2m 00s  fault      worse strikes train-0\n"), std::string::npos) << story;
  EXPECT_NE(
      story.find("+2m 00s  job        job is down already: worse on train-0 counts as one more "
                 "interruption\n"),
      std::string::npos)
      << story;
  EXPECT_NE(story.find("decision   replace train-0\n"), std::string::npos) << story;
}

// Both nodes of the first outage are on the path there (the first until the second begins to hold);
// a third one that is released earlier is not.
TEST(Why, NodesOffTheCriticalPath) {
  MicroWorld world(3, 3);
  world.fault("slow-repair", FaultEffect::kCrash, 25_min, 0).signals = {signal("LinkDown")};
  world.fault("fast-repair", FaultEffect::kCrash, 27_min, 2).signals = {signal("GpuLost")};
  const std::string story = ask(journal_of(world.scenario), "job", at(1_h));
  EXPECT_NE(story.find("\nMeanwhile these held it too, but not for longer:\n"
                       "           +2m 00s  train-2, for 11m 36s, struck by fast-repair\n"),
            std::string::npos)
      << story;
  EXPECT_EQ(story.find("replace train-2"), std::string::npos) << story;
}

TEST(Why, RefusalsOfTheGateAreOneLine) {
  MicroWorld world(2, 2, 1_h);
  world.karpenter().gate = Gate{Gate::Kind::kCount, 0};
  world.fault("lost", FaultEffect::kCrash, 25_min, 1).signals = {signal("GpuLost")};
  const std::string story = ask(journal_of(world.scenario), "job", at(30_min));
  EXPECT_NE(
      story.find("+10m 00s  decision   the gate holds the repair of train-1 back: 1 of 2 nodes "
                 "unhealthy, 0 allowed\n"),
      std::string::npos)
      << story;
  EXPECT_NE(story.find("to the end of the run (35m 00s).\n"), std::string::npos) << story;
}

TEST(Why, TheLongestTwentyAreListed) {
  MicroWorld world(1, 1, 2_d);
  FaultClassConfig& flap = world.fault("flap", FaultEffect::kHang);
  flap.clears = fixed(1_min);
  for (int hour = 1; hour <= 30; ++hour) flap.strikes.push_back(strike(1_h * hour, 0));
  const std::string list = ask(journal_of(world.scenario), "job");
  EXPECT_NE(list.find("job: 30 outages, 30m 00s of 2d in all"), std::string::npos) << list;
  EXPECT_NE(list.find("...  and 10 shorter ones\n"), std::string::npos) << list;
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 1 + 20 + 1 + 1) << list;
}

TEST(Why, UnknownSubjects) {
  const std::string journal = journal_of(EventfulWorld(1_d).scenario);
  EXPECT_EQ(ask(journal, "lefft"),
            "error: the journal has no job and no node `lefft`; did you mean left?");
  EXPECT_EQ(ask(journal, "trian-3"),
            "error: the journal has no job and no node `trian-3`; did you mean train-3?");
  EXPECT_EQ(ask(journal, "xyzzyplugh"),
            "error: the journal has no job and no node `xyzzyplugh`; it has left, right, train-0, "
            "train-1, train-2, train-3, ...");
}

TEST(Why, FilesThatAreNoJournals) {
  EXPECT_EQ(ask("", "job"), "error: the journal is empty");
  EXPECT_EQ(
      ask("scenario: small\n", "job"),
      R"(error: line 1: this is not a journal of faultline (one begins with {"journal":"faultline",...))");
  const std::string journal = journal_of(one_crash().scenario);
  EXPECT_NE(ask(journal.substr(0, journal.size() / 2), "job").find("error: line "),
            std::string::npos);
}

// A journal whose lines are whole but make no sense: kinds with the same fields change places.
// There is an answer of some kind, and no crash.
TEST(Why, JournalsThatMakeNoSense) {
  const std::vector<std::vector<std::string>> alike{
      {"NodeDrained", "NodeRemoved", "NodeRepaired", "NodeRequested", "CapacityMissing",
       "CapacityFound", "RegistrationTimedOut", "NodeRegistered", "NodeJoined"},
      {"JobHeld", "JobReleased"},
      {"JobResumed", "JobUnstalled"}};
  std::string journal = journal_of(EventfulWorld().scenario);
  std::size_t number = 0;
  for (const std::vector<std::string>& kinds : alike) {
    for (const std::string& kind : kinds) {
      const std::string quoted = '"' + kind + '"';
      for (std::size_t place = journal.find(quoted); place != std::string::npos;
           place = journal.find(quoted, place + 1)) {
        if (++number % 3 != 0) continue;
        journal.replace(place + 1, kind.size(), kinds[number % kinds.size()]);
      }
    }
  }
  for (const auto* subject : {"left", "right", "train-0", "train-5"}) {
    EXPECT_FALSE(ask(journal, subject).starts_with("error")) << ask(journal, subject);
    for (Duration time; time <= 14_d; time += 6_h)
      EXPECT_FALSE(ask(journal, subject, at(time)).empty());
  }
}

// Whatever is asked about an eventful run has an answer, and stories begin with a cause.
TEST(Why, EveryOutageOfEventfulRunsCanBeTold) {
  for (const EventfulWorld& world :
       {EventfulWorld(), EventfulWorld::mended(), EventfulWorld::gang()}) {
    const std::string journal = journal_of(world.scenario);
    for (const auto* subject : {"left", "right", "train-0", "train-5", "train-13", "train-2.g1"}) {
      for (Duration time; time <= world.scenario.horizon; time += 16_h) {
        const std::string answer = ask(journal, subject, at(time));
        if (answer.starts_with("Nothing stops") || answer.starts_with("error: ")) continue;
        if (answer.find("left: the start,") != std::string::npos) continue;  // nothing is to blame
        const std::size_t story = answer.find("\n\n");
        ASSERT_NE(story, std::string::npos) << answer;
        EXPECT_EQ(answer.substr(story + 2 + 18, 7), "  fault") << answer;
      }
    }
  }
}

}  // namespace
}  // namespace faultline
