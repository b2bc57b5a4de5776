#!/usr/bin/env python3
"""no_sleeps.py FOLDER: no test sleeps for a time and hopes. Waiting for a condition is support/until.h's."""
import pathlib
import re
import sys

# Where time itself is what is tested, or what a program under test does.
ALLOWED = {
    "support/until.h": "asks again and again",
    "docs/no_sleeps.py": "has the names that it looks for",
    "ema/session/engine/idle_test.cpp": "watches threads that must do nothing for so long",
    "ema/session/exit/encrypted_program.cpp": "ends at the moment that the test chooses",
    "examples/cloud.cpp": "a server that lives until it is ended",
    "hub/main/metrics_pages.py": "asks for a page again and again",
    "perftools/multicast_netns.sh": "looks for a line again and again",
    "perftools/quickstart_probe.sh": "looks at a port again and again",
    "tools/websockets_peer.py": "compares values again and again",
}
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|(?<!\.)sleep\s*\(|time\.sleep)\b")
COMMAND = re.compile(r"(?:^|[;&|]|\bdo|\bthen)\s*sleep\s+[\d$\"]")  # of the shell
COMMENT = {".py": "#", ".sh": "#"}


def main():
    root = pathlib.Path(sys.argv[1])
    bad, used = [], set()
    for path in sorted(path for kind in ("cpp", "h", "py", "sh") for path in root.rglob(f"*.{kind}")):
        name = str(path.relative_to(root))
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            code = line.split(COMMENT.get(path.suffix, "//"))[0]
            if (COMMAND if path.suffix == ".sh" else SLEEP).search(code):
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
