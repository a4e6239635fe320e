// Two questions to an address; in which order they are asked changes nothing.
#include "sim/engine/fault_draws.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace faultline {
namespace {

constexpr StreamId kStream("fault/detail", "gpu");
constexpr std::uint32_t kOrdinal = 17;
constexpr std::uint32_t kPopulation = 3;

// By hand: questions 2 and 3 of population 3 are the address (3 << 8) + 1.
TEST(FaultDraws, AnEvenQuestionAndTheNextShareAnAddress) {
  const RandomSource random(1, 0);
  FaultDraws draws;
  draws.begin(random);
  const auto [even, odd] = random.two_uniforms(kStream, kOrdinal, 769);
  EXPECT_EQ(draws.draw(kStream, kOrdinal, kPopulation, FaultDraws::caught(1)), even);
  EXPECT_EQ(draws.draw(kStream, kOrdinal, kPopulation, FaultDraws::caught(2)), odd);
}

TEST(FaultDraws, TheOrderOfQuestionsChangesNothing) {
  const RandomSource random(1, 0);
  FaultDraws forwards;
  FaultDraws backwards;
  forwards.begin(random);
  backwards.begin(random);
  std::vector<double> answers(256);
  for (std::uint32_t q = 0; q < 256; ++q) {
    answers[q] = forwards.draw(kStream, kOrdinal, kPopulation, q);
  }
  for (std::uint32_t q = 256; q-- > 0;) {
    EXPECT_EQ(backwards.draw(kStream, kOrdinal, kPopulation, q), answers[q]);
  }
  EXPECT_EQ(std::set<double>(answers.begin(), answers.end()).size(), 256U);
}

// What is kept belongs to one stream, fault, population and replication.
TEST(FaultDraws, NothingIsKeptForAnotherFault) {
  const RandomSource first(1, 0);
  const RandomSource second(1, 1);
  FaultDraws draws;
  draws.begin(first);
  const auto ask = [&](StreamId stream, std::uint32_t ordinal, std::uint32_t population) {
    return draws.draw(stream, ordinal, population, FaultDraws::kClears);
  };
  std::set<double> answers{ask(kStream, kOrdinal, kPopulation), ask(kStream, 18, kPopulation),
                           ask(kStream, kOrdinal, 4),
                           ask(StreamId("fault/detail", "nic"), kOrdinal, kPopulation)};
  answers.insert(ask(kStream, kOrdinal, kPopulation));
  EXPECT_EQ(answers.size(), 4U);
  draws.begin(second);
  EXPECT_EQ(answers.count(ask(kStream, kOrdinal, kPopulation)), 0U);
}

// The questions that are asked of one fault are all different.
TEST(FaultDraws, EveryQuestionHasANumberOfItsOwn) {
  std::set<FaultDraws::Question> numbers{FaultDraws::kSurfaces, FaultDraws::kFound,
                                         FaultDraws::kClears, FaultDraws::kAccepted};
  for (std::size_t signal = 0; signal < 4; ++signal) {
    numbers.insert(FaultDraws::caught(signal));
    numbers.insert(FaultDraws::delay(signal));
    numbers.insert(FaultDraws::blamed(signal));
  }
  numbers.insert(FaultDraws::victim(0));
  EXPECT_EQ(numbers.size(), 4 + 3 * 4 + 1);
  EXPECT_LT(FaultDraws::victim(FaultDraws::kMostAttempts - 1) / 2, 1U << 8);
}

}  // namespace
}  // namespace faultline
