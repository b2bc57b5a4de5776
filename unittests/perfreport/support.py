"""Files of runs, written as the tools write them, and the program to read them."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "tools/perfreport"
PROGRAM = os.environ.get("PERFREPORT")  # the installed program; else the sources
sys.path.insert(0, str(SOURCE))

CONSUMER_HEADER = (
    "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), Images, "
    "Update rate (msg/sec), Posting Latency updates, Posting Latency avg (usec), Posting Latency std dev (usec), "
    "Posting Latency max (usec), Posting Latency min (usec), GenMsgs sent, GenMsgs received, GenMsg Latencies sent, "
    "GenMsg latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), "
    "GenMsg Latency min (usec), CPU usage (%), Memory (MB)\n")
PROVIDER_HEADER = (
    "UTC, Requests received, Images sent, Updates sent, Posts reflected, GenMsgs sent, GenMsgs received, "
    "GenMsg Latencies sent, GenMsg Latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), "
    "GenMsg Latency max (usec), GenMsg Latency min (usec), CPU usage (%), Memory (MB)\n")
NI_HEADER = "UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n"
TRANSPORT_HEADER = (
    "UTC, Msgs sent, Bytes sent, Msgs received, Bytes received, Latency msgs received, Latency avg (usec), "
    "Latency std dev (usec), Latency max (usec), Latency min (usec), CPU usage (%), Memory (MB)\n")
HUB_HEADER = ("UTC, Updates received, Updates sent, Output queued (bytes), Requests waiting, Statuses waiting, Records waiting, "
              "CPU usage (%), Memory (MB)\n")
LATENCY_HEADER = "Message type, Send time, Receive time, Latency (usec)\n"
TRANSPORT_LATENCY_HEADER = "Send Time, Receive Time, Latency(nsec)\n"


def utc(second):
    return f"2026-01-31 10:{second // 60:02}:{second % 60:02}"


def consumer_row(second, latencies=10, average=50.0, most=900.0, images=0, rate=1000, generics=0, cpu=12.5, memory=33.25):
    return (f"{utc(second)}, {latencies}, {average:.1f}, 3.0, {most:.1f}, 9.0, {images}, {rate}, 0, 0.0, 0.0, 0.0, 0.0, "
            f"{generics}, {generics}, 0, 0, 0.0, 0.0, 0.0, 0.0, {cpu:.2f}, {memory:.2f}\n")


def provider_row(second, updates=5000, images=0):
    return f"{utc(second)}, {images}, {images}, {updates}, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 20.00, 40.00\n"


def transport_row(second, sent=5000, latencies=10, average=20.0, most=40.0):
    return (f"{utc(second)}, {sent}, {sent * 1048}, {sent}, {sent * 1048}, {latencies}, {average:.3f}, 1.000, {most:.3f}, "
            f"5.000, 7.00, 8.00\n")


def hub_row(second, received=5000, sent=15000, queued=4096, requests=0):
    return f"{utc(second)}, {received}, {sent}, {queued}, {requests}, 0, 0, 44.00, 120.50\n"


def latency_rows(count, kind="Upd", first=1000000, step=1000, latency=lambda i: 10 + i % 100):
    return "".join(f"{kind}, {first + i * step}, {first + i * step + latency(i)}, {latency(i)}\n" for i in range(count))


CONSUMER_SUMMARY = """\
--- TEST INPUTS ---

       Steady State Time: 10
                Username: (use system login name)
        Latency Log File: latency

--- OVERALL SUMMARY ---

Startup State Statistics:
  Sampling duration (sec): 0.571
  No latency information received during startup time.
  Avg update rate: 49969

Test Statistics:
  Requests sent: 20000
"""
PROVIDER_SUMMARY = """\
--- TEST INPUTS ---
                Run Time: 18
           Provider Name: Perf_Provider_1
        Latency Log File: (none)
    Write Stats Interval: 5

--- OVERALL SUMMARY ---
Overall Statistics:
  Updates sent: 529900
"""
TRANSPORT_SUMMARY = """\
--- TEST INPUTS ---
                 Runtime: 7 sec
                App Type: client
    Write Stats Interval: 1

--- OVERALL SUMMARY ---
Statistics:
  Latency quantiles (usec): p50: 27.007 p99: 301.055 p99.9: 2047.999 Max: 4123.978
  Msgs Sent: 699900
"""


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="perfreport-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, *parts):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(parts), encoding="utf-8")
        return str(path)

    def consumer(self, name, rows=6, threads=1, rate=1000):
        """The folder of a consumer's run."""
        for thread in range(1, threads + 1):
            self.write(f"{name}/ConsStats{thread}.csv", CONSUMER_HEADER, *(
                consumer_row(i, rate=rate, images=100 if i == 0 else 0) for i in range(rows)))
            self.write(f"{name}/latency{thread}.csv", LATENCY_HEADER, latency_rows(3000, step=2000))
        self.write(f"{name}/ConsSummary.out", CONSUMER_SUMMARY)
        return str(self.folder / name)

    def run_program(self, *arguments):
        """Exit code, standard output, standard error."""
        command = [PROGRAM] if PROGRAM else [sys.executable, "-B", str(SOURCE)]
        done = subprocess.run(command + list(arguments), cwd=self.folder, capture_output=True, text=True, timeout=60,
                              check=False)
        return done.returncode, done.stdout, done.stderr
