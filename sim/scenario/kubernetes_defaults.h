// Defaults that follow from the scenario's Kubernetes release (models/base/kubernetes.h), for whoever makes
// objects: the reader before it reads a map into one, the writer for the defaults that it leaves out.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "models/base/kubernetes.h"
#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

// The release that a file (an object) of the shape names; the default one where it names none, or one that the
// reader will refuse.
KubernetesVersion kubernetes_of(const Tree& tree, const Shape& shape);
KubernetesVersion kubernetes_of(const void* object, const Shape& shape);

// Gives the fields of a new object that follow the release their defaults, those of structs inside it too.
// What its lists, maps, optionals and variants hold is made later, and has to be asked for then.
void take_kubernetes_defaults(const Shape& shape, void* object, KubernetesVersion version);

// Whether any field of the file follows the release: one that it could give and does not.
bool follows_kubernetes(const Tree& tree, const Shape& shape);

// "50s from Kubernetes 1.32 on, 40s before (SOURCE)"
std::string text_of(const KubernetesDefault& standard);

}  // namespace faultline
