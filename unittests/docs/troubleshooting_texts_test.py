#!/usr/bin/env python3
"""What troubleshooting_texts.py takes for a message, and where it finds it."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import troubleshooting_texts as texts  # noqa: E402


class Messages(unittest.TestCase):
    def test_they_stand_in_the_first_column_of_tables_of_messages(self):
        document = "| Message | Cause |\n|---|---|\n| `a ... b`, `c \\| d` | `no message` |\n| words | |\n\n| Symptom | |\n|---|---|\n| `e` | |\n"
        self.assertEqual(texts.messages(document), [(3, "a ... b"), (3, "c | d"), (4, "")])


class Literals(unittest.TestCase):
    def test_neighbours_are_one_text(self):
        self.assertEqual(texts.literals('throwIt("one text "\n        "in two lines");'), "one text in two lines")

    def test_comments_and_includes_are_none(self):
        self.assertEqual(texts.literals('#include "a.h"\nint x;  // says "nothing"\nf("http://x");'), "http://x")

    def test_escapes_are_what_they_mean(self):
        self.assertEqual(texts.literals(r'f("port \"x\"\n");'), 'port "x"\n')


class Finding(unittest.TestCase):
    def missing(self, message, *sources):
        return bool(texts.unknown([(1, message)], [texts.literals(s) for s in sources]))

    def test_all_parts_are_in_one_source(self):
        self.assertFalse(self.missing("cannot read ...: check the path", 'f("cannot read " + x + ": check the path");'))
        self.assertTrue(self.missing("cannot read ...: check the path", 'f("cannot read " + x);', 'f(": check the path");'))

    def test_a_changed_text_is_noticed(self):
        self.assertTrue(self.missing("cannot read the file", 'f("can not read the file");'))
        self.assertTrue(self.missing("cannot read the file", '// cannot read the file'))

    def test_a_message_says_something(self):
        self.assertTrue(self.missing("", 'f("anything");'))
        self.assertTrue(self.missing("...: ...", 'f("anything: something");'))


if __name__ == "__main__":
    unittest.main()
