"""Runs put together from files: which file belongs where, times, threads, percentiles."""
import os
import time
import unittest

import support
from support import Case

import runs
from files import ReportError


class Finding(Case):
    def test_directory_takes_the_files_of_the_tools_only(self):
        folder = self.consumer("one")
        self.write("one/notes.csv", "my,own\n")
        run = runs.load([folder])[0]
        consumer = run.processes["consumer"]
        self.assertEqual((run.name, list(consumer.stats), list(consumer.latency_files)), ("one", [1], [1]))
        self.assertIsNotNone(consumer.summary)

    def test_files_with_commas_and_a_name(self):
        folder = self.consumer("one")
        run = runs.load([f"x={folder}/ConsStats1.csv,{folder}/ConsSummary.out"])[0]
        self.assertEqual((run.name, run.processes["consumer"].latency_files), ("x", {}))

    def test_path_with_an_equals_sign(self):
        self.assertEqual(runs.load([self.consumer("rate=5")])[0].name, "rate=5")

    def test_wrong_runs(self):
        folder = self.consumer("one")
        (self.folder / "empty").mkdir()
        for words, specifications in (
                ("no such file or directory", [str(self.folder / "two")]),
                ("no <name>Stats<n>.csv", [str(self.folder / "empty")]),
                ("two runs are named 'one'", [folder, folder]),
                ("names no file", ["x="]),
                ("9 runs; at most 8", [f"r{i}={folder}" for i in range(9)]),
                ("second file of its kind for thread 1", [f"{folder},{folder}"])):
            with self.subTest(words), self.assertRaisesRegex(ReportError, words):
                runs.load(specifications)

    def test_the_summary_tells_whose_latencies_they_are(self):
        folder = self.consumer("pair")
        self.write("pair/ProvStats1.csv", support.PROVIDER_HEADER, support.provider_row(1))
        self.write("pair/ProvSummary.out", support.PROVIDER_SUMMARY.replace("(none)", "provlatency"))
        self.write("pair/provlatency1.csv", support.LATENCY_HEADER, support.latency_rows(5, "Gen"))
        processes = runs.load([folder])[0].processes
        self.assertEqual(processes["provider"].latency_files[1].base, "provlatency")
        self.assertEqual(processes["consumer"].latency_files[1].base, "latency")


class StillWritten(Case):
    """A run that goes on: what its tools have finished is shown, what they have not is left out with a word."""

    def load(self, age):
        folder = self.consumer("one")
        for name, content in (("ProvSummary.out", ""), ("ProvStats1.csv", support.PROVIDER_HEADER)):
            self.write(f"one/{name}", content)
            stamp = time.time() - age
            os.utime(self.folder / "one" / name, (stamp, stamp))
        warnings = []
        return runs.load([folder], warn=warnings.append)[0], warnings

    def test_what_was_written_a_moment_ago_is_left_out(self):
        run, warnings = self.load(1)
        self.assertEqual(list(run.processes), ["consumer"])
        self.assertEqual(len(warnings), 2)
        for word in ("ProvSummary.out", "ProvStats1.csv"):
            self.assertTrue(any(word in w and "left out" in w for w in warnings), warnings)

    def test_what_lies_there_for_long_is_damaged(self):
        with self.assertRaisesRegex(ReportError, "ProvS"):
            self.load(3600)

    def test_a_single_file_is_no_run_to_begin_with(self):
        self.write("ProvSummary.out", "")
        with self.assertRaisesRegex(ReportError, "the file is empty"):
            runs.load([str(self.folder / "ProvSummary.out")])


