// The ledger's accounts: where the time of a job went. Every nanosecond of every job is in exactly
// one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace faultline {

enum class Account : std::uint8_t {
  kProductive,  // steps whose work was kept
  kCheckpoint,  // steps stopped for a checkpoint
  kRedo,        // steps whose work was lost, and has to be done again
  kHang,        // every rank waits in a collective: until the watchdog, or the end of a flap
  kStraggler,   // steps took longer because of the slowest rank
  kAgentNoise,  // steps delayed by monitoring agents (models/detectors)
  kDetect,      // down: from the fault to the condition
  kTolerate,    // down: from the condition to the decision
  kGate,        // down: the safety gate holds the repair back
  kDrain,       // down: from the decision until the node is drained
  kProvision,   // down: until the replacement (or the mended node) is ready
  kNoCapacity,  // down: the provider has no machine
  kRestart,     // down: tear-down, back-off and the restart itself
  kDegraded,    // running on fewer nodes than asked for
  kPlanned,     // down: announced maintenance
};
inline constexpr std::size_t kAccounts = 15;

inline constexpr std::array<std::string_view, kAccounts> kAccountNames{
    "productive",  "checkpoint",  "redo",     "hang",     "straggler",
    "agent_noise", "detect",      "tolerate", "gate",     "drain",
    "provision",   "no_capacity", "restart",  "degraded", "planned"};

constexpr std::string_view to_string(Account account) {
  return kAccountNames[static_cast<std::size_t>(account)];
}

}  // namespace faultline
