"""A JSON client without a library: it posts, and sees each answer as a hub sends it, twice if need be."""
import base64
import json
import os
import random
import socket
import struct
import threading
import time

POSTED_FIELD = "YIELD"  # which truthfeed's items do not have
ANSWER_WITHIN = 20  # seconds in which a hub that reads has answered: it gives its sources 5


def mixed(x):
    """As in tools/truthfeed/Truth.cpp: whoever watches sees that a posted value belongs to its item."""
    mask = (1 << 64) - 1
    x = (x + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


class WebSocket:
    """Text frames of a client; whatever ends it is an OSError."""

    def __init__(self, port):
        self.link, self.input = socket.create_connection(("localhost", port), 5), b""
        self.link.sendall((f"GET /WebSocket HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Protocol: rssl.json.v2\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.input:
            self.more(5)
        head, self.input = self.input.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise OSError("no WebSocket")

    def more(self, seconds):
        """Reads what there is, at most so long."""
        self.link.settimeout(max(seconds, 0.001))
        try:
            got = self.link.recv(1 << 20)
        except TimeoutError:
            return
        if not got:
            raise OSError("the hub has ended the connection")
        self.input += got

    def send(self, message, opcode=1):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        size = struct.pack("!B", 0x80 | len(body)) if len(body) < 126 else struct.pack("!BH", 0x80 | 126, len(body))
        self.link.settimeout(5)
        self.link.sendall(bytes([0x80 | opcode]) + size + bytes(4) + body)  # a mask of zeros leaves the bytes as they are

    def messages(self):
        """Every message that is there as a whole."""
        while len(self.input) >= 2:
            size, at = self.input[1] & 0x7F, 2
            if size >= 126:
                form, at = ("!H", 4) if size == 126 else ("!Q", 10)
                if len(self.input) < at:
                    return
                size = struct.unpack(form, self.input[2:at])[0]
            if len(self.input) < at + size:
                return
            opcode, body = self.input[0] & 0x0F, self.input[at:at + size]
            self.input = self.input[at + size:]
            if opcode == 8:
                raise OSError("the hub has closed the connection")
            if opcode == 9:
                self.send(body, 10)
            if opcode == 1:
                got = json.loads(body)
                yield from got if isinstance(got, list) else [got]

    def close(self):
        self.link.close()


class BarePoster(threading.Thread):
    """Posts on streams and off until `end`. Each post is answered once while its connection lasts; `wrong` has what is not."""

    def __init__(self, port, services, items, rate, ping, seed, end):
        super().__init__(daemon=True)
        self.port, self.rate, self.ping, self.end = port, rate, ping, end
        self.dice = random.Random(seed)
        # A few prices (even numbers) of every service, by stream id.
        self.items = dict(enumerate(((s, n) for s in services for n in range(0, min(items, 6), 2)), 10))
        self.wrong, self.answers, self.sent, self.void, self.connections, self.last = [], {}, 0, 0, 0, 0
        self.waiting = {}

    def run(self):
        while time.time() < self.end:
            try:
                self.connected()
            except OSError:
                time.sleep(0.2)
            except Exception as failure:  # a thread that dies in silence would prove nothing
                self.wrong.append(f"WRONG {failure!r}")
                return

    def connected(self):
        link = WebSocket(self.port)
        self.connections += 1
        try:
            self.talk(link)
        finally:
            link.close()
            self.void += len(self.waiting)

    def talk(self, link):
        self.waiting, self.answered, self.open, self.pings = {}, set(), set(), []
        link.send({"ID": 1, "Domain": "Login", "Key": {"Name": "bare", "Elements": {"ApplicationId": "256", "Position": "127.0.0.1"}}})
        logged, heard, due = False, time.time(), time.time()
        # Answers to what was posted last are waited for.
        while time.time() < self.end or (self.waiting and time.time() < self.end + ANSWER_WITHIN + 5):
            link.more(0.02)
            for m in link.messages():
                heard = time.time()
                if m.get("Type") == "Ping":
                    link.send({"Type": "Pong"})
                elif m.get("Type") == "Pong" and self.pings:
                    self.overdue(self.pings.pop(0))
                elif m.get("ID") == 1 and m.get("Type") == "Refresh":
                    if not logged:
                        link.send([self.request(i) for i in self.items])
                    logged = True
                elif m.get("Type") == "Ack":
                    self.take(m)
                elif m.get("ID") in self.items:
                    self.state(link, m)
            now = time.time()
            if now - heard > 3 * self.ping:
                raise OSError("silence")
            if logged and due <= now:
                due = max(due + 1 / self.rate, now - 1) if self.rate else now + 1
                if self.rate and now < self.end:
                    self.post(link, now)
                if not self.pings or now - self.pings[-1] > 1:
                    link.send({"Type": "Ping"})
                    self.pings.append(now)

    def request(self, stream):
        service, number = self.items[stream]
        return {"ID": stream, "Key": {"Name": f"TRUTH{number:05}", "Service": service}}

    def state(self, link, m):
        state = m.get("State", {})
        if m["Type"] == "Refresh" and state.get("Stream") == "Open":
            self.open.add(m["ID"])
        if m["Type"] == "Status" and state.get("Stream") not in (None, "Open"):
            self.open.discard(m["ID"])
            # What was sent to the stream while its end was on its way is answered by nobody.
            crossed = [p for p, (stream, _) in self.waiting.items() if stream == m["ID"]]
            self.void += len(crossed)
            for post in crossed:
                del self.waiting[post]
            link.send(self.request(m["ID"]))

    def post(self, link, now):
        self.last += 1
        stream = self.dice.choice(list(self.items))
        service, number = self.items[stream]
        on_stream = stream in self.open and self.dice.random() < 0.5
        value = self.last << 16 | mixed(mixed(number) ^ self.last) & 0xFFFF
        payload = {"Fields": {POSTED_FIELD: value}}
        if self.dice.random() < 0.5:
            payload = {"Message": {"ID": 0, "Type": "Update", **payload}}
        post = {"ID": stream if on_stream else 1, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": self.last,
                "PostUserInfo": {"Address": "127.0.0.1", "UserID": 7}, **payload}
        if not on_stream:
            post["Key"] = {"Name": f"TRUTH{number:05}", "Service": service}
        link.send(post)
        self.waiting[self.last] = (post["ID"], now)
        self.sent += 1

    def take(self, ack):
        post = ack.get("AckID")
        if post not in self.waiting:
            again = "a second answer to" if post in self.answered else "an answer to nobody's"
            return self.wrong.append(f"WRONG {again} post {post}: {ack}")
        stream, _ = self.waiting.pop(post)
        self.answered.add(post)
        if ack["ID"] != stream:
            self.wrong.append(f"WRONG the answer to post {post} of stream {stream} came on another: {ack}")
        name = ack.get("NakCode", "acks")
        self.answers[name] = self.answers.get(name, 0) + 1

    def overdue(self, read_until):
        """The hub has read what was sent before."""
        for post, (stream, since) in list(self.waiting.items()):
            if read_until - since > ANSWER_WITHIN:
                self.wrong.append(f"MISSING an answer to post {post} on stream {stream} of {since:.1f}")
                del self.waiting[post]

    def result(self):
        answers = ", ".join(f"{n} {c}" for n, c in sorted(self.answers.items()))
        return f"{self.sent} posts on {self.connections} connections: {answers}; {self.void} with connections and streams that ended"
