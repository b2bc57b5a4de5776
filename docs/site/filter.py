#!/usr/bin/env python3
"""filter.py FILE: prints a file of the tree as doxygen is to read it; each line stays on its line.

Headers: overloads that follow the first one without an empty line share its comment (unittests/docs/public_docs.py), and so do
constants and aliases; each gets it, as each name of a declaration of several does. What is protected serves the library's own
classes and is taken for private. Documents that comments cite (`session.md 4.1`) become links to their pages and sections.
Documents: headings get names that links can use, links to documents become links to their pages, and links to other files of
the tree, which the site does not have, become plain text. The first document that links to another in LISTS has it below it in
the tree of pages.
"""
import json
import os
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "unittests/docs"))

MAINPAGE = "docs/site/mainpage.md"
LISTS = [MAINPAGE, "docs/spec/README.md", "docs/architecture.md"]
NO_PAGES = ("build/", "unittests/", ".", "third_party/")
FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]\n]|\n(?!\s*\n)|\[[^\[\]\n]*\])*)\]\((?P<target>[^()\s]+)\)")
CODE = re.compile(r"(?P<ticks>`+)(?P<code>(?:(?!(?P=ticks)).|\n)+?)(?P=ticks)(?!`)")


def documents():
    """The documents that are pages, by their path in the tree."""
    found = []
    for folder, folders, names in os.walk(TREE):
        here = pathlib.Path(folder).relative_to(TREE).as_posix()
        here = "" if here == "." else here + "/"
        folders[:] = sorted(f for f in folders if not (here + f + "/").startswith(NO_PAGES) and not f.startswith("."))
        found += [here + n for n in sorted(names) if n.endswith(".md")]
    return found


def page_id(path):
    """The name of a document's page: page_spec_ema_api for docs/spec/ema-api.md, folder_logging for logging/README.md, which is
    another page than docs/logging.md."""
    name = path.removesuffix(".md").removeprefix("docs/")
    folder = name.removesuffix("/README")
    return ("page_" if folder == name else "folder_") + re.sub(r"\W", "_", folder.lower())


