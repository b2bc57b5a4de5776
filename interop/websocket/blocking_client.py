#!/usr/bin/python3
"""`websocket-client` with blocking calls, as a script of a few lines has it: images of a list of items, asked for in batches, and the
posts of a spreadsheet, many at once. It lets the library pick a sub-protocol of two and names the service in every request.

Usage: blocking_client.py URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
"""
import json
import sys
import time

import websocket

url, ca_file, mode, seconds, name = sys.argv[1:6]
pings = pongs = 0
inbox = []


def say(message):
    socket.send(json.dumps(message, indent=4))


def next_message():
    global pings, pongs
    while not inbox:
        inbox.extend(json.loads(socket.recv()))
    message = inbox.pop(0)
    pings += message["Type"] == "Ping"
    pongs += message["Type"] == "Pong"
    if message["Type"] == "Ping":
        say({"Type": "Pong"})
    return message


def check(condition, text, message):
    if not condition:
        raise AssertionError(f"{text}: {json.dumps(message)}")


def images(names, number):
    """Name -> fields; whatever else comes is no matter."""
    say({"ID": number, "Type": "Request", "Domain": "MarketPrice", "Streaming": False,
         "Key": {"Service": "DIRECT_FEED", "NameType": "Ric", "Name": names}})
    found = {}
    while len(found) < len(names):
        message = next_message()
        check(message["Type"] != "Error", "error", message)
        if message["Type"] in ("Refresh", "Status") and message["ID"] > number:
            check(message["State"]["Stream"] in ("NonStreaming", "Closed"), "state", message)
            found[message["Key"]["Name"]] = message.get("Fields", {})
    return found


def everything():
    names = [f"{name}.{i}" for i in range(199)] + [f"NONE.{name}"]
    for round_ in range(3):  # the same ids again: each is free when its image has come
        found = images(names, 1000)
        check(set(found) == set(names) and found[f"NONE.{name}"] == {}, "images", sorted(set(names) - set(found)))
        check(all(found[one]["BID"] > 0 for one in names[:-1]), "prices", found)
    user = {"Address": "10.1.2.3", "UserID": 4294967295}
    for i in range(100):
        say({"ID": 1, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": i, "SeqNumber": i, "PostUserInfo": user,
             "Key": {"Service": "DIRECT_FEED", "Name": names[i]}, "Message": {
                 "ID": 1, "Type": "Update", "Domain": "MarketPrice", "Fields": {"BID": i / 3 - 1, "DSPLY_NAME": None}}})
    acks = {}
    while len(acks) < 100:
        message = next_message()
        if message["Type"] == "Ack":
            check(message["ID"] == 1 and message["Key"]["Name"] == names[message["AckID"]], "acknowledgement", message)
            acks[message["AckID"]] = message.get("NakCode")
    check([i for i in acks if acks[i]] == [0, 1, 2], "refused posts", acks)
    say({"ID": 1, "Type": "Close", "Domain": "Login"})
    return f"images={3 * len(names)} posts={len(acks)}"


def idle():
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        if mode == "send":
            say({"Type": "Ping"})
            while next_message()["Type"] != "Pong":
                pass
            time.sleep(1)
        else:
            next_message()
    check(mode == "send" or pings > 0, "pings", pings)
    return f"pings={pings} pongs={pongs}"


try:
    socket = websocket.create_connection(url, 30, subprotocols=["rssl.json.v2", "tr_json2"],
                                         sslopt={"ca_certs": ca_file} if url.startswith("wss") else None)
    say({"ID": 1, "Domain": "Login", "Key": {"Name": "script", "Elements": {"ApplicationId": "256", "Position": "10.1.2.3/net"}}})
    answer = next_message()
    check(answer["State"]["Stream"] == "Open", "login", answer)
    said = everything() if mode == "all" else idle()
    socket.close()
    print("RESULT ok", said)
except Exception as failure:
    print("RESULT failed", type(failure).__name__, failure)
    sys.exit(1)
