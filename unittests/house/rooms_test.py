#!/usr/bin/env python3
"""Tests of rooms.py: what the table does not allow is found in a small tree, and nothing is found in one that is right."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rooms  # noqa: E402

TABLE = """# Rooms

| layer | knows | may include |
|---|---|---|
| `low` | | |
| `high` | | `low` |

## low

| room | what | may include |
|---|---|---|
| `low/base` | | |
| `low/wire` | | `low/base` |

## high

| room | what | may include |
|---|---|---|
| `high/include` | | `low/wire` |
| `high/work` | | `high/include`, `low/base` (inside) |
"""
FILES = {
    "low/include/low/base/number.h": "#pragma once\n",
    "low/base/private.h": '#include "low/base/number.h"\n',
    "low/include/low/wire/Channel.h": "#include <vector>\n",
    "low/wire/Channel.cpp": '#include "low/wire/Channel.h"\n#include "base/private.h"\n',
    "high/include/high/Api.h": "#include <low/wire/Channel.h>\n",
    "high/work/Api.cpp": '#include "high/Api.h"\n#include "low/base/number.h"\n#include "base/private.h"\n',
}


class Tree(unittest.TestCase):
    """A small tree in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/rooms.md", TABLE)
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def table(self, old, new):
        self.assertIn(old, TABLE)
        self.write("docs/rooms.md", TABLE.replace(old, new))

    def findings(self):
        return rooms.check(self.root)[0]

    def only(self, *parts):
        found = self.findings()
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])


