#include "sim/scenario/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "sim/scenario/field_path.h"

namespace faultline {
namespace {

// The options that say something in `tree`: "--set fleet.pools[train].nodes=10".
void add_options_below(const Tree& tree, std::set<std::string>& options) {
  if (tree.mark.source != nullptr && tree.mark.source->is_option) {
    options.insert(printable(tree.mark.source->name));
  }
  for (const Tree& item : tree.items) add_options_below(item, options);
  for (const TreeEntry& entry : tree.entries) add_options_below(entry.value, options);
}

}  // namespace

void add_problems(const FieldProblems& problems, const Tree& tree, const std::string& path,
                  ProblemKind kind, Diagnostics& diagnostics) {
  for (const FieldProblems::Problem& problem : problems.all()) {
    const std::string below = problem.field.empty() ? path
                              : path.empty() || problem.field.front() == '['
                                  ? path + problem.field
                                  : path + "." + problem.field;
    const Mark& mark = nearest_mark(tree, problem.field, problem.of_key);
    std::set<std::string> options;
    if (!mark.source->is_option) add_options_below(tree, options);
    diagnostics.add({.mark = mark,
                     .path = below,
                     .problem = options.empty() ? problem.message
                                                : fmt::format("{} (with {})", problem.message,
                                                              fmt::join(options, ", ")),
                     .warning = kind == ProblemKind::kWarning});
  }
}

}  // namespace faultline
