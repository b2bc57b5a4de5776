"""What becomes of a connection and of a slow reader reaches the program; last values say what is not current."""
import threading
import time
from decimal import Decimal

import pytest

import emissary
import emissary.testing
from emissary.data import JIT_CONFLATION_STARTED, REALTIME_RESUMED


class Reader:
    """The messages of a session one after the other."""

    def __init__(self, session):
        self.messages = (message for batch in session.batches(timeout=10) for message in batch.messages())

    def next(self, wanted):
        for message in self.messages:
            if wanted(message):
                return message
        pytest.fail("nothing comes any more")


def test_a_lost_connection_and_its_recovery_are_events(provider, session):
    login = session.open_login()
    reader = Reader(session)
    assert session.open_login() is login and session.item(reader.next(lambda m: m.item == 0)) is login
    assert login.state == "current" and not login.stale and not login.slow
    item = session.open("A.X")
    reader.next(lambda m: m.item == item.number and m.type == "image")
    port, json = provider.port, provider.websocket
    provider.close()
    lost = reader.next(lambda m: m.item == 0)
    assert lost.type == "status" and lost.stale and lost.text and login.stale and login.text
    reader.next(lambda m: m.item == item.number and m.stale)
    assert item.stale
    with emissary.testing.Provider(items={"A.X": {"BID": 5}}, port=port, websocket=json):
        reader.next(lambda m: m.item == 0 and not m.stale)
        assert not login.stale
        back = reader.next(lambda m: m.item == item.number and m.type == "image")
        assert not back.stale and back["BID"] == 5 and not item.stale
    with pytest.raises(emissary.UsageError, match="while items are open"):
        session.snapshot("A.X")
    login.close()


@pytest.mark.parametrize("websocket", [None, "json"])
def test_a_slow_reader_learns_that_updates_are_joined_and_that_they_are_not_any_more(hub, websocket):
    with emissary.NiProvider(f"localhost:{hub.publishers}", service="NI_FEED", service_id=5) as publisher:
        publisher.publish("S.X", BID=0)
        with emissary.connect(f"localhost:{hub.consumers}", service="NI_FEED", websocket=websocket,
                              dispatch_max=1) as session:
            login = session.open_login()
            session.open("S.X")
            Reader(session).next(lambda m: m.type == "image" and m.item == 1)
            text = "x" * 200
            for number in range(40_000):  # nobody reads
                publisher.publish("S.X", BID=number, HEADLINE1=text)
            updates, last, codes = 0, None, []
            while REALTIME_RESUMED not in codes:
                batch = session.next_batch(rows=1, timeout=10)
                assert len(batch) > 0, "the hub does not say that it goes on"
                for message in batch.messages():
                    if message.item == 0:
                        assert message.type == "status" and not message.stale and message.text
                        assert login.slow is (message.code == JIT_CONFLATION_STARTED) and session.item(message) is login
                        codes.append(message.code)
                    elif message.type == "update":
                        updates, last = updates + 1, message["BID"]
            assert codes == [JIT_CONFLATION_STARTED, REALTIME_RESUMED]
            publisher.publish("S.X", BID=99_999)
            while last != 99_999:
                for message in session.next_batch(timeout=10).messages():
                    if message.type == "update":
                        updates, last = updates + 1, message["BID"]
            assert updates < 40_001  # some were joined


