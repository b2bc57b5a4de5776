#!/usr/bin/env python3
"""failure_dialect.py ROOT: checks that eta, rest, reactor, logging and config say failure as docs/errors.md has it.

Found are the dialects that there were before: a reason in a string of the caller's, a reason as a C string, a refusal
that could be what the call returns. Prints FILE:LINE of each; exit status 1 if there are any.
"""
import pathlib
import re
import sys

OTHER_DIALECTS = [
    (re.compile(r"(?<!const )std::string\s*&\s*(?:error|errorText|reason|why|problem|failure)\s*[,)]"),
     "a reason goes into a Refused"),
    (re.compile(r"const char\s*\*\s*&?\s*(?:why|reason|problem)\b"), "a fixed reason is a std::string_view"),
    (re.compile(r"\bvoid (?:\w+::)*\w+\([^;{}()]*\bRefus(?:ed|al)\s*&\s*\w+\)"), "return the refusal"),
]


def violations(text):
    for pattern, remedy in OTHER_DIALECTS:
        for found in pattern.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, " ".join(found[0].split()), remedy


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    folders = [root / layer for layer in ("eta", "rest", "reactor", "logging", "config")]
    files = [f for folder in folders for f in sorted(folder.rglob("*")) if f.suffix in (".h", ".cpp")]
    if not files:
        sys.exit(f"{root} has no layers below ema")
    count = 0
    for file in files:
        for line, what, remedy in violations(file.read_text(encoding="utf-8")):
            print(f"{file.relative_to(root)}:{line}: '{what}': {remedy} (docs/errors.md)")
            count += 1
    print(f"{len(files)} files, {count} that say failure another way")
    sys.exit(count != 0)


if __name__ == "__main__":
    main()
