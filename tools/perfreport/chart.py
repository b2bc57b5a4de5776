"""Charts as SVG text: axes with round ticks, lines, read-outs for the script."""
import html
import json
import math

WIDTH, HEIGHT = 640, 290
LEFT, RIGHT, TOP, BOTTOM = 62, 28, 26, 42
DASHES = ["", "6 4", "2 3", "9 3 2 3", "12 5", "1 5"]


class Series:
    """One line. `points`: (x, y or None) with x ascending; None is a gap. `fill` shades what is below."""

    def __init__(self, run, key, points, fill=False):
        self.run, self.key, self.points, self.fill = run, key, points, fill


def nice_step(span, count):
    """The step 1, 2 or 5 times a power of ten that divides `span` into at most about `count` parts."""
    raw = span / count
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= raw * 0.999999)


def short(value, digits=4):
    """1234567 -> 1.235 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size * (1 - 1e-9):
            return f"{value / size:.{digits}g}{letter}"
    return f"{value:.{digits}g}"


def duration(microseconds, digits=4):
    """1500 -> 1.5 ms."""
    for size, unit in ((1e6, "s"), (1e3, "ms"), (1.0, "\u00b5s")):
        if microseconds >= size * (1 - 1e-9):
            return f"{microseconds / size:.{digits}g} {unit}"
    return f"{microseconds * 1e3:.{digits}g} ns" if microseconds > 0 else "0 \u00b5s"


def clock(seconds):
    """Seconds since the start as h:mm:ss or m:ss; below two minutes as seconds."""
    whole = int(round(seconds))
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


class Linear:
    """From 0 or the data's start to a round value."""

    def __init__(self, values, form=short, low=0.0):
        high = max(values, default=1.0)
        step = nice_step(high - low, 5) if high > low else 1.0
        self.low, self.high = low, low + step * max(1, math.ceil((high - low) / step - 1e-9))
        self.ticks = [(low + i * step, form(low + i * step)) for i in range(int(round((self.high - low) / step)) + 1)]
        self.minor = []

    def part(self, value):
        return (value - self.low) / (self.high - self.low)


class Log:
    """Of latencies in microseconds, from a round value below the smallest positive one to one above the largest."""

    def __init__(self, values, form=duration):
        positive = [value for value in values if value > 0] or [1.0]
        least, most = min(positive), max(positive)
        first, last = math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 1
        marks = [step * 10.0 ** decade for decade in range(first, last + 1) for step in (1, 2, 5)]
        self.low = max(mark for mark in marks if mark <= least * 1.000001)
        self.high = min(mark for mark in marks if mark >= most * 0.999999 and mark > self.low)
        decades_only = self.high / self.low > 50
        self.ticks = [(mark, form(mark)) for mark in marks if self.low * 0.999 <= mark <= self.high * 1.001
                      and (not decades_only or abs(math.log10(mark) - round(math.log10(mark))) < 1e-9)]
        self.minor = [step * 10.0 ** decade for decade in range(first, last + 1) for step in range(2, 10)
                      if decades_only and self.low * 1.001 < step * 10.0 ** decade < self.high * 1.001]

    def part(self, value):
        value = min(max(value, self.low), self.high)
        return math.log10(value / self.low) / math.log10(self.high / self.low)


