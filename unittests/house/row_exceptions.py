#!/usr/bin/env python3
"""Which test cases leave out rows of the transport's conformance suite (unittests/eta/transport/rows.h).

    row_exceptions.py TREE    checks; exit code 1 when something differs

A case that does not concern every row says so where its rows are made: rowNames({Ability::...}) or anyRow({Ability::...}).
What each row lacks, and why, is declared in rows.cpp and repeated in conformance_test.cpp; here stands which cases ask for
what. A finding is: a case that leaves rows out and is not below; one below that does not; a case that returns or goes on with
the next row because of what the row is.
"""
import pathlib
import re
import sys

NEEDED = {
    "conformance: what is compressed is smaller on the wire, and whole behind it": {"compression"},
    "conformance: bytes that are no text pass unchanged": {"bytes"},
    "conformance: a slow reader exhausts the output, and then gets everything": {"listener"},
    "conformance: the end of a connection is seen by the other side": {"listener"},
    "conformance: a server can refuse": {"listener"},
    "conformance: nobody listens": {"listener"},
    "conformance: a peer that says nothing ends at the initialization timeout": {"tcp"},
    "trace: messages are told whole, as the application has them, by both ends": {"listener"},
    "a batch takes messages larger than a frame": {"bytes", "fragments"},
    "a failed write leaves what was received to be delivered": {"listener"},
    "the end of a connection is told in the reactor where it is now": {"listener"},
    "what nobody dispatches for leaves by itself": {"bytes"},
}
USES_ROWS = re.compile(r'#include "(?:[\w/]*/)?(?:rows|far_end)\.h"')
CASE = re.compile(r'^TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', re.MULTILINE)
ABILITIES = re.compile(r"\b(?:rowNames|anyRow)\(\{([^}]*)\}\)")
# Of a row: its flags, what it can and lacks, its name and options. The statement that leaves follows at once, or opens the block.
LEAVES = re.compile(r"\bif \((?=[^;{]*\b(?:r|row)\.(?:json|local|group|can|lacks|name|bind|connect)\b)[^;{]*\)"
                    r"\s*\{?\s*(?:return|continue|break)\b")


def cases(text):
    """Title and text of each case of a source; a case ends where the next begins."""
    found = list(CASE.finditer(text))
    for case, after in zip(found, found[1:] + [None]):
        yield case[1], case.start(), text[case.start():after.start() if after else len(text)]


def check(sources, needed):
    """Findings; `sources` has the text of each path."""
    findings, seen = [], {}
    for path, text in sources.items():
        text = re.sub(r"//[^\n]*", "", text)
        if not USES_ROWS.search(text):
            continue
        for title, start, body in cases(text):
            for leaves in LEAVES.finditer(body):
                line = text.count("\n", 0, start + leaves.start()) + 1
                findings.append(f"{path}:{line}: leaves a row out in silence: name what the case needs in rowNames()")
            asked = {name.strip().removeprefix("transport_test::").removeprefix("Ability::")
                     for group in ABILITIES.findall(body) for name in group.split(",") if name.strip()}
            if title not in needed and asked and not title.startswith("conformance: what a row cannot do"):
                findings.append(f"{path}: '{title}' leaves rows out and has no entry in row_exceptions.py")
            seen[title] = asked
    for title, asked in needed.items():
        if seen.get(title) != asked:
            findings.append(f"'{title}' needs {sorted(asked)} here, and {sorted(seen.get(title, []))} in its source")
    return findings


def main():
    tree = pathlib.Path(sys.argv[1])
    paths = sorted(path for path in (tree / "unittests").rglob("*.cpp"))
    findings = check({str(path.relative_to(tree)): path.read_text() for path in paths}, NEEDED)
    print("\n".join(findings) or f"{len(NEEDED)} cases leave rows out, as declared")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
