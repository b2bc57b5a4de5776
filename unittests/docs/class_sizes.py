#!/usr/bin/env python3
"""class_sizes.py [--all] [--known FILE] FOLDER...: checks that no class has more than 40 functions or 650 lines
over all its files.

Functions are those declared in the body of a class, less constructors, destructors and what is deleted or defaulted; a class
kept behind a pointer (C::Impl) is counted on its own. Lines are those of the files: a file belongs to the class that fills more than half
of what classes fill in it; of any other file a class has what it defines there. A class and its nested ones are one.
Headers that an application's API prescribes (a folder include/ directly below ema) are not counted: their members are given.
Prints the classes above the guide value, with --all every class; exit status 1 if one is above that FILE does not name
(one a line, behind # stands a comment), and a reminder of those that FILE need not name any more.
"""
import argparse
import collections
import pathlib
import re
import sys

from public_docs import HEAD, blanked, function_name, matching

MOST_FUNCTIONS, MOST_LINES = 40, 650


class Span:
    """The lines first to last of a file that define a class or one of its members."""

    def __init__(self, owner, first, last):
        self.owner, self.first, self.last = owner, first, last


def qualifiers(statement):
    """The classes in front of the name of a member that is defined outside its class: A::B for A::B::f(...)."""
    text = re.sub(r"\[\[.*?\]\]|^template\s*<[^()]*?>", "", statement)
    while (plain := re.sub(r"<[^<>]*>", "", text)) != text:
        text = plain
    name = re.search(r"([\w:]+)::(?:~?\w+|operator\s*[^\s\w]*[^(]*)\s*\(", text)
    if name is None or "=" in text[:name.start()].replace("operator=", ""):
        return None
    return name[1].lstrip(":")


def parse(text):
    """([Span], {class: number of functions}) of one file; names with their namespaces, joined by '::'."""
    code = blanked(text)
    spans, functions, scopes, start, i = [], collections.Counter(), [], 0, 0  # scopes: [kind, name, first line]

    def line(at):
        return text.count("\n", 0, at) + 1

    def inside():
        return "::".join(name for _, name, _ in scopes if name)

    def take(end):
        statement = re.sub(r"\s+", " ", code[start:end]).strip()
        if scopes and scopes[-1][0] == "class" and not HEAD.match(statement) and \
                not re.search(r"= ?(?:delete|default)$", statement):
            name = function_name(statement)
            if name and name.lstrip("~") != scopes[-1][1].split("::")[-1]:
                functions[inside()] += 1
        return statement

    while i < len(code):
        c = code[i]
        if c == "(":
            i = matching(code, i)
        elif c == ";":
            take(i)
            start = i + 1
        elif c == ":" and re.fullmatch(r"\s*(public|protected|private)\s*", code[start:i]):
            start = i + 1
        elif c == "{":
            first = line(start + len(code[start:i]) - len(code[start:i].lstrip()))
            statement = take(i)
            space = re.match(r"(?:inline )?namespace\b ?([\w:]*)", statement)
            head = re.match(r"(?:template\s*<[^{};]*?>\s*)?(?:class|struct)\s+(?:\[\[[^\]]*\]\]\s*)?(?:[A-Z_]+_API\s+)?([\w:]+)"
                            r"(?:<[^{}]*>)?\s*(?:final\s*)?(?::.*)?$", statement)
            if space or statement.startswith("extern"):
                scopes.append(["namespace", space[1] or "(here)" if space else "", first])
                start = i + 1
            elif head:
                scopes.append(["class", head[1], first])
                start = i + 1
            else:
                close = matching(code, i, "{", "}")
                owner = qualifiers(statement)
                initialiser = re.match(r"\s*[,{]", code[close + 1:])  # A::A() : a{1}, b{2} {}
                if owner and not initialiser and all(kind == "namespace" for kind, _, _ in scopes):
                    spans.append(Span("::".join(filter(None, (inside(), owner))), first, line(close)))
                i = close
                if not re.match(r"\s*[;,{]", code[i + 1:]) or function_name(statement):
                    start = i + 1
        elif c == "}":
            if scopes:
                if scopes[-1][0] == "class" and not any(kind == "class" for kind, _, _ in scopes[:-1]):
                    spans.append(Span(inside(), scopes[-1][2], line(i)))
                scopes.pop()
            start = i + 1
        i += 1
    return spans, functions


def measure(texts):
    """{class: [lines, most functions in one body, {file: lines}]} of {file: text}."""
    parsed = {file: parse(text) for file, text in texts.items()}
    bodies = {name for spans, functions in parsed.values() for name in functions}
    bodies |= {span.owner for spans, _ in parsed.values() for span in spans}

    def outermost(owner):
        """The class that `owner` is, or is nested in: the shortest beginning that is a class with a body."""
        parts = owner.split("::")
        for n in range(1, len(parts)):
            if "::".join(parts[:n]) in bodies:
                return "::".join(parts[:n])
        return owner

    sizes = collections.defaultdict(lambda: [0, 0, {}])
    for file, (spans, functions) in parsed.items():
        own = collections.Counter()
        for span in spans:
            own[outermost(span.owner)] += span.last - span.first + 1
        for owner, lines in own.items():
            whole = texts[file].count("\n")
            size = sizes[owner]
            size[2][file] = whole if 2 * lines > own.total() else lines
            size[0] += size[2][file]
        for owner, count in functions.items():
            sizes[outermost(owner)][1] = max(sizes[outermost(owner)][1], count)
    return sizes


def names(file):
    return {name for name in (line.split("#")[0].strip() for line in pathlib.Path(file).read_text().splitlines()) if name}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--known")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted(f for folder in options.folders for suffix in ("*.h", "*.cpp") for f in folder.rglob(suffix)
                   if not re.search(r"(?:^|/)ema/include/", f.as_posix()))
    sizes = measure({f.as_posix(): f.read_text(encoding="utf-8") for f in files})
    known = names(options.known) if options.known else set()
    above = {owner for owner, (lines, functions, _) in sizes.items() if lines > MOST_LINES or functions > MOST_FUNCTIONS}
    for owner, (lines, functions, where) in sorted(sizes.items(), key=lambda s: -s[1][0]):
        if owner in above or options.all:
            print(f"{'above: ' if owner in above else ''}{owner}: {functions} functions, {lines} lines in "
                  f"{', '.join(f'{file} ({n})' for file, n in where.items())}{' (known)' if owner in known else ''}")
    print(f"{len(sizes)} classes, {len(above)} above {MOST_FUNCTIONS} functions or {MOST_LINES} lines.")
    for owner in sorted(known - above):
        print(f"{owner} is not above the guide value any more: take it out of {options.known}")
    sys.exit(1 if above - known else 0)


if __name__ == "__main__":
    main()
