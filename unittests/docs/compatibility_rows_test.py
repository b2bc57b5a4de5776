#!/usr/bin/env python3
"""Tests of compatibility_rows.py."""
import unittest

from compatibility_rows import faults

HEAD = "# C\n\n## Features\n\ntext\n\n| Feature | Now | Test |\n|---|---|---|\n"
TAIL = "\n## Differences that a program can see\n\n| Where | Difference | Test |\n|---|---|---|\n| a | b | \"x works\" |\n"


class Rows(unittest.TestCase):
    def test_a_row_with_its_test_is_in_order(self):
        self.assertEqual(faults(HEAD + '| x | there | "x works" |\n' + TAIL, {"x works"}), [])

    def test_a_row_without_a_test_is_found(self):
        self.assertEqual(faults(HEAD + "| x | there | 4 |\n" + TAIL, {"x works"}), ["no test at the end of: | x | there | 4 |"])

    def test_a_test_that_is_not_there_is_found(self):
        self.assertIn('no test case is called "y"', faults(HEAD + '| x | there | "y" |\n' + TAIL, {"x works"})[0])

    def test_a_difference_without_a_test_is_found(self):
        page = HEAD + '| x | there | "x works" |\n' + TAIL + "| c | d |\n"
        self.assertEqual(faults(page, {"x works"}), ["no test at the end of: | c | d |"])

    def test_a_page_without_the_tables_is_no_success(self):
        self.assertEqual(len(faults("# C\n", {"x"})), 2)


if __name__ == "__main__":
    unittest.main()
