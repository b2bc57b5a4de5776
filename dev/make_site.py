#!/usr/bin/env python3
"""make_site.py [FOLDER]: makes the documentation of the tree as a site in FOLDER (build/site) and checks it.

Needs doxygen. Pages are the documents of the tree and the classes of the public headers (docs/site). Fails when doxygen has a
warning (a public declaration without a comment, a reference that leads nowhere), or when a link of a page leads to no file or
to no place in it; both are told by name. A folder that is there already must be one that this program made.
"""
import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

TREE = pathlib.Path(__file__).resolve().parent.parent
SITE = TREE / "docs/site"
MARK = "made_by_make_site"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SITE))
import filter as site_filter  # noqa: E402
import public_docs  # noqa: E402  (from unittests/docs: the filter knows the way)

HEADERS = ["ema/include", "book/include"]  # as INPUT of the Doxyfile


class Page(html.parser.HTMLParser):
    """The links of a page, with their lines, and the places in it that links can lead to."""
    LINKS = {"a": "href", "link": "href", "area": "href", "img": "src", "script": "src", "iframe": "src", "object": "data"}

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places.update(given[name] for name in ("id", "name") if given.get(name))
        link = given.get(self.LINKS.get(tag))
        if link:
            self.links.append((self.getpos()[0], link))

    handle_startendtag = handle_starttag


def dead_links(folder):
    """PAGE:LINE and link of every link in the pages of a folder that leads nowhere within it, and how many links there are."""
    folder = pathlib.Path(folder).resolve()
    pages = {p: Page(p.read_text(encoding="utf-8", errors="replace")) for p in sorted(folder.rglob("*.html"))}
    dead, count = [], 0
    for page, read in pages.items():
        for line, link in read.links:
            if re.match(r"[a-z][a-z0-9+.-]*:", link, re.I) or link.startswith("//"):
                continue  # elsewhere, or a script
            count += 1
            path, _, place = link.partition("#")
            file = page if not path else pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(path.split("?")[0])))
            where = f"{page.relative_to(folder)}:{line}: {link}"
            if folder not in file.parents or not file.is_file():
                dead.append(f"{where} (no such file)")
            elif place and file in pages and urllib.parse.unquote(place) not in pages[file].places:
                dead.append(f"{where} (no such place in the page)")
    return dead, len(pages), count


def undocumented(headers):
    """What these headers declare without a comment. Doxygen says so of members; classes without one it only leaves out."""
    return [f"{header}:{d.first}: {d.kind} {d.name} has no comment"
            for header in headers for d in public_docs.undocumented(header.read_text(encoding="utf-8"))]


def version():
    found = re.search(r"project\(Emissary VERSION ([\d.]+)", (TREE / "CMakeLists.txt").read_text(encoding="utf-8"))
    return found[1] if found else ""


def prepared(folder):
    """An empty folder; nothing is deleted that another program may have made."""
    if folder.exists():
        if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).exists()):
            sys.exit(f"{folder} is there and was not made by make_site.py; name another folder, or delete it yourself")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).touch()


def quoted(path):
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def run_doxygen(folder):
    """What doxygen has to complain about, line by line."""
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        sys.exit("doxygen is missing: dev/install_packages.sh tests installs it (apt-get install doxygen)")
    pages = site_filter.index()
    known = folder / "index_of_pages.json"
    known.write_text(json.dumps(pages), encoding="utf-8")
    lines = ["@INCLUDE = " + quoted(SITE / "Doxyfile"), "OUTPUT_DIRECTORY = " + quoted(folder), "PROJECT_NUMBER = " + version(),
             "INPUT_FILTER = " + quoted(f'"{sys.executable}" -S -E "{SITE / "filter.py"}"')]
    lines += ["INPUT += " + quoted(path) for path in pages]
    done = subprocess.run([doxygen, "-"], input="\n".join(lines) + "\n", text=True, cwd=TREE, capture_output=True,
                          env={**os.environ, "EMISSARY_SITE_INDEX": str(known), "LC_ALL": "C.UTF-8"})
    known.unlink()
    complaints = [line.replace(str(TREE) + "/", "") for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if done.returncode != 0 and not complaints:
        complaints.append(f"doxygen ended with {done.returncode}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=TREE / "build/site")
    folder = parser.parse_args().folder.resolve()
    prepared(folder)
    headers = [h.relative_to(TREE) for part in HEADERS for h in sorted((TREE / part).rglob("*.h"))]
    os.chdir(TREE)
    complaints = run_doxygen(folder) + undocumented(headers)
    print("\n".join(complaints), end="\n" if complaints else "")
    dead, pages, links = dead_links(folder)
    print("\n".join(f"dead link: {link}" for link in dead), end="\n" if dead else "")
    print(f"{folder / 'index.html'}: {pages} pages, {links} links, {len(dead)} of them dead, {len(complaints)} warnings")
    if not pages or not links:
        print("no page was made")
        return 1
    return 1 if complaints or dead else 0


if __name__ == "__main__":
    sys.exit(main())
