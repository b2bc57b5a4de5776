#!/usr/bin/env python3
"""A peer of TransportPerf, written from docs/spec (transport.md 1, 2, 4 and 6; perftools.md 5.2) and from nothing of ours.

  transport_peer.py client|server --port PORT --do send|receive|exchange|reflect|leave [--messages N]
                    [--transport tcp|tls|ws|wss] [--compression none|zlib|lz4] [--type T]
                    [--ca FILE] [--cert FILE --key FILE]

send: N messages. receive: takes N messages and checks them. exchange: N messages, which must all come back. reflect: sends
N messages back. Then it closes, and the other end has read everything. A server listens on any port with --port 0 and
prints "listening PORT". The last line is RESULT ok ... or RESULT failed REASON; the exit status says the same.
"""
import argparse
import base64
import hashlib
import os
import socket
import ssl
import struct
import sys
import time
import zlib

M = 6144
EXTENDED, DATA, COMPRESSED, COMP_FRAGMENT, PACKED = 0x01, 0x02, 0x04, 0x08, 0x10
FRAGMENT, FRAGMENT_HEADER = 0x04, 0x08
WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Failed(Exception):
    pass


class End(Exception):
    """The other end closed the connection, between two frames."""


# --- bytes ---------------------------------------------------------------------------------------------------------------


class Plain:
    """RIPC straight on a socket, TLS or not."""

    def __init__(self, link):
        self.link, self.buffer = link, b""

    def more(self):
        try:
            got = self.link.recv(65536)
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionResetError):
            got = b""
        if not got:
            if self.buffer:
                raise Failed("the connection ended inside a frame")
            raise End
        self.buffer += got

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def send(self, frame):
        self.link.sendall(frame)


