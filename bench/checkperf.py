#!/usr/bin/env python3
"""Runs this commit and an earlier one side by side and prints what changed, as ratios with their spread.

    bench/checkperf.py                        against the last tag, or .ci/reference when there is none
    bench/checkperf.py --reference e94864a --rounds 5 --rate 1000000

The earlier commit is built in build/checkperf/<commit>; its pair of performance tools and that of build/release take turns, so
that what else the machine does falls on both. Then both pairs run with the hub of their commit in between, which caches all items. A ratio below 1 means that this commit needs less. With --fail-above 1.3 there are
five rounds, and the exit code is 1 when the median of a judged cost's ratios is above 1.3, or when a judged cost was not
measured. Latency is shown and not judged: on a shared machine it says more about the neighbours.
"""
import argparse
import math
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "PerfTools/scenarios")]
from end_to_end import ROOT, Pair  # noqa: E402
from measure import at_rate  # noqa: E402
from scenario import Failed  # noqa: E402

TOOLS = ["EmaCppConsPerf", "EmaCppIProvPerf", "emissary-hub"]
NOTHING = float("nan")
FIGURES = [  # title, whether --fail-above judges it, how it is read from one run
    ("consumer CPU, ns an update", True, lambda r: 1e7 * r["cons cpu"] / r["rate"] if r["rate"] else NOTHING),
    ("provider CPU, ns an update", True, lambda r: 1e7 * r["prov cpu"] / r["rate"] if r["rate"] else NOTHING),
    ("mean latency, us", False, lambda r: r["latency"]),
    ("images, s", True, lambda r: r["images s"]),
    ("consumer memory, MB", True, lambda r: r["cons MB"]),
    ("provider memory, MB", True, lambda r: r["prov MB"]),
    ("hub CPU, ns an update", True, lambda r: r["hub ns"]),
    ("hub memory, MB", True, lambda r: r["hub MB"]),
]


def git(*args):
    return subprocess.run(["git", "-C", str(ROOT), *args], check=True, capture_output=True, text=True).stdout.strip()


def reference_commit(named):
    if named:
        return git("rev-parse", "--verify", named + "^{commit}")
    tags = git("tag", "--merged", "HEAD^", "--sort=-creatordate").split()
    if tags:
        return git("rev-parse", tags[0] + "^{commit}")
    return git("rev-parse", "--verify", (ROOT / ".ci/reference").read_text().split()[0] + "^{commit}")


def build_reference(commit):
    folder = ROOT / "build/checkperf" / commit[:12]
    binaries = folder / "build/bin"
    if all((binaries / tool).exists() for tool in TOOLS):
        return binaries
    shutil.rmtree(folder, ignore_errors=True)
    tree = folder / "tree"
    tree.mkdir(parents=True)
    archive = subprocess.Popen(["git", "-C", str(ROOT), "archive", commit], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=True)
    if archive.wait() != 0:
        sys.exit(f"checkperf: git archive {commit} failed")
    log = folder / "build.log"
    with open(log, "w") as out:
        for command in (["cmake", "-S", str(tree), "-B", str(folder / "build"), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                         "-DEMISSARY_BUILD_TESTS=OFF"],
                        ["cmake", "--build", str(folder / "build"), "--target", *TOOLS]):
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode != 0:
                sys.exit(f"checkperf: {commit[:12]} does not build: see {log}")
    return binaries


def ratios_of(old, new):
    """Round by round; what was not measured is not a number."""
    return [n / o if o else NOTHING for o, n in zip(old, new)]


def objections(ratios, fail_above):
    """Why the exit code is 1, a line for each judged figure that is one; `ratios` has a list for each title."""
    found = []
    for title, judged, _ in FIGURES:
        if not judged:
            continue
        if any(math.isnan(ratio) for ratio in ratios[title]):
            found.append(f"{title}: not measured in every round")
        elif statistics.median(ratios[title]) > fail_above:
            found.append(f"{title}: {statistics.median(ratios[title]):.2f} times the reference, {fail_above:g} is allowed")
    return found


def run_once(binaries, a):
    pair = Pair(binaries, a.items, a.rate, a.seconds, a.dispatch, 500000)
    try:
        return pair.run() | through_hub(binaries, a)
    finally:
        pair.clean()


def through_hub(binaries, a):
    """Provider, hub and consumer at the same rate; what did not run to its end was not measured."""
    try:
        with tempfile.TemporaryDirectory(prefix="emissary-checkperf-") as folder:
            options = argparse.Namespace(bin=binaries, out=pathlib.Path(folder), service="TEST_FEED", ports="free")
            row = at_rate(options, "hub", "all", a.rate, a.seconds, items=a.items, messages="fields23", packed=False)
    except Failed as e:
        print(f"# {binaries}: {e}", flush=True)
        return {"hub ns": NOTHING, "hub MB": NOTHING}
    return {"hub ns": row["hub ns/update"], "hub MB": row["hub MB"]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--reference", help="commit or tag to compare with")
    arguments.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin", help="this commit's programs")
    arguments.add_argument("--rounds", type=int, help="3, or 5 with --fail-above")
    arguments.add_argument("--seconds", type=int, default=5, help="steady state of one run")
    arguments.add_argument("--items", type=int, default=50000)
    arguments.add_argument("--rate", type=int, default=300000, help="updates a second")
    arguments.add_argument("--dispatch", choices=["api", "user"], default="user")
    arguments.add_argument("--fail-above", type=float, metavar="R",
                           help="exit code 1 when the median of a judged cost is above R times the reference's")
    a = arguments.parse_args()
    if a.rounds is None:
        a.rounds = 3 if a.fail_above is None else 5
    if a.fail_above is not None and not a.fail_above >= 1:
        sys.exit("checkperf: --fail-above must be at least 1")
    if a.rounds < 1:
        sys.exit("checkperf: --rounds must be at least 1")
    a.bin = a.bin.resolve()
    missing = [tool for tool in TOOLS if not (a.bin / tool).exists()]
    if missing:
        sys.exit(f"checkperf: {a.bin}/{missing[0]} is not there; build first: cmake --preset release && cmake --build --preset release")
    commit = reference_commit(a.reference)
    print(f"# {commit[:12]} and this commit by turns: {a.rounds} rounds of {a.seconds} s, {a.items} items, {a.rate} updates/s, "
          f"{a.dispatch} dispatch", flush=True)
    before = build_reference(commit)

    runs = {"before": [], "now": []}
    for i in range(a.rounds):
        order = ["before", "now"] if i % 2 == 0 else ["now", "before"]
        for which in order:
            runs[which].append(run_once(before if which == "before" else a.bin, a))
        print(f"# round {i + 1} of {a.rounds}", flush=True)

    ratios = {}
    print(f"{'':28} {'before':>10} {'now':>10} {'ratio':>7}  spread")
    for title, _, read in FIGURES:
        old, new = [read(r) for r in runs["before"]], [read(r) for r in runs["now"]]
        ratios[title] = ratios_of(old, new)
        print(f"{title:28} {statistics.median(old):10.3g} {statistics.median(new):10.3g} {statistics.median(ratios[title]):7.2f}  "
              f"{min(ratios[title]):.2f} to {max(ratios[title]):.2f}")
    if a.fail_above is None:
        return 0
    found = objections(ratios, a.fail_above)
    for objection in found:
        print(f"FAILED: {objection}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
