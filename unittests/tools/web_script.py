"""A server of rssl.json.v2 that plays a script, on the standard library: what wsload says is compared with what was sent."""
import base64
import hashlib
import json
import socket
import struct
import threading
import time

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def microseconds():
    return time.monotonic_ns() // 1000


class Peer:
    """One client, after its upgrade. `head`, `user`, `login` and `requests` are what it sent; `items` the names by stream id."""

    def __init__(self, server, sock):
        self.server, self.socket, self.buffer = server, sock, b""
        self.head = []
        self.user, self.login, self.requests, self.items, self.ponged = None, None, [], {}, threading.Event()

    def _read(self, size):
        while len(self.buffer) < size:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.buffer += more
        got, self.buffer = self.buffer[:size], self.buffer[size:]
        return got

    def upgrade(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._read(1)
        key = [line.split(b":", 1)[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")][0]
        accept = base64.b64encode(hashlib.sha1(key + GUID.encode()).digest()).decode()
        self.socket.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Accept: {accept}\r\nSec-WebSocket-Protocol: rssl.json.v2\r\n\r\n").encode())
        self.head = head.decode().split("\r\n")
        return self.head[0]

    def receive(self):
        """The messages of the next text."""
        first, size = self._read(2)
        masked, size = size & 0x80, size & 0x7F
        if size == 126:
            size = struct.unpack("!H", self._read(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self._read(8))[0]
        mask = self._read(4) if masked else b"\0\0\0\0"
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(self._read(size)))
        if first & 0x0F == 8:
            raise EOFError
        if first & 0x0F != 1:
            return []
        found = json.loads(data)
        return found if isinstance(found, list) else [found]

    def send_text(self, text):
        data = text.encode()
        head = bytes([0x81]) + (bytes([len(data)]) if len(data) < 126 else struct.pack("!BH", 126, len(data)) if len(data) < 65536
                                else struct.pack("!BQ", 127, len(data)))
        self.socket.sendall(head + data)

    def send(self, *messages):
        self.send_text(json.dumps(messages, separators=(",", ":")))

    def update(self, stream, sequence, late=0, **fields):
        """An update whose stamp is `late` microseconds old."""
        return {"ID": stream, "Type": "Update", "Fields": {"BID": sequence / 100, "SEQNUM": sequence, "TIM_TRK_1": microseconds() - late, **fields}}

    def image(self, stream, name, sequence=1):
        return {"ID": stream, "Type": "Refresh", "Key": {"Service": "WEB_FEED", "Name": name}, "State": {"Stream": "Open", "Data": "Ok"},
                "Fields": {"BID": sequence / 100, "SEQNUM": sequence, "TIM_TRK_1": microseconds()}}


class Server:
    """Accepts everybody. Login and images are answered by on_login(peer) and on_item(peer, stream, name), which send by themselves when
    they return None, posts by on_post(peer, message); play(peer) is called in a thread of the peer when it has asked for everything and `go` is set."""

    def __init__(self, play=None, on_login=None, on_item=None, on_post=None):
        self.play, self.on_login, self.on_item, self.on_post = play, on_login, on_item, on_post
        self.go, self.peers, self.lock, self.paths, self.wrong = threading.Event(), [], threading.Lock(), [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for peer in self.peers:
            try:
                peer.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer = Peer(self, sock)
            with self.lock:
                self.peers.append(peer)
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer):
        try:
            self.paths.append(peer.upgrade())
            if any(line.startswith("Cookie: AuthToken=") for line in peer.head):
                self._handle(peer, {"ID": -1, "Domain": "Login", "Key": {"NameType": "AuthnToken"}})
            while True:
                for message in peer.receive():
                    self._handle(peer, message)
        except (EOFError, OSError):
            pass
        finally:
            peer.socket.close()

    def _handle(self, peer, message):
        if message.get("Type") == "Pong":
            peer.ponged.set()
            return
        if message.get("Domain") == "Login":
            peer.login, peer.user = message, message["Key"].get("Name")
            answer = self.on_login(peer) if self.on_login else {
                "ID": message["ID"], "Type": "Refresh", "Domain": "Login", "Key": message["Key"], "State": {"Stream": "Open", "Data": "Ok"},
                "Elements": {"PingTimeout": 30}}
            if answer is not None:
                peer.send(answer)
            return
        if message.get("Type") == "Post":
            self.on_post(peer, message)
            return
        peer.requests.append(message)
        names, first = message["Key"]["Name"], message["ID"]
        if isinstance(names, list):
            peer.send({"ID": first, "Type": "Status", "State": {"Stream": "Closed", "Data": "Ok", "Text": "batch processed"}})
            first += 1
        for i, name in enumerate(names if isinstance(names, list) else [names]):
            peer.items[first + i] = name
            answer = self.on_item(peer, first + i, name) if self.on_item else peer.image(first + i, name)
            if answer is not None:
                peer.send(answer)
        if self.play is not None:
            threading.Thread(target=self._play, args=(peer,), daemon=True).start()

    def _play(self, peer):
        self.go.wait()
        try:
            self.play(peer)
        except OSError as e:
            self.wrong.append(f"{peer.user}: {e}")
