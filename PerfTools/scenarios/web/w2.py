#!/usr/bin/env python3
"""W2: as W1, with items of their own: 500 web clients x 20 items, 10,000 items, 5 updates of each a second.

Required: nothing later than 50 ms, mean below 1 ms, no gap.
"""
import sys

from web import Web, arguments, finish, lcds_checks, main


def run(options):
    web = Web(options, "w2", items=(options.clients or 500) * 20)
    row, result, _ = web.load("w2", "-streams", 20, "-share", "distinct")
    finish(web.stage, "W2: 500 web clients with items of their own", [row], lcds_checks(row, result))


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__)))
