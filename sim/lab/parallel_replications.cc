#include "sim/lab/parallel_replications.h"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "models/base/check.h"

namespace faultline {
namespace {

class Loop {
 public:
  Loop(const std::vector<ReplicationTask>& tasks, const ParallelOptions& options)
      : tasks_(tasks), options_(options) {}

  void run() {
    // A worker reads this first, and with it sees everything that was written before: the hand-over of the
    // library does that too, but out of sight of a thread sanitizer, where the library is not built with one.
    gave_up_ = false;
    tbb::task_arena arena(threads_used(options_.threads));
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, tasks_.size(), [&](std::size_t task) {
        if (!is_over()) run_task(task);
      });
    });
    for (auto& worker : workers_) retire(worker);
    if (error_) throw InternalError(*error_);
  }

 private:
  using Worker = std::unique_ptr<ReplicationWorker>;

  bool is_over() const { return gave_up_ || (options_.stop && options_.stop()); }

  void run_task(std::size_t task) {
    const auto& [plan, replication] = tasks_[task];
    Worker& worker = workers_.local();
    try {
      if (worker == nullptr || &worker->plan() != plan) {
        retire(worker);
        worker = std::make_unique<ReplicationWorker>(*plan);
      }
      const std::vector<double>& values = worker->run(options_.seed, replication);
      const std::string durations = options_.durations ? worker->take_durations() : "";
      const std::lock_guard lock(mutex_);
      options_.finished(task, values, durations);
    } catch (const InternalError& error) {
      worker = nullptr;  // left in the middle of a run
      fail(task, error.what());
    }
  }

  void retire(Worker& worker) {
    if (worker == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (options_.retired) options_.retired(*worker);
  }

  void fail(std::size_t task, const char* what) {
    const std::lock_guard lock(mutex_);
    if (options_.failed) {
      options_.failed(task, what);
    } else {
      gave_up_ = true;
    }
    if (error_ && failed_task_ < task) return;
    failed_task_ = task;
    error_ = fmt::format("{}\nreplication {}", what, tasks_[task].replication);
  }

  const std::vector<ReplicationTask>& tasks_;
  const ParallelOptions& options_;
  tbb::enumerable_thread_specific<Worker> workers_;
  std::mutex mutex_;  // the callbacks, and what follows
  std::optional<std::string> error_;
  std::size_t failed_task_ = 0;
  std::atomic<bool> gave_up_;
};

}  // namespace

int threads_used(int threads) {
  return threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
}

void run_in_parallel(const std::vector<ReplicationTask>& tasks, const ParallelOptions& options) {
  Loop(tasks, options).run();
}

}  // namespace faultline
