// A table over a large range of which a run touches little: the nodes of a fleet that something
// happens to.
//
// Every row starts as the blank. Reading an untouched row gives the blank; `touch` gives a row of
// its own, that can be changed. Rows live in the order in which they were touched, so what happened
// lately is together in memory whatever the size of the range, and `clear` costs the rows that were
// touched.
//
// Rows do not move: references stay good until `clear`. No allocation once as many rows were
// touched before.
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace faultline {

template <class T>
class TouchedTable {
 public:
  explicit TouchedTable(std::size_t range, T blank = {})
      : blank_(std::move(blank)), row_(range, kNone) {}

  const T& operator[](std::size_t i) const { return row_[i] == kNone ? blank_ : at_row(row_[i]); }

  T& touch(std::size_t i) {
    const std::uint32_t row = row_[i];
    return row != kNone ? at_row(row) : add_row(i);
  }

  // The number of a touched row, counting from 0 in the order of touching, and whose it is.
  std::uint32_t row(std::size_t i) const { return row_[i]; }
  std::size_t owner(std::uint32_t row) const { return owners_[row]; }
  // The touched indices, in the order of touching.
  const std::vector<std::uint32_t>& owners() const { return owners_; }

  void clear() {
    for (const std::uint32_t i : owners_) row_[i] = kNone;
    owners_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::size_t kChunk = 64;

  [[gnu::noinline]] T& add_row(std::size_t i) {
    const auto row = static_cast<std::uint32_t>(owners_.size());
    row_[i] = row;
    owners_.push_back(static_cast<std::uint32_t>(i));
    if (owners_.size() > chunks_.size() * kChunk) {
      chunks_.push_back(std::make_unique<std::array<T, kChunk>>());
    }
    return at_row(row) = blank_;
  }
  T& at_row(std::uint32_t row) { return (*chunks_[row / kChunk])[row % kChunk]; }
  const T& at_row(std::uint32_t row) const { return (*chunks_[row / kChunk])[row % kChunk]; }

  T blank_;
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::unique_ptr<std::array<T, kChunk>>> chunks_;
};

}  // namespace faultline
