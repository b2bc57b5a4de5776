#!/usr/bin/env python3
"""Tests of parameters.py: rows without readers and readers without rows are found in a small tree."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import parameters  # noqa: E402

FILES = {
    "hub/config/schema.cpp": 'text(hub, "Name", "", "a (b) name"), idle(kWhy, number(hub, "Idle", "0", "", "")), flag(hub | server, "Fast", "0", ""),\n',
    "hub/config/Resolver.cpp": 'r.text("Name", s.name);\nr.flag("Fast", s.fast);\nr.number("Size", s.size);\n',
    "ema/config/parameters.cpp": 'list(consumer, "Channels", "")\n',
    "ema/config/Resolver.cpp": 'split(value("Channels"));\n',
    "config/include/config/schema/shared_parameters.h": 'number(channel, "Size", "0", "bytes", "")\n',
}


def tree(changes):
    folder = tempfile.TemporaryDirectory()
    for name, text in {**FILES, **changes}.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(changes):
    with tree(changes) as folder:
        return parameters.findings(pathlib.Path(folder))[0]


class Parameters(unittest.TestCase):
    def test_what_is_right_has_no_finding(self):
        self.assertEqual(found({}), [])

    def test_a_row_without_reader(self):
        self.assertEqual(found({"hub/config/Resolver.cpp": 'r.text("Name", s.name);\nr.number("Size", s.size);\n'}),
                         ["hub/config/schema.cpp: nobody reads Fast"])

    def test_a_reader_without_row(self):
        self.assertEqual(found({"hub/config/more.cpp": 'readTime(r, "Pace", s.pace);\n'}),
                         ["hub/config/more.cpp: Pace is read, and the table has no such row"])

    def test_a_shared_row_that_nobody_reads(self):
        self.assertEqual(found({"hub/config/Resolver.cpp": 'r.text("Name", s.name);\nr.flag("Fast", s.fast);\n'}),
                         ["config/include/config/schema/shared_parameters.h: nobody reads Size"])

    def test_a_table_that_cannot_be_read(self):
        self.assertIn("no row was found", found({"ema/config/parameters.cpp": "\n"})[0])


if __name__ == "__main__":
    unittest.main()
