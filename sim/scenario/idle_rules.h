// The rules of idle_knobs.h: each adds the idle knobs of its kind.
//
// Thread rule: pure functions.
#pragma once

#include "sim/scenario/scenario.h"

namespace faultline::idle {

// Machines and what breaks: idle_rules_machines.cc
void domains_that_nothing_counts(const Scenario& scenario, FieldProblems& idle);
void nics_without_fabric(const Scenario& scenario, FieldProblems& idle);
void cores_of_two_layers(const Scenario& scenario, FieldProblems& idle);
void lemons_that_nothing_strikes(const Scenario& scenario, FieldProblems& idle);
void sound_machines_without_lemons(const Scenario& scenario, FieldProblems& idle);
void hazard_without_rate(const Scenario& scenario, FieldProblems& idle);
void returns_to_an_unlimited_stock(const Scenario& scenario, FieldProblems& idle);
void retry_of_what_is_never_refused(const Scenario& scenario, FieldProblems& idle);
void manual_stage_without_escalation(const Scenario& scenario, FieldProblems& idle);
void score_that_never_falls(const Scenario& scenario, FieldProblems& idle);
void shop_without_machines(const Scenario& scenario, FieldProblems& idle);

// Detection and repair: idle_rules_control.cc
void channels_without_reasons(const Scenario& scenario, FieldProblems& idle);
void recheck_of_what_latches(const Scenario& scenario, FieldProblems& idle);
void report_that_nothing_waits_for(const Scenario& scenario, FieldProblems& idle);
void occurrences_that_nothing_counts(const Scenario& scenario, FieldProblems& idle);
void tolerations_of_absent_conditions(const Scenario& scenario, FieldProblems& idle);
void conditions_that_never_turn_unknown(const Scenario& scenario, FieldProblems& idle);
void status_checks_that_nobody_makes(const Scenario& scenario, FieldProblems& idle);
void requeue_without_gate(const Scenario& scenario, FieldProblems& idle);
void silence_without_lease(const Scenario& scenario, FieldProblems& idle);

// Jobs: idle_rules_jobs.cc
void cores_that_no_agent_takes(const Scenario& scenario, FieldProblems& idle);
void settings_of_absent_checkpoints(const Scenario& scenario, FieldProblems& idle);
void verification_without_corruption(const Scenario& scenario, FieldProblems& idle);
void timeouts_without_hangs(const Scenario& scenario, FieldProblems& idle);
void transport_without_flaps(const Scenario& scenario, FieldProblems& idle);
void backoff_without_retries(const Scenario& scenario, FieldProblems& idle);
void standbys_that_are_none(const Scenario& scenario, FieldProblems& idle);
void overlap_of_absent_traffic(const Scenario& scenario, FieldProblems& idle);

}  // namespace faultline::idle
