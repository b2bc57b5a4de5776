"""Reads what the mesh scenario's consumers print and says what was not allowed. What is allowed follows from what was done:

An item that is Ok may be old by --tolerance (sampling, batches, a busy machine), and by the longest time in which somebody can notice
that the way from its feed is broken: 4 heartbeats for what concerns hubs and NATS servers, the ping timeout for a feed and its
connection to a hub, and once more for a consumer and its hub: that a hub which is stopped is stopped can only its clients' ping
timeout tell. A consumer that was stopped itself may be late by that time. Times of what is not touched are not added.

A busy machine is late everywhere: a feed and a consumer with nothing in between show by how much, and five processes in a row may be
late five times as much."""
import collections
import pathlib
import re

# A hub answers for a source that does not after 12 s, and the poster waits for 15: a hub that stands still in between is late.
UNANSWERED = re.compile(r"WRONG (\d+) \S+ nobody answered post ")
ANSWER_MS = 3000
SAMPLE = re.compile(r"SAMPLE (\d+) (\S+) (\d+) (\d+) (\d+) (\S+)$")
IN_A_ROW = 5
CURRENT_MS = 1000  # a value that is Ok and no older is current


class Effect:
    """What a fault excuses: from `begin` to `end` (None: until further notice), in ms of the clock."""

    def __init__(self, way, begin, consumers=None, text=""):
        self.way, self.begin, self.end, self.consumers, self.text = way, begin, None, consumers, text

    def touches(self, consumer, since, until):
        return self.begin <= until and (self.end is None or self.end >= since) and (self.consumers is None or consumer in self.consumers)


class Log:
    """The lines of a file as they come, whole ones only."""

    def __init__(self, path):
        self.path, self.at = pathlib.Path(path), 0

    def lines(self):
        try:
            with open(self.path, "rb") as f:
                f.seek(self.at)
                data = f.read()
        except OSError:
            return []
        end = data.rfind(b"\n") + 1
        self.at += end
        return data[:end].decode(errors="replace").splitlines()


