#!/usr/bin/env python3
"""Tests of readme_folders.py."""
import unittest

from readme_folders import faults

PAGE = "# R\n\n| folder | what |\n|---|---|\n| `a/`, `b/` | text with `c/` |\n\nmore\n"


class Folders(unittest.TestCase):
    def test_a_complete_table_is_in_order(self):
        self.assertEqual(faults(PAGE, {"a", "b"}), [])

    def test_a_folder_that_is_missing_in_the_table_is_found(self):
        self.assertEqual(faults(PAGE, {"a", "b", "c"}), ["README.md does not name the folder c/"])

    def test_a_folder_that_is_gone_is_found(self):
        self.assertEqual(faults(PAGE, {"a"}), ["README.md names b/, which is not there"])

    def test_a_page_without_the_table_names_nothing(self):
        self.assertEqual(len(faults("# R\n", {"a"})), 1)


if __name__ == "__main__":
    unittest.main()
