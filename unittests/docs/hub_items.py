#!/usr/bin/env python3
"""hub_items.py TREE: the tables of docs/hub-items.md name every phase and flag of hub/core/Item.h and every flag of hub/core/Mount.h, and no
other; its table of events is that of hub/flow/ItemLife.h, and the chart draws every way from one phase to another that the events allow."""
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


def cells(page, title):
    part = re.search(rf"^## {title}\n(.*?)(?:^## |\Z)", page, re.M | re.S)
    lines = [line for line in part[1].splitlines() if line.startswith("|")] if part else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def events(life, names):
    """Of the table in the code: event to phases that it happens in, phase that it leads to, flags that it sets and clears."""
    body = re.search(r"kRows\{\{(.*?)\}\};", re.sub(r"//[^\n]*", "", life), re.S)
    found = {}
    for event, where, to, sets, clears in re.findall(r"\{Event::(\w+),([^,]*),\s*Leads::(\w+),([^,]*),([^,}]*)\}", body[1] if body else ""):
        phases = [name for name in names if "kAny" in where or re.search(rf"\bk{name[0].upper()}{name[1:]}\b", where)]
        flagged = [re.findall(r"Item::(\w+)", part) for part in (sets, clears)]
        found[event] = (phases, to, *flagged)
    return found


def event_faults(page, life, names):
    code = events(life, names)
    found = [] if code else ["Events: no row was found in the code"]
    listed = lambda cell: [] if cell == "" else re.split(r",\s*", cell)
    there = {}
    for event, where, to, sets, clears, _ in cells(page, "Events"):
        there[event] = (list(names) if where == "any" else listed(where), "stays" if to == "" else to, listed(sets), listed(clears))
    found += [f"Events: {event} has no row" for event in code if event not in there]
    found += [f"Events: {event} is not in the code" for event in there if event not in code]
    found += [f"Events: {event} is {there[event]} here and {code[event]} in the code" for event in code if event in there and there[event] != code[event]]
    ways = {(a, to) for phases, to, _, _ in code.values() for a in phases if to not in ("stays", a)}
    chart = re.search(r"```mermaid\n(.*?)```", page, re.S)
    drawn = {way for way in re.findall(r"(\w+) --> (\w+)", chart[1])} if chart else set()
    found += [f"the chart lacks {a} --> {b}" for a, b in sorted(ways - drawn)]
    found += [f"the chart has {a} --> {b}, which no event leads" for a, b in sorted(drawn - ways)]
    return found


def faults(page, item, mount, life):
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
    return found + event_faults(page, life, phases(item))


PAGES = ("docs/hub-items.md", "hub/core/Item.h", "hub/core/Mount.h", "hub/flow/ItemLife.h")


def main():
    tree = pathlib.Path(sys.argv[1])
    found = faults(*((tree / name).read_text() for name in PAGES))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
