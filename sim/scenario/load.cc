#include "sim/scenario/load.h"

#include <utility>

#include "sim/scenario/include.h"
#include "sim/scenario/read.h"

namespace faultline {

std::optional<Tree> load_tree(const LoadRequest& request, const Shape& shape,
                              const FileSystem& files, Diagnostics& diagnostics) {
  Resolver resolver(files, diagnostics, request.named_folder);
  std::optional<Tree> tree = resolver.load(request.file, shape);
  if (!tree) return std::nullopt;
  for (const Override& each : request.overrides) {
    tree = apply_override(std::move(*tree), shape, each, resolver, diagnostics);
  }
  return tree;
}

Diagnostics load_into(const LoadRequest& request, const Shape& shape, void* object,
                      const FileSystem& files) {
  Diagnostics diagnostics;
  const std::optional<Tree> tree = load_tree(request, shape, files, diagnostics);
  if (tree) Reader(files, diagnostics).read(*tree, shape, FieldInfo{}, object, "");
  return diagnostics;
}

}  // namespace faultline
