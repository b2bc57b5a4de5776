#!/usr/bin/env python3
"""Which places of the libraries and of the hub may read a clock.

    clock.py TREE    checks; exit code 1 when something differs

unittests/house/clock_reads.txt lists them, with a reason each. A finding is: a read in a file that is not on the list; a
file on the list that reads none, or another number of times; a clock of the standard library named where the list does not
say "raw". Time comes in as a parameter, or from the time source that can be injected; the performance tools and the other
programs measure time, and are not looked at.
"""
import pathlib
import re
import sys

FOLDERS = ["eta", "rest", "reactor", "logging", "config", "ema", "book", "capi", "hub"]
LIST = "unittests/house/clock_reads.txt"
READ = re.compile(r"\b(?:\w*[Cc]lock::now\b|WallClock::seconds\b|\w*clock_?->now\(\)|\w*clock_?\.now\(\)|readClock\(\)(?!\s*(?:const\s*)?noexcept)"
                  r"|clock_gettime\s*\(|gettimeofday\s*\(|std::time\s*\(|(?<![\w.>:])time\s*\((?:nullptr|NULL|0|&\w+)\))")
RAW = re.compile(r"\b(?:steady|system|high_resolution)_clock\b")


def bare(text):
    """The text without comments and without the insides of literals; lines stay."""
    keep = lambda m: '""' if m[0].startswith('"') else "\n" * m[0].count("\n")
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', keep, text, flags=re.DOTALL)


def allowed(text):
    """path -> (number of reads, raw clocks may be named); and what is wrong with the list itself."""
    rows, findings = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        row = re.fullmatch(r"(\S+) (\d+)( raw)? - (\S.*\s.*)", line)
        if row is None:
            findings.append(f"{LIST}:{number}: not 'PATH READS [raw] - why': {line}")
        elif row[1] in rows:
            findings.append(f"{LIST}:{number}: {row[1]} is listed twice")
        else:
            rows[row[1]] = (int(row[2]), row[3] is not None)
    return rows, findings


def check(sources, rows):
    """Findings; `sources` has the text of each path."""
    findings = []
    for path, text in sources.items():
        text = bare(text)
        lines = [number for number, line in enumerate(text.splitlines(), 1) for _ in READ.finditer(line)]
        raw = [number for number, line in enumerate(text.splitlines(), 1) if RAW.search(line)]
        reads, mayNameRaw = rows.get(path, (0, False))
        if path not in rows and lines:
            findings += [f"{path}:{line}: reads a clock: take the time as a parameter, or give {LIST} a row with the reason"
                         for line in lines]
        elif len(lines) != reads:
            findings.append(f"{path}: reads a clock {len(lines)} times, at lines {lines}, and {LIST} says {reads}")
        if raw and not mayNameRaw:
            findings += [f"{path}:{line}: names a clock of the standard library: use eta::Clock or eta::WallClock" for line in raw]
        if mayNameRaw and not raw:
            findings.append(f"{path}: names no clock of the standard library any more: take 'raw' out of {LIST}")
    findings += [f"{path}: is on {LIST} and not in the tree" for path in rows if path not in sources]
    return findings


def main():
    tree = pathlib.Path(sys.argv[1])
    sources = {str(path.relative_to(tree)): path.read_text(encoding="utf-8", errors="replace")
               for folder in FOLDERS for path in sorted((tree / folder).rglob("*"))
               if path.suffix in (".cpp", ".h") and not path.is_symlink()}
    rows, findings = allowed((tree / LIST).read_text(encoding="utf-8"))
    findings += check(sources, rows)
    for line in findings:
        print(line, file=sys.stderr)
    print(f"{len(sources)} files, {len(rows)} of them may read a clock, {len(findings)} findings")
    sys.exit(1 if findings or not sources else 0)


if __name__ == "__main__":
    main()
