#!/usr/bin/env python3
"""wsload beside clients of another WebSocket implementation, the Python package websockets, at the same hub and feed.

    websockets_peer.py --bin FOLDER [--clients N] [--seconds N] [--untimed]

Both must see no gap and end with the feed's last values; the latencies of both are printed beside each other. Those of Python have its own
time in them.
"""
import asyncio
import json
import pathlib
import sys
import threading
import time

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "PerfTools/scenarios/web"))
from web import Web, arguments, finish, main, wsload_passed  # noqa: E402

ITEMS = [f"WEB{i}" for i in range(20)]


class Peers:
    """So many clients in a thread with a loop of its own. `last` has (SEQNUM, BID) by client and item."""

    def __init__(self, url, count):
        self.url, self.count = url, count
        self.last, self.gaps, self.latencies, self.wrong = {}, 0, [], []
        self.measuring = False
        self.ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._all()), daemon=True).start()

    async def _all(self):
        await asyncio.gather(*(self._client(n) for n in range(self.count)))

    async def _client(self, number):
        try:
            async with websockets.connect(self.url, subprotocols=["rssl.json.v2"], max_size=None) as socket:
                await socket.send(json.dumps({"ID": 1, "Domain": "Login", "Key": {"Name": f"peer{number}", "Elements": {
                    "ApplicationId": "256", "Position": "127.0.0.1/net"}}}))
                async for text in socket:
                    now = time.monotonic_ns() // 1000
                    for message in json.loads(text):
                        await self._take(socket, number, message, now)
        except websockets.ConnectionClosed:
            pass
        except Exception as e:  # shown by the test
            self.wrong.append(f"peer{number}: {e!r}")

    async def _take(self, socket, number, message, now):
        if message["Type"] == "Ping":
            await socket.send('{"Type":"Pong"}')
        elif message.get("Domain") == "Login":
            await socket.send(json.dumps({"ID": 2, "Key": {"Service": "WEB_FEED", "Name": ITEMS}}))
        elif message["Type"] in ("Refresh", "Update"):
            fields, key = message["Fields"], (number, ITEMS[message["ID"] - 3])
            if message["Type"] == "Update":
                self.gaps += fields["SEQNUM"] != self.last[key][0] + 1
                if self.measuring:
                    self.latencies.append(now - fields["TIM_TRK_1"])
            self.last[key] = (fields["SEQNUM"], fields["BID"])
            if len(self.last) == self.count * len(ITEMS):
                self.ready.set()
        elif message.get("State", {}).get("Data") != "Ok":
            self.wrong.append(f"peer{number}: {json.dumps(message)}")


def run(options):
    web = Web(options, "websockets-peer")
    clients = options.clients or 50
    peers = Peers(f"ws://127.0.0.1:{web.stage.consumer_port}/WebSocket", clients)
    if not peers.ready.wait(60):
        raise SystemExit(f"only {len(peers.last)} images in Python; {peers.wrong}")

    def during():
        peers.measuring = True

    row, result, _ = web.load("wsload", "-streams", 20, "-maxLatency", 1000, clients=clients, during=during)
    peers.measuring = False
    truth = {}
    for line in web.truth.read_text().splitlines():
        name, sequence, bid = line.split(",")
        truth[name] = (int(sequence), float(bid))
    # wsload has waited for two seconds behind the feed's last update; Python may need a little more to read.
    end = time.monotonic() + 20
    wanted = {(n, name): truth[name] for n in range(clients) for name in ITEMS}
    while peers.last != wanted and time.monotonic() < end:
        time.sleep(0.05)
    different = sum(peers.last.get(key) != value for key, value in wanted.items())
    late = sorted(peers.latencies) or [0]
    other = {"run": "websockets", "clients": clients, "msg/s": len(peers.latencies) / web.seconds, "mean ms": sum(late) / len(late) / 1000}
    for name, share in (("p50 ms", 0.5), ("p99 ms", 0.99), ("p99.9 ms", 0.999), ("max ms", 1)):
        other[name] = late[max(0, int(share * len(late)) - 1)] / 1000
    other["gaps"] = peers.gaps
    finish(web.stage, "wsload beside clients in Python", [row, other],
           [*wsload_passed("wsload", result), (f"wsload ends with the feed's values: {result['truth']}", result["truth"] == "equal"),
            (f"Python ends with the feed's values: {different} differ", different == 0), (f"no gap in Python: {peers.gaps}", peers.gaps == 0),
            (f"as many messages: {row['msg/s']:.0f} and {other['msg/s']:.0f} a second",
             abs(row["msg/s"] - other["msg/s"]) <= 0.25 * row["msg/s"]),
            ("nothing else came: " + ("; ".join(peers.wrong[:3]) or "-"), not peers.wrong)])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__)))
