"""What the web scenarios share: webfeed -> emissary-hub -> wsload, the figures of the three while it measures, and the table beside
the published report of 500 web clients."""
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import scenario  # noqa: E402
from measure import commit, machine  # noqa: E402
from scenario import Stage, fail, listens, page_of_tables, table, write_csv  # noqa: E402

WEB_PORT = 15000
# What the report publishes of its run of 14 hours.
LCDS = {"run": "LCDS report", "clients": 500, "msg/s each": 107.99, "msg/s": 53995.0, "mean ms": 0.28, "max ms": 37.0, "std ms": 0.71}


def arguments(description, seconds=600, **more):
    a = scenario.arguments(description, quick={"action": "store_true", "help": "20 s instead of the whole time"},
                           clients={"type": int, "help": "clients, instead of the scenario's"},
                           untimed={"action": "store_true", "help": "times are printed and not required, for tests on busy machines"},
                           publisher={"action": "store_true", "help": "the feed publishes to the hub (webfeed -ni) instead of being its source"},
                           threads={"type": int, "default": 1, "help": "threads of wsload (1)"}, **more)
    a.set_defaults(seconds=seconds, service="WEB_FEED")
    for action in a._actions:
        if action.dest == "seconds":
            action.help = f"seconds that are measured ({seconds})"
        if action.dest == "ports":
            action.help = f"guide: web clients {WEB_PORT}, publishers 14003, provider 17008, pages 8080; free: any"
        if action.dest == "items":
            action.help = "not used here"
        if action.dest == "service":
            action.help = "service name (WEB_FEED)"
    return a


def main(run, parser):
    return scenario.main(run, parser)


class Samples:
    """Memory and descriptors of the hub, looked at every second until end()."""

    def __init__(self, hub):
        self.hub, self.megabytes, self.descriptors = hub, [], []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            try:
                self.megabytes.append(self.hub.resident_bytes() / 1e6)
                self.descriptors.append(len(list(pathlib.Path(f"/proc/{self.hub.pid}/fd").iterdir())))
            except (OSError, IndexError):
                return
            if self.over.wait(1):
                return

    def end(self):
        self.over.set()
        self.thread.join()


