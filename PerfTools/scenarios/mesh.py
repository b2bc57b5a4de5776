#!/usr/bin/env python3
"""Five hubs of one mesh over a cluster of three NATS servers, with owners of interactive sources and of publishers, feeds whose values are
known (truthfeed) and a consumer at every hub; faults at random, round by round, and after each round everything has to be current again.

    PerfTools/scenarios/mesh.py                    ten minutes
    PerfTools/scenarios/mesh.py --quick            two
    PerfTools/scenarios/mesh.py --soak             an hour; no hub is killed or upgraded, and what hubs hold must not grow
    PerfTools/scenarios/mesh.py --seed 7           the same faults again
    PerfTools/scenarios/mesh.py --seed 7 --from-round 12 --rounds 1
    PerfTools/scenarios/mesh.py --lie 100          one update of providers in 100 is wrong: the run must find it, or it proves nothing

Providers, publishers, hubs, NATS servers and consumers are killed (SIGKILL) and started again, stopped (SIGSTOP) and continued; connections
between them are cut one way, the other way, both ways or reset, and healed; the disks of hubs are full for a while, which needs mount and so
root or `unshare`; times of day of hubs are stepped back or on while they run, and hubs start again by such a clock, with the file of their
epoch or without it, which needs a C compiler. Between rounds hubs are upgraded one by one: SIGTERM, with its drain time, and a new one.

Required: no value that is Ok is wrong; none is Ok longer than meshlab/judge.py says after its way was broken (4 heartbeats for hubs and NATS
servers); everything is current within 10 s after the last fault of each round; in an upgrade nothing is Suspect that another hub has; at the
end everybody has the last value of everything. With --soak resident memory and descriptors of each hub are looked at once a minute, and
the last quarter of the run is compared with the second. The exit code is 0 when all of it holds. Ctrl-C ends it with its tables.
"""
import os
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time

from growth import FEWEST, growth
from scenario import Failed, Stage, arguments, fail, page_of_tables, table, write_csv
from measure import commit, machine
from meshlab.cast import CONSUMERS, EXPORTS, HUBS, MACHINE, SERVICES, Cast, settle
from meshlab.faults import Doer, now_ms, planned
from meshlab.judge import Judge

TOGETHER = ("PAIR", "PUBLISHED")  # have two owners
GROWTH = {"resident MB": 1.03, "descriptors": 1.0}  # of a hub in a soak, last quarter beside the second
# The ring of frames on their way to NATS: its memory is taken as it is first written to, which takes a hub that sends little some hours.
RING_KB = 16 * 1024 + 4


class Held:
    """What each hub holds, a row a minute; while a hub is stopped or its connections are cut it may hold more, so rows are taken between
    rounds."""

    def __init__(self, cast, minutes):
        self.cast, self.rows, self.begun = cast, {h: [] for h in HUBS}, time.monotonic()
        self.every = min(60.0, minutes * 60 / (2 * FEWEST))

    def look(self):
        spent = time.monotonic() - self.begun
        if spent < self.every * len(self.rows[HUBS[0]]):
            return
        for hub, rows in self.rows.items():
            process = self.cast.running[hub]
            rows.append({"resident MB": (process.resident_bytes() - process.resident_bytes_of(RING_KB)) / 1e6, "descriptors": process.descriptors()})
        print(f"  {spent / 60:.0f} min: " + ", ".join(f"{h} {r[-1]['resident MB']:.1f} MB {r[-1]['descriptors']} descriptors" for h, r in self.rows.items()), flush=True)

    def verdicts(self):
        """A row for each hub and what it holds; one that says so where there were too few rows."""
        table = []
        for hub, rows in self.rows.items():
            found = growth(rows, GROWTH)
            if found is None:
                table.append({"hub": hub, "what": f"{len(rows)} rows, and it takes {FEWEST}", "second quarter": None, "last quarter": None, "grown": True})
            table += [{"hub": hub, **v} for v in found or []]
        return table


