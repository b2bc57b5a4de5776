#!/usr/bin/env python3
"""clock.py finds reads that are not listed, rows that are stale, and clocks of the standard library."""
import unittest

import clock


class Reads(unittest.TestCase):
    def findings(self, text, row=""):
        rows, bad = clock.allowed(row)
        return bad + clock.check({"hub/a.cpp": text}, rows)

    def test_every_kind_of_read_is_found(self):
        for read in ("auto t = Clock::now();", "eta::WallClock::now()", "WallClock::seconds()", "std::time(nullptr)", "t = time(nullptr);",
                     "clock_gettime(CLOCK_MONOTONIC, &t);", "gettimeofday(&t, nullptr)", "x = clock_->now();",
                     "reactor_.readClock() - since", "owner.clock.now()", "auto* f = &Clock::now;"):
            self.assertEqual(len(self.findings(read)), 1, read)

    def test_what_is_no_read_is_not(self):
        for text in ("// Clock::now()", "/* Clock::now()\n*/", 'log("Clock::now()");', "reactor.now()", "update.time(5);",
                     "[[nodiscard]] TimePoint readClock() const noexcept;", "void time(const Time& v)", "eta::TimePoint at_;"):
            self.assertEqual(self.findings(text), [], text)

    def test_the_list_has_the_number(self):
        row = "hub/a.cpp 1 - it measures something"
        self.assertEqual(self.findings("Clock::now()", row), [])
        self.assertIn("reads a clock 2 times", self.findings("Clock::now(); Clock::now()", row)[0])
        self.assertIn("reads a clock 0 times", self.findings("", row)[0])

    def test_raw_clocks_are_listed(self):
        text = "std::chrono::steady_clock::time_point t_;"
        self.assertIn("eta::Clock", self.findings(text)[0])
        self.assertEqual(self.findings(text, "hub/a.cpp 0 raw - a public type"), [])
        self.assertIn("any more", self.findings("", "hub/a.cpp 0 raw - a public type")[0])

    def test_rows_that_are_wrong(self):
        self.assertIn("not in the tree", self.findings("", "hub/b.cpp 1 - it is not there")[0])
        self.assertIn("not 'PATH", self.findings("", "hub/a.cpp 1")[0])
        self.assertIn("twice", self.findings("Clock::now()", "hub/a.cpp 1 - one reason\nhub/a.cpp 1 - one reason")[0])


if __name__ == "__main__":
    unittest.main()
