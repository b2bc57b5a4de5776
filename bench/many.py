#!/usr/bin/env python3
"""One EmaCppIProvPerf and many connections with few updates each: what a connection and an update cost the provider.

    bench/many.py                                          100, 1,000 and 5,000 connections, 10 updates a second each
    bench/many.py --connections 1,2,4,8 --rate 100000      a few connections and the same updates each

The other end is hubload, which reads every update and nothing in it. Processor time is that of the provider alone, from
/proc, over the seconds in which all images are there; memory is what its resident set grew by, for each connection.
Needs Python 3 and a Release build; about 13,000 connections need `ulimit -n` above 26,000.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from end_to_end import ROOT, free_port, stop

TICK = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_bytes(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def once(o, connections, user):
    where = pathlib.Path(tempfile.mkdtemp(prefix="emissary-many-"))
    for name in ("EmaConfig.xml", "RDMFieldDictionary", "enumtype.def", "MsgData.xml"):
        (where / name).symlink_to((o.bin / name).resolve())
    port = str(free_port())
    ticks = min(1000, o.rate)
    command = [o.bin / "EmaCppIProvPerf", "-p", port, "-updateRate", str(o.rate), "-tickRate", str(ticks), "-latencyUpdateRate", "0",
               "-refreshBurstSize", "10", "-useUserDispatch", "1" if user else "0", "-runTime", "600"]
    with open(where / "provider.out", "w") as out:
        provider = subprocess.Popen([str(word) for word in command], cwd=where, stdout=out, stderr=subprocess.STDOUT)
    try:
        time.sleep(1)
        before = resident_bytes(provider.pid)
        load = subprocess.Popen([str(o.bin / "hubload"), "-p", port, "-connections", str(connections), "-connectRate", "2000", "-seconds", str(o.seconds)],
                                stdout=subprocess.PIPE, text=True)
        begun = used = None
        result = {}
        for line in load.stdout:
            if line.startswith("complete:"):
                begun, used = time.monotonic(), processor_seconds(provider.pid)
            elif line.startswith("{"):
                result = json.loads(line)
            elif begun and "deliveries" in line:
                seconds, spent, memory = time.monotonic() - begun, processor_seconds(provider.pid) - used, resident_bytes(provider.pid)
        if load.wait() != 0 or not result or not result.get("complete"):
            sys.exit("hubload did not get its images; the provider's last lines:\n" + "\n".join((where / "provider.out").read_text().splitlines()[-5:]))
        rate = result["deliveriesPerSecond"]
        return {"updates/s": rate, "CPU %": 100 * spent / seconds, "ns of CPU an update": 1e9 * spent / seconds / rate,
                "kB a connection": (memory - before) / connections / 1000}
    finally:
        stop(provider)
        shutil.rmtree(where, ignore_errors=True)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    a.add_argument("--connections", default="100,1000,5000")
    a.add_argument("--rate", type=int, default=10, help="updates a second for each connection")
    a.add_argument("--seconds", type=int, default=8)
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("--dispatch", nargs="+", choices=["api", "user"], default=["api", "user"])
    o = a.parse_args()
    o.bin = o.bin.resolve()
    if not (o.bin / "hubload").exists():
        sys.exit(f"{o.bin}/hubload is not there; build first: cmake --preset release && cmake --build --preset release")
    print(f"# {os.cpu_count()} cores, {o.rate} updates/s for each connection, {o.rounds} runs of {o.seconds} s: median (smallest .. largest)")
    print("| connections | dispatch | updates/s | CPU % | ns of CPU an update | kB a connection |\n|---|---|---|---|---|---|")
    for connections in (int(n) for n in o.connections.split(",")):
        for dispatch in o.dispatch:
            runs = [once(o, connections, dispatch == "user") for _ in range(o.rounds)]
            cells = []
            for measure in runs[0]:
                values = sorted(run[measure] for run in runs)
                cells.append(f"{statistics.median(values):,.1f} ({values[0]:,.1f} .. {values[-1]:,.1f})")
            print(f"| {connections} | {dispatch} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
