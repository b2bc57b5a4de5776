"""What the scenarios share: a folder with configuration and data, processes that never outlive the run, ports, and the
figures of a run as a table, a CSV file and a page."""
import argparse
import atexit
import csv
import html
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET

from free_ports import free_ports

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ("350k.xml", "MsgData.xml", "RDMFieldDictionary", "enumtype.def")  # beside the programs
TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """The scenario cannot go on; the text is for people."""


def fail(text):
    raise Failed(text)


def listens(port):
    """As the kernel's tables say: a connection to find out would be the program's first client."""
    wanted = f":{int(port):04X}"
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table) as f:
                for line in f:
                    part = line.split()
                    if len(part) > 3 and part[3] == "0A" and part[1].endswith(wanted):
                        return True
        except OSError:
            pass
    return False


class Process:
    """One program with its log; ended with the stage at the latest."""

    def __init__(self, name, words, cwd, log):
        self.name, self.log = name, log
        self.file = open(log, "w")
        self.popen = subprocess.Popen([str(w) for w in words], cwd=cwd, stdout=self.file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.pid = self.popen.pid

    def running(self):
        return self.popen.poll() is None

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat") as f:
            part = f.read().rsplit(")", 1)[1].split()
        return (int(part[11]) + int(part[12])) / TICKS

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def resident_bytes_of(self, size_kb):
        """Of its mappings of that size."""
        size, resident = 0, 0
        with open(f"/proc/{self.pid}/smaps") as f:
            for line in f:
                if line.startswith("Size:"):
                    size = int(line.split()[1])
                elif line.startswith("Rss:") and size == size_kb:
                    resident += int(line.split()[1]) * 1024
        return resident

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def end(self, seconds=15, how=signal.SIGTERM):
        if self.running():
            self.popen.send_signal(how)
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            return self.popen.wait()
        finally:
            self.file.close()

    def kill(self):
        self.popen.kill()
        self.popen.wait()

    def tail(self, lines=15):
        return "\n".join(pathlib.Path(self.log).read_text(errors="replace").splitlines()[-lines:])


class HubWatch:
    """Writes a line a second about the hub, as the tools write their statistics; perfreport draws it. A thread of its own,
    until end() or until the hub has ended."""

    COUNTS = {"Updates received": "emissary_hub_updates_in_total", "Updates sent": "emissary_hub_updates_out_total"}
    GAUGES = {"Output queued (bytes)": "emissary_channel_output_queued_bytes", "Requests waiting": "emissary_hub_upstream_queued",
              "Statuses waiting": "emissary_hub_statuses_waiting", "Records waiting": "emissary_hub_front_waiting"}

    def __init__(self, stage, hub, path):
        self.stage, self.hub, self.path = stage, hub, path
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        before, cpu, since = self.stage.counts(), self.hub.cpu_seconds(), time.monotonic()
        with open(self.path, "w") as out:
            head = ", ".join(["UTC", *self.COUNTS, *self.GAUGES, "CPU usage (%)", "Memory (MB)"]) + "\n"
            while not self.over.wait(max(0.0, since + 1 - time.monotonic())):
                try:
                    counts, used, now = self.stage.counts(), self.hub.cpu_seconds(), time.monotonic()
                    memory = self.hub.resident_bytes() / 1048576
                except (OSError, IndexError):
                    return  # the hub has ended
                if not counts:
                    return
                cells = [time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())]
                cells += [f"{max(0.0, counts.get(name, 0) - before.get(name, 0)):.0f}" for name in self.COUNTS.values()]
                cells += [f"{counts.get(name, 0):.0f}" for name in self.GAUGES.values()]
                cells += [f"{100 * (used - cpu) / (now - since):.2f}", f"{memory:.2f}"]
                out.write(head + ", ".join(cells) + "\n")
                out.flush()
                head = ""
                before, cpu, since = counts, used, now

    def end(self):
        self.over.set()
        self.thread.join()


