#!/usr/bin/env python3
"""Every connection of the mesh scenario goes through here, so that it can be cut: a cut way holds its bytes, as a network does that
loses packets, and lets them go when it is healed. On the command line one LINK=LISTEN:TARGET each (ports of this host); on the
standard input a line "LINK MODE" each; the answer is the line "done". Ends with the input.

flow: both ways.  to, from: what goes to the target, or comes from it, is held.  both: both are.  closed: connections are reset, and
new ones too."""
import selectors
import socket
import struct
import sys

MODES = ("flow", "to", "from", "both", "closed")
HELD = 1 << 18  # bytes of a way that wait here; the rest waits in the sockets


def reset(s):
    try:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    s.close()


class Link:
    def __init__(self, relay, name, listen, target):
        self.relay, self.name, self.target, self.mode, self.pairs = relay, name, target, "flow", set()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", listen))
        self.listener.listen(128)
        self.listener.setblocking(False)
        relay.selector.register(self.listener, selectors.EVENT_READ, self.accept)

    def accept(self, _):
        try:
            near, _ = self.listener.accept()
        except OSError:
            return
        if self.mode == "closed":
            return reset(near)
        far = socket.socket()
        far.setblocking(False)
        far.connect_ex(("127.0.0.1", self.target))
        Pair(self, near, far)

    def change(self, mode):
        self.mode = mode
        for pair in list(self.pairs):
            if mode == "closed":
                pair.end()
            else:
                pair.arm()


class Pair:
    """A connection: `near` is whoever connected, `far` the target."""

    def __init__(self, link, near, far):
        self.link, self.near, self.far = link, near, far
        self.waiting = {near: bytearray(), far: bytearray()}  # read from it, and not written to the other one yet
        self.over = {near: False, far: False}                 # nothing more comes from it
        self.told = {near: False, far: False}                 # and the other one knows
        self.events, self.connected = {near: 0, far: 0}, False
        for s in (near, far):
            s.setblocking(False)
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.pairs.add(self)
        self.arm()

    def flows(self, source):
        return self.link.mode == "flow" or self.link.mode == ("from" if source is self.near else "to")

    def other(self, s):
        return self.far if s is self.near else self.near

    def arm(self):
        wanted = {self.near: 0, self.far: 0 if self.connected else selectors.EVENT_WRITE}
        for source in (self.near, self.far):
            if not self.connected or not self.flows(source):
                continue
            if not self.over[source] and len(self.waiting[source]) < HELD:
                wanted[source] |= selectors.EVENT_READ
            if self.waiting[source]:
                wanted[self.other(source)] |= selectors.EVENT_WRITE
            elif self.over[source] and not self.told[source]:
                self.told[source] = True
                try:
                    self.other(source).shutdown(socket.SHUT_WR)
                except OSError:
                    pass
        if all(self.told.values()):
            return self.end(gently=True)
        selector = self.link.relay.selector
        for s, events in wanted.items():
            if events == self.events[s]:
                continue
            if self.events[s] == 0:
                selector.register(s, events, self.ready)
            elif events == 0:
                selector.unregister(s)
            else:
                selector.modify(s, events, self.ready)
            self.events[s] = events

    def ready(self, key):
        s = key.fileobj
        if self not in self.link.pairs:
            return
        try:
            if not self.connected:
                if s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0:
                    return self.end()
                self.connected = True
                return self.arm()
            source = self.other(s)
            if self.waiting[source] and self.flows(source):
                try:
                    del self.waiting[source][:s.send(self.waiting[source])]
                except BlockingIOError:
                    pass
            if self.events[s] & selectors.EVENT_READ:
                try:
                    data = s.recv(65536)
                    self.waiting[s] += data
                    self.over[s] = not data
                except BlockingIOError:
                    pass
        except OSError:
            return self.end()
        self.arm()

    def end(self, gently=False):
        self.link.pairs.discard(self)
        for s, events in self.events.items():
            if events:
                self.link.relay.selector.unregister(s)
            if gently:
                s.close()
            else:
                reset(s)


class Relay:
    def __init__(self, words):
        self.selector, self.links = selectors.DefaultSelector(), {}
        for word in words:
            name, _, ports = word.partition("=")
            listen, _, target = ports.partition(":")
            self.links[name] = Link(self, name, int(listen), int(target))

    def order(self, _):
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        name, mode = line.split()
        if mode not in MODES:
            sys.exit(f"no mode {mode}")
        self.links[name].change(mode)
        print("done", flush=True)

    def run(self):
        self.selector.register(sys.stdin, selectors.EVENT_READ, self.order)
        print("ready", flush=True)
        while True:
            for key, _ in self.selector.select():
                key.data(key)


if __name__ == "__main__":
    try:
        Relay(sys.argv[1:]).run()
    except KeyboardInterrupt:
        pass
