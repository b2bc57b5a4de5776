#!/usr/bin/env python3
"""Compares what the sources include with the table of docs/rooms.md.

    rooms.py TREE           checks; exit code 1 when something differs
    rooms.py TREE --list    prints what each room includes now, as rows of the table

A finding is: an include that the table does not allow; a room without a row, or a row without a room; a room that the table
allows and nobody includes; a circle of rooms or layers; a header inside another layer that the row does not mark `(inside)`;
an include that cannot be found out.
"""
import argparse
import functools
import os
import pathlib
import re
import sys

TABLE = "docs/rooms.md"
SUFFIXES = (".h", ".hpp", ".inc", ".ipp", ".c", ".cc", ".cpp", ".h.in", ".cpp.in")
# Include folders of a layer that its CMakeLists.txt adds to LAYER/include.
MORE_ROOTS = {"ema": ["ema/include/Access/Include", "ema/include/Rdm/Include"]}
INCLUDE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.MULTILINE)
NAME = re.compile(r'"([^"\n]+)"|<([^>\n]+)>')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """Comments become spaces, and lines that go on one line; other lines keep their numbers."""
    lines, joined = [], 0
    for line in text.split("\n"):
        goes_on = line.endswith("\\")
        part = line[:-1] if goes_on else line
        if joined:
            lines[-1] += part
        else:
            lines.append(part)
        joined = joined + 1 if goes_on else joined
        if not goes_on:
            lines += [""] * joined
            joined = 0
    return COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else re.sub(r"[^\n]", " ", m[0]), "\n".join(lines))


class Table:
    """Rows of docs/rooms.md."""

    def __init__(self, text):
        self.layers, self.rooms, self.inside, self.findings = {}, {}, {}, []
        heading, columns = "", None
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("#"):
                heading, columns = line.lstrip("# ").strip(), None
                continue
            if not line.startswith("|"):
                columns = None
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if columns is None:
                columns = cells
            elif not set("".join(cells)) <= set("-: "):
                self.row(columns, cells, f"{TABLE}:{number}")

    def row(self, columns, cells, where):
        if len(cells) != len(columns) or "may include" not in columns or columns[0] not in ("layer", "room"):
            self.findings.append(f"{where}: a row has the columns `layer` or `room`, ..., `may include`")
            return
        names = re.findall(r"`([^`]+)`", cells[0])
        cell = cells[columns.index("may include")]
        allowed = re.findall(r"`([^`]+)`( \(inside\))?", cell)
        if len(names) != 1 or re.sub(r"`[^`]+`( \(inside\))?|[\s,–-]", "", cell):
            self.findings.append(f"{where}: cells are names in backticks, with commas between")
            return
        into = self.layers if columns[0] == "layer" else self.rooms
        if names[0] in into:
            self.findings.append(f"{where}: a second row for {names[0]}")
        into[names[0]] = {name for name, _ in allowed}
        if columns[0] == "room":
            self.inside[names[0]] = {name for name, inside in allowed if inside}

    def layer_of(self, path):
        """The layer of a file or of a room: a room with a library of its own is a layer inside another one's folder."""
        own = [layer for layer in self.layers if path == layer or path.startswith(layer + "/")]
        return max(own, key=len, default=path.split("/")[0])


class Tree:
    """Sources of the layers, and what they include."""

    def __init__(self, root, table):
        self.root, self.table = pathlib.Path(root), table
        self.files = {}  # path below root -> text
        for layer in table.layers:
            for folder, folders, names in os.walk(self.root / layer):
                folders[:] = sorted(f for f in folders if not (pathlib.Path(folder) / f).is_symlink())
                for name in sorted(names):
                    path = pathlib.Path(folder) / name
                    if name.endswith(SUFFIXES) and not path.is_symlink():
                        self.files[path.relative_to(self.root).as_posix()] = path
        self.faces = {layer for layer in table.layers for path in self.files if path.startswith(layer + "/include/")}
        self.names = {}  # last part -> paths
        for path in self.files:
            self.names.setdefault(path.rsplit("/", 1)[1], []).append(path)

    @functools.lru_cache(maxsize=None)
    def real(self, path):
        """A path of the tree without links and dots, or nothing."""
        full = self.root / path
        if not full.is_file():
            return ""
        try:
            return full.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return ""

    @functools.lru_cache(maxsize=None)
    def room_of(self, path):
        """The row that a file belongs to, or the name that the row would have."""
        layer = self.table.layer_of(path)
        parts = [layer, *path[len(layer) + 1:].split("/")[:-1]]
        rooms = self.table.rooms
        if len(parts) >= 4 and parts[1] == "include" and parts[2] == layer and f"{layer}/{parts[3]}" in rooms:
            parts = [layer, *parts[3:]]  # eta/include/eta/codec: the public face of eta/codec
        elif len(parts) > 1 and parts[1] == "include":
            return f"{layer}/include"
        if not any(room.startswith(layer + "/") for room in rooms):
            return layer  # a layer of one room
        room = "/".join(parts[:2])
        for part in parts[2:]:
            if not any(other.startswith(room + "/") for other in rooms):
                break  # folders below a room are its own, unless one of them has a row
            room += "/" + part
        return room

    def resolve(self, path, name, quoted):
        """Paths that the name may mean, the likeliest first, each with whether it is inside another layer."""
        layer_of, layer = self.table.layer_of, self.table.layer_of(path)

        def public(other):
            return [f"{other}/include", *MORE_ROOTS.get(other, [])]

        roots = ([os.path.dirname(path)] if quoted else []) + [layer] + public(layer)
        roots += [root for other in self.table.layers if other != layer for root in public(other)]
        for root in roots:
            spelt = os.path.normpath(f"{root}/{name}")
            if real := self.real(spelt):
                if layer_of(real) == layer or any(spelt.startswith(r + "/") for o in self.table.layers for r in public(o)):
                    return [(real, False)]
                return [(real, self.has_face(real))]
        others = [f"{other}/{name}" for other in self.table.layers]
        found = [real for real in map(self.real, [name, *others]) if real]
        if not found and quoted:
            ends = "/" + os.path.normpath(name)
            found = [p for p in self.names.get(name.rsplit("/", 1)[-1], []) if ("/" + p).endswith(ends)]
        found.sort(key=lambda p: layer_of(p) != layer)
        if found and layer_of(found[0]) == layer:
            found = [p for p in found if layer_of(p) == layer]
        return [(p, layer_of(p) != layer and self.has_face(p)) for p in found]

    def has_face(self, path):
        """The layer has public headers, and this is none of them."""
        layer = self.table.layer_of(path)
        return layer in self.faces and not path.startswith(layer + "/include/")

    def includes(self):
        """(file, line, what stands there, paths that it may mean; nothing: another library's)."""
        for path, full in self.files.items():
            text = without_comments(full.read_text(encoding="utf-8", errors="replace"))
            for match in INCLUDE.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                name = NAME.match(match[1].strip())
                if not name:
                    yield path, line, match[1].strip(), None
                    continue
                yield path, line, name[1] or name[2], self.resolve(path, name[1] or name[2], bool(name[1]))


