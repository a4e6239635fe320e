"""The arrows of the house, read from the #include lines.

In the engine no two files (a header and its .cc are one) lead back to each other, either: rooms never call
in circles.

The build enforces the same picture (cmake/faultline_module.cmake); this rule also covers what a build
cannot: the libraries that only one folder may know, relative paths, and headers that nobody compiles.
"""

import re

GROUND = {"models/fleet", "models/observed", "models/happenings", "models/base"}
MODELS = GROUND | {"models/faults", "models/detectors", "models/capacity", "models/workloads",
                   "models/collectives"}
SCENARIO = MODELS | {"policies"}

# Who may include whom (oneself always).
ARROWS = {
    "models/base": set(),
    "models/analytic": {"models/base"},
    "models/observed": {"models/base"},
    "models/happenings": {"models/observed", "models/base"},
    "models/fleet": {"models/base"},
    "models/faults": GROUND,
    "models/detectors": GROUND,
    "models/capacity": GROUND,
    "models/collectives": GROUND,
    "models/collectives/simgrid": GROUND | {"models/collectives"},
    "models/workloads": GROUND | {"models/collectives"},
    "policies": {"models/observed", "models/base"},
    "sim/scenario": SCENARIO,
    "sim/control": {"models/base", "models/observed", "policies"},
    "sim/engine": SCENARIO | {"sim/scenario", "sim/control"},
    "sim/lab": SCENARIO | {"models/analytic", "sim/scenario", "sim/control", "sim/engine"},
    "sim/report": SCENARIO
    | {"models/analytic", "sim/scenario", "sim/control", "sim/engine", "sim/lab"},
    "sim/cli": SCENARIO
    | {"models/analytic", "sim/scenario", "sim/control", "sim/engine", "sim/lab", "sim/report"},
}

# A library -> the folders that may include it. Tests may include all of them.
LIBRARIES = {
    r"yaml-cpp/": {"sim/scenario"},
    r"CLI/": {"sim/cli"},
    r"nlohmann/": {"sim/report", "sim/cli"},
    r"(oneapi/)?tbb(/|\.h)": {"sim/lab"},
    r"Eigen/": {"models/analytic", "models/detectors"},
    r"boost/circular_buffer": {"models/capacity"},
    r"boost/graph/": {"models/fleet"},
    r"boost/math/": {"models/base", "models/analytic", "models/detectors", "sim/lab"},
    r"boost/uuid/": {"sim/lab"},
    r"sqlite3\.h": {"sim/lab"},
    r"Random123/": {"models/base"},
    r"simgrid/": {"models/collectives/simgrid"},
    r"(gtest|gmock|rapidcheck|benchmark)(/|\.h)": set(),
}

WITHOUT_CIRCLES = {"sim/engine"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', re.MULTILINE)


def module_of(path):
    """The module that owns a file: models/base, policies, sim/cli, ...; None outside the floors."""
    parts = path.split("/")
    if parts[0] == "policies":
        return "policies"
    if parts[:3] == ["models", "collectives", "simgrid"] and len(parts) > 3:
        return "models/collectives/simgrid"  # the fence around SimGrid
    if parts[0] in ("models", "sim"):
        if len(parts) > 2:
            return "/".join(parts[:2])
        return "models/happenings" if parts[1].startswith("happenings") else path
    return None


def problem(path, module, spelled):
    name = spelled[1:-1]
    if spelled[0] == "<":
        for pattern, allowed in LIBRARIES.items():
            if re.match(pattern, name) and module not in allowed:
                return f"{module} may not know this library (only {sorted(allowed) or 'tests'})"
        return "a project header is included by quotes" if module_of(name) else None
    target = module_of(name)
    if target is None:
        return "a project header is included by its path from the root"
    if target != module and target not in ARROWS.get(module, set()):
        return f"{module} may not include {target}: arrows only go down"
    return None


def circles(files):
    """Of the modules without circles: the files from which a way leads back to themselves."""
    knows = {}
    for path, text in files.items():
        if path.endswith((".h", ".cc")) and module_of(path) in WITHOUT_CIRCLES:
            targets = {name[1:-1].rpartition(".")[0] for name in INCLUDE.findall(text)}
            knows.setdefault(path.rpartition(".")[0], set()).update(targets)
    found = []
    for start in sorted(knows):
        seen, open_ends = set(), knows[start] - {start}
        while open_ends:
            one = open_ends.pop()
            seen.add(one)
            open_ends |= knows.get(one, set()) - {one} - seen
        if start in seen:
            found.append(f"{start}.h: its includes lead back to it, by way of its neighbours")
    return found


def problems(files):
    found = circles(files)
    for path, text in files.items():
        if not path.endswith((".h", ".cc")):
            continue
        module = module_of(path)
        if module is None:
            if re.search(r'#\s*include\s*"\.', text):
                found.append(f"{path}: a header is included by a relative path")
            continue
        if module not in ARROWS:
            found.append(f"{path}: {module} is no folder of the house (see include_rules.py)")
            continue
        for match in INCLUDE.finditer(text):
            why = problem(path, module, match[1])
            if why:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{path}:{line}: {match[1]}: {why}")
        if path.endswith(".h") and "#pragma once" not in text:
            found.append(f"{path}: no #pragma once")
    return found
