"""Runs as the page shows them: files found and put together, threads merged, times counted from the start."""
import bisect
import os
import re
import statistics
import time

import files
from files import ReportError, Row, TOOLS, Unfinished

MAX_RUNS = 8  # as many colours can be told apart
MAX_POINTS = 600  # of one line; longer runs are averaged
_DEFAULT_INTERVAL = 5.0  # of the tools
_JUST_NOW = 20.0  # seconds: a file that changed since is still being written
_WANTED = re.compile(r".*Stats\d+(_\d+)?\.csv|.*latency\d+(_\d+)?\.csv|.*Summary(_\d+)?\.out", re.IGNORECASE)


class Point:
    """One interval of one thread, of a process, or several intervals together. `time` is its end, seconds from the start."""

    def __init__(self, time, seconds, row):
        self.time, self.seconds, self.row = time, seconds, row

    def rate(self, key):
        """Per second, or None when the interval is too short to tell."""
        if key in self.row.rates:
            return self.row.rates[key]
        return self.row.counts[key] / self.seconds if key in self.row.counts and self.seconds else None


def _merge_latency(values):
    """[count, avg, stdDev, max, min] of several such. The deviations are not combined: nothing shows them."""
    values = [value for value in values if value[0] > 0]
    count = sum(value[0] for value in values)
    if not count:
        return [0.0] * 5
    average = sum(value[0] * value[1] for value in values) / count
    return [count, average, 0.0, max(value[3] for value in values), min(value[4] for value in values)]


def _merge_threads(points):
    rows = [point.row for point in points]
    first = rows[0]
    return Point(points[0].time, points[0].seconds, Row(
        first.utc, {key: sum(row.counts[key] for row in rows) for key in first.counts},
        {key: sum(row.rates[key] for row in rows) for key in first.rates},
        {kind: _merge_latency([row.latency[kind] for row in rows]) for kind in first.latency},
        first.cpu, first.memory))  # of the process, in every thread's file


def _merge_times(points):
    seconds = sum(point.seconds for point in points)
    rows = [point.row for point in points]
    first = rows[0]

    def mean(values):
        return (sum(value * point.seconds for value, point in zip(values, points)) / seconds if seconds
                else statistics.fmean(values))
    return Point(points[-1].time, seconds, Row(
        first.utc, {key: sum(row.counts[key] for row in rows) for key in first.counts},
        {key: mean([row.rates[key] for row in rows]) for key in first.rates},
        {kind: _merge_latency([row.latency[kind] for row in rows]) for kind in first.latency},
        mean([row.cpu for row in rows]), max(row.memory for row in rows)))


