#!/usr/bin/env python3
"""W7: slow clients do not disturb the others: W1, then the same with 25 more clients that read 2 KB/s.

One feed and one hub serve both runs. The system holds 64 KB for each connection and the hub conflates above 64 KB more, so that
a short run shows it too. Required: the others' p99 at most 1.2 times that of W1, no gap; the slow ones end with the last
values; what the hub holds for one of them stays below the bytes at which it would be disconnected (16 MiB).
"""
import sys

from web import Timed, Web, arguments, finish, main, wsload_passed


def run(options):
    web = Web(options, "w7", of_listener='<SysSendBufSize value="65536"/><ConflateAbove value="65536"/><ConflateBelow value="16384"/>')
    clients = options.clients or 500
    first, result, _ = web.load("w1", "-streams", 20, "-maxLatency", 1000, truth=False)
    checks = [(f"w1: no gap: {first['gaps']}", first["gaps"] == 0)]
    options.clients = clients + options.slow
    row, result, samples = web.load("w7", "-streams", 20, "-slow", f"{options.slow},{options.bytes}", "-maxLatency", 1000)
    held = (row["hub MB"] - first["hub MB"]) / options.slow
    row["MB a slow client"] = held
    checks += [*wsload_passed("w7", result), (Timed(f"the others' p99 at most 1.2 times W1's: {row['p99 ms']:.2f} and {first['p99 ms']:.2f} ms"),
                                              row["p99 ms"] <= 1.2 * first["p99 ms"]),
               (f"w7: no gap: {row['gaps']}", row["gaps"] == 0),
               (f"all end with the last values, the slow ones too: {result['truth']}", result["truth"] == "equal"),
               (f"memory of a slow client below 16 MiB: {held:.2f} MB", held < 16.8)]
    finish(web.stage, "W7: slow web clients beside others", [first, row], checks,
           [f"Jumps of the slow clients by conflation: {result['conflated']}."])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, slow={"type": int, "default": 25, "help": "slow clients (25)"},
                                 bytes={"type": int, "default": 2000, "help": "bytes a second that each of them reads (2000)"})))
