#include "sim/scenario/load_scenario.h"

#include <memory>
#include <optional>
#include <utility>

#include "sim/scenario/explain.h"
#include "sim/scenario/include.h"
#include "sim/scenario/load.h"
#include "sim/scenario/read.h"
#include "sim/scenario/reference.h"
#include "sim/scenario/schema.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/write.h"

namespace faultline {
namespace {

constexpr const char* kFolder = "traces/scenarios";

tl::unexpected<Diagnostics> no_such_scenario(const std::string& name, const FileSystem& files) {
  const std::vector<std::string> names = scenario_names(files);
  const auto source = std::make_shared<const Source>(Source{.name = name});
  Diagnostics diagnostics;
  diagnostics.add(
      {{source, 0, 0, 1},
       "",
       "there is no scenario of this name",
       "",
       names.empty() ? "the path of a file" : join_names(names) + ", or the path of a file",
       suggest(name, names)});
  return tl::unexpected(std::move(diagnostics));
}

// The file of a scenario; nothing if there is none of this name.
std::optional<std::string> file_of(const std::string& name_or_path, const FileSystem& files) {
  if (looks_like_path(name_or_path)) return name_or_path;
  std::string file =
      join_path(files.project_root(), std::string(kFolder) + "/" + name_or_path + ".yaml");
  if (name_or_path.empty() || !files.exists(file)) return std::nullopt;
  return file;
}

}  // namespace

tl::expected<Scenario, Diagnostics> load_scenario(const std::string& name_or_path,
                                                  const std::vector<Override>& overrides,
                                                  const FileSystem& files) {
  const std::optional<std::string> file = file_of(name_or_path, files);
  if (!file) return no_such_scenario(name_or_path, files);
  return load<Scenario>({*file, overrides, kFolder}, files);
}

tl::expected<Tree, Diagnostics> load_scenario_tree(const std::string& name_or_path,
                                                   const std::vector<Override>& overrides,
                                                   const FileSystem& files) {
  const std::optional<std::string> file = file_of(name_or_path, files);
  if (!file) return no_such_scenario(name_or_path, files);
  Diagnostics diagnostics;
  auto tree = load_tree({*file, overrides, kFolder}, *describe<Scenario>(), files, diagnostics);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return std::move(*tree);
}

tl::expected<Scenario, Diagnostics> read_scenario(const Tree& tree, const FileSystem& files) {
  Scenario scenario;
  Diagnostics diagnostics;
  Reader(files, diagnostics).read(tree, *describe<Scenario>(), FieldInfo{}, &scenario, "");
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return scenario;
}

std::vector<std::string> scenario_names(const FileSystem& files) {
  constexpr std::string_view kEnding = ".yaml";
  std::vector<std::string> names;
  for (const std::string& file : files.list(join_path(files.project_root(), kFolder))) {
    if (file.size() > kEnding.size() && file.ends_with(kEnding)) {
      names.push_back(file.substr(0, file.size() - kEnding.size()));
    }
  }
  return names;
}

std::string show_scenario(const Scenario& scenario, bool every_field) {
  return write_yaml(*describe<Scenario>(), &scenario,
                    every_field ? WriteStyle::kEveryField : WriteStyle::kChangedFields);
}

std::vector<FieldChange> scenario_changes(const Scenario& from, const Scenario& to) {
  const ShapePtr shape = describe<Scenario>();
  Tree old = tree_of(*shape, &from);
  Tree changed = tree_of(*shape, &to);
  for (Tree* tree : {&old, &changed}) {
    std::erase_if(tree->entries, [](const TreeEntry& entry) {
      return entry.key == "scenario" || entry.key == "description";
    });
  }
  return changes(old, changed);
}

tl::expected<std::string, std::string> explain_scenario(const std::string& path, bool recursive) {
  return explain(*describe<Scenario>(), path, recursive);
}

std::string scenario_json_schema() {
  return json_schema(*describe<Scenario>(), "faultline scenario");
}

std::string scenario_reference() { return reference_page(*describe<Scenario>()); }

}  // namespace faultline
