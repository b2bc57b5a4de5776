"""The page: which charts there are, the tables, and everything put into one file."""
import html
import math
import pkgutil
import re
import statistics

from chart import (DASHES, Linear, Log, LogTitle, Percentiles, Series, Time, duration, short, svg)
from files import KINDS, RECORD, TOOLS
from headline import FEW, headline
from runs import thin

_FRACTIONS = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)]
_MEGABYTE = 1048576.0


class Chart:
    """A figure. `lines(thread)` gives its Series for "all" or the number of a thread."""

    def __init__(self, name, title, lines, per_thread=True, note=""):
        self.name, self.title, self.lines, self.per_thread, self.note = name, title, lines, per_thread, note
        self.x_axis, self.y_axis = Time, Linear
        self.y_title, self.read_y = "", short

    def of(self, y_title, read_y, x_axis=Time, y_axis=Linear):
        self.y_title, self.read_y, self.x_axis, self.y_axis = y_title, read_y, x_axis, y_axis
        return self


def _processes(runs):
    return [(number, process) for number, run in enumerate(runs) for process in run.processes.values()]


def _over_time(runs, thread, wanted, zeros=False):
    """Series from statistics. `wanted`: (tool, key of the line, point -> value or None). Lines without any value are left out,
    and with `zeros` false those that are always 0."""
    series = []
    for tool, key, value in wanted:
        for number, process in _processes(runs):
            if process.tool != tool:
                continue
            points = [(point.time, value(point)) for point in thin(process.points(thread))]
            if any(y is not None if zeros else y for _, y in points):
                series.append(Series(number, key, points))
    return series


def _rate(key, scale=1.0):
    def value(point):
        rate = point.rate(key)
        return None if rate is None else rate / scale
    return value


def _latency(kind, which):
    def value(point):
        values = point.row.latency.get(kind)
        return values[which] if values and values[0] > 0 else None
    return value


def _from_samples(runs, thread, kind, make):
    series = []
    for number, process in _processes(runs):
        sample = process.samples.get((thread, kind))
        if sample:
            series += make(number, process, sample)
    return series


def _owner(runs, kind, process):
    """Named only where consumers and providers both measured this kind."""
    tools = {p.tool for _, p in _processes(runs) if ("all", kind) in p.samples}
    return f" ({_ROLES[process.tool]})" if len(tools) > 1 else ""


_ROLES = {"consumer": "consumer", "provider": "provider", "niprovider": "NI provider", "transport": "transport", "hub": "hub"}


def _percentile_lines(runs, kind):
    def lines(thread):
        def make(number, process, sample):
            slices = sample.over_time([fraction for _, fraction in _FRACTIONS])
            return [Series(number, name + _owner(runs, kind, process), [(time, values[i]) for time, values in slices])
                    for i, (name, _) in enumerate(_FRACTIONS)]
        return sorted(_from_samples(runs, thread, kind, make), key=lambda one: one.key)
    return lines


def _curve_lines(runs, kind):
    def lines(thread):
        def make(number, process, sample):
            most = math.log10(len(sample.values))
            steps = max(1, math.ceil(most / 0.05))
            points = [(i * most / steps, sample.percentile(1 - 10.0 ** (-i * most / steps))) for i in range(steps + 1)]
            return [Series(number, _owner(runs, kind, process).strip(" ()"), points)]
        return _from_samples(runs, thread, kind, make)
    return lines


def _edges(low, high, whole):
    """Ten to a decade; whole numbers where the values are such, so that no bin is empty for want of values."""
    edges = []
    for i in range(math.floor(10 * math.log10(low)), math.ceil(10 * math.log10(high)) + 2):
        edge = 10.0 ** (i / 10)
        edge = float(math.ceil(edge - 1e-9)) if whole else edge
        if not edges or edge > edges[-1]:
            edges.append(edge)
    return edges


def _histogram_lines(runs, kind):
    def lines(thread):
        samples = [p.samples[thread, kind] for _, p in _processes(runs) if (thread, kind) in p.samples]
        if not samples:
            return []
        low = max(min(sample.ordered[0] for sample in samples), 0.1)
        high = max(sample.ordered[-1] for sample in samples)
        whole = all(value.is_integer() for sample in samples for value in sample.ordered[:1000])
        edges = _edges(low, max(high, low), whole)

        def make(number, process, sample):
            points = []
            for left, right, share in zip(edges, edges[1:], sample.shares(edges)):
                height = 100 * share * 0.1 / math.log10(right / left)
                points += [(left, height), (right, height)]
            return [Series(number, _owner(runs, kind, process).strip(" ()"), points, fill=True)]
        return _from_samples(runs, thread, kind, make)
    return lines


