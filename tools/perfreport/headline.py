"""The top of the page: what each run did in steady state, whether the runs differ, and where and how they ran."""
import html

from chart import duration, short
from files import TOOLS
from stalls import stalls
from steady import differences, figures, stretch

_SIGNS = {"better": "\u25b2 better", "worse": "\u25bc worse", "same": "no clear difference", "unknown": "cannot be told"}


def shown(figure):
    """The value with its unit."""
    if figure.unit == "us":
        return duration(figure.value)
    if figure.unit == "/s":
        return short(figure.value) + "/s"
    return f"{figure.value:.2f} {figure.unit}"


FEW = 1000  # fewer samples say little about the slowest one in a hundred


def samples(count, percentile=False):
    text = f"of {count:,} message{'' if count == 1 else 's'}"
    return text + ("; few: below 1,000" if percentile and count < FEW else "")


def _stalls(run, several):
    name = f"{run.name}: " if several else ""
    return "".join(f'<p class="stalled">\u26a0 {html.escape(name + text)}</p>' for text in stalls(run, stretch(run)))


def _cards(run, number, several):
    found, part = figures(run)
    if not found:
        return ""
    lead, leading = found[0]
    cards = [(figure.label, shown(figure), samples(figure.count, ", p" in figure.label) if figure.count else "") for figure in leading]
    for tool, others in found[1:]:
        cards += [(f"{figure.label} of {TOOLS[tool]}", shown(figure), "") for figure in others if figure.unit in ("%", "MB")]
    seconds = part.end - part.begin
    what = (f"Whole run of {seconds:g} s: it has no steady state to tell apart" if part.whole
            else f"Steady state, {seconds:g} s from second {part.begin:g} on")
    name = f'<i class="swatch back{number}"></i>{html.escape(run.name)}: ' if several else ""
    return (f'<div class="headline"><h2>{name}{html.escape(TOOLS[lead])}, {"whole run" if part.whole else "steady state"}</h2><p class="note">{html.escape(what)}.</p><dl>' + "".join(
        f"<div><dt>{html.escape(label)}</dt><dd>{html.escape(value)}"
        + (f"<small>{html.escape(more)}</small>" if more else "") + "</dd></div>" for label, value, more in cards) + "</dl></div>")


def _verdicts(runs):
    found = differences(runs)
    if not found:
        return ""
    first = runs[0].name
    out = ['<div class="scroll"><table id="verdicts">',
           f"<caption>Steady state compared with \u2018{html.escape(first)}\u2019</caption><thead><tr><th></th>"]
    out += [f'<th scope="col">{html.escape(run.name)}</th>' for run in runs[1:]]
    out.append("</tr></thead><tbody>")
    for tool, label, others in found:
        out.append(f'<tr><th scope="row">{html.escape(TOOLS[tool])}, {html.escape(label)}</th>')
        for other in others:
            if other is None:
                out.append("<td>\u2013</td>")
                continue
            change = f"{100 * other.change:+.1f} % " if other.change is not None else ""
            out.append(f'<td class="{other.verdict}" title="{html.escape(other.why)}">{change}{_SIGNS[other.verdict]}'
                       f'<small>{html.escape(other.why) if other.verdict == "unknown" else ""}</small></td>')
        out.append("</tr>")
    out.append("</tbody></table></div>"
               '<p class="note">Two runs differ when the middle halves of their intervals lie apart and the values by 2 % or more.</p>')
    return "".join(out)


def _records(runs):
    columns, heads = [], []
    for run in runs:
        for process in run.processes.values():
            record = dict(process.record())
            if record:
                columns.append(record)
                heads.append(f"{run.name}: {process.name}" if len(runs) > 1 else process.name)
    if not columns:
        return ""
    out = ['<div class="scroll"><table id="records"><caption>Where and how</caption><thead><tr><th></th>']
    out += [f'<th scope="col">{html.escape(head)}</th>' for head in heads]
    out.append("</tr></thead><tbody>")
    for label in dict.fromkeys(label for column in columns for label in column):
        cells = [column.get(label, "\u2013") for column in columns]
        differs = ' class="differs"' if len(set(cells)) > 1 and label not in ("Command line", "Started (UTC)") else ""
        out.append(f'<tr{differs}><th scope="row">{html.escape(label)}</th>'
                   + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    out.append("</tbody></table></div>")
    return "".join(out)


def headline(runs):
    """The section, empty when the runs left neither statistics nor summaries."""
    parts = "".join(_cards(run, number, len(runs) > 1) + _stalls(run, len(runs) > 1) for number, run in enumerate(runs))
    parts += _verdicts(runs) if len(runs) > 1 else ""
    parts += _records(runs)
    return f'<section id="headline">{parts}</section>' if parts else ""
