"""The steady state of a run, whether two runs differ in it, and what is exported of them."""
import json
import math
import pathlib
import re
import unittest

import support
from support import Case, CONSUMER_HEADER, CONSUMER_SUMMARY, LATENCY_HEADER, PROVIDER_HEADER, PROVIDER_SUMMARY, consumer_row, latency_rows, provider_row

import export
import runs
import stalls
import steady
from page import page

RECORD = """
--- RUN SUMMARY ---

Where and how:
  Version: 9.8.7
  Command line: EmaCppConsPerf -itemCount 100 -username 'a b'
  Processors: 2 x Some Processor
"""


def figure(values, more=True):
    return steady.Figure("updates", "/s", sum(values) / len(values), None, list(values), more)


LATE = "2026-01-31 10:00:{:02}, - 501 late ticks: the latest came 5003.2 ms after it was due.\n"
LATE_SUMMARY = PROVIDER_SUMMARY + "  Late ticks: 501\n  Latest tick, msec after it was due: 5003.2\n  Hint: words\n"


class Stalls(Case):
    def marks(self, *specifications):
        loaded = runs.load(list(specifications))
        html = page(loaded)
        found = [stalls.stalls(run, steady.stretch(run)) for run in loaded]
        self.assertEqual(html.count('class="stalled"'), sum(len(one) for one in found))
        return found

    def provider(self, name, *parts):
        self.write(f"{name}/ProvStats1.csv", PROVIDER_HEADER, *(provider_row(5 * (i + 1)) for i in range(6)), *parts)

    def test_a_provider_says_that_its_ticks_came_late(self):
        self.provider("rows", LATE.format(40))
        self.write("summary/ProvSummary.out", LATE_SUMMARY)
        for name in ("rows", "summary"):
            with self.subTest(name):
                (one,), = self.marks(str(self.folder / name))
                self.assertIn("a tick came 5.0 s after it was due (501 late ticks)", one)
                self.assertIn("-stampWhenDue of the provider", one)

    def test_and_whether_the_latencies_show_it(self):
        self.provider("due", LATE.format(40))
        self.write("due/ProvSummary.out", LATE_SUMMARY.replace("    Write Stats", "          Stamp When Due: Yes\n    Write Stats"))
        (one,), = self.marks(str(self.folder / "due"))
        self.assertIn("so the latencies show it", one)

    def test_ticks_that_are_a_little_late_are_no_stall(self):
        self.provider("busy", LATE.replace("5003.2", "12.5").format(40))
        self.assertEqual(self.marks(str(self.folder / "busy")), [[]])

    def test_a_consumer_lacks_updates(self):
        def rows(rates):
            return [consumer_row(5 * (i + 1), rate=rate, images=50 if i == 0 else 0) for i, rate in enumerate(rates)]
        self.write("even/ConsStats1.csv", CONSUMER_HEADER, *rows([100] + [1000, 990, 1010] * 3))
        self.write("stalled/ConsStats1.csv", CONSUMER_HEADER, *rows([100, 1000, 1000, 1000, 400, 1600, 1000, 1000]))
        even, (one,) = self.marks(str(self.folder / "even"), str(self.folder / "stalled"))
        self.assertEqual(even, [])
        self.assertIn("1 of 7 intervals of the steady state lack updates; the lowest rate was 400/s where 1000/s are usual", one)
        self.assertIn("second 25", one)


class Steady(Case):
    def load(self, *specifications):
        return runs.load(list(specifications))

    def settled(self, run):
        return {tool: {one.label: one for one in found} for tool, found in steady.figures(run)[0]}

    def test_it_begins_behind_the_last_image(self):
        folder = self.folder / "one"
        self.write("one/ConsStats1.csv", CONSUMER_HEADER, *(
            consumer_row(5 * (i + 1), rate=100 if i < 3 else 1000, images=50 if i < 3 else 0, latencies=10, average=900.0 if i < 3 else 40.0,
                         most=5000.0 if i < 3 else 60.0, cpu=90.0 if i < 3 else 20.0) for i in range(8)))
        self.write("one/ProvStats1.csv", PROVIDER_HEADER, *(provider_row(5 * (i + 1), updates=500 if i < 3 else 5000) for i in range(8)))
        run = self.load(str(folder))[0]
        part = steady.stretch(run)
        self.assertEqual((part.begin, part.end, part.whole), (15.0, 40.0, False))
        of = self.settled(run)
        self.assertEqual(of["consumer"]["updates"].value, 1000)
        self.assertEqual(of["provider"]["updates"].value, 1000)  # in the consumer's stretch of time, not its own
        self.assertEqual((of["consumer"]["latency of updates, mean"].value, of["consumer"]["latency of updates, mean"].count), (40.0, 50))
        self.assertEqual(of["consumer"]["latency of updates, maximum"].value, 60.0)
        self.assertEqual(of["consumer"]["CPU"].value, 20.0)

    def test_percentiles_are_of_the_steady_state_with_their_counts(self):
        self.write("one/ConsStats1.csv", CONSUMER_HEADER, *(
            consumer_row(i + 1, images=50 if i < 2 else 0, most=100000.0) for i in range(10)))
        # 1000 in the two seconds of the images, all slow; 4000 behind them.
        self.write("one/latency1.csv", LATENCY_HEADER, latency_rows(1000, step=1990, latency=lambda i: 100000),
                   latency_rows(4000, first=3000001, step=1999, latency=lambda i: 1 + i % 100))
        of = self.settled(self.load(str(self.folder / "one"))[0])["consumer"]
        self.assertEqual((of["latency of updates, p99"].value, of["latency of updates, p99"].count), (99.0, 4000))
        self.assertNotIn("latency of updates, p99.99", of)  # 4000 messages have none

    def test_a_run_that_never_settles_is_shown_whole(self):
        self.write("one/ConsStats1.csv", CONSUMER_HEADER, consumer_row(5, images=10), consumer_row(10, images=10))
        run = self.load(str(self.folder / "one"))[0]
        self.assertTrue(steady.stretch(run).whole)
        self.assertIn("has no steady state to tell apart", page([run]))

    def test_summaries_alone_have_no_figures(self):
        self.write("one/ConsSummary.out", CONSUMER_SUMMARY)
        run = self.load(str(self.folder / "one"))[0]
        self.assertEqual(steady.figures(run), ([], None))
        self.assertIn("<!DOCTYPE html>", page([run]))


