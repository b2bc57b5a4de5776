"""Reads the files that the performance tools write: statistics, latencies, summaries.

What a file is follows from its first line, never from its name. Everything wrong is a ReportError that names file and line.
"""
import array
import calendar
import collections
import re
import time

KINDS = {"update": "Updates", "post": "Posts", "generic": "Generic messages", "transport": "Messages"}
TOOLS = {
    "consumer": "EmaCppConsPerf",
    "provider": "EmaCppIProvPerf",
    "niprovider": "EmaCppNIProvPerf",
    "transport": "TransportPerf",
    "hub": "emissary-hub",
}


class ReportError(Exception):
    """Something the user has to put right; the text says what, where and how."""


class Unfinished(ReportError):
    """A file that ends too early: the tool was interrupted, or writes it still."""


def at(path, line, text, kind=ReportError):
    return kind(f"{path}:{line}: {text}")


# --- statistics ---------------------------------------------------------------------------------------------------------

_VALUES = ("avg (usec)", "std dev (usec)", "max (usec)", "min (usec)")


def _latency(kind, count, name):
    return [(count, "latency", kind)] + [(f"{name} {value}", "latency", kind) for value in _VALUES]


_RESOURCES = [("CPU usage (%)", "cpu", ""), ("Memory (MB)", "memory", "")]
# Per tool the columns after UTC: label, what it is, its key. A `count` is per interval, a `rate` per second.
_COLUMNS = {
    "consumer": _latency("update", "Latency updates", "Latency")
    + [("Images", "count", "images"), ("Update rate (msg/sec)", "rate", "updates")]
    + _latency("post", "Posting Latency updates", "Posting Latency")
    + [("GenMsgs sent", "count", "genericsSent"), ("GenMsgs received", "count", "genericsReceived"),
       ("GenMsg Latencies sent", "count", "genericLatenciesSent")]
    + _latency("generic", "GenMsg latencies received", "GenMsg Latency") + _RESOURCES,
    "provider": [("Requests received", "count", "requests"), ("Images sent", "count", "images"),
                 ("Updates sent", "count", "updates"), ("Posts reflected", "count", "posts"),
                 ("GenMsgs sent", "count", "genericsSent"), ("GenMsgs received", "count", "genericsReceived"),
                 ("GenMsg Latencies sent", "count", "genericLatenciesSent")]
    + _latency("generic", "GenMsg Latencies received", "GenMsg Latency") + _RESOURCES,
    "niprovider": [("Images sent", "count", "images"), ("Updates sent", "count", "updates")] + _RESOURCES,
    "transport": [("Msgs sent", "count", "messagesSent"), ("Bytes sent", "count", "bytesSent"),
                  ("Msgs received", "count", "messagesReceived"), ("Bytes received", "count", "bytesReceived")]
    + _latency("transport", "Latency msgs received", "Latency") + _RESOURCES,
    # Of PerfTools/scenarios; what waits is that of the moment, and is treated as a rate is.
    "hub": [("Updates received", "count", "updatesReceived"), ("Updates sent", "count", "updates"),
            ("Output queued (bytes)", "rate", "outputQueued"), ("Requests waiting", "rate", "requestsWaiting"),
            ("Statuses waiting", "rate", "statusesWaiting"), ("Records waiting", "rate", "recordsWaiting")] + _RESOURCES,
}
_STATS_HEADERS = {", ".join(["UTC"] + [column[0] for column in columns]): tool for tool, columns in _COLUMNS.items()}
_LATENCY_HEADERS = {
    "Message type, Send time, Receive time, Latency (usec)": "ema",
    "Send Time, Receive Time, Latency(nsec)": "transport",
}
_SUMMARY_FIRST = "--- TEST INPUTS ---"
RECORD = "RUN SUMMARY"  # the section of a summary that says where and how the tool ran

# One line of a statistics file. `latency`: kind -> [count, avg, stdDev, max, min] in microseconds.
Row = collections.namedtuple("Row", "utc counts rates latency cpu memory")
# `late`: (utc, count, milliseconds of the latest) of a provider's late ticks.
Stats = collections.namedtuple("Stats", "path tool thread rows late", defaults=((),))
# `latencies`: kind -> (send times, latencies), both in microseconds.
Latencies = collections.namedtuple("Latencies", "path tool base thread latencies")
# `inputs`: label -> text; `sections`: title -> list of (block, label, text).
Summary = collections.namedtuple("Summary", "path tool inputs sections")


def _lines(path, partial):
    """All lines without their ends; the last must be complete unless `partial`, which leaves it out."""
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            text = file.read()
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ReportError(f"{path}:1: not a text file, so not one that a performance tool wrote") from None
    if not text:
        raise at(path, 1, "the file is empty: did the tool end before it could write?", Unfinished)
    lines = text.split("\n")
    if lines[-1] and not partial:
        raise at(path, len(lines), "the file ends inside a line: let the tool finish, or leave the line out with --partial",
                 Unfinished)
    lines.pop()
    if not lines:
        raise at(path, 1, "the file has no complete line", Unfinished)
    return [line[:-1] if line.endswith("\r") else line for line in lines]


def _utc(path, line, text):
    try:
        return calendar.timegm(time.strptime(text, "%Y-%m-%d %H:%M:%S"))
    except ValueError:
        raise at(path, line, f"'{text}' is not a time like 2026-01-31 23:59:59") from None


