"""What other programs read: figures as JSON, latencies as percentile distributions (.hgrm) that HdrHistogram's plotters take."""
import json
import math
import os
import re

from files import ReportError
from stalls import stalls
from steady import differences, figures, stretch

_TICKS = 5  # steps for each halving of what is left above


def hgrm(ordered):
    """The distribution of values in microseconds, ascending and not empty."""
    count = len(ordered)
    lines = [f"{'Value':>12} {'Percentile':>14} {'TotalCount':>10} {'1/(1-Percentile)':>14}\n"]
    fraction = 0.0
    while True:
        rank = min(max(math.ceil(fraction * count - 1e-9), 1), count)
        if rank == count:
            break
        lines.append(f"{ordered[rank - 1]:12.3f} {fraction:2.12f} {rank:10d} {1 / (1 - fraction):14.2f}")
        fraction += 1 / (_TICKS * 2.0 ** (math.floor(math.log2(1 / (1 - fraction))) + 1))
    lines.append(f"{ordered[-1]:12.3f} {1:2.12f} {count:10d}")
    mean = math.fsum(ordered) / count
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in ordered) / count)
    lines.append(f"#[Mean    = {mean:12.3f}, StdDeviation   = {deviation:12.3f}]")
    lines.append(f"#[Max     = {ordered[-1]:12.3f}, Total count    = {count:12d}]")
    return "\n".join(lines) + "\n"


def _figure(figure):
    one = {"figure": figure.label, "unit": figure.unit, "value": figure.value, "intervals": len(figure.values)}
    if figure.count:
        one["samples"] = figure.count
    return one


def document(runs, version):
    """Everything that the page's head says, and the summaries, as one JSON object."""
    described = []
    for run in runs:
        found, part = figures(run)
        settled = dict(found)
        described.append({
            "name": run.name,
            "stretch": {"from": part.begin, "to": part.end, "steady": not part.whole} if part else None,
            "notes": run.notes,
            "stalls": stalls(run, stretch(run)),
            "processes": [{
                "tool": process.name,
                "record": dict(process.record()),
                "inputs": process.summary.inputs if process.summary else {},
                "figures": [_figure(figure) for figure in settled.get(tool, [])],
            } for tool, process in run.processes.items()],
        })
    compared = [{"tool": runs[0].processes[tool].name, "figure": label, "run": run.name, "with": runs[0].name,
                 "change": other.change, "verdict": other.verdict, "why": other.why}
                for tool, label, others in (differences(runs) if len(runs) > 1 else [])
                for run, other in zip(runs[1:], others) if other]
    return json.dumps({"perfreport": version, "runs": described, "differences": compared}, indent=1, ensure_ascii=False) + "\n"


def _file_name(*parts):
    return "-".join(re.sub(r"[^\w.]+", "_", part) for part in parts)


def write(runs, folder, version, put):
    """Writes FOLDER/perfreport.json and a .hgrm for each kind of latency; `put(path, text)` writes one file. Returns the paths."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be made: {error.strerror}") from None
    texts = {"perfreport.json": document(runs, version)}
    for run in runs:
        for process in run.processes.values():
            for (thread, kind), sample in process.samples.items():
                if thread == "all":
                    texts[_file_name(run.name, process.name, kind) + ".hgrm"] = hgrm(sample.ordered)
    paths = [os.path.join(folder, name) for name in sorted(texts)]
    for path in paths:
        put(path, texts[os.path.basename(path)])
    return paths