class Stage:
    """A folder of one run, with what the tools read, and the processes in it."""

    def __init__(self, options, name, with_hub=True, tools=("EmaCppConsPerf", "EmaCppIProvPerf", "EmaCppNIProvPerf")):
        self.options, self.name = options, name
        self.bin = options.bin.resolve()
        for tool in [*tools] + ["emissary-hub"] * with_hub:
            if not (self.bin / tool).exists():
                fail(f"{self.bin / tool} is not there; build first: cmake --preset release && cmake --build --preset release")
        if options.out is None:
            self.dir = pathlib.Path(tempfile.mkdtemp(prefix=f"emissary-{name}-"))
        else:
            self.dir = options.out.resolve() / name
            self.dir.mkdir(parents=True, exist_ok=True)
        for file in FILES:
            link = self.dir / file
            link.unlink(missing_ok=True)
            link.symlink_to((self.bin / file).resolve())
        self.processes, self.watches = [], []
        self.consumer_port, self.publisher_port, self.provider_port, self.http_port = (
            free_ports(4) if options.ports == "free" else [14002, 14003, 17008, 8080])
        atexit.register(self.end)

    # --- configuration
    def without_generic_items(self):
        """The item list for services of publishers: items for generic messages are opened as private streams, which only
        interactive providers serve."""
        path = self.dir / "350k.xml"
        text = path.read_text().replace(' genMsg="true"', "")
        path.unlink()
        path.write_text(text)

    def tool_config(self, changes):
        """EmaConfig.xml as it is shipped, with the guide's changes: (list entry kind, name, {element: value}); a service
        of a Directory is renamed with {"Service": name}."""
        tree = ET.parse(ROOT / "EmaConfig.xml")
        for kind, name, values in changes:
            entries = [e for e in tree.getroot().iter(kind) if e.find("Name") is not None and e.find("Name").get("value") == name]
            if not entries:
                fail(f"EmaConfig.xml has no {kind} {name}")
            for element, value in values.items():
                if element == "Service":
                    entries[0].find("Service").find("Name").set("value", value)
                    continue
                child = entries[0].find(element)
                if child is None:
                    child = ET.SubElement(entries[0], element)
                child.set("value", str(value))
        tree.write(self.dir / "EmaConfig.xml")

    def open_window(self, directory, requests):
        """The services of the directory announce how many requests they take before they have answered some."""
        path = self.dir / "EmaConfig.xml"
        tree = ET.parse(path)
        for entry in tree.getroot().iter("Directory"):
            if entry.find("Name") is not None and entry.find("Name").get("value") == directory:
                for service in entry.iter("Service"):
                    ET.SubElement(ET.SubElement(service, "LoadFilter"), "OpenWindow", value=str(requests))
        tree.write(path)

    def hub_config(self, services="", source=True, hub="", of_source="", of_consumers=""):
        """HubConfig.xml: consumers, publishers and pages on the stage's ports, the provider as its source. HUB_THREADS of the
        environment is its Threads."""
        threads = f'<Threads value="{os.environ["HUB_THREADS"]}"/>' if os.environ.get("HUB_THREADS") else ""
        sources = f"""
  <SourceGroup><SourceList><Source><Name value="Provider"/><Channel value="Provider"/>{of_source}</Source></SourceList></SourceGroup>
  <ChannelGroup><ChannelList><Channel><Name value="Provider"/><Host value="localhost"/><Port value="{self.provider_port}"/></Channel></ChannelList></ChannelGroup>"""
        (self.dir / "HubConfig.xml").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<HubConfig>
  <Hub><HttpPort value="{self.http_port}"/><Dictionary value="Files"/>{threads}{hub}</Hub>{sources if source else ""}
  <ServiceGroup><ServiceList>{services}</ServiceList></ServiceGroup>
  <ServerGroup><ServerList>
    <Server><Name value="consumers"/><Port value="{self.consumer_port}"/><GuaranteedOutputBuffers value="10000"/>{of_consumers}</Server>
    <Server><Name value="publishers"/><Port value="{self.publisher_port}"/></Server>
  </ServerList></ServerGroup>
  <DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/><DictionaryType value="FileDictionary"/></Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>
