#!/usr/bin/env python3
"""troubleshooting_texts.py TREE: checks that the messages which docs/guide/troubleshooting.md explains are messages of the sources.

A message is a span of code in the first column of a table whose first heading is Message. "..." stands for what differs: the parts
between must all stand in the texts (string literals; in scripts anywhere) of one source file, and one of them must be long enough to
tell something. Prints LINE and message of each that is found nowhere; exit status 1 if there are any.
"""
import pathlib
import re
import sys

DOCUMENT = "docs/guide/troubleshooting.md"
FOLDERS = ["eta", "rest", "reactor", "parameters", "ema", "book", "messagefile", "hub", "PerfTools", "tools"]
SCRIPTS = ["quickstart.sh", "runtests.sh", "tools/install_packages.sh"]
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ESCAPES = {"n": "\n", "t": "\t"}
LONG_ENOUGH = 10


def literals(text):
    """The string literals of a C++ source, one text a line; neighbours are put together as the compiler does."""
    text = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)
    # Comments go, unless the slashes stand in a literal.
    text = re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m[1] or "", text)
    text = re.sub(r'(?<!\\)"\s*\n\s*"', "", text)
    return "\0".join(re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), found) for found in LITERAL.findall(text))


def messages(document):
    """Line and text of each message of the document."""
    found, inside = [], False
    for number, line in enumerate(document.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif re.match(r"\|\s*Message\s*\|", line):
            inside = True
        elif inside and not line.startswith("|---"):
            cell = re.split(r"(?<!\\)\|", line)[1]
            spans = re.findall(r"`([^`]+)`", cell)
            found += [(number, span.replace("\\|", "|")) for span in spans] or [(number, "")]
    return found


def parts(message):
    return [part for part in (piece.strip() for piece in message.split("...")) if len(part) > 2]


def unknown(found, texts):
    """Those that no source has."""
    missing = []
    for number, message in found:
        pieces = parts(message)
        told = any(len(piece) >= LONG_ENOUGH for piece in pieces)
        if not told or not any(all(piece in text for piece in pieces) for text in texts):
            missing.append((number, message))
    return missing


def texts_of(tree):
    sources = [p for folder in FOLDERS for p in sorted((tree / folder).rglob("*")) if p.suffix in (".cpp", ".h")]
    texts = [literals(p.read_text(encoding="utf-8")) for p in sources]
    return texts + [(tree / script).read_text(encoding="utf-8") for script in SCRIPTS]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = pathlib.Path(sys.argv[1])
    found = messages((tree / DOCUMENT).read_text(encoding="utf-8"))
    missing = unknown(found, texts_of(tree))
    for number, message in missing:
        print(f"{DOCUMENT}:{number}: no source has this message: {message or '(the row has none)'}")
    print(f"{len(found)} messages, {len(missing)} of them unknown")
    return 1 if missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
