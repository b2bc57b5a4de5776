#!/usr/bin/env python3
"""make_dashboard.py [--check]: writes packaging/monitoring/dashboard.json, the Grafana dashboard of emissary-hub.

The panels stand here as rows of a table, since nobody reads or merges the JSON of Grafana. --check: the file is what would be
written; ends with 1 when it is not.
"""
import json
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parent.parent / "packaging/monitoring/dashboard.json"
HUB = 'hub=~"$hub"'


def rate(name, by=None, labels=""):
    inner = f"rate({name}{{{HUB}{labels}}}[$__rate_interval])"
    return f"sum by ({by}) ({inner})" if by else inner


def level(name, labels=""):
    return f"{name}{{{HUB}{labels}}}"


def quantile(q, name):
    return f"histogram_quantile({q}, sum by (hub, le) (rate({name}_bucket{{{HUB}}}[$__rate_interval])))"


# Kinds of panel.
STAT, LINES = "stat", "timeseries"

# (row, [(title, kind, unit, help, [(query, legend)])])
ROWS = [
    ("Is it well?", [
        ("Services up", STAT, "short", "Of the services in the directory of clients.",
         [(level("emissary_hub_services_up"), "up"), (level("emissary_hub_services"), "all")]),
        ("Sources up", STAT, "short", "Sources that are logged in and have sent their directory.",
         [(f"sum by (hub) ({level('emissary_hub_source_up')})", "up"), (f"count by (hub) ({level('emissary_hub_source_up')})", "all")]),
        ("Suspect items", STAT, "short", "Watched items whose data may be out of date; their clients are told so.",
         [(level("emissary_hub_suspect_items"), "{{hub}}")]),
        ("Clients behind", STAT, "short", "Clients whose output waits in the hub.", [(level("emissary_hub_slow_clients"), "{{hub}}")]),
        ("Clients", STAT, "short", "Connections of consumers that are up.", [(level("emissary_hub_clients"), "{{hub}}")]),
        ("Publishers", STAT, "short", "Publishers that are logged in.", [(level("emissary_hub_publishers"), "{{hub}}")]),
    ]),
    ("Messages", [
        ("Updates from sources", LINES, "cps", "By service.", [(rate("emissary_hub_updates_in_total", "service"), "{{service}}")]),
        ("Updates to clients", LINES, "cps", "By listener.", [(rate("emissary_hub_updates_out_total", "listener"), "{{listener}}")]),
        ("Bytes to clients", LINES, "Bps", "Messages of items, without frames.", [(rate("emissary_hub_bytes_out_total"), "{{hub}}")]),
        ("From source to clients", LINES, "s", "From the turn that read an update to its hand-over to the connections; the longest of each turn.",
         [(quantile(0.5, "emissary_hub_forward_seconds"), "half"), (quantile(0.99, "emissary_hub_forward_seconds"), "99 %")]),
    ]),
    ("Items and sources", [
        ("Items", LINES, "short", "Items with a client or an image, by service.", [(f"sum by (service) ({level('emissary_hub_items')})", "{{service}}")]),
        ("Waiting for sources", LINES, "short", "Requests under way, items in the queue, items that nobody can serve.",
         [(level("emissary_hub_upstream_outstanding"), "asked for"), (level("emissary_hub_upstream_queued"), "queued"),
          (level("emissary_hub_upstream_parked"), "nobody serves")]),
        ("Sources", LINES, "bool_yes_no", "1: logged in, and its directory has come.", [(level("emissary_hub_source_up"), "{{source}}")]),
        ("Sources lost", LINES, "short", "Times in five minutes.", [(f"increase({level('emissary_hub_source_losses_total')}[5m])", "{{source}}")]),
        ("Images", LINES, "bytes", "Memory in use for cached payloads, by service.", [(level("emissary_hub_service_image_bytes"), "{{service}}")]),
        ("Answered from the cache", LINES, "percentunit", "Requests that did not have to wait for a source.",
         [(f"{rate('emissary_hub_cache_hits_total')} / ({rate('emissary_hub_cache_hits_total')} + {rate('emissary_hub_cache_misses_total')})",
           "{{hub}}")]),
    ]),
    ("Clients", [
        ("Requests", LINES, "cps", "Item requests of clients.", [(rate("emissary_hub_item_requests_total"), "{{hub}}")]),
        ("Refused requests", LINES, "cps", "By reason.", [(rate("emissary_hub_requests_refused_total", "reason") + " > 0", "{{reason}}")]),
        ("Logins", LINES, "cps", "By result.", [(rate("emissary_hub_logins_total", "result") + " > 0", "{{result}}")]),
        ("Connections that ended", LINES, "cps", "By reason.",
         [(rate("emissary_hub_client_disconnects_total", "reason") + " > 0", "{{reason}}")]),
        ("Limits reached", LINES, "cps", "By parameter.", [(rate("emissary_hub_limit_refusals_total", "limit") + " > 0", "{{limit}}")]),
        ("Clients that do not read", LINES, "short", "Behind now, with joined updates; cut off in five minutes.",
         [(level("emissary_hub_slow_clients"), "behind"), (level("emissary_hub_joining_clients"), "joined"), (f"increase({level('emissary_hub_slow_disconnects_total')}[5m])", "cut off")]),
        ("Round trips", LINES, "s", "Time until clients answer a probe.",
         [(quantile(0.5, "emissary_hub_client_round_trip_seconds"), "half"),
          (quantile(0.99, "emissary_hub_client_round_trip_seconds"), "99 %")]),
        ("Posts", LINES, "cps", "By what came of them.", [(rate("emissary_hub_posts_total", "result") + " > 0", "{{result}}")]),
    ]),
    ("The process", [
        ("Processor", LINES, "percentunit", "Of one core.",
         [('rate(process_cpu_seconds_total{job="emissary-hub"}[$__rate_interval])', "{{instance}}")]),
        ("Memory", LINES, "bytes", "Resident.", [('process_resident_memory_bytes{job="emissary-hub"}', "{{instance}}")]),
        ("Turns of the loop", LINES, "s", "A long turn makes every client wait.",
         [(quantile(0.99, "emissary_loop_turn_seconds"), "99 %")]),
        ("Data that cannot be right", LINES, "short", "In five minutes.",
         [(f"increase({level('emissary_hub_gaps_total')}[5m])", "gaps"),
          (f"increase({level('emissary_hub_payloads_malformed_total')}[5m])", "cannot be applied"),
          (f"increase({level('emissary_hub_cache_full_total')}[5m])", "no room")]),
    ]),
]


