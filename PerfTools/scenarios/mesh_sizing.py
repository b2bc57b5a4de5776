#!/usr/bin/env python3
"""What a mesh of hubs needs: processors, network and memory of owners, NATS servers and edge hubs, for a number of edges.

    PerfTools/scenarios/mesh_sizing.py                           ten, a hundred and a thousand edges of the defaults below
    PerfTools/scenarios/mesh_sizing.py --edges 25 --updates 300000 --share 0.2 --clients 2000
    PerfTools/scenarios/mesh_sizing.py --costs                   what the model is fed with, and where it was measured
    PerfTools/scenarios/mesh_sizing.py --cost edge_in=180        the same with a cost that you have measured
    PerfTools/scenarios/mesh_sizing.py --page                    docs/mesh-sizing.md

It calculates and measures nothing. The rules are those of docs/spec/hub.md 12: an item that fewer than --wide-at edges want goes to each of
them in a lane of its own, from there on once into one of --wide-lanes wide lanes, which every edge with an item of it gets whole. A mesh has 64
hubs at most; where more edges are asked for, there are several meshes, and each has owners of its own.
"""
import argparse
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_HUBS = 64          # of one mesh: docs/spec/hub.md 12.2
FRAME_HEADER = 32       # 12.3
RECORD = 12 + 4         # a record's header, and the length in front of a message (12.7)
BATCH_BYTES = 32 * 1024
WIDE_AT = 3             # 12.2
BATCH_SECONDS = 500e-6  # behind the first record

# Beside the page, not beside this script.
NOTEBOOK, PROTOCOL = "measurements/0.3.0" + ".md", "spec/hub" + ".md"
# name: (value, unit, what, where it was measured)
COSTS = {
    "source_in": (390, "ns an update", "owner: an update of 23 fields from its source into the cache", "bench/hub.py: cached updates"),
    "owner_out": (144, "ns a record", "owner: a record into a lane, and its share of a frame to NATS", "hub_mesh_bench"),
    "edge_in": (147, "ns a record", "edge: a record from NATS, its proof looked at, handed on", "hub_mesh_bench"),
    "edge_apply": (390, "ns an update", "edge: the update into its own cache, for clients that come later", "bench/hub.py: cached updates"),
    "rwf_out": (112, "ns a message", "edge: one RIPC client, several messages leave together", "hub_fanout_bench 100 40 0.5"),
    "text_out": (3500, "ns a message", "edge: one WebSocket client, each message leaves alone", "web/w1.py: 500 clients at 100 a second"),
    "text_out_many": (850, "ns a message", "edge: the same, ten messages leave together", "web/w6.py: 100 clients at 10,000 a second"),
    "nats_byte": (0.75, "ns a byte", "NATS server: a byte in or out in full frames; small ones cost more (2,000 frames of 8 KB a second: 0.16 cores)", "/proc beside hub_mesh_bench"),
    "interest": (105_000, "items a second", "edge: items asked for, images of 450 bytes come", "hub_mesh_bench"),
    "resync": (196_000, "items a second", "edge: items whose version is compared after a loss", "hub_mesh_bench"),
    "image": (1340, "bytes an item", "owner and edge: an image of 70 fields and its item", "bench/hub.py: a million items"),
    "client": (16_000, "bytes a client", "edge: a connection that reads what it is sent", "bench/hub.py: 5,000 connections"),
    "client_slow": (80 * 1024, "bytes a client", "edge: full input and output buffers, the worst that is planned for", "docs/spec/hub.md 12"),
}


def binomial(n, p):
    """P(K = k) for k = 0 .. n: how many of n edges want an item that each wants with probability p."""
    if p in (0, 1):
        return [float(k == n * p) for k in range(n + 1)]
    return [math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p))
            for k in range(n + 1)]


def frames_of(messages, message_bytes):
    """Frames a second of one lane: full ones, or one for what came in 500 us."""
    if messages <= 0:
        return 0.0
    full = messages * message_bytes / BATCH_BYTES
    return max(full, 1 / (BATCH_SECONDS + 1 / messages))


