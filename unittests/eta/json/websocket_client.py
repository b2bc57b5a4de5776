#!/usr/bin/env python3
"""websocket_client.py PROVIDER DICTIONARIES: a client written without any of our code talks JSON to a provider.

Starts PROVIDER (examples/provider/posting/blotter) on an RSSL_WEBSOCKET port and, once for each JSON sub-protocol, logs
in, looks at the directory, requests an item, posts on it, sees the update and the acknowledgement, is refused where it
should be, and logs out.
"""
import asyncio
import json
import sys

from json_provider import PATIENCE, Provider, check

try:
    import websockets
except ImportError:
    sys.exit("Error: Python's websockets package is missing: install it with dev/install_packages.sh tests")


class Client:
    """Sends messages, receives them one by one; answers pings."""

    def __init__(self, connection):
        self.connection = connection
        self.inbox = []

    async def send(self, *messages):
        await self.connection.send(json.dumps(list(messages)))

    async def next(self, **wanted):
        """The next message whose members have these values; others are dropped, pings answered."""
        while True:
            while not self.inbox:
                text = await asyncio.wait_for(self.connection.recv(), PATIENCE)
                check(isinstance(text, str), "JSON must come in text frames")
                received = json.loads(text)
                check(isinstance(received, list), "what is sent must be an array", received)
                self.inbox += received
            message = self.inbox.pop(0)
            if message["Type"] == "Ping":
                await self.send({"Type": "Pong"})
            elif all(message.get(name) == value for name, value in wanted.items()):
                return message


async def session(port, protocol):
    uri = f"ws://127.0.0.1:{port}/WebSocket"
    async with websockets.connect(uri, subprotocols=[protocol], ping_interval=None, max_size=None) as connection:
        check(connection.subprotocol == protocol, f"the provider chose {connection.subprotocol}")
        client = Client(connection)

        await client.send({"ID": 1, "Domain": "Login", "Key": {"Name": "dana", "Elements": {
            "ApplicationId": "256", "Position": "127.0.0.1/net"}}})
        login = await client.next(ID=1)
        check(login["Type"] == "Refresh" and login["Domain"] == "Login", "login", login)
        check(login["State"] == {"Stream": "Open", "Data": "Ok"}, "login state", login)

        await client.send({"ID": 2, "Domain": "Source", "Key": {"Filter": 63}})
        directory = await client.next(ID=2)
        services = directory["Map"]["Entries"]
        name = services[0]["FilterList"]["Entries"][0]["Elements"]["Name"]
        check(directory["Map"]["KeyType"] == "UInt" and isinstance(name, str), "directory", directory)

        await client.send({"ID": 10, "Key": {"Name": "ZINC.D", "Service": name}},
                          {"ID": 11, "Key": {"Name": "LEAD.D", "Service": services[0]["Key"]}})
        for stream, item in (10, "ZINC.D"), (11, "LEAD.D"):
            refresh = await client.next(ID=stream)
            check(refresh["Type"] == "Refresh" and refresh["Key"]["Name"] == item, "image", refresh)
            check(refresh["Fields"]["BID"] == 39.90, "image", refresh)

        await client.send({"ID": 10, "Type": "Post", "Ack": True, "PostID": 7,
                           "PostUserInfo": {"Address": "10.9.8.7", "UserID": 77}, "Fields": {"BID": 41.25}})
        update = await client.next(ID=10, Type="Update")
        check(update["Fields"]["BID"] == 41.25, "update", update)
        check(update["PostUserInfo"] == {"Address": "10.9.8.7", "UserID": 77}, "update", update)
        ack = await client.next(Type="Ack")
        check(ack["ID"] == 10 and ack["AckID"] == 7 and "NakCode" not in ack, "acknowledgement", ack)

        await client.send({"ID": 1, "Type": "Post", "Ack": True, "PostID": 8,
                           "PostUserInfo": {"Address": "10.9.8.7", "UserID": 77},
                           "Key": {"Name": "LEAD.D", "Service": name},
                           "Message": {"ID": 0, "Type": "Update", "Fields": {"BID": -1}}})
        nak = await client.next(Type="Ack")
        check(nak["AckID"] == 8 and nak["NakCode"] == "InvalidContent", "refused post", nak)

        await client.send({"ID": 12, "Key": {"Name": "X", "Service": "NO_SUCH_SERVICE"}})
        error = await client.next(Type="Error")
        check(error["ID"] == 12 and "NO_SUCH_SERVICE" in error["Text"], "error", error)
        await client.send({"Type": "Ping"})
        await client.next(Type="Pong")

        await client.send({"ID": [10, 11], "Type": "Close"} if protocol == "tr_json2" else {"ID": 10, "Type": "Close"})
        await client.send({"ID": 1, "Type": "Close", "Domain": "Login"})


def main():
    for protocol in "rssl.json.v2", "tr_json2":
        with Provider(sys.argv[1], sys.argv[2], ServerType="ServerType::RSSL_WEBSOCKET") as provider:
            asyncio.run(session(provider.port, protocol))
            output = provider.finish()
            check("on-stream post for ZINC.D, id 7" in output, f"the provider printed: {output}")
            check("off-stream post for LEAD.D, id 8" in output, f"the provider printed: {output}")


if __name__ == "__main__":
    main()
