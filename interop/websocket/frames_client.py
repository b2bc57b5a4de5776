#!/usr/bin/python3
"""No library at all: frames by hand, as a program of a few lines does it. It sends what libraries seldom send: texts in several
fragments with control frames between them, a character cut in two, headers in other letters, sub-protocols to choose from,
texts with blanks and line breaks.

Usage: frames_client.py URL CA-FILE all|answer|send|silent SECONDS NAME   (CA-FILE: - without TLS)
"""
import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import sys
import time
from urllib.parse import urlsplit

url, ca_file, mode, seconds, name = sys.argv[1:6]
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Line:
    def __init__(self):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), 30)
        if parts.scheme == "wss":
            self.socket = ssl.create_default_context(cafile=ca_file).wrap_socket(self.socket, server_hostname=parts.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {parts.path} HTTP/1.1\r\nhost: {parts.netloc}\r\nupgrade: WebSocket\r\nCONNECTION: keep-alive, upgrade\r\n"
                            f"sec-websocket-key: {key}\r\nsec-websocket-version: 13\r\nOrigin: http://another.example\r\n"
                            "sec-websocket-protocol: chat, rssl.json.v2,tr_json2\r\nCookie: a=b\r\n\r\n".encode())
        self.buffer, self.inbox, self.pings = b"", [], 0
        while b"\r\n\r\n" not in self.buffer:
            self.receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        headers = {field.lower(): value.strip() for field, value in (line.split(":", 1) for line in lines)}
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        check(" 101 " in status and headers["sec-websocket-accept"] == accept, "handshake", head.decode())
        check(headers["sec-websocket-protocol"] in ("rssl.json.v2", "tr_json2"), "sub-protocol", head.decode())

    def receive(self):
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionError("the server ended the connection")
        self.buffer += got

    def send(self, opcode, data, last=True):
        mask = os.urandom(4)
        size = (struct.pack("!B", 128 | len(data)) if len(data) < 126 else
                struct.pack("!BH", 254, len(data)) if len(data) < 65536 else struct.pack("!BQ", 255, len(data)))
        self.socket.sendall(bytes([opcode | (128 if last else 0)]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def frame(self):
        """Opcode and data of the next one."""
        while True:
            data = self.buffer
            if len(data) >= 2:
                check(data[0] & 128 and not data[1] & 128, "a whole frame without a mask", data[:2].hex())
                size, at = data[1], 2
                if size == 126 and len(data) >= 4:
                    size, at = struct.unpack_from("!H", data, 2)[0], 4
                elif size == 127 and len(data) >= 10:
                    size, at = struct.unpack_from("!Q", data, 2)[0], 10
                if (data[1] < 126 or at > 2) and len(data) >= at + size:
                    self.buffer = data[at + size:]
                    return data[0] & 15, data[at:at + size]
            self.receive()

    def say(self, message, pieces=1):
        text = json.dumps(message, indent=1, ensure_ascii=False).encode()
        step = max(1, -(-len(text) // pieces))
        for at in range(0, len(text), step):
            self.send(TEXT if at == 0 else 0, text[at:at + step], at + step >= len(text))
            if pieces > 1 and at + step < len(text):
                self.send(PING, b"between")

    def next(self, kind, number, more=lambda m: True):
        """The next message of this kind and id; what comes before it is passed over."""
        while True:
            while not self.inbox:
                opcode, data = self.frame()
                if opcode == TEXT:
                    self.inbox = json.loads(data.decode())
                elif opcode == PING:
                    self.send(PONG, data)
                elif opcode == CLOSE:
                    raise ConnectionError(f"the server closed: {data!r}")
                elif opcode == PONG and kind == "pong frame":
                    return data
            message = self.inbox.pop(0)
            if message["Type"] == "Ping":
                self.pings += 1
                self.say({"Type": "Pong"})
            if message["Type"] == kind and message.get("ID") == number and more(message):
                return message
            if message["Type"] == "Error":
                raise AssertionError(f"an error: {message['Text']}")


def check(condition, text, message):
    if not condition:
        raise AssertionError(f"{text}: {message}")


def login(line):
    line.say({"ID": 0, "Domain": "Login", "Key": {"Name": "Zoë", "Elements": {"ApplicationId": 256, "Position": "127.0.0.1"}}}, pieces=5)
    answer = line.next("Refresh", 0)
    check(answer["State"]["Stream"] == "Open" and answer["Key"]["Name"] == "Zoë", "login", answer)


def everything(line):
    login(line)
    line.send(PING, b"are you there?")
    while line.next("pong frame", None) != b"are you there?":
        pass
    line.say([{"ID": 2147483647, "Key": {"Name": f"{name}.A"}}, {"ID": -7, "Key": {"Name": f"{name}.B"}, "View": ["BID"]}, ], pieces=7)
    images = [line.next("Refresh", number) for number in (2147483647, -7)]
    check(images[0]["Key"] == {"Service": "DIRECT_FEED", "Name": f"{name}.A"} and list(images[1]["Fields"]) == ["BID"], "images", images)
    update = line.next("Update", -7)
    check(update["Key"] == {"Service": "DIRECT_FEED", "Name": f"{name}.B"}, "key of an update", update)
    many = [f"{name}.M{i:03}" for i in range(300)]  # a text of more than 65,535 bytes would say no more
    line.say({"ID": 1000, "Streaming": False, "Key": {"Name": many}}, pieces=3)
    for i, one in enumerate(many):
        image = line.next("Refresh", 1001 + i)
        check(image["Key"]["Name"] == one and image["State"]["Stream"] == "NonStreaming", "snapshot of a batch", image)
    line.say({"ID": -7, "Type": "Post", "Ack": True, "PostID": 9, "PostUserInfo": {"Address": 2130706433, "UserID": 3},
              "Fields": {"BID": 1e1}})
    ack = line.next("Ack", -7)
    check(ack["AckID"] == 9 and "NakCode" not in ack, "post on stream", ack)
    line.next("Update", -7, lambda m: m["Fields"]["BID"] == 10 and m["PostUserInfo"]["Address"] == "127.0.0.1")
    line.say({"ID": 0, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": 10, "Key": {"Name": f"{name}.B"},
              "PostUserInfo": {"Address": "127.0.0.1", "UserID": 3}, "Fields": {"BID": 11}})
    ack = line.next("Ack", 0)
    check(ack["AckID"] == 10 and "NakCode" not in ack and ack["Key"]["Name"] == f"{name}.B", "post off stream", ack)
    line.next("Update", -7, lambda m: m["Fields"]["BID"] == 11)
    line.say({"ID": [-7, 2147483647, 77], "Type": "Close", "Ack": True})
    closed = line.next("Status", -7)
    check(closed["State"]["Stream"] == "Closed", "answer to the close of a batch", closed)
    line.say({"ID": 0, "Type": "Close", "Domain": "Login"})
    line.send(CLOSE, struct.pack("!H", 1000))
    while True:
        opcode, data = line.frame()
        if opcode == CLOSE:
            return f"items={len(many) + 2} closed={struct.unpack('!H', data[:2])[0] if data else 'without a code'}"


def silent(line):
    """Who neither sends nor answers is not there: the server says goodbye in time."""
    login(line)
    begin = time.monotonic()
    line.say = lambda *_: None
    try:
        while time.monotonic() - begin < float(seconds):
            line.next("Ping", None)
    except ConnectionError:
        return f"pings={line.pings} ended=yes"
    raise AssertionError(f"a silent client was not ended within {seconds} s")


def idle(line):
    login(line)
    end, pongs = time.monotonic() + float(seconds), 0
    line.socket.settimeout(1)
    due = time.monotonic()
    while time.monotonic() < end:
        if mode == "send" and time.monotonic() >= due:
            due += 1
            line.say({"Type": "Ping"})
            line.next("Pong", None)
            pongs += 1
        try:
            line.next("Ping", None)
        except TimeoutError:
            pass
    check(mode == "send" or line.pings > 0, "pings", line.pings)
    return f"pings={line.pings} pongs={pongs}"


try:
    line = Line()
    print("RESULT ok", {"all": everything, "silent": silent}.get(mode, idle)(line))
except Exception as failure:
    print("RESULT failed", type(failure).__name__, failure)
    sys.exit(1)
