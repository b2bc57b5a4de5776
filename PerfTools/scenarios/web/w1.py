#!/usr/bin/env python3
"""W1: the report replayed: 500 web clients with the same 20 items, 5 updates of each a second: 100 messages/s a client.

webfeed -> emissary-hub -> wsload, JSON over WebSocket, 10 minutes. Required: nothing later than 50 ms, mean below 1 ms, no gap. With
--hours 14 it is W3, the length of the report's run; then the hub's memory in the last hour may be 2 % above the first, and its
descriptors the same.
"""
import sys

from web import Web, arguments, finish, lcds_checks, main


def run(options):
    if options.hours is not None:
        options.seconds = int(options.hours * 3600)
    web = Web(options, "w1")
    row, result, samples = web.load("w1", "-streams", 20)
    checks = lcds_checks(row, result)
    if options.hours is not None and len(samples.megabytes) >= 7200:
        first, last = (sum(part) / len(part) for part in (samples.megabytes[:3600], samples.megabytes[-3600:]))
        checks.append((f"memory of the last hour at most 2 % above the first: {first:.1f} and {last:.1f} MB", last <= 1.02 * first))
        checks.append((f"as many descriptors at the end: {samples.descriptors[1]} and {samples.descriptors[-1]}",
                       samples.descriptors[1] == samples.descriptors[-1]))
    finish(web.stage, "W1: 500 web clients with common items", [row], checks)


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, hours={"type": float, "help": "hours that are measured; 14 is W3"})))
