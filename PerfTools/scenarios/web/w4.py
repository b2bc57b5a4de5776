#!/usr/bin/env python3
"""W4: as W1, over TLS (wss://), with a certificate made for the run.

Required: nothing later than 50 ms, no gap.
"""
import sys

from web import Web, arguments, finish, lcds_checks, main


def run(options):
    web = Web(options, "w4", tls=True)
    row, result, _ = web.load("w4", "-streams", 20)
    finish(web.stage, "W4: 500 web clients over TLS", [row], lcds_checks(row, result, mean=None))


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__)))
