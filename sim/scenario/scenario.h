// A scenario: everything that a simulation depends on, apart from the seed.
//
// It is loaded once (load_scenario.h) and const ever after. Each member's type is the config struct of
// the model that it belongs to; this struct only puts them together and checks what no single one can.
//
// Thread rule: immutable after loading; share freely.
#pragma once

#include <string>
#include <vector>

#include "models/base/fields.h"
#include "models/base/kubernetes.h"
#include "models/base/time.h"
#include "models/capacity/capacity_config.h"
#include "models/detectors/detectors_config.h"
#include "models/faults/fault_config.h"
#include "models/fleet/fleet_config.h"
#include "models/workloads/training_config.h"
#include "policies/controllers_config.h"
#include "policies/policy_config.h"
#include "sim/scenario/expectation.h"

namespace faultline {

struct Scenario {
  std::string name;
  std::string description;
  Duration horizon = 54_d;
  KubernetesVersion kubernetes;
  FleetConfig fleet;
  FaultCatalogueConfig faults;
  DetectorsConfig detectors;
  PolicyConfig policy;
  std::vector<ControllerConfig> controllers;
  CapacityConfig capacity;
  std::vector<WorkloadConfig> workloads;
  std::vector<Expectation> expect;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("scenario", &Scenario::name, {.help = "Name of the scenario.", .required = true});
    visit("description", &Scenario::description, {.help = "What it describes, in a sentence."});
    visit("horizon", &Scenario::horizon,
          {.help = "Simulated time.", .required = true, .more_than_zero = true});
    visit(
        "kubernetes", &Scenario::kubernetes,
        {.help = "Kubernetes release of the cluster, from 1.30 to 1.37. Defaults that are not the "
                 "same in all of them follow it: `grace` of a `!lease` channel.",
         .identifier = true});
    visit("fleet", &Scenario::fleet, {.help = "The machines.", .required = true});
    visit("faults", &Scenario::faults, {.help = "The failure catalogue.", .required = true});
    visit("detectors", &Scenario::detectors,
          {.help = "Detection: channels and the reason-code contract.", .required = true});
    visit("policy", &Scenario::policy,
          {.help = "Who repairs, and when: the short form of a list of `controllers`.",
           .required = true,
           .unless = "controllers"});
    visit("controllers", &Scenario::controllers,
          {.help = "The control plane, one by one, in the order in which equal wakes are served; "
                   "in place of "
                   "`policy`."});
    visit("capacity", &Scenario::capacity,
          {.help = "Where replacements come from.", .required = true});
    visit("workloads", &Scenario::workloads, {.help = "The jobs.", .required = true});
    visit(
        "expect", &Scenario::expect,
        {.help = "What must hold of the results, for `faultline check`; it changes none of them."});
  }

  // Cross-checks between the parts: references by name, a job larger than its pool, ...
  void check(FieldProblems& problems) const;
};

}  // namespace faultline