def thin(points):
    """At most MAX_POINTS points for the same time."""
    step = -(-len(points) // MAX_POINTS)
    return points if step <= 1 else [_merge_times(points[i:i + step]) for i in range(0, len(points), step)]


class Sample:
    """Latencies of one kind: percentiles of all and over time. Times in seconds from the run's start."""

    def __init__(self, times, values):
        self.times, self.values = times, values
        self.ordered = sorted(values)

    def percentile(self, fraction):
        return percentile(self.ordered, fraction)

    def between(self, begin, end):
        """The part of it that was sent in [begin, end]."""
        pairs = [(time, value) for time, value in zip(self.times, self.values) if begin <= time <= end]
        return Sample([time for time, _ in pairs], [value for _, value in pairs])

    def over_time(self, fractions):
        """[(end of the slice, its values at `fractions`)] in about 60 slices of at least a second. What is left of a slice at
        the end belongs to the one before: a few messages have no percentiles to compare."""
        if not self.times:
            return []
        first, last = min(self.times), max(self.times)
        width = next((step for step in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600)
                      if (last - first) / step <= 60), 7200)
        slices = {}
        most = max(int((last - first - width / 2) // width), 0)
        for time, value in zip(self.times, self.values):
            slices.setdefault(min(int((time - first) // width), most), []).append(value)
        result = []
        for number in sorted(slices):
            values = sorted(slices[number])
            end = last if number == most else first + (number + 1) * width
            result.append((end, [percentile(values, fraction) for fraction in fractions]))
        return result

    def shares(self, edges):
        """How much of all lies in each [edges[i], edges[i+1]), as parts of 1."""
        at = [bisect.bisect_left(self.ordered, edge) for edge in edges]
        return [(after - before) / len(self.ordered) for before, after in zip(at, at[1:])]


def percentile(ordered, fraction):
    """The value that `fraction` of the values do not exceed."""
    rank = -(-fraction * len(ordered) // 1)
    return ordered[min(max(int(rank), 1), len(ordered)) - 1]


class Process:
    """What one tool of a run left behind. `threads`: number -> points; `all`: their sums."""

    def __init__(self, tool):
        self.tool = tool
        self.stats, self.latency_files, self.summary = {}, {}, None
        self.threads, self.all = {}, []
        self.samples = {}  # (thread number or "all", kind) -> Sample

    @property
    def name(self):
        return TOOLS[self.tool]

    def record(self):
        """Where and how it ran, [(label, text)], as its summary tells; empty of one that an older tool wrote."""
        return [(label, text) for _, label, text in self.summary.sections.get(files.RECORD, [])] if self.summary else []

    def thread_numbers(self):
        return sorted(set(self.stats) | set(self.latency_files))

    def points(self, thread):
        return self.all if thread == "all" else self.threads.get(thread, [])

    def interval(self, notes):
        """Seconds between two rows."""
        given = self.summary.inputs.get("Write Stats Interval", "") if self.summary else ""
        if given.isdigit() and int(given) > 0:
            return float(given)
        gaps = [after.utc - before.utc for stats in self.stats.values() for before, after in zip(stats.rows, stats.rows[1:])]
        gaps = [gap for gap in gaps if gap > 0]
        if gaps:
            return float(statistics.median_low(gaps))
        if self.stats:
            notes.append(f"{self.name}: a single row and no summary with the interval; {_DEFAULT_INTERVAL:g} s are assumed.")
        return _DEFAULT_INTERVAL


class Run:
    def __init__(self, name):
        self.name = name
        self.processes = {}
        self.notes = []

    def process(self, tool):
        return self.processes.setdefault(tool, Process(tool))

    def add(self, content, other_latencies):
        if isinstance(content, files.Latencies) and content.tool is None:
            other_latencies.append(content)
            return
        process = self.process(content.tool)
        if isinstance(content, files.Summary):
            if process.summary:
                raise ReportError(f"{content.path}: a second summary of {process.name} in run '{self.name}', besides "
                                  f"{process.summary.path}: give them as two runs")
            process.summary = content
            return
        table = process.stats if isinstance(content, files.Stats) else process.latency_files
        self._once(table, content, process)

    def _once(self, table, content, process):
        if content.thread in table:
            raise ReportError(f"{content.path}: a second file of its kind for thread {content.thread} of {process.name} in run "
                              f"'{self.name}', besides {table[content.thread].path}: give them as two runs")
        table[content.thread] = content

    def assign(self, latencies):
        """Consumer and provider write the same latency files: the summary that names the file decides."""
        for one in latencies:
            owner = next((p for p in self.processes.values() if p.tool in ("consumer", "provider") and p.summary and
                          os.path.basename(p.summary.inputs.get("Latency Log File", "")) == one.base), None)
            if owner is None:
                owner = self.process("provider" if "provider" in self.processes and "consumer" not in self.processes
                                     else "consumer")
            self._once(owner.latency_files, one, owner)

    def finish(self):
        ends = [stats.rows[0].utc for process in self.processes.values() for stats in process.stats.values()]
        intervals = {process.tool: process.interval(self.notes) for process in self.processes.values()}
        start = min((stats.rows[0].utc - intervals[process.tool] for process in self.processes.values()
                     for stats in process.stats.values()), default=0.0) if ends else 0.0
        for process in self.processes.values():
            self._place(process, start, intervals[process.tool])
            self._place_latencies(process, intervals[process.tool])

    def _place(self, process, start, interval):
        """Row times have whole seconds only; rows an interval apart are put exactly that apart."""
        for thread, stats in sorted(process.stats.items()):
            points = []
            for number, row in enumerate(stats.rows):
                stamp = row.utc - start
                if not points:
                    time, seconds = stamp, interval
                elif number == len(stats.rows) - 1 and row.utc - stats.rows[-2].utc <= interval / 2:
                    time, seconds = time + interval / 2, 0.0  # what remained when the tool ended; how long is unknown
                elif abs(time + interval - stamp) <= 1.0:
                    time, seconds = time + interval, interval
                else:
                    time, seconds = stamp, max(stamp - time, 0.0)
                points.append(Point(time, seconds, row))
            process.threads[thread] = points
        if process.threads:
            lengths = {len(points) for points in process.threads.values()}
            if len(lengths) > 1:
                self.notes.append(f"{process.name}: the threads' files have {min(lengths)} to {max(lengths)} rows; sums over "
                                  "threads end with the shortest.")
            process.all = [_merge_threads(points) for points in zip(*(process.threads[n] for n in sorted(process.threads)))]

    def _place_latencies(self, process, interval):
        unit = self._unit(process)
        for kind in files.KINDS:
            times, values = [], []
            origin = min((one.latencies[kind][0][0] for one in process.latency_files.values() if kind in one.latencies),
                         default=0.0)
            first = next((p for p in process.all if p.row.latency.get(kind, [0])[0] > 0), None)
            shift = first.time - (first.seconds or interval) if first else 0.0
            for thread, one in sorted(process.latency_files.items()):
                if kind not in one.latencies:
                    continue
                sent, latency = one.latencies[kind]
                these = [(time - origin) * unit * 1e-6 + shift for time in sent]
                scaled = [value * unit for value in latency]
                process.samples[thread, kind] = Sample(these, scaled)
                times += these
                values += scaled
            if values:
                process.samples["all", kind] = Sample(times, values)

    def _unit(self, process):
        """With -nanoTime the message tools write nanoseconds under the same header; the statistics tell which it was."""
        if process.tool == "transport":
            return 1.0
        for kind in files.KINDS:
            most = max((value for one in process.latency_files.values() if kind in one.latencies
                        for value in one.latencies[kind][1]), default=0.0)
            told = max((point.row.latency.get(kind, [0] * 5)[3] for point in process.all), default=0.0)
            if most > 0 and told > 0:
                return 1e-3 if most / told > 30 else 1.0
        if process.latency_files:
            self.notes.append(f"{process.name}: no statistics to compare the latency file with; its values are taken for microseconds.")
        return 1.0


def _paths(text, name):
    """The files that one RUN means."""
    paths = []
    for part in [text] if os.path.exists(text) else [part for part in text.split(",") if part]:
        if os.path.isdir(part):
            try:
                found = sorted(entry for entry in os.listdir(part) if _WANTED.fullmatch(entry))
            except OSError as error:
                raise ReportError(f"{part}: cannot be read: {error.strerror}") from None
            if not found:
                raise ReportError(f"{part}: no <name>Stats<n>.csv, <name>latency<n>.csv or <name>Summary.out in this directory")
            paths += [os.path.join(part, entry) for entry in found]
        elif os.path.exists(part):
            paths.append(part)
        else:
            raise ReportError(f"{part}: no such file or directory" + (f" (run '{name}')" if name else ""))
    if not paths:
        raise ReportError(f"run '{name}' names no file: write {name or 'name'}=directory")
    return paths


def _written_still(path):
    """Changed a moment ago: the tools write to each of their files at least every -writeStatsInterval (5 s unless given)."""
    try:
        return time.time() - os.stat(path).st_mtime < _JUST_NOW
    except OSError:
        return False


def _contents(paths, partial, warn):
    """What stands in the files. One of several that ends too early since its tool writes it still is left out."""
    read = []
    for path in paths:
        try:
            read.append(files.read(path, partial))
        except Unfinished as error:
            if len(paths) == 1 or not _written_still(path):
                raise
            warn(f"{error}; its tool still writes it, so it is left out")
    if not read:
        raise ReportError(f"{os.path.dirname(paths[0]) or '.'}: every file is still being written: let the tools finish")
    return read


def load(specifications, partial=False, warn=lambda text: None):
    """The Run of each `[name=]directory-or-files`. `warn` is given a sentence for each file that is left out."""
    if len(specifications) > MAX_RUNS:
        raise ReportError(f"{len(specifications)} runs; at most {MAX_RUNS} can be told apart on one page")
    runs = []
    for text in specifications:
        name, equals, rest = text.partition("=")
        if os.path.exists(text) or not equals:
            name, rest = "", text
        paths = _paths(rest, name)
        if not name:
            name = os.path.basename(os.path.abspath(paths[0] if os.path.isfile(rest.split(",")[0]) else rest.split(",")[0]))
        if any(run.name == name for run in runs):
            raise ReportError(f"two runs are named '{name}': write name=directory to tell them apart")
        run, other_latencies = Run(name), []
        for content in _contents(paths, partial, warn):
            run.add(content, other_latencies)
        run.assign(other_latencies)
        run.finish()
        runs.append(run)
    return runs
