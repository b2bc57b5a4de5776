"""Faults of the mesh scenario, as dice and time say: what is done, to whom, for how long, and what it excuses."""
import random
import time

from .cast import CONSUMERS, HUBS, NATS, PROVIDERS, PUBLISHERS

CUTS = ("to", "from", "both", "closed")
# Seconds that the time of day of a hub jumps, and back again.
STEPS = {"an hour back": -3600, "a second back": -1, "an hour on": 3600, "a day on": 86_400}
VICTIMS = {"provider": tuple(PROVIDERS), "publisher": tuple(PUBLISHERS), "hub": HUBS, "NATS server": NATS, "consumer": tuple(CONSUMERS)}
LINKS = {"hub and NATS": HUBS, "NATS and NATS": NATS, "source and hub": tuple(PROVIDERS), "publisher and hub": tuple(PUBLISHERS),
         "hub and consumer": tuple(CONSUMERS)}


def now_ms():
    return int(time.time() * 1000)


class Fault:
    """`at` seconds after the round's begin it is done, `length` seconds later undone."""

    def __init__(self, action, group, victim, mode, at, length):
        self.action, self.group, self.victim, self.mode, self.at, self.length = action, group, victim, mode, at, length
        self.kind = f"{action} {group}" + (f" ({mode})" if mode else "")
        self.effects = []

    def __str__(self):
        return f"{self.kind}: {self.victim} at {self.at:.1f} s for {self.length:.1f} s"


def planned(seed, number, disks, clocks, most, spared=""):
    """The faults of a round, `most` or one more: the same ones for the same numbers. Nobody of the group `spared` is killed."""
    dice = random.Random(f"{seed}/{number}")
    faults, taken = [], set()
    for _ in range(dice.choice((1, *range(1, most + 1)))):
        action = dice.choice(("kill", "kill", "stop", "stop", "cut", "cut", "cut", "fill disk", "step clock"))
        group = dice.choice(tuple(LINKS if action == "cut" else VICTIMS))
        victim = dice.choice(HUBS if action in ("fill disk", "step clock") else LINKS[group] if action == "cut" else VICTIMS[group])
        mode = dice.choice(CUTS) if action == "cut" else dice.choice(tuple(STEPS)) if action == "step clock" else ""
        at, length = dice.uniform(0, 2), dice.choice((dice.uniform(0.1, 1), dice.uniform(0.5, 4), dice.uniform(3, 8)))
        if action in ("fill disk", "step clock"):
            group = "of a hub"
        if victim in taken or (action == "fill disk" and not disks) or (action == "step clock" and not clocks):
            continue
        taken.add(victim)
        faults.append(Fault(action, group, victim, mode, at, length))
        if action == "fill disk" and dice.random() < 0.5:  # it comes back to a disk that is full
            faults.append(Fault("kill", "hub", victim, "", at + 0.3, length / 2))
        if action == "step clock" and dice.random() < 0.6:  # it starts again by that clock, with or without the file of its epoch
            faults.append(Fault("kill", "hub", victim, dice.choice(("", "epoch lost")), at + 0.3, length / 2))
    return [f for f in faults if f.action != "kill" or f.group != spared]


class Doer:
    """Does faults and undoes them, and tells the judge."""

    def __init__(self, cast, judge):
        self.cast, self.judge, self.down, self.full = cast, judge, set(), {}

    def links(self, fault):
        v = fault.victim
        return {"hub and NATS": lambda: [f"{v}-{n}" for n in NATS], "NATS and NATS": lambda: [x for x in self.cast.targets if v in x and x.count("nats") == 2],
                "source and hub": lambda: [f"{PROVIDERS[v][0]}-{v}"], "publisher and hub": lambda: [f"{v}-{PUBLISHERS[v]}"],
                "hub and consumer": lambda: [f"{v}-{CONSUMERS[v]}"]}[fault.group]()

    def _excuse(self, fault):
        group, victim, now = fault.group, fault.victim, now_ms()  # a clock that is stepped excuses nothing
        say = lambda way, consumers=None: fault.effects.append(self.judge.effect(way, now, consumers, str(fault)))
        if group in ("hub and NATS", "NATS and NATS", "NATS server"):
            say("mesh")
        elif group in ("source and hub", "publisher and hub", "provider", "publisher"):
            say("feed")
        elif group == "hub":
            say("mesh")
            say("client", [c for c, h in CONSUMERS.items() if h == victim])
        elif group == "hub and consumer":
            say("client", [victim])
        elif group == "consumer" and fault.action == "stop":
            say("itself stopped", [victim])

    def do(self, fault):
        self._excuse(fault)
        if fault.action == "kill":
            self.cast.kill(fault.victim)
            self.down.add(fault.victim)
            if fault.mode == "epoch lost":
                self.cast.lose_epoch(fault.victim)
        elif fault.action == "step clock":
            self.cast.clocks.step(fault.victim, STEPS[fault.mode])
        elif fault.action == "stop":
            self.cast.stop(fault.victim, True)
        elif fault.action == "cut":
            for link in self.links(fault):
                self.cast.relay.change(link, fault.mode)
        else:
            self.cast.disks.fill(fault.victim)
            self.full[fault.victim] = float("inf")

    def undo(self, fault):
        if fault.action == "kill":
            self.start(fault.victim)
        elif fault.action == "stop":
            self.cast.stop(fault.victim, False)
        elif fault.action == "cut":
            for link in self.links(fault):
                self.cast.relay.change(link, "flow")
        elif fault.action == "step clock":
            self.cast.clocks.step(fault.victim, 0)
        else:
            self.cast.disks.empty(fault.victim)
            self.full[fault.victim] = time.monotonic() + 2  # it may be about to end for want of room
        for effect in fault.effects:
            effect.end = now_ms()

    def start(self, name):
        self.down.discard(name)
        process = self.cast.start(name)
        if name in CONSUMERS:
            self.judge.watch(name, process.log)