class Web:
    """Feed and hub of one scenario; load() runs wsload against them."""

    def __init__(self, options, name, items=20, rate=5, tls=False, of_listener=""):
        self.options, self.items, self.rate, self.tls = options, items, rate, tls
        self.seconds = 20 if options.quick else options.seconds
        self.stage = stage = Stage(options, name, tools=("webfeed", "wsload"))
        if options.ports == "guide":
            stage.consumer_port = WEB_PORT
        self.truth = stage.dir / "truth.csv"
        listener = of_listener + (self._certificate() if tls else "")
        stage.hub_config(f'<Service><Name value="{options.service}"/><Cache value="all"/></Service>', of_consumers=listener,
                         source=not options.publisher)
        self.feed = self.hub = None
        if options.publisher:
            self.hub = stage.start_hub()
            self.start_feed()
            self.wait_for_service()
        else:
            self.start_feed()
            self.start_hub()

    def _certificate(self):
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                               "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                              cwd=self.stage.dir, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            fail("openssl made no certificate: " + made.stderr.strip())
        return '<ServerType value="RSSL_ENCRYPTED"/><ServerCert value="cert.pem"/><ServerPrivateKey value="key.pem"/>'

    def start_feed(self):
        self.truth.unlink(missing_ok=True)
        stage, publisher = self.stage, self.options.publisher
        port = stage.publisher_port if publisher else stage.provider_port
        self.feed = stage.start("feed", ["webfeed", *["-ni"] * publisher, "-p", port, "-serviceName", self.options.service, "-items", self.items,
                                         "-rate", self.rate, "-truthFile", self.truth])
        if not publisher:
            stage.until(lambda: listens(port), self.feed, "the feed listens", 30)

    def start_hub(self):
        self.hub = self.stage.start_hub()
        self.wait_for_service()

    def wait_for_service(self):
        self.stage.until(lambda: self.stage.service_up(self.options.service), self.hub, f"{self.options.service} is up", 30)
        if self.options.publisher:
            self.stage.until(lambda: self.stage.images(self.options.service) >= self.items, self.feed, "all items are published", 60)

    def load(self, run, *words, clients=500, seconds=None, warmup=None, truth=True, during=None):
        """One run of wsload: its row, its last line and the samples of the hub. `during` is called when it measures. With
        `truth` the feed's updates stop behind it, so it is the last run with this feed."""
        stage, options = self.stage, self.options
        clients = options.clients or clients
        seconds = seconds or self.seconds
        warmup = warmup if warmup is not None else 2 if seconds <= 60 else 10
        url = f"{'wss' if self.tls else 'ws'}://localhost:{stage.consumer_port}/WebSocket"
        before_clients = self.hub.resident_bytes()
        all_words = ["wsload", "-url", url, "-service", options.service, "-clients", clients, "-duration", seconds, "-warmup", warmup,
                     "-threads", options.threads, "-out", stage.dir / run, "-writeStatsInterval", 1 if seconds <= 60 else 5]
        all_words += ["-truthFile", self.truth] * truth + (["-ca", stage.dir / "cert.pem"] if self.tls else []) + list(words)
        load = stage.start(run, all_words)
        patience = 60 + 5 * (seconds + warmup)

        def said(line):
            return any(text == line for text in pathlib.Path(load.log).read_text(errors="replace").splitlines())

        end = time.monotonic() + patience
        while load.running() and not said("measuring"):
            if time.monotonic() > end:
                fail(f"wsload did not begin to measure within {patience} s; its last lines:\n{load.tail()}")
            time.sleep(0.05)
        hub, feed = self.hub, self.feed
        rows = {"hub": hub, "feed": feed, "load": load}
        samples, cpu, since = Samples(hub), {}, time.monotonic()
        if load.running():
            cpu = {n: p.cpu_seconds() for n, p in rows.items()}
            if during is not None:
                during()
        if self.hub is not hub:  # it was started again
            cpu.pop("hub")
            samples.end()
            samples = Samples(self.hub)
        while load.running() and not said("measured"):
            time.sleep(0.05)
        took = time.monotonic() - since
        used = {}
        for n in cpu:
            try:
                used[n] = rows[n].cpu_seconds() - cpu[n]
            except (OSError, IndexError):
                pass
        samples.end()
        if truth and feed.running():
            feed.popen.send_signal(signal.SIGUSR1)
        try:
            load.popen.wait(patience)
        except subprocess.TimeoutExpired:
            fail(f"wsload did not end within {patience} s; its last lines:\n{load.tail()}")
        try:
            result = json.loads(load.tail(1))
        except ValueError:
            fail(f"wsload ended with code {load.popen.returncode}; its last lines:\n{load.tail()}")
        return self._row(run, clients, result, used, took, samples, before_clients), result, samples

    def _row(self, run, clients, result, used, took, samples, before_clients):
        row = {"run": run, "clients": clients, "msg/s each": result["rateMean"], "msg/s": result["messagesPerSecond"]}
        for name, key in (("mean ms", "meanUs"), ("std ms", "stdUs"), ("p50 ms", "p50Us"), ("p99 ms", "p99Us"), ("p99.9 ms", "p999Us"),
                          ("max ms", "maxUs")):
            row[name] = result[key] / 1000
        row["gaps"] = result["gaps"]
        row["stalls > 1 ms"], row["longest ms"] = result["stalls"], result["longestStallMs"]
        for n in used:
            row[f"{n} CPU %"] = 100 * used[n] / took
        if samples.megabytes:
            row["hub MB"] = samples.megabytes[-1]
            row["KB a client"] = (samples.megabytes[-1] * 1e6 - before_clients) / clients / 1024
        if result["messages"]:
            row["bytes a msg"] = result["bytes"] / result["messages"]
        row["largest turn ms"] = result["largestTurnMs"]
        return row


class Timed(str):
    """The text of a check that --untimed leaves out."""


def wsload_passed(run, result):
    """As checks: what wsload itself demands, the loader's own share among it."""
    late = [why for why in result["failures"] if why.startswith(("loader-bound", "the latest message"))]
    wrong = [why for why in result["failures"] if why not in late]
    return [("; ".join([f"{run}: all that wsload demands", *wrong]), not wrong),
            (Timed("; ".join([f"{run}: wsload's times and its own share", *late])), not late)]


def lcds_checks(row, result, most=50, mean=1):
    checks = [*wsload_passed(row["run"], result), (Timed(f"{row['run']}: maximum below {most} ms: {row['max ms']:.2f}"), row["max ms"] < most),
              (f"{row['run']}: no gap: {row['gaps']}", row["gaps"] == 0)]
    if mean is not None:
        checks.append((Timed(f"{row['run']}: mean below {mean} ms: {row['mean ms']:.2f}"), row["mean ms"] < mean))
    return checks


def finish(stage, title, rows, checks, notes=()):
    """Table, results.csv and page; fails when a required figure does not hold."""
    rows = [LCDS, *rows]
    print("\n" + f"# {machine()}, commit {commit()}\n" + table(rows) + "\n")
    for note in notes:
        print(note)
    verdicts = [{"required": text, "holds": "yes" if ok else "NO"} for text, ok in checks]
    for v in verdicts:
        print(f"{v['holds'].rjust(3)}  {v['required']}")
    write_csv(stage.dir / "results.csv", rows)
    page_of_tables(stage.dir / "results.html", title, f"{machine()}, commit {commit()}. " + " ".join(notes),
                   [("Figures beside the report", rows, None), ("Required", verdicts, None)])
    print(f"\nThe table as CSV: {stage.dir / 'results.csv'}, as a page: {stage.dir / 'results.html'}; each run has a folder with report.html")
    stage.end()
    broken = [text for text, ok in checks if not ok and not (stage.options.untimed and isinstance(text, Timed))]
    if broken:
        fail("what is required does not hold: " + "; ".join(broken))
