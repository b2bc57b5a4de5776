#!/usr/bin/env python3
"""What bench/pair.py, bench/targets.py, bench/checkperf.py and growth.py of PerfTools/scenarios make of the files and figures of a run."""
import pathlib
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(TREE / "bench"), str(TREE / "PerfTools/scenarios")]
import checkperf  # noqa: E402
import growth  # noqa: E402
import pair  # noqa: E402
import targets  # noqa: E402

HEADER = "Message type, Send time, Receive time, Latency (usec)\n"


class Latencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.where = pathlib.Path(folder.name)

    def write(self, name, lines):
        (self.where / name).write_text(HEADER + "".join(f"{kind}, {at - latency}, {at}, {latency}\n" for kind, at, latency in lines))

    def test_the_steady_state_is_the_last_seconds_and_images_the_first(self):
        images = [("Upd", 1_000_000 + 1000 * i, 5000) for i in range(100)]  # 0.1 s
        between = [("Upd", 1_500_000, 777)]
        steady = [("Upd", 8_000_000 + 1000 * i, i + 1) for i in range(1000)]
        self.write("latency1.csv", images + between + steady)
        found = pair.latencies(self.where, 1, 0.0995)
        self.assertEqual(found["mean latency while images come"], 5000)
        self.assertEqual(found["mean latency"], 500.5)
        self.assertEqual((found["p50"], found["p99"], found["p99.9"], found["highest latency"]), (501, 991, 1000, 1000))

    def test_threads_have_files_of_their_own_and_other_messages_do_not_count(self):
        self.write("latency1.csv", [("Upd", 1_000_000, 10), ("Pst", 1_000_001, 9999), ("Upd", 2_000_000, 20)])
        self.write("latency2.csv", [("Upd", 1_999_999, 60), ("Gen", 2_000_000, 9999)])
        found = pair.latencies(self.where, 0.5, 0.5)
        self.assertEqual((found["mean latency"], found["p50"], found["highest latency"]), (40, 60, 60))

    def test_without_stamps_there_is_no_latency(self):
        self.write("latency1.csv", [])
        self.assertEqual(pair.latencies(self.where, 1, 1), {})


class Growth(unittest.TestCase):
    @staticmethod
    def grown(values, factor=1.1):
        verdicts = growth.growth([{"MB": v} for v in values], {"MB": factor})
        return verdicts and verdicts[0]["grown"]

    def test_the_last_quarter_counts_beside_the_second(self):
        self.assertFalse(self.grown([1, 50, 100, 100, 100, 100, 100, 100]))  # fills its pools at first
        self.assertFalse(self.grown([100, 100, 100, 100, 100, 100, 110, 110]))
        self.assertTrue(self.grown([100, 100, 100, 100, 100, 100, 111, 111]))
        self.assertFalse(self.grown([100] * 10 + [900, 100]))  # one row is no growth

    def test_few_rows_say_nothing(self):
        self.assertIsNone(self.grown([1, 2, 3, 4, 5, 6, 7]))


class Figures(unittest.TestCase):
    @staticmethod
    def figure(asked, values, at_least=False):
        figure = targets.Figure("it", asked, "ns", at_least)
        figure.values = values
        return figure

    def test_the_median_decides(self):
        self.assertTrue(self.figure(80, [70, 79, 200]).met())
        self.assertFalse(self.figure(80, [70, 81, 82]).met())
        self.assertTrue(self.figure(80, [10, 80, 81], at_least=True).met())
        self.assertFalse(self.figure(80, [79, 79, 200], at_least=True).met())

    def test_a_line_says_what_was_asked_and_found(self):
        self.assertEqual(self.figure(80, [70, 81, 200]).line(), "| it | at most 80 ns | 81.0 (70.0 .. 200) ns | missed |")
        self.assertEqual(self.figure(None, [1.234, 1.234]).line(), "| it | - | 1.23 (1.23 .. 1.23) ns | - |")

    def test_what_was_not_measured_is_not_met(self):
        self.assertIn("not measured", self.figure(80, []).line())


class Objections(unittest.TestCase):
    @staticmethod
    def ratios(**changed):
        ratios = {title: [1.0] * 5 for title, _, _ in checkperf.FIGURES}
        return ratios | {title.replace("_", " ") + ", MB": values for title, values in changed.items()}

    def test_the_median_of_the_rounds_decides(self):
        self.assertEqual(checkperf.objections(self.ratios(consumer_memory=[1, 1, 1.3, 9, 9]), 1.3), [])
        self.assertEqual(checkperf.objections(self.ratios(consumer_memory=[1, 1, 1.31, 9, 9]), 1.3),
                         ["consumer memory, MB: 1.31 times the reference, 1.3 is allowed"])

    def test_latency_is_not_judged(self):
        self.assertEqual(checkperf.objections(self.ratios() | {"mean latency, us": [9.0] * 5}, 1.3), [])

    def test_the_hub_is_judged(self):
        self.assertEqual(checkperf.objections(self.ratios() | {"hub CPU, ns an update": [1.0, 1.2, 1.2, 1.2, 1.0]}, 1.15),
                         ["hub CPU, ns an update: 1.20 times the reference, 1.15 is allowed"])

    def test_what_was_not_measured_is_no_success(self):
        ratios = checkperf.ratios_of([1, 0, 1, 1, 1], [1, 1, 1, 1, 1])
        self.assertEqual(checkperf.objections(self.ratios(provider_memory=ratios), 1.3),
                         ["provider memory, MB: not measured in every round"])


if __name__ == "__main__":
    unittest.main()
