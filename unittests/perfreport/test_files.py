"""Reading of files: what is taken from them, and the message for each thing that can be wrong."""
import unittest

import support
from support import Case

import files


class Reading(Case):
    def test_consumer_statistics(self):
        path = self.write("AnyName3.csv", support.CONSUMER_HEADER, support.consumer_row(7, images=4, rate=1234))
        stats = files.read(path)
        self.assertEqual((stats.tool, stats.thread), ("consumer", 3))
        row = stats.rows[0]
        self.assertEqual(row.latency["update"], [10, 50.0, 3.0, 900.0, 9.0])
        self.assertEqual(row.latency["post"], [0.0] * 5)
        self.assertEqual((row.counts["images"], row.rates["updates"]), (4, 1234))
        self.assertEqual((row.cpu, row.memory), (12.5, 33.25))

    def test_tool_follows_from_the_header(self):
        for tool, header, row in (("provider", support.PROVIDER_HEADER, support.provider_row(1)),
                                  ("niprovider", support.NI_HEADER, f"{support.utc(1)}, 3, 4, 1.00, 2.00\n"),
                                  ("transport", support.TRANSPORT_HEADER, support.transport_row(1))):
            with self.subTest(tool):
                self.assertEqual(files.read(self.write("s1.csv", header, row)).tool, tool)

    def test_process_id_in_the_name_is_not_the_thread(self):
        path = self.write("TransportStats2_4711.csv", support.TRANSPORT_HEADER, support.transport_row(1))
        self.assertEqual(files.read(path).thread, 2)

    def test_lines_may_end_as_on_windows(self):
        path = self.write("s1.csv", support.NI_HEADER.replace("\n", "\r\n"), f"{support.utc(1)}, 3, 4, 1.00, 2.00\r\n")
        self.assertEqual(len(files.read(path).rows), 1)

    def test_dropped_messages_are_no_row(self):
        line = "2026-01-31 10:00:02, - Stopped 7 updates due to lack of output buffers.\n"
        path = self.write("s1.csv", support.CONSUMER_HEADER, support.consumer_row(1), line, support.consumer_row(2))
        self.assertEqual(len(files.read(path).rows), 2)

    def test_latencies_in_microseconds(self):
        path = self.write("late2.csv", support.LATENCY_HEADER, "Upd, 100, 130, 30\nGen, 200, 201, 1\nUpd, 300, 300, 0\n")
        found = files.read(path)
        self.assertEqual((found.base, found.thread), ("late", 2))
        self.assertEqual([list(part) for part in found.latencies["update"]], [[100, 300], [30, 0]])
        self.assertEqual(list(found.latencies["generic"][1]), [1])

    def test_transport_latencies_are_nanoseconds(self):
        path = self.write("latency1.csv", support.TRANSPORT_LATENCY_HEADER, "1000, 3500, 2500\n")
        self.assertEqual([list(part) for part in files.read(path).latencies["transport"]], [[1.0], [2.5]])

    def test_summaries(self):
        for tool, text in (("consumer", support.CONSUMER_SUMMARY), ("provider", support.PROVIDER_SUMMARY),
                           ("transport", support.TRANSPORT_SUMMARY),
                           ("niprovider", support.PROVIDER_SUMMARY.replace("Run Time: 18", "Run Time: 18\n   Item Count: 5"))):
            with self.subTest(tool):
                self.assertEqual(files.read(self.write("x.out", text)).tool, tool)
        summary = files.read(self.write("x.out", support.CONSUMER_SUMMARY))
        self.assertEqual(summary.inputs["Username"], "(use system login name)")
        self.assertIn(("Test Statistics", "Requests sent", "20000"), summary.sections["OVERALL SUMMARY"])


