"""The program and its page: axes, tables, what stands in the file, the command line."""
import html.parser
import json
import os
import re
import unittest
import zipfile

import support
from support import Case

import chart
import runs
from page import page

_VOID = {"meta", "link", "input", "path", "br"}


class _Reader(html.parser.HTMLParser):
    """Checks that elements are closed in order; keeps ids and addresses."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.addresses, self.wrong = [], [], [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.addresses += [values[name] for name in ("src", "href") if name in values]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))


class Axes(unittest.TestCase):
    def test_round_steps(self):
        for high, labels in ((49999, ["0", "10 k", "20 k", "30 k", "40 k", "50 k"]), (7, ["0", "2", "4", "6", "8"]),
                             (1.1e6, ["0", "500 k", "1 M", "1.5 M"]), (0, ["0", "1"])):
            with self.subTest(high):
                self.assertEqual([label for _, label in chart.Linear([high]).ticks], labels)

    def test_decades(self):
        axis = chart.Log([13.0, 16225.0])
        self.assertEqual([label for _, label in axis.ticks], ["10 \u00b5s", "100 \u00b5s", "1 ms", "10 ms"])
        self.assertEqual((axis.low, axis.high), (10.0, 20000.0))
        self.assertTrue(0 <= axis.part(13.0) < axis.part(16225.0) <= 1)
        self.assertEqual(axis.part(0.0), 0.0)

    def test_narrow_and_single_latencies_have_labels(self):
        for values in ([50.0], [30.0, 45.0], [0.0], [1.0, 1.0]):
            with self.subTest(values):
                self.assertGreaterEqual(len(chart.Log(values).ticks), 2)

    def test_time(self):
        self.assertEqual([label for _, label in chart.Time([10]).ticks], ["0", "2", "4", "6", "8", "10"])
        self.assertEqual(chart.Time([600]).ticks[-1], (600, "10:00"))
        self.assertEqual(chart.Time([7200]).ticks[-1], (7200, "2:00:00"))
        for length in (1, 59, 119, 120, 3601, 90000, 1e6):
            self.assertLessEqual(len(chart.Time([length]).ticks), 10, length)

    def test_words(self):
        self.assertEqual([chart.duration(value) for value in (0, 0.25, 9.5, 1000, 2.5e6)],
                         ["0 \u00b5s", "250 ns", "9.5 \u00b5s", "1 ms", "2.5 s"])
        self.assertEqual([chart.short(value) for value in (0, 999, 1000, 1234567)], ["0", "999", "1 k", "1.235 M"])
        self.assertEqual([chart.Percentiles.read(value) for value in (0, 1, 2, 3)], ["0.0 %", "90.0 %", "99.00 %", "99.900 %"])

    def test_gaps_are_not_drawn_over(self):
        path = chart._path([(0, 1), (1, 2), (2, None), (3, 4)], float, float, 0, False)
        self.assertEqual(path, "M0.0 1.0L1.0 2.0M3.0 4.0h.1")


class Page(Case):
    def make(self, *specifications, title=None):
        text = page(runs.load(list(specifications)), title)
        reader = _Reader()
        reader.feed(text)
        self.assertEqual((reader.wrong, reader.open), ([], []))
        self.assertEqual(len(set(reader.ids)), len(reader.ids))
        self.assertEqual(reader.addresses, ["data:,"])
        self.assertNotRegex(text, r"@import|url\(|fetch\(|XMLHttpRequest|https?://")
        return text, reader

    def test_two_runs(self):
        text, reader = self.make("a=" + self.consumer("one"), "b=" + self.consumer("two", threads=2, rate=3000))
        for wanted in ("runs", "threads", "updates", "images", "latency-update", "percentiles-update", "curve-update",
                       "histogram-update", "cpu", "memory", "glance-consumer", "inputs-consumer"):
            self.assertIn(wanted, reader.ids)
        for unwanted in ("messages", "posts", "latency-post", "latency-transport"):
            self.assertNotIn(unwanted, reader.ids)
        self.assertIn("<option value=\"2\">thread 2</option>", text)
        figure = re.search(r'<figure id="updates">.*?</figure>', text, re.S).group()
        shown = [json.loads(data)["lines"] for data in re.findall(r'json">(.*?)</script>', figure)]
        self.assertEqual([[(line["name"], line["value"][0]) for line in lines] for lines in shown], [
            [("a \u00b7 received by the consumer", "1 k"), ("b \u00b7 received by the consumer", "6 k")],
            [("a \u00b7 received by the consumer", "1 k"), ("b \u00b7 received by the consumer", "3 k")],
            [("b \u00b7 received by the consumer", "3 k")]])

    def test_eta_transport(self):
        self.write("t/TransportStats1.csv", support.TRANSPORT_HEADER, *(support.transport_row(i) for i in range(1, 4)))
        self.write("t/TransportSummary.out", support.TRANSPORT_SUMMARY)
        text, reader = self.make(str(self.folder / "t"))
        self.assertTrue({"messages", "data", "latency-transport", "cpu"} <= set(reader.ids))
        self.assertIn("need latency files", text)
        self.assertIn('<th scope="row">Latency p99.9 (usec)</th><td>2047.999</td>', text)
        data = re.search(r'<figure id="data">.*?json">(.*?)</script>', text, re.S).group(1)
        self.assertEqual([line["value"] for line in json.loads(data)["lines"]], [["4.997"] * 3] * 2)

    def test_names_are_text_only(self):
        text, _ = self.make('</script><script>alert(1)</script>"=' + self.consumer("one"), "b=" + self.consumer("two"),
                            title="<b>&")
        self.assertNotIn("<script>alert", text)
        self.assertNotIn("<b>&", text.replace("&lt;b&gt;&amp;", ""))
        self.assertIn("<title>&lt;b&gt;&amp;</title>", text)

    def test_inputs_that_differ_are_marked(self):
        one, two = self.consumer("one"), self.consumer("two")
        self.write("two/ConsSummary.out", support.CONSUMER_SUMMARY.replace("Time: 10", "Time: 20"))
        text, _ = self.make(one, two)
        self.assertEqual(re.findall(r'<tr class="differs"><th scope="row">(.*?)</th>', text), ["Steady State Time"])


class Program(Case):
    def test_writes_a_page(self):
        self.consumer("one")
        self.assertEqual(self.run_program("-o", "x.html", "--title", "T", "one"), (0, "", ""))
        self.assertIn("<title>T</title>", (self.folder / "x.html").read_text(encoding="utf-8"))

    def test_errors_leave_the_old_page(self):
        self.write("x.html", "old")
        self.write("bad/ConsStats1.csv", support.CONSUMER_HEADER, "oops\n")
        code, _, text = self.run_program("-o", "x.html", "bad")
        self.assertEqual((code, text), (1, "perfreport: bad/ConsStats1.csv:2: 1 columns instead of 23: the line is damaged or "
                                        "truncated\n"))
        self.assertEqual((self.folder / "x.html").read_text(encoding="utf-8"), "old")

    def test_output_that_cannot_be_written(self):
        self.consumer("one")
        code, _, text = self.run_program("-o", "no/x.html", "one")
        self.assertEqual((code, text), (1, "perfreport: no/x.html: cannot be written: No such file or directory\n"))

    def test_usage(self):
        code, _, text = self.run_program()
        self.assertEqual(code, 2)
        self.assertIn("RUN", text)
        self.assertIn("-latencyFile latency", self.run_program("--help")[1])

    def test_the_built_program_is_executable_and_whole(self):
        self.assertTrue(support.PROGRAM, "PERFREPORT must name the built program, as ctest does")
        self.assertTrue(os.access(support.PROGRAM, os.X_OK))
        with zipfile.ZipFile(support.PROGRAM) as archive:
            for source in support.SOURCE.glob("*.py"):
                self.assertEqual(archive.read(source.name), source.read_bytes())


if __name__ == "__main__":
    unittest.main()
