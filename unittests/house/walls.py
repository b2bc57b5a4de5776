#!/usr/bin/env python3
"""Shows that the walls between layers hold for the compiler: headers that a target does not need are not there for it.

    walls.py TREE BUILD     BUILD is a folder that CMake has configured (compile_commands.json); exit code 1 on a finding

Sources of a layer that are compiled with the same include folders are taken together. What they include, and what that
includes, is followed as the compiler follows it: these are the layers that they need. They also see what public headers of
these layers include, and, where they look inside a layer, what that layer may include. Then

1. no include folder holds headers of another layer, nor headers inside a layer that no source looks into;
2. for every other layer, a source that includes one of its headers does not compile, because the header is not found;
3. for every layer whose headers the sources include, such a source compiles: the flags are those of the build.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rooms  # noqa: E402

FOLDER_FLAGS = ("-iquote", "-isystem", "-idirafter", "-I")
MERGED = re.compile(r'^#include "(.+)"$', re.M)
NOT_FOUND = re.compile(r"error: .*(?:No such file|file not found)")


class Group:
    """Sources of one layer with the same include folders."""

    def __init__(self, layer, target, compiler, folders, directory):
        self.layer, self.target, self.compiler = layer, target, compiler
        self.folders, self.directory, self.sources = folders, directory, []
        self.needs, self.looks_into, self.includes = set(), set(), {}

    def __str__(self):
        return f"{self.layer}: {self.target}"


def folders_of(words, directory):
    found, i = [], 1
    while i < len(words):
        for flag in FOLDER_FLAGS:
            if words[i] == flag:
                i += 1
                found.append(words[i])
            elif words[i].startswith(flag):
                found.append(words[i][len(flag):])
            else:
                continue
            break
        i += 1
    return tuple(dict.fromkeys(os.path.normpath(directory / f) for f in found))


class Walls:
    def __init__(self, root, build):
        self.root, self.build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
        self.table = rooms.Table((self.root / rooms.TABLE).read_text(encoding="utf-8"))
        self.tree = rooms.Tree(self.root, self.table)
        self.names = {}  # file -> [(name, quoted)]
        self.behind = {}  # layer -> layers
        self.shown = {}  # include folder -> {layer: [a header, a header inside]}

    def groups(self):
        found = {}
        for command in json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8")):
            directory = pathlib.Path(command["directory"])
            words = command.get("arguments") or shlex.split(command["command"])
            output = words[words.index("-o") + 1] if "-o" in words else command.get("output", "")
            where = self.below(directory / output, self.build) or output
            # Tests compile sources of the layers too, and look inside them: only a layer's own targets count.
            paths = [path for path in self.compiled_by(directory / command["file"])
                     if path in self.tree.files and where.startswith(self.table.layer_of(path) + "/")]
            if not paths:
                continue
            while os.path.basename(words[0]) in ("cached_compiler.sh", "ccache", "sccache", "distcc", "env"):
                words = words[1:]
            folders = folders_of(words, directory)
            key = (self.table.layer_of(paths[0]), folders)
            target = output.split("CMakeFiles/")[-1].split(".dir/")[0]
            found.setdefault(key, Group(key[0], target, words[0], folders, directory)).sources += paths
        return list(found.values())

    def compiled_by(self, file):
        """The source of a command, or those that cmake/MergeSources.cmake has put into it."""
        if file.parent.name != "Unity":
            return [self.below(file)]
        return [self.below(pathlib.Path(m[1])) for m in MERGED.finditer(file.read_text(encoding="utf-8"))]

    def below(self, path, root=None):
        """A path below the tree, with links as they are spelt."""
        path, root = os.path.normpath(path), str(root or self.root)
        return os.path.relpath(path, root).replace(os.sep, "/") if path.startswith(root + os.sep) else ""

    def includes_of(self, file):
        if file not in self.names:
            text = rooms.without_comments((self.root / file).read_text(encoding="utf-8", errors="replace"))
            found = [rooms.NAME.match(m[1].strip()) for m in rooms.INCLUDE.finditer(text)]
            self.names[file] = [(m[1] or m[2], bool(m[1])) for m in found if m]
        return self.names[file]

    def follow(self, group):
        """Fills what a group needs."""
        seen, todo = set(), list(group.sources)
        while todo:
            file = todo.pop()
            if file in seen:
                continue
            seen.add(file)
            for name, quoted in self.includes_of(file):
                for folder in ([str((self.root / file).parent)] if quoted else []) + list(group.folders):
                    other = self.below(pathlib.Path(folder) / name)
                    if not other or not (self.root / other).is_file():
                        continue
                    layer = self.table.layer_of(other)
                    if layer in self.table.layers and layer != group.layer:
                        group.needs.add(layer)
                        if self.tree.has_face(other):
                            group.looks_into.add(layer)
                        elif file in group.sources or self.table.layer_of(file) == group.layer:
                            group.includes.setdefault(layer, name)
                    todo.append(other)
                    break
        todo = list(group.needs)
        while todo:
            layer = todo.pop()
            new = (self.table.layers[layer] if layer in group.looks_into else self.face_needs(layer)) - group.needs - {group.layer}
            group.needs |= new
            todo += new

    def face_needs(self, layer):
        """Other layers whose headers stand in the public headers of a layer."""
        if layer not in self.behind:
            found = self.behind[layer] = set()
            for file in self.tree.files:
                if self.table.layer_of(file) == layer and file.endswith(".h") and not self.tree.has_face(file):
                    for name, quoted in self.includes_of(file):
                        roots = ([os.path.dirname(file)] if quoted else []) + [layer, *self.faces_of(layer)]
                        if not any((self.root / root / name).is_file() for root in roots):
                            found.update(other for other in self.table.layers for root in self.faces_of(other)
                                         if (self.root / root / name).is_file())
        return self.behind[layer]

    @staticmethod
    def faces_of(layer):
        return [f"{layer}/include", *rooms.MORE_ROOTS.get(layer, []), *([layer] if layer == "config/messages" else [])]

    def shows(self, folder):
        """Layers whose headers are found through an include folder: {layer: [one, one inside]}."""
        if folder not in self.shown:
            found = self.shown[folder] = {}
            if self.below(folder) and not (folder + os.sep).startswith(str(self.build) + os.sep) or folder == str(self.root):
                for where, folders, names in os.walk(folder, followlinks=True):
                    folders[:] = [f for f in folders if f not in ("build", ".git") and where.count("/") - folder.count("/") < 12]
                    for name in sorted(names):
                        path = self.below(os.path.join(where, name))
                        layer = self.table.layer_of(path)
                        if name.endswith((".h", ".hpp", ".ipp", ".inc")) and layer in self.table.layers:
                            found.setdefault(layer, ["", ""])[self.tree.has_face(path)] = path
        return self.shown[folder]

    def visible(self, group):
        findings = []
        for folder in group.folders:
            for layer, (face, deep) in sorted(self.shows(folder).items()):
                short = os.path.relpath(folder, self.root)
                if layer.startswith(group.layer + "/"):
                    continue  # a layer's own folder, which holds the other one's
                if layer != group.layer and layer not in group.needs:
                    findings.append(f"{group}: the include folder {short} shows {layer}, which its sources do not need: {face or deep}")
                elif layer != group.layer and deep and layer not in group.looks_into:
                    findings.append(f"{group}: the include folder {short} shows what is inside {layer}, which its sources do not "
                                    f"include: {deep}")
        return findings

    def linked(self):
        """Headers that another layer, too, has in its include folder, by a link: they are no sign of their own layer."""
        return {target.relative_to(self.root).as_posix() for layer in self.table.layers for path in (self.root / layer).rglob("*.h")
                if path.is_symlink() and (target := path.resolve()).is_relative_to(self.root / "")
                and self.table.layer_of(target.relative_to(self.root).as_posix()) != layer}

    def sample(self, layer):
        """How a source outside a layer spells one of its headers."""
        for path in sorted(self.tree.files.keys() - self.linked()):
            if self.table.layer_of(path) == layer and path.endswith(".h") and not self.tree.has_face(path):
                for root in [f"{layer}/include", *rooms.MORE_ROOTS.get(layer, [])]:
                    if path.startswith(root + "/"):
                        return path[len(root) + 1:]
                # Where an include folder has links to the rooms, or the rooms are include folders themselves.
                return path if (self.root / layer / "include" / path).is_file() else path.rsplit("/", 1)[1]
        return ""

    def spelt(self, layer):
        """Further ways to spell it, which a include folder that shows too much would allow."""
        inside = next((p for p in sorted(self.tree.files) if self.table.layer_of(p) == layer and p.endswith(".h") and self.tree.has_face(p)), "")
        return [name for name in (self.sample(layer), inside) if name]


def compile_probe(group, header, work, number, only_preprocess):
    source = pathlib.Path(work) / f"probe{number}.cpp"
    source.write_text(f'#include "{header}"\n', encoding="utf-8")
    flags = [word for folder in group.folders for word in ("-I", folder)]
    command = [group.compiler, "-std=c++20", *flags, *(["-E", "-o", os.devnull] if only_preprocess else ["-fsyntax-only"]),
               str(source)]
    return subprocess.run(command, cwd=work, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)


def check(root, build):
    walls = Walls(root, build)
    groups, findings, probes = walls.groups(), [], []
    for layer in walls.table.layers:
        if not any(g.layer == layer for g in groups) and any(
                walls.table.layer_of(p) == layer and p.endswith(".cpp") for p in walls.tree.files):
            findings.append(f"{build}: nothing of {layer} is compiled, so its walls are not known")
    for group in groups:
        walls.follow(group)
        findings += walls.visible(group)
        for layer in walls.table.layers:
            if layer != group.layer and layer not in group.needs:
                probes += [(group, layer, header, False) for header in walls.spelt(layer)]
            elif layer in group.includes:
                probes.append((group, layer, group.includes[layer], True))
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda p: compile_probe(p[1][0], p[1][2], work, p[0], p[1][3]), enumerate(probes))
        for (group, layer, header, door), result in zip(probes, results):
            where, first = f'{group}: #include "{header}" of {layer}', "\n".join(result.stderr.splitlines()[:3])
            if door and result.returncode != 0:
                findings.append(f"{where} is needed, and does not compile: {first}")
            elif not door and result.returncode == 0:
                findings.append(f"{where} compiles")
            elif not door and not any(NOT_FOUND.search(line) and header in line for line in result.stderr.splitlines()):
                findings.append(f"{where} fails for another reason: {first}")
    closed = sum(not door for *_, door in probes)
    return findings, f"{len(groups)} sets of include folders, {closed} includes refused, {len(probes) - closed} found"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    findings, summary = check(options.tree, options.build)
    print("\n".join(findings))
    print(f"{summary}, {len(findings)} findings.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
