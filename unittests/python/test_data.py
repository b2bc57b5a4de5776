"""Containers: what a provider sends is what a session reads; and what is refused."""
import copy
import datetime
import gc
import pickle
from decimal import Decimal

import pytest

import emissary
from emissary.data import (AnsiPage, ElementList, Enum, FieldList, FilterEntry, FilterList, Json, Map, MapEntry, Msg, Opaque, Qos, Series,
                           State, UInt, Vector, VectorEntry, Xml, dump)


def image(session, name, domain):
    session.open(name, domain=domain)
    for message in session:
        if message.type == "image":
            return message


MAP = Map([MapEntry("B1", FieldList(BID=Decimal("39.90"), BIDSIZE=Decimal(5)), permission=b"\x01\x02"),
           MapEntry("B2", FieldList(BID=None), action="update"), MapEntry("B3", action="delete")],
          summary=FieldList(CURRENCY=Enum(840)))


def test_a_map_over_both_protocols(provider, session):
    expected = Map([MapEntry(e.key, e.load, e.action) for e in MAP], MAP.summary)
    provider.send("M.X", expected, domain="market_by_order")
    message = image(session, "M.X", "market_by_order")
    assert message.data == expected and message.domain == 7 and message.fields == {}
    provider.send("M.X", Map([MapEntry("B1", action="delete")]), domain=7, type="update")
    update = next(m for m in session if m.type == "update")
    assert update.data == Map([MapEntry("B1", action="delete")])


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
@pytest.mark.parametrize("data", [
    MAP,
    Map([MapEntry(UInt(7), ElementList(A=1))], key_field=3, count_hint=9),
    Map([MapEntry(Decimal("1.5"), ElementList()), MapEntry(Decimal("-2"), ElementList(A=1))]),
    Map([MapEntry(datetime.date(2024, 2, 29), Opaque(b"x"))]),
    Vector([VectorEntry(3, ElementList(N=UInt(7))), VectorEntry(4, action="clear")], sortable=True, count_hint=12,
           summary=ElementList(S="sum")),
    Vector([VectorEntry(0, FieldList(BID=Decimal(1)), "insert")], sortable=True),
    FilterList([FilterEntry(2, Opaque(b"raw\0bytes")), FilterEntry(9, action="clear")]),
    Series([FieldList(BIDSIZE=Decimal(5)), FieldList()], summary=FieldList(BIDSIZE=Decimal(9))),
    ElementList(Name="Café", Day=datetime.date(2024, 2, 29), At=datetime.time(1, 2, 3, 4000),
                When=datetime.datetime(2024, 2, 29, 1, 2, 3, tzinfo=datetime.timezone.utc), Number=-5, Big=UInt(2**64 - 1),
                Price=Decimal("1.25"), Double=1.5, Raw=b"\xff\0", Choice=Enum(3), Empty=None, Many=[UInt(1), UInt(2)],
                Quality=Qos(1, 1), How=State("open", "suspect", 3, "why"), Inner=ElementList(X=Map([MapEntry("k", ElementList(Z=1))]))),
    Msg("image", FieldList(BID=Decimal(1)), 6, "INNER.X", State("open", "ok", 0, "fine")),
    Msg("status", state=State("closed", "suspect", 1, "gone"), name="I.X"),
    Opaque(b"\0\1\2"), Xml("<a>é</a>"), AnsiPage(b"\x1b[1m"), Json('{"a": 1}'),
], ids=lambda data: type(data).__name__)
def test_data_are_read_as_they_were_sent(provider, session, data):
    provider.send("D.X", data, domain=8)
    came = image(session, "D.X", 8).data
    assert came == data and type(came) is type(data)
    assert dump(came) == dump(data)  # and can be sent on


def test_containers_are_sequences_of_entries_and_can_be_copied():
    for data in MAP, Vector([VectorEntry(3, {"A": 1})]), FilterList([FilterEntry(2)]), Series([{"A": 1}, {"A": 2}]):
        assert list(data) == data.entries and len(data) == len(data.entries) > 0
        for made in pickle.loads(pickle.dumps(data)), copy.copy(data), copy.deepcopy(data):
            assert made == data and type(made) is type(data) and made is not data
        assert copy.deepcopy(data).entries is not data.entries and not hasattr(data, "__dict__")
    match MAP:
        case Map([first, *_], summary):
            assert first.key == "B1" and summary == MAP.summary
        case _:
            pytest.fail("no match")


def test_what_cannot_be_sent_is_refused(provider):
    for data in (Map([MapEntry(None)]), Map([MapEntry("k", 5)]), Map([MapEntry("k", {}, action="insert")]), Vector([VectorEntry(-1, {})]),
                 FilterList([FilterEntry(256, {})]), ElementList(A=object()), ElementList(A=1 << 64), Msg("ack", {}), {"NO_SUCH_FIELD": 1},
                 [1], "text", Map([MapEntry("k", {}), MapEntry(1, {})])):
        with pytest.raises((emissary.ArgumentError, emissary.UsageError)):
            provider.send("D.X", data, domain=8)
    with pytest.raises(emissary.ArgumentError):
        provider.send("D.X", {}, domain=5)
    with pytest.raises(emissary.ArgumentError):
        provider.send("D.X", {}, type="status")
    deep = ElementList()
    for _ in range(100):
        deep = ElementList(E=deep)
    with pytest.raises(emissary.ArgumentError, match="deeper"):
        provider.send("D.X", deep, domain=8)


def test_data_outlive_session_and_batch(provider, connect):
    provider.send("M.X", Map([MapEntry("B1", FieldList(BID=Decimal(1)))]), domain=7)
    session = connect()
    message = image(session, "M.X", 7)
    session.close()
    del session
    assert message.data.entries[0].load["BID"] == Decimal(1)


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


def post_and_read(provider, session, item, book, count):
    for step in range(count):
        session.post(item, {"BID": Decimal(step)}, ack=False)
        provider.send("B.X", Map([MapEntry(f"B{step % 20}", {"ORDER_PRC": Decimal(step % 7), "ORDER_SIDE": 1, "ORDER_SIZE": Decimal(1)})]),
                      domain=7, type="update")
        provider.send("M.X", Map([MapEntry("k", {"BID": step})]), domain=8, type="update")
        if step % 50 == 49:
            seen = 0
            while seen < 100:
                messages = session.next_batch(timeout=10).messages()
                seen += len(messages)
                assert all(m.data is not None for m in messages if m.name == "M.X")
            assert len(book.levels().dicts()) <= 20 and len(book.orders().messages()) <= 20
            assert all(m.data.payload for m in provider.received())


@pytest.mark.parametrize("provider", ["ripc"], indirect=True)
def test_posts_containers_and_books_leave_no_memory_behind(provider, session):
    provider.send("B.X", Map(), domain=7)
    provider.send("M.X", Map([MapEntry("k", {"BID": 1})]), domain=8)
    item, book = session.open("A.X"), session.open_book("B.X")
    session.open("M.X", domain=8)
    seen = 0
    while seen < 3:
        seen += len(session.next_batch(timeout=10))
    post_and_read(provider, session, item, book, 10_000)
    gc.collect()
    objects, memory = len(gc.get_objects()), resident()
    post_and_read(provider, session, item, book, 20_000)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100 and resident() - memory < 4 << 20
