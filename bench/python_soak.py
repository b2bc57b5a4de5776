#!/usr/bin/env python3
"""python_soak.py HOST [MINUTES]: one process reads through the Python package for an hour (or MINUTES), in every way that there is, while
sessions, items and snapshots come and go beside it. Writes resident memory, blocks of the interpreter and descriptors once a minute, and
ends with 1 when one of them has grown: the last quarter beside the second (2: it could not tell). Ctrl-C ends it early, with its verdict.

The provider should send what the reader keeps up with, for example EmaCppIProvPerf -updateRate 100000."""
import asyncio
import gc
import os
import pathlib
import signal
import sys
import time

import emissary

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "PerfTools/scenarios"))
from growth import FEWEST, growth  # noqa: E402

host, minutes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
FIVE = ["BID", "ASK", "BIDSIZE", "ASKSIZE", "TIMACT"]
NAMES = [f"EMI{i:07d}.X" for i in range(1, 10_001)]
GROWTH = {"resident MB": 1.02, "blocks": 1.02, "descriptors": 1.0}
stop = False


def ask_to_stop(*_):
    global stop
    stop = True


def measured():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {"resident MB": resident / 1e6, "blocks": sys.getallocatedblocks(), "descriptors": len(os.listdir("/proc/self/fd"))}


def five(batch):
    for message in batch.messages():
        message.get("BID"), message.get("ASK"), message.get("TIMACT")


READERS = [five, lambda batch: batch.dicts(), lambda batch: batch.__arrow_c_array__(), lambda batch: batch.numpy("BID").sum(),
           lambda batch: [repr(message) for message in batch.messages()[:10]]]


async def some(names):
    """What a short program does: a session of its own, a snapshot, items by `async for`, and all of it closed."""
    with emissary.connect(host, service="DIRECT_FEED") as session:
        session.snapshot(names, FIVE, timeout=30)
        session.open(names[:20])
        seen = 0
        async for _ in session:
            seen += 1
            if seen == 200:
                break


def main():
    signal.signal(signal.SIGINT, ask_to_stop)
    signal.signal(signal.SIGTERM, ask_to_stop)
    rows, updates, cycles, begun = [], 0, 0, time.monotonic()
    with emissary.connect(host, service="DIRECT_FEED") as session:
        session.columns(FIVE)
        session.open(NAMES[:1000])
        while not stop and (spent := time.monotonic() - begun) < 60 * minutes:
            turn = time.monotonic() + 5
            while not stop and time.monotonic() < turn:
                batch = session.next_batch(5000, 1)
                READERS[updates // 5000 % len(READERS)](batch)
                updates += len(batch)
            for item in session.open(NAMES[5000 + cycles % 100:5100 + cycles % 100]):
                item.close()
            asyncio.run(some(NAMES[cycles % 50 * 100:cycles % 50 * 100 + 100]))
            cycles += 1
            if spent >= 60 * len(rows):
                rows.append(measured())
                shown = ", ".join(f"{value:,.1f} {name}" for name, value in rows[-1].items())
                print(f"{spent / 60:5.1f} min  {updates:13,} updates  {cycles:5} sessions  {shown}", flush=True)
    verdicts = growth(rows, GROWTH)
    if verdicts is None:
        print(f"No verdict: {len(rows)} rows, and it takes {FEWEST} (one a minute).")
        return 2
    for v in verdicts:
        print(f"{v['what']}: {v['second quarter']:,.1f} in the second quarter, {v['last quarter']:,.1f} in the last: {'GROWN' if v['grown'] else 'flat'}")
    return 1 if any(v["grown"] for v in verdicts) else 0


try:
    sys.exit(main())
except emissary.EmissaryError as error:
    print(f"No verdict: {error}")
    sys.exit(2)
