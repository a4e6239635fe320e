// Files inside files: paths where a map belongs, and `extends:`.
//
//   policy: policies/karpenter/aws.yaml                        the file is the value
//   policy: {extends: policies/karpenter/aws.yaml, gate: off}  the file, changed (merge.h)
//
// A scalar where a map with a short form belongs (Shape::short_form) becomes that map.
//
// A path starts at the folder of the file that names it, or at the project root. `extends: llama3`
// at the top of a scenario takes the scenario of that name.
//
// Every node keeps the mark of its own file, so an error inside an included file names that file.
// Cycles, a chain of more than 16 files, and more than 500 files in one scenario are errors.
//
// Thread rule: one Resolver per load.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/files.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

class Resolver {
 public:
  // `named_folder`: where a bare name at the top (`extends: llama3`) is looked up, below the root.
  Resolver(const FileSystem& files, Diagnostics& diagnostics, std::string named_folder = "")
      : files_(files), diagnostics_(diagnostics), named_folder_(std::move(named_folder)) {}

  // A file as a tree without includes; nothing when it cannot be read or parsed.
  std::optional<Tree> load(const std::string& file, const Shape& shape);

  // The same tree without includes. `path` is printed in errors. A node whose file fails is
  // kBroken.
  Tree resolve(Tree tree, const Shape& shape, const std::string& path);

 private:
  Tree resolve_struct(Tree tree, const Shape& shape, const std::string& path);
  void resolve_children(Tree& tree, const Shape& shape, const std::string& path);
  // The tree of the file that `reference` names, or a broken node.
  Tree include(const Tree& reference, const Shape& shape, const std::string& path);
  std::optional<std::string> find(const Tree& reference, const std::string& path);
  std::string similar_file(const Tree& reference) const;

  const FileSystem& files_;
  Diagnostics& diagnostics_;
  std::string named_folder_;
  std::vector<std::string> chain_;  // the files that are open, outermost first
  int files_loaded_ = 0;
};

// Whether a scalar where a map belongs looks like a path ("a/b", "b.yaml") rather than a mistake.
bool looks_like_path(const std::string& text);

}  // namespace faultline