def slug(title):
    """What the usual hosts of repositories make of a heading, as links in documents have it."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.strip().lower()))


def headings(text):
    """Line, level, title and slug of each heading of a document."""
    found, used, fenced = [], {}, False
    for number, line in enumerate(text.splitlines()):
        if FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else HEADING.match(line)
        if heading:
            name = slug(heading[2])
            used[name] = used.get(name, -1) + 1
            found.append((number, len(heading[1]), heading[2], name if used[name] == 0 else f"{name}-{used[name]}"))
    return found


def anchor(page, name):
    return page + "__" + re.sub(r"\W", "_", name)


def resolved(target, path):
    """The file in the tree that a link in a document means, or None."""
    joined = os.path.normpath(os.path.join(os.path.dirname(path), target))
    return None if joined.startswith("..") else joined


def index():
    """What the filter has to know of all documents: their pages, sections and places in the tree of pages."""
    pages, placed = {}, {MAINPAGE}
    for path in documents():
        text = (TREE / path).read_text(encoding="utf-8")
        found = headings(text)
        pages[path] = {
            "id": "index" if path == MAINPAGE else page_id(path),
            "anchors": {name: anchor(page_id(path), name) for _, level, _, name in found[1:]},
            "sections": {m[1]: anchor(page_id(path), name) for _, _, title, name in found[1:]
                         if (m := re.match(r"(\d+(?:\.\d+)*)\.?\s", title))},
            "below": [],
        }
    for parent in LISTS:
        for match in LINK.finditer((TREE / parent).read_text(encoding="utf-8")):
            child = resolved(match["target"], parent)
            if child in pages and child not in placed:
                placed.add(child)
                pages[parent]["below"].append(child)
    return pages


def loaded():
    given = os.environ.get("EMISSARY_SITE_INDEX")
    return json.loads(pathlib.Path(given).read_text(encoding="utf-8")) if given else index()


# Documents

def escaped(text):
    """Plain text of a document, so that doxygen sees no command, no tag and no link in it. What stands in quotes it takes as it is."""
    def outside(text):
        text = re.sub(r"\\(?![\\`*_{}\[\]()#+.!|<>-])|(?<!&)@(?!ref )|%(?=\w)", lambda m: "\\" + m[0], text)
        return re.sub(r"<(?=[A-Za-z/!?])(?!/?(?:br|sub|sup)>|https?:)", r"\\<", text)
    return "".join(part if quoted else outside(part) for quoted, part in
                   ((i % 2 == 1, part) for i, part in enumerate(re.split(r'("[^"\n]*")', text))))


def span(match):
    """A span of code; quotes and scopes in it mean something to doxygen, so such a one is spelled out."""
    code = match["code"]
    if match.string[match.start() - 1:match.start()] == '"' == match.string[match.end():match.end() + 1]:
        return match[0]  # in quotes a tag would be shown as it is
    if not re.search(r"['\"%&<]|(?<!\w)::|/\w+::", code) or "\n" in code:
        return match[0]
    code = code.replace("\\|", "|").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    code = re.sub(r"[\\@#%*_`\[\]|~!]|::|--", lambda m: "\\" + m[0], code.strip())
    return f"<code>{code}</code>"


def document(path, text, pages):
    own = pages[path]
    below = set(own["below"])
    named = {number: (level, title, name) for number, level, title, name in headings(text)}

    def link(match):
        target, _, fragment = match["target"].partition("#")
        if match["image"]:
            return f"![{match['text']}]({os.path.basename(target)})"
        if re.match(r"[a-z]+:", match["target"]):
            return match[0]
        file = resolved(target, path) if target else path
        page = pages.get(file) or pages.get(os.path.join(file or "", "README.md"))
        if page is None:
            # A file without a page is named; one that is not there is for doxygen to complain about.
            return match["text"] if file and (TREE / file).exists() else f"@ref missing:{target}"
        if file in below and not fragment:
            below.remove(file)
            words, breaks = match["text"].replace("`", ""), match["text"].count("\n")
            return '@subpage {} "{}"'.format(page["id"], words.replace("\n", " ")) + "\n" * breaks
        goal = page["anchors"].get(fragment, "missing_" + fragment) if fragment else page["id"]
        return f"[{match['text']}](@ref {goal})"

    def inline(part):
        """Spans of code stay as they are; what stands between them is text with links."""
        # A link may have code in its text, so links are taken first.
        pieces, at = [], 0
        tokens = sorted([(m.start(), m.end(), "link", m) for m in LINK.finditer(part)]
                        + [(m.start(), m.end(), "code", m) for m in CODE.finditer(part)], key=lambda t: (t[0], -t[1]))
        for start, end, kind, match in tokens:
            if start < at:
                continue
            pieces += [escaped(part[at:start]), link(match) if kind == "link" else span(match)]
            at = end
        return "".join(pieces + [escaped(part[at:])])

    out, block, fenced = [], [], False

    def flush():
        if block:
            out.extend(inline("\n".join(block)).split("\n"))
            block.clear()

    for number, line in enumerate(text.splitlines()):
        fence = FENCE.match(line)
        if fence:
            flush()
            # Languages that doxygen does not know would be taken for file names.
            out.append(line if fenced or re.match(r"^\s*```(\s*$|c|cpp|xml|py)", line) else re.sub(r"```.*", "```", line))
            fenced = not fenced
        elif fenced or (re.match(r"^(?: {4}|\t)", line) and (not block or not block[-1].strip())):
            flush()
            out.append(line)
        elif number in named:
            flush()
            level, title, name = named[number]
            first = number == min(named)
            goal = own["id"] if first else own["anchors"][name]
            title = re.sub(r"`", "", LINK.sub(lambda m: m["text"], title))
            out.append(f"{'#' * level} {escaped(title)} {{#{'mainpage' if goal == 'index' else goal}}}")
        elif not line.strip() or line.lstrip().startswith(("|", "- ", "* ")) or re.match(r"\s*\d+\.\s", line):
            flush()
            block.append(line)
        else:
            block.append(line)
    flush()
    return "\n".join(out) + "\n"


# Headers

def comment_of(lines, d):
    """The comment of a declaration, as one line."""
    above = []
    number = d.first - 2
    while number >= 0 and (re.match(r"\s*///(?!<)", lines[number]) or "// NOLINT" in lines[number]):
        if "// NOLINT" not in lines[number]:
            above.insert(0, re.sub(r"^\s*///\s?", "", lines[number]))
        number -= 1
    behind = []
    number = d.first - 1
    while number < len(lines) and (number < d.last or re.match(r"\s*///<", lines[number])):
        found = re.search(r"///<\s?(.*)", lines[number])
        if found:
            behind.append(found[1])
        number += 1
    return re.sub(r"\s+", " ", " ".join(above + behind)).strip().replace("*/", "* /")


def shared_comments(text):
    """The line (from 0) of each overload without a comment, and the one it shares."""
    import public_docs
    lines, found, before, comment = text.splitlines(), {}, None, ""
    for d in public_docs.declarations(text):
        if public_docs.exempt(d):
            continue
        own = comment_of(lines, d)
        follows = before is not None and before.name == d.name and before.kind == d.kind == "function" \
            and all(lines[n - 1].strip() for n in range(before.last, d.first))
        if own:
            before, comment = d, own
        elif follows:
            found[d.first - 1] = comment
            before = d
        else:
            before = None
    return found


def shared_by_constants(text):
    """Line and comment of each constant or alias that shares the comment of the one before it."""
    found, kind, comment = {}, None, ""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        begin = re.match(r"\s*(static constexpr|inline const|inline constexpr|using)\b[^()]*(?:\([^()]*\))?;\s*(///<)?", line)
        if not begin:
            kind = None
        elif begin[2]:
            kind = None
        elif number and re.match(r"\s*///(?!<)", lines[number - 1]):
            above = number
            while above and re.match(r"\s*///(?!<)", lines[above - 1]):
                above -= 1
            kind, comment = begin[1], " ".join(re.sub(r"^\s*///\s?", "", l) for l in lines[above:number])
        elif kind == begin[1]:
            found[number] = comment
        else:
            kind = None
    return found


# Several names with one comment behind them, and enumerations on one line: doxygen gives the comment to one name, or to none.
BEHIND = re.compile(r"^(?P<indent>\s*)(?P<code>(?:enum\b[^;]*\}|(?!enum\b)[\w:]+(?:<[^;<>]*>)?[ *]+\w+[^;,()<>]*,[^;()<>]*);)\s*///<\s?(?P<comment>.*)$")


def one_by_one(indent, comment, code):
    """A declaration behind its comment; of several names each gets a declaration of its own."""
    first = f"{indent}/** {comment} */ "
    if not code.startswith("enum"):
        kind = re.match(r"[\w:]+(?:<[^;<>]*>)?[ *]+", code)[0]
        code = first.join(f"{kind}{name.strip()};" for name in code[len(kind):-1].split(","))
    return first + code


def moved_comments(lines):
    """The same lines, with comments behind such declarations in front of them."""
    out, at = [], 0
    while at < len(lines):
        found = BEHIND.match(lines[at])
        if not found:
            several, more = None, at
            if at and re.match(r"\s*///(?!<)", lines[at - 1]):
                while lines[more].endswith(",") and more + 1 < len(lines):
                    more += 1
                several = BEHIND.match(lines[at] + "".join(" " + l.strip() for l in lines[at + 1:more + 1]) + "  ///< ")
            if several and not several["code"].startswith("enum"):
                above = at
                while above and re.match(r"\s*///(?!<)", lines[above - 1]):
                    above -= 1
                comment = " ".join(re.sub(r"^\s*///\s?", "", l) for l in lines[above:at])
                out += [one_by_one(several["indent"], comment, several["code"])] + [""] * (more - at)
                at = more + 1
                continue
            # An enumeration and a member of it in one declaration are two.
            out.append(re.sub(r"^(\s*enum (\w+)[^;{]*\{[^;}]*\}) (\w+ =[^;]*;)\s*///<\s?(.*)", r"\1; /** \4 */ \2 \3", lines[at]))
            at += 1
            continue
        comment, more = [found["comment"]], at + 1
        while more < len(lines) and re.match(r"\s*///<", lines[more]):
            comment.append(re.sub(r"^\s*///<\s?", "", lines[more]))
            more += 1
        out += [one_by_one(found["indent"], " ".join(comment), found["code"])] + [""] * (more - at - 1)
        at = more
    return out


def header(text, pages):
    by_name = {}
    for path, page in pages.items():
        if path.startswith("docs/"):
            by_name.setdefault(os.path.basename(path), []).append((path, page))

    def cited(match):
        candidates = [page for path, page in by_name.get(os.path.basename(match["path"]), []) if path.endswith("/" + match["path"]) or path == match["path"]]
        if len(candidates) != 1:
            return match[0]
        page, section = candidates[0], match["section"]
        goal = page["sections"].get(section, page["id"]) if section else page["id"]
        return f'@ref {goal} "{match[0]}"'

    citation = re.compile(r"(?<![\w/.-])(?P<path>(?:[\w-]+/)*[\w-]+\.md)(?:(?: sections?)? (?P<section>\d+(?:\.\d+)*)(?![\w.]*\d))?")
    shared = {**shared_by_constants(text), **shared_comments(text)}
    out = []
    for number, line in enumerate(moved_comments(text.splitlines())):
        if number in shared:
            indent = len(line) - len(line.lstrip())
            line = f"{line[:indent]}/** {shared[number]} */ {line[indent:]}"
        line = re.sub(r"^(\s*)protected:", r"\1private:", line)
        begin = re.search(r"///|/\*\*", line)
        if begin:
            line = line[:begin.start()] + citation.sub(cited, line[begin.start():])
        out.append(line)
    return "\n".join(out) + "\n"


def filtered(path, text, pages):
    if path.endswith(".md"):
        return document(path, text, pages)
    return header(text, pages) if path.endswith(".h") else text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1]).resolve()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(filtered(path.relative_to(TREE).as_posix(), path.read_text(encoding="utf-8"), loaded()))


if __name__ == "__main__":
    main()