def _percent(value):
    return f"{value:.3g} %"


def _charts(runs):
    """All that the runs can fill; those without data are left out later."""
    def over(*wanted):
        return lambda thread: _over_time(runs, thread, wanted)

    charts = [
        Chart("updates", "Update rate", over(
            ("consumer", "received by the consumer", _rate("updates")), ("provider", "sent by the provider", _rate("updates")),
            ("niprovider", "sent by the NI provider", _rate("updates")), ("hub", "sent by the hub", _rate("updates"))))
        .of("updates/s", short),
        Chart("messages", "Message rate", over(
            ("transport", "sent", _rate("messagesSent")), ("transport", "received", _rate("messagesReceived"))))
        .of("messages/s", short),
        Chart("data", "Data rate", over(
            ("transport", "sent", _rate("bytesSent", _MEGABYTE)), ("transport", "received", _rate("bytesReceived", _MEGABYTE))))
        .of("MB/s", short),
        Chart("images", "Image rate", over(
            ("consumer", "received by the consumer", _rate("images")), ("provider", "sent by the provider", _rate("images")),
            ("niprovider", "sent by the NI provider", _rate("images")))).of("images/s", short),
        Chart("posts", "Posts and generic messages", over(
            ("provider", "posts reflected", _rate("posts")), ("consumer", "generic, sent by the consumer", _rate("genericsSent")),
            ("consumer", "generic, received by the consumer", _rate("genericsReceived")),
            ("provider", "generic, sent by the provider", _rate("genericsSent")),
            ("provider", "generic, received by the provider", _rate("genericsReceived")))).of("messages/s", short),
    ]
    def waiting(*wanted):
        return lambda thread: _over_time(runs, thread, [("hub", key, _rate(name)) for key, name in wanted], zeros=True)

    charts += [
        Chart("hub-output", "Hub: output that waits for its clients", waiting(("all connections", "outputQueued")), per_thread=False,
              note="Queued and not handed to the kernel, at the end of each second.").of("bytes", short),
        Chart("hub-waiting", "Hub: work that waits for its turn", waiting(
            ("requests to the source", "requestsWaiting"), ("states of items", "statusesWaiting"),
            ("records between threads", "recordsWaiting")), per_thread=False).of("waiting", short),
    ]
    for kind, what in KINDS.items():
        tools = [tool for tool in TOOLS if any(
            p.tool == tool and any(point.row.latency.get(kind, [0])[0] for point in p.all) for _, p in _processes(runs))]
        wanted = [(tool, name + (f" ({_ROLES[tool]})" if len(tools) > 1 else ""), _latency(kind, which))
                  for name, which in (("average", 1), ("maximum", 3)) for tool in tools]
        charts += [
            Chart(f"latency-{kind}", f"{what}: latency per interval", over(*wanted)).of("latency", duration, y_axis=Log),
            Chart(f"percentiles-{kind}", f"{what}: latency percentiles over time", _percentile_lines(runs, kind))
            .of("latency", duration, y_axis=Log),
            Chart(f"curve-{kind}", f"{what}: latency by percentile", _curve_lines(runs, kind))
            .of("latency", duration, Percentiles, Log),
            Chart(f"histogram-{kind}", f"{what}: latency distribution", _histogram_lines(runs, kind),
                  note="Share of the messages in each tenth of a decade of latency.")
            .of("% of messages", _percent, LogTitle),
        ]
    every = [(tool, _ROLES[tool]) for tool in TOOLS]
    charts += [
        Chart("cpu", "CPU", over(*((tool, role, lambda point: point.row.cpu) for tool, role in every)), per_thread=False)
        .of("% of one core", _percent),
        Chart("memory", "Resident memory", over(*((tool, role, lambda point: point.row.memory) for tool, role in every)),
              per_thread=False).of("MB", short),
    ]
    return charts


