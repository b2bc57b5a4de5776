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


class Asked(unittest.TestCase):
    """Figures of bench/targets.py that are made of what other programs and scripts print."""

    def program(self, name, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / name
        path.write_text(text)
        path.chmod(0o755)
        self.addCleanup(setattr, targets, "BIN", targets.BIN)
        targets.BIN = path.parent

    def test_books_stand_beside_the_bare_structure(self):
        self.program("bookbench", """#!/bin/sh
while [ "$1" != --out ]; do shift; done
echo "kind,channel,delay ms,median us,99% us,bare median us,bare 99% us" >"$2/bookbench.csv"
for kind in mbp mbo; do for channel in A B; do for delay in 0 10 50; do echo "$kind,$channel,$delay,1.5,9,0.5,2"; done; done; done >>"$2/bookbench.csv"
""")
        books = targets.Books()
        books.once()
        self.assertEqual([figure.values for _, _, _, *figures in books.rows for figure in figures], [[3.0], [1.5], [9.0]] * 12)
        self.assertEqual([figure.met() for figure, _, _ in books.figures if figure.asked is not None].count(True), 0)

    def test_books_that_do_not_come_to_their_end_are_missing(self):
        self.program("bookbench", "#!/bin/sh\necho a book is broken >&2\nexit 1\n")
        books = targets.Books()
        books.once()
        self.assertIn("not measured", books.figures[0][0].line())

    def test_what_a_hub_adds_is_the_difference_of_one_run(self):
        rows = {None: {"mean us": 20.0, "consumer ns/update": 150.0}, "none": {"mean us": 65.0, "consumer ns/update": 240.0, "hub ns/update": 190.0}}
        self.addCleanup(setattr, targets, "at_rate", targets.at_rate)
        targets.at_rate = lambda options, name, cache, rate, seconds, **more: rows[cache]
        adds = targets.hub()[0]
        adds.once()
        self.assertEqual([figure.values for figure, _, _ in adds.figures], [[45.0], [190.0], [240.0], [150.0]])
        self.assertEqual([figure.met() for figure, _, _ in adds.figures if figure.asked is not None], [False, True, False])

    def test_a_chain_that_fails_leaves_its_figures_out(self):
        def failing(*_, **__):
            raise targets.Failed("the hub ended")
        self.addCleanup(setattr, targets, "at_rate", targets.at_rate)
        targets.at_rate = failing
        for run in targets.hub():
            run.once()
            self.assertEqual([figure.values for figure, _, _ in run.figures], [[]] * len(run.figures))


if __name__ == "__main__":
    unittest.main()