class Run:
    def __init__(self, options):
        self.options = options
        self.stage = Stage(options, "mesh", tools=("truthfeed",))
        self.begin = now_ms()
        self.end = self.begin + int((options.minutes * 60 + 10) * 1000)
        self.judge = Judge(options)
        self.cast = Cast(options, self.stage, self.begin - 60_000, self.end)
        self.doer = Doer(self.cast, self.judge)
        self.held = Held(self.cast, options.minutes) if options.soak else None
        self.rounds, self.kinds, self.last_look = [], {}, time.monotonic()

    def turn(self):
        """Looks, after a short while; a machine that stands still excuses that."""
        time.sleep(0.05)
        now = time.monotonic()
        if now - self.last_look > 0.3:
            e = self.judge.effect("machine", now_ms() - int((now - self.last_look) * 1000))
            e.end = now_ms()
        self.last_look = now
        self.judge.look()
        for name in self.cast.ended_by_themselves():
            if name in self.doer.down or now_ms() > self.end:
                continue
            process = self.cast.running[name]
            # Whoever watches over a hub starts it again; that it may end, though, has to have a reason.
            if self.doer.full.get(name, 0) < time.monotonic():
                self.judge.violation("ended by itself", f"{name} (code {process.popen.returncode}): {process.tail(3)}")
            time.sleep(0.2)
            self.doer.start(name)

    def until_current(self, seconds):
        """How long it took, or None."""
        since, since_ms = time.monotonic(), now_ms()
        while time.monotonic() - since < seconds:
            self.turn()
            if not self.judge.behind(now_ms(), since_ms):
                return time.monotonic() - since
        return None

    def pages(self, seconds):
        """Every hub's page of the mesh has to show all others within that time."""
        since, left = time.monotonic(), set(HUBS)
        while left and time.monotonic() - since < seconds:
            self.turn()
            left = {h for h in left if sum(p["reachable"] for p in (self.cast.mesh_page(h) or {"peers": []})["peers"]) != len(HUBS) - 1}
        for h in sorted(left):
            self.judge.violation("page", f"/meshz of {h} does not show {len(HUBS) - 1} hubs: {self.cast.mesh_page(h)}")

    def again(self, number):
        o = self.options
        words = [sys.argv[0], "--seed", str(o.seed), "--from-round", str(number), "--rounds", "1", "--minutes", "1", "--items", str(o.items), "--most", str(o.most)]
        words += ["--soak"] if o.soak else []
        return shlex.join(words)

    def round(self, number):
        faults = planned(self.options.seed, number, self.cast.disks.small, not self.cast.clocks.why, self.options.most, spared="hub" if self.options.soak else "")
        if not faults:
            return
        self.judge.round = number
        print(f"round {number}: " + "; ".join(map(str, faults)), flush=True)
        before, begin = len(self.judge.violations), time.monotonic()
        todo = sorted([(f.at, 0, i) for i, f in enumerate(faults)] + [(f.at + f.length, 1, i) for i, f in enumerate(faults)])
        for at, undo, i in todo:
            while time.monotonic() - begin < at:
                self.turn()
            (self.doer.undo if undo else self.doer.do)(faults[i])
        took = self.until_current(self.options.current)
        if took is None:
            late = self.judge.behind(now_ms())
            self.judge.violation("not current", f"{self.options.current} s after the last fault of round {number}: " + "; ".join(late[:6]))
            if self.until_current(30) is None:
                print("  and not 30 s later either", flush=True)
        for f in faults:
            self.kinds.setdefault(f.kind, []).append(took)
        self.rounds.append({"round": number, "faults": "; ".join(map(str, faults)), "s to current": took,
                            "violations": len(self.judge.violations) - before})
        if len(self.judge.violations) > before:
            print(f"  again: {self.again(number)}", flush=True)
        self.judge.forget(now_ms() - 60_000)

    def upgrade(self):
        """Each hub ends in order and a new one takes its place; what two hubs have stays Ok at all others meanwhile."""
        self.judge.round = "upgrade"
        for hub in HUBS:
            before, own = len(self.judge.violations), [c for c, h in CONSUMERS.items() if h == hub]
            effects = [self.judge.effect("mesh", now_ms()), self.judge.effect("client", now_ms(), own)]
            self.judge.rolling = {"services": TOGETHER, "not": own, "hub": hub}
            self.doer.down.add(hub)
            process = self.cast.running[hub]
            process.popen.send_signal(signal.SIGTERM)
            since = time.monotonic()
            while process.running():
                self.turn()
                if time.monotonic() - since > self.options.drain + 10:
                    self.judge.violation("did not end", f"{hub}, {self.options.drain + 10} s after SIGTERM")
                    process.kill()
                    break
            else:
                if process.popen.returncode != 0:
                    self.judge.violation("did not end in order", f"{hub} ended with exit code {process.popen.returncode} after SIGTERM")
            left = time.monotonic() - since
            self.doer.start(hub)
            took = self.until_current(self.options.current)
            self.judge.rolling = None
            for e in effects:
                e.end = now_ms()
            if took is None:
                self.judge.violation("not current", f"{self.options.current} s after {hub} was upgraded: " + "; ".join(self.judge.behind(now_ms())[:6]))
            self.kinds.setdefault("upgrade hub", []).append(took)
            self.rounds.append({"round": "upgrade", "faults": f"{hub} left in {left:.1f} s and was started again", "s to current": took,
                                "violations": len(self.judge.violations) - before})
        print("upgraded all hubs", flush=True)

    def storm(self):
        o, number = self.options, self.options.from_round
        leave = 25 + o.current if o.rounds is None else 0
        upgrade = number == 1 and not o.no_upgrade and not o.soak
        while (o.rounds is None or number < o.from_round + o.rounds) and now_ms() + leave * 1000 < self.end:
            self.round(number)
            if self.held:
                self.held.look()
            if upgrade:
                self.upgrade()
                upgrade = False
            number += 1

    def last_values(self):
        """Nothing changes any more; every consumer says whether it has it all."""
        self.judge.round = "end"
        while now_ms() < self.end + (settle(self.options) + 2) * 1000 and len(self.judge.results) < len(CONSUMERS):
            self.turn()
        for c in CONSUMERS:
            if not self.judge.all_there(c):
                self.judge.violation("end", f"{c}: {self.judge.results.get(c, 'said nothing')}")

    def report(self, interrupted):
        o, j = self.options, self.judge
        times = [r["s to current"] for r in self.rounds if r["s to current"] is not None]
        rows = [{"fault": k, "times": len(t), "p50 s to current": statistics.median(x) if x else None, "max s to current": max(x) if x else None,
                 "not within": sum(v is None for v in t)} for k, t in sorted(self.kinds.items()) for x in [[v for v in t if v is not None]]]
        verdicts = [{"required": "no value that is Ok is wrong", "found": j.bad_values},
                    {"required": "none is Ok longer than allowed", "found": j.stale},
                    {"required": f"all is current {o.current} s after the last fault", "found": sum(v["kind"] == "not current" for v in j.violations)},
                    {"required": "in an upgrade nothing is Suspect that another hub has", "found": len(j.rolled)},
                    {"required": "all else: ends, last values, posts", "found": sum(v["kind"] in ("end", "missing at the end", "posts", "posted values", "ended by itself", "did not end", "page")
                                                                             for v in j.violations)}]
        held = self.held.verdicts() if self.held else []
        if held:
            grown = sum(v["grown"] for v in held)
            verdicts.append({"required": "what hubs hold has not grown", "found": grown})
            if grown and not interrupted:
                j.violation("grown", "; ".join(f"{v['hub']}: {v['what']}" for v in held if v["grown"]))
        ages = [{"touched": why, "oldest Ok ms": age, "allowed ms": limit} for why, (age, limit) in sorted(j.worst.items())]
        total = {"rounds": len(self.rounds), "faults": sum(map(len, self.kinds.values())), "samples": j.samples, "wrong values": j.bad_values,
                 "stale as current": j.stale, "late answers excused": sum(j.excused.values()), "p50 s to current": statistics.median(times) if times else None, "max s to current": max(times, default=None), "machine late ms": j.most_late}
        print("\n" + f"# {machine()}, commit {commit()}, seed {o.seed}" + ("; interrupted" if interrupted else "") + "\n" + table(rows) + "\n\n" + table([total]))
        print("\n" + table(ages) + "\n")
        if held:
            print(table(held) + "\n")
        for v in verdicts:
            print(f"{'yes' if v['found'] == 0 else ' NO'}  {v['required']}: {v['found']}")
        write_csv(self.stage.dir / "results.csv", self.rounds or [{"round": "-"}])
        write_csv(self.stage.dir / "faults.csv", rows or [{"fault": "-"}])
        page_of_tables(self.stage.dir / "results.html", "Hubs of a mesh under faults",
                       f"{machine()}, commit {commit()}. Again: {sys.argv[0]} --seed {o.seed}.",
                       [("The run", [total], None), ("Required", verdicts, None), ("Faults", rows, None), ("Ages of what was Ok", ages, None), *([("What hubs hold", held, None)] if held else []),
                        ("Rounds", self.rounds, None), ("Violations", j.violations[:200], None)])
        print(f"\nAs CSV: {self.stage.dir / 'results.csv'}, {self.stage.dir / 'faults.csv'}; as a page: {self.stage.dir / 'results.html'}")


