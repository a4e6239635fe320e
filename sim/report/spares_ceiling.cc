#include "sim/report/spares_ceiling.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

constexpr std::size_t kAccountsNamed = 3;
constexpr double kWorthNaming = 0.001;

// The field that moves an account, as the reader would type it.
std::string lever(Account account, const SparesPoint& point) {
  const std::string job =
      point.point->plan().jobs().empty() ? "NAME" : point.point->plan().jobs().front().config->name;
  switch (account) {
    case Account::kCheckpoint:
    case Account::kRedo: return fmt::format("workloads[{}].checkpoint.every", job);
    case Account::kHang: return fmt::format("workloads[{}].nccl_timeout", job);
    case Account::kDetect: return "detectors";
    case Account::kTolerate: return "policy.tolerations";
    case Account::kGate: return "policy.gate";
    case Account::kDrain: return "policy.drain";
    case Account::kProvision: return "capacity.launch";
    case Account::kNoCapacity: return "capacity.spares";
    case Account::kRestart: return fmt::format("workloads[{}].checkpoint.load and .restart", job);
    case Account::kProductive:
    case Account::kStraggler:
    case Account::kAgentNoise:
    case Account::kDegraded:
    case Account::kPlanned: break;
  }
  return "";
}

std::string where_the_time_goes(const SparesPoint& point) {
  std::vector<std::size_t> accounts;
  for (std::size_t a = 1; a < kAccounts; ++a) {
    if (point.lost[a] >= kWorthNaming) accounts.push_back(a);
  }
  std::stable_sort(accounts.begin(), accounts.end(),
                   [&](std::size_t a, std::size_t b) { return point.lost[a] > point.lost[b]; });
  if (accounts.size() > kAccountsNamed) accounts.resize(kAccountsNamed);
  std::string text;
  for (const std::size_t a : accounts) {
    const std::string field = lever(static_cast<Account>(a), point);
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", kAccountNames[a],
                        percent(point.lost[a]), field.empty() ? "" : fmt::format(" (`{}`)", field));
  }
  return text.empty() ? "nothing worth naming" : text;
}

// Spares that cannot be used at all.
std::string useless_because(const SparesAnswer& answer, const SparesPoint& point,
                            const Scenario& scenario) {
  if (point.replaced.mean == 0) {
    const bool in_place = point.point->plan().control_facts().mends_in_place;
    return fmt::format("no node is ever replaced{}, so a spare is never used",
                       in_place ? ": nodes are mended where they stand" : "");
  }
  const auto may_move = [](const auto& job) { return job.config->may_move; };
  const auto& jobs = point.point->plan().jobs();
  if (answer.question.kind == SpareKind::kWarm &&
      !std::any_of(jobs.begin(), jobs.end(), may_move)) {
    return "`may_move: false` keeps every job from moving to a warm spare";
  }
  if (answer.question.kind == SpareKind::kCold &&
      scenario.capacity.returns_after.mean_seconds() == 0) {
    return "`capacity.returns_after` is 0s: a removed machine can be launched again at once, so a "
           "stock is "
           "never empty for long";
  }
  return "";
}

}  // namespace

void tell_the_ceiling(const SparesAnswer& answer, const Scenario& scenario,
                      std::vector<std::string>& lines) {
  const SparesPoint& most = answer.curve.back();
  const SparesPoint& none = answer.curve.front();
  const auto unit = answer.question.target.left.unit();
  const std::string& subject = answer.question.target.left.text();
  const bool open = most.verdict == SparesVerdict::kOpen;
  lines.push_back(
      fmt::format("No number of spares up to {} {} `{}`: with {} it is {}, and {} with none.",
                  most.spares, open ? "is shown to meet" : "meets", answer.question.target.text,
                  most.spares, estimate_text(unit, most.value), estimate_text(unit, none.value)));
  if (open) {
    lines.push_back(
        fmt::format("{} {} too few to tell: the target lies within the noise. Try "
                    "`{} {}`.",
                    counted(most.value.n, "replication"), most.value.n == 1 ? "is" : "are",
                    answer.question.cap > 0 ? "--max-reps" : "--reps", 4 * most.value.n));
  }
  const std::string useless = useless_because(answer, most, scenario);
  if (!useless.empty()) {
    lines.push_back("Why: " + useless + ".");
  } else if (most.stockout.mean > kWorthNaming) {
    lines.push_back(
        fmt::format("Jobs still wait for a machine {} of the time: try a larger `--max`, now {}.",
                    percent(most.stockout.mean, 2), answer.question.most));
  } else {
    lines.push_back(
        fmt::format("Why: with {} jobs wait for a machine {} of the time, and that is all "
                    "that spares can give back. This is the ceiling of {}.",
                    counted(static_cast<std::size_t>(most.spares), "spare"),
                    percent(most.stockout.mean, 2), subject));
  }
  lines.push_back(fmt::format("The time goes elsewhere: {}.", where_the_time_goes(most)));
}

}  // namespace faultline