def panel(number, title, kind, unit, description, queries, place):
    made = {
        "id": number, "title": title, "type": kind, "description": description, "gridPos": place,
        "datasource": {"type": "prometheus", "uid": "${source}"},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": [{"refId": chr(ord("A") + i), "expr": expr, "legendFormat": legend} for i, (expr, legend) in enumerate(queries)],
    }
    if kind == LINES:
        made["options"] = {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True}, "tooltip": {"mode": "multi"}}
    else:
        made["options"] = {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "none", "graphMode": "area", "textMode": "value_and_name"}
    return made


def dashboard():
    panels, number, y = [], 1, 0
    for row, entries in ROWS:
        panels.append({"id": number, "title": row, "type": "row", "collapsed": False, "panels": [],
                       "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}})
        number, y, x = number + 1, y + 1, 0
        for title, kind, unit, description, queries in entries:
            width, height = (4, 4) if kind == STAT else (12, 7)
            if x + width > 24:
                x, y = 0, y + height
            panels.append(panel(number, title, kind, unit, description, queries, {"h": height, "w": width, "x": x, "y": y}))
            number, x = number + 1, x + width
        y += 4 if entries[-1][1] == STAT else 7
    return {
        "uid": "emissary-hub", "title": "Emissary hub", "tags": ["emissary"], "schemaVersion": 37, "version": 1, "editable": True,
        "refresh": "15s", "time": {"from": "now-1h", "to": "now"}, "timezone": "browser",
        "templating": {"list": [
            {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
            {"name": "hub", "label": "Hub", "type": "query", "datasource": {"type": "prometheus", "uid": "${source}"},
             "query": {"query": "label_values(emissary_hub_clients, hub)", "refId": "hub"}, "includeAll": True, "multi": True,
             "refresh": 2, "sort": 1, "allValue": ".*", "current": {"text": "All", "value": "$__all"}},
        ]},
        "annotations": {"list": [
            {"name": "Starts", "enable": True, "iconColor": "blue", "datasource": {"type": "prometheus", "uid": "${source}"},
             "expr": 'changes(process_start_time_seconds{job="emissary-hub"}[1m]) > 0', "titleFormat": "{{instance}} started"}]},
        "panels": panels,
    }


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    text = json.dumps(dashboard(), indent=1) + "\n"
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() == text:
            return 0
        print(f"{TARGET.name} is not what dev/make_dashboard.py writes: run it")
        return 1
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