class WebSocket(Plain):
    """Each RIPC frame in one binary frame (transport.md 6.4, 6.5)."""

    def __init__(self, link, client):
        super().__init__(link)
        self.client, self.raw = client, b""

    def rawTake(self, count):
        while len(self.raw) < count:
            try:
                got = self.link.recv(65536)
            except (ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionResetError):
                got = b""
            if not got:
                raise End
            self.raw += got
        out, self.raw = self.raw[:count], self.raw[count:]
        return out

    def header(self):
        while b"\r\n\r\n" not in self.raw:
            got = self.link.recv(65536)
            if not got:
                raise Failed("the connection ended inside the upgrade")
            self.raw += got
        head, self.raw = self.raw.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        return lines[0], {n.strip().lower(): v.strip() for n, v in (l.split(":", 1) for l in lines[1:])}

    def upgrade(self):
        if self.client:
            key = base64.b64encode(os.urandom(16)).decode()
            self.link.sendall((f"GET /WebSocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                               f"Sec-WebSocket-Protocol: rssl.rwf\r\n\r\n").encode())
            first, fields = self.header()
            if " 101 " not in first or fields.get("sec-websocket-protocol") != "rssl.rwf":
                raise Failed(f"the upgrade was answered {first} {fields}")
            if fields["sec-websocket-accept"] != self.accept(key):
                raise Failed("wrong Sec-WebSocket-Accept")
        else:
            first, fields = self.header()
            if not first.startswith("GET /WebSocket") or "rssl.rwf" not in fields.get("sec-websocket-protocol", ""):
                raise Failed(f"unexpected upgrade: {first} {fields}")
            self.link.sendall((f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               f"Sec-WebSocket-Accept: {self.accept(fields['sec-websocket-key'])}\r\n"
                               f"Sec-WebSocket-Protocol: rssl.rwf\r\n\r\n").encode())

    @staticmethod
    def accept(key):
        return base64.b64encode(hashlib.sha1((key + WEBSOCKET_GUID).encode()).digest()).decode()

    def more(self):
        first, second = self.rawTake(2)
        length = second & 0x7F
        if length == 126:
            length, = struct.unpack(">H", self.rawTake(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.rawTake(8))
        if bool(second & 0x80) == self.client:
            raise Failed("a frame's mask is not as its sender's role has it")
        mask = self.rawTake(4) if second & 0x80 else bytes(4)
        data = self.rawTake(length)
        if second & 0x80:
            pad = mask * (length // 4 + 1)
            data = (int.from_bytes(data, "big") ^ int.from_bytes(pad[:length], "big")).to_bytes(length, "big")
        opcode = first & 0x0F
        if opcode == 8:
            raise End
        if opcode == 9:
            self.frame(10, data)
        elif opcode == 2:
            self.buffer += data
        elif opcode != 10:
            raise Failed(f"WebSocket opcode {opcode}")

    def frame(self, opcode, data):
        bit = 0x80 if self.client else 0
        length = len(data)
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([bit | length])
        elif length < 65536:
            head += bytes([bit | 126]) + struct.pack(">H", length)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", length)
        # A mask of zeros is a mask, and leaves the bytes as they are.
        self.link.sendall(head + (bytes(4) if bit else b"") + data)

    def send(self, frame):
        self.frame(2, frame)


# --- compression (transport.md 2.6) --------------------------------------------------------------------------------------


def lz4Decode(data, limit):
    out, at = bytearray(), 0
    while at < len(data):
        token = data[at]
        at += 1
        length = token >> 4
        while length >= 15 and data[at] == 255:
            length, at = length + 255, at + 1
        if token >> 4 == 15:
            length, at = length + data[at], at + 1
        out += data[at:at + length]
        at += length
        if at == len(data):
            break
        offset = data[at] | data[at + 1] << 8
        at += 2
        length = token & 15
        while length >= 15 and data[at] == 255:
            length, at = length + 255, at + 1
        if token & 15 == 15:
            length, at = length + data[at], at + 1
        if offset == 0 or offset > len(out):
            raise Failed("LZ4 offset outside the block")
        for _ in range(length + 4):
            out.append(out[-offset])
        if len(out) > limit:
            raise Failed("an LZ4 block grows beyond M")
    return bytes(out)


def lz4Length(value):
    out = bytearray()
    while value >= 255:
        out.append(255)
        value -= 255
    return bytes(out + bytes([value]))


def lz4Encode(data):
    """Literals up to the zeros that a message ends with, a match over these, five literals: what the format asks for."""
    tail = len(data) - len(data.rstrip(b"\0"))
    literals = len(data) - tail + 1
    match = len(data) - literals - 5
    if tail < 32:
        return None
    token = min(literals, 15) << 4 | min(match - 4, 15)
    out = bytes([token]) + (lz4Length(literals - 15) if literals >= 15 else b"") + data[:literals] + b"\x01\x00"
    out += lz4Length(match - 4 - 15) if match - 4 >= 15 else b""
    return out + bytes([5 << 4]) + data[-5:]


class Compression:
    def __init__(self, kind, level):
        self.kind = kind
        self.threshold = {0: 1 << 30, 1: 30, 2: 300}[kind]
        self.deflater = zlib.compressobj(level) if kind == 1 else None
        self.inflater = zlib.decompressobj() if kind == 1 else None

    def pack(self, data):
        """The compressed form of a unit, or None: it goes plain."""
        if len(data) < self.threshold:
            return None
        if self.kind == 1:
            return self.deflater.compress(data) + self.deflater.flush(zlib.Z_SYNC_FLUSH)
        packed = lz4Encode(data)
        return packed if packed is not None and len(packed) < len(data) else None

    def unpack(self, data):
        if self.kind == 1:
            return self.inflater.decompress(data)
        if self.kind == 2:
            return lz4Decode(data, M)
        raise Failed("a compressed frame on a connection without compression")


# --- RIPC ----------------------------------------------------------------------------------------------------------------


class Channel:
    def __init__(self, stream):
        self.stream, self.partial, self.ready, self.id = stream, {}, [], 0
        self.compressedSeen = 0

    def request(self, options):
        kind = {"none": 0, "zlib": 1, "lz4": 2}[options.compression]
        bitmap = b"" if kind == 0 else bytes([1, kind])
        bitmap = bitmap or b"\0"
        host, address, text = b"peer", b"127.0.0.1", b"peer"
        body = bitmap + bytes([60, 0, options.type, 0, 0, len(host)]) + host + bytes([len(address)]) + address
        headerLength = 9 + len(body)
        component = bytes([1 + len(text), len(text)]) + text
        length = headerLength + len(component)
        self.stream.send(struct.pack(">HBIBB", length, 0, 23, 0, headerLength) + body + component)
        length, = struct.unpack(">H", self.stream.take(2))
        ack = self.stream.take(length - 2)
        if ack[1] == 2:
            size, = struct.unpack(">H", ack[4:6])
            raise Failed("refused: " + ack[6:6 + size].rstrip(b"\0").decode())
        if ack[0] & 1 != 1 or ack[1] != 1:
            raise Failed(f"no connection ack: {ack.hex()}")
        version, m, _, _, major, minor, compression, level = struct.unpack(">IHBBBBHB", ack[4:17])
        if version != 9 or (major, minor) != (0, 0):
            raise Failed(f"the ack says RIPC {version}, protocol version {major}.{minor}")
        self.m = m
        self.compression = Compression(compression, level)

    def answer(self, options):
        length, = struct.unpack(">H", self.stream.take(2))
        r = self.stream.take(length - 2)
        opcode, version, flags, headerLength, b = struct.unpack(">BIBBB", r[:8])
        bitmap = r[8] if b else 0
        at = 8 + b
        ping, _, kind, major, minor = r[at:at + 5]
        print(f"request of connection version {version}, protocol type {kind} version {major}.{minor}", flush=True)
        if kind != options.type:
            text = b"Connection refused.\0"
            self.stream.send(struct.pack(">HBBBBH", 8 + len(text), 1, 2, 8, 0, len(text)) + text)
            raise Failed(f"protocol type {kind} is not served")
        if (opcode, version, major, minor) != (0, 23, 0, 0) or flags & 8:
            raise Failed(f"unexpected request {r.hex()}")
        compression = {"none": 0, "zlib": 1, "lz4": 2}[options.compression]
        if compression and not bitmap & compression:
            raise Failed(f"the client offers compression {bitmap}, not {compression}")
        text = b"peer"
        level = 6 if compression == 1 else 0
        ack = struct.pack(">BBBBIHBBBBHB", 1, 1, 10, 0, 9, M, 3, ping, 0, 0, compression, level)
        ack += bytes([1 + len(text), len(text)]) + text
        self.stream.send(struct.pack(">H", 2 + len(ack)) + ack)
        self.m = M
        self.compression = Compression(compression, level)

    def frame(self):
        length, flags = struct.unpack(">HB", self.stream.take(3))
        if length < 3 or length > self.m + 3:
            raise Failed(f"a frame of {length} bytes")
        body = self.stream.take(length - 3)
        ext = 0
        if flags & EXTENDED:
            ext, body = body[0], body[1:]
        total = number = None
        if ext & FRAGMENT_HEADER:
            total, number = struct.unpack(">IH", body[:6])
            body = body[6:]
        elif ext & FRAGMENT:
            number, = struct.unpack(">H", body[:2])
            body = body[2:]
        if flags & COMPRESSED:
            self.compressedSeen += 1
            if flags & COMP_FRAGMENT:
                length, rest = struct.unpack(">HB", self.stream.take(3))
                if rest != COMPRESSED:
                    raise Failed("the second part of a split unit is something else")
                body += self.stream.take(length - 3)
            body = self.compression.unpack(body)
        elif not flags & DATA:
            raise Failed(f"frame flags {flags:#x}")
        if total is not None:
            self.partial[number] = [total, body]
        elif number is not None:
            self.partial[number][1] += body
        elif flags & PACKED:
            while body:
                size, = struct.unpack(">H", body[:2])
                self.ready.append(body[2:2 + size])
                body = body[2 + size:]
            return
        elif body:
            self.ready.append(body)
            return
        else:
            return  # a ping
        total, body = self.partial[number]
        if len(body) >= total:
            del self.partial[number]
            self.ready.append(body)

    def read(self):
        while not self.ready:
            self.frame()
        return self.ready.pop(0)

    def unit(self, head, ext, body, flags=0):
        packed = self.compression.pack(body)
        if packed is not None and 3 + len(ext) + len(packed) > self.m + 3:
            raise Failed("a unit grew: choose other messages")
        data = body if packed is None else packed
        flags |= DATA if packed is None else COMPRESSED
        if ext:
            flags |= EXTENDED
        self.stream.send(struct.pack(">HB", 3 + len(ext) + len(data), flags) + ext + data)

    def write(self, message):
        if len(message) <= self.m:
            return self.unit(b"", b"", message)
        self.id = self.id % 65535 + 1
        room = self.m - 16
        self.unit(b"", bytes([FRAGMENT_HEADER]) + struct.pack(">IH", len(message), self.id), message[:room])
        for at in range(room, len(message), room):
            self.unit(b"", bytes([FRAGMENT]) + struct.pack(">H", self.id), message[at:at + room])

    def writePacked(self, messages):
        self.unit(b"", b"", b"".join(struct.pack(">H", len(m)) + m for m in messages), PACKED)


# --- what TransportPerf sends (perftools.md 5.2) -------------------------------------------------------------------------


def message(number):
    """Plain ones, and now and then one that needs fragments."""
    size = 10000 if number % 100 == 99 else 400
    return struct.pack("=QQ", number, time.monotonic_ns() if number % 10 == 0 else 0) + bytes(size - 16)


def sendAll(channel, count):
    number = 0
    while number < count:
        if number % 20 == 0 and number + 5 <= count:
            channel.writePacked([message(n) for n in range(number, number + 5)])
            number += 5
        else:
            channel.write(message(number))
            number += 1
    return count


class Checker:
    def __init__(self):
        self.next, self.count, self.stamps = None, 0, 0

    def take(self, m):
        if len(m) < 16:
            raise Failed(f"a message of {len(m)} bytes")
        number, stamp = struct.unpack("=QQ", m[:16])
        if number != (self.count if self.next is None else self.next):
            raise Failed(f"number {number} instead of {self.next or self.count}")
        if any(m[16:]):
            raise Failed("the rest of a message is not zero")
        if stamp:
            self.stamps += 1
            age = time.monotonic_ns() - stamp
            if not 0 <= age < 600_000_000_000:
                raise Failed(f"a stamp is {age} ns old")
        self.next, self.count = number + 1, self.count + 1
        return number, stamp


def leave(channel, options):
    """Everything in one piece, and gone: whatever the other end writes meets a closed connection."""
    link, frames = channel.stream.link, []
    channel.stream.send = frames.append
    for n in range(options.messages):
        channel.write(struct.pack("=QQ", n, 0) + bytes(384))
    link.sendall(b"".join(frames))
    link.close()
    return f"left={options.messages}"


def serve(channel, options):
    if options.do == "leave":
        return leave(channel, options)
    if options.do == "send":
        return f"sent={sendAll(channel, options.messages)}"
    checker = Checker()
    if options.do == "exchange":
        # In portions that fit the buffers of both ends, however slowly they are read.
        while checker.count < options.messages:
            portion = [message(n) for n in range(checker.count, min(checker.count + 50, options.messages))]
            for m in portion:
                channel.write(m)
            for m in portion:
                back = channel.read()
                if back != m:
                    raise Failed(f"{m[:24].hex()} of {len(m)} bytes came back as {back[:24].hex()} of {len(back)}")
                checker.take(back)
        return f"exchanged={checker.count}"
    while checker.count < options.messages:
        m = channel.read()
        checker.take(m)
        if options.do == "reflect":
            channel.write(m)
    if checker.stamps == 0:
        raise Failed("no message had a stamp")
    return f"{'reflected' if options.do == 'reflect' else 'received'}={checker.count} stamps={checker.stamps}"


def close(link):
    """Whoever closes with bytes unread resets the connection, and what it wrote may be lost."""
    link.shutdown(socket.SHUT_WR)
    try:
        while link.recv(65536):
            pass
    except ConnectionResetError:
        pass
    link.close()


# --- the program ---------------------------------------------------------------------------------------------------------


def connect(options):
    if options.role == "client":
        link = socket.create_connection(("127.0.0.1", options.port), timeout=options.timeout)
    else:
        listener = socket.create_server(("127.0.0.1", options.port))
        print(f"listening {listener.getsockname()[1]}", flush=True)
        listener.settimeout(options.timeout)
        link, _ = listener.accept()
    link.settimeout(options.timeout)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if options.transport in ("tls", "wss"):
        if options.role == "client":
            context = ssl.create_default_context(cafile=options.ca)
            link = context.wrap_socket(link, server_hostname="localhost")
        else:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(options.cert, options.key)
            link = context.wrap_socket(link, server_side=True)
    if options.transport not in ("ws", "wss"):
        return Plain(link)
    stream = WebSocket(link, options.role == "client")
    stream.upgrade()
    return stream


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("role", choices=("client", "server"))
    p.add_argument("--port", type=int, required=True)
    p.add_argument("--do", choices=("send", "receive", "exchange", "reflect", "leave"), required=True)
    p.add_argument("--messages", type=int, default=1000)
    p.add_argument("--transport", choices=("tcp", "tls", "ws", "wss"), default="tcp")
    p.add_argument("--compression", choices=("none", "zlib", "lz4"), default="none")
    p.add_argument("--type", type=int, help="88; inside a WebSocket the sub-protocol's, 0")
    p.add_argument("--ca")
    p.add_argument("--cert")
    p.add_argument("--key")
    p.add_argument("--timeout", type=float, default=60.0, help="seconds that the other end may be silent")
    options = p.parse_args()
    if options.type is None:
        options.type = 0 if options.transport in ("ws", "wss") else 88
    try:
        channel = Channel(connect(options))
        if options.role == "client":
            channel.request(options)
        else:
            channel.answer(options)
        said = serve(channel, options)
        if options.compression != "none" and options.do != "send" and channel.compressedSeen == 0:
            raise Failed("nothing came compressed")
        if options.do != "leave":
            close(channel.stream.link)
        print(f"RESULT ok {said}")
        return 0
    except (Failed, OSError, struct.error) as failure:
        print(f"RESULT failed {failure or type(failure).__name__}")
    except End:
        print("RESULT failed closed by the other end")
    return 1


if __name__ == "__main__":
    sys.exit(main())
