#!/usr/bin/env python3
"""troubleshooting_texts.py TREE: checks that the messages which docs/guide/troubleshooting.md explains are messages of the sources.

A message is a span of code in the first column of a table whose first heading is Message. "..." stands for what differs: the parts
between must all stand in the texts (string literals; in scripts anywhere) of one source file, and one of them must be long enough to
tell something. Prints LINE and message of each that is found nowhere; exit status 1 if there are any.

The other way round, every sentence that the hub and the tools print (tool_texts.py) must stand in a message of the page, or among those
that are no complaints (no_complaints.txt). Prints file and sentence of each that does not.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tool_texts  # noqa: E402

DOCUMENT = "docs/guide/troubleshooting.md"
FOLDERS = ["eta", "rest", "reactor", "logging", "config", "ema", "book", "hub", "PerfTools", "tools", "bench/bookbench", "dev"]
SCRIPTS = ["quickstart.sh", "runtests.sh", "dev/install_packages.sh"]
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


def explained(sentence, spans):
    """Whether one of the messages has all of the sentence, in its order."""
    pieces = [piece.strip() for piece in re.split(r"\.\.\.|\n", sentence) if len(piece.strip()) > 2]
    for span in spans:
        at = 0
        for piece in pieces:
            found = span.find(piece, at)
            if found < 0:
                break
            at = found + len(piece)
        else:
            return True
    return False


def no_complaints():
    lines = (pathlib.Path(__file__).parent / "no_complaints.txt").read_text(encoding="utf-8").splitlines()
    return {line.replace("\\n", "\n") for line in lines[1:] if line}  # the first line says what they are


def unexplained(sentences, spans, others):
    """Those that neither the page nor the list has, and entries of the list that no source has any more."""
    missing = [(file, text) for file, text in sentences if text not in others and not explained(text, spans)]
    known = {text for _, text in sentences}
    return missing, sorted(others - known)


def texts_of(tree):
    sources = [p for folder in FOLDERS for p in sorted((tree / folder).rglob("*")) if p.suffix in (".cpp", ".h")]
    texts = [literals(p.read_text(encoding="utf-8")) for p in sources]
    for place in tool_texts.PYTHON:
        texts += ["\0".join(tool_texts.of_python(p.read_text(encoding="utf-8"))) for p in sorted((tree / place).glob("*.py"))]
    return texts + [(tree / script).read_text(encoding="utf-8") for script in SCRIPTS]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = pathlib.Path(sys.argv[1])
    found = messages((tree / DOCUMENT).read_text(encoding="utf-8"))
    missing = unknown(found, texts_of(tree))
    for number, message in missing:
        print(f"{DOCUMENT}:{number}: no source has this message: {message or '(the row has none)'}")
    sentences = tool_texts.of_tree(tree)
    silent, stale = unexplained(sentences, [message for _, message in found], no_complaints())
    for file, text in silent:
        print(f"{file}: the guide does not explain '{text}': add it to {DOCUMENT}, with cause and remedy")
    for text in stale:
        print(f"unittests/docs/no_complaints.txt: no source has '{text}': take it out")
    print(f"{len(found)} messages, {len(missing)} of them unknown; {len(sentences)} sentences, {len(silent)} of them not explained")
    return 1 if missing or silent or stale or not found or not sentences else 0


if __name__ == "__main__":
    sys.exit(main())
