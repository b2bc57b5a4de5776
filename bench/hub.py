#!/usr/bin/env python3
"""The hub's figures (docs/spec/hub.md 16), each beside the direct pair where there is one, in one run.

    bench/hub.py                        everything, 10 s a run
    bench/hub.py --only added fanout    parts: rate cached added fanout memory images recovery storm

rate      provider -> hub -> consumer, 74-byte payload, no cache: the highest rate with a mean below 1 ms; the direct pair at the same rates
cached    the same with 23 fields, 100,000 items and the hub's cache
added     mean latency at 100,000/s with and without the hub, in turn, --pairs times
fanout    one provider, 100 connections that all open the same items
memory    1,000,000 cached items of 70 fields
images    100,000 images for a consumer that comes late
recovery  100,000 items after the provider was killed and started again
storm     5,000 connections at once, and again after the hub was killed

Three processes share the machine's processors, so the processor time of each for one update is printed. Needs Python 3 and a
Release build; nothing else.
"""
import json
import pathlib
import signal
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "PerfTools/scenarios"))
from measure import Chain, at_rate, check_programs, commit, fan_out, machine  # noqa: E402
from scenario import arguments, main, table, write_csv  # noqa: E402


def say(name, rows):
    print(f"\n{name}", flush=True)
    print(table(rows), flush=True)


def rates(options, name, cache, messages):
    rows = []
    for path in (None, cache):
        best = None
        for rate in (int(r) for r in options.rates.split(",")):
            row = {"path": "direct" if path is None else "hub", **at_rate(options, name, path, rate, options.seconds, messages=messages)}
            rows.append(row)
            print("  " + table([row]).splitlines()[-1], flush=True)
            if row["sustained"] == "no":
                break
            if row["mean us"] is not None and row["mean us"] < 1000:
                best = rate
        print(f"  {'direct' if path is None else 'hub'}: highest rate with a mean below 1 ms: {best or 'none of these'}", flush=True)
    return rows


def added(options):
    rows = []
    for _ in range(options.pairs):
        for path in (None, "none"):
            row = at_rate(options, "added", path, 100000, options.seconds, packed=False)
            rows.append({"path": "direct" if path is None else "hub", **row})
            print("  " + table(rows[-1:]).splitlines()[-1], flush=True)
    means = {p: statistics.median(r["mean us"] for r in rows if r["path"] == p) for p in ("direct", "hub")}
    print(f"  median of the means: direct {means['direct']:.1f} us, hub {means['hub']:.1f} us, added {means['hub'] - means['direct']:.1f} us")
    return rows


def fan(options):
    rows = []
    for rate in (15000, 30000, 45000, 60000, 80000, 100000, 120000):
        rows.append(fan_out(options, "fanout", rate, 100, options.seconds))
        print("  " + table(rows[-1:]).splitlines()[-1], flush=True)
        if rows[-1]["sustained"] == "no":
            break
    return rows


def held(chain, *words):
    """A hubload that goes on; its first line about the images."""
    load = chain.stage.start("holder", chain.load_words("-seconds", 3600, "-patience", 300, *words), show=False)
    text = lambda: pathlib.Path(load.log).read_text()  # noqa: E731
    chain.stage.until(lambda: "images in" in text(), load, "all images", 300)
    return next(line for line in text().splitlines() if "images in" in line)