def _number(path, line, label, text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise at(path, line, f"'{text}' is not a number of 0 or more (column '{label}')")
    return value


_LATE = re.compile(r"- (\d+) late ticks: the latest came (\d+\.\d) ms after it was due\.")


def _read_stats(path, thread, tool, lines):
    columns = _COLUMNS[tool]
    rows, late = [], []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split(", ")
        if len(cells) == 2 and cells[1].startswith("- "):  # what was dropped, or came late, in words
            utc, said = _utc(path, number, cells[0]), _LATE.fullmatch(cells[1])
            if said:
                late.append((utc, int(said.group(1)), float(said.group(2))))
            continue
        if len(cells) != len(columns) + 1:
            raise at(path, number, f"{len(cells)} columns instead of {len(columns) + 1}: the line is damaged or truncated")
        row = Row(_utc(path, number, cells[0]), {}, {}, {}, [], [])
        if rows and row.utc < rows[-1].utc:
            raise at(path, number, "the time is before that of the line above: are two runs in one file?")
        for (label, what, key), cell in zip(columns, cells[1:]):
            value = _number(path, number, label, cell)
            if what == "latency":
                row.latency.setdefault(key, []).append(value)
            elif what == "count":
                row.counts[key] = value
            elif what == "rate":
                row.rates[key] = value
            else:
                (row.cpu if what == "cpu" else row.memory).append(value)
        rows.append(row._replace(cpu=row.cpu[0], memory=row.memory[0]))
    if not rows:
        raise at(path, 1, "only the header: the run was shorter than -writeStatsInterval", Unfinished)
    return Stats(path, tool, thread, rows, late)


# --- latencies ----------------------------------------------------------------------------------------------------------

_EMA_KINDS = {"Upd": "update", "Pst": "post", "Gen": "generic"}


def _read_latencies(path, thread, base, layout, lines):
    found = {}
    ema = layout == "ema"
    unit = 1.0 if ema else 1e-3
    for number, line in enumerate(lines[1:], 2):
        cells = line.split(", ")
        if ema:
            kind = _EMA_KINDS.get(cells[0])
            if kind is None:
                raise at(path, number, f"'{cells[0]}' is not a message type (Upd, Pst or Gen)")
            del cells[0]
        else:
            kind = "transport"
        try:
            start, end, latency = map(int, cells)
        except ValueError:
            raise at(path, number, "send time, receive time and latency must be three whole numbers: the line is damaged"
                     " or truncated") from None
        if end - start != latency:
            raise at(path, number, f"the latency is {latency}, receive time less send time {end - start}")
        if latency < 0:
            raise at(path, number, "received before it was sent: both tools must run on one host, with one unit (-nanoTime)")
        if kind not in found:
            found[kind] = (array.array("d"), array.array("d"))
        found[kind][0].append(start * unit)
        found[kind][1].append(latency * unit)
    return Latencies(path, None if ema else "transport", base, thread, found)


# --- summaries ----------------------------------------------------------------------------------------------------------

_SECTION = re.compile(r"--- (.+ SUMMARY) ---$")


def _summary_tool(path, inputs):
    if "Steady State Time" in inputs:
        return "consumer"
    if "App Type" in inputs:
        return "transport"
    if "Provider Name" in inputs:
        return "niprovider" if "Item Count" in inputs else "provider"
    raise at(path, 1, "the inputs are none of EmaCppConsPerf, EmaCppIProvPerf, EmaCppNIProvPerf or TransportPerf")


def _read_summary(path, lines):
    inputs, sections = {}, {}
    entries, block = None, ""
    for number, line in enumerate(lines[1:], 2):
        section = _SECTION.match(line)
        if section:
            entries, block = sections.setdefault(section.group(1), []), ""
        elif not line.strip():
            continue
        elif entries is None or line.startswith("  "):
            label, colon, value = line.strip().partition(":")
            if entries is not None:
                entries.append((block, label.strip(), value.strip()))
            elif colon:
                inputs[label.strip()] = value.strip()
            else:
                raise at(path, number, f"'{line.strip()}' is neither an input nor a section")
        elif line.endswith(":"):
            block = line[:-1]
        else:
            raise at(path, number, f"'{line}' is neither a heading nor a value")
    tool = _summary_tool(path, inputs)
    if not sections.get("OVERALL SUMMARY"):
        raise at(path, len(lines), "the file ends before the OVERALL SUMMARY: the tool did not finish", Unfinished)
    return Summary(path, tool, inputs, sections)


def read(path, partial=False):
    """The Stats, Latencies or Summary in `path`."""
    lines = _lines(path, partial)
    stem = re.sub(r"\.[^.]*$", "", path.replace("\\", "/").rsplit("/", 1)[-1])
    base, digits = re.fullmatch(r"(.*?)(\d*)", re.sub(r"_\d+$", "", stem)).groups()
    thread = int(digits or 1)
    first = lines[0].strip()
    if first in _STATS_HEADERS:
        return _read_stats(path, thread, _STATS_HEADERS[first], lines)
    if first in _LATENCY_HEADERS:
        return _read_latencies(path, thread, base, _LATENCY_HEADERS[first], lines)
    if first == _SUMMARY_FIRST:
        return _read_summary(path, lines)
    for header in list(_STATS_HEADERS) + list(_LATENCY_HEADERS):
        if len(first) > 3 and header.startswith(first):
            raise at(path, 1, f"the header is truncated after '{first[-30:]}'")
    raise at(path, 1, "this first line is not of a statistics, latency or summary file of the performance tools: "
             f"'{first[:60]}{'...' if len(first) > 60 else ''}'")
