#!/usr/bin/env python3
"""citations.py TREE: checks that the documents and sections cited by the sources and documents of TREE exist.

A citation is a document's name, alone or with sections behind it: session.md 4.1; rwf.md, sections 6.4 and 7;
docs/wire/ripc.md; docs/architecture.md, "Threads". A name with a folder is taken from the root of the tree or, in
documents, from the folder of the document that cites; a bare name must be the only one in the tree. In docs/spec, "§3.2"
and "section 3.2" without a name before them are sections of the document itself. Links of documents must lead somewhere.
Prints FILE:LINE of every broken citation; exit status 1 if there are any.
"""
import os
import pathlib
import re
import sys

SUFFIXES = {".cpp", ".h", ".hpp", ".inc", ".md", ".cmake", ".py", ".sh", ".java", ".in", ".js", ".html", ".xml", ".yml"}
DATA = {"MsgData.xml", "350k.xml"}  # large, and nothing in them cites
# Between the words of a citation there may be an end of line and the marks that begin the next line of a comment.
GAP = r"(?:[ \t]*\n[ \t]*(?:///?<?|#|\*)?[ \t]*|[ \t]+)"
NUMBER = r"\d{1,2}(?:\.\d{1,2})*"
LIST = rf"{NUMBER}(?:(?:{GAP}?[,;]{GAP}(?:and{GAP})?|{GAP}(?:and|to|or|-){GAP}|[-–])(?:sections?{GAP}|§)?{NUMBER}(?![\w%]|\.\w))*"
CITATION = re.compile(
    rf"(?<![\w/.*-])(?P<path>(?:\.{{1,2}}/)*(?:[\w-]+/)*[\w-]+\.md)\b(?P<link>\))?"
    rf"(?:`?,?{GAP}(?:sections?{GAP}|§)?(?P<sections>{LIST})(?![\w%]|\.\w)"
    rf"|`?,?{GAP}\"(?P<title>[^\"\n]+)\")?"
)
UNREAD = re.compile(rf"`?,?{GAP}(?:sections?{GAP}|§)?\d[\w.]*")
OWN = re.compile(rf"(?:§|\bsections?{GAP})(?P<sections>{LIST})")
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")


def files_of(tree):
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ("build", "target", "corpus", "__pycache__"))
        if "CMakeCache.txt" in names:
            folders[:] = []
            continue
        for name in sorted(names):
            if pathlib.Path(name).suffix in SUFFIXES or name == "CMakeLists.txt":
                if name not in DATA:
                    yield pathlib.Path(folder, name)


class Document:
    """The headings of one document: their numbers and their titles."""

    def __init__(self, path):
        self.numbers, self.titles = set(), set()
        fenced, section = False, ""
        for line in path.read_text(encoding="utf-8").splitlines():
            fenced ^= line.startswith("```")
            heading = None if fenced else re.match(r"#+\s+(.*?)\s*#*$", line)
            if heading:
                self.titles.add(re.sub(rf"^{NUMBER}\.?\s+", "", heading[1]).lower())
                number = re.match(rf"({NUMBER})\.?\s", heading[1])
                if number:
                    self.numbers.add(number[1])
                    section = number[1]
            elif not fenced:
                # A row that a table numbers within its section can be cited as well.
                row = re.match(rf"\|\s*({NUMBER})\s*\|", line)
                if row and section and row[1].startswith(section + "."):
                    self.numbers.add(row[1])

    def titled(self, title):
        """Whether there is such a heading; what it says in brackets behind the title need not be cited."""
        return any(t == title.lower() or t.startswith(title.lower() + " (") for t in self.titles)


class Check:
    def __init__(self, tree):
        self.tree = tree.resolve()
        self.files = list(files_of(self.tree))
        self.documents = {p: Document(p) for p in self.files if p.suffix == ".md"}
        self.broken = []

    def found(self, path, where):
        """The documents that a cited path can mean."""
        hits = {self.tree / path}
        if where.suffix == ".md":
            hits.add(pathlib.Path(os.path.normpath(where.parent / path)))
        if "/" not in path:
            hits.update(p for p in self.documents if p.name == path and p.name != "README.md")
        return sorted(p for p in hits if p in self.documents)

    def sections(self, report, document, cited, name):
        # "4 to 12" names its two ends; those between them are headings if the ends are.
        for number in re.findall(NUMBER, cited):
            if number not in document.numbers:
                report(f"{name} has no section {number}")

    def file(self, where):
        text = where.read_text(encoding="utf-8", errors="replace")
        # In a document, code blocks are somebody's text, not citations.
        if where.suffix == ".md":
            text = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)

        def reporter(match):
            line = text.count("\n", 0, match.start()) + 1
            return lambda what: self.broken.append(f"{where.relative_to(self.tree)}:{line}: {what}")

        named = []
        for match in CITATION.finditer(text):
            report, path = reporter(match), match["path"]
            named.append(match.span())
            linked = text[: match.start()].endswith("](")
            hits = [p for p in [pathlib.Path(os.path.normpath(where.parent / path))] if p in self.documents] if linked else self.found(path, where)
            if not hits:
                report(f"{path} is not in the tree")
            elif not match["sections"] and (unread := UNREAD.match(text, match.end())):
                report(f"the section behind {path} cannot be read: {unread[0].strip()}")
            elif len(hits) > 1:
                report(f"{path} is ambiguous: " + ", ".join(str(p.relative_to(self.tree)) for p in hits))
            else:
                document = self.documents[hits[0]]
                if match["sections"]:
                    self.sections(report, document, match["sections"], path)
                if match["title"] and not document.titled(match["title"]):
                    report(f'{path} has no heading "{match["title"]}"')
        if where.suffix == ".md":
            for match in LINK.finditer(text):
                line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
                target = match["target"].split("#")[0]
                if line.count("`") % 2 == 0 and target and "://" not in target and not (where.parent / target).exists():
                    reporter(match)(f"the link to {target} leads nowhere")
        if where.parent.name == "spec" and where.name != "README.md":
            for match in OWN.finditer(text):
                if not any(begin <= match.start() < end for begin, end in named):
                    self.sections(reporter(match), self.documents[where], match["sections"], where.name)

    def run(self):
        for path in self.files:
            if path != pathlib.Path(__file__).resolve() and path.name != "citations_test.py":
                self.file(path)
        return sorted(set(self.broken))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check = Check(pathlib.Path(sys.argv[1]))
    broken = check.run()
    print("\n".join(broken))
    print(f"{len(check.files)} files, {len(check.documents)} documents, {len(broken)} broken citations")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
