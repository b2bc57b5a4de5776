#!/usr/bin/env python3
"""hub_items.py TREE: the tables of docs/hub-items.md name every phase and flag of hub/core/Item.h and every flag of hub/core/Mount.h, and no
other; the chart names every phase."""
import pathlib
import re
import sys


def rows(page, title):
    part = re.search(rf"^## {title}\n(.*?)(?:^## |\Z)", page, re.M | re.S)
    lines = [line for line in part[1].splitlines() if line.startswith("|")] if part else []
    return [line.split("|")[1].strip() for line in lines[2:]]


def phases(header):
    body = re.search(r"enum class Phase[^{]*\{(.*?)\};", header, re.S)[1]
    return re.findall(r"^\s*(\w+),", re.sub(r"//.*", "", body), re.M)


def flags(header, integer):
    """The names of the static constants that are single bits."""
    found = []
    for body in re.findall(rf"static constexpr std::{integer}\s+(\w+ = 0x.*?);", re.sub(r"//[^\n]*", "", header), re.S):
        found += [name for name, value in re.findall(r"(\w+) = (0x[0-9A-Fa-f]+)", body) if bin(int(value, 16)).count("1") == 1]
    return found


def faults(page, item, mount):
    found = []
    for title, names in (
        ("Phases", phases(item)),
        ("Flags of an item", flags(item, "uint32_t")),
        ("Flags of a mount", flags(mount, "uint16_t")),
    ):
        there = rows(page, title)
        if not names:
            found.append(f"{title}: nothing was found in the header")
        found += [f"{title}: {name} has no row" for name in names if name not in there]
        found += [f"{title}: {name} is not in the header" for name in there if name not in names]
    chart = re.search(r"```mermaid\n(.*?)```", page, re.S)
    drawn = {*re.findall(r"(\w+) -->", chart[1]), *re.findall(r"--> (\w+)", chart[1])} if chart else set()
    found += [f"the chart lacks {name}" for name in phases(item) if name not in drawn]
    found += [f"the chart has {name}, which is no phase" for name in sorted(drawn) if name not in phases(item)]
    return found


def main():
    tree = pathlib.Path(sys.argv[1])
    found = faults(*((tree / name).read_text() for name in ("docs/hub-items.md", "hub/core/Item.h", "hub/core/Mount.h")))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