def _figure(chart, runs, threads):
    keys = []
    variants = []
    for thread in ["all"] + (threads if chart.per_thread and len(threads) > 1 else []):
        series = chart.lines(thread)
        if thread == "all":
            for one in series:
                if one.key not in keys:
                    keys.append(one.key)
            if not series:
                return ""

        def style(one):
            number = keys.index(one.key) if one.key in keys else 0
            return (number % 8, 0) if len(runs) == 1 else (one.run, number)
        hidden = "" if thread == "all" else " hidden"
        if series:
            drawn = [(x, y) for one in series for x, y in one.points if y is not None]
            content = svg(chart.title, series, chart.x_axis([x for x, _ in drawn]), chart.y_axis([y for _, y in drawn]),
                          chart.y_title, chart.read_y, style, runs)
        else:
            content = '<p class="none">No data of this thread.</p>'
        variants.append(f'<div class="variant" data-thread="{thread}"{hidden}>{content}</div>')
    legend = []
    if len(runs) > 1:
        shown = sorted({one.run for one in chart.lines("all")})
        legend += [f'<li class="run{number}" title="{html.escape(runs[number].name)}"><i class="swatch back{number}"></i>'
                   f'<span>{html.escape(runs[number].name)}</span></li>' for number in shown]
    if len(runs) == 1 or len(keys) > 1:
        for number, key in enumerate(keys):
            colour = f"line{number % 8}" if len(runs) == 1 else "plain"
            dash = DASHES[number % len(DASHES)] if len(runs) > 1 else ""
            legend.append(f'<li><svg class="key" viewBox="0 0 30 8"><path class="line {colour}" stroke-dasharray="{dash}" '
                          f'd="M1 4h28"/></svg><span>{html.escape(key)}</span></li>') if key else None
    note = f'<p class="note">{html.escape(chart.note)}</p>' if chart.note else ""
    process = '<p class="note">Of the whole process, all threads together.</p>' if not chart.per_thread and len(threads) > 1 else ""
    return (f'<figure id="{chart.name}"><figcaption>{html.escape(chart.title)}</figcaption>'
            f'{note}{process}<ul class="legend">{"".join(legend)}</ul>{"".join(variants)}</figure>')


# --- tables -------------------------------------------------------------------------------------------------------------


def _glance(process):
    """(label, value) of what the statistics and latency files say about a process."""
    entries = []
    points = process.all

    def middle(label, key):
        rates = [rate for rate in (point.rate(key) for point in points) if rate]
        if rates:
            entries.append((label, short(statistics.median(rates))))
    if points:
        entries.append(("Length of the statistics", f"{points[-1].time - points[0].time + points[0].seconds:g} s"))
    middle("Updates/s, median interval", "updates")
    middle("Messages sent/s, median interval", "messagesSent")
    middle("Messages received/s, median interval", "messagesReceived")
    for kind, what in KINDS.items():
        values = [point.row.latency[kind] for point in points if point.row.latency.get(kind, [0])[0] > 0]
        count = sum(value[0] for value in values)
        if count:
            entries.append((f"{what}: latency, average", duration(sum(value[0] * value[1] for value in values) / count)))
        sample = process.samples.get(("all", kind))
        if sample:
            few = " (few: below 1,000)" if len(sample.values) < FEW else ""
            entries.append((f"{what}: samples of the percentiles", f"{len(sample.values):,}{few}"))
            entries += [(f"{what}: latency, {name}", duration(sample.percentile(fraction)))
                        for name, fraction in _FRACTIONS + [("p99.99", 0.9999)] if len(sample.values) * (1 - fraction) >= 1]
        most = max([value[3] for value in values] + ([sample.ordered[-1]] if sample else []), default=None)
        if most is not None:
            entries.append((f"{what}: latency, maximum", duration(most)))
    if points:
        busy = [(point.row.cpu, point.seconds) for point in points if point.seconds > 0]
        if busy:
            entries.append(("CPU, average", f"{sum(cpu * s for cpu, s in busy) / sum(s for _, s in busy):.2f} %"))
        entries += [("CPU, maximum", f"{max(point.row.cpu for point in points):.2f} %"),
                    ("Memory, maximum", f"{max(point.row.memory for point in points):.2f} MB")]
    return entries


