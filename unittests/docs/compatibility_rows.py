#!/usr/bin/env python3
"""compatibility_rows.py TREE: each row of the tables "Features" and "Differences that a program can see" in docs/compatibility.md ends with
the name of a test case of unittests/, in quotation marks. Fails with every row that has none, or whose test is not there."""
import pathlib
import re
import sys


TABLES = ("Features", "Differences that a program can see")


def rows_of(page, title):
    part = re.search(rf"^## {title}\n(.*?)(?:^## |\Z)", page, re.M | re.S)
    rows = [line for line in part[1].splitlines() if line.startswith("|")] if part else []
    return rows[2:]


def faults(page, cases):
    tables = {title: rows_of(page, title) for title in TABLES}
    found = [f'docs/compatibility.md has no table under "## {title}"' for title, rows in tables.items() if not rows]
    for row in (row for rows in tables.values() for row in rows):
        named = re.search(r'\| "([^"]+)" \|$', row)
        if not named:
            found.append(f"no test at the end of: {row[:80]}")
        elif named[1] not in cases:
            found.append(f'no test case is called "{named[1]}": {row[:80]}')
    return found


def test_cases(tree):
    names = set()
    for file in (tree / "unittests").rglob("*.cpp"):
        names.update(re.findall(r'TEST_CASE(?:_METHOD)?\((?:[^"\n]*,\s*)?"([^"]+)"', file.read_text()))
    return names


def main():
    tree = pathlib.Path(sys.argv[1])
    found = faults((tree / "docs/compatibility.md").read_text(), test_cases(tree))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