class Judge:
    def __init__(self, options):
        self.options, self.logs, self.effects, self.latest, self.violations, self.worst = options, {}, [], {}, [], {}
        self.bad_values, self.stale, self.samples = 0, 0, 0
        self.results, self.posted, self.round = {}, {}, "start"
        self.excused = {}  # answers to posts that came late since the hub or the consumer stood still, by consumer
        self.machine, self.machine_ages, self.most_late = None, collections.deque(maxlen=1000), 0
        self.rolling = None  # while hubs are upgraded: {service} that must stay Ok everywhere but at ...
        self.rolled = []

    def watch_machine(self, path):
        self.machine = Log(path)

    def late(self, since, until):
        """By how many ms everything may be late because the machine is busy."""
        if not self.machine_ages:
            return 0
        late = max([age for at, age in self.machine_ages if since - 300 <= at <= until + 300] + [until - self.machine_ages[-1][0] - 400, 0])
        self.most_late = max(self.most_late, late)
        return IN_A_ROW * late

    def watch(self, consumer, path):
        self.logs[consumer] = Log(path)
        self.latest[consumer], self.excused[consumer] = {}, 0

    def effect(self, way, now_ms, consumers=None, text=""):
        self.effects.append(Effect(way, now_ms, consumers, text))
        return self.effects[-1]

    def allowed(self, consumer, since, until):
        o, limit, ways = self.options, self.options.tolerance * 1000 + self.late(since, until), {}
        for e in self.effects:
            if not e.touches(consumer, since, until):
                continue
            if e.way in ("mesh", "feed", "client"):
                ways[e.way] = 4 * o.heartbeat if e.way == "mesh" else o.ping * 1000
            else:  # the consumer or the whole machine stood still
                ways[e.way] = max(ways.get(e.way, 0), (e.end or until) - e.begin)
        return limit + sum(ways.values()), "+".join(sorted(ways)) or "nothing"

    def violation(self, kind, text):
        self.violations.append({"round": self.round, "kind": kind, "what": text})
        if len(self.violations) <= 40:
            print(f"  {kind}: {text}", flush=True)

    def look(self):
        for line in self.machine.lines() if self.machine is not None else ():
            sample = SAMPLE.match(line)
            if sample:
                self.machine_ages.append((int(sample[1]), int(sample[5])))
        for consumer, log in list(self.logs.items()):
            for line in log.lines():
                sample = SAMPLE.match(line)
                if sample:
                    self._sample(consumer, *sample.groups())
                elif self._late_answer(consumer, line):
                    self.excused[consumer] += 1
                elif line.startswith("WRONG"):
                    self.bad_values += 1
                    self.violation("wrong value", f"{consumer}: {line}")
                elif line.startswith("RESULT"):
                    self.results[consumer] = line
                elif line.startswith("POSTED"):
                    _, service, *values = line.split()
                    self.posted.setdefault(service, {})[consumer] = dict(v.split("=", 1) for v in values)
                elif line.startswith("MISSING"):
                    self.violation("missing at the end", f"{consumer}: {line}")

    def _late_answer(self, consumer, line):
        late = UNANSWERED.match(line)
        return late is not None and any(e.way in ("client", "itself stopped", "machine") and e.touches(consumer, int(late[1]) - ANSWER_MS, int(late[1]))
                                        for e in self.effects)

    def all_there(self, consumer):
        """At its end it had every value, and nothing wrong but answers that were late with a reason."""
        return f" missing=0 wrong={self.excused.get(consumer, 0)} " in self.results.get(consumer, "")

    def _sample(self, consumer, at, service, ok, waiting, age, item):
        at, ok, waiting, age = int(at), int(ok), int(waiting), int(age)
        self.samples += 1
        self.latest[consumer][service] = (at, ok, waiting, age)
        limit, why = self.allowed(consumer, at - age - 300, at)
        if age > self.worst.get(why, (-1,))[0]:
            self.worst[why] = (age, limit)
        if age > limit:
            self.stale += 1
            self.violation("stale as current", f"{consumer} {service}/{item}: Ok and {age} ms old at {at}; allowed were {limit:.0f} ms ({why})")
        if self.rolling is not None and service in self.rolling["services"] and consumer not in self.rolling["not"] and waiting:
            self.rolled.append(consumer)
            self.violation("suspect in an upgrade", f"{consumer} {service}: {waiting} items were not Ok at {at} while {self.rolling['hub']} was upgraded")

    def behind(self, now_ms, since_ms=0):
        """Who has not everything now, or has not said since then that it has: sentences."""
        late = []
        for consumer in self.logs:
            services = self.latest[consumer]
            if not services or min(s[0] for s in services.values()) < max(since_ms, now_ms - 1000):
                late.append(f"{consumer} says nothing")
            for service, (_, ok, waiting, age) in services.items():
                if waiting or age > CURRENT_MS:
                    late.append(f"{consumer} {service}: {waiting} of {ok + waiting} not Ok, the oldest value is {age} ms old")
        return late

    def posts(self, services, items):
        """Every consumer that came to its end has posted, got acks, and waits for no answer: two answers to one post, or one to none, are WRONG lines.
        What was posted last is what all of them show, at each item of services that have one source in the mesh."""
        for consumer, line in self.results.items():
            said = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if int(said.get("posts", 0)) == 0 or int(said.get("acks", 0)) == 0 or said.get("unanswered") != "0":
                self.violation("posts", f"{consumer}: posts={said.get('posts')} acks={said.get('acks')} unanswered={said.get('unanswered')}")

        for service in services:
            shown = self.posted.get(service, {})
            # A source that began anew has no posts of before; nobody may have posted to each of its items since.
            if shown and not any(shown.values()):
                self.violation("posted values", f"nobody shows a post of {service}")
            for consumer in sorted(set(self.results) - set(shown)):
                self.violation("posted values", f"{consumer} does not say what it shows of {service}")
            for item in map(str, range(items)):
                values = {c: v.get(item) for c, v in shown.items()}
                if len(set(values.values())) > 1:
                    self.violation("posted values", f"{service}/{item}: not the same at all consumers: {values}")

    def forget(self, before_ms):
        self.effects = [e for e in self.effects if e.end is None or e.end >= before_ms]
