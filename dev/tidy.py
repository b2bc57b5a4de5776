#!/usr/bin/env python3
"""Runs the checks of .clang-tidy over the sources of the libraries, tools and examples; findings are errors.

    dev/tidy.py [--compiler C] [build folder, default build/release] [file...]

The build folder is one that CMake has configured (compile_commands.json). Exit code 1 when there is a finding.
--compiler C: instead of clang-tidy, the clang C reads them, with the warnings of the project as errors.

Most of the time goes into the headers that every source includes. So the sources of a folder are checked together, as one
that includes up to a dozen of them. Those that do not compile beside the others (two of them have a helper of one name) form
the next group. A compiler's warnings about a group count where a source has them by itself.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ["eta", "rest", "logging", "config", "reactor", "ema", "hub", "book", "capi", "PerfTools", "tools", "bench/bookbench", "dev"]
MOST = 12  # sources in a group
FINDING = re.compile(r"^(\S+?):\d+:\d+: (?:error|warning): .*")


def tool(*names):
    for name in names:
        if path := shutil.which(name):
            return path
    sys.exit(f"Error: {names[-1]} is missing; dev/install_packages.sh checks installs it.")


def flags_of(command, path):
    """The compiler and its flags without input and output, and the folder they are meant for."""
    words = shlex.split(command["command"])
    while words[0].endswith(("ccache", "cached_compiler.sh")):
        del words[0]
    flags, i = [], 0
    while i < len(words):
        if words[i] == "-o":
            i += 2
        elif words[i] == "-include" and "cmake_pch" in words[i + 1]:  # it may not have been built; GCC, then clang
            i += 2
        elif words[i] == "-Xclang" and words[i + 1] in ("-include", "-include-pch"):
            i += 4
        else:
            if words[i] not in ("-c", "-Winvalid-pch", "-fpch-instantiate-templates", str(path), command["file"]):
                flags.append(words[i])
            i += 1
    return command["directory"], tuple(flags)


def groups_of(build, files):
    """Sources of one folder that are compiled alike, and the findings about those that nothing compiles."""
    commands = {(pathlib.Path(c["directory"]) / c["file"]).resolve(): c
                for c in json.loads((build / "compile_commands.json").read_text())}
    alike, findings = {}, set()
    for path in files:
        if path in commands:
            alike.setdefault((path.parent, *flags_of(commands[path], path)), []).append(path)
        else:
            findings.add(f"{path}:1:1: error: no target of {build} compiles it")
    groups = []
    for (_, directory, flags), paths in alike.items():
        parts = -(-len(paths) // MOST)
        groups += [(directory, flags, paths[part::parts]) for part in range(parts)]
    return groups, findings


def unsanitized(flags):
    """Without what needs the headers of sanitizers, which another clang than the build's need not have."""
    return [f for f in flags[1:] if not f.startswith(("-fsanitize", "-DEMISSARY_GUARDED_BLOCKS"))]


def compile_all(compiler, flags, directory, unit, paths):
    """What the compiler warns of in these sources, read as one."""
    unit.write_text("".join(f'#include "{p}"\n' for p in paths))
    read = unsanitized(flags)
    ran = subprocess.run([compiler, *read, "-Werror", "-fsyntax-only", str(unit)], cwd=directory, capture_output=True, text=True)
    said = {line for line in ran.stderr.splitlines() if FINDING.match(line)}
    if ran.returncode != 0 and not said:
        return {f"{unit}:1:1: error: {compiler} failed: {ran.stderr.strip()[-300:]}"}
    # A warning whose place is a header of the system is not about this tree: libstdc++'s own use of what it calls deprecated.
    return {line for line in said if "[-W" not in line or line.startswith(str(ROOT))}


def check(group, tidy, compiler, work):
    """The findings in a group, and how often clang-tidy ran for them. Without clang-tidy those of the compiler."""
    directory, flags, paths = group
    findings, runs = set(), 0
    while paths:
        folder = pathlib.Path(tempfile.mkdtemp(dir=work))
        unit = folder / "unit.cpp"
        rest = []
        while True:  # until what is left compiles together
            unit.write_text("".join(f'#include "{p}"\n' for p in paths))
            if len(paths) == 1:
                break
            tried = subprocess.run([compiler, *unsanitized(flags), "-w", "-ferror-limit=0", "-fsyntax-only", str(unit)], cwd=directory,
                                   capture_output=True, text=True)
            if tried.returncode == 0:
                break
            wrong = {m.group(1) for m in map(FINDING.match, tried.stderr.splitlines()) if m and ": error: " in m.group(0)}
            moved = [p for p in paths if str(p) in wrong] or paths[1:]
            if len(moved) == len(paths):
                moved = paths[1:]
            rest += moved
            paths = [p for p in paths if p not in moved]
        if tidy is None:
            found, runs = compile_all(compiler, flags, directory, unit, paths), runs + 1
            if found and len(paths) > 1:  # beside the others: macros and names of one source may be another one's, too
                found, runs = set(), runs + len(paths)
                for path in paths:
                    found |= compile_all(compiler, flags, directory, unit, [path])
            findings |= found
            paths = rest
            continue
        command = shlex.join([*flags, "-c", str(unit)])
        (folder / "compile_commands.json").write_text(
            json.dumps([{"directory": directory, "file": str(unit), "command": command}]))
        ran = subprocess.run([tidy, "-p", str(folder), "--quiet", str(unit)], cwd=ROOT, capture_output=True, text=True)
        runs += 1
        findings |= {line for line in ran.stdout.splitlines() if FINDING.match(line)}
        if ran.returncode != 0 and not findings:
            findings.add(f"{unit}:1:1: error: clang-tidy failed: {ran.stderr.strip()[-300:]}")
        paths = rest
    return findings, runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", metavar="C", help="a clang that reads the sources, e.g. clang++-19")
    parser.add_argument("build", nargs="?", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "compile_commands.json").exists():
        sys.exit(f"Error: {build}/compile_commands.json is missing; run cmake -S . -B {build} first.")
    if options.compiler:
        tidy, compiler = None, tool(options.compiler)
    else:
        tidy, compiler = tool("clang-tidy-14", "clang-tidy"), tool("clang++-14", "clang++")
    names = options.files or subprocess.run(["git", "-C", str(ROOT), "ls-files", *(f"{s}/*.cpp" for s in SOURCES)], check=True,
                                           capture_output=True, text=True).stdout.split()
    files = [(pathlib.Path.cwd() if options.files else ROOT) / n for n in names]
    files = [f.resolve() for f in files]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        groups, findings = groups_of(build, files)
        print(*sorted(findings), sep="\n", end="\n" if findings else "", flush=True)
        runs = 0
        for found, ran in pool.map(lambda g: check(g, tidy, compiler, work), sorted(groups, key=lambda g: -len(g[2]))):
            for line in sorted(found - findings):
                print(line, flush=True)
            findings |= found
            runs += ran
    print(f"{options.compiler or 'tidy'}: {len(findings) or 'no'} findings in {len(files)} files ({runs} groups)")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