def run(options):
    if options.minutes is None:
        options.minutes = 2 if options.quick else 60 if options.soak else 10
    if options.rounds is not None:
        options.minutes = max(options.minutes, options.rounds * 0.5)
    r = Run(options)
    print(f"seed {options.seed}, files in {r.stage.dir}", flush=True)
    if not r.cast.disks.small:
        print("no disk is made full: mounting a small one is not allowed here", flush=True)
    if r.cast.clocks.why:
        print(f"no clock is stepped: {r.cast.clocks.why}", flush=True)
    interrupted = False
    try:
        try:
            r.cast.start_all()
            for c in CONSUMERS:
                r.judge.watch(c, r.cast.running[c].log)
            r.judge.watch_machine(r.cast.running[MACHINE].log)
            took = r.until_current(40)
            if took is None:
                fail("everything was not current within 40 s of the start: " + "; ".join(r.judge.behind(now_ms())))
            print(f"everything was current after {took:.1f} s", flush=True)
            r.pages(20)
            r.storm()
            if options.rounds is None:
                r.last_values()
                if options.posts:
                    r.judge.posts([s for s in SERVICES if sum(s in e for e in EXPORTS.values()) == 1], options.items)
        except KeyboardInterrupt:
            interrupted = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is short
        r.report(interrupted)
    finally:
        r.cast.end()
    if options.lie:
        if r.judge.bad_values == 0:
            fail("wrong updates were sent, and nobody noticed")
        print(f"{r.judge.bad_values} wrong values were seen, as they must be")
        return
    if r.judge.violations:
        fail(f"{len(r.judge.violations)} times something was not as it must be; logs in {r.stage.dir}")
    if interrupted:
        raise KeyboardInterrupt
    print("nothing that was marked Ok was wrong or stale, and everybody has the truth")


