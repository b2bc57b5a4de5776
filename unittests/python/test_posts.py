"""Posts, generic messages, views, batches and the dictionary, over both protocols."""
import os
import threading
from decimal import Decimal

import pytest

import emissary
from emissary.data import ElementList, Msg


def first(session, kind, timeout=10):
    for batch in session.batches(timeout=timeout):
        for message in batch.messages():
            if message.type == kind:
                return message
    raise AssertionError(f"no {kind} came")


def test_a_post_on_the_stream_of_an_item_is_acked(provider, session):
    item = session.open("A.X")
    with pytest.raises(emissary.UsageError, match="no refresh yet"):
        session.post(item, {"BID": 1})
    first(session, "image")
    post = session.post(item, {"BID": Decimal("39.5"), "ASK": None}, sequence=7, user=(1234, 0x0A000001), rights=1)
    session.wait_for_ack(post)
    ack = first(session, "ack")
    assert (ack.name, ack.id, ack.nack, ack.sequence) == ("A.X", post, 0, 7)
    [came] = provider.received(timeout=10)
    assert (came.type, came.name, came.id, came.sequence, came.user, came.rights) == ("post", "A.X", post, 7, (1234, 0x0A000001), 1)
    assert came.wants_ack and came.fields == {"BID": Decimal("39.5"), "ASK": None}
    assert came.data == Msg("update", {"BID": Decimal("39.5"), "ASK": None})


def test_a_post_on_the_stream_of_the_login(provider, session):
    post = session.post("NEW.X", {"BID": Decimal(1)}, type="image")
    session.wait_for_ack(post)
    [came] = provider.received(timeout=10)
    assert came.name == "NEW.X" and came.data.type == "image" and came.user[0] == os.getpid()
    provider.publish(came.name, came.fields)  # as a contribution server does
    assert session.snapshot("NEW.X")["BID"] == Decimal(1)


def test_a_refused_post_raises_with_the_providers_text(provider, session):
    provider.answer_posts(1, "not for you")
    with pytest.raises(emissary.PostRefused, match="not for you") as refused:
        session.wait_for_ack(session.post("A.X", {"BID": 1}))
    assert (refused.value.nack, refused.value.name) == (1, "A.X")


def test_without_an_ack_the_wait_ends(provider, session):
    post = session.post("A.X", {"BID": 1}, ack=False)
    [came] = provider.received(timeout=10)
    assert not came.wants_ack
    with pytest.raises(emissary.NoAnswer, match="no ack"):
        session.wait_for_ack(post, timeout=0.05)


def test_what_comes_while_an_ack_is_awaited_is_not_lost(provider, session):
    session.open("A.X")
    session.wait_for_ack(session.post("B.X", {"BID": 1}))
    kinds = []
    while len(kinds) < 2:
        kinds += [message.type for message in session.next_batch(timeout=10)]
    assert sorted(kinds) == ["ack", "image"]


def test_posts_that_cannot_be_are_refused(provider, session):
    for data in ({"NO_SUCH_FIELD": 1}, {"BID": "text"}, {"BID": object()}, 5):
        with pytest.raises(emissary.ArgumentError):
            session.post("A.X", data)
    with pytest.raises(emissary.ArgumentError):
        session.post("A.X", {"BID": 1}, id=1 << 32)
    with pytest.raises(emissary.ArgumentError):
        session.post("A.X", {"BID": 1}, domain="no such domain")
    item = session.open("A.X")
    item.close()
    with pytest.raises(emissary.ItemError):
        session.post(item, {"BID": 1})


def test_a_post_from_a_second_thread_is_refused_while_one_waits(session):
    waiting, ended = threading.Event(), threading.Event()

    def wait():
        waiting.set()
        while not ended.is_set():
            session.next_batch(timeout=0.2)

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    refused = 0
    for _ in range(2000):
        try:
            session.post("A.X", {"BID": 1}, ack=False)
        except emissary.UsageError:
            refused += 1
    ended.set()
    thread.join(10)
    assert refused > 0 and not thread.is_alive()


def test_generic_messages_go_both_ways(provider, session):
    item = session.open("A.X")
    first(session, "image")
    session.generic(item, ElementList(Hello="you"))
    [came] = provider.received(timeout=10)
    assert (came.type, came.name, came.data) == ("generic", "A.X", {"Hello": "you"})
    provider.send("A.X", ElementList(Hello="too"), type="generic")
    assert first(session, "generic").data == ElementList(Hello="too")


def test_a_view_limits_images_and_updates(provider, session):
    provider.publish("A.X", ACVOL_1=3)
    session.open("A.X", view=["ASK", 32])
    assert first(session, "image").fields == {"ASK": None, "ACVOL_1": 3}
    provider.publish("A.X", BID=5, ASK=6)
    assert first(session, "update").fields == {"ASK": Decimal(6)}
    with pytest.raises(emissary.ArgumentError, match="NO_SUCH_FIELD"):
        session.open("A.X", view=["NO_SUCH_FIELD"])


def test_a_batch_opens_all_its_items(provider, session):
    items = session.open(["A.X", "NONE.X", "B.X"], batch=True)
    seen = {}
    while len(seen) < 3:
        for message in session.next_batch(timeout=10):
            seen[message.name] = session.item(message).state
    assert seen == {"A.X": "current", "NONE.X": "closed", "B.X": "current"}
    items[0].close()
    provider.publish("B.X", BID=1)
    assert first(session, "update").name == "B.X"


def test_a_private_stream(provider, session):
    session.open("A.X", private=True)
    assert first(session, "image")["BID"] == Decimal("39.90")


def test_an_enumerated_field_takes_its_text(provider, session):
    provider.publish("A.X", CURRENCY="USD")
    assert session.snapshot("A.X")["CURRENCY"] == 840
    with pytest.raises(emissary.ArgumentError, match="CURRENCY has no value 'no currency'"):
        session.post("A.X", {"CURRENCY": "no currency"})


def test_the_dictionary_by_name(session):
    bid = session.field("BID")
    assert (bid.fid, bid.name, bid.type) == (22, "BID", "real") and session.field(22) == bid
    assert session.field("DSPLY_NAME").type == "text" and session.display("CURRENCY", 840) == "USD"
    for bad in ("NO_SUCH_FIELD", 0, 70000):
        with pytest.raises(emissary.ArgumentError):
            session.field(bad)
    with pytest.raises(emissary.ArgumentError):
        session.display("CURRENCY", 65000)
