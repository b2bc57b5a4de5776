#!/usr/bin/env python3
"""bookbench_page.py PROGRAM TREE: bookbench says in advance how long it takes; its page looks like perfreport's, has a logarithmic
axis, values at its points, and needs no network. The bare structure stands beside ours in the chart, the table and the CSV."""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

program, tree = sys.argv[1], pathlib.Path(sys.argv[2])
faults = []


def check(good, what):
    if not good:
        faults.append(what)


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([program, "--rounds", "0", "--books", "0", "--channels", "A,B", "--kind", "mbp", "--delays", "0,1", "--seconds",
                           "0.05", "--out", folder, "--dictionary", str(tree / "etc/RDMFieldDictionary")],
                          capture_output=True, text=True, timeout=100, check=True)
    page = (pathlib.Path(folder) / "bookbench.html").read_text(encoding="utf-8")
    with open(pathlib.Path(folder) / "bookbench.csv", newline="") as file:
        cells = list(csv.DictReader(file))
first = done.stdout.splitlines()[0]
check(re.fullmatch(r"4 cells of 0\.05 s each \(--seconds\): about 0 s", first), f"the first line says no length: {first}")
check((tree / "tools/perfreport/page.css").read_text() in page, "the style is not that of perfreport")
check(not re.search(r"(src|href)='?\"?(?!data:)[^'\" >]*//", page), "something is fetched")
check(page.count("<figure>") == 1, "one chart was asked for")
titles = re.findall(r"<title>(channel [AB], [01] ms: [\d.]+) &#181;s</title>", page)
check(len(titles) == 4, f"values at four points, found {titles}")
bare = re.findall(r"<title>bare structure, (channel [AB], [01] ms): ([\d.]+) &#181;s</title>", page)
check(len(bare) == 4, f"values of the bare structure at four points, found {bare}")
check(page.count(", bare structure</th>") == 4, "the table has a row of the bare structure for each cell")
check(len(cells) == 4 and all(len(cell) == 14 and None not in cell and None not in cell.values() for cell in cells), f"cells of the CSV: {cells}")
for cell in cells:
    check(0 < float(cell["bare median us"]) <= float(cell["bare 99% us"]), f"figures of the bare structure: {cell}")
    shown = dict(bare).get(f"channel {cell['channel']}, {cell['delay ms']} ms")
    check(shown is not None and math.isclose(float(shown), float(cell["bare median us"]), rel_tol=0.001), f"the chart says {shown}, the CSV {cell}")
# Marks of the axis: equal ratios are equally far apart.
chart = page[page.index("<figure>"):]
marks = [(float(y), float(v)) for y, v in re.findall(r"text-anchor='end' x='54' y='([\d.]+)'>([\d.e-]+)<", chart)]
check(len(marks) >= 2, f"marks: {marks}")
scales = [(a[0] - b[0]) / math.log10(b[1] / a[1]) for a, b in zip(marks, marks[1:])]
check(scales and max(scales) - min(scales) < 0.05 * max(scales), f"the axis is not logarithmic: {marks}")
print("\n".join(faults) or "the page is as it should be")
sys.exit(1 if faults else 0)