def circles(edges):
    """Groups of names that include each other."""
    reach = {}
    for start in edges:
        seen, todo = set(), [start]
        while todo:
            for other in edges.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        reach[start] = seen
    found = {frozenset({a, *(b for b in reach[a] if a in reach.get(b, ()))}) for a in edges if a in reach[a]}
    return sorted(sorted(group) for group in found)


def check(root):
    """What differs, and what each room includes."""
    root = pathlib.Path(root)
    table = Table((root / TABLE).read_text(encoding="utf-8"))
    layer_of = table.layer_of
    findings = list(table.findings)
    tree = Tree(root, table)
    used, inside = {}, {}
    rooms = {tree.room_of(path) for path in tree.files}
    for path, line, text, found in tree.includes():
        room = tree.room_of(path)
        if found is None:
            findings.append(f"{path}:{line}: an include whose name a macro makes: {text}")
            continue
        if not found:
            continue
        allowed = table.rooms.get(room, set()) | {room}
        found.sort(key=lambda f: tree.room_of(f[0]) not in allowed)
        target, deep = found[0]
        other = tree.room_of(target)
        if other == room:
            continue
        used.setdefault(room, set()).add(other)
        if deep:
            inside.setdefault(room, set()).add(other)
        if room in table.rooms and other not in allowed:
            findings.append(f"{path}:{line}: {room} may not include {other}: {text}")
        elif deep and other not in table.inside.get(room, ()):
            findings.append(f"{path}:{line}: {text} is inside {layer_of(other)}; its row does not say `{other}` (inside)")
    for room in sorted(rooms - set(table.rooms)):
        findings.append(f"{TABLE}: the room {room} has no row")
    for room in sorted(set(table.rooms) - rooms):
        findings.append(f"{TABLE}: the row {room} has no room: no source is there")
    for room, allowed in sorted(table.rooms.items()):
        for other in sorted(allowed - used.get(room, set())):
            findings.append(f"{TABLE}: {room} may include {other}, and nobody does")
        for other in sorted((table.inside[room] & used.get(room, set())) - inside.get(room, set())):
            findings.append(f"{TABLE}: {room} includes nothing inside {other}; the mark goes")
        if layer_of(room) not in table.layers:
            findings.append(f"{TABLE}: {layer_of(room)}, the layer of {room}, has no row")
    edges = {}
    for room in {*table.rooms, *used}:
        for other in table.rooms.get(room, set()) | used.get(room, set()):
            edges.setdefault(room, set()).add(other)
    for group in circles(edges):
        findings.append(f"{TABLE}: a circle of rooms: {', '.join(group)}")
    between = {layer: set() for layer in table.layers}
    for room, others in edges.items():
        between.setdefault(layer_of(room), set()).update(layer_of(o) for o in others if layer_of(o) != layer_of(room))
    for layer, others in sorted(between.items()):
        for other in sorted(others - table.layers.get(layer, set())):
            findings.append(f"{TABLE}: {layer} may not include {other}, and rows of its rooms do")
        for other in sorted(table.layers.get(layer, set()) - others):
            findings.append(f"{TABLE}: {layer} may include {other}, and nobody does")
    for group in circles(table.layers):
        findings.append(f"{TABLE}: a circle of layers: {', '.join(group)}")
    return findings, used, inside, len(tree.files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    findings, used, inside, files = check(options.tree)
    if options.list:
        for room, others in sorted(used.items()):
            cells = [f"`{o}`" + (" (inside)" if o in inside.get(room, ()) else "") for o in sorted(others)]
            print(f"| `{room}` | | {', '.join(cells)} |")
        return 0
    print("\n".join(findings))
    print(f"{files} files, {len(findings)} findings.")
    return 1 if findings or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
