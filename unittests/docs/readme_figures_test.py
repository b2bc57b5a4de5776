#!/usr/bin/env python3
"""readme_figures.py finds figures that the notebook does not have, and takes those that it has with more digits."""
import unittest

import readme_figures

NOTEBOOK = "| rate | 5.50 (5.47 .. 5.61) | 0.654 |\n| memory | 82.9 | 12,000 |\n| images | 0.31 to 0.36 s |\n"


class Figures(unittest.TestCase):
    def findings(self, row):
        return readme_figures.check("README.md", [f"| {row} |\n"], NOTEBOOK)[0]

    def test_figures_of_a_row_stand_in_one_line(self):
        self.assertEqual(self.findings("rate | 5.5 million | 0.65 million"), [])
        self.assertEqual(len(self.findings("rate | 5.5 million | 83 MB")), 1)

    def test_fewer_digits_are_rounded_and_more_are_not_made_up(self):
        for cell in ("83 MB", "82.9 MB", "12,000", "0.4 s", "0.36 s"):
            self.assertEqual(self.findings(f"what | {cell}"), [], cell)
        for cell in ("82 MB", "82.94 MB", "12,001", "0.35 s"):
            self.assertEqual(len(self.findings(f"what | {cell}")), 1, cell)

    def test_several_figures_in_a_cell(self):
        self.assertEqual(self.findings("both | 5.5 / 83 | 0.65 / 12,000"), [])
        self.assertEqual(len(self.findings("both | 5.5 / 83 | 12,000 / 0.65")), 2)

    def test_a_row_without_figures_says_nothing(self):
        self.assertEqual(readme_figures.check("README.md", ["| what | none |\n"], NOTEBOOK), ([], 0))

    def test_the_tables_of_a_page(self):
        page = "text\n\n| a | b |\n|---|---|\n| rate | 5.5 |\n\n| c | d |\n|--|--:|\n| memory | 83 |\n"
        self.assertEqual(readme_figures.TABLE.findall(page), ["| rate | 5.5 |\n", "| memory | 83 |\n"])


if __name__ == "__main__":
    unittest.main()
