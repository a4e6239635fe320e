// The repair shop: where machines go that were taken out of service, and what becomes of them.
//
//   admitted --> automatic --(escalates)--> manual
//                    |                        |
//                    '--> back or given up <--'
//
// Each stage has crews, or is unlimited; machines that find none free wait their turn. A repair
// either mends the machine or does not; both come back. At the end of its visit a machine may be
// given up (`retire`): more than so many faults in a window that ends now, or a score that has run
// out.
//
//   score after a visit = min(start, score + credit x floor(time in service / every)) - penalty
//
// What is drawn for a visit is addressed by (machine, number of the visit), so a machine is unlucky
// under every policy.
//
// Worked example. One crew a stage, automatic 2 h, manual 2 d, every machine escalates. Machines A
// and B are admitted at 0 h and 1 h: A's automatic stage ends at 2 h, B begins then and ends at 4 h;
// A's manual stage runs from 2 h to 50 h, B's from 50 h to 98 h.
//
// Cost: grows with the machines that were ever in the shop, not with the fleet.
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/base/touched_table.h"
#include "models/capacity/repair_shop_config.h"
#include "models/capacity/waiting_line.h"
#include "models/happenings.h"

namespace faultline {

class RepairShop {
 public:
  // A machine on which a crew begins to work; invalid: nobody begins anything.
  struct Work {
    MachineId machine;
    SimTime ends;
  };
  struct StageEnd {
    RepairStage stage = RepairStage::kAutomatic;
    RepairOutcome outcome = RepairOutcome::kEscalated;
    bool retired = false;
    Work goes_on;  // the machine itself, in the next stage
    Work next;     // the one that waited for the crew
  };

  RepairShop(const RepairShopConfig& config, std::size_t machines);

  void begin(const RandomSource& random);
  void begin(RandomSource&&) = delete;  // it is asked until the next `begin`

  // A fault of this machine, for the threshold rule. Costs nothing without the rule.
  void record_fault(MachineId machine, SimTime now);

  // The machine comes in after so much time in service.
  Work admit(MachineId machine, SimTime now, Duration in_service);
  // The stage that was to end now ends.
  StageEnd stage_ends(MachineId machine, SimTime now);

 private:
  struct Machine {
    std::uint32_t visits = 0;
    RepairStage stage = RepairStage::kAutomatic;
    double fate = 0;  // what is left of the uniform that decides this visit
    double score = 0;
    std::uint32_t faults = 0;
  };
  struct Stage {
    const RepairStageConfig* config;
    std::int64_t busy = 0;
    WaitingLine<MachineId> waiting;
  };

  Work enters(Stage& stage, MachineId machine, SimTime now);
  Work works(Stage& stage, MachineId machine, SimTime now);
  bool gives_up(const Machine& machine, std::uint32_t row, SimTime now) const;

  const RepairShopConfig& config_;
  const RandomSource* random_ = nullptr;
  std::array<Stage, 2> stages_;
  TouchedTable<Machine> machines_;
  std::size_t remembered_;       // faults per machine
  std::vector<SimTime> recent_;  // by row: the last faults, a ring
};

}  // namespace faultline
