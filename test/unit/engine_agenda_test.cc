// The order of an instant: kinds by their place in the list, entries of a kind as they were posted.
#include "sim/engine/agenda.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace faultline {
namespace {

struct Cause {
  int number = 0;
};
struct Step {
  int number = 0;
};
struct Effect {
  int number = 0;
};
using ThreeKinds = Agenda<Cause, Step, Effect>;

struct Writer {
  void on(const Cause& cause) { write("cause", cause.number); }
  void on(const Step& step) { write("step", step.number); }
  // The effect with number 1 has a cause and an effect of its own.
  void on(const Effect& effect) {
    write("effect", effect.number);
    if (effect.number != 1) return;
    agenda.post(Effect{3});
    agenda.post(Cause{4});
  }
  void write(const std::string& kind, int number) {
    lines.push_back(kind + " " + std::to_string(number));
  }

  ThreeKinds& agenda;
  std::vector<std::string> lines = {};
};

using Lines = std::vector<std::string>;

TEST(Agenda, KindsComeInTheirOrderAndEntriesOfOneKindAsPosted) {
  ThreeKinds agenda;
  agenda.post(Effect{7});
  agenda.post(Cause{2});
  agenda.post(Step{5});
  agenda.post(Cause{1});
  Writer writer{agenda};
  agenda.drain(writer);
  EXPECT_EQ(writer.lines, (Lines{"cause 2", "cause 1", "step 5", "effect 7"}));
  EXPECT_TRUE(agenda.empty());
}

// What is posted meanwhile takes its place: a cause comes before the effects that wait already, an effect
// after them.
TEST(Agenda, WhatIsPostedMeanwhileTakesItsPlace) {
  ThreeKinds agenda;
  agenda.post(Effect{1});
  agenda.post(Effect{2});
  Writer writer{agenda};
  agenda.drain(writer);
  EXPECT_EQ(writer.lines, (Lines{"effect 1", "cause 4", "effect 2", "effect 3"}));
}

TEST(Agenda, IsEmptyBeforeAndAfter) {
  ThreeKinds agenda;
  EXPECT_TRUE(agenda.empty());
  agenda.post(Step{1});
  EXPECT_FALSE(agenda.empty());
  Writer writer{agenda};
  agenda.drain(writer);
  agenda.drain(writer);
  EXPECT_EQ(writer.lines, Lines{"step 1"});
}

TEST(Agenda, ForgetsABrokenRun) {
  ThreeKinds agenda;
  agenda.post(Cause{1});
  agenda.post(Effect{2});
  agenda.clear();
  EXPECT_TRUE(agenda.empty());
  agenda.post(Effect{5});
  Writer writer{agenda};
  agenda.drain(writer);
  EXPECT_EQ(writer.lines, Lines{"effect 5"});
}

}  // namespace
}  // namespace faultline
