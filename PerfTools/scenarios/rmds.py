#!/usr/bin/env python3
"""Throughput, fan-out and end-to-end latency of the distribution system, in the tables of the published RMDS reports.

Level 1 data, an update of 74 bytes in RWF, 100,000 items, no cache, decoding on; provider, hub and consumer on this machine.
Latency is that of the time stamps in the updates, from submit at the provider to the callback at the consumer. A step fails when
less than 99 % of the updates arrive or the latency grows through the step; the table ends there. The report's steps take 5
minutes (--seconds 300); --quick takes 10 seconds.
"""
import pathlib
import sys
import tempfile

from measure import at_rate, check_programs, commit, fan_out, machine
from scenario import arguments, main, page_of_tables, report, table, write_csv

COLUMNS = ["update rate", "mean us", "std dev us", "max us", "min us", "points"]  # of the published reports


def run(options):
    check_programs(options)
    seconds = 10 if options.quick else options.seconds
    if options.out is None:
        options.out = pathlib.Path(tempfile.mkdtemp(prefix="emissary-rmds-"))
    print(f"# {machine()}, commit {commit()}, {seconds} s a step", flush=True)
    rows, best, under = [], None, None
    rate = options.first
    while rate <= options.last:
        row = at_rate(options, f"rmds/{rate}", "none", rate, seconds, options.items or 100000, latency_rate=10 if seconds >= 300 else 100)
        rows.append(row)
        print(table([row]).splitlines()[-1] if len(rows) > 1 else table([row]), flush=True)
        if row["sustained"] == "no":
            break
        best = rate
        if row["mean us"] is not None and row["mean us"] < 1000:
            under = rate
        rate += options.step
    fans, most = [], None
    for rate in (int(r) for r in options.fan_rates.split(",") if r):
        row = fan_out(options, "rmds-fan-out", rate, options.connections, seconds)
        fans.append(row)
        print(table([row]), flush=True)
        if row["sustained"] == "no":
            break
        most = row["deliveries/s"]

    class Here:  # where report() writes
        dir, bin, name = options.out.resolve() / "rmds", options.bin.resolve(), "rmds"
    found = (f"Throughput, no fan-out: " + (f"{best:,} updates/s sustained" if best else "no step sustained") +
             (f", {under:,} with a mean below 1 ms" if under else ""))
    if fans:
        found += f". Fan-out 1 -> {options.connections}: " + (f"{most:,.0f} deliveries/s sustained" if most else "no step sustained")
        write_csv(Here.dir / "fan-out.csv", fans)
    print("\n" + found)
    # The charts of eight steps at most, the first and the last among them.
    shown = sorted({round(i * (len(rows) - 1) / 7) for i in range(8)})
    report(Here, "Distribution system: latency by rate", rows,
           runs=[f"{rows[i]['update rate']:,}/s={Here.dir / str(rows[i]['update rate'])}".replace(",", " ") for i in shown])
    tables = [("End-to-end latency by update rate", rows, COLUMNS), ("What each step took", rows, None)]
    page_of_tables(Here.dir / "latency.html", "Distribution system: throughput, fan-out and latency",
                   f"{machine()}, commit {commit()}, {seconds} s a step. {found}", tables + ([("Fan-out", fans, None)] if fans else []))
    print(f"The tables as a page: {Here.dir / 'latency.html'}")


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, quick={"action": "store_true", "help": "10 s a step"},
                                 first={"type": int, "default": 50000, "help": "updates/s of the first step (50000)"},
                                 step={"type": int, "default": 50000, "help": "between steps (50000)"},
                                 last={"type": int, "default": 3000000, "help": "of the last step"},
                                 connections={"type": int, "default": 100, "help": "of the fan-out (100)"},
                                 fan_rates={"default": "15000,30000,45000,60000,80000,100000,120000", "help": "updates/s of the fan-out's steps"})))
