// Which draw decides what about a fault: the last part of its random address.
//
// The stream is the class's own, the entity the fault's ordinal in it; the draw number holds the population and
// one of these questions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline::fault_draws {

inline constexpr std::uint32_t kClears = 0;    // when it is gone by itself
inline constexpr std::uint32_t kFound = 1;     // when silent corruption is noticed
inline constexpr std::uint32_t kSurfaces = 2;  // when the error has reached every rank
inline constexpr std::uint32_t kAccepted = 3;  // whether an ageing part really fails

// Of its signals, two each: whether the agent catches it (and how late a push is), and its own delay.
constexpr std::uint32_t caught(std::size_t signal) {
  return 4 + 2 * static_cast<std::uint32_t>(signal);
}
constexpr std::uint32_t delay(std::size_t signal) { return caught(signal) + 1; }

// Whether it blames another node, and which.
constexpr std::uint32_t blamed(std::size_t signal) {
  return 12 + static_cast<std::uint32_t>(signal);
}
// Which node is struck, if the one that the arrival names is not of the kind: the n-th attempt.
constexpr std::uint32_t victim(std::uint32_t attempt) { return 16 + attempt; }
inline constexpr std::uint32_t kMostAttempts = 240;

constexpr std::uint32_t number(std::uint32_t population, std::uint32_t question) {
  return (population << 8) | question;
}

}  // namespace faultline::fault_draws
