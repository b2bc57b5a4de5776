#!/usr/bin/env python3
"""Kills providers, publishers, hubs and consumers at random (SIGKILL), or stops them for longer than every limit (SIGSTOP),
under load, and lets them go on.

    bench/hub_faults.py                     five minutes
    bench/hub_faults.py --seconds 600       ten: the nightly run
    bench/hub_faults.py --seconds 20        in short
    bench/hub_faults.py --lie 200           one update in 200 is wrong: the run must find it, or it proves nothing
    bench/hub_faults.py --outages 0         kills alone

Two providers serve one service for each way to use two sources, with a cache and without; two publishers serve each of the
services that show how publishers share one. Consumers watch every item of all, over RIPC, JSON and TLS; one more has two hubs, the
second of them as a warm standby, for the providers' services; two pause, resume, reissue, close and ask again. What an item must
look like follows from its sequence number, and that from the time (tools/truthfeed): consumers compare every image and update,
and tell what was marked Ok and was wrong, out of order or old. When the faults are over everybody must have the truth within
--settle seconds, and a consumer that comes then too.

Three of them post, and so does a bare JSON client in this program, which has no library that answers for a hub or hides what a
hub says twice: each post is answered once, positive or not, before its stream ends. --seed repeats a run's faults.
"""
import random
import signal
import subprocess
import sys
import time
import zlib

from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "PerfTools/scenarios"))
from bare_poster import BarePoster  # noqa: E402
from scenario import Stage, arguments, fail, free_ports, listens, main  # noqa: E402

JSON = '<ChannelType value="ChannelType::RSSL_WEBSOCKET"/><WsProtocols value="rssl.json.v2"/>'
TLS = '<ChannelType value="ChannelType::RSSL_ENCRYPTED"/><EncryptedProtocolType value="EncryptedProtocolType::RSSL_SOCKET"/><OpenSSLCAStore value="cert.pem"/>'
CONSUMERS = {"Consumer_1": "", "Consumer_Json": JSON, "Consumer_Tls": TLS, "Consumer_Standby": None,  # None: both hubs
             "Consumer_Restless": "", "Consumer_Restless_Json": JSON}
POSTERS = ("Consumer_Standby", "Consumer_Restless", "Consumer_Restless_Json")
# What the hub is told of each service: of providers, and of publishers.
INTERACTIVE = {"KEPT": {"Cache": "all"}, "PASSED": {"Cache": "none"}, "RETURNING": {"Cache": "all", "FailBack": 1},
               "BALANCED": {"Cache": "none", "SourceMode": "balanced"}, "HOT": {"Cache": "all", "SourceMode": "hot"}}
PUBLISHED = {name: {"UnknownItem": "wait", "PublisherMode": mode}
             for name, mode in (("PUBLISHED", "merge"), ("SINGLE", "single"), ("LEADING", "hot"))}
PUBLISHED["LEADING"]["ForwardPosts"] = 1
SERVICES = {name: number for number, name in enumerate([*INTERACTIVE, *PUBLISHED], 1)}
PUBLISHERS = {f"Publisher_{i}_{service}": service for i in (1, 2) for service in PUBLISHED}


def named(name, *elements):
    return f'<Name value="{name}"/>' + "".join(f'<{e} value="{v}"/>' for e, v in elements)


def service(name):
    return f"""<Service><Name value="{name}"/>
      <InfoFilter><ServiceId value="{SERVICES[name]}"/><IsSource value="1"/>
        <Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/><CapabilitiesEntry value="MMT_MARKET_BY_ORDER"/></Capabilities>
        <DictionariesUsed><DictionariesUsedEntry value="Files"/></DictionariesUsed>
        <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS></InfoFilter>
      <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter></Service>"""


def group(kind, entries, entry=None):
    """A group of the configuration; `entry` is the element of one, where it is not the group's name."""
    entry = entry or kind
    return f"<{kind}Group><{kind}List>" + "".join(f"<{entry}>{e}</{entry}>" for e in entries) + f"</{kind}List></{kind}Group>"


