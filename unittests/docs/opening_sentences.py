#!/usr/bin/env python3
"""opening_sentences.py TREE: every source and header begins with a comment that says what it holds."""
import pathlib
import re
import sys

FOLDERS = ["eta", "rest", "reactor", "logging", "config", "ema", "book", "hub", "PerfTools", "tools", "bench", "dev", "examples", "unittests",
           "interop/cpp"]
LEAST = 3  # words


def opening(text):
    """The comment in the first lines, without the marks."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.lstrip("/ "))
    return " ".join(lines)


def fault(name, text):
    said = opening(text)
    if not said:
        return "begins without a sentence that says what it holds"
    if len(said.split()) < LEAST or re.fullmatch(rf"(?:implementation of|tests (?:of|for))?\s*{re.escape(name)}\.?", said, re.I):
        return f"says no more than its name: {said}"
    return ""


def main():
    tree, count, faults = pathlib.Path(sys.argv[1]), 0, 0
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h") or path.is_symlink() or "Include" in path.parts:
                continue
            count += 1
            if why := fault(path.name, path.read_text(encoding="utf-8")):
                faults += 1
                print(f"{path.relative_to(tree)} {why}")
    print(f"{count} files, {faults} without an opening sentence")
    sys.exit(1 if faults or count == 0 else 0)


if __name__ == "__main__":
    main()
