#!/usr/bin/env python3
"""W9: churn: W1, with 50 clients a second that leave (half with a close, half by a reset) and come back.

One half of the clients stays. Required: nothing later than 50 ms for those; no gap; the hub's memory flat (in runs of 5 minutes and
more: the last third at most 2 % and 1 MB above the first).
"""
import sys

from web import Web, arguments, finish, lcds_checks, main


def run(options):
    web = Web(options, "w9")
    row, result, samples = web.load("w9", "-streams", 20, "-churn", options.churn)
    row["came back"] = result["returns"]
    checks = lcds_checks(row, result, mean=None) + [(f"clients came back: {result['returns']}", result["returns"] > 0)]
    third = len(samples.megabytes) // 3
    if third >= 100:
        first, last = (sum(part) / third for part in (samples.megabytes[:third], samples.megabytes[-third:]))
        checks.append((f"memory flat: {first:.1f} MB in the first third, {last:.1f} in the last", last <= 1.02 * first + 1))
    finish(web.stage, "W9: web clients that leave and come back", [row], checks)


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, churn={"type": int, "default": 50, "help": "clients a second (50)"})))
