#!/usr/bin/env python3
"""Tests of walls.py, with a compiler and a small tree: walls_test.py [COMPILER]."""
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rooms_test  # noqa: E402
import walls  # noqa: E402

COMPILER = "c++"


class Walls(rooms_test.Tree):
    """The tree of rooms_test.py, built."""

    def setUp(self):
        super().setUp()
        self.write("high/work/Api.cpp", '#include "high/Api.h"\n')
        self.write("unittests/high_test.cpp", '#include "high/Api.h"\n')
        self.commands = []
        self.target("low", "low/wire/Channel.cpp", "low/include", "low")
        self.target("high", "high/work/Api.cpp", "high/include", "low/include")

    def target(self, name, source, *folders, layer=""):
        (self.root / "build").mkdir(exist_ok=True)
        flags = " ".join(f"-I{self.root / folder}" for folder in folders)
        output = f"{layer or name}/CMakeFiles/{name}.dir/{source}.o"
        self.commands.append({"directory": str(self.root / "build"), "file": str(self.root / source),
                              "command": f"/usr/bin/ccache {COMPILER} {flags} -std=c++20 -o {output} -c {self.root / source}"})
        (self.root / "build/compile_commands.json").write_text(json.dumps(self.commands), encoding="utf-8")

    def findings(self):
        return walls.check(self.root, self.root / "build")[0]

    def again(self, name, *folders):
        self.commands = [c for c in self.commands if f"/{name}.dir/" not in c["command"]]
        source = {"low": "low/wire/Channel.cpp", "high": "high/work/Api.cpp"}[name]
        self.target(name, source, *folders)

    def test_walls_that_hold(self):
        found, summary = walls.check(self.root, self.root / "build")
        self.assertEqual(found, [])
        self.assertEqual(summary, "2 sets of include folders, 1 includes refused, 1 found")

    def test_sources_that_are_compiled_as_one(self):
        self.write("high/work/More.cpp", '#include "high/Api.h"\n')
        merged = self.root / "build/high/CMakeFiles/high.dir/Unity/unity_0_cxx.cxx"
        merged.parent.mkdir(parents=True)
        merged.write_text("".join(f'#include "{self.root / "high/work" / name}"\n\n' for name in ("Api.cpp", "More.cpp")))
        self.commands.pop()
        self.target("high", merged.relative_to(self.root), "high/include", "low/include")
        found, summary = walls.check(self.root, self.root / "build")
        self.assertEqual((found, summary), ([], "2 sets of include folders, 1 includes refused, 1 found"))
        self.again("low", "low/include", "low", "high/include")
        self.assertTrue(any(f.endswith('#include "high/Api.h" of high compiles') for f in self.findings()))

    def test_an_include_folder_too_many(self):
        self.again("low", "low/include", "low", "high/include")
        found = self.findings()
        self.assertTrue(any("the include folder high/include shows high" in f for f in found), found)
        self.assertTrue(any(f.endswith('#include "high/Api.h" of high compiles') for f in found), found)

    def test_the_root_of_the_tree_as_an_include_folder(self):
        self.again("low", "low/include", "low", ".")
        self.assertTrue(any("the include folder . shows high" in f for f in self.findings()))

    def test_a_header_that_two_layers_show_is_no_sign_of_either(self):
        self.write("high/include/high/AAA.h", "#pragma once\n")
        (self.root / "low/include/high").mkdir()
        (self.root / "low/include/high/AAA.h").symlink_to("../../../high/include/high/AAA.h")
        self.assertEqual(self.findings(), [])

    def test_a_folder_inside_another_layer(self):
        self.again("high", "high/include", "low/include", "low")
        self.only("the include folder low shows what is inside low", "low/base/private.h")

    def test_who_looks_inside_may(self):
        self.write("high/work/Api.cpp", '#include "high/Api.h"\n#include "base/private.h"\n')
        self.again("high", "high/include", "low/include", "low")
        self.assertEqual(self.findings(), [])

    def test_an_include_that_is_not_found(self):
        self.again("high", "high/include", "low/include")
        self.write("low/include/low/wire/Channel.h", '#include "low/base/none.h"\n')
        self.assertTrue(any("is needed, and does not compile" in f for f in self.findings()))

    def test_a_failure_for_another_reason(self):
        wall = walls.Walls(self.root, self.root / "build")
        group = next(g for g in wall.groups() if g.layer == "low")
        group.compiler = "false"
        with unittest.mock.patch.object(walls.Walls, "groups", lambda self: [group]):
            self.assertTrue(any("fails for another reason" in f for f in self.findings()))

    def test_tests_of_the_layers_look_where_they_like(self):
        self.target("test_high", "low/wire/Channel.cpp", "low/include", "low", "high/include", layer="unittests")
        self.assertEqual(self.findings(), [])

    def test_a_layer_that_is_not_compiled(self):
        self.commands = [c for c in self.commands if "/high.dir/" not in c["command"]]
        (self.root / "build/compile_commands.json").write_text(json.dumps(self.commands), encoding="utf-8")
        self.assertTrue(any("nothing of high is compiled" in f for f in self.findings()))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        COMPILER = sys.argv.pop(1)
    unittest.main()