class Mesh:
    """One mesh of `edges` edge hubs. All rates are a second, all sizes bytes, all processor times cores."""

    def __init__(self, o, edges, cost):
        self.o, self.edges, self.cost = o, edges, cost
        record = o.bytes + RECORD
        wanted = self._wanted(edges)
        wide = sum(wanted[o.wide_at:])
        alone = sum(k * part for k, part in enumerate(wanted[:o.wide_at]))
        self.wide, self.unicast = o.updates * wide, o.updates * alone   # records into lanes
        self.out_bytes = (self.wide + self.unicast) * record
        lane_bytes = self.wide / o.wide_lanes
        self.out_frames = (o.wide_lanes * frames_of(lane_bytes, record) if wide else 0) + edges * frames_of(self.unicast / edges, record)
        # An edge gets every wide lane that has an item of its own whole.
        own_wide = o.items * o.share * (wide and self._wide_given_mine(edges)) / o.wide_lanes
        self.joined = 1 - math.exp(-own_wide) if wide else 0.0
        self.in_messages = self.wide * self.joined + self.unicast / edges
        self.in_bytes = self.in_messages * record
        self.useful = o.updates * o.share / self.in_messages if self.in_messages else 1.0
        # Of the servers: what the owner gives once goes to the other servers that have an edge for it, and to each edge.
        routes = (o.servers - 1) * self.wide * self.joined * record + self.unicast * record * (o.servers - 1) / o.servers
        self.servers_out = edges * self.in_bytes + routes
        self.servers_cores = (self.out_bytes + routes + self.servers_out) * cost["nats_byte"] / 1e9
        self.owner_cores = (o.updates * cost["source_in"] + (self.wide + self.unicast) * cost["owner_out"]) / 1e9
        self.delivered = o.clients * o.per_client * o.client_rate
        text = cost["text_out"] if o.per_client * o.client_rate < 1000 else cost["text_out_many"]
        self.edge_cores = (self.in_messages * cost["edge_in"] + o.updates * o.share * cost["edge_apply"]
                           + self.delivered * (text if o.clients_are == "web" else cost["rwf_out"])) / 1e9
        self.edge_out_bytes = self.delivered * o.text_bytes
        mine = o.items * o.share
        self.edge_memory = mine * cost["image"] + o.clients * cost["client"]
        self.edge_memory_worst = mine * cost["image"] + o.clients * cost["client_slow"]
        self.owner_memory = o.items * cost["image"]
        self.interest_seconds = mine / cost["interest"]
        self.resync_seconds = mine / cost["resync"]

    def _wanted(self, edges):
        """How many of the edges want an item: P(K = k)."""
        o = self.o
        if o.overlap == "same":          # all have the same items
            return [1 - o.share] + [0.0] * (edges - 1) + [o.share]
        if o.overlap == "apart":         # as few as can be have the same
            mean = edges * o.share
            low = math.floor(mean)
            parts = [0.0] * (edges + 1)
            parts[low] = low + 1 - mean
            if low < edges:
                parts[low + 1] = mean - low
            return parts
        return binomial(edges, o.share)  # each chooses for itself

    def _wide_given_mine(self, edges):
        """The part of an edge's own items that are in wide lanes."""
        wanted = self._wanted(edges)
        mine = sum(k * part for k, part in enumerate(wanted))
        return sum(k * part for k, part in enumerate(wanted) if k >= self.o.wide_at) / mine if mine else 0.0


