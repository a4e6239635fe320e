#include "sim/report/charged_noise_text.h"

#include <fmt/format.h>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

using Unit = Expression::Unit;

constexpr double kLeast = 1e-5;  // that is shown
constexpr double kVague = 0.1;   // of the form

// Up to what error the replay leaves the form alone; in shares of the form.
double undetected(const noise::ChargedNoise& charged) {
  return noise::kErrorsToRefute * charged.replayed->error / charged.form;
}

}  // namespace

nlohmann::ordered_json charged_noise_json(const noise::ChargedNoise& charged) {
  nlohmann::ordered_json replay = nullptr;
  if (charged.replayed) {
    replay = {{"slowdown", charged.replayed->slowdown}, {"error", charged.replayed->error}};
  }
  return {{"by", charged.refuted ? "replay" : "closed_form"},
          {"closed_form", charged.form},
          {"replay", replay}};
}

std::optional<std::string> charged_noise_caveat(const noise::ChargedNoise& charged,
                                                AcrossNodes across) {
  const std::string form = slowdown_text(charged.form);
  if (charged.refuted) {
    return fmt::format(
        "the closed form, {}, does not hold here, as bursts are too close together for the size of "
        "the gang; a replay is charged, {} (standard error: {} points).",
        form, slowdown_text(charged.slowdown), number(100 * charged.replayed->error, 2));
  }
  if (across == AcrossNodes::kAligned || charged.form < kLeast) return std::nullopt;
  if (!charged.replayed) {
    return fmt::format("delays are too rare for a replay to judge the closed form, {}.", form);
  }
  if (undetected(charged) < kVague) return std::nullopt;
  return fmt::format(
      "delays are so rare that a replay would not notice if the closed form, {}, were {} off.",
      form, value_text(undetected(charged), Unit::kRatio));
}

std::string slowdown_text(double slowdown) {
  if (slowdown == 0) return "0%";
  return slowdown < kLeast ? "<0.001%" : value_text(slowdown, Unit::kRatio);
}

}  // namespace faultline
