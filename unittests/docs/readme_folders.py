#!/usr/bin/env python3
"""readme_folders.py TREE: the table of folders in README.md names every folder at the top of the tree, and no other."""
import pathlib
import re
import sys


def named(readme):
    table = re.search(r"^\| folder \| what \|\n\|[-|]+\|\n((?:\|[^\n]*\|\n)+)", readme, re.M)
    cells = [line.split("|")[1] for line in table[1].splitlines()] if table else []
    return {name for cell in cells for name in re.findall(r"`([^`/]+)/`", cell)}


def there(tree):
    return {f.name for f in tree.iterdir() if f.is_dir() and not f.name.startswith(".") and not re.match(r"build|cmake-build", f.name)}


def faults(readme, folders):
    names = named(readme)
    return [f"README.md does not name the folder {name}/" for name in sorted(folders - names)] + [
        f"README.md names {name}/, which is not there" for name in sorted(names - folders)]


def main():
    tree = pathlib.Path(sys.argv[1])
    found = faults((tree / "README.md").read_text(), there(tree))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
