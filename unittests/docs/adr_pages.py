#!/usr/bin/env python3
"""adr_pages.py ROOT: each decision (docs/adr) is under a page, says what was considered, and what would change our mind."""
import pathlib
import re
import sys

WORDS = 600  # a page
PARTS = ("Context", "Decision", "Would change our mind")


def check(pages):
    """What is wrong with the pages, a dictionary from names to texts."""
    found, numbers = [], {}
    for name, text in sorted(pages.items()):
        number = name[:4]
        if number in numbers:
            found.append(f"{name}: has the number of {numbers[number]}")
        numbers[number] = name
        if not re.match(rf"# {int(number)}\. \S", text):
            found.append(f"{name}: does not begin with its number and title: # {int(number)}. ...")
        for part in PARTS:
            if f"**{part}" not in text:
                found.append(f"{name}: has no paragraph **{part}.**")
        if len(text.split()) > WORDS:
            found.append(f"{name}: has {len(text.split())} words; a page has {WORDS}: what came of trials goes beside the tests or into docs/measurements")
    return found


def main():
    folder = pathlib.Path(sys.argv[1]) / "docs/adr"
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("[0-9]*.md")}
    found = check(pages)
    for line in found:
        print(f"docs/adr/{line}", file=sys.stderr)
    print(f"{len(pages)} decisions, {len(found)} findings.")
    sys.exit(1 if found or not pages else 0)


if __name__ == "__main__":
    main()
