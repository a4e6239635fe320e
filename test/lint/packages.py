"""packages.txt is complete and holds nothing else.

Every find_package and every foreign header of the project belongs to a package of the list (of the
section [run] for what ./faultline run builds), and every package of the list is used.
"""

import re

# What shows that a package is used: CMake's name for it, a header, or a word in a build file.
PACKAGES = {
    "g++": r'"g\+\+"',
    "cmake": r"cmake_minimum_required",
    "ninja-build": r'"Ninja"',
    "libboost-dev": r"find_package\(Boost |<boost/",
    "libcli11-dev": r"find_package\(CLI11 |<CLI/",
    "libeigen3-dev": r"find_package\(Eigen3 |<Eigen/",
    "libexpected-dev": r"find_package\(tl-expected |<tl/expected",
    "libfmt-dev": r"find_package\(fmt |<fmt/",
    "librandom123-dev": r"<Random123/",
    "libtbb-dev": r"find_package\(TBB |<(oneapi/)?tbb/",
    "libyaml-cpp-dev": r"find_package\(yaml-cpp |<yaml-cpp/",
    "nlohmann-json3-dev": r"find_package\(nlohmann_json |<nlohmann/",
    "libspdlog-dev": r"find_package\(spdlog |<spdlog/",
    "libsqlite3-dev": r"find_package\(SQLite3 |<sqlite3",
    "libsimgrid-dev": r"find_package\(SimGrid |<simgrid/",
    "libbenchmark-dev": r"find_package\(benchmark |<benchmark/",
    "libgtest-dev": r"find_package\(GTest |<gtest/",
    "libgmock-dev": r"<gmock/|GTest::gmock",
    "librapidcheck-dev": r"find_package\(rapidcheck |<rapidcheck",
    "clang-14": r"clang\+\+-14",
    "clang-format-14": r"clang-format-14",
    "clang-tidy-14": r"clang-tidy-14",
    "libclang-rt-14-dev": r"-fsanitize=fuzzer",
    "git": r'"git"',
    "python3": r"find_program\(PYTHON3",
    "shellcheck": r"\bshellcheck\b",
}
USERS = re.compile(r"(^|/)(CMakeLists\.txt|CMakePresets\.json|[^/]+\.(cmake|cc|h|sh|py))$")
KNOWN_HEADER = re.compile(  # the language, the operating system, the project
    r"<([a-z_0-9]+|c?[a-z]+\.h|(sys|linux|netinet)/.*)>")


def sections_of(text):
    sections, section = {}, None
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


def problems(files):
    sections = sections_of(files.get("packages.txt", "[run]\n[test]"))
    users = {path: text for path, text in files.items()
             if USERS.search(path) and path != "test/lint/packages.py"
             and path != "test/lint/self_test.py"}
    found = []
    listed = [name for names in sections.values() for name in names]
    found += [f"packages.txt: {name} stands twice" for name in set(listed)
              if listed.count(name) > 1]
    found += [f"packages.txt: {name} is not known to test/lint/packages.py" for name in listed
              if name not in PACKAGES]
    for name, pattern in PACKAGES.items():
        using = [path for path, text in users.items() if re.search(pattern, text)]
        if name in listed and not using:
            found.append(f"packages.txt: {name} is used nowhere")
        if name not in listed and using:
            found.append(f"packages.txt: {name} is missing (used by {using[0]})")
        for_run = [p for p in using if not p.startswith("test/") and not p.endswith(".json")]
        if for_run and name in sections.get("test", []):
            found.append(f"packages.txt: {name} must be in [run] (used by {for_run[0]})")
    packaged = re.compile("|".join(PACKAGES.values()))
    for path, text in users.items():
        for use in re.findall(r"find_package\([\w-]+ |(?<=#include )<[^>]+>", text):
            if not packaged.search(use) and not KNOWN_HEADER.fullmatch(use):
                found.append(f"{path}: {use.strip()} belongs to no package in packages.txt")
    return found