class Errors(Case):
    def check(self, line, words, *parts, name="s1.csv", partial=False):
        """Reading fails with the file, the line and these words."""
        path = self.write(name, *parts)
        with self.assertRaises(files.ReportError) as caught:
            files.read(path, partial)
        self.assertTrue(str(caught.exception).startswith(f"{path}:{line}: "), caught.exception)
        self.assertIn(words, str(caught.exception))

    def test_empty_and_cut(self):
        self.check(1, "the file is empty", "")
        self.check(1, "only the header", support.NI_HEADER)
        self.check(1, "header is truncated", support.CONSUMER_HEADER[:60], "\n")
        self.check(3, "ends inside a line", support.CONSUMER_HEADER, support.consumer_row(1), support.consumer_row(2)[:40])
        self.check(1, "no complete line", support.NI_HEADER[:-1], partial=True)

    def test_partial_leaves_the_last_line_out(self):
        path = self.write("s1.csv", support.CONSUMER_HEADER, support.consumer_row(1), support.consumer_row(2)[:40])
        self.assertEqual(len(files.read(path, partial=True).rows), 1)

    def test_foreign(self):
        self.check(1, "is not of a statistics, latency or summary file", "date;value\n1;2\n")
        self.write("s1.csv")
        (self.folder / "s1.csv").write_bytes(b"\x89PNG\r\n\xff\xfe\n")
        with self.assertRaisesRegex(files.ReportError, r"s1\.csv:1: not a text file"):
            files.read(str(self.folder / "s1.csv"))

    def test_statistics_rows(self):
        good = support.consumer_row(1)
        self.check(3, "5 columns instead of 23", support.CONSUMER_HEADER, good, "2026-01-31 10:00:02, 1, 2, 3, 4\n")
        self.check(2, "'12.5x' is not a number of 0 or more (column 'CPU usage (%)')", support.CONSUMER_HEADER,
                   good.replace("12.50", "12.5x"))
        for bad in ("nan", "inf", "-1", ""):
            with self.subTest(bad):
                self.check(2, f"'{bad}' is not a number", support.NI_HEADER, f"{support.utc(1)}, {bad}, 4, 1.00, 2.00\n")
        self.check(2, "'31.01.2026' is not a time", support.NI_HEADER, "31.01.2026, 3, 4, 1.00, 2.00\n")
        self.check(3, "before that of the line above", support.CONSUMER_HEADER, support.consumer_row(5), good)

    def test_latency_rows(self):
        self.check(3, "'Foo' is not a message type", support.LATENCY_HEADER, "Upd, 1, 2, 1\nFoo, 1, 2, 1\n")
        self.check(2, "three whole numbers", support.LATENCY_HEADER, "Upd, 1, 2\n")
        self.check(2, "three whole numbers", support.TRANSPORT_LATENCY_HEADER, "1, 2, 1.5\n")
        self.check(2, "the latency is 5, receive time less send time 1", support.LATENCY_HEADER, "Upd, 1, 2, 5\n")
        self.check(2, "received before it was sent", support.LATENCY_HEADER, "Upd, 5, 2, -3\n")

    def test_summaries(self):
        cut = support.CONSUMER_SUMMARY.partition("--- OVERALL")[0]
        self.check(6, "ends before the OVERALL SUMMARY", cut, name="x.out")
        self.check(1, "the inputs are none of", "--- TEST INPUTS ---\n  Colour: red\n", name="x.out")
        self.check(3, "neither an input nor a section", "--- TEST INPUTS ---\n  A: b\nSegmentation fault\n", name="x.out")
        self.check(12, "neither a heading nor a value", support.CONSUMER_SUMMARY.replace("  No latency", "No latency")
                   .replace("  Sampling duration (sec): 0.571\n", "  Sampling duration (sec): 0.571\n\n"), name="x.out")

    def test_missing(self):
        with self.assertRaisesRegex(files.ReportError, "nowhere.csv: cannot be read: No such file"):
            files.read(str(self.folder / "nowhere.csv"))


if __name__ == "__main__":
    unittest.main()
