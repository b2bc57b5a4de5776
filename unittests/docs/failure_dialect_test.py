#!/usr/bin/env python3
"""What failure_dialect.py finds and what it leaves alone."""
import unittest

from failure_dialect import violations


class Dialects(unittest.TestCase):
    def found(self, text):
        return [line for line, _, _ in violations(text)]

    def test_other_dialects(self):
        self.assertEqual(self.found("Channel* connect(int now,\n    std::string& errorText);"), [2])
        self.assertEqual(self.found("\nconst char* why = mismatch(s);"), [2])
        self.assertEqual(self.found("void reissue(const View& v,\n             Refused& refused);"), [1])

    def test_own_dialect(self):
        self.assertEqual(self.found("Refused listen();"), [])
        self.assertEqual(self.found("bool nextRow(List& list, Refused& refused);"), [])
        self.assertEqual(self.found("std::unique_ptr<Server> bind(const Options& o, Refused& refused);"), [])
        self.assertEqual(self.found("void onIgnored(const std::string& why);"), [])
        self.assertEqual(self.found("void append(std::string& out, std::string_view why);"), [])


if __name__ == "__main__":
    unittest.main()
