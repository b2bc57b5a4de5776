#!/usr/bin/env python3
"""readme_figures.py TREE: the figures that README.md and docs/performance.md show are in the notebook of measurements.

Looked at are the first table of README.md and every table of docs/performance.md. The figures of a row stand together in one line of
docs/measurements/*.md, as they are or with more digits: 28 is found in "28.0 (27.8 .. 28.6)". Where cells have several figures with " / "
in between, the first ones of all cells stand in one line, the second ones in another.
"""
import decimal
import pathlib
import re
import sys

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\d.]*\d)")
TABLE = re.compile(r"^\|[^\n]*\|\n\|[-|: ]+\|\n((?:\|[^\n]*\|\n)+)", re.MULTILINE)


def numbers(text):
    return [decimal.Decimal(found.replace(",", "")) for found in NUMBER.findall(text)]


def shows(figure, measured):
    """The figure is the measured number, or that number with fewer digits."""
    digits = -figure.as_tuple().exponent
    return figure == measured or (-measured.as_tuple().exponent > digits and
                                  measured.quantize(figure, rounding=decimal.ROUND_HALF_UP) == figure)


def rows(table):
    """Name and groups of figures of each row; a group is what one line of the notebook must have."""
    for line in table.splitlines():
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        parts = [cell.split(" / ") for cell in cells]
        for place in range(max(map(len, parts))):
            group = [n for part in parts if place < len(part) for n in numbers(part[place])]
            if group:
                yield name, group


def check(page, tables, notebook):
    """Findings, and how many groups were compared."""
    lines, findings, count = [numbers(line) for line in notebook.splitlines()], [], 0
    for table in tables:
        for name, group in rows(table):
            count += 1
            if not any(all(any(shows(figure, n) for n in line) for figure in group) for line in lines):
                findings.append(f"{page}: '{name}': no line of docs/measurements has {', '.join(map(str, group))}")
    return findings, count


def main():
    tree = pathlib.Path(sys.argv[1])
    notebook = "\n".join(path.read_text(encoding="utf-8") for path in sorted((tree / "docs/measurements").glob("*.md")))
    findings, compared = [], 0
    for page, first in (("README.md", True), ("docs/performance.md", False)):
        tables = TABLE.findall((tree / page).read_text(encoding="utf-8"))
        found, count = check(page, tables[:1] if first else tables, notebook)
        if count == 0:
            found = [f"{page}: has no table with figures"]
        findings += found
        compared += count
    for line in findings:
        print(line, file=sys.stderr)
    print(f"{compared} groups of figures, {len(findings)} that the notebook does not have")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
