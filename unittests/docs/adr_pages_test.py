#!/usr/bin/env python3
"""What adr_pages.py finds."""
import unittest

from adr_pages import WORDS, check

GOOD = "# 7. A title\n\n**Context.** One.\n\n**Decision.** Two.\n\n**Would change our mind.** Three.\n"


class AdrPages(unittest.TestCase):
    def test_a_good_page_is_no_finding(self):
        self.assertEqual(check({"0007-a": GOOD}), [])

    def test_a_page_that_is_too_long(self):
        self.assertIn(f"a page has {WORDS}", check({"0007-a": GOOD + "word " * WORDS})[0])

    def test_a_paragraph_that_is_missing(self):
        self.assertEqual(check({"0007-a": GOOD.replace("Would change our mind", "Later")}),
                         ["0007-a: has no paragraph **Would change our mind.**"])

    def test_numbers(self):
        self.assertEqual(check({"0007-a": GOOD, "0007-b": GOOD}), ["0007-b: has the number of 0007-a"])
        self.assertEqual(len(check({"0008-a": GOOD})), 1)


if __name__ == "__main__":
    unittest.main()