""")

    # --- processes
    def start(self, name, words, show=True):
        words = [str(w) for w in words]
        if show:
            print("  " + shlex.join(words), flush=True)
        process = Process(name, [self.bin / words[0], *words[1:]], self.dir, self.dir / f"{name}.log")
        self.processes.append(process)
        return process

    def start_hub(self, watched=False):
        """`watched`: with statistics of it for the page, which cost it a look at its counts every second."""
        for port in (self.consumer_port, self.publisher_port, self.http_port):
            if listens(port):
                fail(f"port {port} is in use; stop the program that listens there, or use --ports free")
        hub = self.start("hub", ["emissary-hub", "-c", "HubConfig.xml"])
        self.until(lambda: listens(self.consumer_port) and listens(self.http_port), hub, "the hub listens", 20)
        if watched:
            self.watches.append(HubWatch(self, hub, self.dir / "HubStats1.csv"))
        return hub

    def until(self, happened, process, what, seconds):
        end = time.monotonic() + seconds
        while not happened():
            if not process.running():
                fail(f"{process.name} ended before {what}; its last lines:\n{process.tail()}")
            if time.monotonic() > end:
                fail(f"not within {seconds} s: {what}; last lines of {process.name}:\n{process.tail()}")
            time.sleep(0.05)

    def page(self, path):
        """Text of a page of the hub, or None."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http_port}{path}", timeout=5) as r:
                return r.read().decode()
        except (urllib.error.URLError, OSError):
            return None

    def service_up(self, service):
        text = self.page("/servicez")
        return text is not None and any(s["name"] == service and s["up"] for s in json.loads(text)["services"])

    def images(self, service):
        text = self.page("/servicez")
        return sum(s["images"] for s in json.loads(text)["services"] if s["name"] == service) if text else 0

    def counts(self):
        """Every count of the hub, all labels together."""
        text = self.page("/varz")
        if text is None:
            return {}
        return {m["name"]: sum(float(s.get("value", 0)) for s in m["samples"])
                for m in json.loads(text)["counts"]["metrics"] if m["kind"] != "histogram"}

    def wait(self, process, seconds):
        try:
            code = process.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            fail(f"{process.name} did not end within {seconds} s; its last lines:\n{process.tail()}")
        if code != 0:
            fail(f"{process.name} ended with code {code}; its last lines:\n{process.tail()}")

    def end(self):
        for watch in self.watches:
            watch.end()
        for process in reversed(self.processes):
            if process.running():
                process.end()
        self.processes = []


# --- figures
SUMMARY_ROWS = {
    "images": r"^  Refreshes received: ([\d.]+)", "image time s": r"^  Image retrieval time \(sec\): ([\d.]+)",
    "updates/s": r"^  Avg update rate: ([\d.]+)", "latency mean us": r"^  Latency avg \(usec\): ([\d.]+)",
    "std dev us": r"^  Latency std dev \(usec\): ([\d.]+)", "max us": r"^  Latency max \(usec\): ([\d.]+)",
    "min us": r"^  Latency min \(usec\): ([\d.]+)", "posts": r"^  Posts sent: ([\d.]+)",
    "post mean us": r"^  Posting latency avg \(usec\): ([\d.]+)", "post max us": r"^  Posting latency max \(usec\): ([\d.]+)",
}


def rows_of(path):
    """Lines of a statistics file."""
    with open(path, newline="") as f:
        return [{k.strip(): v.strip() for k, v in r.items() if k} for r in csv.DictReader(f)]


def points_of(folder):
    """Single latencies of updates in microseconds, from the latency files."""
    points = []
    for path in sorted(folder.glob("latency*.csv")):
        for row in rows_of(path):
            if row["Message type"] == "Upd":
                points.append(float(row["Latency (usec)"]))
    return points


def summary_of(path):
    """The consumer's figures of steady state, and how long the images took; what the summary does not have is missing."""
    text = path.read_text()
    text = text[text.index("OVERALL SUMMARY"):]
    chapters = dict(re.findall(r"^([A-Z][\w ]+ Statistics):\n((?:  .*\n?)*)", text, re.M))
    found = {}
    for name, pattern in SUMMARY_ROWS.items():
        chapter = "Test Statistics" if name in ("images", "image time s", "posts") else "Steady State Statistics"
        m = re.search(pattern, chapters.get(chapter, ""), re.M)
        if m:
            found[name] = float(m.group(1))
    return found


