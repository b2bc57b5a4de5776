#!/usr/bin/python3
"""Python's `websockets`, written with coroutines: one task reads, the others wait for what concerns them.

Usage: asyncio_client.py URL CA-FILE all|prices|answer|send SECONDS NAME   (CA-FILE: - without TLS)
"""
import asyncio
import json
import ssl
import sys

import websockets

URL, CA, MODE, SECONDS, NAME = sys.argv[1:6]


class Stream:
    """What the server says on one id, in order."""

    def __init__(self, session, number):
        self.session, self.number, self.inbox = session, number, asyncio.Queue()

    async def next(self, *kinds):
        while True:
            message = await asyncio.wait_for(self.inbox.get(), 30)
            if isinstance(message, Exception):
                raise message
            if message["Type"] in kinds:
                return message

    async def until(self, kind, condition):
        while True:
            message = await self.next(kind)
            if condition(message):
                return message


class Session:
    def __init__(self, socket):
        self.socket, self.streams, self.pings, self.pongs = socket, {}, 0, asyncio.Queue()

    def stream(self, number):
        return self.streams.setdefault(number, Stream(self, number))

    async def say(self, message):
        await self.socket.send(json.dumps(message))

    async def read(self):
        try:
            async for text in self.socket:
                for message in json.loads(text):
                    if message["Type"] == "Ping":
                        self.pings += 1
                        await self.say({"Type": "Pong"})
                    elif message["Type"] == "Pong":
                        await self.pongs.put(message)
                    else:
                        await self.stream(message.get("ID", 0)).inbox.put(message)
            failure = ConnectionError("the server ended the connection")
        except Exception as why:  # whoever waits hears of it
            failure = why
        for stream in self.streams.values():
            await stream.inbox.put(failure)


def check(condition, text, message):
    if not condition:
        raise AssertionError(f"{text}: {json.dumps(message)}")


async def login(session):
    stream = session.stream(0)
    await session.say({"ID": 0, "Domain": "Login", "Key": {"Name": "user", "Elements": {
        "ApplicationId": 256, "Position": "127.0.0.1", "SingleOpen": "1"}}})
    answer = await stream.next("Refresh", "Status")
    check(answer["State"]["Stream"] == "Open" and answer["State"]["Data"] == "Ok", "login", answer)
    check(answer["Elements"]["PingTimeout"] > 0 and answer["Elements"]["MaxMsgSize"] > 6000, "limits of the login", answer)
    return stream


async def item(session, number, name, **more):
    stream = session.stream(number)
    await session.say({"ID": number, "Key": {"Name": name}, **more})
    image = await stream.next("Refresh", "Status")
    check(image["Type"] == "Refresh" and image["Key"] == {"Service": "DIRECT_FEED", "Name": name}, "image", image)
    return stream, image


async def post(session, number, post_id, bid, **more):
    await session.say({"ID": number, "Type": "Post", "Domain": "MarketPrice", "Ack": True, "PostID": post_id,
                       "PostUserInfo": {"Address": "127.0.0.1", "UserID": 7.0},
                       "Message": {"ID": 0, "Type": "Update", "Domain": "MarketPrice", "Fields": {"BID": bid}}, **more})
    return await session.stream(number).next("Ack", "Error")


