"""Texts of enumerated values, and moments to the nanosecond."""
import datetime
import pathlib
import pickle
from decimal import Decimal

import pandas
import polars
import pyarrow
import pytest

import emissary
import emissary.testing
from emissary.data import DateTime, Enum, Map, MapEntry, Time

UTC = datetime.timezone.utc
TREE = pathlib.Path(__file__).resolve().parents[2]


def publish(provider):
    provider.publish("E.X", CURRENCY="USD", PRCTCK_1=60_000, RDN_EXCHID=None, BID=Decimal("1.5"))


@pytest.mark.parametrize("enum, currency, unknown", [("value", 840, 60_000), ("display", "USD", "60000"), ("both", 840, 60_000)])
def test_enumerated_fields_are_numbers_texts_or_both(provider, connect, enum, currency, unknown):
    publish(provider)
    session = connect(enum=enum)
    image = session.snapshot("E.X")
    assert (image["CURRENCY"], image["PRCTCK_1"], image["RDN_EXCHID"]) == (currency, unknown, None)
    session.open("E.X")
    [message] = session.next_batch(timeout=10)
    assert message["CURRENCY"] == message.get("CURRENCY") == message.fields["CURRENCY"] == message.data["CURRENCY"] == currency
    if enum == "both":
        assert isinstance(message["CURRENCY"], Enum) and message["CURRENCY"].display == "USD"
        assert image["PRCTCK_1"].display == "60000"  # the dictionary has no text for it
    else:
        assert type(message["CURRENCY"]) is type(currency)


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="enum is 'value', 'display' or 'both', not 'text'"):
        emissary.connect("localhost:1", enum="text")


@pytest.mark.parametrize("enum", ["value", "display", "both"])
def test_arrow_has_a_column_of_numbers_or_texts_or_both(provider, connect, enum):
    publish(provider)
    session = connect(enum=enum)
    session.columns(["BID", "CURRENCY", "PRCTCK_1", "RDN_EXCHID"])
    session.open("E.X")
    batches = [session.next_batch(timeout=10)]
    for fields in {"CURRENCY": 978}, {"BID": 2}, {"CURRENCY": 978}:
        provider.publish("E.X", fields)
        batches.append(session.next_batch(timeout=10))
    table = pyarrow.table(emissary.Table(batches))
    table.validate(full=True)
    numbers, texts = [840, 978, None, 978], ["USD", "EUR", None, "EUR"]
    assert table["BID"].to_pylist() == [1.5, None, 2.0, None]
    fields = table.schema.names[4:]
    if enum == "both":
        assert fields == ["BID", "CURRENCY", "CURRENCY.display", "PRCTCK_1", "PRCTCK_1.display", "RDN_EXCHID",
                          "RDN_EXCHID.display"]
        assert table["CURRENCY"].to_pylist() == numbers and table["CURRENCY.display"].to_pylist() == texts
        assert table["PRCTCK_1.display"].to_pylist() == ["60000", None, None, None]
    else:
        assert fields == ["BID", "CURRENCY", "PRCTCK_1", "RDN_EXCHID"]
        assert table["CURRENCY"].to_pylist() == (numbers if enum == "value" else texts)
    assert table.schema.field("CURRENCY").type == (pyarrow.string() if enum == "display" else pyarrow.int64())
    assert polars.DataFrame(emissary.Table(batches))["CURRENCY"].to_list() == table["CURRENCY"].to_pylist()
    assert list(table.to_pandas()["CURRENCY"].dropna()) == [v for v in table["CURRENCY"].to_pylist() if v is not None]
    assert isinstance(table.to_pandas(), pandas.DataFrame)
    for batch in batches:  # one by one too
        pyarrow.record_batch(batch).validate(full=True)
    assert batches[0].numpy("CURRENCY").tolist() == [840]


def test_a_table_of_sessions_with_different_enum_is_refused(provider, connect):
    publish(provider)
    batches = []
    for enum in ("value", "display"):
        session = connect(enum=enum)
        session.open("E.X")
        batches.append(session.next_batch(timeout=10))
    for given in batches, batches[::-1]:
        with pytest.raises(ValueError, match="different `enum`"):
            pyarrow.table(emissary.Table(given))
        with pytest.raises(ValueError, match="different `enum`"):
            emissary.Table(given).__arrow_c_schema__()
    for batch in batches:  # a table of each
        assert pyarrow.table(emissary.Table([batch])).num_rows == 1


def test_values_in_containers_have_number_and_text(provider, session):
    provider.send("E.X", Map([MapEntry("K", {"CURRENCY": 840})], summary={"CURRENCY": "EUR"}), domain="market_by_price")
    session.open("E.X", domain="market_by_price")
    [message] = session.next_batch(timeout=10)
    currency = message.data.entries[0].load["CURRENCY"]
    assert currency == 840 and currency.display == "USD" and message.data.summary["CURRENCY"].display == "EUR"
    provider.send("F.X", message.data, domain="market_by_price")  # what was read can be sent on
    session.open("F.X", domain="market_by_price")
    assert session.next_batch(timeout=10).messages()[0].data == message.data


