#!/usr/bin/env python3
"""opening_sentences.py TREE: every source and header begins with a comment that says what it holds, and its first lines name its layer."""
import pathlib
import re
import sys

FOLDERS = ["eta", "rest", "reactor", "logging", "config", "ema", "book", "hub", "PerfTools", "tools", "bench", "dev", "examples", "unittests",
           "interop/cpp"]
LEAST = 3  # words
# Layers whose files name them in the first LINES lines: in an include, a namespace or the sentence. A program names itself.
LAYERS = {"eta": "eta", "rest": "rest", "reactor": "reactor", "logging": "logging", "config": "config", "ema": "ema", "book": "book",
          "capi": "capi|C interface", "hub": "hub", "PerfTools": "PerfTools|perf", "tools": "tools"}
LINES = 10


def opening(text):
    """The comment in the first lines, without the marks."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.lstrip("/ "))
    return " ".join(lines)


def names_layer(path, text):
    """Whether the first lines name the layer; `path` is relative to the tree."""
    folder, *rest = pathlib.PurePath(path).parts
    if folder not in LAYERS:
        return True
    words = LAYERS[folder] + ("|" + re.escape(rest[0]) if folder in ("PerfTools", "tools") else "")
    return re.search(rf"(?<!\w)(?:{words})(?!\w)", "\n".join(text.splitlines()[:LINES]), re.IGNORECASE) is not None


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
            name, text = path.relative_to(tree), path.read_text(encoding="utf-8")
            why = fault(path.name, text)
            if not why and not names_layer(name, text):
                why = f"does not name its layer in its first {LINES} lines: begin with \"// {name.parent}: ...\""
            if why:
                faults += 1
                print(f"{name} {why}")
    print(f"{count} files, {faults} without an opening sentence that tells content and layer")
    sys.exit(1 if faults or count == 0 else 0)


if __name__ == "__main__":
    main()
