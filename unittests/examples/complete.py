#!/usr/bin/env python3
"""complete.py SOURCE-TREE: says whether every example is built, listed in examples/README.md and run by a pair, and
whether every pair is a test."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
examples, tests = root / "examples", root / "unittests" / "examples"
problems = []


def compare(what, expected, found):
    problems.extend(f"{name} is missing in {what}" for name in sorted(expected - found))
    problems.extend(f"{what} names {name}, which does not exist" for name in sorted(found - expected))


roles = "(?:consumer|provider|niprovider|data)"
programs = {str(path.relative_to(examples))[:-4] for path in examples.glob("*/*/*.cpp")}
problems.extend(f"{name} does not include Ema.h" for name in sorted(programs)
                if not re.search('^#include "Ema.h"$', (examples / f"{name}.cpp").read_text(), re.M))
pairs = {path.stem for path in (tests / "pairs").glob("*.txt")}
started = set()
for path in (tests / "pairs").glob("*.txt"):
    started |= set(re.findall(r"^(?:start|launch) \S+ (%s/\S+)" % roles, path.read_text(), re.M))
built = set(re.findall(r"^  (%s/\w+/\w+)" % roles, (examples / "programs.cmake").read_text(), re.M))
described = set(re.findall(r"^\| `(%s/\w+/\w+)`" % roles, (examples / "README.md").read_text(), re.M))
tested = set(re.findall(r"^  (\w+)", (tests / "pairs.cmake").read_text(), re.M))
compare("examples/programs.cmake", programs, built)
compare("examples/README.md", programs, described)
compare("the pairs", programs, started)
compare("unittests/examples/pairs.cmake", pairs, tested)
print("\n".join(problems) or f"{len(programs)} programs, {len(pairs)} pairs")
sys.exit(1 if problems else 0)
