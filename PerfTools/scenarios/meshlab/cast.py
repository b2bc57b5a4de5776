"""Who is on the stage of the mesh scenario: NATS servers, hubs, their feeds and consumers, the relay between all of them; each can be
killed, stopped and cut off."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

from scenario import fail, listens

SERVICES = ("PAIR", "ALONE", "PUBLISHED")
# Who has the source of what. PAIR and PUBLISHED have two owners in the mesh, ALONE has one.
PROVIDERS = {"provider_1": ("hub_1", "PAIR"), "provider_2": ("hub_2", "PAIR"), "provider_3": ("hub_3", "ALONE")}
PUBLISHERS = {"publisher_3": "hub_3", "publisher_4": "hub_4"}
HUBS = tuple(f"hub_{i}" for i in range(1, 6))
NATS = tuple(f"nats_{i}" for i in range(1, 4))
CONSUMERS = {f"consumer_{i}": f"hub_{i}" for i in range(1, 6)}
# A feed and a consumer with nothing in between and never touched: how late they are, the machine is.
MACHINE_FEED, MACHINE = "machine_feed", "machine"
JSON = ("consumer_2", "consumer_5")  # the others are RIPC
# After the end, for the last values; posts that no source answers are answered by their hub after 12 s.
SETTLE, SETTLE_POSTS = 10, 17
DISK_BYTES = 512 * 1024
AUDIT_BYTES = 600  # a post in the audit log of its hub, with room
EXPORTS = {"hub_1": ["PAIR"], "hub_2": ["PAIR"], "hub_3": ["ALONE", "PUBLISHED"], "hub_4": ["PUBLISHED"], "hub_5": []}
# Every hub imports every service: the mesh serves what its own source or publishers do not have (PUBLISHED at hub_3 and hub_4).
IMPORTS = dict.fromkeys(HUBS, list(SERVICES))


def settle(options):
    return SETTLE_POSTS if options.posts else SETTLE


def named(name, *elements):
    return f'<Name value="{name}"/>' + "".join(f'<{e} value="{v}"/>' for e, v in elements)


def group(kind, entries):
    return f"<{kind}Group><{kind}List>" + "".join(f"<{kind}>{e}</{kind}>" for e in entries) + f"</{kind}List></{kind}Group>" if entries else ""


def service(name):
    return f"""<Service><Name value="{name}"/>
      <InfoFilter><ServiceId value="{SERVICES.index(name) + 1}"/><IsSource value="1"/>
        <Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/><CapabilitiesEntry value="MMT_MARKET_BY_ORDER"/></Capabilities>
        <DictionariesUsed><DictionariesUsedEntry value="Files"/></DictionariesUsed>
        <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS></InfoFilter>
      <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter></Service>"""


def own_ports(count):
    """Ports in a row that nobody uses now, that the system gives to no connection while their owner is away, and no other run takes: it
    listens at the first of them as long as this one goes on."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as f:
        ephemeral = int(f.read().split()[0])
    blocks = list(range(min(10_000, ephemeral // 2), ephemeral - count, count + 1))
    for first in random.sample(blocks, len(blocks)):
        held = socket.socket()
        try:
            held.bind(("127.0.0.1", first))
            held.listen()
            for port in range(first + 1, first + 1 + count):
                with socket.socket() as s:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    s.bind(("", port))
            return held, list(range(first + 1, first + 1 + count))
        except OSError:
            held.close()
    fail(f"there are no {count} free ports in a row")


class Relay:
    """relay.py as a process; `ports`: what to connect to, by link; `targets`: where it goes."""

    def __init__(self, stage, targets, ports):
        self.ports = ports
        words = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "relay.py")]
        words += [f"{name}={self.ports[name]}:{target}" for name, target in targets.items()]
        # A session of its own: Ctrl-C is for the scenario, which judges what has come up to then.
        self.popen = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=stage.dir, start_new_session=True)
        if self.popen.stdout.readline() != "ready\n":
            fail("the relay did not start")

    def change(self, link, mode):
        self.popen.stdin.write(f"{link} {mode}\n")
        self.popen.stdin.flush()
        if self.popen.stdout.readline() != "done\n":
            fail("the relay has ended")

    def end(self):
        self.popen.kill()
        self.popen.wait()


