"""Shows each rule bad samples, which it must catch, and good ones, which it must let pass."""

import unittest

import include_rules
import machine_traces
import model_cards
import number_sources
import packages

CARD = "\n".join(f"## {section}\n\ntext\n" for section in model_cards.SECTIONS)


class IncludeRules(unittest.TestCase):
    def check(self, path, include, bad):
        found = include_rules.problems({path: f"#pragma once\n#include {include}\n"})
        self.assertEqual(len(found), 1 if bad else 0, found)

    def test_arrows(self):
        self.check("policies/karpenter/karpenter.cc", '"models/faults/fault.h"', True)
        self.check("policies/karpenter/karpenter.cc", '"models/happenings.h"', True)
        self.check("policies/karpenter/karpenter.cc", '"sim/engine/journal.h"', True)
        self.check("policies/karpenter/karpenter.cc", '"models/observed/node.h"', False)
        self.check("policies/karpenter/karpenter.cc", '"policies/policy.h"', False)
        self.check("models/base/time.h", '"models/fleet/fleet.h"', True)
        self.check("models/detectors/poll.cc", '"models/faults/fault.h"', True)
        self.check("models/analytic/ettr.cc", '"models/fleet/fleet.h"', True)
        self.check("models/faults/fault.cc", '"models/happenings.h"', False)
        self.check("sim/scenario/loader.cc", '"sim/engine/journal.h"', True)
        self.check("sim/engine/journal.cc", '"sim/scenario/scenario.h"', False)
        self.check("sim/lab/lab.cc", '"sim/report/report.h"', True)
        self.check("sim/cli/run.cc", '"sim/report/report.h"', False)

    def test_libraries(self):
        self.check("sim/engine/journal.cc", "<yaml-cpp/yaml.h>", True)
        self.check("sim/scenario/loader.cc", "<yaml-cpp/yaml.h>", False)
        self.check("sim/report/text.cc", "<CLI/CLI.hpp>", True)
        self.check("sim/lab/lab.cc", "<nlohmann/json.hpp>", True)
        self.check("sim/engine/engine.cc", "<tbb/parallel_for.h>", True)
        self.check("models/fleet/fleet.cc", "<simgrid/s4u.hpp>", True)
        self.check("models/collectives/plan.cc", "<simgrid/s4u.hpp>", True)
        self.check("models/collectives/simgrid/network.cc", "<simgrid/s4u.hpp>", False)
        self.check("models/collectives/simgrid/network.cc", '"models/collectives/plan.h"', False)
        self.check("models/collectives/plan.cc", '"models/collectives/simgrid/network.h"', True)
        self.check("models/base/time.cc", "<vector>", False)

    def test_circles(self):
        def files(of_b):
            return {"sim/engine/a.h": '#pragma once\n#include "sim/engine/b.h"\n',
                    "sim/engine/b.h": "#pragma once\n",
                    "sim/engine/b.cc": f'#include "sim/engine/b.h"\n#include "sim/engine/{of_b}.h"\n',
                    "sim/engine/c.h": "#pragma once\n"}
        self.assertFalse(include_rules.problems(files("c")))
        self.assertEqual(len(include_rules.problems(files("a"))), 2)

    def test_spelling(self):
        self.check("models/base/time.cc", '"time.h"', True)
        self.check("models/base/time.cc", '"../base/time.h"', True)
        self.check("models/base/time.cc", "<models/base/time.h>", True)
        self.assertTrue(include_rules.problems({"models/base/a.h": ""}))
        self.assertTrue(include_rules.problems({"models/new/a.cc": ""}))
        self.assertTrue(include_rules.problems({"test/unit/a_test.cc": '#include "../a.h"'}))


class ModelCards(unittest.TestCase):
    def test_cards(self):
        code = "models/fleet/fleet_config.h"
        self.assertTrue(model_cards.problems({code: ""}))
        self.assertTrue(model_cards.problems({"policies/karpenter/karpenter.cc": ""}))
        self.assertTrue(model_cards.problems({"sim/engine/kernel.cc": ""}))
        self.assertFalse(model_cards.problems({code: "", "models/fleet/MODEL.md": CARD}))
        self.assertFalse(model_cards.problems({"models/base/time.cc": ""}))
        for section in model_cards.SECTIONS:
            without = CARD.replace(f"## {section}\n\n", "")
            self.assertTrue(model_cards.problems({code: "", "models/fleet/MODEL.md": without}))
            empty = CARD.replace(f"## {section}\n\ntext\n", f"## {section}\n")
            self.assertTrue(model_cards.problems({code: "", "models/fleet/MODEL.md": empty}))


