#!/usr/bin/env python3
"""Measures what the tools and the API were asked to reach, and says of each figure whether it was met.

    bench/targets.py                           everything, some 50 minutes; five rounds, one figure behind the other
    bench/targets.py --only rates --rounds 1
    bench/targets.py --markdown FILE           and writes the table into a file

rates     what goes through: 23 and 13 fields, packed, over shared memory; each beside the limit program (limit_pair) where it can be
idle      processor time and latency at 100,000/s, asleep and never sleeping
images    100,000 items while updates flow, and 350,000 items
steps     building, reading and submitting an update (api_bench, provider_bench)
memory    what is given back two minutes after 100,000 items are closed; takes five minutes
mesh      hubs of a mesh over a nats-server of this program's own: 1,000,000 items for a hub that has none, and 100,000 that lose their owner
json      the pair over rssl.json.v2: what goes through, and processor time at 100,000/s
hub       what a hub adds at 100,000/s, and what goes through it without and with its cache
books     order books beside the bare structure that is fed the same packets, at sending delays of 0, 10 and 50 ms

Two cores of the machine that the figures were asked for pass 6.9 million updates of 23 fields a second with limit_pair: what it
passes here stands first, and says how this machine compares. A figure is met when its median is. Needs Python 3 and a build of the
preset bench.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from end_to_end import ROOT, free_port, stop
from many import resident_bytes
from pair import FILES, Limit, Pair

sys.path.insert(0, str(ROOT / "PerfTools/scenarios"))
from measure import at_rate  # noqa: E402
from scenario import Failed, arguments  # noqa: E402

BIN = ROOT / "build/bench/bin"
API, USER = False, True


class Figure:
    """One line of the table: what was asked, and the values of all rounds."""

    def __init__(self, name, asked, unit, at_least=False):
        self.name, self.asked, self.unit, self.at_least, self.values = name, asked, unit, at_least, []

    def met(self):
        middle = statistics.median(self.values)
        return middle >= self.asked if self.at_least else middle <= self.asked

    def line(self):
        if not self.values:
            return f"| {self.name} | | not measured | |"
        low, middle, high = min(self.values), statistics.median(self.values), max(self.values)
        asked = f"{'at least' if self.at_least else 'at most'} {self.asked:g} {self.unit}" if self.asked is not None else "-"
        verdict = "-" if self.asked is None else "met" if self.met() else "missed"
        return f"| {self.name} | {asked} | {show(middle)} ({show(low)} .. {show(high)}) {self.unit} | {verdict} |"


def show(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 20 else f"{value:.2f}"


class Run:
    """A run of the pair, and which of its measures belong to which figures."""

    def __init__(self, user, fields, rate, figures, seconds=4, items=100000, connection="socket", provider="", consumer=""):
        options = argparse.Namespace(seconds=seconds, items=items, connection=connection, provider=provider, consumer=consumer, stamps=1000)
        self.pair, self.user, self.fields, self.rate, self.figures = Pair(BIN, options), user, fields, rate, figures

    def once(self):
        found = self.pair.run(self.fields, self.user, self.rate)
        for figure, measure, scale in self.figures:
            if measure in found:
                figure.values.append(found[measure] * scale)


class LimitRun:
    def __init__(self, fields):
        options = argparse.Namespace(seconds=3, items=100000)
        self.fields, self.limit = fields, Limit(BIN / "limit_pair", options)
        self.figure = Figure(f"limit program, {fields} fields", None, "million/s")
        self.figures = [(self.figure, "updates/s", 1e-6)]

    def once(self):
        self.figure.values.append(self.limit.run(self.fields, False, 0)["updates/s"] / 1e6)


def mode(user):
    return "user dispatch" if user else "API dispatch"


# A rate counts as reached with one update in a thousand less: seconds of two processes are not the same seconds.
def rate_run(what, user, fields, millions, **options):
    received = Figure(f"{what}, {mode(user)}, {millions} million/s asked: received", millions * 0.999, "million/s", at_least=True)
    name = f"{what}, {mode(user)}"
    return Run(user, fields, int(millions * 1e6), [
        (received, "updates/s", 1e-6), (Figure(f"{name}: mean latency", None, "us"), "mean latency", 1),
        (Figure(f"{name}: median latency", None, "us"), "p50", 1), (Figure(f"{name}: 99 % latency", None, "us"), "p99", 1),
        (Figure(f"{name}: consumer", None, "% of a core"), "CPU consumer", 1),
        (Figure(f"{name}: provider", None, "% of a core"), "CPU provider", 1)], **options)


def rates():
    runs = [LimitRun(23), LimitRun(13)]
    for user in (API, USER):
        runs += [rate_run("23 fields", user, 23, 4.0), rate_run("23 fields", user, 23, 6.9)]
        runs.append(rate_run("13 fields", user, 13, 5.5))
        runs.append(rate_run("23 fields, -preEnc -maxPackCount 50", user, 23, 6.0, provider="-preEnc -maxPackCount 50"))
        runs.append(rate_run("23 fields, shared memory", user, 23, 5.0, connection="shmem"))
    return runs


def idle():
    runs = []
    for user in (API, USER):
        runs.append(Run(user, 23, 100000, [
            (Figure(f"100,000/s, {mode(user)}: consumer", 8, "% of a core"), "CPU consumer", 1),
            (Figure(f"100,000/s, {mode(user)}: provider", 6, "% of a core"), "CPU provider", 1),
            (Figure(f"100,000/s, {mode(user)}: mean latency", None, "us"), "mean latency", 1),
            (Figure(f"100,000/s, {mode(user)}: 99.9 % latency", None, "us"), "p99.9", 1)]))
    polling = "-busyPoll -1"
    for what, connection, provider, asked in (("shared memory", "shmem", "", 12), ("TCP", "socket", "", None),
                                              ("TCP, 10,000 ticks/s", "socket", "-tickRate 10000", 12)):
        runs.append(Run(USER, 23, 100000, [
            (Figure(f"100,000/s, consumer never sleeps, {what}: mean latency", asked, "us"), "mean latency", 1),
            (Figure(f"100,000/s, consumer never sleeps, {what}: 99.9 % latency", None, "us"), "p99.9", 1)],
            connection=connection, provider=provider, consumer=polling))
    return runs


def images():
    runs = []
    for user in (API, USER):
        runs.append(Run(user, 23, 100000, [
            (Figure(f"100,000 images at 100,000 updates/s, {mode(user)}", 0.5, "s"), "images, s", 1),
            (Figure(f"mean latency of updates meanwhile, {mode(user)}", 5, "ms"), "mean latency while images come", 1e-3)], seconds=2))
        runs.append(Run(user, 23, 10, [
            (Figure(f"350,000 images, {mode(user)}", 0.7, "s"), "images, s", 1),
            (Figure(f"350,000 items, {mode(user)}: consumer", 90, "MB"), "MB consumer", 1),
            (Figure(f"350,000 items, {mode(user)}: provider", 90, "MB"), "MB provider", 1)], seconds=2, items=350000, provider="-tickRate 10",
            consumer="-requestRate 2000000"))
    return runs


class Steps:
    """Smallest of nine by turns within a program: what is above it is the machine."""

    BENCHMARKS = {
        "BM_BuildPublic": Figure("23 fields built, message ready", 120, "ns"),
        "BM_WalkListPublic": Figure("23 fields read, the list alone", 80, "ns"),
        "BM_WalkListHand": Figure("the same by a loop written by hand", None, "ns"),
        "BM_DecodeShipped": Figure("4,096 updates of the shipped file, header, payload and 23 fields", None, "ns"),
    }
    SUBMITS = {2: Figure("submit of a ready update of 2 fields", 25, "ns"), 23: Figure("submit of a ready update of 23 fields", 25, "ns")}

    def __init__(self):
        self.figures = [(figure, "", 1) for figure in (*self.BENCHMARKS.values(), *self.SUBMITS.values())]

    def once(self):
        out = subprocess.run([BIN / "api_bench", f"--benchmark_filter=^({'|'.join(self.BENCHMARKS)})$", "--benchmark_repetitions=9", "--benchmark_min_time=0.1",
                              "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        times = {}
        for run in json.loads(out)["benchmarks"]:
            if run["run_type"] == "iteration":
                times.setdefault(run["run_name"].partition("/")[0], []).append(run["cpu_time"])
        for name, values in times.items():
            self.BENCHMARKS[name].values.append(min(values))
        text = subprocess.run([BIN / "provider_bench", "submit"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for fields, value in re.findall(r"submit +(\d+) fields: ([0-9.]+) ns", text):
            self.SUBMITS[int(fields)].values.append(float(value))


class GivenBack:
    """Resident sets of both ends before 100,000 items are opened and two minutes after they are closed, for the second time."""

    SECONDS = 120

    def __init__(self):
        self.consumer = Figure("resident set two minutes after 100,000 items were closed, consumer", 120, "% of what it was before")
        self.provider = Figure("the same, provider", 120, "% of what it was before")
        self.figures = [(self.consumer, "", 1), (self.provider, "", 1)]

    def once(self):
        if self.consumer.values:
            return  # once is enough: nothing here depends on the machine's hour
        with tempfile.TemporaryDirectory(prefix="emissary-targets-") as folder:
            where = pathlib.Path(folder)
            for name, ours in {**FILES, "MsgData.xml": "etc/MsgData.xml"}.items():
                (where / name).symlink_to(ROOT / ours)
            port = str(free_port())
            with open(where / "provider.out", "w") as out:
                provider = subprocess.Popen([BIN / "EmaCppIProvPerf", "-p", port, "-updateRate", "0", "-latencyUpdateRate", "0", "-runTime", "600"],
                                            cwd=where, stdout=out, stderr=subprocess.STDOUT)
            sizes, consumer = [], None
            try:
                time.sleep(1)
                with open(where / "consumer.err", "w") as err:
                    consumer = subprocess.Popen([BIN / "given_back_bench", f"localhost:{port}", "100000", str(self.SECONDS)], cwd=where,
                                                stdout=subprocess.PIPE, stderr=err, text=True)
                for line in consumer.stdout:
                    if line.strip() in ("before", "open", "closed"):
                        sizes.append((line.strip(), resident_bytes(consumer.pid), resident_bytes(provider.pid)))
            finally:
                for end in (consumer, provider):
                    if end is not None:
                        stop(end)
            said = (where / "consumer.err").read_text().splitlines()[-1:]
        if [what for what, _, _ in sizes] != ["before", "open", "closed", "open", "closed"]:
            print("given_back_bench did not come to its end, that figure is missing: " + (said[0] if said else f"it ended with {consumer.returncode}"),
                  file=sys.stderr)
            return
        print("memory, MB: " + "; ".join(f"{what} {c / 1e6:.1f} + {p / 1e6:.1f}" for what, c, p in sizes), flush=True)
        for end, figure in ((1, self.consumer), (2, self.provider)):
            figure.values.append(100 * sizes[-1][end] / sizes[0][end])


class Mesh:
    """hub_mesh_bench with so many items: lines of its output, and the figures that they have."""

    def __init__(self, items, rows):
        self.items, self.rows = items, rows
        self.figures = [(figure, "", 1) for _, figures in rows for figure in figures]

    def once(self):
        port = free_port()
        server = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            run = subprocess.run([BIN / "hub_mesh_bench", f"nats://127.0.0.1:{port}", str(self.items), "5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        finally:
            stop(server)
        if run.returncode != 0:
            print(f"hub_mesh_bench {self.items} did not come to its end, some figures are missing: {run.stderr.strip()}", file=sys.stderr)
        for pattern, figures in self.rows:
            found = re.search(pattern, run.stdout)
            for figure, value in zip(figures, found.groups() if found else ()):
                figure.values.append(float(value) * figure.scale)


def mesh():
    def figure(name, asked, unit, scale=1, at_least=False):
        made = Figure(name, asked, unit, at_least)
        made.scale = scale
        return made
    cold = [(r"interest of .*?: ([0-9.]+) s", [figure("mesh: 1,000,000 items asked for by a hub that has none, all images there", 30, "s")]),
            (r"memory of the mesh .*?owner (\d+) MB, edge (\d+) MB", [figure("mesh: memory for these items, owner", None, "MB"),
                                                                        figure("mesh: the same, the hub that asked", None, "MB")])]
    rest = [(r"as many as can be: (\d+) a second", [figure("mesh: updates of 145 bytes from hub to hub", 0.5, "million/s", 1e-6, at_least=True)]),
            (r"delay at 100,000 a second .*?mean (\d+) us", [figure("mesh: mean delay that it adds at 100,000/s", 1, "ms", 1e-3)]),
            (r"resync of .*?lane: ([0-9.]+) s", [figure("mesh: 100,000 items checked after a lost lane", 2, "s")]),
            (r"current with the other one after ([0-9.]+) s", [figure("mesh: owner killed, 100,000 items current with the next one", 3, "s")])]
    return [Mesh(1_000_000, cold), Mesh(100_000, rest)]


def json_pair():
    over = "-websocket rssl.json.v2"
    figures = [(Figure("rssl.json.v2, 23 fields, 100,000/s: consumer", 8, "% of a core"), "CPU consumer", 1),
               (Figure("rssl.json.v2, 23 fields, 100,000/s: provider", 6, "% of a core"), "CPU provider", 1),
               (Figure("rssl.json.v2, 23 fields, 100,000/s: mean latency", None, "us"), "mean latency", 1)]
    return [rate_run("rssl.json.v2, 23 fields", API, 23, 1.5, consumer=over, seconds=10), Run(API, 23, 100000, figures, consumer=over, seconds=10)]


class HubRate:
    """The pair with a hub between, or without one, at one rate (PerfTools/scenarios)."""

    def __init__(self, cache, rate, figures, messages="level1", packed=True):
        self.cache, self.rate, self.rows, self.messages, self.packed = cache, rate, figures, messages, packed
        self.figures = [(figure, "", 1) for figure, _ in figures]

    def row(self, cache):
        with tempfile.TemporaryDirectory(prefix="emissary-targets-") as folder:
            options = arguments("").parse_args(["--bin", str(BIN), "--ports", "free", "--out", folder])
            return at_rate(options, "targets", cache, self.rate, 10, messages=self.messages, packed=self.packed)

    def found(self):
        return [self.row(self.cache)]

    def once(self):
        try:
            found = self.found()
        except Failed as e:
            print(f"the chain at {self.rate:,}/s did not come to its end, its figures are missing: {e}", file=sys.stderr)
            return
        for figure, value in self.rows:
            if (number := value(*found)) is not None:
                figure.values.append(number)


class HubAdds(HubRate):
    """With and without the hub, one behind the other: what it adds is the difference of the two."""

    def found(self):
        return [self.row(self.cache), self.row(None)]


def hub():
    def more(a, b):
        return a["mean us"] - b["mean us"] if a["mean us"] is not None and b["mean us"] is not None else None
    adds = HubAdds("none", 100000, [
        (Figure("hub at 100,000/s: mean latency that it adds", 35, "us"), more),
        (Figure("hub at 100,000/s: processor time an update", 200, "ns"), lambda a, _: a["hub ns/update"]),
        (Figure("hub at 100,000/s: the same, the consumer behind it", 220, "ns"), lambda a, _: a["consumer ns/update"]),
        (Figure("hub at 100,000/s: the same, a consumer without the hub", None, "ns"), lambda _, b: b["consumer ns/update"])], packed=False)
    runs = [adds]
    for what, cache, millions, messages, asked in (("without cache, 74 bytes", "none", 5.0, "level1", 120), ("with cache, 23 fields", "all", 3.0, "fields23", 250)):
        runs.append(HubRate(cache, int(millions * 1e6), [
            (Figure(f"hub {what}, {millions:g} million/s asked: received", millions * 0.999, "million/s", at_least=True), lambda r: r["received/s"] / 1e6),
            (Figure(f"hub {what}, {millions:g} million/s asked: mean latency", 1, "ms"), lambda r: None if r["mean us"] is None else r["mean us"] / 1000),
            (Figure(f"hub {what}, {millions:g} million/s asked: processor time an update", asked, "ns"), lambda r: r["hub ns/update"])], messages=messages))
    return runs


class Books:
    """bookbench, whose CSV has the bare structure's figures of the same packets."""

    MOST = {"mbp": (0.5, 0.25), "mbo": (1.2, 0.5)}  # us, of channel A and B at delay 0

    def __init__(self):
        self.rows = []
        for kind, what in (("mbp", "by price"), ("mbo", "by order")):
            for at, channel in enumerate("AB"):
                for delay in (0, 10, 50):
                    name = f"order books {what}, channel {channel}, delay {delay} ms"
                    self.rows.append((kind, channel, delay, Figure(f"{name}: median beside the bare structure's", 1.6, "times"),
                                      Figure(f"{name}: median", self.MOST[kind][at] if delay == 0 else None, "us"), Figure(f"{name}: 99 %", None, "us")))
        self.figures = [(figure, "", 1) for row in self.rows for figure in row[3:]]

    def once(self):
        with tempfile.TemporaryDirectory(prefix="emissary-targets-") as folder:
            run = subprocess.run([BIN / "bookbench", "--rounds", "0", "--books", "0", "--kind", "mbp,mbo", "--delays", "0,10,50", "--seconds", "5", "--out", folder],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if run.returncode != 0:
                print(f"bookbench did not come to its end, its figures are missing: {run.stderr.strip()}", file=sys.stderr)
                return
            with open(pathlib.Path(folder) / "bookbench.csv", newline="") as file:
                cells = {(cell["kind"], cell["channel"], int(cell["delay ms"])): cell for cell in csv.DictReader(file)}
        for kind, channel, delay, ratio, median, late in self.rows:
            cell = cells[kind, channel, delay]
            ratio.values.append(float(cell["median us"]) / float(cell["bare median us"]))
            median.values.append(float(cell["median us"]))
            late.values.append(float(cell["99% us"]))


GROUPS = {"rates": rates, "idle": idle, "images": images, "steps": lambda: [Steps()], "memory": lambda: [GivenBack()], "mesh": mesh, "json": json_pair, "hub": hub,
          "books": lambda: [Books()]}
PROGRAMS = {"mesh": ["hub_mesh_bench"], "json": ["EmaCppConsPerf", "EmaCppIProvPerf"], "hub": ["EmaCppConsPerf", "EmaCppIProvPerf", "emissary-hub"],
            "books": ["bookbench"]}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--only", nargs="+", choices=list(GROUPS), default=list(GROUPS))
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--markdown", type=pathlib.Path, help="also write the table into this file")
    o = a.parse_args()
    if o.rounds < 1:
        a.error(f"--rounds {o.rounds}: at least 1")
    pair = ["EmaCppConsPerf", "EmaCppIProvPerf", "limit_pair", "api_bench", "provider_bench", "given_back_bench"]
    if "mesh" in o.only and not shutil.which("nats-server"):
        sys.exit("nats-server is not there, which the group mesh needs; install the package nats-server, or name other groups with --only")
    for program in sorted({program for name in o.only for program in PROGRAMS.get(name, pair)}):
        if not os.access(BIN / program, os.X_OK):
            sys.exit(f"{BIN / program} is not there; build first: cmake --preset bench && cmake --build --preset bench")
    groups = {name: GROUPS[name]() for name in o.only}
    runs = [run for group in groups.values() for run in group]
    stopped = False
    try:
        for turn in range(o.rounds):
            for at, run in enumerate(runs):
                print(f"\rround {turn + 1} of {o.rounds}, {at + 1} of {len(runs)} ", end="", file=sys.stderr, flush=True)
                run.once()
    except KeyboardInterrupt:
        stopped = True
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    lines = ["| figure | asked | median (smallest .. largest) | |", "|---|---|---|---|"]
    lines += [figure.line() for run in runs for figure, _, _ in run.figures]
    print("\n".join(lines))
    asked = [figure for run in runs for figure, _, _ in run.figures if figure.asked is not None]
    met = sum(1 for figure in asked if figure.values and figure.met())
    if stopped:
        print(f"\nstopped in round {turn + 1} of {o.rounds}: {met} of {len(asked)} met so far" + (f"; {o.markdown} is not written" if o.markdown else ""))
        return 130
    if o.markdown:
        o.markdown.write_text("\n".join(lines) + "\n")
    print(f"\n{met} of {len(asked)} met, {o.rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