class Disks:
    """Where hubs write: a small file system for each, if there may be one."""

    def __init__(self, folder, posts):
        """`posts`: as many go over a hub in the whole run; without room for their lines in the audit log its disk would be full for good."""
        self.folder, self.small = folder, True
        for hub in HUBS:
            (folder / hub).mkdir(parents=True, exist_ok=True)
            made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES + posts * AUDIT_BYTES}", "tmpfs", folder / hub], capture_output=True, check=False)
            self.small = self.small and made.returncode == 0

    def fill(self, hub):
        with open(self.folder / hub / "ballast", "wb", buffering=0) as f:
            try:
                while True:
                    f.write(bytes(4096))
            except OSError:
                pass

    def empty(self, hub):
        (self.folder / hub / "ballast").unlink(missing_ok=True)

    def end(self):
        for hub in HUBS:
            subprocess.run(["umount", "-l", self.folder / hub], capture_output=True, check=False)


class Clocks:
    """The time of day of each hub, which can be stepped while it runs, if there is a compiler for clock.c."""

    def __init__(self, folder):
        self.folder, self.library, self.why = folder, folder / "clock.so", ""
        folder.mkdir()
        for hub in HUBS:
            self.step(hub, 0)
        compiler = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
        if compiler is None:
            self.why = "there is no C compiler (cc, gcc or clang)"
            return
        made = subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, pathlib.Path(__file__).resolve().parent / "clock.c", "-ldl"],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            self.why = f"clock.c cannot be built: {made.stderr.strip()}"
            return
        # A shim that has no effect would let the run pass for nothing.
        self.step(HUBS[0], -3600)
        said = subprocess.run([*self.words(HUBS[0]), sys.executable, "-c", "import time; print(time.time())"], capture_output=True, text=True, check=False).stdout
        self.step(HUBS[0], 0)
        if not said or abs(float(said) + 3600 - time.time()) > 60:
            self.why = f"clock.c has no effect here ({said.strip() or 'no answer'})"

    def step(self, hub, seconds):
        """From now on the hub's time of day is so far ahead of the machine's."""
        file = os.open(self.folder / hub, os.O_RDWR | os.O_CREAT, 0o644)
        os.pwrite(file, int(seconds * 1e9).to_bytes(8, sys.byteorder, signed=True), 0)
        os.close(file)

    def words(self, hub):
        return [] if self.why else ["/usr/bin/env", f"LD_PRELOAD={self.library}", f"EMISSARY_CLOCK_STEP={self.folder / hub}"]


