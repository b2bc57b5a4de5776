#!/usr/bin/python3
"""Python's `websocket-client`, as its examples have it: callbacks of a WebSocketApp in a thread of its own, a program that waits.
It logs in on 1 and asks for everything in one text behind the login, before the answer has come.

Usage: threaded_client.py URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
"""
import json
import sys
import threading
import time

import websocket

url, ca_file, mode, seconds, name = sys.argv[1:6]
news = threading.Condition()
received, pings, pongs = [], 0, 0
ended = None
opened = threading.Event()


def on_open(_):
    opened.set()


def on_message(app, text):
    global pings, pongs
    for message in json.loads(text):
        if message["Type"] == "Ping":
            app.send('{"Type":"Pong"}')
        with news:
            pings += message["Type"] == "Ping"
            pongs += message["Type"] == "Pong"
            received.append(message)
            news.notify_all()


def on_error(_, error):
    global ended
    with news:
        ended = error
        news.notify_all()


def on_close(_, code, reason):
    on_error(_, f"closed: {code} {reason}")
    opened.set()


def wait_for(what, condition):
    """The first message that is so; what came before it stays."""
    end = time.monotonic() + 30
    with news:
        while True:
            for message in received:
                if condition(message):
                    return message
            if ended is not None or not news.wait(end - time.monotonic()):
                raise AssertionError(f"{what}: {ended or 'nothing'}; last: {received[-3:]}")


def wait_type(number, kind, more=lambda m: True):
    return wait_for(f"{kind} on {number}", lambda m: m.get("ID") == number and m["Type"] == kind and more(m))


def check(condition, text, message):
    if not condition:
        raise AssertionError(f"{text}: {json.dumps(message)}")


def login():
    return {"ID": 1, "Domain": "Login", "Key": {"NameType": "AuthnToken", "Name": "", "Elements": {
        "AuthenticationToken": "not.a.secret", "ApplicationId": "256", "Position": "127.0.0.1/net",
        "AllowSuspectData": True, "ProvidePermissionProfile": None}}}


def everything(app):
    say = lambda *messages: app.send(json.dumps(messages if len(messages) > 1 else messages[0]))
    key = lambda item: {"Name": f"{name}.{item}"}
    say(login(), {"ID": 2, "Key": key("A")}, {"ID": 3, "Domain": "MarketByOrder", "Key": key("BOOK")},
        {"ID": 4, "Key": {"Name": f"{name}.Q", "Service": "DIRECT_FEED"}, "KeyInUpdates": False, "Streaming": True},
        {"ID": 100, "Key": {"Name": [f"{name}.{i}" for i in range(20)]}, "View": [22, "ASK"]})
    answer = wait_type(1, "Refresh")
    check(answer["Domain"] == "Login" and answer["State"] == {**answer["State"], "Stream": "Open", "Data": "Ok"}, "login", answer)
    image = wait_type(2, "Refresh")
    check(image["Key"] == {"Service": "DIRECT_FEED", "Name": f"{name}.A"} and image["Fields"]["TRADE_DATE"] == "2026-03-29", "image", image)
    update = wait_type(2, "Update")
    check(update["Key"] == image["Key"], "key of an update", update)
    book = wait_type(3, "Refresh")
    check(book["Domain"] == "MarketByOrder" and book["Map"]["Entries"][0]["Key"] == "ORDER1"
          and "BID" in book["Map"]["Entries"][0]["Fields"], "order book", book)
    update = wait_type(4, "Update")
    check("Key" not in update, "an update whose key is not wanted", update)
    wait_type(100, "Status", lambda m: m["State"]["Stream"] == "Closed")
    for i in range(20):
        image = wait_type(101 + i, "Refresh")
        check(image["Key"]["Name"] == f"{name}.{i}" and set(image["Fields"]) == {"BID", "ASK"}, "image of a batch with a view", image)
    wait_type(120, "Update", lambda m: m["Key"]["Service"] == "DIRECT_FEED")

    user = {"Address": "127.0.0.1", "UserID": 5}
    say({"ID": 2, "Type": "Post", "Ack": True, "PostID": 1, "SeqNumber": 1e3, "PostUserInfo": user,
         "Fields": {"BID": 21, "BIDSIZE": 3.0}})
    ack = wait_type(2, "Ack")
    check(ack["AckID"] == 1 and ack["SeqNumber"] == 1000 and "NakCode" not in ack, "post on stream", ack)
    wait_type(2, "Update", lambda m: m["Fields"].get("BID") == 21 and m["PostUserInfo"]["UserID"] == 5)
    say({"ID": 1, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": 2, "PostUserInfo": user, "Key": key("A"),
         "Message": {"ID": 1, "Type": "Refresh", "Domain": "MarketPrice", "Fields": {"BID": 3.3000000000000003}}})
    ack = wait_type(1, "Ack")
    check(ack["AckID"] == 2 and "NakCode" not in ack, "post off stream", ack)
    wait_type(2, "Update", lambda m: m["Fields"].get("BID") == 3.3)
    say({"ID": 1, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": 3, "PostUserInfo": user, "Key": key("A"),
         "Message": {"ID": 1, "Type": "Update", "Fields": {"BID": -5.5}}})
    nak = wait_type(1, "Ack", lambda m: m["AckID"] == 3)
    check(nak["NakCode"] == "InvalidContent", "refusal of a post", nak)

    say({"ID": 5, "Streaming": False, "Key": {"Name": [f"{name}.S1", f"{name}.S2"]}})
    for number in (6, 7):
        image = wait_type(number, "Refresh")
        check(image["State"]["Stream"] == "NonStreaming", "snapshot of a batch", image)
    say({"ID": [101 + i for i in range(20)], "Type": "Close"})
    wait_type(101, "Status")
    say({"ID": 2, "Type": "Close"}, {"ID": 3, "Type": "Close", "Domain": "MarketByOrder"}, {"ID": 4, "Type": "Close"}, {"Type": "Ping"})
    wait_for("Pong", lambda m: m["Type"] == "Pong")
    with news:
        received.clear()
    say({"ID": 8, "Key": key("LAST")})
    wait_type(8, "Update")
    with news:
        check(all(m.get("ID") == 8 for m in received if m["Type"] not in ("Ping", "Pong")), "updates after the close", received)
    say({"ID": 1, "Type": "Close", "Domain": "Login"})
    return "items=28"


def idle(app):
    app.send(json.dumps(login()))
    wait_type(1, "Refresh")
    end = time.monotonic() + float(seconds)
    sent = 0
    while time.monotonic() < end:
        if mode == "send":
            sent += 1
            app.send('{"Type":"Ping"}')
            wait_for("Pong", lambda m: pongs >= sent)
        time.sleep(1)
        check(ended is None, "the connection", str(ended))
    check(mode == "send" or pings > 0, "pings", pings)
    return f"pings={pings} pongs={pongs}"


app = websocket.WebSocketApp(url, header=["User-Agent: Python"], subprotocols=["rssl.json.v2"], on_open=on_open, on_message=on_message,
                             on_error=on_error, on_close=on_close)
reader = threading.Thread(target=app.run_forever, daemon=True,
                          kwargs={"sslopt": {"ca_certs": ca_file}} if url.startswith("wss") else {})
reader.start()
try:
    check(opened.wait(30) and ended is None, "connection", str(ended))
    said = everything(app) if mode == "all" else idle(app)
    app.close()
    reader.join(10)
    print("RESULT ok", said)
except Exception as failure:
    print("RESULT failed", type(failure).__name__, failure)
    sys.exit(1)
