#!/usr/bin/env python3
"""parameters.py TREE: every row of the tables of parameters has a reader, and every reader has a row.

A row names its parameter in a table (TABLES below); a reader names it again, as a literal, where the value is taken. A row without a reader is a parameter that is checked, shown and then
forgotten; a reader without a row never finds anything. Both are found here by name, product by product."""
import pathlib
import re
import sys

TABLES = {"hub": ["hub/config/schema.cpp"], "ema": ["ema/config/parameters.cpp"],
          "shared": ["config/include/config/schema/shared_parameters.h"]}
READERS = {"hub": ["hub/config", "config"], "ema": ["ema/config", "ema/session", "ema/settings", "config"],
           "shared": ["hub/config", "ema/config", "ema/session", "ema/settings", "config"]}
ROW = re.compile(r"\b(?:text|list|number|whole|flag|choice|real)\(\s*[\w:| ]+,\s*\"(\w+)\"")
IDLE = re.compile(r"\b(?:idle|moved)\(")
LITERAL = re.compile(r"\"(\w+)\"")
TAKEN = re.compile(r"\b(?:r|reader|c|channel|server)\.(?:text|number|flag|find)\(\s*\"(\w+)\"|"
                   r"\bread(?:Time|Enum)\(\s*\w+,\s*\"(\w+)\"")


def call_end(text, start):
    """Behind the parenthesis that closes the one at `start`; literals may hold parentheses."""
    depth, i = 0, start
    while i < len(text):
        c = text[i]
        if c == '"':
            i += 1
            while i < len(text) and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return len(text)


def rows(text):
    """The names that a table has, and those of them that it says have no effect or have moved."""
    quiet = [(m.start(), call_end(text, m.end() - 1)) for m in IDLE.finditer(text)]
    names, without = set(), set()
    for m in ROW.finditer(text):
        names.add(m.group(1))
        if any(a < m.start() < b for a, b in quiet):
            without.add(m.group(1))
    return names, without


def sources(tree, folders, tables):
    for folder in folders:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in (".cpp", ".h") and str(path.relative_to(tree)) not in tables:
                yield path


def findings(tree):
    """Sentences, one for each row or reader that is alone."""
    tables = {name for files in TABLES.values() for name in files}
    of, quiet, out = {}, {}, []
    for product, files in TABLES.items():
        found = [rows((tree / f).read_text(encoding="utf-8")) for f in files]
        of[product] = set().union(*(names for names, _ in found))
        quiet[product] = set().union(*(without for _, without in found))
        if not of[product]:
            out.append(f"{files[0]}: no row was found; this script reads text(), list(), number() ... of the table")
    for product, folders in READERS.items():
        literals = set()
        for path in sources(tree, folders, tables):
            literals |= set(LITERAL.findall(path.read_text(encoding="utf-8")))
        for name in sorted(of[product] - quiet[product] - literals):
            out.append(f"{TABLES[product][0]}: nobody reads {name}")
    for product in ("hub", "ema"):
        known = of[product] | of["shared"]
        for path in sources(tree, [f"{product}/config"], tables):
            for m in TAKEN.finditer(path.read_text(encoding="utf-8")):
                name = m.group(1) or m.group(2)
                if name not in known:
                    out.append(f"{path.relative_to(tree)}: {name} is read, and the table has no such row")
    return out, sum(len(names) for names in of.values())


def main(argv):
    if len(argv) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    found, count = findings(pathlib.Path(argv[1]))
    for one in found:
        print(one)
    print(f"{count} rows, {len(found)} findings.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
