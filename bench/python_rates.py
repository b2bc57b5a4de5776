#!/usr/bin/env python3
"""python_rates.py HOST [SECONDS]: updates per second through the Python package, one way of reading after the other; and the time of a
snapshot and of the import. The provider must send more than is read, for example
EmaCppIProvPerf -updateRate 4000000 -maxPackCount 50 -preEnc."""
import subprocess
import sys
import time

import emissary

host, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
FIVE = ["BID", "ASK", "BIDSIZE", "ASKSIZE", "TIMACT"]
NAMES = [f"EMI{i:07d}.X" for i in range(1, 100_001)]


def rate(name, fields, use, real="decimal", rows=10_000, items=1000):
    with emissary.connect(host, service="DIRECT_FEED", real=real, dispatch_max=6500) as session:
        session.columns(fields)
        session.open(NAMES[:items])
        seen = 0
        while seen < items:
            seen += len(session.next_batch(rows, 5))
        count, begun, cpu = 0, time.perf_counter(), time.process_time()
        while (spent := time.perf_counter() - begun) < seconds:
            batch = session.next_batch(rows, 5)
            use(batch)
            count += len(batch)
        busy = (time.process_time() - cpu) / spent
    print(f"{name:44} {count / spent:12,.0f} updates/s  {100 * busy:4.0f} % of a core  {count / spent / busy:12,.0f} per busy second", flush=True)


def five_fields(batch):
    for message in batch.messages():
        message.get("BID"), message.get("ASK"), message.get("BIDSIZE"), message.get("ASKSIZE"), message.get("TIMACT")


rate("callback, 5 fields read, Decimal", FIVE, five_fields)
rate("callback, 5 fields read, float", FIVE, five_fields, "float")
rate("dict of all fields a message, Decimal", [], lambda batch: batch.dicts())
rate("dict of 5 fields a message, Decimal", FIVE, lambda batch: batch.dicts())
rate("dict of all fields a message, float", [], lambda batch: batch.dicts(), "float")
rate("Arrow, 5 fields", FIVE, lambda batch: batch.__arrow_c_array__())
rate("Arrow, all fields", [], lambda batch: batch.__arrow_c_array__())
with emissary.connect(host, service="DIRECT_FEED", dispatch_max=6500) as session:
    begun = time.perf_counter()
    table = session.snapshot(NAMES, FIVE, timeout=60)
    table.__arrow_c_stream__()
    print(f"snapshot of {len(table):,} items: {time.perf_counter() - begun:.2f} s")
times = []
for _ in range(5):
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    bare = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import emissary"], check=True)
    times.append(time.perf_counter() - bare - (bare - begun))
print(f"import: {1000 * sorted(times)[2]:.0f} ms")
