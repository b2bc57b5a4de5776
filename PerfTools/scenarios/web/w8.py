#!/usr/bin/env python3
"""W8: a storm: 5,000 clients lose their connections at once, because the hub is killed and started again, and come back with back-off.

Required: 10 s after its loss every client has all its images again, and nobody gets what belongs to another item. The time has the hub's
start in it.
"""
import sys
import time

from web import Timed, Web, arguments, finish, main


def run(options):
    web = Web(options, "w8", rate=0.2)

    def storm():
        time.sleep(3)
        web.hub.kill()
        web.start_hub()

    seconds = max(web.seconds, 10)
    row, result, _ = web.load("w8", "-streams", 20, "-recover", options.within, "-maxLatency", 60000, "-connectRate", 2000, "-patience", 120,
                              clients=5000, seconds=seconds, during=storm)
    row["back after s"] = result["longestReturn"]
    clients = options.clients or 5000
    checks = [(f"every client came back: {result['returns']} of {clients}", result["returns"] >= clients),
              (Timed(f"all have their images within {options.within} s: {result['longestReturn']:.2f}"), 0 < result["longestReturn"] <= options.within),
              (f"nothing of another item, no gap or duplicate: {result['mixed']}, {result['gaps']}, {result['duplicates']}",
               result["mixed"] == result["gaps"] == result["duplicates"] == 0),
              (f"all end with the last values: {result['truth']}", result["truth"] == "equal")]
    finish(web.stage, "W8: a storm of web clients", [row], checks)


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, seconds=60, within={"type": int, "default": 10, "help": "seconds until all images are there (10)"})))