class Plan:
    """So many edges, in as many meshes as they need."""

    def __init__(self, o, edges, cost):
        self.edges = edges
        self.meshes = math.ceil(edges / (MOST_HUBS - o.owners))
        self.mesh = Mesh(o, math.ceil(edges / self.meshes), cost)
        self.o = o

    def rows(self):
        m, o = self.mesh, self.o
        link = o.network * 1e9 / 8
        servers = max(o.servers, math.ceil(m.servers_out / (link * 0.7)))
        return [
            ("edges", f"{self.edges:,}"),
            ("meshes of 64 hubs at most", f"{self.meshes}, {o.owners} owners each"),
            ("records of an owner into lanes", f"{rate(m.wide)} wide, {rate(m.unicast)} for one edge"),
            ("owner to NATS", f"{bits(m.out_bytes)}, {m.out_frames:,.0f} frames/s"),
            ("owner", f"{m.owner_cores:.2f} cores, {size(m.owner_memory)}"),
            ("NATS servers of a mesh, out", f"{bits(m.servers_out)}: {servers} of {o.network:g} Gb/s at 70 %, {m.servers_cores:.2f} cores in all"),
            ("an edge gets", f"{rate(m.in_messages)}, {bits(m.in_bytes)}, {m.useful * 100:.0f} % of it for items of its own"),
            ("an edge gives", f"{rate(m.delivered)}, {bits(m.edge_out_bytes)}"),
            ("an edge", f"{m.edge_cores:.2f} cores, {size(m.edge_memory)}; {size(m.edge_memory_worst)} with all buffers full"),
            ("a cold edge has its items after", f"{m.interest_seconds:.1f} s"),
            ("a lost lane is checked in", f"{m.resync_seconds:.1f} s"),
            ("all clients", f"{self.edges * o.clients:,}, {rate(self.edges * m.delivered)}, {bits(self.edges * m.edge_out_bytes)}"),
        ]


def rate(v):
    return f"{v / 1e6:.2f} M/s" if v >= 1e6 else f"{v:,.0f}/s"


def bits(v):
    return f"{v * 8 / 1e9:.2f} Gb/s" if v * 8 >= 1e9 else f"{v * 8 / 1e6:.1f} Mb/s"


def size(v):
    return f"{v / 1e9:.2f} GB" if v >= 1e9 else f"{v / 1e6:.1f} MB"


def bucket_factor(items, share, buckets):
    """With subjects by hash: how many times the updates of its own items an edge would get."""
    return (1 - (1 - share) ** (items / buckets)) / share


def aligned(rows):
    width = max(len(name) for name, *_ in rows)
    columns = [max(len(str(row[i])) for row in rows) for i in range(1, len(rows[0]))]
    return "\n".join("  ".join([row[0].ljust(width), *(str(v).ljust(w) for v, w in zip(row[1:], columns))]).rstrip() for row in rows)


def markdown(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)])


def table_of(o, cost, many):
    plans = [Plan(o, n, cost).rows() for n in many]
    return [(names[0][0], *(value for _, value in names)) for names in zip(*plans)]


def checks(o, cost):
    """The table that the protocol was planned with, beside this model: (quantity, planned, model)."""
    def plan(edges, **other):
        return Plan(argparse.Namespace(**{**vars(o), **other}), edges, cost).mesh

    base = {"updates": 1_000_000, "bytes": 145, "items": 1_000_000, "servers": 3, "owners": 1}
    full = plan(7, share=1.0, overlap="same", **base)
    one = plan(1, share=0.01, overlap="apart", **base)
    edge = plan(1, share=0.01, clients=20_000, per_client=20, client_rate=5, text_bytes=180, **base)
    cold = plan(1, share=1.0, overlap="same", **base)
    lane = plan(1, share=0.1, overlap="same", **base)
    return [
        ("owner to NATS, 1 M updates/s of 145 bytes", "157 MB/s, 4,800 frames/s",
         f"{full.out_bytes / 1e6:.0f} MB/s, {full.out_frames:,.0f} frames/s: four bytes more a record, the length of its message"),
        ("servers to 7 hubs that want everything", "1.1 GB/s, and a copy a route", f"{7 * full.in_bytes / 1e9:.2f} GB/s, {full.servers_out / 1e9:.2f} with routes of three servers"),
        ("a hub that wants 1 % of 1 M items", "1.6 MB/s; 14 times that with 65,536 buckets, 91 times with 4,096",
         f"{one.in_bytes / 1e6:.1f} MB/s; {bucket_factor(1e6, 0.01, 65_536):.0f} and {bucket_factor(1e6, 0.01, 4096):.0f} times"),
        ("interest of 1 M items, cold hub", "20 s", f"{cold.interest_seconds:.1f} s"),
        ("100,000 items after a lost lane", "0.8 MB of requests", f"{lane.o.items * lane.o.share * 16 / 1e6:.1f} MB, {lane.resync_seconds:.2f} s"),
        ("20,000 WebSocket clients with 20 items, 5 updates/s each", "2 M messages/s, 2.9 Gb/s",
         f"{edge.delivered / 1e6:.0f} M/s, {bits(edge.edge_out_bytes)}, {edge.edge_cores:.1f} cores"),
        ("1 M clients", "50 edges, 145 Gb/s out", f"50 edges, {50 * edge.edge_out_bytes * 8 / 1e9:.0f} Gb/s"),
        ("20,000 clients by memory, at worst", "1.7 GB", f"{size(20_000 * cost['client_slow'])} and the images of their items"),
    ]