class Time:
    """Seconds from the start; minutes and hours when it takes long."""

    _STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)

    def __init__(self, values):
        self.low, self.high = 0.0, max(max(values, default=1.0), 1.0)
        step = next((step for step in self._STEPS if self.high / step <= 8), 172800)
        self.seconds = self.high < 120
        self.ticks = [(i * step, str(i * step) if self.seconds else clock(i * step)) for i in range(int(self.high // step) + 1)]
        self.minor = []
        self.title = "seconds since the start" if self.seconds else (
            "since the start, h:mm:ss" if self.high >= 3600 else "since the start, m:ss")

    def part(self, value):
        return value / self.high

    def read(self, value):
        return f"{value:.4g} s" if self.seconds else clock(value)


class Percentiles:
    """Percentiles so that 90, 99, 99.9 % ... are equally far apart. Values are -log10(1 - fraction)."""

    title = "percentile"

    def __init__(self, values):
        self.low, self.high = 0.0, max(max(values, default=1.0), 1.0)
        self.minor = []
        names = [(0.0, "0 %"), (-math.log10(0.5), "50 %")]
        names += [(float(nines), f"{100 * (1 - 10.0 ** -nines):.{max(0, nines - 2)}f} %") for nines in range(1, 10)]
        self.ticks = [tick for tick in names if tick[0] <= self.high * 1.001]

    def part(self, value):
        return value / self.high

    @staticmethod
    def read(value):
        nines = max(0, math.ceil(value - 1e-9) - 1)
        return f"{100 * (1 - 10.0 ** -value):.{nines + 1}f} %"


class LogTitle(Log):
    """A latency axis that runs to the right."""

    title = "latency"

    @staticmethod
    def read(value):
        return duration(value, 3)


def _path(points, place_x, place_y, floor, fill):
    """SVG path data. A point alone between gaps becomes a dot: a line of no length with round ends."""
    parts, run = [], []
    for x, y in list(points) + [(0.0, None)]:
        if y is not None:
            run.append(f"{place_x(x):.1f} {place_y(y):.1f}")
            first, last = (x, x) if len(run) == 1 else (first, x)
            continue
        if run:
            shape = "M" + "L".join(run) + ("h.1" if len(run) == 1 else "")
            parts.append(shape + (f"L{place_x(last):.1f} {floor:.1f}L{place_x(first):.1f} {floor:.1f}Z" if fill else ""))
        run = []
    return "".join(parts)


def svg(title, series, x_axis, y_axis, y_title, read_y, style, runs):
    """One chart. `style(series)` gives (colour number, dash number)."""
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    floor = TOP + high

    def place_x(value):
        return LEFT + wide * min(max(x_axis.part(value), 0.0), 1.0)

    def place_y(value):
        return floor - high * min(max(y_axis.part(value), 0.0), 1.0)

    out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" tabindex="0" aria-label="{html.escape(title)}">']
    for value in y_axis.minor:
        out.append(f'<path class="minor" d="M{LEFT} {place_y(value):.1f}h{wide}"/>')
    for value, label in y_axis.ticks:
        y = place_y(value)
        out.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{wide}"/>'
                   f'<text class="tick" text-anchor="end" x="{LEFT - 8}" y="{y + 4:.1f}">{html.escape(label)}</text>')
    for value in x_axis.minor:
        out.append(f'<path class="minor" d="M{place_x(value):.1f} {TOP}v{high}"/>')
    for value, label in x_axis.ticks:
        x = place_x(value)
        out.append(f'<path class="grid" d="M{x:.1f} {TOP}v{high}"/>'
                   f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{floor + 17}">{html.escape(label)}</text>')
    out.append(f'<path class="axis" d="M{LEFT} {TOP}V{floor}H{LEFT + wide}"/>')
    out.append(f'<text class="unit" x="8" y="13">{html.escape(y_title)}</text>')
    out.append(f'<text class="unit" text-anchor="end" x="{LEFT + wide}" y="{HEIGHT - 8}">{html.escape(x_axis.title)}</text>')
    for one in series:
        colour, dash = style(one)
        if one.fill:
            out.append(f'<path class="area run{one.run} fill{colour}" d="{_path(one.points, place_x, place_y, floor, True)}"/>')
        pattern = f' stroke-dasharray="{DASHES[dash % len(DASHES)]}"' if dash else ""
        out.append(f'<path class="line run{one.run} line{colour}"{pattern} d="{_path(one.points, place_x, place_y, floor, False)}"/>')
    out.append(f'<path class="cursor" d="M0 {TOP}v{high}"/></svg>')
    data = {"lines": []}
    for one in series:
        name = runs[one.run].name if not one.key else f"{runs[one.run].name} \u00b7 {one.key}" if len(runs) > 1 else one.key
        shown = [(x, y) for x, y in one.points if y is not None]
        data["lines"].append({
            "run": one.run, "name": name, "colour": style(one)[0],
            "x": [round(place_x(x), 1) for x, _ in shown], "y": [round(place_y(y), 1) for _, y in shown],
            "at": [x_axis.read(x) for x, _ in shown], "value": [read_y(y) for _, y in shown]})
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    out.append(f'<script type="application/json">{text}</script>')
    return "".join(out)