class NumberSources(unittest.TestCase):
    def check(self, text, bad):
        found = number_sources.problems({"traces/sample.yaml": text})
        self.assertEqual(len(found), bad, found)

    def test_bad(self):
        self.check("rate: 6.5 per 1000 node-days\n", 1)
        self.check("rate: 6.5 per 1000 node-days   #\n", 1)
        self.check("a:\n  b: [79, 48]\n  c: -5\n", 2)
        self.check("- {name: nvlink5, every: 10m}\n", 1)
        self.check("- 10\n- 20 # source: x\n", 1)
        self.check('window: "10m"\n', 1)
        self.check("repair: !lognormal {median: 90s, p95: 4m}\n", 1)
        self.check("source: the top of a file does not cover it\nrate: 5\n", 1)
        self.check("a:\n  - name: x\n    rate: 5\n    source: paper\n  - name: y\n    rate: 6\n", 1)

    def test_good(self):
        self.check("rate: 6.5 per 1000 node-days  # source: paper, table 1\n", 0)
        self.check("- {name: x, rate: 5, source: 'paper'}\n", 0)
        self.check("a:\n  source: paper\n  deep:\n    deeper: [1, 2]\n", 0)
        self.check("name: 3dtorus\nscenario: llama3-405b\nreason: NvidiaXID79Error\n", 0)
        self.check("- {name: 3d, gpu: H100-80GB, on: true}\n", 0)
        self.check("description: >\n  54 days\n  10: 20\nnext: x\n", 0)
        self.check("description: a text that\n  10 goes on\nfaults: traces/llama3-2024.yaml\n", 0)

    def test_only_catalogues(self):
        self.assertFalse(number_sources.problems({"test/golden/sample.yaml": "rate: 5"}))


class MachineTraces(unittest.TestCase):
    def check(self, text, bad):
        self.assertEqual(len(machine_traces.problems({"sim/a.cc": text})), bad, text)

    def test_traces(self):
        self.check("// see " + "/ho" + "me/user/file", 1)
        self.check('open("' + "/tm" + 'p/out.json")', 1)
        self.check("https://" + "py" + "pi.org/simple", 1)
        self.check("https://" + "registry." + "npmjs.org/x", 1)
        self.check("// caf\u00e9", 1)
        self.check('out = "build/tmp/out.json"; // models/base/ and $root/home/x', 0)


class Packages(unittest.TestCase):
    GOOD = {"packages.txt": "[run]\nlibfmt-dev\n[test]\nlibgtest-dev\n",
            "CMakeLists.txt": "find_package(fmt REQUIRED)",
            "test/CMakeLists.txt": "find_package(GTest REQUIRED)"}

    def check(self, changed, bad):
        found = packages.problems({**self.GOOD, **changed})
        self.assertEqual(len(found), bad, found)

    def test_packages(self):
        self.check({}, 0)
        self.check({"packages.txt": "[run]\n[test]\nlibgtest-dev\n"}, 1)
        self.check({"packages.txt": "[run]\n[test]\nlibgtest-dev\nlibfmt-dev\n"}, 1)
        self.check({"packages.txt": self.GOOD["packages.txt"] + "shellcheck\n"}, 1)
        self.check({"packages.txt": self.GOOD["packages.txt"] + "libgtest-dev\n"}, 1)
        self.check({"packages.txt": self.GOOD["packages.txt"] + "libfoo-dev\n"}, 1)
        self.check({"models/a.h": "#include <Random123/philox.h>"}, 1)
        self.check({"models/a.h": "#include <foo/foo.h>"}, 1)
        self.check({"models/a.h": "#include <vector>\n#include <unistd.h>"}, 0)
        self.check({"CMakeLists.txt": "find_package(fmt )\nfind_package(Foo REQUIRED)"}, 1)


if __name__ == "__main__":
    unittest.main()
