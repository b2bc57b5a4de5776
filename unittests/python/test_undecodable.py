"""What a peer sends badly costs its own message alone; what Python cannot show costs nothing else."""
import base64
import hashlib
import json
import socket
import struct
import threading

import pytest

import emissary


class BadProvider:
    """A scripted provider of rssl.json.v2: each item gets an image; what send() is given goes out as it is."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._streams, self._opened = {}, threading.Condition()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._listener.close()

    def send(self, item, **message):
        with self._opened:
            assert self._opened.wait_for(lambda: item in self._streams, 20)
            connection, stream = self._streams[item]
        self._text(connection, {"ID": stream, **message})

    def _serve(self):
        try:
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()
        except OSError:
            pass  # closed

    def _talk(self, connection):
        reader = connection.makefile("rb")
        headers = {}
        while line := reader.readline().strip():
            name, _, value = line.partition(b":")
            headers[name.strip().lower()] = value.strip()
        key = base64.b64encode(hashlib.sha1(headers[b"sec-websocket-key"] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        protocol = headers[b"sec-websocket-protocol"].split(b",")[0].strip()
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                           + key + b"\r\nSec-WebSocket-Protocol: " + protocol + b"\r\n\r\n")
        while head := reader.read(2):
            length = head[1] & 127
            if length > 125:
                length = struct.unpack(">H", reader.read(2))[0] if length == 126 else struct.unpack(">Q", reader.read(8))[0]
            mask = reader.read(4)
            text = bytes(byte ^ mask[i % 4] for i, byte in enumerate(reader.read(length)))
            if head[0] & 15 == 8:
                return
            messages = json.loads(text)
            for message in messages if isinstance(messages, list) else [messages]:
                self._answer(connection, message)

    def _answer(self, connection, message):
        if message.get("Type") == "Ping":
            return self._text(connection, {"Type": "Pong"})
        if message.get("Type", "Request") != "Request":
            return
        answer = {"ID": message["ID"], "Type": "Refresh", "State": {"Stream": "Open", "Data": "Ok"}}
        if message.get("Domain") == "Login":
            answer |= {"Domain": "Login", "Key": {"Name": "u", "Elements": {"SingleOpen": 1}}}
        elif message.get("Domain") == "Source":
            info = {"Name": "SVC", "Capabilities": {"Type": "Array", "Data": {"Type": "UInt", "Data": [6]}}}
            filters = [{"ID": 1, "Action": "Set", "Elements": info},
                       {"ID": 2, "Action": "Set", "Elements": {"ServiceState": 1, "AcceptingRequests": 1}}]
            answer |= {"Domain": "Source", "Key": {"Filter": 3},
                       "Map": {"KeyType": "UInt", "Entries": [{"Action": "Add", "Key": 1, "FilterList": {"Entries": filters}}]}}
        else:
            answer |= {"Key": {"Service": 1, "Name": message["Key"]["Name"]}, "Fields": {"BID": 1.5}}
            with self._opened:
                self._streams[message["Key"]["Name"]] = connection, message["ID"]
                self._opened.notify_all()
        self._text(connection, answer)

    @staticmethod
    def _text(connection, message):
        data = json.dumps(message).encode()
        connection.sendall(b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))) + data)


CONFIG = """<EmaConfig><ConsumerGroup><DefaultConsumer value="C"/><ConsumerList><Consumer><Name value="C"/><Channel value="H"/>
<Dictionary value="D"/></Consumer></ConsumerList></ConsumerGroup><ChannelGroup><ChannelList><Channel><Name value="H"/>
<ChannelType value="ChannelType::RSSL_WEBSOCKET"/><Host value="127.0.0.1"/><Port value="{port}"/></Channel></ChannelList></ChannelGroup>
<DictionaryGroup><DictionaryList><Dictionary><Name value="D"/><DictionaryType value="DictionaryType::FileDictionary"/>
<RdmFieldDictionaryFileName value="{folder}/RDMFieldDictionary"/><EnumTypeDefFileName value="{folder}/enumtype.def"/></Dictionary>
</DictionaryList></DictionaryGroup></EmaConfig>"""


def read(session, count):
    """Batches with so many rows."""
    batches = []
    while sum(map(len, batches)) < count:
        batches.append(session.next_batch(1000, timeout=20))
        assert batches[-1], "nothing came"
    return batches


@pytest.fixture
def bad():
    provider = BadProvider()
    yield provider
    provider.close()


def test_a_payload_that_cannot_be_decoded_costs_its_own_row(bad):
    with emissary.connect(config_text=CONFIG.format(port=bad.port, folder=emissary.provider.DICTIONARIES), service="SVC") as session:
        session.open(["GOOD", "BAD"])
        read(session, 2)
        for bid in range(5):
            bad.send("GOOD", Type="Update", Fields={"BID": bid})
        bad.send("BAD", Type="Update", Message={"ID": 1, "Type": "Close"})
        for bid in range(5, 10):
            bad.send("GOOD", Type="Update", Fields={"BID": bid})
        batches = read(session, 11)
        messages = [message for batch in batches for message in batch]
        assert [m["BID"] for m in messages if m.name == "GOOD"] == list(range(10))
        (unreadable,) = (m for m in messages if m.name == "BAD")
        assert isinstance(unreadable.data, emissary.data.Unreadable) and str(unreadable.data)
        assert unreadable.fields == {} and "BID" not in unreadable and unreadable.get("BID") is None
        assert repr(unreadable) == "<update BAD current {}>"
        assert sum(batch.unreadable for batch in batches) == 1
        assert sum(len(batch.dicts()) for batch in batches) == 11
        for batch in batches:
            assert len(batch.numpy("BID")) == len(batch)
            assert batch.validity("BID") == [m.name == "GOOD" for m in batch]


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
def test_the_least_mantissa_is_a_number(provider, session):
    session.open(["A.X", "B.X"])
    read(session, 2)
    provider._core.publish("A.X", [(0, 0, 0, 22, 3, -2**63, 22, 0.0, None, b"", False)])
    (batch,) = read(session, 1)
    assert batch.dicts() == [{"BID": -2**63}]


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
def test_infinities_are_no_ratios(provider, connect):
    session = connect(real="tuple")
    session.open("A.X")
    read(session, 1)
    provider._core.publish("A.X", [(0, 0, 0, 22, 3, 0, 33, 0.0, None, b"", False)])
    (batch,) = read(session, 1)
    assert batch.dicts() == [{"BID": float("inf")}]


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
def test_a_text_that_is_no_utf_8_costs_no_other(provider, session):
    pyarrow = pytest.importorskip("pyarrow")
    session.columns(["PNAC"])
    session.open(["A.X", "B.X"])
    read(session, 2)
    for item, text in ("A.X", "fine".encode()), ("B.X", b"\xff\xc3\xa9\xed\xa0\x80"):
        provider._core.publish(item, [(0, 0, 0, 235, 10, 0, 0, 0.0, None, text, False)])
    table = emissary.Table(read(session, 2))
    arrow = pyarrow.table(table)
    arrow.validate(full=True)
    assert sorted(arrow["PNAC"].to_pylist()) == ["fine", "\ufffd\u00e9\ufffd\ufffd\ufffd"]
    assert sorted(m["PNAC"] for m in table) == ["fine", "\ufffd\u00e9\ufffd\ufffd\ufffd"]


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
def test_numbers_that_do_not_fit_are_refused(provider):
    good = (0, 0, 0, 22, 3, 1, 14, 0.0, None, b"", False)
    for place, number in (0, 256), (1, -1), (2, 256), (3, 22 + 65_536), (4, 256 + 3), (6, 256 + 14):
        with pytest.raises(ValueError, match=str(number)):
            provider._core.publish("A.X", [good[:place] + (number,) + good[place + 1:]])