class Cast:
    """Everybody by name. Lives are numbered, and each has a log of its own."""

    def __init__(self, options, stage, start_ms, end_ms):
        self.options, self.stage, self.lives, self.running, self.stopped = options, stage, {}, {}, set()
        if shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin") is None:
            fail("nats-server is not there: install the package nats-server (apt-get install nats-server)")
        self.nats_server = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin")
        names = [*PROVIDERS, *HUBS, *(f"{h}.publishers" for h in HUBS), *(f"{h}.pages" for h in HUBS), *NATS, *(f"{n}.routes" for n in NATS), MACHINE_FEED]
        self.held, free = own_ports(100)
        self.ports = dict(zip(names, free))
        targets = {f"{h}-{n}": self.ports[n] for h in HUBS for n in NATS}
        targets |= {f"{a}-{b}": self.ports[f"{b}.routes"] for i, a in enumerate(NATS) for b in NATS[:i]}
        targets |= {f"{h}-{p}": self.ports[p] for p, (h, _) in PROVIDERS.items()}
        targets |= {f"{p}-{h}": self.ports[f"{h}.publishers"] for p, h in PUBLISHERS.items()}
        targets |= {f"{c}-{h}": self.ports[h] for c, h in CONSUMERS.items()}
        self.targets = targets
        self.relay = Relay(stage, targets, dict(zip(targets, free[len(names):])))
        self.disks = Disks(stage.dir / "disk", options.posts * (end_ms - start_ms) // 1000)
        self.clocks = Clocks(stage.dir / "clocks")
        self._configure()
        feed = ["-start", start_ms, "-end", end_ms, "-items", options.items, "-rate", options.rate, "-imageEvery", 500]
        self.words = {n: [self.nats_server, "-c", f"{n}.conf"] for n in NATS}
        self.words |= {h: [*self.clocks.words(h), stage.bin / "emissary-hub", "-c", f"{h}.xml"] for h in HUBS}
        self.words |= {p: ["truthfeed", "provider", "-name", p, *feed, "-lieEvery", options.lie, "-showPosts", 1] for p in PROVIDERS}
        self.words |= {p: ["truthfeed", "publisher", "-name", p, "-services", "PUBLISHED", *feed] for p in PUBLISHERS}
        # Ages are judged here: what is allowed depends on what was done.
        self.words |= {c: ["truthfeed", "consumer", "-name", c, "-services", ",".join(SERVICES), *feed, "-stale", 100_000, "-settle", settle(options), "-samples", 200, "-posts", options.posts]
                       for c in CONSUMERS}
        self.words[MACHINE_FEED] = ["truthfeed", "provider", "-name", MACHINE_FEED, *feed]
        # It ends last: when it says nothing any more, the machine counts as standing still, which excuses everybody.
        self.words[MACHINE] = ["truthfeed", "consumer", "-name", MACHINE, "-services", "PAIR", *feed, "-stale", 100_000, "-settle", settle(options) + 5, "-samples", 100]

    def _configure(self):
        o, ports, stage = self.options, self.ports, self.stage
        for i, n in enumerate(NATS):
            routes = ", ".join(f'"nats-route://127.0.0.1:{self.relay.ports[f"{n}-{m}"]}"' for m in NATS[:i])
            # Servers tell each other where they are, past the relay: nobody listens at what they say.
            (stage.dir / f"{n}.conf").write_text(f"""server_name: {n}
listen: "127.0.0.1:{ports[n]}"
ping_interval: "2s"
cluster {{ name: mesh, listen: "127.0.0.1:{ports[f"{n}.routes"]}", advertise: "127.0.0.1:1", no_advertise: true, routes: [{routes}] }}
""")
        hurry = (("ReconnectMinDelay", 100), ("ReconnectMaxDelay", 500))
        ping = ("ConnectionPingTimeout", o.ping * 1000)
        files = group("Dictionary", [named("Files", ("DictionaryType", "FileDictionary"))])
        for i, h in enumerate(HUBS):
            sources = [p for p, (hub, _) in PROVIDERS.items() if hub == h]
            upstream = group("Source", [named(p, ("Channel", p), *hurry) for p in sources])
            upstream += group("Channel", [named(p, ("Host", "localhost"), ("Port", self.relay.ports[f"{h}-{p}"]), ping) for p in sources])
            # A consumer that is behind would get updates joined; here each must come.
            services = group("Service", [named(s, ("Cache", "all"), ("Conflation", "none"), *([("UnknownItem", "wait"), ("PublisherMode", "merge")] if s == "PUBLISHED" else []))
                                         for s in SERVICES])
            servers = group("Server", [named("consumers", ("Port", ports[h]), ping), named("publishers", ("Port", ports[f"{h}.publishers"]), ping)])
            urls = ",".join(f"nats://127.0.0.1:{self.relay.ports[f'{h}-{n}']}" for n in NATS[i % 3:] + NATS[:i % 3])
            given = f'<Export value="{",".join(EXPORTS[h])}"/>' if EXPORTS[h] else ""
            (stage.dir / f"{h}.xml").write_text(f"""<?xml version="1.0" encoding="UTF-8"?><HubConfig>
  <Hub><Name value="{h}"/><HttpPort value="{ports[f"{h}.pages"]}"/><Dictionary value="Files"/><Threads value="{1 + 2 * (i % 2)}"/>
    <DrainTimeout value="{o.drain}"/><AuditFolder value="disk/{h}"/></Hub>
  <Mesh><Servers value="{urls}"/>{given}<Import value="{",".join(IMPORTS[h])}"/><HeartbeatMs value="{o.heartbeat}"/><EpochFile value="disk/{h}/epoch"/></Mesh>
  {upstream}{services}{servers}{files}</HubConfig>""")
        kind = '<ChannelType value="ChannelType::RSSL_WEBSOCKET"/><WsProtocols value="rssl.json.v2"/>'
        channels = [named(c, ("Host", "localhost"), ("Port", self.relay.ports[f"{c}-{h}"]), ping) + (kind if c in JSON else "") for c, h in CONSUMERS.items()]
        channels += [named(p, ("Host", "localhost"), ("Port", self.relay.ports[f"{p}-{h}"]), ping) for p, h in PUBLISHERS.items()]
        channels.append(named(MACHINE, ("Host", "localhost"), ("Port", ports[MACHINE_FEED])))
        directories = {s: named(s) + service(s) for s in SERVICES}
        groups = [group("Consumer", [named(c, ("Channel", c), ("Dictionary", "Files"), *hurry) for c in (*CONSUMERS, MACHINE)]), group("Channel", channels),
                  group("IProvider", [named(p, ("Server", p), ("Directory", s)) for p, s in [*((p, s) for p, (_, s) in PROVIDERS.items()), (MACHINE_FEED, "PAIR")]]),
                  group("NiProvider", [named(p, ("Channel", p), ("Directory", "PUBLISHED"), *hurry) for p in PUBLISHERS]),
                  group("Server", [named(p, ("Port", ports[p]), ping) for p in (*PROVIDERS, MACHINE_FEED)]),
                  "<DirectoryGroup><DirectoryList>" + "".join(f"<Directory>{d}</Directory>" for d in directories.values()) + "</DirectoryList></DirectoryGroup>",
                  group("Dictionary", [named("Files", ("DictionaryType", "DictionaryType::FileDictionary"))])]
        (stage.dir / "EmaConfig.xml").write_text('<?xml version="1.0" encoding="UTF-8"?><EmaConfig>' + "".join(groups) + "</EmaConfig>")

    # --- what can be done to them
    def start(self, name):
        self.lives[name] = self.lives.get(name, 0) + 1
        self.running[name] = self.stage.start(f"{name}-{self.lives[name]}", self.words[name], show=False)
        return self.running[name]

    def kill(self, name):
        self.running[name].kill()
        self.stopped.discard(name)

    def stop(self, name, stopped):
        self.running[name].popen.send_signal(signal.SIGSTOP if stopped else signal.SIGCONT)
        (self.stopped.add if stopped else self.stopped.discard)(name)

    def lose_epoch(self, hub):
        """The file that keeps epochs rising is gone; the hub must not run."""
        (self.stage.dir / "disk" / hub / "epoch").unlink(missing_ok=True)

    def listening(self, hub):
        return listens(self.ports[hub]) and listens(self.ports[f"{hub}.pages"])

    def mesh_page(self, hub):
        """/meshz of the hub, or None while it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[f'{hub}.pages']}/meshz", timeout=5) as r:
                return json.load(r)
        except (OSError, ValueError):
            return None

    def start_all(self):
        for name in (*NATS, *PROVIDERS, MACHINE_FEED, *HUBS):
            self.start(name)
        for h in HUBS:
            self.stage.until(lambda hub=h: self.listening(hub), self.running[h], f"{h} listens", 30)
        for name in (*PUBLISHERS, *CONSUMERS, MACHINE):
            self.start(name)

    def ended_by_themselves(self):
        return [n for n, p in self.running.items() if n not in self.stopped and not p.running()]

    def end(self):
        for name in list(self.stopped):
            if self.running[name].running():
                self.stop(name, False)
        for process in reversed(list(self.running.values())):  # all at once, so that the end does not take long
            if process.running():
                process.popen.send_signal(signal.SIGTERM)
        until = time.monotonic() + self.options.drain + 5
        for process in self.running.values():
            try:
                process.popen.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.popen.kill()
        self.stage.end()
        self.relay.end()
        self.disks.end()