def page(o, cost):
    many = (10, 100, 1000)
    others = [("random", "each edge chooses for itself"), ("same", "all edges want the same items")]
    text = [f"""# Sizing a mesh of hubs

This page is written by `PerfTools/scenarios/mesh_sizing.py --page > docs/mesh-sizing.md`; a test compares it with the program. It is calculated:
costs that were measured (the last table), and the rules of [the protocol]({PROTOCOL}#12-backbone). Nobody has run a hundred edges.
Run the program with your own numbers: `mesh_sizing.py --help`.

{o.updates:,} updates/s of {o.bytes} bytes, {o.items:,} items at an owner, of which an edge wants {o.share * 100:g} %, and {o.clients:,} WebSocket clients an edge with {o.per_client} items that
have {o.client_rate:g} updates/s each, texts of {o.text_bytes} bytes; {o.servers} NATS servers."""]
    for overlap, what in others:
        rows = table_of(argparse.Namespace(**{**vars(o), "overlap": overlap}), cost, many)
        text.append(f"## When {what}\n\n" + markdown(["", *("" for _ in many)], rows))
    text.append("""## What follows

- **A mesh ends at 64 hubs.** Owners know who wants an item by a mask of 64 bits. More edges are more meshes, each with owners that have connections
  of their own to the sources; or a second row: a hub behind an edge that takes it for a source (`Source`), over RIPC and without NATS.
- **Clients decide, not the mesh.** Nearly all of an edge's processor time is what it sends to its clients: `Threads` of an edge follow from the
  row "an edge gives". A hub with one owner thread takes in about 1.3 million cached updates/s.
- **What few want is cheap; what many want goes to all.** An item in a wide lane reaches every edge that has any item of that lane. With 16 lanes that is
  every wide item. Where the row "an edge gets" shows a small part of its own, raise `WideLanes` on all hubs: with as many lanes as items
  an edge gets its own alone, and NATS has more, smaller frames.
- **Time to be current** is bounded by requests: `RequestRate` of the mesh is 100,000 items a second.
- Between regions, conflate at the hub that exports: 200,000 active items at 3 quotes a second are 0.6 M/s at most, whatever the market does.""")
    text.append("## The table that the protocol was planned with\n\n" + markdown(["quantity", "planned", "this model"], checks(o, cost)))
    text.append("## Costs\n\nOf two quiet cores of a virtual machine (Intel Xeon); the notebook has the runs: [measurements](" + NOTEBOOK + ").\n\n"
                + markdown(["name", "value", "what", "measured by"], [(f"`{n}`", f"{v:,} {unit}", what, where) for n, (v, unit, what, where) in COSTS.items()]))
    return "\n\n".join(text) + "\n"


