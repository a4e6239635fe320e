#include "sim/report/shop_sections.h"

#include <fmt/format.h>

#include <initializer_list>

#include "sim/report/format.h"

namespace faultline {
namespace {

using Align = Table::Align;

void add_counts(Section& section, const RunResults& results,
                std::initializer_list<std::pair<const char*, const char*>> metrics) {
  for (const auto& [metric, text] : metrics) {
    if (const Summary* summary = results.find(metric)) {
      section.table.rows.push_back({with_margin(*summary), text});
    }
  }
}

}  // namespace

Section work_and_gang(const RunResults& results) {
  Section section{.title = "The work, and the gang that does it"};
  section.table.columns = {{"a run", Align::kRight}, {"", Align::kLeft}};
  if (const Summary* done = results.find("completion_seconds"); done != nullptr && done->n > 0) {
    section.table.rows.push_back(
        {brief(done->mean), fmt::format("until the work is done (runs: {} to {})", brief(done->p5),
                                        brief(done->p95))});
  }
  if (const Summary* share = results.find("completed_ratio"); share != nullptr && share->mean < 1) {
    section.table.rows.push_back(
        {percent(share->mean), "of the jobs were done within the horizon"});
  }
  add_counts(section, results,
             {{"host_selections_total", "gangs were formed, the first included"},
              {"preemptions_total", "nodes were taken from other work"}});
  return section;
}

Section repair_shop(const RunResults& results) {
  Section section{.title = "The repair shop"};
  section.table.columns = {{"a run", Align::kRight}, {"", Align::kLeft}};
  add_counts(section, results,
             {{"machines_to_shop_total", "machines went to the shop"},
              {"repairs_automatic_total", "automatic repairs ended"},
              {"repairs_manual_total", "manual repairs ended"},
              {"repairs_mended_total", "visits mended the machine"},
              {"repairs_failed_total", "visits left it as it was"},
              {"machines_retired_total", "machines were given up"}});
  return section;
}

}  // namespace faultline
