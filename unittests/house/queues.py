#!/usr/bin/env python3
"""queues.py ROOT: docs/queues.md has a row for each queue of the libraries and of the hub, with a count that there is.

A queue is a member of a header whose type is a deque or one of the tree's rings, or any container whose name says that something
waits in it. Rows may name other files as well."""
import pathlib
import re
import sys

ROOMS = ("eta", "rest", "reactor", "logging", "config", "ema", "book", "capi", "hub")
MEMBER = re.compile(r"^\s+[^()]*\b(?:std::deque|ItemQueue|Ring|Mailbox)<[^()]*>\s\w+(?:, \w+)*(?:\{.*\})?;$|^\s+FrameRing \w+;$"
                    r"|^\s+[^()]*\b(?:std::(?:\w*map|\w*set|vector|list|\w*queue)|ItemMap)<.*>\s(?:waiting|held|asked|due|pending|queued|later|owed|parked)_?;$")
# Tables whose places must not move: nothing waits in them.
TABLES = {
    "capi/consumer/Consumer.h": "items and batches by number",
    "ema/config/Settings.h": "what the log says of a configuration, until the logger is open",
    "hub/relay/Relay.h": "one entry for each thread",
    "hub/upstream/RequestQueues.h": "one entry for each service, whose own queues have rows",
}
ROW = re.compile(r"^\|(?P<what>[^|]+)\| `(?P<path>[^`|]+)` \|(?P<bound>[^|]+)\|(?P<full>[^|]+)\|(?P<count>[^|]+)\|$", re.M)


def queues(headers):
    """Those of the headers, a dictionary from paths to texts, that have a queue as a member."""
    return {path for path, text in headers.items() if any(MEMBER.match(line.split("//")[0].rstrip()) for line in text.splitlines())}


def check(page, headers, counts):
    """What is wrong with the page."""
    found, named = [], set()
    for row in ROW.finditer(page):
        path = row["path"]
        named.add(path)
        if path not in headers:
            found.append(f"{path}: has a row, and is no header of the tree")
        names = re.findall(r"`(\w+)`", row["count"])
        if not names and not row["count"].strip().startswith("none: "):
            found.append(f"{path}: its row names no count, and does not say why (none: ...)")
        found += [f"{path}: there is no count {name}" for name in names if name.startswith("emissary_") and f"`{name}`" not in counts]
    return found + [f"{path}: has a queue, and docs/queues.md has no row for it" for path in sorted(queues(headers) - named - set(TABLES))]


def main():
    root = pathlib.Path(sys.argv[1])
    headers = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for room in ROOMS for path in (root / room).rglob("*.h")}
    counts = "".join((root / "docs" / name).read_text(encoding="utf-8") for name in ("metrics.md", "hub-counts.md"))
    page = (root / "docs/queues.md").read_text(encoding="utf-8")
    found = check(page, headers, counts)
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(ROW.findall(page))} rows, {len(queues(headers))} headers with queues, {len(found)} findings.")
    sys.exit(1 if found or not queues(headers) else 0)


if __name__ == "__main__":
    main()
