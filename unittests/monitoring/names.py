#!/usr/bin/env python3
"""names.py TREE: what the alerts, their cases and the dashboard of the hub ask for is there.

- every metric that they name is in docs/hub-counts.md, docs/metrics.md or reactor/metrics/process.cpp, apart from those that Prometheus makes itself;
- every alert has a section in docs/guide/runbook.md, and every such section is an alert's; its annotation leads there;
- every metric and every parameter that the runbook names is one (docs/hub-config.md for parameters);
- every alert has a case in alerts_test.yaml that must raise it, and its metrics are among those of the hub that is well;
- panels of the dashboard have a title, a unit and a description, and their places do not overlap.
Prints what is not so; ends with 1 when anything is.
"""
import json
import pathlib
import re
import sys

OWN = {"up", "ALERTS"}
OF_SYSTEMD = {"CPUAffinity", "WatchdogSec"}
METRIC = re.compile(r"\b(?:emissary|process)_[a-z0-9_]+\b|\bup(?=\{)|\bALERTS\b")
SUFFIX = re.compile(r"_(bucket|sum|count)$")


def known(tree):
    names = set()
    for page in ("docs/hub-counts.md", "docs/metrics.md"):
        names |= set(re.findall(r"`((?:emissary|process)_[a-z0-9_]+)`", (tree / page).read_text()))
    # What is counted of the process has no row there.
    return names | set(re.findall(r'"((?:emissary|process)_[a-z0-9_]+)"', (tree / "reactor/metrics/process.cpp").read_text()))


def unknown(where, text, names):
    found = []
    for name in sorted(set(METRIC.findall(text))):
        if name not in OWN and name not in names and SUFFIX.sub("", name) not in names:
            found.append(f"{where}: {name} is no count of the hub (docs/hub-counts.md, docs/metrics.md)")
    return found


def unknown_parameters(runbook, parameters):
    """Words of the runbook that look like parameters of the hub, and are none, nor an alert or a parameter of systemd."""
    known_ones = set(re.findall(r"^\| (\w+) \|", parameters, flags=re.M)) | OF_SYSTEMD
    named = set(re.findall(r"`([A-Z][a-z]+[A-Za-z]*)`", runbook)) - set(re.findall(r"^## (Emissary\w+)$", runbook, flags=re.M))
    return [f"docs/guide/runbook.md: {name} is no parameter of docs/hub-config.md" for name in sorted(named - known_ones)]


def alerts_of(text):
    """(name, expression, runbook) of each rule, as the file writes them: one line each."""
    alerts = []
    for line in text.splitlines():
        key, _, value = line.strip().removeprefix("- ").partition(": ")
        if key == "alert":
            alerts.append([value, "", ""])
        elif key == "expr" and alerts:
            alerts[-1][1] = value
        elif key == "runbook" and alerts:
            alerts[-1][2] = value
    return alerts


def cases_of(text):
    """Name of each case, with its text."""
    parts = re.split(r"^  - name: (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def faults_of_alerts(rules, cases, runbook):
    found = []
    alerts = alerts_of(rules)
    if not alerts:
        return ["alerts.yaml: there is no alert"]
    sections = set(re.findall(r"^## (Emissary\w+)$", runbook, flags=re.M))
    names = [name for name, _, _ in alerts]
    tests = cases_of(cases)
    well = tests.get("a hub that is well", "")
    for name, expression, link in alerts:
        if name not in sections:
            found.append(f"docs/guide/runbook.md: there is no section {name}")
        if link != f"runbook.md#{name.lower()}":
            found.append(f"alerts.yaml: {name} leads to '{link}', not to runbook.md#{name.lower()}")
        if f'alertname="{name}"' not in tests.get(name, ""):
            found.append(f"alerts_test.yaml: no case raises {name}")
        for metric in set(METRIC.findall(expression)) | ({"up"} if expression.startswith("up{") else set()):
            if f"'{metric}{{" not in well:
                found.append(f"alerts_test.yaml: the hub that is well has no {metric}, which {name} looks at")
    found += [f"docs/guide/runbook.md: {name} is no alert" for name in sorted(sections - set(names))]
    found += [f"alerts_test.yaml: {name} is no alert" for name in sorted(set(tests) - set(names) - {"a hub that is well"})]
    return found


def faults_of_dashboard(dashboard):
    found, taken = [], {}
    for panel in dashboard["panels"]:
        title = panel.get("title", "")
        if not title:
            found.append(f"dashboard.json: panel {panel['id']} has no title")
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if (x, y) in taken or x >= 24:
                    found.append(f"dashboard.json: '{title}' and '{taken.get((x, y), 'the edge')}' have the same place")
                    break
                taken[x, y] = title
            else:
                continue
            break
        if panel["type"] == "row":
            continue
        if not panel["fieldConfig"]["defaults"].get("unit") or not panel.get("description"):
            found.append(f"dashboard.json: '{title}' has no unit or no description")
        if not panel["targets"]:
            found.append(f"dashboard.json: '{title}' asks for nothing")
    return found


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tree = pathlib.Path(sys.argv[1])
    folder = tree / "packaging/monitoring"
    rules, cases = (folder / "alerts.yaml").read_text(), (folder / "alerts_test.yaml").read_text()
    dashboard = (folder / "dashboard.json").read_text()
    names = known(tree)
    found = unknown("alerts.yaml", rules, names) + unknown("alerts_test.yaml", cases, names)
    found += unknown("dashboard.json", dashboard, names)
    runbook = (tree / "docs/guide/runbook.md").read_text()
    found += unknown("docs/guide/runbook.md", runbook, names) + unknown_parameters(runbook, (tree / "docs/hub-config.md").read_text())
    found += faults_of_alerts(rules, cases, runbook)
    found += faults_of_dashboard(json.loads(dashboard))
    print("\n".join(found) if found else f"{len(alerts_of(rules))} alerts and the dashboard name counts that there are")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
