#!/usr/bin/env python3
"""EmaCppIProvPerf and EmaCppConsPerf with 1, 2, 4 and 8 sessions at each end and the same updates each: what a session more costs.

    bench/sessions.py                              100,000 updates/s for each session, both dispatch modes
    bench/sessions.py --rate 200000 --sessions 1,2,4

-threads gives each session its own thread, connection and items (and, with API dispatch, its dispatching thread). Processor time
and context switches are those of the two processes, from /proc, over seconds in which all images are there. A futex call means that a thread
waited for a lock or woke one that did: they are counted with perf where it is installed and allowed. Needs Python 3 and a Release build.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from end_to_end import ROOT, free_port, rows, stop
from many import processor_seconds

FILES = ("EmaConfig.xml", "RDMFieldDictionary", "enumtype.def", "MsgData.xml", "350k.xml")


def switches(pid):
    """Context switches of all threads of a process that are alive."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        total += sum(int(line.split()[1]) for line in (task / "status").read_text().splitlines() if "ctxt_switches" in line)
    return total


class FutexCalls:
    """Counts the futex calls of a process for so many seconds; None without perf."""

    def __init__(self, pid, seconds):
        perf = shutil.which("perf")
        command = [perf, "stat", "-x,", "-e", "syscalls:sys_enter_futex", "-p", str(pid), "--", "sleep", str(seconds)]
        self.run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) if perf else None

    def count(self):
        if self.run is None:
            return None
        lines = [line.split(",") for line in self.run.communicate()[1].splitlines() if "sys_enter_futex" in line]
        return int(lines[0][0]) if lines and lines[0][0].isdigit() else None


def once(o, sessions, user):
    where = pathlib.Path(tempfile.mkdtemp(prefix="emissary-sessions-"))
    for name in FILES:
        (where / name).symlink_to((o.bin / name).resolve())
    common = ["-p", str(free_port()), "-useUserDispatch", "1" if user else "0", "-threads", ",".join(["-1"] * sessions)]
    provider = [o.bin / "EmaCppIProvPerf", "-updateRate", str(o.rate), "-runTime", str(o.seconds + 60), *common]
    consumer = [o.bin / "EmaCppConsPerf", "-h", "localhost", "-itemCount", str(o.items), "-requestRate", "500000", "-steadyStateTime",
                str(o.seconds + 4), "-writeStatsInterval", "1", *common]
    ends = []
    try:
        for name, command in (("provider", provider), ("consumer", consumer)):
            with open(where / f"{name}.out", "w") as out:
                ends.append(subprocess.Popen([str(word) for word in command], cwd=where, stdout=out, stderr=subprocess.STDOUT))
            time.sleep(1)
        time.sleep(1.5)  # the images are there by now
        futex = [FutexCalls(end.pid, o.seconds) for end in ends]
        begun, before = time.monotonic(), [(processor_seconds(end.pid), switches(end.pid)) for end in ends]
        time.sleep(o.seconds)
        seconds, after = time.monotonic() - begun, [(processor_seconds(end.pid), switches(end.pid)) for end in ends]
        calls = [f.count() for f in futex]
        if ends[1].wait(60) != 0:
            sys.exit("the consumer failed: " + (where / "consumer.out").read_text()[-500:])
        received = 0
        for path in where.glob("ConsStats*.csv"):
            steady = [float(line["Update rate (msg/sec)"]) for line in rows(path)][2:-2]
            received += statistics.fmean(steady) if steady else 0
        result = {"updates/s": received}
        for end, side in enumerate(("provider", "consumer")):
            result[f"ns, {side}"] = 1e9 * (after[end][0] - before[end][0]) / seconds / received
        for end, side in enumerate(("provider", "consumer")):
            result[f"switches/s, {side}"] = (after[end][1] - before[end][1]) / seconds
        for end, side in enumerate(("provider", "consumer")):
            result[f"futex/s, {side}"] = calls[end] / o.seconds if calls[end] is not None else None
        return result
    finally:
        for end in reversed(ends):
            stop(end)
        shutil.rmtree(where, ignore_errors=True)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    a.add_argument("--sessions", default="1,2,4,8")
    a.add_argument("--rate", type=int, default=100000, help="updates a second for each session")
    a.add_argument("--items", type=int, default=80000, help="of all sessions together")
    a.add_argument("--seconds", type=int, default=5)
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("--dispatch", nargs="+", choices=["api", "user"], default=["api", "user"])
    o = a.parse_args()
    o.bin = o.bin.resolve()
    if not (o.bin / "EmaCppConsPerf").exists():
        sys.exit(f"{o.bin}/EmaCppConsPerf is not there; build first: cmake --preset release && cmake --build --preset release")
    sessions = [int(n) for n in o.sessions.split(",")]
    print(f"# {os.cpu_count()} cores, {o.rate:,} updates/s for each session, {o.rounds} rounds of {o.seconds} s by turns: median (smallest .. largest)")
    for dispatch in o.dispatch:
        runs = {n: [] for n in sessions}
        for _ in range(o.rounds):
            for n in sessions:
                runs[n].append(once(o, n, dispatch == "user"))
        measures = list(runs[sessions[0]][0])
        print(f"\n{dispatch} dispatch; ns are processor time for each update\n")
        print("| sessions | " + " | ".join(measures) + " |\n" + "|---" * (len(measures) + 1) + "|")
        for n in sessions:
            cells = []
            for measure in measures:
                values = sorted(run[measure] for run in runs[n] if run[measure] is not None)
                cells.append(f"{statistics.median(values):,.0f} ({values[0]:,.0f} .. {values[-1]:,.0f})" if values else "-")
            print(f"| {n} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