def certify(stage):
    """A certificate for localhost, which consumers trust."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], cwd=stage.dir, check=True, capture_output=True)


def configure(options, stage, ports):
    """`ports`: of the two providers, then of hub 1's TLS, then of hub 2 and of the hub behind: consumers, TLS, publishers, pages."""
    provider_ports, tls_port, second, behind = ports[:2], ports[2], ports[3:7], ports[7:]
    hurry = (("ReconnectMinDelay", 100), ("ReconnectMaxDelay", 500))
    patient = (("PostAckTimeout", 30000),)  # longer than what the hub gives its sources: it is the one that answers
    ping = ("ConnectionPingTimeout", options.ping * 1000)
    channel = lambda name, port, kind="": named(name, ("Host", "localhost"), ("Port", port), ping) + kind
    channels, consumers, standby = [], [], ""
    for name, kind in CONSUMERS.items():
        if kind is None:
            channels += [channel(f"{name}_{n}", port) for n, port in (("1", stage.consumer_port), ("2", second[0]))]
            standby = group("WarmStandby", [named(name, ("StartingActiveServer", f"{name}_1"), ("StandbyServerSet", f"{name}_2"))],
                            "WarmStandbyChannel")
            standby += group("WarmStandbyServerInfo", [named(f"{name}_{n}", ("Channel", f"{name}_{n}")) for n in "12"])
            consumers.append(named(name, ("WarmStandbyChannelSet", name), ("Dictionary", "Files"), *hurry, *patient))
            continue
        channels.append(channel(name, tls_port if kind is TLS else stage.consumer_port, kind))
        consumers.append(named(name, ("Channel", name), ("Dictionary", "Files"), *hurry, *patient))
    channels += [channel(name, stage.publisher_port) for name in PUBLISHERS]
    directories = [named("Interactive") + "".join(service(s) for s in INTERACTIVE)] + [named(s) + service(s) for s in PUBLISHED]
    groups = [group("Consumer", consumers), group("Channel", channels),
              group("IProvider", [named(f"Provider_{i}", ("Server", f"Provider_{i}"), ("Directory", "Interactive")) for i in (1, 2)]),
              group("NiProvider", [named(n, ("Channel", n), ("Directory", s), *hurry) for n, s in PUBLISHERS.items()]),
              group("Server", [named(f"Provider_{i}", ("Port", p), ping) for i, p in enumerate(provider_ports, 1)]), standby,
              group("Directory", directories), group("Dictionary", [named("Files", ("DictionaryType", "DictionaryType::FileDictionary"))])]
    (stage.dir / "EmaConfig.xml").write_text('<?xml version="1.0" encoding="UTF-8"?><EmaConfig>' + "".join(groups) + "</EmaConfig>")

    upstream = {f"Provider_{i}": p for i, p in enumerate(provider_ports, 1)}
    if options.behind:  # between the two: a source that stays when its feed fails
        upstream = {"Provider_1": upstream["Provider_1"], "Behind": behind[0], "Provider_2": upstream["Provider_2"]}
    services = group("Service", [named(n, *policy.items()) for n, policy in {**INTERACTIVE, **PUBLISHED}.items()])
    files = group("Dictionary", [named("Files", ("DictionaryType", "FileDictionary"))])
    secret = (("ServerType", "RSSL_ENCRYPTED"), ("ServerCert", "cert.pem"), ("ServerPrivateKey", "key.pem"))
    for hub, (consumer_port, tls, publisher_port, http_port) in (
            ("hub", (stage.consumer_port, tls_port, stage.publisher_port, stage.http_port)), ("hub_2", second), ("hub_behind", behind)):
        from_hubs = upstream
        if hub == "hub_behind":
            from_hubs = {"Provider_2": provider_ports[1]}
            services = group("Service", [named(n, ("Cache", c), ("KeepServiceUp", 1)) for n, c in zip(INTERACTIVE, ("all", "none") * 3)])
        sources = group("Source", [named(n, ("Channel", n), *hurry) for n in from_hubs])
        sources += group("Channel", [channel(n, p) for n, p in from_hubs.items()])
        servers = group("Server", [named("consumers", ("Port", consumer_port), ping), named("tls", ("Port", tls), ping, *secret),
                                   named("publishers", ("Port", publisher_port), ping)])
        (stage.dir / f"{hub}.xml").write_text(f'''<?xml version="1.0" encoding="UTF-8"?><HubConfig>
  <Hub><HttpPort value="{http_port}"/><Dictionary value="Files"/><Listeners value="consumers,tls"/><SupportStandby value="1"/>
    <PostAckTimeout value="5000"/><Threads value="{options.threads if hub == "hub" else 3}"/></Hub>
  {sources}{services}{servers}{files}</HubConfig>''')


