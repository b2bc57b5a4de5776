#!/usr/bin/env python3
"""Runs TransportPerf, server to client, and beside it a bare program that sends the same batches; prints both and the ratio.

    bench/transport_rates.py                        every line: highest rates, then latency at 100,000 messages/s
    bench/transport_rates.py --only tcp-packed tls  only these; --list names them
    bench/transport_rates.py --short                half a second each, once: shows that everything works, not how fast

Each line is measured --repeat times, the two programs in turn, so that a machine with other work disturbs both alike; the
medians are printed. The rate of TransportPerf is what its client counts in whole seconds of steady state, at a message
rate above what can be carried; latency is the mean that its client reports. Targets are issue 5's; `met` compares the
medians. Needs a Release build with benchmarks (cmake --preset bench && cmake --build --preset bench), Python 3 and, for
TLS, the program openssl.
"""
import argparse
import csv
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from end_to_end import ROOT, free_port

TLS_SERVER = ["-cert", "{certificates}/server.pem", "-keyfile", "{certificates}/server-key.pem"]
TLS_CLIENT = ["-castore", "{certificates}/ca.pem"]


class Line:
    """One line of the table: what both programs are asked for, and what issue 5 wants to see."""

    def __init__(self, name, text, connection, raw, rate=None, pack=1, compression=None, busy="", floor=None, ratio=None,
                 ceiling=None):
        self.name, self.text, self.connection, self.raw = name, text, connection, raw
        self.rate, self.pack, self.compression, self.busy = rate, pack, compression, busy
        self.floor, self.ratio, self.ceiling = floor, ratio, ceiling  # messages/s; part of the raw rate; microseconds

    @property
    def measures_latency(self):
        return self.rate is not None


LINES = [
    Line("tcp", "TCP", "socket", "tcp", floor=10e6),
    Line("tcp-packed", "TCP, 50 packed", "socket", "tcp", pack=50, floor=20e6, ratio=0.8),
    Line("tls", "TLS 1.3", "encrypted", "tls", floor=8e6),
    Line("tls-packed", "TLS 1.3, 50 packed", "encrypted", "tls", pack=50, floor=12e6),
    Line("shmem", "shared memory", "shmem", "ring", floor=15e6),
    Line("shmem-packed", "shared memory, 50 packed", "shmem", "ring", pack=50),
    Line("lz4", "TCP, LZ4", "socket", None, compression="lz4", floor=4e6),
    Line("lz4-packed", "TCP, LZ4, 50 packed", "socket", None, compression="lz4", pack=50),
    Line("zlib", "TCP, zlib", "socket", None, compression="zlib", floor=0.6e6),
    Line("zlib-packed", "TCP, zlib, 50 packed", "socket", None, compression="zlib", pack=50),
    Line("tcp-latency", "TCP", "socket", "tcp", rate=100000, ratio=1.1),
    Line("tcp-latency-busy", "TCP, -busyRead at both ends", "socket", "tcp", rate=100000, busy="both", ratio=1.1, ceiling=8),
    Line("tcp-latency-busy-client", "TCP, -busyRead at the client", "socket", "tcp", rate=100000, busy="reader", ratio=1.1, ceiling=8),
    Line("tls-latency", "TLS 1.3", "encrypted", "tls", rate=100000),
    Line("shmem-latency", "shared memory", "shmem", None, rate=100000),
    Line("shmem-latency-busy", "shared memory, -busyRead at the client", "shmem", "ring", rate=100000, busy="reader", ceiling=2),
]