class Rooms(Tree):
    def test_a_tree_that_is_as_the_table_says(self):
        self.assertEqual(self.findings(), [])

    def test_a_room_that_is_a_layer_too(self):
        self.write("low/values/value.h", "#pragma once\n")
        self.write("high/work/value.cpp", '#include "value.h"\n')
        own = TABLE.replace("| `high` | | `low` |", "| `low/values` | | |\n| `high` | | `low`, `low/values` |").replace(
            "| `low/wire` | |", "| `low/values` | | |\n| `low/wire` | |")
        self.write("docs/rooms.md", own)
        self.only("high/work may not include low/values: value.h")
        self.write("docs/rooms.md", own.replace("`low/base` (inside)", "`low/base` (inside), `low/values`"))
        self.assertEqual(self.findings(), [])
        self.write("low/values/up.cpp", '#include "low/base/number.h"\n')
        self.assertIn("low/values/up.cpp:1: low/values may not include low/base: low/base/number.h", self.findings())

    def test_an_upward_include(self):
        self.write("low/wire/up.cpp", '\n\n#include "high/Api.h"\n')
        found = self.findings()
        self.assertIn("low/wire/up.cpp:3: low/wire may not include high/include: high/Api.h", found)
        self.assertTrue(any("a circle of rooms: high/include, low/wire" in f for f in found), found)
        self.assertTrue(any("low may not include high, and rows of its rooms do" in f for f in found), found)

    def test_a_sideways_include_in_a_layer(self):
        self.write("low/base/side.cpp", '#include "low/wire/Channel.h"\n')
        self.assertIn("low/base/side.cpp:1: low/base may not include low/wire: low/wire/Channel.h", self.findings())

    def test_every_spelling_is_seen(self):
        for number, spelling in enumerate(['#include <high/Api.h>', '  #  include\t"high/Api.h"', '#include "../../high/include/high/Api.h"',
                                           '#inc\\\nlude "high/Api.h"', '%:include "high/Api.h"', '/* x */ #include "high/Api.h"',
                                           '#include /* x */ "high/Api.h"', '#import "high/Api.h"', '#include_next <high/Api.h>',
                                           '#include "../high/include/../include/high/Api.h"', '#include "include/high/Api.h"']):
            with self.subTest(spelling):
                self.write("low/wire/up.cpp", spelling + "\n")
                self.assertTrue(any(f.startswith("low/wire/up.cpp") for f in self.findings()), self.findings())

    def test_what_is_no_include(self):
        self.write("low/wire/none.cpp", '// #include "high/Api.h"\n/* \n#include "high/Api.h"\n*/\nconst char* a = "/*";\n'
                                        '#if __has_include("high/Api.h")\n#endif\nconst char* b = "*/";\n')
        self.assertEqual(self.findings(), [])

    def test_every_kind_of_file_is_read(self):
        for name in ("x.h", "x.hpp", "x.cc", "x.c", "x.inc", "x.ipp", "x.cpp.in", "x.h.in"):
            with self.subTest(name):
                self.write("low/wire/" + name, '#include "high/Api.h"\n')
                self.assertTrue(any(f.startswith("low/wire/" + name) for f in self.findings()))
                (self.root / "low/wire" / name).unlink()

    def test_a_name_that_a_macro_makes(self):
        self.write("low/wire/macro.cpp", "#define API <high/Api.h>\n#include API\n")
        self.only("low/wire/macro.cpp:2", "a macro makes")

    def test_a_room_without_a_row(self):
        self.write("low/more/thing.cpp", "int i;\n")
        self.only("the room low/more has no row")

    def test_a_layer_that_is_one_room(self):
        self.table("| `high` | | `low` |\n", "| `high` | | `low` |\n| `one` | | `low` |\n")
        text = (self.root / "docs/rooms.md").read_text(encoding="utf-8")
        self.write("docs/rooms.md", text + "\n| room | what | may include |\n|---|---|---|\n| `one` | | `low/base` |\n")
        self.write("one/deep/down/x.cpp", '#include "low/base/number.h"\n')
        self.assertEqual(self.findings(), [])
        self.write("one/deep/down/y.cpp", '#include "high/Api.h"\n')
        self.assertTrue(any(f.startswith("one/deep/down/y.cpp:1: one may not include high/include") for f in self.findings()))

    def test_a_folder_below_a_room_is_a_part_of_it_until_a_row_says_otherwise(self):
        self.write("low/wire/deep/x.cpp", '#include "low/base/number.h"\n')
        self.assertEqual(self.findings(), [])
        self.table("| `low/wire` | | `low/base` |\n", "| `low/wire` | | `low/base` |\n| `low/wire/deep` | | `low/base` |\n")
        self.assertEqual(self.findings(), [])
        self.write("low/wire/other/x.cpp", "int i;\n")
        self.only("the room low/wire/other has no row")

    def test_a_row_without_a_room(self):
        self.table("| `low/wire` | | `low/base` |\n", "| `low/wire` | | `low/base` |\n| `low/gone` | | |\n")
        self.only("the row low/gone has no room")

    def test_an_allowed_room_that_nobody_includes(self):
        self.table("| `high/include` | | `low/wire` |", "| `high/include` | | `low/base`, `low/wire` |")
        self.only("high/include may include low/base, and nobody does")

    def test_an_allowed_layer_that_nobody_includes(self):
        self.table("| `low` | | |\n", "| `low` | | |\n| `lone` | | `low` |\n")
        self.only("lone may include low, and nobody does")

    def test_a_circle_that_the_table_allows(self):
        self.table("| `low/base` | | |", "| `low/base` | | `low/wire` |")
        self.write("low/base/side.cpp", '#include "low/wire/Channel.h"\n')
        self.only("a circle of rooms: low/base, low/wire")

    def test_a_circle_of_three(self):
        self.table("| `low/base` | | |", "| `low/base` | | `low/third` |\n| `low/third` | | `low/wire` |")
        self.write("low/base/side.cpp", '#include "third/t.h"\n')
        self.write("low/third/t.h", '#include "low/wire/Channel.h"\n')
        self.only("a circle of rooms: low/base, low/third, low/wire")

    def test_rows_of_rooms_keep_to_the_layers(self):
        self.table("| `high` | | `low` |", "| `high` | | |")
        self.only("high may not include low, and rows of its rooms do")

    def test_a_header_inside_another_layer(self):
        self.table("`low/base` (inside)", "`low/base`")
        self.only("high/work/Api.cpp:3", "base/private.h is inside low")

    def test_a_mark_that_is_not_needed(self):
        self.write("high/work/Api.cpp", '#include "high/Api.h"\n#include "low/base/number.h"\n')
        self.only("high/work includes nothing inside low/base; the mark goes")

    def test_a_header_by_a_link_belongs_to_its_owner(self):
        (self.root / "high/include/low").symlink_to("../../low/include/low")
        self.assertEqual(self.findings(), [])

    def test_a_link_into_another_layer(self):
        (self.root / "low/include/more").symlink_to("../../high")
        self.write("low/wire/up.cpp", '#include "more/include/high/Api.h"\n')
        self.assertIn("low/wire/up.cpp:1: low/wire may not include high/include: more/include/high/Api.h", self.findings())

    def test_lines_keep_their_numbers(self):
        self.write("low/wire/up.cpp", '#define A \\\n  b \\\n  c\n/*\n*/\n#include "high/Api.h"\n')
        self.assertIn("low/wire/up.cpp:6: low/wire may not include high/include: high/Api.h", self.findings())

    def test_bare_names_are_found_in_other_rooms(self):
        self.write("high/work/bare.h", "#pragma once\n")
        self.write("low/wire/up.cpp", '#include "bare.h"\n')
        self.assertIn("low/wire/up.cpp:1: low/wire may not include high/work: bare.h", self.findings())

    def test_tables_that_cannot_be_read(self):
        self.table("| `low/wire` | | `low/base` |", "| `low/wire` | | low/base |")
        self.assertTrue(any("cells are names in backticks" in f for f in self.findings()))
        self.table("| `low/wire` | | `low/base` |", "| `low/wire` | | `low/base` |\n| `low/wire` | | `low/base` |")
        self.only("a second row for low/wire")

    def test_the_list_is_the_table(self):
        _, used, inside, _ = rooms.check(self.root)
        table = rooms.Table(TABLE)
        self.assertEqual({r: a for r, a in table.rooms.items() if a}, used)
        self.assertEqual({r: a for r, a in table.inside.items() if a}, inside)


if __name__ == "__main__":
    unittest.main()