class Cast:
    """The processes by name; each can be killed and started again, and every life has a log of its own."""

    def __init__(self, options, stage, start, end):
        self.stage, self.lives, self.running, self.kills, self.freezes = stage, {}, {}, {}, 0
        common = ["-start", start, "-end", end, "-items", options.items, "-rate", options.rate, "-imageEvery", 500]
        watching = ["-settle", options.settle, "-stale", options.stale]
        lying = ["-lieEvery", options.lie]
        self.words = {f"Provider_{i}": ["truthfeed", "provider", *common, *lying] for i in (1, 2)}
        self.words |= {n: ["truthfeed", "publisher", "-services", s, *common] for n, s in PUBLISHERS.items()}
        for name, kind in CONSUMERS.items():
            services = INTERACTIVE if kind is None else SERVICES
            self.words[name] = ["truthfeed", "consumer", *common, "-services", ",".join(services), *watching]
            self.words[name] += ["-posts", options.posts if name in POSTERS else 0, "-changes", options.changes if "Restless" in name else 0]
            self.words[name] += ["-seed", options.seed % 65536 + zlib.crc32(name.encode()) % 65536]
        self.words = {n: [*w, "-name", n] for n, w in self.words.items()}
        self.hubs = ["hub", "hub_2"] + ["hub_behind"] * options.behind
        self.words |= {h: ["emissary-hub", "-c", f"{h}.xml"] for h in self.hubs}

    def start(self, name, as_name=None):
        name_of_log = as_name or name
        self.lives[name_of_log] = self.lives.get(name_of_log, 0) + 1
        self.running[name_of_log] = self.stage.start(f"{name_of_log}-{self.lives[name_of_log]}", self.words[name], show=False)
        return self.running[name_of_log]

    def kill(self, name):
        if not self.running[name].running():
            fail(f"{name} had ended by itself (code {self.running[name].popen.returncode}); its last lines:\n{self.running[name].tail()}")
        self.running[name].kill()
        self.kills[name] = self.kills.get(name, 0) + 1

    def freeze(self, name, frozen):
        """It goes on running, and does nothing: only time tells its peers."""
        self.running[name].popen.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)
        self.freezes += frozen


def storm(options, cast, until):
    """Kills and stops, starts and lets go on until then; everybody runs at the end. A consumer is not stopped: it would say of
    itself that it is late. A hub is not stopped while a feed is: what it reads when it goes on may be as old as both stops
    together, and only the ping timeout says so."""
    rank = lambda name: "feed" if not name.startswith("hub") else "behind" if name == "hub_behind" else "hub"
    dice = random.Random(options.seed)
    back, thaw = {}, {}  # name: when it is started again, when it goes on
    strike = time.monotonic() + 1
    while time.monotonic() < until:
        now = time.monotonic()
        for name in [n for n, when in back.items() if when <= now]:
            cast.start(name)
            del back[name]
        for name in [n for n, when in thaw.items() if when <= now]:
            cast.freeze(name, False)
            del thaw[name]
        if now >= strike:
            victim = dice.choice([n for n in cast.words])
            outage, length = dice.random() < options.outages, dice.uniform(1, 3)
            if victim not in back and victim not in thaw:
                if outage and victim not in CONSUMERS and all(rank(n) == rank(victim) for n in thaw):
                    cast.freeze(victim, True)
                    thaw[victim] = now + max(options.ping, options.stale) + length
                else:
                    cast.kill(victim)
                    back[victim] = now + length / 2
            strike = now + dice.uniform(0.2, 2 * options.interval - 0.2)
        time.sleep(0.02)
    for name in thaw:
        cast.freeze(name, False)
    for name in back:
        cast.start(name)


