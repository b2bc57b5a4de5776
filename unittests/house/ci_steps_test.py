#!/usr/bin/env python3
"""What .ci/steps.sh makes of steps that fail, steps that wait for the night, and parts that were left out. Usage: ci_steps_test.py ROOT"""
import os
import re
import subprocess
import sys
import unittest

ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else "."
COUNTS = "echo 3 passed, 0 failed"
LEFT_OUT = "echo left out: the peers '(--no-interop)'; echo 3 passed, 0 failed"


class Steps(unittest.TestCase):
    def run_steps(self, steps, night="", minutes="45"):
        script = f"set -uo pipefail; cd '{ROOT}'; night={night}; . .ci/steps.sh\n{steps}\nfinish\n"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=os.environ | {"CI_MINUTES": minutes})
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_all_is_well(self):
        code, out = self.run_steps(f'step "tests" sh -c "{COUNTS}"\nstep "no counts" true')
        self.assertEqual(code, 0)
        self.assertTrue(out.endswith("4 passed, 0 failed\n"), out)

    def test_a_failure_fails_the_run_and_is_shown_at_its_end(self):
        code, out = self.run_steps('step "broken" sh -c "echo error: no such thing; exit 5"\nstep "well" true')
        self.assertEqual(code, 1)
        self.assertIn("FAILED: broken", out.split("==== well: ok")[1])
        self.assertTrue(out.endswith("1 passed, 1 failed\n"), out)

    def test_a_command_that_is_not_there_fails_the_run(self):
        self.assertEqual(self.run_steps('step "gone" ./no/such/command')[0], 1)

    def test_a_part_that_was_left_out_is_named_and_ends_with_3(self):
        code, out = self.run_steps(f'step "tests" sh -c "{LEFT_OUT}"\nstep "well" true')
        self.assertEqual(code, 3)
        self.assertIn("LEFT OUT, and not declared for the night: tests: the peers (--no-interop)\n", out)
        self.assertTrue(out.endswith("4 passed, 0 failed\n"), out)

    def test_a_failure_counts_more_than_what_was_left_out(self):
        code, out = self.run_steps(f'step "tests" sh -c "{LEFT_OUT}"\nstep "broken" false')
        self.assertEqual(code, 1)
        self.assertIn("LEFT OUT, and not declared for the night: tests: ", out)

    def test_what_is_declared_for_the_night_may_wait(self):
        code, out = self.run_steps('step "well" true\nnightly 4 "slow" false\nnightly night "long" false', minutes="3")
        self.assertEqual(code, 0)
        self.assertIn("left to the night (.ci/run night): slow\nleft to the night (.ci/run night): long\n", out)

    def test_by_day_a_step_of_the_night_runs_where_its_minutes_are_left(self):
        code, out = self.run_steps('nightly 4 "slow" true\nnightly night "long" true')
        self.assertEqual(code, 0)
        self.assertIn("==== slow: ok", out)
        self.assertIn("left to the night (.ci/run night): long\n", out)

    def test_at_night_nothing_waits(self):
        code, out = self.run_steps('nightly 4 "slow" true\nnightly night "long" true', night="yes", minutes="0")
        self.assertEqual(code, 0)
        self.assertNotIn("left to the night", out)
        self.assertTrue(out.endswith("2 passed, 0 failed\n"), out)

    def test_a_step_of_the_night_that_runs_leaves_nothing_out_either(self):
        self.assertEqual(self.run_steps(f'nightly 4 "slow" sh -c "{LEFT_OUT}"')[0], 3)


class Run(unittest.TestCase):
    """What .ci/run itself says: by day nothing waits but what a row of `nightly` names."""
    def test_the_fixed_steps_are_first_and_the_last_word_is_finish(self):
        with open(os.path.join(ROOT, ".ci/run"), encoding="utf-8") as file:
            calls = re.findall(r'^(?:(step|nightly \w+) "([^"]+)"|(finish)$)', file.read(), re.M)
        kinds = [(kind or last).split()[0] for kind, _, last in calls]
        self.assertEqual(kinds, sorted(kinds, key=["step", "nightly", "finish"].index))
        self.assertEqual(kinds.count("finish"), 1)
        fixed = [name for kind, name, _ in calls if kind == "step"]
        self.assertEqual(fixed, ["packages", "tests", "address and undefined behaviour", "threads"])


if __name__ == "__main__":
    unittest.main()
