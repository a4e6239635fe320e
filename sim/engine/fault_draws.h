// Which draw decides what about a fault: the last part of its random address.
//
// The stream is the class's own, the entity the fault's ordinal in it; the draw number holds the
// population and one of these questions. One address yields two uniforms, so an even question and the odd
// one after it share it: those that are mostly asked of the same fault. The pair that was asked for last
// is kept, and most faults are decided by one or two encryptions.
//
// Worked example: a crash that two signals show asks kSurfaces, caught(0) and caught(1): questions 0, 1 and
// 2, of the addresses 0 and 1.
//
// What is drawn does not depend on who asks, or when: every room of the engine may share one.
//
// Thread rule: one per simulation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/base/distribution.h"
#include "models/base/random.h"
#include "models/faults/active_faults.h"
#include "models/faults/fault_classes.h"

namespace faultline {

class FaultDraws {
 public:
  using Question = std::uint32_t;

  static constexpr Question kSurfaces = 0;  // when the error has reached every rank
  // Of a signal: whether the agent catches it (and how late a push is).
  static constexpr Question caught(std::size_t signal) { return 1 + static_cast<Question>(signal); }
  static constexpr Question kFound = 5;     // when silent corruption is noticed
  static constexpr Question kClears = 6;    // when it is gone by itself
  static constexpr Question kAccepted = 7;  // whether an ageing part really fails
  // Of a signal: its own delay; whether it blames another node, and which.
  static constexpr Question delay(std::size_t signal) { return 8 + static_cast<Question>(signal); }
  static constexpr Question blamed(std::size_t signal) {
    return 12 + static_cast<Question>(signal);
  }
  // Which node is struck, if the one that the arrival names is not of the kind: the n-th attempt.
  static constexpr Question victim(std::uint32_t attempt) { return 16 + attempt; }
  static constexpr std::uint32_t kMostAttempts = 240;

  void begin(const RandomSource& random) {
    random_ = &random;
    kept_ = false;
  }
  double draw(StreamId stream, std::uint32_t ordinal, std::uint32_t population, Question question) {
    const std::uint32_t number = (population << 8) | (question / 2);
    if (!kept_ || stream.value() != stream_ || ordinal != ordinal_ || number != number_) {
      pair_ = random_->two_uniforms(stream, ordinal, number);
      stream_ = stream.value();
      ordinal_ = ordinal;
      number_ = number;
      kept_ = true;
    }
    return question % 2 == 0 ? pair_.first : pair_.second;
  }

  // The uniform that decides the question about this fault; and a duration drawn by it.
  double draw(const FaultClass& fault_class, const ActiveFault& fault, Question question) {
    return draw(fault_class.detail_stream, fault.ordinal, fault.population, question);
  }
  Duration sample(const Distribution& distribution, const FaultClass& fault_class,
                  const ActiveFault& fault, Question question) {
    return distribution.sample(distribution.is_fixed() ? 0.5 : draw(fault_class, fault, question));
  }

 private:
  const RandomSource* random_ = nullptr;
  bool kept_ = false;
  std::uint32_t stream_ = 0;
  std::uint32_t ordinal_ = 0;
  std::uint32_t number_ = 0;
  TwoUniforms pair_{};
};

}  // namespace faultline
