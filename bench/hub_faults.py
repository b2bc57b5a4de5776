#!/usr/bin/env python3
"""Kills providers, publishers, the hub and consumers at random (SIGKILL), under load, and starts them again.

    bench/hub_faults.py                     five minutes
    bench/hub_faults.py --seconds 20        in short
    bench/hub_faults.py --lie 200           one update in 200 is wrong: the run must find it, or it proves nothing

Two providers serve a cached and an uncached service, two publishers a third; three consumers, one of them over JSON, watch every
item of all. What an item must look like follows from its sequence number, and that from the time (tools/truthfeed): consumers
compare every image and update, and tell what was marked Ok and was wrong, out of order or old. When the faults are over
everybody must have the truth within --settle seconds, and a consumer that comes then too. --seed repeats a run's faults.
"""
import random
import signal
import sys
import time

from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "PerfTools/scenarios"))
from scenario import Stage, arguments, fail, free_ports, listens, main  # noqa: E402

CONSUMERS = {"Consumer_1": "", "Consumer_2": "", "Consumer_Json": '<ChannelType value="RSSL_WEBSOCKET"/><WsProtocols value="rssl.json.v2"/>'}
SERVICES = {"KEPT": 1, "PASSED": 2, "PUBLISHED": 3}  # with cache, without, of publishers


def named(name, *elements):
    return f'<Name value="{name}"/>' + "".join(f'<{e} value="{v}"/>' for e, v in elements)


def service(name):
    return f"""<Service><Name value="{name}"/>
      <InfoFilter><ServiceId value="{SERVICES[name]}"/><IsSource value="1"/>
        <Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/><CapabilitiesEntry value="MMT_MARKET_BY_ORDER"/></Capabilities>
        <DictionariesUsed><DictionariesUsedEntry value="Files"/></DictionariesUsed>
        <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS></InfoFilter>
      <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter></Service>"""


def configure(stage, provider_ports):
    hurry = (("ReconnectMinDelay", 100), ("ReconnectMaxDelay", 500))
    channels, lists = "", {"Consumer": "", "IProvider": "", "NiProvider": ""}
    for name, kind in CONSUMERS.items():
        channels += f'<Channel>{named(name, ("Host", "localhost"), ("Port", stage.consumer_port))}{kind}</Channel>'
        lists["Consumer"] += f'<Consumer>{named(name, ("Channel", name), ("Dictionary", "Files"), *hurry)}</Consumer>'
    servers = ""
    for i, port in enumerate(provider_ports, 1):
        servers += f'<Server>{named(f"Provider_{i}", ("Port", port))}</Server>'
        lists["IProvider"] += f'<IProvider>{named(f"Provider_{i}", ("Server", f"Provider_{i}"), ("Directory", "Interactive"))}</IProvider>'
        channels += f'<Channel>{named(f"Publisher_{i}", ("Host", "localhost"), ("Port", stage.publisher_port))}</Channel>'
        lists["NiProvider"] += f'<NiProvider>{named(f"Publisher_{i}", ("Channel", f"Publisher_{i}"), ("Directory", "Published"), *hurry)}</NiProvider>'
    (stage.dir / "EmaConfig.xml").write_text('<?xml version="1.0" encoding="UTF-8"?><EmaConfig>' + "".join(
        f"<{k}Group><{k}List>{v}</{k}List></{k}Group>" for k, v in lists.items()) + f"""
  <ChannelGroup><ChannelList>{channels}</ChannelList></ChannelGroup><ServerGroup><ServerList>{servers}</ServerList></ServerGroup>
  <DirectoryGroup><DirectoryList>
    <Directory><Name value="Interactive"/>{service("KEPT")}{service("PASSED")}</Directory>
    <Directory><Name value="Published"/>{service("PUBLISHED")}</Directory></DirectoryList></DirectoryGroup>
  <DictionaryGroup><DictionaryList><Dictionary>{named("Files", ("DictionaryType", "DictionaryType::FileDictionary"))}</Dictionary></DictionaryList></DictionaryGroup>
</EmaConfig>""")
    sources = "".join(f'<Source>{named(f"Provider_{i}", ("Channel", f"Provider_{i}"), *hurry)}</Source>' for i in (1, 2))
    upstream = "".join(f'<Channel>{named(f"Provider_{i}", ("Host", "localhost"), ("Port", p))}</Channel>' for i, p in enumerate(provider_ports, 1))
    (stage.dir / "HubConfig.xml").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<HubConfig>
  <Hub><HttpPort value="{stage.http_port}"/><Dictionary value="Files"/></Hub>
  <SourceGroup><SourceList>{sources}</SourceList></SourceGroup><ChannelGroup><ChannelList>{upstream}</ChannelList></ChannelGroup>
  <ServiceGroup><ServiceList>
    <Service>{named("KEPT", ("Cache", "all"))}</Service><Service>{named("PASSED", ("Cache", "none"))}</Service>
    <Service>{named("PUBLISHED", ("UnknownItem", "wait"))}</Service>
  </ServiceList></ServiceGroup>
  <ServerGroup><ServerList><Server>{named("consumers", ("Port", stage.consumer_port))}</Server>
    <Server>{named("publishers", ("Port", stage.publisher_port))}</Server></ServerList></ServerGroup>
  <DictionaryGroup><DictionaryList><Dictionary>{named("Files", ("DictionaryType", "FileDictionary"))}</Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>
