#!/usr/bin/env python3
"""Tests of opening_sentences.py: what counts as a sentence at the top of a file."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import opening_sentences  # noqa: E402


class OpeningSentences(unittest.TestCase):
    def test_a_sentence_over_two_lines(self):
        self.assertEqual(opening_sentences.fault("Tree.cpp", "// Parses a text,\n// and keeps the nodes.\n#include <a>\n"), "")

    def test_none(self):
        self.assertIn("without a sentence", opening_sentences.fault("Tree.cpp", "#include <a>\n// Parses a text.\n"))

    def test_the_name_alone(self):
        self.assertIn("no more than its name", opening_sentences.fault("Tree.cpp", "// Implementation of Tree.cpp.\n"))
        self.assertIn("no more than its name", opening_sentences.fault("Tree.cpp", "// A tree.\n"))

    def test_the_layer_is_named(self):
        for text in ("// eta/loop: waits.\n", "// Waits.\n#include \"eta/core/Clock.h\"\n", "// Waits.\nnamespace emissary::eta {\n"):
            self.assertTrue(opening_sentences.names_layer("eta/loop/Poller.cpp", text), text)
        self.assertTrue(opening_sentences.names_layer("tools/rwfcat/Trace.h", "// Files that rwfcat reads.\n"))
        self.assertTrue(opening_sentences.names_layer("unittests/eta/tree_test.cpp", "// What a tree holds.\n"))

    def test_it_is_not(self):
        late = "// Waits.\n" + "\n" * 9 + "namespace emissary::eta {\n"
        for text in ("// Waits.\n#include \"loop/Poller.h\"\n", "// It betakes itself.\n", late):
            self.assertFalse(opening_sentences.names_layer("eta/loop/Poller.cpp", text), text)


if __name__ == "__main__":
    unittest.main()