async def everything(session):
    login_stream = await login(session)
    first, image = await item(session, 5, f"{NAME}.A")
    check(isinstance(image["Fields"]["BID"], float), "BID", image)
    update = await first.next("Update")
    check(update["Key"] == {"Service": "DIRECT_FEED", "Name": f"{NAME}.A"}, "key of an update", update)
    check(update["UpdateType"] == "Quote", "type of an update", update)

    await session.say({"ID": 6, "Key": {"Name": f"NONE.{NAME}"}})
    status = await session.stream(6).next("Status")
    check(status["State"]["Code"] == "NotFound" and status["Key"]["Name"] == f"NONE.{NAME}"
          and status["Key"]["Service"] == "DIRECT_FEED", "an item that is none", status)

    await session.say({"ID": 10, "Key": {"Name": [f"{NAME}.B", f"{NAME}.C"]}})
    status = await session.stream(10).next("Status")
    check(status["State"]["Stream"] == "Closed", "answer to a batch", status)
    for number, name in ((11, "B"), (12, "C")):
        image = await session.stream(number).next("Refresh")
        check(image["Key"]["Name"] == f"{NAME}.{name}", "image of a batch", image)

    view, image = await item(session, 20, f"{NAME}.V", View=["BID", "CURRENCY"])
    check(set(image["Fields"]) == {"BID", "CURRENCY"}, "fields of a view", image)
    update = await view.next("Update")
    check(set(update["Fields"]) == {"BID"}, "update of a view", update)

    snapshot, image = await item(session, 30, f"{NAME}.S", Streaming=False)
    check(image["State"]["Stream"] == "NonStreaming", "snapshot", image)

    ack = await post(session, 5, 1.0, 12.5)
    check(ack["Type"] == "Ack" and ack["AckID"] == 1 and "NakCode" not in ack, "post on stream", ack)
    await first.until("Update", lambda m: m["Fields"].get("BID") == 12.5 and m["PostUserInfo"]["UserID"] == 7)
    ack = await post(session, 0, 2, 0.1 + 0.2, Key={"Name": f"{NAME}.A"})
    check(ack["Type"] == "Ack" and ack["AckID"] == 2 and "NakCode" not in ack, "post off stream", ack)
    await first.until("Update", lambda m: m["Fields"].get("BID") == 0.3)
    nak = await post(session, 5, 3, -1)
    check(nak["AckID"] == 3 and nak["NakCode"] == "InvalidContent" and nak["Text"], "refusal of a post", nak)
    error = await post(session, 5, 4, "12.5")
    check(error["Type"] == "Error" and "12.5" in error["Text"], "a number in quotes", error)

    await session.say({"Type": "Ping"})
    await asyncio.wait_for(session.pongs.get(), 30)

    await session.say({"ID": [11, 12], "Type": "Close"})
    closed = await session.stream(11).next("Status")
    check(closed["State"]["Stream"] == "Closed", "answer to the close of a batch", closed)
    await session.say({"ID": 5, "Type": "Close"})
    await session.say({"ID": 20, "Type": "Close"})
    for number in (5, 12, 20):  # what was on its way before the close
        while not session.stream(number).inbox.empty():
            session.stream(number).inbox.get_nowait()
    await session.say({"Type": "Ping"})
    await asyncio.wait_for(session.pongs.get(), 30)
    late = {number: session.stream(number).inbox.qsize() for number in (5, 12, 20, 30)}
    await item(session, 40, f"{NAME}.D")
    await session.stream(40).next("Update")
    check(late == {n: session.stream(n).inbox.qsize() for n in late}, "updates after the close", late)
    await session.say({"ID": 0, "Type": "Close", "Domain": "Login"})
    return login_stream


async def prices(session):
    """What any provider of prices gives."""
    await login(session)
    first, image = await item(session, 5, f"{NAME}.A")
    check(image["Fields"]["BID"] > 0, "BID", image)
    update = await first.next("Update")
    check(update["Key"] == image["Key"], "key of an update", update)
    await session.say({"ID": 10, "Key": {"Name": [f"{NAME}.B", f"{NAME}.C"]}})
    for number, name in ((11, "B"), (12, "C")):
        image = await session.stream(number).next("Refresh")
        check(image["Key"] == {"Service": "DIRECT_FEED", "Name": f"{NAME}.{name}"}, "image of a batch", image)
    _, image = await item(session, 30, f"{NAME}.S", Streaming=False)
    check(image["State"]["Stream"] == "NonStreaming", "snapshot", image)
    for number, more in ((5, {}), (0, {"Key": {"Name": f"{NAME}.A"}})):
        ack = await post(session, number, 1, 12.5, **more)
        check(ack["Type"] == "Ack" and "NakCode" not in ack, "post", ack)
    await session.say({"ID": 0, "Type": "Close", "Domain": "Login"})


async def idle(session):
    """Nothing but pings: our own ones once a second, or only answers to the server's."""
    await login(session)
    end = asyncio.get_running_loop().time() + float(SECONDS)
    pongs = 0
    while asyncio.get_running_loop().time() < end:
        if MODE == "send":
            await session.say({"Type": "Ping"})
            await asyncio.wait_for(session.pongs.get(), 10)
            pongs += 1
        await asyncio.sleep(1)
        if session.socket.closed:
            raise ConnectionError("the server ended the connection")
    check(session.pings > 0 or MODE == "send", "pings", session.pings)
    return f"pings={session.pings} pongs={pongs}"


async def main():
    context = ssl.create_default_context(cafile=CA) if URL.startswith("wss") else None
    async with websockets.connect(URL, subprotocols=["tr_json2"], ssl=context, max_size=None, ping_interval=None) as socket:
        check(socket.subprotocol == "tr_json2", "sub-protocol", socket.subprotocol)
        session = Session(socket)
        reader = asyncio.create_task(session.read())
        said = await {"all": everything, "prices": prices}.get(MODE, idle)(session)
        await socket.close()
        await reader
        return said if isinstance(said, str) else f"streams={len(session.streams)} closed={socket.close_code}"


try:
    print("RESULT ok", asyncio.run(main()))
except Exception as failure:
    print("RESULT failed", type(failure).__name__, failure)
    sys.exit(1)