class Verdicts(unittest.TestCase):
    def verdict(self, before, after, more=True):
        return steady.compare(figure(before, more), figure(after, more)).verdict

    def test_apart(self):
        slow, fast = [100, 101, 102, 101, 100, 99], [120, 121, 119, 120, 122, 120]
        self.assertEqual(self.verdict(slow, fast), "better")
        self.assertEqual(self.verdict(fast, slow), "worse")
        self.assertEqual(self.verdict(slow, fast, more=False), "worse")
        self.assertAlmostEqual(steady.compare(figure(slow), figure(fast)).change, 722 / 603 - 1)

    def test_noise_is_no_difference(self):
        self.assertEqual(self.verdict([80, 100, 120, 90, 110, 130], [95, 115, 135, 85, 105, 125]), "same")
        self.assertEqual(self.verdict([1000] * 6, [1001] * 6), "same")  # apart, and too little

    def test_few_intervals_tell_nothing(self):
        self.assertEqual(self.verdict([1, 1, 1, 1], [9, 9, 9, 9]), "unknown")
        self.assertEqual(self.verdict([0] * 6, [9] * 6), "unknown")


class Pages(Case):
    def two(self):
        for name, rate in (("a", 1000), ("b", 1500)):
            self.consumer(name, rows=12, rate=rate)
            self.write(f"{name}/ConsSummary.out", CONSUMER_SUMMARY, RECORD if name == "a" else RECORD.replace("2 x", "4 x"))
        return runs.load([str(self.folder / "a"), str(self.folder / "b")])

    def test_the_head_says_what_and_where_and_whether(self):
        text = page(self.two())
        head = text[text.index('id="headline"'):text.index('id="glance"')]
        plain = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", head))
        self.assertIn("Steady state", plain)
        self.assertRegex(plain, r"1\.5 k/s")
        self.assertRegex(plain, r"of [\d,]+ messages")
        self.assertIn("EmaCppConsPerf, updates +50.0 % \u25b2 better", plain)
        self.assertIn("EmaCppConsPerf -itemCount 100 -username &#x27;a b&#x27;", head)
        self.assertRegex(head, r'<tr class="differs"><th scope="row">Processors')
        self.assertNotIn("run summary", text.lower())  # told once

    def test_counts_stand_beside_the_percentiles(self):
        self.assertRegex(page(self.two()), r"samples of the percentiles</th><td>[\d,]+</td>")

    def test_export(self):
        self.two()
        code, out, error = self.run_program("-o", "x.html", "--export", "out", "a", "b")
        self.assertEqual((code, out, error), (0, "", ""))
        told = json.loads((self.folder / "out/perfreport.json").read_text(encoding="utf-8"))
        self.assertEqual([run["name"] for run in told["runs"]], ["a", "b"])
        self.assertEqual(told["runs"][0]["processes"][0]["record"]["Version"], "9.8.7")
        self.assertIn({"tool": "EmaCppConsPerf", "figure": "updates", "run": "b", "with": "a", "change": 0.5, "verdict": "better",
                       "why": "the middle halves of the intervals lie apart"}, told["differences"])
        self.assertEqual(sorted(path.name for path in (self.folder / "out").glob("*.hgrm")),
                         ["a-EmaCppConsPerf-update.hgrm", "b-EmaCppConsPerf-update.hgrm"])
        code, _, error = self.run_program("-o", "y.html", "--export", "x.html", "a")
        self.assertEqual(code, 1)
        self.assertIn("x.html: cannot be made", error)
        self.assertFalse((self.folder / "y.html").exists())


class Distribution(unittest.TestCase):
    def test_every_line_is_a_percentile_of_the_values(self):
        values = [float(value) for value in range(1, 10001)]
        lines = export.hgrm(values).splitlines()
        self.assertEqual(lines[0].split(), ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
        rows = [line.split() for line in lines[2:] if line and line[0] != "#"]
        self.assertEqual(rows[0][0], "1.000")
        self.assertEqual(rows[-1], ["10000.000", "1.000000000000", "10000"])
        for value, fraction, count, inverse in rows[:-1]:
            self.assertEqual(float(value), max(1, math.ceil(float(fraction) * 10000 - 1e-6)))
            self.assertEqual(float(count), float(value))
            self.assertAlmostEqual(float(inverse), 1 / (1 - float(fraction)), places=1)
        self.assertTrue(any(fraction == "0.500000000000" for _, fraction, *_ in rows[:-1]))
        self.assertGreater(len(rows), 40)
        self.assertRegex(lines[-2], r"^#\[Mean    = +5000\.500, StdDeviation   = +2886\.751\]$")
        self.assertRegex(lines[-1], r"^#\[Max     = +10000\.000, Total count    = +10000\]$")

    def test_a_single_value(self):
        self.assertIn("7.000 1.000000000000          1", export.hgrm([7.0]))


if __name__ == "__main__":
    unittest.main()