def test_an_enum_can_be_kept_and_sent():
    made = pickle.loads(pickle.dumps(Enum(840, "USD")))
    assert made == 840 and made.display == "USD" and isinstance(made, Enum) and Enum(1).display == ""


@pytest.fixture(params=[None, "json"])
def with_moments(request, tmp_path):
    """A provider whose dictionary has fields of the types DateTime and Time with nanoseconds."""
    for file in ("RDMFieldDictionary", "enumtype.def"):
        (tmp_path / file).write_text((TREE / "etc" / file).read_text())
    with open(tmp_path / "RDMFieldDictionary", "a", encoding="ascii") as dictionary:
        dictionary.write('MY_MOMENT  "MY MOMENT"  -5  NULL  TIME_SECONDS  24  DATETIME  12\n'
                         'MY_TIME  "MY TIME"  -6  NULL  TIME_SECONDS  18  TIME  8\n')
    with emissary.Provider(websocket=request.param == "json", dictionaries=str(tmp_path)) as provider:
        provider.protocol = request.param
        yield provider


@pytest.mark.parametrize("rest", [0, 789, 999])
def test_datetime_fields_to_the_nanosecond(with_moments, rest):
    provider = with_moments
    moment = datetime.datetime(2024, 2, 29, 1, 2, 3, 456_789, UTC)
    moment = DateTime.of(moment, rest) if rest else moment
    time = Time.of(datetime.time(23, 59, 59, 999_999), rest) if rest else datetime.time(23, 59, 59, 999_999)
    provider.publish("M.X", MY_MOMENT=moment, MY_TIME=time)
    with emissary.connect(provider.host, service=provider.service, websocket=provider.protocol) as session:
        assert session.field("MY_MOMENT").type == "datetime"
        session.columns(["MY_MOMENT", "MY_TIME"])
        session.open("M.X")
        batch = session.next_batch(timeout=10)
        [message] = batch
        assert message["MY_MOMENT"] == moment and type(message["MY_MOMENT"]) is type(moment)
        assert getattr(message["MY_MOMENT"], "nanosecond", 0) == rest
        nanoseconds = 1_709_168_523_456_789_000 + rest
        assert batch.numpy("MY_MOMENT").tolist() == [nanoseconds]
        column = pyarrow.record_batch(batch)["MY_MOMENT"]
        assert column.type == pyarrow.timestamp("ns", "UTC") and column.cast(pyarrow.int64()).to_pylist() == [nanoseconds]
        assert polars.DataFrame(batch)["MY_MOMENT"].cast(polars.Int64).to_list() == [nanoseconds]
        assert message["MY_TIME"] == time and getattr(message["MY_TIME"], "nanosecond", 0) == rest
        provider.publish("M.X", {"MY_MOMENT": message["MY_MOMENT"] - datetime.timedelta(days=54_000)})  # before 1970, and sent on
        [older] = session.next_batch(timeout=10)
        assert older["MY_MOMENT"] == moment - datetime.timedelta(days=54_000)
        provider.publish("M.X", MY_MOMENT=None)
        assert session.next_batch(timeout=10).messages()[0]["MY_MOMENT"] is None


def test_moments_compare_and_add_with_their_nanoseconds():
    plain = datetime.datetime(2024, 2, 29, 1, 2, 3, 456_789, UTC)
    fine, finer = DateTime.of(plain, 1), DateTime.of(plain, 2)
    assert plain < fine < finer and fine > plain and finer >= fine and plain <= fine and not fine <= plain
    assert fine != plain and plain != fine and fine == DateTime.of(plain, 1) and len({plain, fine, finer, DateTime.of(plain, 2)}) == 3
    assert DateTime.of(plain, 0) == plain and hash(DateTime.of(plain, 0)) == hash(plain) != hash(fine) and fine != "x"
    later = fine + datetime.timedelta(seconds=1)
    assert later.nanosecond == 1 and later - fine == datetime.timedelta(seconds=1) and (later - datetime.timedelta(seconds=1)) == fine
    assert type(fine.replace(second=4)) is DateTime and fine.replace(second=4).nanosecond == 0
    assert fine.astimezone(datetime.timezone(datetime.timedelta(hours=1))) == fine
    assert str(fine) == "2024-02-29 01:02:03.456789001+00:00" and fine.isoformat() == "2024-02-29T01:02:03.456789001+00:00"
    assert pickle.loads(pickle.dumps(finer)) == finer and pickle.loads(pickle.dumps(finer)).nanosecond == 2
    time = Time.of(datetime.time(1, 2, 3, 4), 5)
    assert str(time) == "01:02:03.000004005" and time > datetime.time(1, 2, 3, 4) and pickle.loads(pickle.dumps(time)) == time
    assert time in {time} and time != datetime.time(1, 2, 3, 4)
    for wrong in (-1, 1000):
        with pytest.raises(emissary.ArgumentError, match="0 to 999"):
            DateTime.of(plain, wrong)
