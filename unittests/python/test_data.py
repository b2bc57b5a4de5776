"""Containers: what a provider sends is what a session reads; and what is refused."""
import datetime
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
