// From files and overrides to a checked object of any type with a field list.
//
// The steps: parse the file, take in what it includes (include.h), apply the overrides in order
// (override.h), read the result into the object (read.h). Every step reports all that it finds, and
// the next one goes on with the rest.
//
// Thread rule: pure functions of their arguments and of the files.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/files.h"
#include "sim/scenario/override.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

struct LoadRequest {
  std::string file;
  std::vector<Override> overrides;
  std::string named_folder;  // see Resolver
};

// The file with its includes taken in and the overrides applied; every node has the mark of the place that it
// comes from. Nothing if the file cannot be read.
std::optional<Tree> load_tree(const LoadRequest& request, const Shape& shape,
                              const FileSystem& files, Diagnostics& diagnostics);

// Reads into `object`, which has the shape's type and holds its defaults.
Diagnostics load_into(const LoadRequest& request, const Shape& shape, void* object,
                      const FileSystem& files);

template <class T>
tl::expected<T, Diagnostics> load(const LoadRequest& request, const FileSystem& files) {
  T object{};
  Diagnostics diagnostics = load_into(request, *describe<T>(), &object, files);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return object;
}

}  // namespace faultline
