"""What a run did once it had settled, and whether two runs differ in it.

Steady state begins behind the last interval in which images came or went; of a tool that knows no images, behind its first
interval. All figures of a run are of one stretch of time: that of its consumer, if it has one.
"""
import collections
import math
import statistics

from files import KINDS, TOOLS

FRACTIONS = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999)]
_MIN_INTERVALS = 5  # of each run, to say that two differ
_LEAST = 0.02  # smaller differences are of no interest

# One figure of a run. `unit`: "/s", "us", "%" (of one core) or "MB"; `count`: of the samples behind it or None;
# `values`: its value in each interval; `more`: whether more of it is better.
Figure = collections.namedtuple("Figure", "label unit value count values more")
_LEADING = ("consumer", "transport", "provider", "niprovider", "hub")


class Stretch:
    """A part of a run, in seconds from its start. `whole` when no steady state can be told apart."""

    def __init__(self, begin, end, whole):
        self.begin, self.end, self.whole = begin, end, whole

    def points(self, process):
        """Those that lie in it, the rest of the end left out: how long it lasted is unknown."""
        return [point for point in process.all
                if point.seconds > 0 and point.time - point.seconds >= self.begin - 0.5 and point.time <= self.end + 0.5]


def stretch(run):
    """The steady state of a run, or None when there are no statistics."""
    for tool in _LEADING:
        process = run.processes.get(tool)
        if not process or not process.all:
            continue
        points = [point for point in process.all if point.seconds > 0] or process.all
        busy = [number for number, point in enumerate(points) if point.row.counts.get("images", 0) > 0]
        first = busy[-1] + 1 if busy else 1
        if tool in ("provider", "niprovider") and first >= len(points):
            first = 1  # images that are asked for all the time are what such a run is about
        if first >= len(points):
            return Stretch(points[0].time - points[0].seconds, points[-1].time, True)
        return Stretch(points[first - 1].time, points[-1].time, False)
    return None


def _mean(pairs):
    """Of (value, weight)."""
    weight = sum(w for _, w in pairs)
    return sum(value * w for value, w in pairs) / weight if weight else None


def _rate(points, label, key):
    rates = [(point.rate(key), point.seconds) for point in points if point.rate(key) is not None]
    value = _mean(rates)
    return [Figure(label, "/s", value, None, [rate for rate, _ in rates], True)] if value else []


def _latencies(process, part, points, kind):
    what = KINDS[kind].lower()
    rows = [point.row.latency[kind] for point in points if point.row.latency.get(kind, [0])[0] > 0]
    count = int(sum(row[0] for row in rows))
    found = []
    if rows:
        found.append(Figure(f"latency of {what}, mean", "us", _mean([(row[1], row[0]) for row in rows]), count,
                            [row[1] for row in rows], False))
    sample = process.samples.get(("all", kind))
    if sample:
        settled = sample.between(part.begin, part.end)
        for name, fraction in FRACTIONS:
            if len(settled.values) * (1 - fraction) >= 1:
                slices = [values[0] for _, values in settled.over_time([fraction])]
                found.append(Figure(f"latency of {what}, {name}", "us", settled.percentile(fraction), len(settled.values),
                                    slices, False))
    if rows:
        found.append(Figure(f"latency of {what}, maximum", "us", max(row[3] for row in rows), count, [row[3] for row in rows],
                            False))
    return found


def figures(run):
    """[(tool, [Figure])] of the steady state, the tool that received first, and the Stretch; ([], None) without statistics."""
    part = stretch(run)
    if part is None:
        return [], None
    result = []
    for tool in _LEADING:
        process = run.processes.get(tool)
        points = part.points(process) if process else []
        if not points:
            continue
        found = []
        if tool == "transport":
            found += _rate(points, "messages received", "messagesReceived") or _rate(points, "messages sent", "messagesSent")
        else:
            found += _rate(points, "updates", "updates")
        if tool == "consumer":
            found += _rate(points, "generic messages received", "genericsReceived")
        for kind in KINDS:
            found += _latencies(process, part, points, kind)
        found.append(Figure("CPU", "%", _mean([(point.row.cpu, point.seconds) for point in points]), None,
                            [point.row.cpu for point in points], False))
        found.append(Figure("memory, most", "MB", max(point.row.memory for point in points), None,
                            [point.row.memory for point in points], False))
        result.append((tool, found))
    return result, part


def _quartiles(values):
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


# How a run differs from the first one. `change`: of the value, as a part of 1 (0.1: a tenth more), or None;
# `verdict`: "better", "worse", "same" or "unknown"; `why`: the reason in words.
Difference = collections.namedtuple("Difference", "change verdict why")


def compare(before, after):
    """The Difference of two Figures of one kind. Two runs differ when the middle halves of their intervals lie apart."""
    change = after.value / before.value - 1 if before.value else None
    if change is None or not math.isfinite(change):
        return Difference(None, "unknown", "nothing to compare with")
    fewest = min(len(before.values), len(after.values))
    if fewest < _MIN_INTERVALS:
        return Difference(change, "unknown", f"{fewest} intervals are too few to tell; {_MIN_INTERVALS} are needed")
    (low, high), (other_low, other_high) = _quartiles(before.values), _quartiles(after.values)
    if abs(change) < _LEAST:
        return Difference(change, "same", "less than 2 %")
    if other_low <= high and low <= other_high:
        return Difference(change, "same", "within what the intervals of each run differ by")
    return Difference(change, "better" if (change > 0) == before.more else "worse", "the middle halves of the intervals lie apart")


def differences(runs):
    """[(tool, label, [Difference or None for each run behind the first])] of the figures that the first run has."""
    every = [dict((tool, {figure.label: figure for figure in found}) for tool, found in figures(run)[0]) for run in runs]
    result = []
    for tool in TOOLS:
        for label, first in every[0].get(tool, {}).items():
            others = [one.get(tool, {}).get(label) for one in every[1:]]
            if any(others):
                result.append((tool, label, [compare(first, other) if other else None for other in others]))
    return result
