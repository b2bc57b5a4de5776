#!/usr/bin/python3
"""A publisher that speaks JSON, with blocking calls of `websocket-client`, and who reads what it publishes at the hub's other port:
login with Role 1, directory, images, updates, states, a generation that is closed.

Usage: publisher.py PUBLISHERS-URL CA-FILE CLIENTS-URL
"""
import json
import sys

import websocket

publishers, ca_file, clients = sys.argv[1:4]


class Line:
    def __init__(self, url, login):
        options = {"sslopt": {"ca_certs": ca_file}} if url.startswith("wss") else {}
        self.socket = websocket.create_connection(url, 30, subprotocols=["tr_json2"], **options)
        self.inbox = []
        self.say({"ID": -1, "Domain": "Login", "Key": {"Name": "feed", "Elements": {"ApplicationId": 256, "Position": "127.0.0.1", **login}}})
        answer = self.next(lambda m: m.get("ID") == -1)
        check(answer["State"]["Stream"] == "Open", "login", answer)

    def say(self, *messages):
        self.socket.send(json.dumps(messages))

    def next(self, fits):
        while True:
            while not self.inbox:
                self.inbox = json.loads(self.socket.recv())
            message = self.inbox.pop(0)
            if message["Type"] == "Ping":
                self.say({"Type": "Pong"})
            if fits(message):
                return message
            if message["Type"] == "Error":
                raise AssertionError(message["Text"])


def check(condition, text, message):
    if not condition:
        raise AssertionError(f"{text}: {json.dumps(message)}")


def main():
    reader = Line(clients, {})
    # Nobody publishes yet: these wait.
    reader.say({"ID": 1, "Key": {"Name": "EARLY"}}, {"ID": 2, "Key": {"Name": "NEVER"}})
    waiting = reader.next(lambda m: m.get("ID") == 1)
    check(waiting["Type"] == "Status" and waiting["State"]["Stream"] == "Open", "an item before its service", waiting)
    feed = Line(publishers, {"Role": 1.0})
    feed.say({"ID": -2, "Type": "Refresh", "Domain": "Source", "Solicited": False, "Key": {"Filter": 3}, "Map": {
        "KeyType": "UInt", "Entries": [{"Action": "Add", "Key": 10, "FilterList": {"Entries": [
            {"ID": 1, "Action": "Set", "Elements": {"Name": "PYTHON_FEED", "Capabilities": {"Type": "Array", "Data": {"Type": "UInt", "Data": [6]}}}},
            {"ID": 2, "Action": "Set", "Elements": {"ServiceState": 1, "AcceptingRequests": 1}}]}}]}})
    for i in range(50):
        name = "EARLY" if i == 0 else f"ITEM{i}"
        feed.say({"ID": 100 + i, "Type": "Refresh", "Solicited": False, "Key": {"Name": name, "Service": "PYTHON_FEED"},
                  "Fields": {"DSPLY_NAME": "Zoë & Söhne", "BID": 39.90 + i, "CURRENCY": "USD", "TRADE_DATE": "2026-03-29",
                             "TRDTIM_1": "12:00:00+02:00", "ASK": 0.1 + 0.2, "BIDSIZE": 5.0}})
    image = reader.next(lambda m: m.get("ID") == 1 and m["Type"] == "Refresh")
    fields = image["Fields"]
    check(image["Key"] == {"Service": "PYTHON_FEED", "Name": "EARLY"}, "key of an image", image)
    check(fields["DSPLY_NAME"] == "Zoë & Söhne" and fields["BID"] == 39.9 and fields["ASK"] == 0.3 and fields["BIDSIZE"] == 5
          and fields["CURRENCY"].strip() == "USD" and fields["TRDTIM_1"] == "10:00:00", "fields", image)
    reader.say({"ID": 200, "Key": {"Name": [f"ITEM{i}" for i in range(1, 50)]}})
    for i in range(1, 50):
        image = reader.next(lambda m: m.get("ID") == 200 + i and m["Type"] == "Refresh")
        check(image["Key"]["Name"] == f"ITEM{i}" and image["Fields"]["BID"] == 39.9 + i, "image of a batch", image)
    feed.say({"ID": 100, "Type": "Update", "UpdateType": "Trade", "Fields": {"BID": 40}},
             {"ID": 101, "Type": "Status", "State": {"Stream": "Open", "Data": "Suspect", "Text": "no trades"}},
             {"ID": 102, "Type": "Status", "State": {"Stream": "Closed", "Data": "Suspect", "Code": "NotFound"}})
    update = reader.next(lambda m: m.get("ID") == 1 and m["Type"] == "Update")
    check(update["Fields"] == {"BID": 40} and update["Key"]["Name"] == "EARLY" and update["UpdateType"] == "Trade", "update", update)
    suspect = reader.next(lambda m: m.get("ID") == 201 and m["Type"] == "Status")
    check(suspect["State"]["Data"] == "Suspect" and suspect["Key"] == {"Service": "PYTHON_FEED", "Name": "ITEM1"}, "state", suspect)
    closed = reader.next(lambda m: m.get("ID") == 202 and m["Type"] == "Status")
    check(closed["State"]["Stream"] == "Closed", "a closed item", closed)
    # A post is applied by the hub, on the publisher's image.
    reader.say({"ID": -1, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": 4, "PostUserInfo": {"Address": "127.0.0.1", "UserID": 2},
                "Key": {"Name": "EARLY"}, "Message": {"ID": 0, "Type": "Update", "Fields": {"BID": 41}}})
    ack = reader.next(lambda m: m["Type"] == "Ack")
    check(ack["AckID"] == 4 and "NakCode" not in ack, "post", ack)
    feed.say({"ID": -1, "Type": "Close", "Domain": "Login"})
    lost = reader.next(lambda m: m.get("ID") == 1 and m["Type"] == "Status")
    check(lost["State"]["Stream"] == "Open" and lost["State"]["Data"] == "Suspect" and lost["Key"]["Name"] == "EARLY", "the publisher gone", lost)
    reader.say({"ID": -1, "Type": "Close", "Domain": "Login"})
    feed.socket.close()
    reader.socket.close()
    return "items=50"


try:
    print("RESULT ok", main())
except Exception as failure:
    print("RESULT failed", type(failure).__name__, failure)
    sys.exit(1)