def test_last_values_say_what_is_not_current(provider, connect):
    session = connect()
    values = emissary.LastValues(session, ["A.X", "B.X", "NONE.X"])
    assert len(values) == 3 and list(values) == ["A.X", "B.X", "NONE.X"]
    assert values.stale() == ["A.X", "B.X", "NONE.X"] and values["A.X"].state == "pending" and values.age("A.X") is None
    seen = set()
    while seen != {"A.X", "B.X", "NONE.X"}:
        seen |= values.update(timeout=10)
    assert values.stale() == ["NONE.X"] and values["NONE.X"].state == "closed" and "no such item" in values["NONE.X"].text
    assert dict(values["A.X"]) == {"BID": Decimal("39.90"), "ASK": None, "DSPLY_NAME": "Café"}
    assert 0 <= values.age("A.X") < 60
    provider.publish("A.X", BID=40, ASK=41)
    while values["A.X"]["BID"] != 40:
        values.update(timeout=10)
    assert dict(values["A.X"]) == {"BID": 40, "ASK": 41, "DSPLY_NAME": "Café"}  # an update adds to what was there
    provider.stale("A.X", "the source is gone")
    assert values.update(timeout=10) == {"A.X"}
    image = values["A.X"]
    assert image.stale and image.text == "the source is gone" and image["BID"] == 40
    provider.publish("A.X", BID=42)
    while values["A.X"]["BID"] != 42:
        values.update(timeout=10)
    assert values["A.X"].stale  # an update makes nothing current
    rows = {row["item"]: row for row in values.rows()}
    assert rows["A.X"]["stale"] is True and rows["B.X"]["stale"] is False and rows["B.X"]["ACVOL_1"] == 7 and rows["NONE.X"]["state"] == "closed"
    provider.current("A.X")
    while values["A.X"].stale:
        values.update(timeout=10)
    provider.close()
    while len(values.stale()) < 3:
        values.update(timeout=10)
    assert values["B.X"]["ACVOL_1"] == 7
    with pytest.raises(KeyError):
        values["C.X"]
    with pytest.raises(KeyError):
        values.age("C.X")
    values.close()
    assert values["B.X"]["ACVOL_1"] == 7 and values["B.X"].stale
    with pytest.raises(emissary.ArgumentError, match="twice"):
        emissary.LastValues(session, ["A.X", "A.X"])


def test_last_values_of_batches_that_the_program_reads(provider, session):
    values = emissary.LastValues(session, ["A.X"], fields=["BID"])
    other = session.open("B.X")
    seen = set()
    while len(seen) < 2:
        batch = session.next_batch(timeout=10)
        seen |= {m.name for m in batch.messages()}
        assert values.apply(batch) <= {"A.X"}
    assert dict(values["A.X"]) == {"BID": Decimal("39.90")} and not values["A.X"].stale and not other.stale
    values.close()
    assert values["A.X"].state == "closed" and values["A.X"]["BID"] == Decimal("39.90") and not other.stale


@pytest.mark.parametrize("websocket", [False, True])
def test_a_provider_is_asked_for_what_it_does_not_have(websocket):
    with emissary.Provider("MY_FEED", {"HAS.X": {"BID": 1}}, websocket=websocket, requests=True) as provider:
        asked = []

        def answer(messages):
            for message in messages:
                assert message.type == "request" and message.item == 0
                asked.append((message.name, message.domain))
                if message.name == "NO.X":
                    provider.close_item("NO.X", "not here")
                else:
                    provider.publish(message.name, BID=len(message.name))
            return len(asked) < 2

        thread = threading.Thread(target=provider.run, args=(answer,))
        thread.start()
        with emissary.connect(provider.host, service="MY_FEED", websocket="json" if websocket else None) as session:
            assert session.snapshot("HAS.X")["BID"] == 1
            assert session.snapshot("NEW.X")["BID"] == 5
            with pytest.raises(emissary.ItemClosed, match="not here"):
                session.snapshot("NO.X")
        thread.join(10)
        assert not thread.is_alive() and asked == [("NEW.X", 6), ("NO.X", 6)]
        begun = time.monotonic()
        provider.run(lambda messages: pytest.fail("nothing was asked"), timeout=0.05)
        assert time.monotonic() - begun < 5
        with pytest.raises(emissary.ArgumentError):
            provider.run(print, timeout=-1)


def test_an_exception_of_a_providers_callback_comes_out(provider, session):
    session.post("A.X", {"BID": 1})
    with pytest.raises(ZeroDivisionError):
        provider.run(lambda messages: 1 / 0, timeout=10)
    with pytest.raises(emissary.ArgumentError, match="port is 70000"):
        emissary.Provider(port=70_000)
