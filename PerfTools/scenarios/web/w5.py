#!/usr/bin/env python3
"""W5: more and more clients, 500 to 20,000, each with 20 messages/s, 30 s a step.

Required: 5,000 clients (100,000 messages/s) with a maximum below 200 ms, and 20,000 clients connected. --quick has four steps of 5 s, to
5,000 clients. Above the last step that wsload passes, its own share may be what is measured: it says so.
"""
import sys

from web import Timed, Web, arguments, finish, main, wsload_passed


def run(options):
    steps = [int(n) for n in options.steps.split(",")] if options.steps else [500, 1000, 2000, 5000] + ([] if options.quick else [10000, 20000])
    seconds = 5 if options.quick else options.seconds
    web = Web(options, "w5", rate=1)
    rows, checks = [], []
    for clients in steps:
        options.clients = clients
        row, result, _ = web.load(f"w5-{clients}", "-streams", 20, "-connectRate", 2000, "-maxLatency", 200, "-patience", 120, seconds=seconds,
                                  truth=False)
        row["images s"] = result["imageSeconds"]
        rows.append(row)
        if clients == 5000:
            checks.append((Timed(f"5,000 clients with a maximum below 200 ms: {row['max ms']:.1f}"), 0 < row["max ms"] < 200))
            checks.append(("5,000 clients without gaps and losses", result["gaps"] == 0 and result["lost"] == 0))
        if clients == 20000:
            checks.append((f"20,000 clients connected: lost {result['lost']}", result["lost"] == 0 and result["messages"] > 0))
    if not checks:
        checks = wsload_passed(row["run"], result)
    finish(web.stage, "W5: more and more web clients", rows, checks)


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, seconds=30, steps={"help": "clients of each step, separated by commas"})))
