#!/usr/bin/env python3
"""metrics_pages.py BIN-FOLDER PROMTOOL-SCRIPT: a provider, a hub and a consumer at work; `promtool check metrics` must find nothing
in the counts that each of the three serves."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "PerfTools/scenarios"))
from free_ports import free_ports  # noqa: E402

PATIENCE = 60  # seconds


def page(port, process, name, marks):
    """The page, once it has all these marks: the counts of something that works."""
    text, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            sys.exit(f"{name} ended with {process.returncode}; its output is above")
        try:
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
        except (OSError, urllib.error.URLError):
            text = ""
        if all(mark in text for mark in marks):
            return text
        time.sleep(0.1)
    sys.exit(f"{name}: no page with {marks} within {PATIENCE} s; the last one was\n{text[:2000]}")


def faults(name, text, promtool):
    checked = subprocess.run([promtool, "check", "metrics"], input=text, text=True, capture_output=True, timeout=PATIENCE)
    found = [f"{name}: promtool: {line}" for line in (checked.stdout + checked.stderr).splitlines() if line.strip()]
    if checked.returncode != 0 and not found:
        found = [f"{name}: promtool ended with {checked.returncode}"]
    helps = re.findall(r"^# HELP (\S+)", text, re.M)
    found += [f"{name}: {h} has {helps.count(h)} HELP lines" for h in sorted(set(helps)) if helps.count(h) > 1]
    for wanted in ("emissary_build_info", "process_start_time_seconds", "emissary_uptime_seconds", "process_resident_memory_bytes"):
        if wanted not in helps:
            found.append(f"{name}: {wanted} is missing")
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    promtool = subprocess.run([sys.argv[2]], check=True, capture_output=True, text=True).stdout.strip()
    provider, provider_page, consumers, publishers, hub_page, consumer_page = free_ports(6)
    running = []

    def start(program, arguments, environment):
        running.append(subprocess.Popen([folder / program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=sys.stderr, env={**os.environ, **environment}))
        return running[-1]

    with tempfile.TemporaryDirectory() as work:
        try:
            one = start("EmaCppIProvPerf", ["-providerName", "Perf_Provider_1", "-p", provider, "-runTime", 300, "-summaryFile",
                                            f"{work}/ProvSummary.out", "-statsFile", f"{work}/ProvStats"],
                        {"EMISSARY_IPROVIDER_Perf_Provider_1_MetricsPort": str(provider_page)})
            two = start("emissary-hub", ["-source", f"localhost:{provider}", "-port", consumers, "-niPort", publishers,
                                         "-httpPort", hub_page], {})
            three = start("EmaCppConsPerf", ["-consumerName", "Perf_Consumer_1", "-p", consumers, "-itemCount", 100,
                                             "-steadyStateTime", 300, "-summaryFile", f"{work}/ConsSummary.out", "-statsFile",
                                             f"{work}/ConsStats"],
                          {"EMISSARY_CONSUMER_Perf_Consumer_1_MetricsPort": str(consumer_page)})
            found = []
            for name, port, process, marks in (
                    ("provider", provider_page, one, ["emissary_channel_messages_written_total"]),
                    ("hub", hub_page, two, ["emissary_hub_updates_in_total{", "emissary_hub_clients{hub="]),
                    ("consumer", consumer_page, three, ["emissary_channel_messages_read_total"])):
                found += faults(name, page(port, process, name, marks), promtool)
        finally:
            for process in reversed(running):
                process.terminate()
            for process in running:
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
    print("\n".join(found) if found else "promtool finds nothing in the counts of provider, hub and consumer")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