""")


class Cast:
    """The processes by name; each can be killed and started again, and every life has a log of its own."""

    def __init__(self, options, stage, start, end):
        self.stage, self.lives, self.running, self.kills = stage, {}, {}, {}
        common = ["-start", start, "-end", end, "-items", options.items, "-rate", options.rate]
        watching = ["-services", ",".join(SERVICES), "-settle", options.settle, "-stale", options.stale]
        lying = ["-lieEvery", options.lie]
        self.words = {"Provider_1": ["truthfeed", "provider", *common, *lying], "Provider_2": ["truthfeed", "provider", *common, *lying],
                      "Publisher_1": ["truthfeed", "publisher", "-services", "PUBLISHED", *common],
                      "Publisher_2": ["truthfeed", "publisher", "-services", "PUBLISHED", *common],
                      **{c: ["truthfeed", "consumer", *common, *watching] for c in CONSUMERS}}
        self.words = {n: [*w, "-name", n] for n, w in self.words.items()}
        self.words["hub"] = ["emissary-hub", "-c", "HubConfig.xml"]

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


def storm(options, cast, until):
    """Kills and starts until then; everybody runs at the end."""
    dice = random.Random(options.seed)
    back = {}  # name: when it is started again
    strike = time.monotonic() + 1
    while time.monotonic() < until:
        now = time.monotonic()
        for name in [n for n, when in back.items() if when <= now]:
            cast.start(name)
            del back[name]
        if now >= strike:
            victim = dice.choice([n for n in cast.words])
            if victim not in back:
                cast.kill(victim)
                back[victim] = now + dice.uniform(0, 1.5)
            strike = now + dice.uniform(0.2, 2 * options.interval - 0.2)
        time.sleep(0.02)
    for name in back:
        cast.start(name)


def run(options):
    stage = Stage(options, "hub-faults")
    provider_ports = free_ports(2)
    configure(stage, provider_ports)
    now = int(time.time() * 1000)
    end = now + (options.seconds + 5) * 1000  # with what it takes until all items are there
    cast = Cast(options, stage, now - 60000, end)
    print(f"seed {options.seed}, files in {stage.dir}", flush=True)
    for name in ("Provider_1", "Provider_2", "hub", "Publisher_1", "Publisher_2", *CONSUMERS):
        cast.start(name)
    for name in CONSUMERS:
        consumer = cast.running[name]
        stage.until(lambda c=consumer: "all items" in c.tail(100), consumer, "all items are there at the beginning", 60)
    storm(options, cast, time.monotonic() + max(options.seconds / 2, end / 1000 - 1 - time.time()))
    last_start = time.time()
    print(f"{sum(cast.kills.values())} kills: " + ", ".join(f"{n} {k}" for n, k in sorted(cast.kills.items())), flush=True)
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
    # Nobody watches any more: what is left are the publishers' items.
    stage.until(lambda: stage.counts().get("emissary_hub_items") == options.items, cast.running["hub"],
                f"{options.items} items are left, those of publishers", 10)
    counts = stage.counts()
    suspect = int(counts.get("emissary_hub_suspect_items", -1))
    print(f"hub: {suspect} suspect items, {int(counts.get('emissary_hub_images', -1))} images of publishers and standbys, {cast.running['hub'].resident_bytes() / 1e6:.0f} MB resident")
    if options.lie:
        if not any("check sum" in w for w in wrong):
            fail("wrong updates were sent, and nobody noticed")
        print(f"{len(wrong)} wrong values were seen, as they must be")
        return
    cast.running["hub"].popen.send_signal(signal.SIGTERM)
    if cast.running["hub"].popen.wait(30) != 0:
        fail("the hub did not end in order; its last lines:\n" + cast.running["hub"].tail())
    print("\n".join(wrong[:40]))
    if wrong or failed or suspect != 0:
        fail(f"{len(wrong)} lines WRONG or MISSING, failed: {', '.join(failed) or 'nobody'}, {suspect} items suspect; logs in {stage.dir}")
    print("nothing that was marked Ok was wrong, and everybody has the truth")


if __name__ == "__main__":
    parser = arguments(__doc__, rate={"type": int, "default": 10, "help": "updates/s of each item (10)"},
                       interval={"type": float, "default": 1.0, "help": "mean seconds between kills (1)"},
                       settle={"type": int, "default": 10, "help": "seconds until everybody must have the truth (10)"},
                       stale={"type": int, "default": 10, "help": "an item that is marked Ok and older, in seconds, is wrong (10)"},
                       seed={"type": int, "default": random.SystemRandom().randrange(1 << 31), "help": "of the faults"},
                       lie={"type": int, "default": 0, "help": "one update of providers in so many is wrong"})
    parser.set_defaults(ports="free", seconds=300, items=100)
    sys.exit(main(run, parser))