def run(options):
    stage = Stage(options, "hub-faults")
    certify(stage)
    configure(options, stage, free_ports(11))
    now = int(time.time() * 1000)
    end = now + (options.seconds + 5) * 1000  # with what it takes until all items are there
    cast = Cast(options, stage, now - 60000, end)
    print(f"seed {options.seed}, files in {stage.dir}", flush=True)
    for name in ("Provider_1", "Provider_2", *reversed(cast.hubs), *PUBLISHERS, *CONSUMERS):
        cast.start(name)
    for name in CONSUMERS:
        consumer = cast.running[name]
        stage.until(lambda c=consumer: "all items" in c.tail(100), consumer, "all items are there at the beginning", 60)
    for log in stage.dir.glob("emaLog_*.log"):  # else a consumer is not what its name says
        refused = [x.strip() for x in log.read_text(errors="replace").splitlines() if "the default applies" in x]
        if refused:
            fail(f"EmaConfig.xml has what cannot be used: {refused[0]}")
    poster = BarePoster(stage.consumer_port, SERVICES, options.items, options.posts, options.ping, options.seed, end / 1000)
    poster.start()
    storm(options, cast, time.monotonic() + max(options.seconds / 2, end / 1000 - 1 - time.time()))
    last_start = time.time()
    print(f"{cast.freezes} outages, {sum(cast.kills.values())} kills: " + ", ".join(f"{n} {k}" for n, k in sorted(cast.kills.items())), flush=True)
    failed = []
    for name in CONSUMERS:
        try:
            cast.running[name].popen.wait(max(0, end / 1000 - time.time()) + options.settle + 30)
        except Exception:
            fail(f"{name} did not end; its last lines:\n{cast.running[name].tail()}")
        if cast.running[name].popen.returncode != 0:
            failed.append(name)
    print(f"nothing changes any more from {end / 1000 - last_start:.1f} s after the last start on")
    for name in CONSUMERS:
        late = cast.start(name, f"late-{name}")
        try:
            late.popen.wait(options.settle + 30)
        except Exception:
            fail(f"late {name} did not end; its last lines:\n{late.tail()}")
        if late.popen.returncode != 0:
            failed.append(late.name)
    for name in [*CONSUMERS, *(f"late-{n}" for n in CONSUMERS)]:
        print(f"{name}: " + next((x for x in cast.running[name].tail(60).splitlines() if x.startswith("RESULT")), "no result"))
    wrong = []
    for log in sorted(stage.dir.glob("*.log")):
        wrong += [f"{log.stem}: {line}" for line in log.read_text(errors="replace").splitlines() if line.startswith(("WRONG", "MISSING"))]
    poster.join(options.settle)
    print(f"bare JSON client: {poster.result()}")
    wrong += [f"bare JSON client: {line}" for line in poster.wrong]
    # Nobody watches any more: what is left are the publishers' items.
    published = options.items * len(PUBLISHED)
    stage.until(lambda: stage.counts().get("emissary_hub_items") == published, cast.running["hub"],
                f"{published} items are left, those of publishers", 10)
    counts = stage.counts()
    suspect = int(counts.get("emissary_hub_suspect_items", -1))
    print(f"hub: {suspect} suspect items, {int(counts.get('emissary_hub_images', -1))} images of publishers and standbys, {cast.running['hub'].resident_bytes() / 1e6:.0f} MB resident")
    if options.lie:
        if not any("check sum" in w for w in wrong):
            fail("wrong updates were sent, and nobody noticed")
        print(f"{len(wrong)} wrong values were seen, as they must be")
        return
    for hub in cast.hubs:
        cast.running[hub].popen.send_signal(signal.SIGTERM)
        if cast.running[hub].popen.wait(30) != 0:
            fail(f"{hub} did not end in order; its last lines:\n" + cast.running[hub].tail())
    print("\n".join(wrong[:40]))
    if wrong or failed or suspect != 0:
        fail(f"{len(wrong)} lines WRONG or MISSING, failed: {', '.join(failed) or 'nobody'}, {suspect} items suspect; logs in {stage.dir}")
    print("nothing that was marked Ok was wrong, and everybody has the truth")


if __name__ == "__main__":
    parser = arguments(__doc__, rate={"type": int, "default": 10, "help": "updates/s of each item (10)"},
                       interval={"type": float, "default": 1.0, "help": "mean seconds between kills (1)"},
                       settle={"type": int, "default": 10, "help": "seconds until everybody must have the truth (10)"},
                       stale={"type": int, "default": 10, "help": "an item that is marked Ok and older, in seconds, is wrong (10)"},
                       ping={"type": int, "default": 3, "help": "ping timeout of all connections, in seconds (3)"},
                       outages={"type": float, "default": 0.3, "help": "share of faults that stop a process for longer than --ping and --stale (0.3)"},
                       posts={"type": int, "default": 20, "help": "posts/s of each of the clients that post (20)"},
                       changes={"type": int, "default": 20, "help": "pauses, reissues, closes/s of each restless consumer (20)"},
                       behind={"type": int, "default": 0, "choices": (0, 1), "help": "1: a third source for all, a hub behind which is the second provider (0)"},
                       threads={"type": int, "default": 1, "help": "of the first hub; the second has 3 (1)"},
                       seed={"type": int, "default": random.SystemRandom().randrange(1 << 31), "help": "of the faults"},
                       lie={"type": int, "default": 0, "help": "one update of providers in so many is wrong"})
    parser.set_defaults(ports="free", seconds=300, items=100)
    sys.exit(main(run, parser))
