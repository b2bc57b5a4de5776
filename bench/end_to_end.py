#!/usr/bin/env python3
"""Runs EmaCppIProvPerf and EmaCppConsPerf as a pair and prints what they sustain.

    bench/end_to_end.py                     images, latency at 100,000/s and the highest rate, both dispatch modes
    bench/end_to_end.py --only rate --dispatch user --rates 500000,1000000,1500000
    bench/end_to_end.py --bin build/bench/bin --only many packed websocket threads resubscribe    what else is promised

many         350,000 items: time, memory, and what both cost when nothing moves
packed       -maxPackCount 50 -preEnc, and the highest rate
websocket    the highest rates over plain TCP, rssl.rwf and rssl.json.v2
threads      -threads 1 and 2 on both tools, the highest rates
resubscribe  100,000 items after the provider was killed and started again (needs the bench preset's build)

A rate is sustained when the consumer receives at least 99 % of the updates due in steady state and its latency does not
grow over the run (the mean of the last third is less than three times that of the first third, plus a millisecond).
CPU is in percent of one core, memory is the resident set. Needs Python 3 and a Release build; nothing else.
"""
import argparse
import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "PerfTools/scenarios"))
from free_ports import free_ports  # noqa: E402


def free_port():
    return free_ports(1)[0]


def rows(path):
    """The lines of a statistics file, without the remarks that stand between them."""
    with open(path, newline="") as f:
        return [{k.strip(): v.strip() for k, v in r.items() if k} for r in csv.DictReader(f) if None not in r.values()]


