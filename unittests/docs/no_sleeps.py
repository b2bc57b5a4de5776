#!/usr/bin/env python3
"""no_sleeps.py FOLDER: no test sleeps for a time and hopes. Waiting for a condition is support/until.h's."""
import pathlib
import re
import sys

# Where time itself is what is tested, or what a program under test does.
ALLOWED = {
    "support/until.h": "asks again and again",
    "ema/session/engine/idle_test.cpp": "watches threads that must do nothing for so long",
    "ema/session/exit/encrypted_program.cpp": "ends at the moment that the test chooses",
    "examples/cloud.cpp": "a server that lives until it is ended",
}
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|(?<!\.)sleep\s*\(|time\.sleep)\b")


def main():
    root = pathlib.Path(sys.argv[1])
    bad, used = [], set()
    for path in sorted([*root.rglob("*.cpp"), *root.rglob("*.h")]):
        name = str(path.relative_to(root))
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if SLEEP.search(line.split("//")[0]):
                used.add(name)
                if name not in ALLOWED:
                    bad.append(f"{name}:{number}: {line.strip()}")
    for line in bad:
        print(line, "(wait for a condition: support/until.h)", file=sys.stderr)
    for name in sorted(set(ALLOWED) - used):
        print(f"{name} does not sleep any more: take it off the list", file=sys.stderr)
    sys.exit(1 if bad or set(ALLOWED) - used else 0)


if __name__ == "__main__":
    main()
