#!/usr/bin/env python3
"""public_docs.py PATH...: checks that every public declaration of these headers, or those in these folders, is documented.

Needed: a comment of three slashes directly above or behind (///<) each class, enumeration and function that an
application can name. Not needed for what says it elsewhere or cannot be called: overrides (their base says it), deleted
and defaulted members, destructors, forward declarations, friends and definitions of members outside their class. An
overload that follows the first one without an empty line shares its comment.
Prints FILE:LINE of every declaration without a comment; exit status 1 if there are any.
"""
import pathlib
import re
import sys


class Declaration:
    def __init__(self, kind, name, text, first, last):
        self.kind, self.name, self.text, self.first, self.last = kind, name, text, first, last

    def __repr__(self):
        return f"{self.kind} {self.name} {self.first}-{self.last}"


def blanked(text):
    """The text with comments, literals and preprocessor lines as blanks, line breaks kept."""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*"
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


HEAD = re.compile(r"(?:template\s*<[^{};]*?>\s*)?(?:typedef\s+)?(?P<kind>class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
                  r"(?:\[\[[^\]]*\]\]\s*)?(?:[A-Z_]+_API\s+)?(?P<name>\w+)\s*(?:final\s*)?(?::|$)")


def matching(text, at, opening="(", closing=")"):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i
    return len(text)


def function_name(statement):
    """The name of the function that the statement declares, or None."""
    text = re.sub(r"^(?:template\s*<[^()]*?>\s*)+|\[\[.*?\]\]", "", statement).strip()
    if re.match(r"(?:using|typedef|friend|static_assert|extern\s)", text):
        return None
    operator = re.search(r"(?<![\w:])operator\s*(\(\s*\)|\[\s*\]|[^\s\w(]+|[\w:]+(?:\s+[\w:]+)*\s*[*&]*)\s*\(", text)
    if operator:
        return re.sub(r"\s+", " ", operator[0][:-1].strip())
    while (plain := re.sub(r"<[^<>]*>", "", text)) != text:  # the parentheses of template arguments are no parameters
        text = plain
    parenthesis = text.find("(")
    if parenthesis < 0 or "=" in text[:parenthesis]:
        return None
    name = re.search(r"([\w:~]+)\s*$", text[:parenthesis])
    if name is None or "::" in name[1] or re.match(r"(?:inline|static)\b[^(]*\b[A-Z][A-Z0-9_]+\s*\(", text):
        return None  # defined elsewhere, or a constant with its value in parentheses
    return name[1]


def declarations(text):
    """The public classes, enumerations and functions that a header declares."""
    code = blanked(text)
    found, scopes, start, i = [], [], 0, 0  # scopes: [kind, public now]

    def line(at):
        return text.count("\n", 0, at) + 1

    def visible():
        return all(kind == "namespace" or (kind == "class" and public) for kind, public in scopes)

    def take(end, body):
        raw = code[start:end]
        statement = re.sub(r"\s+", " ", raw).strip()
        if not statement or not visible():
            return statement
        first, last = line(start + len(raw) - len(raw.lstrip())), line(end)
        head = HEAD.match(statement)
        if head:
            if body:
                found.append(Declaration(re.sub(r"\s.*", "", head["kind"]), head["name"], statement, first, last))
        elif not statement.startswith("namespace"):
            name = function_name(statement)
            if name:
                found.append(Declaration("function", name, statement, first, last))
        return statement

    while i < len(code):
        c = code[i]
        if c == "(":
            i = matching(code, i)
        elif c == ";":
            take(i, False)
            start = i + 1
        elif c == ":" and re.fullmatch(r"\s*(public|protected|private)\s*", code[start:i]):
            scopes[-1][1] = "public" in code[start:i]
            start = i + 1
        elif c == "{":
            statement = take(i, True)
            head = HEAD.match(statement)
            if re.match(r"(?:inline )?namespace\b", statement) or statement.startswith("extern"):
                scopes.append(["namespace", True])
                start = i + 1
            elif head and not head["kind"].startswith("enum"):
                scopes.append(["class", head["kind"] != "class"])
                start = i + 1
            else:  # a body, an enumeration or an initialiser: nothing in it is a declaration of its own
                i = matching(code, i, "{", "}")
                if not re.match(r"\s*[;,{]", code[i + 1:]) or function_name(statement):
                    start = i + 1
        elif c == "}":
            if scopes:
                scopes.pop()
            start = i + 1
        i += 1
    return found


def exempt(d):
    if d.kind != "function":
        return False
    return d.name.startswith("~") or re.search(r"\boverride\b|=\s*(?:delete|default)\s*$", d.text) is not None


def undocumented(text):
    lines = text.splitlines()

    def documented(d):
        above = next((l.strip() for l in reversed(lines[:d.first - 1]) if "// NOLINT" not in l), "")
        if re.match(r"///(?!<)", above) or above.endswith("*/"):
            return True
        return any(re.search(r"///<|/\*\*<", lines[n - 1]) for n in range(d.first, d.last + 1))

    missing, before = [], None
    for d in declarations(text):
        # "Follows" leaves room for the body of the first one, not for an empty line.
        shared = before is not None and before.name == d.name and before.kind == d.kind == "function"
        shared = shared and all(lines[n - 1].strip() for n in range(before.last, d.first))
        if exempt(d):
            continue
        if documented(d) or shared:
            before = d
        else:
            before = None
            missing.append(d)
    return missing


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    paths = [pathlib.Path(p) for p in sys.argv[1:]]
    headers = [h for p in paths for h in ([p] if p.is_file() else sorted(p.rglob("*.h")))]
    checked = missing = 0
    for header in headers:
        text = header.read_text(encoding="utf-8")
        checked += sum(not exempt(d) for d in declarations(text))
        for d in undocumented(text):
            missing += 1
            print(f"{header}:{d.first}: {d.kind} {d.name} has no comment that says what it does (/// above or ///< behind)")
    print(f"{len(headers)} headers, {checked} public declarations, {missing} without a comment")
    return 1 if missing or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
