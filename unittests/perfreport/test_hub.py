"""A run through the hub: what the scenario writes of the hub, and what the page shows of it."""
import json
import pathlib
import re
import sys
import threading
import unittest

import support
from support import Case

import files
import runs
from page import page

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "PerfTools/scenarios"))
import scenario  # noqa: E402


class Hub:
    """Stands in for the process: a processor second for every look, until it has ended."""

    def __init__(self, looks):
        self.left, self.used, self.gone = looks, 0.0, threading.Event()

    def cpu_seconds(self):
        if self.left < 0:
            self.gone.set()
            raise FileNotFoundError("/proc/1/stat")
        self.left -= 1
        self.used += 0.5
        return self.used

    def resident_bytes(self):
        return 100 << 20


class Counts:
    """Stands in for the stage."""

    def __init__(self):
        self.all = {"emissary_hub_updates_in_total": 0.0, "emissary_hub_updates_out_total": 0.0,
                    "emissary_channel_output_queued_bytes": 777.0, "emissary_hub_upstream_queued": 12.0}

    def counts(self):
        self.all["emissary_hub_updates_in_total"] += 100
        self.all["emissary_hub_updates_out_total"] += 300
        return dict(self.all)


class Written(Case):
    def test_the_watch_writes_statistics_that_can_be_read(self):
        path = self.folder / "HubStats1.csv"
        hub = Hub(looks=2)
        watch = scenario.HubWatch(Counts(), hub, path)
        self.assertTrue(hub.gone.wait(60))  # it ends with the hub, without being told
        watch.end()
        stats = files.read(str(path))
        self.assertEqual((stats.tool, len(stats.rows)), ("hub", 2))
        row = stats.rows[0]
        self.assertEqual(row.counts, {"updatesReceived": 100, "updates": 300})
        self.assertEqual(row.rates, {"outputQueued": 777, "requestsWaiting": 12, "statusesWaiting": 0, "recordsWaiting": 0})
        self.assertGreater(row.cpu, 0)
        self.assertEqual(row.memory, 100)

    def test_every_count_is_one_of_the_code(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        documents = (root / "docs/hub-counts.md").read_text() + (root / "docs/metrics.md").read_text()
        for name in [*scenario.HubWatch.COUNTS.values(), *scenario.HubWatch.GAUGES.values()]:
            self.assertIn(f"`{name}`", documents)


class Shown(Case):
    def run_of_hub(self, queued=4096):
        self.consumer("run")
        self.write("run/HubStats1.csv", support.HUB_HEADER, *(support.hub_row(i, queued=queued) for i in range(6)))
        return runs.load([f"hub={self.folder / 'run'}"])

    def lines(self, text, figure):
        """name -> read-outs."""
        part = re.search(rf'<figure id="{figure}">.*?</figure>', text).group(0)
        data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', part).group(1))
        return {line["name"]: line["value"] for line in data["lines"]}

    def test_processor_memory_and_queues_of_the_hub(self):
        text = page(self.run_of_hub())
        self.assertEqual(set(self.lines(text, "cpu")), {"consumer", "hub"})
        self.assertEqual(set(self.lines(text, "memory")), {"consumer", "hub"})
        self.assertIn("sent by the hub", self.lines(text, "updates"))
        self.assertEqual(self.lines(text, "hub-output")["all connections"][0], "4.096 k")
        self.assertIn("emissary-hub, whole run", text)
        self.assertIn("CPU of emissary-hub", text)

    def test_a_queue_that_is_always_empty_is_shown_as_such(self):
        text = page(self.run_of_hub(queued=0))
        self.assertEqual(set(self.lines(text, "hub-output")["all connections"]), {"0"})
        self.assertEqual(len(self.lines(text, "hub-waiting")), 3)

    def test_without_a_hub_there_are_no_such_charts(self):
        self.consumer("plain")
        self.assertNotIn("hub-output", page(runs.load([str(self.folder / "plain")])))


if __name__ == "__main__":
    unittest.main()
