"""The non-interactive provider, through a hub to a session."""
import os
import threading
import time
from decimal import Decimal

import pytest

import emissary
from emissary.data import FieldList, Map, MapEntry, Msg

@pytest.fixture
def publisher(hub):
    with emissary.NiProvider(f"localhost:{hub.publishers}", service="NI_FEED", service_id=5, user="me") as publisher:
        yield publisher


@pytest.fixture
def reader(hub, publisher):
    with emissary.connect(f"localhost:{hub.consumers}", service="NI_FEED") as session:
        yield session


def until(session, condition):
    seen = []
    for batch in session.batches(timeout=15):
        for message in batch.messages():
            if condition(message):
                return message
            seen.append(message)
    raise AssertionError(f"nothing that fits came: {seen}")


def test_images_updates_states_and_containers(publisher, reader):
    assert publisher.connected
    publisher.publish("A.X", BID=Decimal("39.90"), ASK=None, DSPLY_NAME="Café")
    item = reader.open("A.X")
    image = until(reader, lambda m: m.type == "image")
    assert image.fields == {"BID": Decimal("39.90"), "ASK": None, "DSPLY_NAME": "Café"}
    publisher.publish("A.X", {"BID": 40})
    assert until(reader, lambda m: m.type == "update").fields == {"BID": Decimal(40)}
    publisher.stale("A.X", "source is gone")
    assert until(reader, lambda m: m.stale) and item.text == "source is gone"
    publisher.current("A.X")
    until(reader, lambda m: not m.stale)
    publisher.close_item("A.X", "over")
    assert until(reader, lambda m: m.state == "closed")
    book = Map([MapEntry("B1", FieldList(BID=Decimal("39.90")))])
    publisher.send("B.X", book, domain="market_by_price")
    reader.open("B.X", domain="market_by_price")
    assert until(reader, lambda m: m.type == "image").data == book


def test_the_service_goes_down_and_up(publisher, reader):
    publisher.publish("A.X", BID=1)
    reader.open("A.X")
    until(reader, lambda m: m.state == "current")
    publisher.service_up(False)
    until(reader, lambda m: m.stale)
    publisher.service_up(True)
    until(reader, lambda m: not m.stale)


def test_after_a_restart_of_the_server_the_images_are_there_again(hub, publisher):
    publisher.publish("A.X", BID=Decimal(1))
    hub.stop()
    end = time.monotonic() + 20
    while publisher.connected:
        assert time.monotonic() < end
    publisher.publish("A.X", ASK=Decimal(2))
    hub.start()
    while not publisher.connected:
        assert time.monotonic() < end + 20
    with emissary.connect(f"localhost:{hub.consumers}", service="NI_FEED") as session:
        assert session.snapshot("A.X") == {"BID": Decimal(1), "ASK": Decimal(2)}


def test_posts_reach_the_publisher(publisher, reader):
    publisher.publish("A.X", BID=Decimal(1))
    item = reader.open("A.X")
    until(reader, lambda m: m.type == "image")
    fields = {"BID": Decimal("1.5"), "ASK": None, "DSPLY_NAME": "Café", "CURRENCY": 840}
    post = reader.post(item, fields)
    reader.wait_for_ack(post)
    [came] = publisher.received(timeout=10)
    assert (came.type, came.name, came.user) == ("post", "A.X", (os.getpid(), 0x7F000001))
    assert came.fields == fields and came.data == Msg("update", fields)
    publisher.publish(came.name, came.fields)  # as a contribution server does
    assert until(reader, lambda m: m.type == "update").fields == fields


def test_what_is_refused(hub, publisher):
    for fields in ({"NO_SUCH_FIELD": 1}, {"BID": "text"}, {"BID": object()}):
        with pytest.raises(emissary.ArgumentError):
            publisher.publish("A.X", fields)
    with pytest.raises(emissary.ItemError):
        publisher.stale("NEVER.X")
    with pytest.raises(emissary.ItemError):
        publisher.send("NEVER.X", {"BID": 1}, type="update")
    with pytest.raises(emissary.ConnectionFailed):
        emissary.NiProvider("localhost:1", service="S", service_id=1, timeout=0.2)
    with pytest.raises(emissary.ArgumentError):
        emissary.NiProvider("localhost:1", service="S", service_id=65_536)
    publisher.close()
    publisher.close()
    with pytest.raises(emissary.UsageError, match="closed"):
        publisher.publish("A.X", BID=1)


def test_close_ends_the_wait_of_another_thread(publisher):
    waiting, outcome = threading.Event(), []

    def wait():
        waiting.set()
        try:
            publisher.received(timeout=None)
        except emissary.UsageError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    publisher.publish("A.X", BID=1)  # others go on meanwhile
    publisher.close()
    thread.join(10)
    assert not thread.is_alive() and outcome == ["this provider is closed"]


def test_a_child_of_fork_is_refused(publisher):
    child = os.fork()
    if child == 0:
        try:
            publisher.publish("A.X", BID=1)
        except emissary.UsageError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    publisher.publish("A.X", BID=1)
