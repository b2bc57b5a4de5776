#!/usr/bin/env python3
"""mesh_sizing.py: sums that can be done by hand, what it is told wrongly, and that its page is the one that stands in docs."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "PerfTools" / "scenarios"))
import mesh_sizing  # noqa: E402

COST = {name: value[0] for name, value in mesh_sizing.COSTS.items()}


def mesh(edges, *words):
    return mesh_sizing.Mesh(mesh_sizing.options(list(words)), edges, COST)


class Lanes(unittest.TestCase):
    def test_everybody_wants_everything(self):
        m = mesh(7, "--share", "1", "--overlap", "same")
        self.assertEqual((m.wide, m.unicast), (1_000_000, 0))
        self.assertEqual(m.in_bytes, 1_000_000 * (145 + 16))
        self.assertEqual(m.useful, 1)

    def test_below_wide_at_each_gets_its_copy(self):
        m = mesh(2, "--share", "0.5", "--overlap", "same")
        self.assertEqual((m.wide, m.unicast), (0, 1_000_000))
        self.assertEqual(m.in_messages, 500_000)

    def test_items_that_nobody_shares(self):
        m = mesh(10, "--share", "0.1", "--overlap", "apart")
        self.assertAlmostEqual(m.unicast, 1_000_000)
        self.assertAlmostEqual(m.in_messages, 100_000)

    def test_chance_is_a_distribution(self):
        for n, p in ((1, 0.01), (62, 0.01), (62, 0.5), (10, 1), (10, 1e-9)):
            k = mesh_sizing.binomial(n, p)
            self.assertAlmostEqual(sum(k), 1)
            self.assertAlmostEqual(sum(i * part for i, part in enumerate(k)), n * p)

    def test_wide_lanes_carry_what_others_want(self):
        few = mesh(62, "--share", "0.2")
        many = mesh(62, "--share", "0.2", "--items", "4096", "--wide-lanes", "4096")
        self.assertAlmostEqual(few.in_messages, few.wide + few.unicast / 62)  # of 16 lanes every edge has all
        self.assertLess(few.useful, 0.21)
        self.assertLess(many.in_messages, few.in_messages)

    def test_frames(self):
        self.assertEqual(mesh_sizing.frames_of(0, 100), 0)
        self.assertAlmostEqual(mesh_sizing.frames_of(1, 100), 1, places=2)              # a lone record is a frame
        self.assertAlmostEqual(mesh_sizing.frames_of(100_000, 161), 1 / 510e-6)          # one in 500 us behind its first
        self.assertAlmostEqual(mesh_sizing.frames_of(4_000_000, 161), 4e6 * 161 / 32768)  # full ones


class Plans(unittest.TestCase):
    def test_a_mesh_has_64_hubs(self):
        o = mesh_sizing.options([])
        self.assertEqual([mesh_sizing.Plan(o, n, COST).meshes for n in (1, 62, 63, 124, 125)], [1, 1, 2, 2, 3])

    def test_one_edge_is_a_mesh(self):
        r = subprocess.run([sys.executable, ROOT / "PerfTools/scenarios/mesh_sizing.py", "--edges", "1"], capture_output=True, text=True, check=True)
        self.assertIn("0/s wide, 10,000/s for one edge", r.stdout)

    def test_a_cost_of_your_own(self):
        words = [sys.executable, ROOT / "PerfTools/scenarios/mesh_sizing.py", "--edges", "10"]
        one = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        other = subprocess.run([*words, "--cost", "text_out=7000"], capture_output=True, text=True, check=True).stdout
        cores = [next(line for line in text.splitlines() if line.startswith("an edge  ")).split()[2] for text in (one, other)]
        self.assertAlmostEqual(float(cores[1]) - float(cores[0]), 2e6 * 3500 / 1e9, places=1)

    def test_the_plan_of_the_protocol(self):
        rows = {name: found for name, _, found in mesh_sizing.checks(mesh_sizing.options([]), COST)}
        self.assertIn("1.6 MB/s; 14 and 91 times", rows["a hub that wants 1 % of 1 M items"])
        self.assertIn("144 Gb/s", rows["1 M clients"])


class Refusals(unittest.TestCase):
    def test_each_names_the_option(self):
        for words, text in ((["--edges", "0"], "argument --edges: 0 is not above 0"),
                            (["--share", "1.5"], "argument --share: 1.5 is not above 0 and at most 1"),
                            (["--updates", "many"], "argument --updates: 'many' is no number"),
                            (["--updates", "nan"], "argument --updates: nan is not above 0"),
                            (["--wide-lanes", "5000"], "at most 4096"),
                            (["--edges", "2", "--wide-at", "3"], "--wide-at 3 is above the number of edges"),
                            (["--cost", "tea=1"], "there is no cost 'tea'"),
                            (["--cost", "edge_in"], "argument --cost: '' is no number")):
            with self.subTest(words):
                r = subprocess.run([sys.executable, ROOT / "PerfTools/scenarios/mesh_sizing.py", *words], capture_output=True, text=True, check=False)
                self.assertEqual(r.returncode, 2, r.stdout)
                self.assertIn(text, r.stderr)


if __name__ == "__main__":
    unittest.main()
