#!/usr/bin/env python3
"""python_beside.py HOST [SECONDS [SERVICE ITEM...]]: the same loop, a dictionary of each update and five fields read, in one run: rssl.json.v2
with `websockets` and orjson, and the Python package over rssl.json.v2 and over RIPC. HOST is a port that speaks both, such as a hub's, whose
provider sends more than is read. Needs `websockets` and orjson."""
import sys
import time

import orjson
import websockets.sync.client

import emissary

host, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
service = sys.argv[3] if len(sys.argv) > 3 else "DIRECT_FEED"
NAMES = sys.argv[4:] or [f"EMI{i:07d}.X" for i in range(1, 1001)]


def read(fields):
    return fields.get("BID"), fields.get("ASK"), fields.get("BIDSIZE"), fields.get("ASKSIZE"), fields.get("TIMACT")


def report(name, count, spent, busy):
    print(f"{name:44} {count / spent:12,.0f} updates/s  {100 * busy / spent:4.0f} % of a core  {count / busy:12,.0f} per busy second", flush=True)


def script():
    """As scripts for rssl.json.v2 do it."""
    with websockets.sync.client.connect(f"ws://{host}/WebSocket", subprotocols=["rssl.json.v2"], max_size=None) as socket:
        socket.send(orjson.dumps({"ID": 1, "Domain": "Login", "Key": {"Name": "bench", "Elements": {"ApplicationId": "256",
                                                                                                      "Position": "127.0.0.1"}}}).decode())
        images, count, begun = 0, 0, 0.0
        cpu = 0.0
        while not begun or time.perf_counter() - begun < seconds:
            for message in orjson.loads(socket.recv()):
                kind = message["Type"]
                if kind == "Update":
                    read(message["Fields"])
                    count += 1 if begun else 0
                elif kind == "Ping":
                    socket.send('{"Type":"Pong"}')
                elif kind == "Refresh" and message.get("Domain") == "Login":
                    socket.send(orjson.dumps({"ID": 2, "Key": {"Name": NAMES, "Service": service}}).decode())
                elif kind == "Refresh":
                    images += 1
            if not begun and images >= len(NAMES):
                begun, cpu = time.perf_counter(), time.process_time()
        report("websockets and orjson, rssl.json.v2", count, time.perf_counter() - begun, time.process_time() - cpu)


def package(name, **options):
    with emissary.connect(host, service=service, real="float", dispatch_max=6500, **options) as session:
        session.open(NAMES, batch=True)
        seen = 0
        while seen < len(NAMES):
            seen += len(session.next_batch(10_000, 5))
        count, begun, cpu = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - begun < seconds:
            for fields in session.next_batch(10_000, 5).dicts():
                read(fields)
                count += 1
        report(name, count, time.perf_counter() - begun, time.process_time() - cpu)


script()
package("emissary, rssl.json.v2", websocket="json")
package("emissary, RIPC")