class Times(Case):
    def points(self, header, rows, summary=None, name="ProvStats1.csv"):
        self.write(f"r/{name}", header, *rows)
        if summary:
            self.write("r/XSummary.out", summary)
        run = runs.load([str(self.folder / "r")])[0]
        return run, next(iter(run.processes.values())).all

    def test_counts_become_rates_by_the_interval_of_the_summary(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(5), support.provider_row(10)],
                                support.PROVIDER_SUMMARY)
        self.assertEqual([(p.time, p.rate("updates")) for p in points], [(5, 1000), (10, 1000)])

    def test_the_interval_is_taken_from_the_rows_otherwise(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(i) for i in (2, 4, 6)])
        self.assertEqual([p.rate("updates") for p in points], [2500] * 3)

    def test_whole_seconds_do_not_shake_the_rates(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(i) for i in (1, 2, 2, 4, 5)])
        self.assertEqual([p.time for p in points], [1, 2, 3, 4, 5])
        self.assertEqual([p.rate("updates") for p in points], [5000] * 5)

    def test_a_pause_is_seen(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(i) for i in (1, 2, 3, 13)])
        self.assertEqual((points[-1].time, points[-1].rate("updates")), (13, 500))

    def test_the_rest_of_the_last_interval_has_no_rate(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(i) for i in (1, 2, 3, 3)])
        self.assertIsNone(points[-1].rate("updates"))

    def test_a_single_row_says_what_is_assumed(self):
        run, points = self.points(support.PROVIDER_HEADER, [support.provider_row(1)])
        self.assertEqual(points[0].rate("updates"), 1000)
        self.assertIn("5 s are assumed", run.notes[0])

    def test_consumer_and_provider_share_the_clock(self):
        self.write("r/ProvStats1.csv", support.PROVIDER_HEADER, *(support.provider_row(i) for i in range(1, 9)))
        self.write("r/ConsStats1.csv", support.CONSUMER_HEADER, *(support.consumer_row(i) for i in range(4, 8)))
        processes = runs.load([str(self.folder / "r")])[0].processes
        self.assertEqual((processes["provider"].all[0].time, processes["consumer"].all[0].time), (1, 4))

    def test_long_runs_are_averaged(self):
        _, points = self.points(support.PROVIDER_HEADER, [support.provider_row(i, updates=100 * (i % 2)) for i in range(2400)])
        thin = runs.thin(points)
        self.assertEqual((len(thin), thin[-1].time, thin[5].rate("updates")), (600, points[-1].time, 50))


class Threads(Case):
    def test_rates_add_up_and_averages_are_weighted(self):
        self.write("r/ConsStats1.csv", support.CONSUMER_HEADER, support.consumer_row(1, 10, 100.0, 500.0, rate=1000),
                   support.consumer_row(2))
        self.write("r/ConsStats2.csv", support.CONSUMER_HEADER, support.consumer_row(1, 30, 20.0, 700.0, rate=500))
        run = runs.load([str(self.folder / "r")])[0]
        consumer = run.processes["consumer"]
        self.assertEqual(len(consumer.all), 1)
        self.assertIn("1 to 2 rows", run.notes[0])
        row = consumer.all[0].row
        self.assertEqual((row.rates["updates"], row.cpu), (1500, 12.5))
        self.assertEqual(row.latency["update"], [40, 40.0, 0.0, 700.0, 9.0])
        self.assertEqual(len(consumer.points(1)), 2)


class Percentiles(Case):
    def test_percentile(self):
        ordered = list(range(1, 101))
        self.assertEqual([runs.percentile(ordered, f) for f in (0, 0.5, 0.99, 0.999, 1)], [1, 50, 99, 100, 100])
        self.assertEqual(runs.percentile([7], 0.5), 7)

    def test_all_and_over_time(self):
        self.consumer("r", threads=2)
        consumer = runs.load([str(self.folder / "r")])[0].processes["consumer"]
        sample = consumer.samples["all", "update"]
        self.assertEqual((len(sample.values), sample.percentile(0.5), sample.ordered[-1]), (6000, 59, 109))
        self.assertEqual(len(consumer.samples[2, "update"].values), 3000)
        slices = sample.over_time([0.5, 1.0])
        self.assertEqual(len(slices), 6)  # 3,000 messages every 2 ms
        self.assertEqual(slices[0][1], [59, 109])

    def test_a_rest_joins_the_slice_before(self):
        steady = [(i * 0.01, 100) for i in range(300)]
        def slices(more):
            return runs.Sample(*zip(*(steady + more))).over_time([0.5])
        self.assertEqual([round(end, 2) for end, _ in slices([(3.2, 1)])], [1, 2, 3.2])
        self.assertEqual([values for _, values in slices([(3.2, 1)])], [[100]] * 3)
        self.assertEqual([round(end, 2) for end, _ in slices([(3.6, 1)])], [1, 2, 3, 3.6])
        self.assertEqual(runs.Sample([5], [7]).over_time([0.5]), [(5, [7])])

    def test_shares(self):
        self.assertEqual(runs.Sample([0] * 4, [1, 2, 3, 10]).shares([1, 3, 10, 20]), [0.5, 0.25, 0.25])

    def test_nanoseconds_under_the_header_of_microseconds(self):
        self.write("r/ConsStats1.csv", support.CONSUMER_HEADER, support.consumer_row(1, most=109.0), support.consumer_row(2))
        self.write("r/latency1.csv", support.LATENCY_HEADER,
                   support.latency_rows(100, step=1000000, latency=lambda i: 10000 + i * 1000))
        sample = runs.load([str(self.folder / "r")])[0].processes["consumer"].samples["all", "update"]
        self.assertAlmostEqual(sample.ordered[-1], 109.0)
        self.assertAlmostEqual(sample.times[-1] - sample.times[0], 0.099)


if __name__ == "__main__":
    unittest.main()
