#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.h"
#include "sim/report/run_report.h"

namespace faultline {
namespace {

using Index = MetricIndex;

// An account below this share is not worth a hint.
constexpr double kWorthwhile = 0.01;
constexpr double kManyNeedless = 0.2;  // of the replacements
constexpr double kFarFromOptimum = 1.3;
constexpr const char* kAcceleratedHardware = "AcceleratedHardwareReady";

// Whole seconds, so that the text is short.
Duration rounded(Duration d) { return Duration::from_seconds(std::round(d.seconds())); }

using Window = ControlPlaneFacts::Window;

// The window that GPU faults wait for, or else the longest one.
const Window* main_window(const ControlPlaneFacts& facts) {
  const Window* longest = nullptr;
  for (const Window& window : facts.windows) {
    if (window.condition == kAcceleratedHardware) return &window;
    if (longest == nullptr || window.toleration > longest->toleration) longest = &window;
  }
  return longest;
}

void add_window_hints(const RunResults& results, const ControlPlaneFacts& facts,
                      std::vector<std::string>& hints) {
  const Window* main = main_window(facts);
  if (main == nullptr) return;
  const std::string& path = main->path;
  const Duration window = main->toleration;
  const double tolerate = results.lost(Account::kTolerate).mean;
  const double needless = results.of(Index::kNeedless).mean / results.of(Index::kReplacements).mean;
  const bool waits = window > Duration::zero();
  const bool long_enough = tolerate >= kWorthwhile && waits;
  // A condition that latches does not clear in a longer window either, and a policy without a window
  // does not mean to wait.
  const bool avoidable =
      needless >= kManyNeedless && waits && !results.scenario().detectors.latching;
  const auto set = [&](Duration other) {
    return fmt::format("`--set {}={}`", path, to_string(rounded(other)));
  };
  const std::string shorter = set(Duration::nanoseconds(window.ns() / 2));
  const std::string longer = set(std::max(window * 2, 1_min));
  if (long_enough && avoidable) {
    // (Half of it and twice as much may both lie on the wrong side of a poll.)
    hints.push_back(fmt::format(
        "{} of the time is lost waiting for conditions to clear, and still {} of the replacements "
        "were needless: `faultline tune` finds the best window, `--vary "
        "{}=0s..{}/{}`.",
        percent(tolerate), percent(needless), path, to_string(rounded(window * 2)),
        to_string(std::max(rounded(Duration::nanoseconds(window.ns() / 10)), 1_s))));
  } else if (long_enough) {
    hints.push_back(fmt::format(
        "{} of the time is lost waiting for conditions to clear: try a shorter window, {}.",
        percent(tolerate), shorter));
  } else if (avoidable) {
    hints.push_back(fmt::format(
        "{} of the replacements were needless: a longer window avoids some of them, {}.",
        percent(needless), longer));
  }
  if (results.lost(Account::kGate).mean >= kWorthwhile) {
    hints.push_back(
        fmt::format("{} of the time is lost at the safety gate: see what it is worth, "
                    "`--set {}=off`.",
                    percent(results.lost(Account::kGate).mean), facts.gates.front().path));
  }
}

// A provisioner that gives up on machines too early launches them for nothing.
void add_registration_hint(const RunResults& results, const ControlPlaneFacts& facts,
                           std::vector<std::string>& hints) {
  const Summary& timeouts = results.of(Index::kRegistrationTimeouts);
  if (!happened(timeouts) || !facts.registration) return;
  const auto& [path, after] = *facts.registration;
  const double late = 1 - results.scenario().capacity.launch.cdf(after);
  if (late < kWorthwhile) return;
  hints.push_back(fmt::format(
      "{} of the launches take longer than `{}`, {}, and begin again: `--set {}=infinite` "
      "waits for them.",
      percent(late), path, to_string(after), path));
}

// Under a policy that replaces nodes; where somebody mends them, no machine is waited for.
void add_capacity_hint(const RunResults& results, std::vector<std::string>& hints) {
  const double waiting =
      results.lost(Account::kProvision).mean + results.lost(Account::kNoCapacity).mean;
  if (waiting < kWorthwhile) return;
  const std::int64_t spares = results.scenario().capacity.warm_spares;
  const std::int64_t more = spares == 0 ? 4 : 2 * spares;
  hints.push_back(
      fmt::format("{} of the time is lost waiting for new machines: try{} warm spares, "
                  "`--set capacity.warm_spares={}`.",
                  percent(waiting), spares == 0 ? "" : " more", more));
}

void add_job_hints(const RunResults& results, const TrainingConfig& job,
                   std::vector<std::string>& hints) {
  if (results.lost(Account::kHang).mean >= kWorthwhile) {
    hints.push_back(
        fmt::format("{} of the time is lost in hangs until a watchdog fires: try "
                    "`--set workloads[{}].nccl_timeout={}`.",
                    percent(results.lost(Account::kHang).mean), job.name,
                    to_string(rounded(Duration::nanoseconds(job.nccl_timeout.ns() / 2)))));
  }
  // Young 1974: the best interval is about sqrt(2 x cost x mean time between failures).
  const double stops = results.of(Index::kInterruptions).mean + results.of(Index::kByRepair).mean +
                       results.of(Index::kEvictions).mean;
  const double best =
      std::sqrt(2 * job.checkpoint.blocks.seconds() * results.run_seconds() / stops);
  const double ratio = job.checkpoint.every.seconds() / best;
  const bool worthwhile =
      results.lost(Account::kRedo).mean + results.lost(Account::kCheckpoint).mean >= kWorthwhile;
  if (worthwhile && stops > 0 && best >= job.step_length().seconds() &&
      (ratio > kFarFromOptimum || ratio < 1 / kFarFromOptimum)) {
    hints.push_back(fmt::format(
        "{} of the time goes into redoing work and {} into checkpoints: by Young's rule, try "
        "`--set workloads[{}].checkpoint.every={}`.",
        percent(results.lost(Account::kRedo).mean),
        percent(results.lost(Account::kCheckpoint).mean), job.name,
        to_string(Duration::from_seconds(std::round(best)))));
  }
}

}  // namespace

std::vector<std::string> run_hints(const RunResults& results) {
  std::vector<std::string> hints;
  const ControlPlaneFacts& facts = results.plan.control_facts();
  if (facts.replaces_nodes) {
    add_window_hints(results, facts, hints);
    add_registration_hint(results, facts, hints);
    add_capacity_hint(results, hints);
  }
  // Accounts are sums over the jobs: only with one job it is clear whose setting to change.
  if (results.plan.jobs().size() == 1) {
    add_job_hints(results, *results.plan.jobs().front().config, hints);
  }
  return hints;
}

}  // namespace faultline
