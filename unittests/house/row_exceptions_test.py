#!/usr/bin/env python3
"""What row_exceptions.py finds."""
import unittest

from row_exceptions import check

HEAD = '#include "rows.h"\n'
ALL = 'TEST_CASE("all rows", "[x]") {\n    const Row& r = anyRow();\n    INFO(r.name);\n'
SOME = ('TEST_CASE("some rows",\n          "[x]") {\n'
        "    const Row& r = row(GENERATE(from_range(rowNames({Ability::tcp, transport_test::Ability::bytes}))));\n}\n")


class RowExceptions(unittest.TestCase):
    def found(self, text, needed=None):
        return check({"a_test.cpp": HEAD + text}, needed or {})

    def test_what_is_declared_is_no_finding(self):
        self.assertEqual(self.found(ALL + "}\n" + SOME, {"some rows": {"bytes", "tcp"}}), [])

    def test_a_case_that_is_not_declared(self):
        self.assertEqual(self.found(SOME), ["a_test.cpp: 'some rows' leaves rows out and has no entry in row_exceptions.py"])

    def test_a_case_that_needs_something_else_or_is_gone(self):
        self.assertEqual(self.found(SOME, {"some rows": {"tcp"}}), ["'some rows' needs ['tcp'] here, and ['bytes', 'tcp'] in its source"])
        self.assertEqual(self.found("", {"gone": {"tcp"}}), ["'gone' needs ['tcp'] here, and [] in its source"])

    def test_a_return_because_of_what_the_row_is(self):
        for line in ("if (r.group) return;", "if (x && !r.can(Ability::tcp)) {\n        return;\n    }",
                     "if (r.connect.port.empty()) continue;",
                     'if (r.name == "tcp") break;'):
            self.assertEqual(self.found(f"{ALL}    {line}\n}}\n"),
                             ["a_test.cpp:5: leaves a row out in silence: name what the case needs in rowNames()"], line)

    def test_other_returns_and_branches_are_none(self):
        for line in ("if (done) return;", "if (r.json) CHECK(true);", "if (r.json) {\n        CHECK(true);\n        x = 1;\n    }",
                     "// if (r.group) return;"):
            self.assertEqual(self.found(f"{ALL}    {line}\n}}\n"), [], line)

    def test_sources_without_rows_do_not_count(self):
        self.assertEqual(check({"a_test.cpp": ALL + "if (r.group) return;\n}\n"}, {}), [])


if __name__ == "__main__":
    unittest.main()
