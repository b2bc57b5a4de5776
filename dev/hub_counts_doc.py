#!/usr/bin/env python3
"""Writes docs/hub-counts.md from the declarations of the hub's counts.

    dev/hub_counts_doc.py           # prints the page
    dev/hub_counts_doc.py --check   # exit status 1 when docs/hub-counts.md is another one

A count's name, unit and meaning stand in the type of the member that counts (eta/include/eta/core/Count.h), so the headers of
the hub are all there is to read.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "hub-counts.md"
KINDS = {"Total": "counter", "Level": "gauge", "Peak": "gauge", "Histogram": "histogram"}
TITLES = {"client": "Consumers", "fanout": "Fan-out", "flow": "Items and messages", "cache": "Cache", "source": "Sources and publishers",
          "post": "Posts and generic messages", "directory": "Directory and groups", "delay": "Delayed services", "core": "Services", "access": "Access", "audit": "Audit log", "usage": "Use of items",
          "backbone": "The mesh of hubs", "nats": "The mesh's bus over NATS"}

COUNT = re.compile(r"\b(Total|Level|Peak|Histogram)<((?:\s*\"(?:\\.|[^\"\\])*\"\s*,?)+)>\s*(?:\w+|;)", re.S)
LITERAL = re.compile(r"\"((?:\\.|[^\"\\])*)\"(\s*,)?")

HEAD = """# Counts of the hub

This page is written by `dev/hub_counts_doc.py > docs/hub-counts.md`; a test compares it with the code. Names, units and
meanings stand beside the counts themselves, in the headers that declare them.

`http://localhost:8080/metrics` tells all of them in the format of Prometheus, `/varz` as JSON (see [GUIDE](GUIDE)).
Beside these stand the library's own counts of connections, roles and the event loop (see [COUNTS](COUNTS)). Counts that
there are several of carry a label that tells them apart: `service`, `source`, `listener`, `thread`, `reason`, `result`, `state`, `mode`
or `limit`. Counters grow only, from the start of the hub on; gauges go up and down, those that end in `_peak` keep the highest
value.
"""


# Beside the page, not beside this script.
LINKS = {"GUIDE": "emissary-hub" + ".md", "COUNTS": "metrics" + ".md"}


def counts(text):
    """[(kind, name, unit, meaning)] of the counts that a header declares."""
    found = []
    for match in COUNT.finditer(text):
        arguments, current = [], ""
        for literal in LITERAL.finditer(match[2]):
            current += literal[1].replace('\\"', '"')
            if literal[2]:
                arguments.append(current)
                current = ""
        arguments.append(current)
        if match[1] == "Histogram":
            arguments.insert(1, "seconds")
        if len(arguments) == 3:
            found.append((KINDS[match[1]], *arguments))
    return found


def page():
    rooms = {}
    for header in sorted((ROOT / "hub").rglob("*.h")):
        room = header.relative_to(ROOT / "hub").parts[0]
        rooms.setdefault(room, []).extend(counts(header.read_text(encoding="utf-8")))
    text = HEAD
    for word, document in LINKS.items():
        text = text.replace(word, document)
    for room, rows in sorted(rooms.items(), key=lambda r: TITLES.get(r[0], r[0].capitalize())):
        if not rows:
            continue
        text += f"\n## {TITLES.get(room, room.capitalize())}\n\n| name | kind | unit | meaning |\n| --- | --- | --- | --- |\n"
        text += "".join(f"| `{name}` | {kind} | {unit} | {meaning} |\n" for kind, name, unit, meaning in rows)
    return text


def main():
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            sys.exit("docs/hub-counts.md is out of date: run dev/hub_counts_doc.py > docs/hub-counts.md")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
