#!/usr/bin/env python3
"""W6: the peak: 100 clients with 20 common items, the rate raised by steps until less than 99 % arrives; 30 s a step.

Required: 400,000 messages/s delivered, to clients that are not conflated. --quick has steps of 5 s.
"""
import sys

from web import Timed, Web, arguments, finish, main


def run(options):
    seconds = 5 if options.quick else options.seconds
    rows, best, last = [], 0, None
    for wanted in (int(n) for n in options.steps.split(",")):
        clients = options.clients or 100
        web = Web(options, f"w6-{wanted}", rate=wanted / clients / 20)
        row, result, _ = web.load(f"w6-{wanted}", "-streams", 20, "-maxLatency", 1000, clients=clients, seconds=seconds, truth=False)
        row["wanted"] = wanted
        rows.append(row)
        last = web.stage
        web.stage.end()
        if row["msg/s"] < 0.99 * wanted or result["gaps"] or result["lost"]:
            print(f"not delivered: {wanted} messages/s; wsload: {'; '.join(result['failures']) or 'passed'}")
            break
        best = wanted
    need = 400000 if options.required is None else options.required
    finish(last, "W6: the highest rate to 100 web clients", rows, [(Timed(f"{need} messages/s delivered: {best} sustained"), best >= need)])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, seconds=30,
                                 steps={"default": "100000,200000,400000,600000,800000,1000000", "help": "messages/s of each step"},
                                 required={"type": int, "help": "messages/s that must be delivered (400000)"})))