def _table(name, caption, heads, groups):
    """`groups`: (heading or "", [(label, [cell per column])])."""
    out = [f'<div class="scroll{" wide" if len(heads) > 4 else ""}"><table id="{name}"><caption>{html.escape(caption)}</caption><thead><tr><th></th>']
    out += [f'<th scope="col">{html.escape(head)}</th>' for head in heads]
    out.append("</tr></thead>")
    for heading, rows in groups:
        out.append("<tbody>")
        if heading:
            out.append(f'<tr class="group"><th colspan="{len(heads) + 1}">{html.escape(heading)}</th></tr>')
        for label, cells in rows:
            differs = ' class="differs"' if len(set(cells)) > 1 and name.startswith("inputs") else ""
            out.append(f'<tr{differs}><th scope="row">{html.escape(label)}</th>'
                       + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        out.append("</tbody>")
    out.append("</table></div>")
    return "".join(out)


def _ordered(lists):
    """All labels of several lists, each where its list has it."""
    result = []
    for labels in lists:
        place = 0
        for label in labels:
            if label in result:
                place = result.index(label) + 1
            else:
                result.insert(place, label)
                place += 1
    return result


def _glance_tables(runs):
    out = []
    for tool, name in TOOLS.items():
        processes = [(run.name, run.processes[tool]) for run in runs if tool in run.processes]
        columns = [dict(_glance(process)) for _, process in processes]
        labels = _ordered([list(column) for column in columns])
        if labels:
            rows = [(label, [column.get(label, "\u2013") for column in columns]) for label in labels]
            out.append(_table(f"glance-{tool}", f"{name}, whole run", [head for head, _ in processes], [("", rows)]))
    return "".join(out)


_QUANTILE = re.compile(r"(p[\d.]+|Max): (\S+)")


def _entries(section):
    """(block, label) -> value; the line of quantiles becomes a line for each."""
    result = {}
    for block, label, value in section:
        if label.endswith("quantiles (usec)"):
            result.update({(block, f"{label.partition(' quantiles')[0]} {name} (usec)"): number
                           for name, number in _QUANTILE.findall(value) if name != "Max"})
        else:
            result[block, label] = value
    return result


def _summary_tables(runs):
    out = []
    for tool, name in TOOLS.items():
        summaries = [(run.name, run.processes[tool].summary) for run in runs
                     if tool in run.processes and run.processes[tool].summary]
        if not summaries:
            continue
        heads = [head for head, _ in summaries]
        sections = [section for section in _ordered([list(summary.sections) for _, summary in summaries]) if section != RECORD]
        sections.sort(key=lambda section: section != "OVERALL SUMMARY")
        for section in sections:
            found = [_entries(summary.sections.get(section, [])) for _, summary in summaries]
            groups = {}
            for block, label in _ordered([list(values) for values in found]):
                cells = [("yes" if not values[block, label] else values[block, label]) if (block, label) in values else "\u2013"
                         for values in found]
                groups.setdefault(block, []).append((label, cells))
            title = f"{name}, {section.lower().removesuffix(' summary')}"
            table = _table(f"summary-{tool}-{len(out)}", title, heads, list(groups.items()))
            out.append(table if section == "OVERALL SUMMARY" else
                       f"<details><summary>{html.escape(title)}</summary>{table}</details>")
        labels = _ordered([list(summary.inputs) for _, summary in summaries])
        rows = [(label, [summary.inputs.get(label, "\u2013") for _, summary in summaries]) for label in labels]
        inputs = _table(f"inputs-{tool}", f"{name}, inputs", heads, [("", rows)])
        out.append(f"<details><summary>{html.escape(name)}, inputs</summary>{inputs}</details>")
    return "".join(out)


def _text(name):
    data = pkgutil.get_data(__name__, name)
    if data is None:
        raise FileNotFoundError(name)
    return data.decode("utf-8")


def page(runs, title=None):
    """The whole page as text."""
    title = title or "Performance: " + ", ".join(run.name for run in runs)
    threads = sorted({number for _, process in _processes(runs) for number in process.thread_numbers()})
    controls = []
    if len(runs) > 1:
        controls.append('<fieldset id="runs"><legend>Runs</legend>' + "".join(
            f'<label title="{html.escape(run.name)}"><input type="checkbox" data-run="{number}" checked>'
            f'<i class="swatch back{number}"></i><span>{html.escape(run.name)}</span></label>'
            for number, run in enumerate(runs)) + "</fieldset>")
    if len(threads) > 1:
        controls.append('<label id="threads">Threads <select><option value="all">all together</option>' + "".join(
            f'<option value="{number}">thread {number}</option>' for number in threads) + "</select></label>")
    notes = [(f"{run.name}: " if len(runs) > 1 else "") + note for run in runs for note in run.notes]
    if not any(process.samples for _, process in _processes(runs)):
        notes.append("Percentiles and distributions need latency files: run the tool with -latencyFile.")
    figures = "".join(_figure(chart, runs, threads) for chart in _charts(runs))
    return "".join([
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; '
        'script-src \'unsafe-inline\'; img-src data:">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
        f"<title>{html.escape(title)}</title><style>{_text('page.css')}</style></head><body>",
        f"<header><h1>{html.escape(title)}</h1></header>",
        f'<div id="controls">{"".join(controls)}</div>' if controls else "", "<main>",
        "".join(f'<p class="note">{html.escape(note)}</p>' for note in notes),
        headline(runs),
        f'<section id="glance" class="tables">{_glance_tables(runs)}</section>',
        f'<section id="charts">{figures}</section>',
        f'<section id="tables" class="tables">{_summary_tables(runs)}</section>',
        f'</main><div id="readout" hidden></div><script>{_text("page.js")}</script></body></html>\n',
    ])
