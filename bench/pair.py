#!/usr/bin/env python3
"""Runs EmaCppIProvPerf and EmaCppConsPerf as a pair beside the least that must be done, and beside another build.

    bench/pair.py                               ours and the limit program, 13 and 23 fields, both dispatch modes
    bench/pair.py --peer DIR                    and another build's EmaCppConsPerf and EmaCppIProvPerf, which lie in DIR
    bench/pair.py --ours before=DIR after=DIR   two builds of this project
    bench/pair.py --connection shmem --fields 23 --rates 1000000,0

All of them run by turns, --rounds times; a table for each number of fields, dispatch mode and rate has medians with the
smallest and largest value, and how each compares with the first one. Rate 0 asks for more than
goes through, and the latency, which then measures queues, is left out. The limit program (bench/limit_pair.cpp) does the same work
without any protocol. CPU is in percent of one core, memory is the resident set. Latencies are microseconds, of the --stamps
updates a second that carry their time: all of the steady state, as the consumer's latency file has them, and by themselves
those that came while images did.

A folder of another build holds its two programs; configuration, dictionaries and item list are taken from there when
they lie there, else from this tree. The message file is this tree's with so many fields in each update.
Needs Python 3 and a build of the preset bench.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

from end_to_end import ROOT, free_port, rows, stop

MOST = 12_000_000
TOOLS = ("EmaCppIProvPerf", "EmaCppConsPerf")
FILES = {"EmaConfig.xml": "EmaConfig.xml", "RDMFieldDictionary": "etc/RDMFieldDictionary", "enumtype.def": "etc/enumtype.def",
         "350k.xml": "build/release/bin/350k.xml"}


def message_file(path, fields):
    """The tree's message file, each update cut to so many fields where it has more."""
    tree = xml.parse(ROOT / "etc/MsgData.xml")
    for update in tree.iter("updateMsg"):
        for fields_of in update.iter("fieldList"):
            entries = list(fields_of)
            for entry in entries[fields:]:
                fields_of.remove(entry)
            fields_of.set("entryCount", str(len(fields_of)))
    tree.write(path, encoding="UTF-8", xml_declaration=True)


class Pair:
    """The two tools of a folder."""

    def __init__(self, folder, options):
        self.folder, self.options = folder.resolve(), options
        for tool in TOOLS:
            if not os.access(self.folder / tool, os.X_OK):
                sys.exit(f"{self.folder / tool} is not there; build first: cmake --preset bench && cmake --build --preset bench")

    def run(self, fields, user, rate):
        o = self.options
        where = pathlib.Path(tempfile.mkdtemp(prefix="emissary-pair-"))
        try:
            for name, ours in FILES.items():
                mine = self.folder / name
                (where / name).symlink_to(mine.resolve() if mine.exists() else ROOT / ours)
            message_file(where / "MsgData.xml", fields)
            return self.measure(where, user, rate, o)
        finally:
            shutil.rmtree(where, ignore_errors=True)

    def measure(self, where, user, rate, o):
        port = str(free_port())
        common = ["-useUserDispatch", "1" if user else "0", "-writeStatsInterval", "1", "-p", port]
        if o.connection != "socket":
            common += ["-connType", o.connection]
        stamps = str(min(o.stamps, rate)) if rate else "0"
        provider = [self.folder / TOOLS[0], "-updateRate", str(rate or MOST), "-latencyUpdateRate", stamps, "-runTime", str(o.seconds + 30),
                    *common, *o.provider.split()]
        consumer = [self.folder / TOOLS[1], "-h", "localhost", "-itemCount", str(o.items), "-requestRate", "500000", "-steadyStateTime",
                    str(o.seconds), "-delaySteadyStateCalc", "1000", "-latencyFile", "latency", *common, *o.consumer.split()]
        with open(where / "provider.out", "w") as p_out, open(where / "consumer.out", "w") as c_out:
            server = subprocess.Popen(provider, cwd=where, stdout=p_out, stderr=subprocess.STDOUT)
            try:
                time.sleep(0.5)
                if server.poll() is not None:
                    sys.exit(f"{provider[0]} ended with {server.returncode}: " + reason(where / "provider.out"))
                done = subprocess.run(consumer, cwd=where, stdout=c_out, stderr=subprocess.STDOUT, timeout=o.seconds + 120, check=False)
            finally:
                stop(server)
        if done.returncode != 0:
            print(f"{consumer[0]} at {rate or MOST:,}/s ended with {done.returncode} (that run is left out): " + reason(where / "consumer.out"), file=sys.stderr)
            return {}
        return figures(where, rate, o.seconds - 1)


def reason(path):
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines() if "rror" in line or "not reached" in line]
    return lines[0] if lines else "see what it prints by itself"