class Stage:
    """What the runs share: the programs, certificates, and how long and with which batches they run."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.certificates = folder / "certificates"

    def make_certificates(self):
        if not self.certificates.exists():
            subprocess.run([ROOT / "dev/make_test_certificates.sh", self.certificates, "localhost", "127.0.0.1"], check=True)

    def fill(self, words):
        return [w.format(certificates=self.certificates) for w in words]

    def transport_perf(self, line):
        """Messages a second, or microseconds of latency."""
        o = self.options
        port = str(free_port())
        common = [str(o.bin / "TransportPerf"), "-connType", line.connection, "-p", port, "-writeStatsInterval", "1",
                  "-outputBufs", str(o.output_buffers), "-highWaterMark", str(o.high_water)]
        if line.busy == "both":
            common.append("-busyRead")
        if line.compression:
            common += ["-compressionType", line.compression]
        rate = line.rate or o.over_rate
        # One second more than is counted at each end: the first and the last are cut by the start and the end.
        seconds = max(1, round(o.seconds)) + 2
        server = common + ["-appType", "server", "-runTime", str(seconds + 20), "-msgRate", str(rate), "-pack", str(line.pack),
                           "-latencyMsgRate", "1000" if line.measures_latency else "0"]
        client = common + ["-appType", "client", "-runTime", str(seconds), "-h", "localhost", "-msgRate", "0"]
        if line.busy == "reader":  # the sender has nothing to read; two who poll leave no core for the rest of a small machine
            client.append("-busyRead")
        if line.connection == "encrypted":
            server += self.fill(TLS_SERVER)
            client += self.fill(TLS_CLIENT)
        with tempfile.TemporaryDirectory(dir=self.folder) as there:
            sides = {}
            for side in "server", "client":
                sides[side] = pathlib.Path(there) / side
                sides[side].mkdir()
            with open(sides["server"] / "out", "w", encoding="utf-8") as out:
                serving = subprocess.Popen(server, cwd=sides["server"], stdout=out, stderr=subprocess.STDOUT)
            try:
                self.wait_until_bound(serving, sides["server"] / "out")
                done = subprocess.run(client, cwd=sides["client"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      timeout=seconds + 60, check=False)
            finally:
                serving.send_signal(signal.SIGINT)
                try:
                    serving.wait(20)
                except subprocess.TimeoutExpired:
                    serving.kill()
                    serving.wait()
            if done.returncode != 0:
                sys.exit(f"Error: TransportPerf's client ended with {done.returncode} ({line.name}):\n{done.stdout}\n"
                         f"server:\n{(sides['server'] / 'out').read_text()}")
            return self.read(line, sides["client"], done.stdout)

    @staticmethod
    def wait_until_bound(process, out):
        deadline = time.monotonic() + 20
        while "Server bound" not in out.read_text(encoding="utf-8"):
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"Error: TransportPerf's server did not start:\n{out.read_text(encoding='utf-8')}")
            time.sleep(0.02)

    @staticmethod
    def read(line, folder, text):
        files = list(folder.glob("TransportStats*.csv"))
        if len(files) != 1:
            sys.exit(f"Error: the client left {len(files)} statistics files instead of one ({line.name}):\n{text}")
        with open(files[0], newline="", encoding="utf-8") as f:
            rows = [{k.strip(): v.strip() for k, v in row.items() if k} for row in csv.DictReader(f)]
        steady = [row for row in rows[1:] if float(row["Msgs received"]) > 0]
        if len(steady) > 1:
            steady = steady[:-1]
        if not steady:
            sys.exit(f"Error: the client received nothing in steady state ({line.name}):\n{text}")
        if line.measures_latency:
            weights = [float(row["Latency msgs received"]) for row in steady]
            return sum(float(row["Latency avg (usec)"]) * w for row, w in zip(steady, weights)) / sum(weights)
        return statistics.fmean(float(row["Msgs received"]) for row in steady)

    def bare(self, line):
        o = self.options
        command = [str(o.bin / "raw_transport"), line.raw, "--pack", str(line.pack), "--block", str(o.high_water), "--seconds",
                   str(o.seconds)]
        if line.rate:
            command += ["--rate", str(line.rate)]
        if line.busy:
            command += ["--busy", line.busy]
        if line.raw == "tls":
            command += self.fill(["--cert", "{certificates}/server.pem", "--key", "{certificates}/server-key.pem"])
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=o.seconds + 60,
                              check=False)
        values = dict(re.findall(r"(\w+)=(\S+)", done.stdout))
        if done.returncode != 0 or "rate" not in values:
            sys.exit(f"Error: {' '.join(command)}: {done.stdout}")
        return float(values["mean" if line.measures_latency else "rate"])


def verdict(line, ours, raw):
    """(targets in words, whether they are met); no target: ('', None)."""
    words, met = [], []
    if line.floor is not None:
        words.append(f">= {line.floor / 1e6:g} M")
        met.append(ours >= line.floor)
    if line.ceiling is not None:
        words.append(f"< {line.ceiling:g} us")
        met.append(ours < line.ceiling)
    if line.ratio is not None and raw:
        words.append(f"{'<=' if line.measures_latency else '>='} {line.ratio:g} x raw")
        met.append(ours <= line.ratio * raw if line.measures_latency else ours >= line.ratio * raw)
    return ", ".join(words), all(met) if met else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bench/bin")
    arguments.add_argument("--only", nargs="+", metavar="NAME", choices=[line.name for line in LINES])
    arguments.add_argument("--list", action="store_true", help="name the lines and stop")
    arguments.add_argument("--seconds", type=float, default=5, help="steady state of one run")
    arguments.add_argument("--repeat", type=int, default=3)
    arguments.add_argument("--short", action="store_true", help="one second, once")
    arguments.add_argument("--high-water", type=int, default=6000, help="bytes of a block, for both programs (default: %(default)s)")
    arguments.add_argument("--output-buffers", type=int, default=5000, help="-outputBufs of TransportPerf (default: %(default)s)")
    arguments.add_argument("--over-rate", type=int, default=100_000_000, help="-msgRate of the lines that look for the highest rate")
    o = arguments.parse_args()
    if o.list:
        print("\n".join(line.name for line in LINES))
        return
    if o.short:
        o.seconds, o.repeat = 1, 1
    o.bin = o.bin.resolve()
    for program in "TransportPerf", "raw_transport":
        if not (o.bin / program).exists():
            sys.exit(f"{o.bin / program} is not there; build first: cmake --preset bench && cmake --build --preset bench")
    print(f"# {os.cpu_count()} cores, 76-byte messages, {o.seconds:g} s a run, medians of {o.repeat}, blocks of {o.high_water} bytes")
    print(f"{'':18} {'':26} {'TransportPerf':>16} {'bare program':>16} {'ratio':>6}  target")
    failed = False
    with tempfile.TemporaryDirectory(prefix="emissary-bench-") as folder:
        stage = Stage(o, pathlib.Path(folder))
        for line in LINES:
            if o.only and line.name not in o.only:
                continue
            if "tls" in line.name:
                stage.make_certificates()
            ours, raw = [], []
            for _ in range(o.repeat):
                if line.raw:
                    raw.append(stage.bare(line))
                ours.append(stage.transport_perf(line))
            a, b = statistics.median(ours), statistics.median(raw) if raw else None
            target, met = verdict(line, a, b)
            failed |= met is False

            def shown(value):
                if value is None:
                    return "-"
                return f"{value:.2f} us" if line.measures_latency else f"{value / 1e6:.2f} M/s"

            print(f"{line.name:18} {line.text:26} {shown(a):>16} {shown(b):>16} {f'{a / b:.2f}' if b else '-':>6}  {target}"
                  f"{'' if met is None else '  met' if met else '  NOT MET'}", flush=True)
    sys.exit(1 if failed and not o.short else 0)


if __name__ == "__main__":
    main()