def memory(options):
    with Chain(options, "memory", "all", 0, "fields23", of_source='<RequestRate value="0"/>', latency_rate=0) as chain:
        before = chain.hub.resident_bytes()
        line = held(chain, "-connections", 4, "-items", options.memory_items // 4, "-distinct")
        counts = chain.stage.counts()
        grown = chain.hub.resident_bytes() - before
        return [{"items": int(counts.get("emissary_hub_images", 0)), "hub MB": chain.hub.resident_bytes() / 1e6,
                 "bytes an item": grown / options.memory_items, "images": line}]


def images(options):
    with Chain(options, "images", "all", 0, "fields23", of_source='<RequestRate value="0"/>', latency_rate=0) as chain:
        held(chain, "-connections", 1, "-items", 100000)
        rows = []
        for _ in range(3):
            cpu = chain.hub.cpu_seconds()
            result = chain.load("-connections", 1, "-items", 100000, "-snapshot")
            rows.append({"images": 100000, "seconds with login": result["imageSeconds"],
                         "seconds": result["imageSeconds"] - result["loginSeconds"], "hub ns/image": (chain.hub.cpu_seconds() - cpu) * 1e4})
        return rows


def recovery(options):
    with Chain(options, "recovery", "all", 0, "fields23", latency_rate=0,
               of_source='<RequestRate value="0"/><ReconnectMinDelay value="100"/><ReconnectMaxDelay value="200"/>') as chain:
        held(chain, "-connections", 1, "-items", 100000)
        rows = []
        for _ in range(3):
            chain.provider.kill()
            end = time.monotonic() + 30
            while chain.stage.counts().get("emissary_hub_source_up") != 0 and time.monotonic() < end:
                time.sleep(0.02)
            chain.start_provider()
            listening = time.monotonic()
            while chain.stage.counts().get("emissary_hub_source_up") != 1 and time.monotonic() < listening + 60:
                time.sleep(0.01)
            up = time.monotonic()
            suspect = None
            while suspect != 0 and time.monotonic() < up + 60:
                suspect = chain.stage.counts().get("emissary_hub_suspect_items")
                time.sleep(0.01)
            rows.append({"items": 100000, "s until the source is up": up - listening, "s from then to the last item": time.monotonic() - up,
                         "suspect at the end": suspect})
        return rows


def storm(options):
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with Chain(options, "storm", "all", 1000, "fields23", hub='<MaxConnectionsPerAddress value="0"/>') as chain:
        before = chain.hub.resident_bytes()
        load = chain.stage.start("storm", chain.load_words("-connections", 5000, "-items", 5, "-seconds", 600, "-recover"), show=False)
        text = lambda: pathlib.Path(load.log).read_text()  # noqa: E731
        chain.stage.until(lambda: "images in" in text(), load, "5,000 connections with their images", 120)
        line = next(x for x in text().splitlines() if "images in" in x)
        memory_each = (chain.hub.resident_bytes() - before) / 5000
        chain.hub.kill()
        chain.hub = chain.stage.start_hub()
        start = time.monotonic()

        def everybody():
            last = [x for x in text().splitlines() if x.startswith("connections 5000, images 25000")]
            return bool(last) and text().splitlines()[-1].startswith("connections 5000, images 25000")

        time.sleep(1)
        chain.stage.until(everybody, load, "all are back", 120)
        return [{"connections": 5000, "first time": line, "s until all are back": time.monotonic() - start, "hub bytes a connection": memory_each}]


PARTS = {"rate": lambda o: rates(o, "rate", "none", "level1"), "cached": lambda o: rates(o, "cached", "all", "fields23"),
         "added": added, "fanout": fan, "memory": memory, "images": images, "recovery": recovery, "storm": storm}


def run(options):
    check_programs(options)
    if options.out is None:
        options.out = pathlib.Path(tempfile.mkdtemp(prefix="emissary-hub-bench-"))
    print(f"# {machine()}, commit {commit()}, {options.seconds} s a run, files in {options.out}", flush=True)
    everything = {}
    for part in options.only:
        print(f"\n== {part}", flush=True)
        rows = PARTS[part](options)
        everything[part] = rows
        say(part, rows)
        (options.out / part).mkdir(parents=True, exist_ok=True)
        write_csv(options.out / part / "results.csv", rows)
    (options.out / "hub.json").write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = arguments(__doc__, only={"nargs": "+", "choices": list(PARTS), "default": list(PARTS), "help": "parts"},
                       pairs={"type": int, "default": 5, "help": "of `added` (5)"},
                       memory_items={"type": int, "default": 1000000, "help": "of `memory` (1000000)"},
                       rates={"default": "200000,400000,600000,800000,1000000,1200000,1400000,1600000,2000000", "help": "updates/s tried"})
    parser.set_defaults(ports="free", seconds=10)
    sys.exit(main(run, parser))