def positive(kind, most=None):
    def read(text):
        try:
            value = kind(text.replace(",", ""))
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        if not 0 < value < math.inf or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{text} is not above 0" + (f" and at most {most}" if most is not None else ""))
        return value
    return read


def cost_of(text):
    name, _, value = text.partition("=")
    if name not in COSTS:
        raise argparse.ArgumentTypeError(f"there is no cost '{name}'; there are " + ", ".join(COSTS))
    return name, positive(float)(value)


def options(words):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--edges", type=positive(int, 100_000), help="edge hubs; default: 10, 100 and 1,000 beside each other")
    p.add_argument("--owners", type=positive(int, MOST_HUBS - 1), default=2, help="hubs of a mesh that have sources (2)")
    p.add_argument("--servers", type=positive(int, 1000), default=3, help="NATS servers of a mesh (3)")
    p.add_argument("--network", type=positive(float), default=10, help="Gb/s of a NATS server (10)")
    p.add_argument("--updates", type=positive(float), default=1_000_000, help="updates a second of all items (1,000,000)")
    p.add_argument("--bytes", type=positive(int, 262_000), default=145, help="of an update in RWF (145)")
    p.add_argument("--items", type=positive(float), default=1_000_000, help="of an owner (1,000,000)")
    p.add_argument("--share", type=positive(float, 1), default=0.01, help="part of the items that an edge wants, above 0, at most 1 (0.01)")
    p.add_argument("--overlap", choices=("random", "same", "apart"), default="random",
                   help="edges choose for themselves, all want the same, or as few as can be want the same (random)")
    p.add_argument("--wide-at", type=positive(int, MOST_HUBS), default=None, help="an item that so many want goes into a wide lane (3)")
    p.add_argument("--wide-lanes", type=positive(int, 4096), default=16, help="WideLanes of the hubs (16)")
    p.add_argument("--clients", type=positive(int), default=20_000, help="of an edge (20,000)")
    p.add_argument("--clients-are", choices=("web", "ripc"), default="web", help="WebSocket clients with JSON, or RIPC (web)")
    p.add_argument("--per-client", type=positive(int), default=20, help="items of a client (20)")
    p.add_argument("--client-rate", type=positive(float), default=5, help="updates a second of each of them (5)")
    p.add_argument("--text-bytes", type=positive(int), default=180, help="of a message to a client (180)")
    p.add_argument("--cost", type=cost_of, action="append", default=[], metavar="NAME=VALUE", help="instead of the one that was measured here")
    p.add_argument("--costs", action="store_true", help="print the costs and end")
    p.add_argument("--page", action="store_true", help="print docs/mesh-sizing.md")
    p.add_argument("--check", action="store_true", help="exit status 1 when docs/mesh-sizing.md is another page")
    o = p.parse_args(words)
    if o.wide_at is not None and o.edges is not None and o.wide_at > o.edges:
        p.error(f"--wide-at {o.wide_at} is above the number of edges: no item would be in a wide lane")
    o.wide_at = o.wide_at or WIDE_AT
    o.updates, o.items = int(o.updates), int(o.items)
    return o


def main(words):
    o = options(words)
    if o.page or o.check:
        text = page(options([]), {name: value[0] for name, value in COSTS.items()})
        if o.check and (ROOT / "docs" / "mesh-sizing.md").read_text(encoding="utf-8") != text:
            sys.exit("docs/mesh-sizing.md is out of date: run PerfTools/scenarios/mesh_sizing.py --page > docs/mesh-sizing.md")
        if o.page:
            print(text, end="")
        return
    if o.costs:
        print(aligned([(n, f"{v:,}", unit, what, where) for n, (v, unit, what, where) in COSTS.items()]))
        return
    cost = {name: value[0] for name, value in COSTS.items()} | dict(o.cost)
    print("Calculated from costs that were measured (--costs), not measured.\n")
    print(aligned(table_of(o, cost, (o.edges,) if o.edges else (10, 100, 1000))))


if __name__ == "__main__":
    main(sys.argv[1:])
