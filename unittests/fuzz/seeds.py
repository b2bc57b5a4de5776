#!/usr/bin/env python3
"""Writes seed inputs for the fuzz targets from the golden vectors: seeds.py FOLDER -> FOLDER/<target>/<n>.

With --small only a few of each kind: these are the ones committed in corpus/, to which inputs that once failed are added.
"""
import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "vectors"
ETC = HERE.parent.parent / "etc"
CONTAINERS = ["FieldList", "ElementList", "Map", "Vector", "Series", "FilterList", "Msg", "Array"]


def rwf(name):
    with open(VECTORS / "rwf" / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def ripc(pattern):
    for path in sorted((VECTORS / "ripc").glob(pattern + ".hex")):
        yield path.stem, [bytes.fromhex(line) for line in path.read_text().splitlines() if line and line[0] != "#"]


def u16(data):
    return len(data).to_bytes(2, "big") + data


def set_definitions():
    """Definitions as containers carry them, before the data that refers to them."""
    for v in rwf("containers_set"):
        body = bytes.fromhex(v["hex"])
        elements = int("ElementList" in v["hex"] or '"name"' in json.dumps(v.get("value", {}).get("setDefs", {})))
        for cut in (4, 6):
            if len(body) > cut:
                rest = body[cut:]
                yield bytes([elements, min(255, len(rest) // 2)]) + rest


def pcap(segments):
    """A classic capture of Ethernet, IPv4 and TCP: (from_server, sequence, payload) for each packet."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for n, (server, sequence, payload) in enumerate(segments):
        ports = (14002, 40000) if server else (40000, 14002)
        hosts = (0x0A000002, 0x0A000001) if server else (0x0A000001, 0x0A000002)
        tcp = struct.pack(">HHIIBBHHH", *ports, sequence, 0, 0x50, 0x18, 0, 0, 0) + payload
        packet = bytes(12) + b"\x08\x00" + struct.pack(">BBHIBBHII", 0x45, 0, 20 + len(tcp), 0, 64, 6, 0, *hosts) + tcp
        out += struct.pack("<IIII", 1, n, len(packet), len(packet)) + packet
    return out


def multicast_seeds():
    """Conversations of a multicast group: {u16 length, sender, datagram} behind the byte that chooses what hears them."""
    def frame(data, flags=2, extended=b""):
        return (3 + len(extended) + len(data)).to_bytes(2, "big") + bytes([flags]) + extended + data

    def datagram(kind, sequence, body=b"", oldest=1, session=7, flags=0, start=0):
        return struct.pack(">HBBBBHIIIHHI", 0x454D, 1, kind, flags, 0, 28 + len(body), session, sequence, oldest, 5001,
                           start, 0) + body

    def series(*datagrams, who=0):
        return b"".join(len(d).to_bytes(2, "big") + bytes([who]) + d for d in datagrams)

    def ranges(*pairs):
        return b"".join(struct.pack(">IH", first, more) for first, more in pairs)

    plain = [datagram(1, n, frame(b"message %d" % n)) for n in range(1, 9)]
    first = frame(b"A" * 20, 3, b"\x08" + (50).to_bytes(4, "big") + b"\0\1")
    rest = frame(b"B" * 30, 3, b"\x04\0\1")
    packed = datagram(1, 3, frame(u16(b"one") + u16(b"two"), 0x12) + frame(b""))
    heart = datagram(2, 9)
    asks = datagram(3, 9, ranges((1, 3), (9, 0xFFFF)))
    yield b"\0" + series(*plain)
    yield b"\0" + series(plain[0], plain[3], plain[1], plain[1], heart, plain[2], *plain[4:], datagram(2, 9, flags=2))
    yield b"\0" + series(datagram(1, 1, first), datagram(1, 2, rest + frame(b"x"), start=len(rest)), packed)
    yield b"\0" + series(datagram(1, 1, first), datagram(1, 3, rest, start=0xFFFF), heart, who=0xF0)
    yield b"\0" + series(plain[0], plain[4]) + series(*plain, who=5) + series(datagram(1, 1, frame(b"n"), session=8))
    yield b"\0" + series(plain[0], datagram(2, 0x40000000), datagram(4, 9, ranges((2, 5))), datagram(1, 5, b"\0\6\0abc"))
    yield b"\1" + series(*plain, heart, asks)
    yield b"\2" + series(asks, asks, datagram(3, 9, ranges((0, 0xFFFF))), datagram(3, 9, ranges((0xFFFFFF00, 0x200))))
    yield b"\3" + series(*(struct.pack(">BBBBHBBI", 1, 0, 0, 12, 7, 14, 1, n) + u16(b"abc") + u16(b"d")
                           for n in (1, 2, 5, 3)), struct.pack(">BBBBHBBI", 1, 1, 0, 12, 7, 14, 1, 2))


def seeds():
    """target -> list of inputs, the most telling first."""
    out = {t: [] for t in ("fuzz_message", "fuzz_container", "fuzz_set_definitions", "fuzz_rmtes", "fuzz_text",
                           "fuzz_handshake", "fuzz_frames", "fuzz_compression", "fuzz_websocket", "fuzz_upgrade",
                           "fuzz_dictionary", "fuzz_rwfcat", "fuzz_multicast", "fuzz_hub_cache", "fuzz_hub_view")}
    out["fuzz_multicast"] = list(multicast_seeds())
    out["fuzz_message"] = [bytes.fromhex(v["hex"]) for v in rwf("messages")]
    for name in ("containers", "containers_set", "primitives"):
        for v in rwf(name):
            kind = CONTAINERS.index(v["type"]) if v["type"] in CONTAINERS else 8 + len(out["fuzz_container"]) % 21
            out["fuzz_container"].append(bytes([kind]) + bytes.fromhex(v["hex"]))
            if kind < 6:  # a refresh, and the same as an update
                body = bytes.fromhex(v["hex"])
                body = len(body).to_bytes(2, "big") + body
                out["fuzz_hub_cache"].append(bytes([kind]) + b"\x04\x00" + body + b"\x00\x00" + body)
                out["fuzz_hub_view"] += [bytes([kind | view, 0xAA]) + bytes.fromhex(v["hex"]) for view in (0, 0x40)]
    out["fuzz_set_definitions"] = list(set_definitions())
    for v in rwf("rmtes"):
        values = [s["in"] for s in v["steps"]] if "steps" in v else [v["hex"]]
        values = [bytes.fromhex(x) for x in values]
        out["fuzz_rmtes"].append(b"\xff" + b"".join(bytes([min(255, len(x))]) + x[:255] for x in values))
    for v in rwf("convert"):
        for member in ("text", "in", "iso"):
            if v.get(member):
                out["fuzz_text"].append(v[member].encode("latin-1", "replace"))
    for _, lines in list(ripc("v1*")) + list(ripc("nak")) + list(ripc("fallback*")):
        out["fuzz_handshake"] += lines
    for name, lines in list(ripc("frag*")) + list(ripc("packed*")) + list(ripc("ping")) + list(ripc("data*")):
        out["fuzz_frames"].append(bytes([0x2F if "v12" in name else 0x2B]) + b"".join(lines))
    for name, lines in list(ripc("zlib*")) + list(ripc("lz4*")):
        out["fuzz_compression"].append(bytes([{"zlib_stream": 2, "lz4_stream": 5}.get(name, 6) + 8]) + b"".join(lines))
    for name, lines in list(ripc("ws_*frames*")) + list(ripc("ws_*fragmented*")):
        first = ("client" in name) + 2 * ("rwf" in name) + 4 * ("deflate" in name)
        out["fuzz_websocket"].append(bytes([first + 16]) + b"".join(lines))
    for name, lines in list(ripc("ws_*upgrade*")):
        out["fuzz_upgrade"] += [b"\x00" + lines[0], (b"\x82" if "deflate" in name else b"\x01") + lines[1]]
    out["fuzz_upgrade"].append(b"\x02HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n")
    conversation = [b for _, lines in ripc("v14_nokey*") for b in lines]
    messages = [b"".join(len(m).to_bytes(2, "big") for m in [b"x" * (3 + len(m))]) + b"\x02" + m
                for m in out["fuzz_message"][:12]]
    segments = [(False, 1, conversation[0]), (True, 1, conversation[1])]
    position = 1 + len(conversation[1])
    for m in messages[:4]:
        segments.append((True, position, m))
        position += len(m)
    segments[3], segments[4] = segments[4], segments[3]
    out["fuzz_rwfcat"] = [b"\x04" + pcap(segments + segments[2:3]),
                          b"\x09" + b"".join(b for _, lines in ripc("zlib_stream_default") for b in lines),
                          b"\x11" + b"".join(b for _, lines in ripc("lz4_stream") for b in lines),
                          b"\x00" + b"".join(conversation + messages), b"\x01" + b"".join(messages),
                          b"\x02" + "\n".join(m.hex() for m in out["fuzz_message"][:12]).encode()]
    field_file = (ETC / "RDMFieldDictionary").read_bytes()[:3000]
    enum_file = (ETC / "enumtype.def").read_bytes()[:3000]
    out["fuzz_dictionary"] = [b"\0" + field_file, b"\1" + enum_file]
    for v in rwf("dictionary"):
        kind = 3 if v["dictionary"]["of"] == "enum" else 2
        out["fuzz_dictionary"].append(bytes([kind]) + bytes.fromhex(v["hex"]))
    return out


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    small = "--small" in sys.argv
    for target, inputs in seeds().items():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        if small:
            inputs = [i for i in inputs if len(i) <= 3100]
            inputs = inputs[:: max(1, len(inputs) // 12)][:12]
        for n, data in enumerate(inputs):
            (folder / f"{n:04}").write_bytes(data)


if __name__ == "__main__":
    main()
