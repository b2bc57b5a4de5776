"""Whether the feed of a run stood still: latencies of updates that are stamped when they are sent do not show it."""
import statistics

_LATE_MS = 100.0  # ticks that came less late than this are what a busy machine does
_LOW = 0.75  # of the median rate of the steady state: an interval below it lacks updates
_FEWEST = 4  # intervals, to know what the median is worth
_UNSEEN = ("Updates of late ticks are stamped when they are sent, so the latencies leave the stall out; -stampWhenDue of the provider "
           "makes them show it.")
_SEEN = "The time stamps say when updates were due (-stampWhenDue), so the latencies show it."


def _told(process):
    """What a provider says of its ticks itself: (count, milliseconds of the latest), or None."""
    lines = [line for stats in process.stats.values() for line in stats.late]
    if lines:
        return sum(count for _, count, _ in lines), max(most for _, _, most in lines)
    found = {}
    for _, label, text in process.summary.sections.get("OVERALL SUMMARY", []) if process.summary else []:
        found[label] = text
    try:
        return int(found["Late ticks"]), float(found["Latest tick, msec after it was due"])
    except (KeyError, ValueError):
        return None


def _seconds(milliseconds):
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"


def stalls(run, part):
    """Sentences for people, none when the feed ran as it should. `part`: the Stretch of the steady state, or None."""
    found = []
    for tool in ("provider", "niprovider"):
        process = run.processes.get(tool)
        told = _told(process) if process else None
        if told and told[1] >= _LATE_MS:
            due = process.summary is not None and "Stamp When Due" in process.summary.inputs
            found.append(f"{process.name}: the feed stalled: a tick came {_seconds(told[1])} after it was due ({told[0]} late ticks). "
                         + (_SEEN if due else _UNSEEN))
    consumer = run.processes.get("consumer")
    if not consumer or not part:
        return found
    points = [(point.time, point.rate("updates")) for point in part.points(consumer)]
    rates = [rate for _, rate in points if rate is not None]
    usual = statistics.median(rates) if len(rates) >= _FEWEST else 0
    low = [(rate, time) for time, rate in points if rate is not None and rate < _LOW * usual]
    if low:
        rate, time = min(low)
        found.append(f"{consumer.name}: {len(low)} of {len(rates)} intervals of the steady state lack updates; the lowest rate was "
                     f"{rate:.0f}/s where {usual:.0f}/s are usual, in the interval that ends at second {time:g}: the feed stalled, or the "
                     "consumer did." + ("" if len(found) else " Latencies of updates that are stamped when they are sent do not show a "
                                        "stall of the feed."))
    return found
