"""Order books: levels and orders as columns, over both protocols."""
from decimal import Decimal

import numpy
import polars
import pytest

import emissary
from emissary.data import Map, MapEntry


def order(key, side, price, size):
    return MapEntry(key, {"ORDER_PRC": Decimal(price), "ORDER_SIDE": side, "ORDER_SIZE": Decimal(size)})


IMAGE = Map([order("B1", 1, "39.90", 5), order("B2", 1, "39.90", 7), order("B3", 1, "39.80", 1), order("A1", 2, "40.00", 2)])


def read(session, condition):
    for _ in session.batches(timeout=15):
        if condition():
            return
    raise AssertionError("the book does not become what it should")


@pytest.fixture
def book(provider, session):
    provider.send("A.X", IMAGE, domain="market_by_order")
    book = session.open_book("A.X")
    assert book.book_state == "empty" and len(book.levels()) == 0
    read(session, lambda: book.book_state == "live")
    return book


def test_levels_and_orders_as_columns(provider, session, book):
    assert book.depth == (2, 1) and not book.crossed and book.state == "current"
    levels = book.levels().dicts()
    assert [(l["SIDE"], l["PRICE"], l["SIZE"], l["ORDERS"]) for l in levels] == [
        (1, Decimal("39.90"), 12, 2), (1, Decimal("39.80"), 1, 1), (2, Decimal("40.00"), 2, 1)]
    assert [row["PRICE"] for row in book.levels(depth=1).dicts()] == [Decimal("39.90"), Decimal("40.00")]
    assert [(o["ID"], o["LEVEL"]) for o in book.orders().dicts()] == [("B1", 0), ("B2", 0), ("B3", 1), ("A1", 0)]
    frame = polars.DataFrame(book.levels())
    assert frame["PRICE"].to_list() == [39.9, 39.8, 40.0] and frame["item"].to_list() == ["A.X"] * 3
    assert numpy.array_equal(book.levels().numpy("SIZE"), [12.0, 1.0, 2.0])


def test_updates_change_the_book_and_what_was_taken_stays(provider, session, book):
    before, version = book.levels(), book.version
    provider.send("A.X", Map([MapEntry("B1", action="delete"), order("A2", 2, "39.85", 3)]), domain=7, type="update")
    read(session, lambda: book.version != version)
    assert book.crossed and [l["SIZE"] for l in book.levels().dicts()] == [7, 1, 3, 2]
    assert [l["SIZE"] for l in before.dicts()] == [12, 1, 2]


def test_what_is_stale_shows(provider, session, book):
    provider.stale("A.X", "late")
    read(session, lambda: book.book_state == "stale")
    assert book.stale and book.text == "late"
    book.close()
    with pytest.raises(emissary.ItemError, match="is no book"):
        book.levels()


def test_what_is_refused(session, book):
    with pytest.raises(emissary.ArgumentError):
        session.open_book("A.X", domain="market_price")
    with pytest.raises(emissary.ArgumentError):
        book.levels(depth=-1)
    with pytest.raises(ValueError):
        session.open_book("A\0X")