def latencies(where, steady_seconds, image_seconds):
    """Of the updates that carry their time: the last seconds, which are the steady state, and the first, in which images come."""
    stamped = sorted((int(row["Receive time"]), float(row["Latency (usec)"])) for path in where.glob("latency*.csv") for row in rows(path)
                     if row["Message type"] == "Upd")
    if not stamped:
        return {}
    first, last = stamped[0][0], stamped[-1][0]
    steady = sorted(latency for at, latency in stamped if at >= last - 1e6 * steady_seconds)
    result = {"mean latency": statistics.fmean(steady)}
    for name, part in (("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)):
        result[name] = steady[min(len(steady) - 1, int(part * len(steady)))]
    result["highest latency"] = steady[-1]
    early = [latency for at, latency in stamped if at <= first + 1e6 * image_seconds]
    result["mean latency while images come"] = statistics.fmean(early)
    return result


def figures(where, rate, steady_seconds):
    cons, prov = rows(where / "ConsStats1.csv"), rows(where / "ProvStats1.csv")

    def column(lines, begin):
        name = next((k for k in lines[0] if k.lower().startswith(begin)), None) if lines else None
        return (lambda line: float(line[name])) if name else (lambda line: float("nan"))

    images, updates = column(cons, "images"), column(cons, "update rate")
    steady = [line for line in cons if images(line) == 0 and updates(line) > 0][1:-1] or cons[-1:]
    sent = [line for line in prov if column(prov, "updates sent")(line) > 0][2:-2] or prov[-1:]

    def mean(lines, begin):
        return statistics.fmean(column(lines, begin)(line) for line in lines)

    result = {"updates/s": mean(steady, "update rate"), "CPU consumer": mean(steady, "cpu usage"), "CPU provider": mean(sent, "cpu usage"),
              "MB consumer": max(column(cons, "memory")(line) for line in cons),
              "MB provider": max(column(prov, "memory")(line) for line in prov)}
    summary = (where / "ConsSummary.out").read_text()
    took = re.search(r"Image retrieval time \(sec\)\s*:\s*([0-9.]+)", summary[summary.rfind("OVERALL"):])
    image_seconds = float(took.group(1)) if took else 0
    if took:
        result["images, s"] = image_seconds
    if rate:
        result.update(latencies(where, steady_seconds, image_seconds))
    return result


class Limit:
    """The limit program; the same for both dispatch modes, and without latencies."""

    def __init__(self, program, options):
        self.program, self.options = program, options
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is not there; build it first: cmake --preset bench && cmake --build --preset bench (or --no-limit)")

    def run(self, fields, _user, rate):
        o = self.options
        command = [str(self.program), "--fields", str(fields), "--items", str(o.items), "--seconds", str(o.seconds)]
        if rate:
            command += ["--rate", str(rate)]
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=o.seconds + 30, check=True).stdout
        value = dict(pair.split("=") for pair in out.split())
        return {"updates/s": float(value["rate"]), "CPU consumer": float(value["receiver"]), "CPU provider": float(value["sender"])}


def shown(values):
    """Median and range."""
    def one(v):
        return f"{v:,.0f}" if v >= 1000 else f"{v:.1f}" if v >= 10 else f"{v:.3g}"
    values = sorted(values)
    return f"{one(statistics.median(values))} ({one(values[0])} .. {one(values[-1])})"


def table(title, results):
    """`results`: name of who ran -> list of figures."""
    print(f"\n{title}\n")
    names = list(results)
    measures = []
    for runs in results.values():
        for run in runs:
            measures += [m for m in run if m not in measures]
    print("| | " + " | ".join(names) + " | " + " | ".join(f"{names[0]} : {other}" for other in names[1:]) + (" |" if names[1:] else ""))
    print("|---" * (2 * len(names)) + "|")
    for measure in measures:
        values = {name: [run[measure] for run in runs if measure in run and run[measure] == run[measure]] for name, runs in results.items()}
        cells = [shown(v) if v else "-" for v in values.values()]
        first = values[names[0]]
        ratios = []
        for other in names[1:]:
            # Runs of one round lie side by side: their ratios have less noise than the ratio of two medians.
            pairs = [a / b for a, b in zip(first, values[other]) if b] if first and values[other] else []
            ratios.append(f"{statistics.median(pairs):.2f} ({min(pairs):.2f} .. {max(pairs):.2f})" if pairs else "-")
        print(f"| {measure} | " + " | ".join(cells + ratios) + " |")
    sys.stdout.flush()


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--ours", nargs="+", default=[f"ours={ROOT / 'build/bench/bin'}"], metavar="NAME=DIR", help="builds of this project")
    a.add_argument("--peer", type=pathlib.Path, metavar="DIR", help="another build's tools")
    a.add_argument("--no-limit", action="store_true", help="leave the limit program out")
    a.add_argument("--fields", nargs="+", type=int, default=[13, 23])
    a.add_argument("--dispatch", nargs="+", choices=["api", "user"], default=["api", "user"])
    a.add_argument("--rates", default="100000,1000000,2000000,3000000", help="updates a second; 0: more than goes")
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--seconds", type=int, default=6, help="steady state of one run")
    a.add_argument("--items", type=int, default=100000)
    a.add_argument("--stamps", type=int, default=1000, help="updates a second that carry their time")
    a.add_argument("--connection", choices=["socket", "websocket", "shmem"], default="socket")
    a.add_argument("--provider", default="", help="further options of EmaCppIProvPerf, in one word")
    a.add_argument("--consumer", default="", help="further options of EmaCppConsPerf, in one word")
    o = a.parse_args()
    who = {}
    for entry in o.ours:
        name, equals, folder = entry.partition("=")
        if not equals:
            a.error(f"--ours {entry}: write NAME=DIR")
        who[name] = Pair(pathlib.Path(folder), o)
    if o.peer:
        who["peer"] = Pair(o.peer, o)
    if not o.no_limit:
        who["limit"] = Limit(next(iter(who.values())).folder / "limit_pair", o)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    model = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    print(f"{time.strftime('%Y-%m-%d %H:%M')}, commit {commit or '?'}, {os.cpu_count()} x {model.group(1) if model else '?'}, Linux {platform.release()}, "
          f"load {os.getloadavg()[0]:.1f}; {o.items} items, {o.connection}, {o.rounds} rounds of {o.seconds} s, medians (smallest .. largest)")
    for fields in o.fields:
        for dispatch in o.dispatch:
            for rate in (int(r) for r in o.rates.split(",")):
                results = {name: [] for name in who}
                for _ in range(o.rounds):
                    for name, runner in who.items():
                        results[name].append(runner.run(fields, dispatch == "user", rate))
                table(f"{fields} fields, {dispatch} dispatch, " + (f"{rate:,} updates/s asked" if rate else "more asked than goes"), results)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
