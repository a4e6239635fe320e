// Objects by number, of which a run changes few: a start that is remembered, and rows for what has changed
// since.
//
// Reading an object that nobody has touched reads it as it was at the start; `touch` copies it into a row
// of its own, once. Rows live in the order in which they were touched, so what happened lately is together
// in memory, and `reset` costs what was touched, whatever the number of objects. Objects can be added after
// the start; `reset` forgets them.
//
// Rows do not move: references from `touch` stay good until `reset`. No allocation once as many rows and
// objects were there before.
//
// Thread rule: one per picture.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace faultline::observed {

template <class T>
class Rows {
 public:
  std::size_t size() const { return row_.size(); }

  const T& operator[](std::size_t i) const { return row_[i] == kNone ? start_[i] : row(row_[i]); }
  T& touch(std::size_t i) {
    if (row_[i] != kNone) return row(row_[i]);
    return new_row(i) = start_[i];
  }
  // A new object with the next number.
  void add(const T& object) {
    row_.push_back(kNone);
    new_row(row_.size() - 1) = object;
  }

  // What is there now is the start.
  void remember() {
    start_.resize(row_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (row_[i] != kNone) start_[i] = row(row_[i]);
    }
    reset();
  }
  void reset() {
    for (const std::uint32_t i : owners_) row_[i] = kNone;
    owners_.clear();
    row_.resize(start_.size());
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::size_t kChunk = 64;

  T& new_row(std::size_t i) {
    row_[i] = static_cast<std::uint32_t>(owners_.size());
    owners_.push_back(static_cast<std::uint32_t>(i));
    if (owners_.size() > chunks_.size() * kChunk) {
      chunks_.push_back(std::make_unique<std::array<T, kChunk>>());
    }
    return row(row_[i]);
  }
  T& row(std::uint32_t r) { return (*chunks_[r / kChunk])[r % kChunk]; }
  const T& row(std::uint32_t r) const { return (*chunks_[r / kChunk])[r % kChunk]; }

  std::vector<T> start_;
  std::vector<std::uint32_t> row_;     // by object
  std::vector<std::uint32_t> owners_;  // by row
  std::vector<std::unique_ptr<std::array<T, kChunk>>> chunks_;
};

}  // namespace faultline::observed
