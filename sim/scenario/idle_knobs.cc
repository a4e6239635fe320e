#include "sim/scenario/idle_knobs.h"

#include "sim/scenario/idle_rules.h"
#include "sim/scenario/kubernetes_defaults.h"
#include "sim/scenario/problems.h"

namespace faultline {
namespace {

using Rule = void (*)(const Scenario& scenario, FieldProblems& idle);

constexpr Rule kRules[] = {
    idle::domains_that_nothing_counts,
    idle::nics_without_fabric,
    idle::cores_of_two_layers,
    idle::lemons_that_nothing_strikes,
    idle::sound_machines_without_lemons,
    idle::hazard_without_rate,
    idle::returns_to_an_unlimited_stock,
    idle::retry_of_what_is_never_refused,
    idle::manual_stage_without_escalation,
    idle::score_that_never_falls,
    idle::shop_without_machines,
    idle::channels_without_reasons,
    idle::recheck_of_what_latches,
    idle::report_that_nothing_waits_for,
    idle::occurrences_that_nothing_counts,
    idle::tolerations_of_absent_conditions,
    idle::conditions_that_never_turn_unknown,
    idle::status_checks_that_nobody_makes,
    idle::requeue_without_gate,
    idle::silence_without_lease,
    idle::cores_that_no_agent_takes,
    idle::settings_of_absent_checkpoints,
    idle::verification_without_corruption,
    idle::timeouts_without_hangs,
    idle::transport_without_flaps,
    idle::backoff_without_retries,
    idle::standbys_that_are_none,
    idle::overlap_of_absent_traffic,
};

// The only rule about what the files leave out.
void release_that_nothing_follows(const Scenario& scenario, const Tree& tree, FieldProblems& idle) {
  if (scenario.kubernetes == KubernetesVersion{}) return;
  if (follows_kubernetes(tree, *describe<Scenario>())) return;
  idle.add_key("kubernetes", "has no effect: every default that follows the release is given");
}

}  // namespace

Diagnostics idle_knobs(const Scenario& scenario, const Tree& tree) {
  FieldProblems idle;
  release_that_nothing_follows(scenario, tree, idle);
  for (const Rule rule : kRules) rule(scenario, idle);
  Diagnostics diagnostics;
  add_problems(idle, tree, "", ProblemKind::kWarning, diagnostics);
  return diagnostics;
}

}  // namespace faultline