def stop(process):
    """As Ctrl-C does, so that it writes its summary; killed when it does not end."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()


def number(row, name):
    return float(row[name])


class Pair:
    """One provider and one consumer in a folder of their own."""

    def __init__(self, binaries, items, rate, seconds, dispatch, request_rate, extra_provider=(), extra_consumer=()):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="emissary-bench-"))
        for name in ("EmaConfig.xml", "RDMFieldDictionary", "enumtype.def", "MsgData.xml", "350k.xml"):
            (self.dir / name).symlink_to((binaries / name).resolve())
        port = free_port()
        user = "1" if dispatch == "user" else "0"
        self.seconds = seconds
        self.rate = rate
        common = ["-useUserDispatch", user, "-writeStatsInterval", "1", "-p", str(port)]
        self.provider = [str(binaries / "EmaCppIProvPerf"), "-providerName", "Perf_Provider_1", "-updateRate", str(rate),
                         "-runTime", str(seconds + 30), *common, *extra_provider]
        self.consumer = [str(binaries / "EmaCppConsPerf"), "-consumerName", "Perf_Consumer_1", "-h", "localhost", "-itemCount",
                         str(items), "-requestRate", str(request_rate), "-steadyStateTime", str(seconds),
                         "-delaySteadyStateCalc", "1000", *common, *extra_consumer]

    def run(self):
        out_p, out_c = open(self.dir / "provider.out", "w"), open(self.dir / "consumer.out", "w")
        provider = subprocess.Popen(self.provider, cwd=self.dir, stdout=out_p, stderr=subprocess.STDOUT)
        time.sleep(0.5)
        try:
            subprocess.run(self.consumer, cwd=self.dir, stdout=out_c, stderr=subprocess.STDOUT, timeout=self.seconds + 120, check=False)
        finally:
            stop(provider)
        return self.result()

    def result(self):
        summary = (self.dir / "ConsSummary.out").read_text()
        overall = summary[summary.index("OVERALL SUMMARY"):]
        threads = [rows(path) for path in sorted(self.dir.glob("ConsStats*.csv"))]  # -updateRate is for each connection
        cons, prov = threads[0], rows(self.dir / "ProvStats1.csv")
        # Whole seconds after the images are there; the first and last are cut by the start and the end.

        def steady_of(lines):
            return [r for r in lines if number(r, "Images") == 0 and number(r, "Update rate (msg/sec)") > 0][1:-1] or lines[-1:]

        steady = steady_of(cons)
        sent = [r for r in prov if number(r, "Updates sent") > 0][2:-2] or prov[-1:]
        third = max(1, len(steady) // 3)

        def mean(group, name):
            return sum(number(r, name) for r in group) / len(group)

        def summary_value(label):
            m = re.search(re.escape(label) + r"\s*:\s*([0-9.]+)", overall)
            return float(m.group(1)) if m else float("nan")

        steady_part = overall[overall.index("Steady State Statistics"):]
        latency = re.search(r"Latency avg \(usec\)\s*:\s*([0-9.]+)", steady_part)
        rate = sum(mean(steady_of(lines), "Update rate (msg/sec)") for lines in threads)
        due = self.rate * len(threads)
        first, last = mean(steady[:third], "Latency avg (usec)"), mean(steady[-third:], "Latency avg (usec)")
        return {
            "rate": rate, "received %": 100 * rate / due if due else 0, "latency": float(latency.group(1)) if latency else float("nan"),
            "flat": last < 3 * first + 1000, "cons cpu": mean(steady, "CPU usage (%)"), "prov cpu": mean(sent, "CPU usage (%)"),
            "cons MB": max(number(r, "Memory (MB)") for r in cons), "prov MB": max(number(r, "Memory (MB)") for r in prov),
            "idle cons": min(number(r, "CPU usage (%)") for r in cons), "idle prov": min(number(r, "CPU usage (%)") for r in prov),
            "images s": summary_value("Image retrieval time (sec)"), "percentiles": self.percentiles(),
        }

    def percentiles(self):
        lines = [line for line in (self.dir / "consumer.out").read_text().splitlines() if "p99.9" in line]
        return lines[-1].strip() if lines else ""

    def clean(self):
        shutil.rmtree(self.dir, ignore_errors=True)


def resubscribe(binaries, items=100000, rounds=3):
    """The consumer is a program of its own: the performance consumer ends with its connection."""
    program = binaries / "resubscribe_bench"
    if not program.exists():
        sys.exit(f"{program} is not there; build it first: cmake --preset bench && cmake --build --preset bench")
    pair = Pair(binaries, items, 0, 0, "api", 0)
    provider_command = [word if word != "30" else "600" for word in pair.provider] + ["-latencyUpdateRate", "0"]
    port = pair.provider[pair.provider.index("-p") + 1]

    def start():
        return subprocess.Popen(provider_command, cwd=pair.dir, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)

    def line(beginning):  # among what the library logs
        return next((text.strip() for text in consumer.stdout if text.startswith(beginning)), "the consumer ended")

    provider = start()
    time.sleep(0.5)
    consumer = subprocess.Popen([str(program), f"localhost:{port}", str(items)], cwd=pair.dir, stdout=subprocess.PIPE, text=True)
    try:
        print("resubscribe:", line("ready"), flush=True)
        for _ in range(rounds):
            provider.kill()
            provider.wait()
            provider = start()
            print("resubscribe:", line("again"), "after the connection was back", flush=True)
    finally:
        consumer.kill()
        provider.kill()
        provider.wait()
        pair.clean()


def show(r):
    return (f"{r['rate']:>10.0f} upd/s  {r['received %']:6.1f} %  mean {r['latency']:8.1f} us  "
            f"CPU cons {r['cons cpu']:5.1f} % prov {r['prov cpu']:5.1f} %  RSS cons {r['cons MB']:6.1f} MB prov {r['prov MB']:6.1f} MB")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    arguments.add_argument("--only", nargs="+", choices=["images", "latency", "rate", "many", "packed", "websocket", "threads", "resubscribe"],
                           default=["images", "latency", "rate"])
    arguments.add_argument("--dispatch", choices=["api", "user"])
    arguments.add_argument("--items", type=int, default=100000)
    arguments.add_argument("--seconds", type=int, default=10, help="steady state of one run")
    arguments.add_argument("--rates", default="500000,1000000,1300000,1600000,2000000,2500000,3000000,4000000")
    arguments.add_argument("--keep", action="store_true", help="keep the runs' folders and print them")
    a = arguments.parse_args()
    if not (a.bin / "EmaCppConsPerf").exists():
        sys.exit(f"{a.bin}/EmaCppConsPerf is not there; build first: cmake --preset release && cmake --build --preset release")
    a.bin = a.bin.resolve()
    modes = [a.dispatch] if a.dispatch else ["api", "user"]
    cores = os.cpu_count()
    print(f"# {cores} cores, {a.items} items, {a.seconds} s of steady state a run")

    def once(*args):
        pair = Pair(a.bin, *args)
        try:
            return pair.run()
        finally:
            if a.keep:
                print("  folder:", pair.dir)
            else:
                pair.clean()

    def highest(title, mode, extra_provider=(), extra_consumer=()):
        best = None
        for rate in (int(x) for x in a.rates.split(",")):
            r = once(a.items, rate, a.seconds, mode, 500000, extra_provider, extra_consumer)
            good = r["received %"] >= 99 and r["flat"]
            print(f"{title}, -updateRate {rate:>8}: {show(r)}  {'sustained' if good else 'NOT sustained'}", flush=True)
            if not good:
                break
            best = rate
        print(f"{title}: highest rate sustained {best or 'none of these'}", flush=True)

    for mode in modes:
        if "images" in a.only:
            r = once(a.items, 0, 2, mode, 500000, ("-latencyUpdateRate", "0"))
            print(f"{mode:4} dispatch, images at -requestRate 500000: {r['images s']:.3f} s  RSS cons {r['cons MB']:.1f} MB prov {r['prov MB']:.1f} MB")
        if "latency" in a.only:
            r = once(a.items, 100000, a.seconds, mode, 500000, ("-latencyUpdateRate", "500"))
            print(f"{mode:4} dispatch, 100,000/s: {show(r)}\n     {r['percentiles']}")
        if "rate" in a.only:
            highest(f"{mode:4} dispatch", mode)
        if "many" in a.only:
            r = once(350000, 0, max(a.seconds, 10), mode, 500000, ("-latencyUpdateRate", "0"))
            print(f"{mode:4} dispatch, 350,000 images at -requestRate 500000: {r['images s']:.3f} s  RSS cons {r['cons MB']:.1f} MB "
                  f"prov {r['prov MB']:.1f} MB; idle afterwards: cons {r['idle cons']:.2f} % prov {r['idle prov']:.2f} % of a core", flush=True)
        if "packed" in a.only:
            highest(f"{mode:4} dispatch, -maxPackCount 50 -preEnc", mode, ("-maxPackCount", "50", "-preEnc"))
        if "threads" in a.only:
            for threads in (1, 2):
                many = ("-threads", ",".join(["-1"] * threads))
                highest(f"{mode:4} dispatch, {threads} thread(s) each", mode, many, many)
        if "websocket" in a.only:
            highest(f"{mode:4} dispatch, TCP", mode)
            for protocol in ("rssl.rwf", "rssl.json.v2"):
                highest(f"{mode:4} dispatch, {protocol}", mode, (), ("-websocket", protocol))
    if "resubscribe" in a.only:
        resubscribe(a.bin)


if __name__ == "__main__":
    main()
