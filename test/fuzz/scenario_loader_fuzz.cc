// The scenario loader on arbitrary bytes. It may refuse them; it may not crash, hang or throw.
//
// The bytes are a scenario file, a file that it can include by its own name, and, after a line
// "--set", an override. Whatever loads must be written and loaded back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/scenario/load_scenario.h"
#include "sim/scenario/memory_files.h"

namespace {

using faultline::MemoryFiles;

void load(const std::string& content, const std::string& set) {
  const MemoryFiles files({{"a.yaml", content}, {"b.yaml", content}, {"c.csv", content}});
  std::vector<faultline::Override> overrides;
  if (!set.empty()) overrides.push_back({set});
  const auto scenario = faultline::load_scenario("a.yaml", overrides, files);
  if (!scenario) {
    if (scenario.error().render().empty()) std::abort();
    return;
  }
  const std::string shown = faultline::show_scenario(*scenario, true);
  const auto again = faultline::load_scenario("a.yaml", {}, MemoryFiles({{"a.yaml", shown}}));
  if (!again || faultline::show_scenario(*again, true) != shown) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  constexpr const char* kSet = "--set ";
  const std::size_t set = bytes.find(kSet);
  const bool has_set = set != std::string::npos;
  load(bytes.substr(0, set), set == std::string::npos ? "" : bytes.substr(set + 6));
  return 0;
}
