// The error texts of a demo file (scenario_demo.h), as a user would see them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/load.h"
#include "sim/scenario/memory_files.h"
#include "test/support/scenario_demo.h"

namespace faultline::demo {

using Files = std::map<std::string, std::string>;

// "home" plays the project root, and `extends: NAME` at the top means home/named/NAME.yaml.
inline tl::expected<Demo, Diagnostics> load_files(const Files& files,
                                                  const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) overrides.push_back({set});
  return load<Demo>({"a.yaml", overrides, "named"}, MemoryFiles(files, "home"));
}

// The rendered errors of a file named a.yaml; "fine" when there are none.
inline std::string errors_of(const Files& files, const std::vector<std::string>& sets = {}) {
  const auto loaded = load_files(files, sets);
  return loaded ? "fine" : loaded.error().render();
}
inline std::string errors_of(const std::string& content,
                             const std::vector<std::string>& sets = {}) {
  return errors_of(Files{{"a.yaml", content}}, sets);
}

}  // namespace faultline::demo
