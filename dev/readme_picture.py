#!/usr/bin/env python3
"""readme_picture.py [--check]: draws docs/pictures/beside.svg, the first table of README.md as bars; with --check only says whether the
picture is that of the table. A cell may have a range ("38-48 MB"): the bar ends at its lower end, and a paler one goes on to the upper."""
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent
PICTURE = TREE / "docs/pictures/beside.svg"
OURS, THEIRS, TEXT = "#0b7285", "#adb5bd", "#495057"  # seen on white and on dark pages


def rows(readme):
    table = re.search(r"^\|[^\n]*\|\n\|[-|: ]+\|\n((?:\|[^\n]*\|\n)+)", readme, re.M)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]


def span(cell):
    numbers = [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", cell)]
    return min(numbers[:2]), max(numbers[:2])


def bar(y, low, high, most, colour, text):
    scale = 330 / most
    return (f'<rect x="300" y="{y}" width="{low * scale:.0f}" height="14" rx="2" fill="{colour}"/>'
            f'<rect x="{300 + low * scale:.0f}" y="{y}" width="{(high - low) * scale:.0f}" height="14" rx="2" fill="{colour}" '
            f'opacity="0.45"/><text x="{308 + high * scale:.0f}" y="{y + 11}" fill="{TEXT}">{text}</text>')


def draw(table):
    parts, y = [], 16
    for what, ours, theirs in table:
        name = re.sub(r"[*`]|\[([^]]*)\]\([^)]*\)", r"\1", what)
        most = max(span(ours)[1], span(theirs)[1])
        parts.append(f'<text x="290" y="{y + 20}" text-anchor="end" fill="{TEXT}">{name}</text>')
        parts.append(bar(y, *span(ours), most, OURS, "Emissary " + ours))
        parts.append(bar(y + 18, *span(theirs), most, THEIRS, "vendor " + theirs))
        y += 54
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {y}" font-family="sans-serif" font-size="13" role="img" '
            f'aria-label="Emissary beside the vendor\'s tools">\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    picture = draw(rows((TREE / "README.md").read_text()))
    if "--check" in sys.argv[1:]:
        if not PICTURE.exists() or PICTURE.read_text() != picture:
            sys.exit("docs/pictures/beside.svg is not the table of README.md: run dev/readme_picture.py")
        return
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture)


if __name__ == "__main__":
    main()