def shown(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) < 1 else f"{value:.1f}"
    return str(value)


def table(rows):
    columns = []
    for row in rows:
        columns += [c for c in row if c not in columns]
    width = {c: max([len(c)] + [len(shown(r.get(c))) for r in rows]) for c in columns}
    lines = ["  ".join(c.rjust(width[c]) for c in columns)]
    lines += ["  ".join(shown(r.get(c)).rjust(width[c]) for c in columns) for r in rows]
    return "\n".join(lines)


def write_csv(path, rows):
    columns = []
    for row in rows:
        columns += [c for c in row if c not in columns]
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, columns)
        out.writeheader()
        out.writerows(rows)


def report(stage, title, rows, runs=None):
    """Table on the screen, results.csv, and the page of perfreport."""
    for watch in stage.watches:
        watch.end()
    print()
    print(table(rows))
    write_csv(stage.dir / "results.csv", rows)
    print(f"\nThe table as CSV: {stage.dir / 'results.csv'}")
    perfreport = stage.bin / "perfreport"
    if not perfreport.exists():
        print("perfreport was not built (it needs Python 3): no page")
        return
    made = subprocess.run([sys.executable, str(perfreport), "-o", str(stage.dir / "report.html"), "--title", title,
                           *(runs or [f"{stage.name}={stage.dir}"])], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        fail("perfreport made no page: " + (made.stderr or made.stdout).strip())
    print(f"The run as a page: {stage.dir / 'report.html'}")


def page_of_tables(path, title, subtitle, tables):
    """A page of tables: (heading, rows, names of the columns or None for all)."""
    def cell(tag, text):
        return f"<{tag}>{html.escape(text)}</{tag}>"

    parts = []
    for heading, rows, columns in tables:
        columns = columns or list(dict.fromkeys(c for row in rows for c in row))
        parts.append(cell("h2", heading) + "<table><tr>" + "".join(cell("th", c) for c in columns) + "</tr>" + "".join(
            "<tr>" + "".join(cell("td", shown(row.get(c))) for c in columns) + "</tr>" for row in rows) + "</table>")
    path.write_text(f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title><style>
body {{ font: 14px system-ui, sans-serif; margin: 24px; color: #1b1f24; }} h1 {{ font-size: 21px; }} h2 {{ font-size: 16px; margin-top: 28px; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }} th, td {{ padding: 4px 12px; text-align: right; border-top: 1px solid #dde1e6; }}
th {{ border-top: 0; font-weight: 600; }} p {{ color: #57606a; }}</style></head><body>{cell("h1", title)}{cell("p", subtitle)}{"".join(parts)}</body></html>
""")


def consumer_words(options, *more):
    """The guide's command line, and what makes the run as long as wanted."""
    words = ["EmaCppConsPerf", "-serviceName", options.service, "-consumerName", "Perf_Consumer_1", *more,
             "-steadyStateTime", options.seconds, "-writeStatsInterval", 1, "-latencyFile", "latency"]
    if options.items is not None:
        words += ["-itemCount", options.items]
    return words


def arguments(description, **more):
    a = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin", help="where the programs are")
    a.add_argument("--out", type=pathlib.Path, help="folder for the runs' files (default: a new one under the temporary folder)")
    a.add_argument("--seconds", type=int, default=30, help="steady state; the guide's 300 is the tools' default (30)")
    a.add_argument("--items", type=int, help="items (the tools' default: 100000)")
    a.add_argument("--service", default="TEST_FEED", help="service name (TEST_FEED)")
    a.add_argument("--ports", choices=["guide", "free"], default="guide",
                   help="guide: consumers 14002, publishers 14003, provider 17008, pages 8080; free: any")
    for name, settings in more.items():
        a.add_argument("--" + name.replace("_", "-"), **settings)
    return a


def main(run, parser):
    """Runs it with the options; tells failures in a sentence, and ends all processes whatever happens."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parser.parse_args()
    try:
        run(options)
    except Failed as e:
        print(f"Error: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
