#!/usr/bin/env python3
"""The hub's figures (docs/spec/hub.md 16), each beside the direct pair where there is one, in one run.

    bench/hub.py                        everything, 10 s a run
    bench/hub.py --only added fanout    parts: rate cached added fanout entitled memory images recovery storm
    HUB_THREADS=2 bench/hub.py ...      with that number of threads in the hub (Threads)

rate      provider -> hub -> consumer, 74-byte payload, no cache: the highest rate with a mean below 1 ms; the direct pair at the same rates
cached    the same with 23 fields, 100,000 items and the hub's cache
added     mean latency at 100,000/s with and without the hub, in turn, --pairs times
fanout    one provider, 100 connections that all open the same items
entitled  the same at 30,000/s with LoginCheck and 10,000 rules of Permission, and without, in turn, --pairs times
memory    1,000,000 cached items of 70 fields
images    100,000 images for a consumer that comes late
recovery  100,000 items after the provider was killed and started again
storm     5,000 connections at once, again each time that the hub was killed, and what they leave behind

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
from scenario import arguments, fail, main, table, write_csv  # noqa: E402


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


def entitled(options):
    """The users of hubload in a file, and rules of which the last one fits."""
    folder = options.out / "entitled"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "users").write_text("".join(f"load{n}::desk:\n" for n in range(1001)))
    (folder / "rules").write_text("".join(f"deny load{n % 1000} SERVICE{n} *.{n} MarketPrice\n" for n in range(9999)) + "allow @desk * * *\n")
    on = f'<LoginCheck value="file"/><LoginFile value="{folder / "users"}"/><Permission value="{folder / "rules"}"/>'
    rows = []
    for _ in range(options.pairs):
        for name, of_hub in (("off", ""), ("on", on)):
            rows.append({"checks": name, **fan_out(options, "entitled", 30000, 100, options.seconds, of_hub=of_hub)})
            print("  " + table(rows[-1:]).splitlines()[-1], flush=True)
    cost = {name: statistics.median(r["hub ns/delivery"] for r in rows if r["checks"] == name) for name in ("off", "on")}
    print(f"  median of the hub's time: off {cost['off']:.1f} ns, on {cost['on']:.1f} ns a delivery, {100 * (cost['on'] / cost['off'] - 1):+.1f} %")
    return rows


def held(chain, *words):
    """A hubload that goes on; its first line about the images."""
    load = chain.stage.start("holder", chain.load_words("-seconds", 3600, "-patience", 900, *words), show=False)
    text = lambda: pathlib.Path(load.log).read_text()  # noqa: E731
    chain.stage.until(lambda: "images in" in text(), load, "all images", 910)
    return next(line for line in text().splitlines() if "images in" in line)


def memory(options):
    # A million requests at once would be older than RequestTimeout long before the provider has answered them, and asked again.
    with Chain(options, "memory", "all", 0, "fields23", of_source='<RequestRate value="0"/>', latency_rate=0, open_window=5000) as chain:
        before = chain.hub.resident_bytes()
        line = held(chain, "-connections", 4, "-items", options.memory_items // 4, "-distinct")
        counts = chain.stage.counts()
        if counts.get("emissary_hub_images") != options.memory_items // 4 * 4:
            fail(f"{counts.get('emissary_hub_images')} images of {options.memory_items // 4 * 4}: {line}")
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


TRIMMED = 12  # seconds after which memory that nobody needs has gone back: twice the reactor's trimPeriod, and a look at it
STORM_RATE = 20  # updates/s, each for all: 5,000 connections make 100,000 deliveries/s of it


def storm(options):
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    most, items = options.storm_connections, 5
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed < most + 200:
        fail(f"{most} connections need {most + 200} file descriptors in each process, and {allowed} are allowed; raise the limit (ulimit -Hn), or lower --storm-connections")
    # All of them come from one address, and at once; one process plays them all, so its first bytes may take their time.
    with Chain(options, "storm", "all", STORM_RATE, "fields23", latency_rate=0,
               of_consumers=f'<MaxConnectionsInitializingPerAddress value="{most}"/><FirstByteTimeout value="60000"/>') as chain:
        before = chain.hub.resident_bytes()
        load = chain.stage.start("storm", chain.load_words("-connections", most, "-items", items, "-seconds", 3600, "-patience", 120, "-recover"), show=False)
        lines = lambda: pathlib.Path(load.log).read_text().splitlines()  # noqa: E731
        chain.stage.until(lambda: any("images in" in x for x in lines()), load, f"{most} connections with their images", 150)
        first = next(x for x in lines() if "images in" in x)
        time.sleep(2)
        rows = [{"connections": most, "what": first, "hub bytes a connection": (chain.hub.resident_bytes() - before) / most}]

        def everybody():
            seconds = [x for x in lines() if x.startswith("connections ")]
            return bool(seconds) and seconds[-1].startswith(f"connections {most}, images {most * items},")

        for _ in range(3):
            chain.hub.kill()
            chain.stage.until(lambda: not everybody(), load, "the loss is noticed", 30)
            chain.hub = chain.stage.start_hub()
            start = time.monotonic()
            chain.stage.until(everybody, load, "all are back", 120)
            rows.append({"connections": most, "what": f"all are back {time.monotonic() - start:.1f} s after the hub listened (in steps of 1 s)",
                         "hub bytes a connection": (chain.hub.resident_bytes() - before) / most})
        left = []
        for turn in range(3):
            load.kill()
            chain.stage.until(lambda: chain.stage.counts().get("emissary_hub_clients") == 0, chain.hub, "all have left", 60)
            time.sleep(TRIMMED)
            left.append(chain.hub.resident_bytes() / 1e6)
            rows.append({"connections": 0, "what": f"all have left, {turn + 1}. time", "hub MB": left[-1], "hub MB before": before / 1e6})
            if turn == 2:
                break
            load = chain.stage.start("storm", chain.load_words("-connections", most, "-items", items, "-seconds", 3600, "-patience", 120), show=False)
            chain.stage.until(lambda: any("images in" in x for x in lines()), load, "all have their images", 150)
        if left[2] > left[0] * 1.1 + 2:
            fail(f"the hub keeps memory of clients that have left: {left[0]:.1f} MB after the first time, {left[2]:.1f} MB after the third")
        return rows


PARTS = {"rate": lambda o: rates(o, "rate", "none", "level1"), "cached": lambda o: rates(o, "cached", "all", "fields23"),
         "added": added, "fanout": fan, "entitled": entitled, "memory": memory, "images": images, "recovery": recovery, "storm": storm}


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
                       pairs={"type": int, "default": 5, "help": "of `added` and `entitled` (5)"},
                       storm_connections={"type": int, "default": 5000, "help": "of `storm` (5000)"},
                       memory_items={"type": int, "default": 1000000, "help": "of `memory` (1000000)"},
                       rates={"default": "200000,400000,600000,800000,1000000,1100000,1200000,1300000,1400000,1500000,1600000,1700000,1800000,2000000", "help": "updates/s tried"})
    parser.set_defaults(ports="free", seconds=10)
    sys.exit(main(run, parser))
