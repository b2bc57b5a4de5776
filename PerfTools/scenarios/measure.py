"""Provider, hub and consumer at one rate; provider, hub and many bare consumers; the same without the hub."""
import json
import pathlib
import subprocess
import time

from scenario import ROOT, Stage, fail, listens, points_of, rows_of, summary_of

LEVEL1 = pathlib.Path(__file__).resolve().parent / "Level1.xml"
DEPLOYED = {"level1": LEVEL1, "fields23": ROOT / "etc/MsgData.xml"}


def number(row, name):
    return float(row[name])


def steady(path):
    """Whole seconds with updates and without images; the first and the last are cut by the start and the end."""
    lines = [r for r in rows_of(path) if number(r, "Images") == 0 and number(r, "Update rate (msg/sec)") > 0]
    return lines[1:-1] or lines


class Chain:
    """A stage with a provider on it, and the hub between it and its consumers unless `cache` is None: then they connect to
    the provider itself. With an open window the provider is asked for so many images at once, and answers in larger bursts."""

    def __init__(self, options, name, cache, rate, messages="level1", packed=True, of_source="", latency_rate=100, of_consumers="", open_window=None, of_hub=""):
        self.options, self.rate, self.cache = options, rate, cache
        self.stage = stage = Stage(options, name, with_hub=cache is not None)
        self.port = stage.provider_port if cache is None else stage.consumer_port
        stage.tool_config([("Server", "Perf_Server_1", {"Port": stage.provider_port, "MaxStreamsPerClient": 2000000}),
                           ("Channel", "Perf_Channel_1", {"Host": "localhost", "Port": self.port}),
                           ("Directory", "Directory_2", {"Service": options.service})])
        if open_window is not None:
            stage.open_window("Directory_2", open_window)
        # While a consumer takes 100,000 images at a million updates a second more than the usual 16 MiB wait for it for a moment.
        stage.hub_config(f'<Service><Name value="{options.service}"/><Cache value="{cache}"/></Service>', of_source=of_source,
                         of_consumers=of_consumers, hub='<DisconnectAbove value="268435456"/>' + of_hub)
        words = ["EmaCppIProvPerf", "-providerName", "Perf_Provider", "-updateRate", rate, "-tickRate", min(rate, 1000) or 1000, "-latencyUpdateRate", min(latency_rate, rate),
                 "-runTime", 3600, "-writeStatsInterval", 1, "-msgFile", DEPLOYED[messages], "-useUserDispatch", 1]
        if open_window is not None:
            words += ["-refreshBurstSize", 100]
        self.provider_words = words + (["-preEnc", "-maxPackCount", 50] if packed else [])
        self.hub = None
        self.start_provider()
        if cache is not None:
            self.hub = stage.start_hub()
            stage.until(lambda: stage.service_up(options.service), self.hub, f"{options.service} is up", 30)

    def start_provider(self):
        self.provider = self.stage.start("provider", self.provider_words, show=False)
        self.stage.until(lambda: listens(self.stage.provider_port), self.provider, "the provider listens", 60)

    def load_words(self, *more):
        return ["hubload", "-p", self.port, "-serviceName", self.options.service, *more]

    def load(self, *more, seconds=300):
        """Runs hubload to its end; its last line."""
        process = self.stage.start("hubload", self.load_words(*more), show=False)
        self.stage.wait(process, seconds)
        return json.loads(process.tail(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stage.end()


def nanoseconds(seconds, updates):
    return seconds * 1e9 / updates if updates else float("nan")


def at_rate(options, name, cache, rate, seconds, items=100000, messages="level1", packed=True, latency_rate=100):
    """One run with EmaCppConsPerf: the row of the latency table, and what a delivery costs each process."""
    with Chain(options, name, cache, rate, messages, packed, latency_rate=latency_rate) as chain:
        stage = chain.stage
        for old in list(stage.dir.glob("ConsStats*.csv")) + list(stage.dir.glob("latency*.csv")):
            old.unlink()
        consumer = stage.start("consumer", ["EmaCppConsPerf", "-serviceName", options.service, "-consumerName", "Perf_Consumer_1",
                                            "-itemCount", items, "-requestRate", 500000, "-steadyStateTime", seconds,
                                            "-delaySteadyStateCalc", 1000, "-writeStatsInterval", 1, "-latencyFile", "latency",
                                            "-useUserDispatch", 1], show=False)
        stats = stage.dir / "ConsStats1.csv"
        stage.until(lambda: stats.exists() and len(steady(stats)) > 0 and number(rows_of(stats)[-1], "Images") == 0, consumer,
                    "steady state", 120)
        processes = [("provider", chain.provider), ("hub", chain.hub), ("consumer", consumer)]
        before = {n: p.cpu_seconds() for n, p in processes if p is not None}
        start, lines = time.monotonic(), len(rows_of(stats))
        time.sleep(max(2, seconds - 4))
        after = {n: p.cpu_seconds() for n, p in processes if p is not None}
        elapsed = time.monotonic() - start
        between = [number(r, "Update rate (msg/sec)") for r in rows_of(stats)[lines:]]
        updates = sum(between) / len(between) * elapsed if between else 0
        memory = chain.hub.resident_bytes() / 1e6 if chain.hub else None
        stage.wait(consumer, seconds + 120)
        lines = steady(stats)
        received = sum(number(r, "Update rate (msg/sec)") for r in lines) / max(1, len(lines))
        third = max(1, len(lines) // 3)

        def mean(rows):
            return sum(number(r, "Latency avg (usec)") for r in rows) / len(rows)

        flat = mean(lines[-third:]) < 3 * mean(lines[:third]) + 1000
        found = summary_of(stage.dir / "ConsSummary.out")
        row = {"update rate": rate, "mean us": found.get("latency mean us"), "std dev us": found.get("std dev us"),
               "max us": found.get("max us"), "min us": found.get("min us"), "points": len(points_of(stage.dir)),
               "received %": 100 * received / rate, "received/s": received}
        for n in before:
            row[f"{n} ns/update"] = nanoseconds(after[n] - before[n], updates)
        if memory is not None:
            row["hub MB"] = memory
        row["sustained"] = "yes" if received >= 0.99 * rate and flat else "no"
        return row


def fan_out(options, name, rate, connections, seconds, items=100, cache="none", of_hub=""):
    """One run with hubload: every update goes to every connection."""
    with Chain(options, name, cache, rate, of_hub=of_hub) as chain:
        load = chain.stage.start("hubload", chain.load_words("-connections", connections, "-items", items, "-seconds", seconds + 4), show=False)
        chain.stage.until(lambda: "images in" in load.tail(3) or "deliveries" in load.tail(3), load, "all images", 120)
        time.sleep(2)
        processes = [("provider", chain.provider), ("hub", chain.hub), ("sinks", load)]
        before = {n: p.cpu_seconds() for n, p in processes if p is not None}
        start = time.monotonic()
        time.sleep(max(2, seconds - 1))
        after = {n: p.cpu_seconds() for n, p in processes if p is not None}
        elapsed = time.monotonic() - start
        chain.stage.wait(load, seconds + 120)
        result = json.loads(load.tail(1))
        deliveries = result["deliveriesPerSecond"]
        row = {"update rate": rate, "connections": connections, "deliveries/s": deliveries,
               "received %": 100 * deliveries / (rate * connections), "bytes": result["bytesPerUpdate"]}
        for n in before:
            row[f"{n} ns/delivery"] = nanoseconds(after[n] - before[n], deliveries * elapsed)
        row["sustained"] = "yes" if deliveries >= 0.99 * rate * connections and result["lost"] == 0 else "no"
        return row


def commit():
    made = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return made.stdout.strip() or "unknown"


def machine():
    with open("/proc/cpuinfo") as f:
        models = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else "unknown"


def check_programs(options):
    if not (options.bin / "hubload").exists():
        fail(f"{options.bin / 'hubload'} is not there; build first: cmake --preset release && cmake --build --preset release")
