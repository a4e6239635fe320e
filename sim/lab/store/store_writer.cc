#include "sim/lab/store/store_writer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "sim/lab/store/result_store.h"

namespace faultline {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::chrono::milliseconds kOldest{500};

}  // namespace

StoreWriter::StoreWriter(ResultStore* store, std::uint64_t seed) : store_(store), seed_(seed) {
  if (store_ != nullptr) thread_ = std::thread([this] { work(); });
}

StoreWriter::~StoreWriter() { static_cast<void>(finish()); }

void StoreWriter::add(const Point& point, std::uint32_t replication,
                      const std::vector<double>& values, const std::string& durations) {
  add({.point = &point, .replication = replication, .values = values, .durations = durations});
}

void StoreWriter::add_failure(const Point& point, std::uint32_t replication,
                              const std::string& what) {
  add({.point = &point, .replication = replication, .failure = what});
}

void StoreWriter::add(Finished finished) {
  if (store_ == nullptr || broken_) return;
  const std::lock_guard lock(mutex_);
  pending_.push_back(std::move(finished));
  if (pending_.size() == kBatch) wake_.notify_one();
}

tl::expected<void, std::string> StoreWriter::finish() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  if (broken_) return tl::unexpected(problem_);
  return {};
}

void StoreWriter::work() {
  for (bool over = false; !over;) {
    std::vector<Finished> batch;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kOldest, [&] { return over_ || pending_.size() >= kBatch; });
      batch.swap(pending_);
      over = over_;
    }
    write(std::move(batch));
  }
}

void StoreWriter::write(std::vector<Finished> batch) {
  std::sort(batch.begin(), batch.end(), [](const Finished& a, const Finished& b) {
    return std::pair(a.point, a.replication) < std::pair(b.point, b.replication);
  });
  for (std::size_t i = 0; i < batch.size() && !broken_;) {
    const Point* const point = batch[i].point;
    Rows rows;
    std::vector<std::string> durations;
    tl::expected<void, std::string> written;
    for (; i < batch.size() && batch[i].point == point; ++i) {
      if (batch[i].values.empty()) {
        written = store_->add_failure(*point, seed_, batch[i].replication, batch[i].failure);
        continue;
      }
      rows.finished.push_back(batch[i].replication);
      rows.values.push_back(std::move(batch[i].values));
      if (!batch[i].durations.empty()) durations.push_back(std::move(batch[i].durations));
    }
    if (written) written = store_->add(*point, seed_, rows, durations);
    if (written) continue;
    problem_ = written.error();
    broken_ = true;
  }
}

}  // namespace faultline
