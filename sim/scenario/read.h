// Value tree + shape -> object, with every rule of the field lists.
//
// Each problem becomes one diagnostic at the scalar, key or map that it is about; reading goes on,
// so a user sees all of them at once. A struct's own check() runs when everything inside it was
// fine: it must not judge values that stand in for broken ones.
//
// Quotes: "10m" is as good as 10m for everything with a unit, for names and for texts; a count, a
// number and a boolean must not be quoted.
// A list or map in a file replaces the default of the field; it does not add to it. Defaults that follow
// from the Kubernetes release follow the one that the file names at its top, wherever in it that stands.
//
// Thread rule: one Reader per load.
#pragma once

#include <string>

#include "models/base/kubernetes.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/files.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

class Reader {
 public:
  Reader(const FileSystem& files, Diagnostics& diagnostics);

  // Reads `tree`, in which includes are resolved, into the object at `into`; false when an error
  // was found. `info` holds the ranges; `path` is printed in errors.
  bool read(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
            const std::string& path);

 private:
  bool read_scalar(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                   const std::string& path);
  bool in_range(const Tree& tree, const Shape& shape, const FieldInfo& info, const void* value,
                const std::string& path);
  bool read_distribution(const Tree& tree, const FieldInfo& info, void* into,
                         const std::string& path);
  bool read_list(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                 const std::string& path);
  bool read_map(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                const std::string& path);
  bool read_struct(const Tree& tree, const Shape& shape, void* into, const std::string& path);
  bool read_variant(const Tree& tree, const Shape& shape, void* into, const std::string& path);
  bool names_are_unique(const Tree& tree, const std::string& path);
  bool passes_check(const Tree& tree, const Shape& shape, const void* object,
                    const std::string& path);

  // Adds the error and returns false.
  bool fail(const Mark& mark, const std::string& path, std::string problem, std::string got = "",
            std::string expected = "", std::string suggestion = "");

  const FileSystem& files_;
  Diagnostics& diagnostics_;
  ShapePtr distributions_;  // the tagged notations
  KubernetesVersion kubernetes_;
};

}  // namespace faultline