def with_disks():
    """In a namespace of its own mounts may be made and are gone with the process, however it ends."""
    if os.environ.get("EMISSARY_MESH_UNSHARED") or shutil.which("unshare") is None:
        return
    words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
        os.environ["EMISSARY_MESH_UNSHARED"] = "1"
        os.execvp(words[0], [*words, sys.executable, *sys.argv])


def main():
    parser = arguments(__doc__, quick={"action": "store_true", "help": "two minutes"},
                       soak={"action": "store_true", "help": "an hour in which no hub is killed, and what they hold must not grow"},
                       minutes={"type": float, "help": "how long faults go on (10; 2 with --quick, 60 with --soak)"},
                       seed={"type": int, "default": random.SystemRandom().randrange(1 << 31), "help": "of the faults"},
                       from_round={"type": int, "default": 1, "help": "the first round (1)"},
                       rounds={"type": int, "help": "so many rounds, instead of a time"},
                       most={"type": int, "default": 3, "help": "faults of a round (3)"},
                       rate={"type": int, "default": 10, "help": "updates/s of each item (10)"},
                       posts={"type": int, "default": 0, "help": "posts/s of each consumer, each to be answered once and seen by all (0: none)"},
                       heartbeat={"type": int, "default": 500, "help": "HeartbeatMs of the mesh (500)"},
                       ping={"type": int, "default": 3, "help": "ping timeout of all connections, in seconds (3)"},
                       tolerance={"type": float, "default": 1.0, "help": "seconds that a value may be old without any fault (1)"},
                       current={"type": int, "default": 10, "help": "seconds after the last fault of a round in which everything is current (10)"},
                       drain={"type": int, "default": 3, "help": "DrainTimeout of the hubs, in seconds (3)"},
                       no_upgrade={"action": "store_true", "help": "hubs are not upgraded"},
                       lie={"type": int, "default": 0, "help": "one update of providers in so many is wrong"})
    parser.set_defaults(ports="free", items=40)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parser.parse_args()
    with_disks()
    try:
        run(options)
    except Failed as e:
        print(f"Error: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
