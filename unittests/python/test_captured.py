"""A feed that was captured in a trace plays again and says the same. EMISSARY_RWFCAT is the program; run.sh sets it."""
import datetime
import pathlib
from decimal import Decimal

import pytest

import emissary
import emissary.testing
from emissary import captured
from emissary.data import FieldList, Map, MapEntry
from emissary.testing import Provider

FIELDS = {"BID": Decimal("39.90"), "ASK": None, "DSPLY_NAME": "Café", "TRADE_DATE": datetime.date(2024, 2, 29), "CURRENCY": 840,
          "TIMACT": datetime.time(1, 2, 3), "ACVOL_1": Decimal(7)}
BOOK = Map([MapEntry("B1", FieldList(BID=Decimal("39.90"))), MapEntry("B2", action="delete")], FieldList(CURRENCY=840))
CONFIG = """<EmaConfig><ConsumerGroup><DefaultConsumer value="C"/><ConsumerList><Consumer><Name value="C"/><Channel value="Ch"/>
<XmlTraceToFile value="1"/><XmlTraceFileName value="{trace}"/><XmlTraceMaxFileSize value="100000000"/></Consumer></ConsumerList></ConsumerGroup>
<ChannelGroup><ChannelList><Channel><Name value="Ch"/><ChannelType value="ChannelType::RSSL_SOCKET"/><Host value="localhost"/>
<Port value="{port}"/></Channel></ChannelList></ChannelGroup></EmaConfig>"""


def told(session, count):
    """What the messages of a session say."""
    all_of_it = []
    for message in session:
        all_of_it.append((message.name, message.type, message.data, message.state))
        if len(all_of_it) == count:
            return all_of_it


def publish_later(provider):
    provider.publish("A.X", BID=Decimal("40.1"))
    provider.send("B.X", Map([MapEntry("B1", action="delete")]), domain=7, type="update")
    provider.stale("A.X", "late")
    provider.current("A.X")
    provider.close_item("A.X", "over")


@pytest.fixture
def trace(tmp_path):
    """The file, and what the session that wrote it was told."""
    with Provider(items={"A.X": FIELDS}) as provider:
        provider.send("B.X", BOOK, domain="market_by_order")
        config = CONFIG.format(trace=tmp_path / "trace", port=provider.port)
        with emissary.connect(config_text=config, service=provider.service) as session:
            session.open("A.X")
            session.open("B.X", domain=7)
            seen = told(session, 2)
            publish_later(provider)
            seen += told(session, 5)
    [file] = tmp_path.glob("trace*.xml")
    return file, seen


def test_a_trace_plays_again_and_says_the_same(trace):
    file, seen = trace
    steps = captured.steps(file)
    assert [step.action for step in steps] == ["publish", "send", "publish", "send", "stale", "current", "close"]
    with Provider() as provider:
        provider.play(steps[:2]).join()
        with emissary.connect(provider.host, service=provider.service) as session:
            session.open("A.X")
            session.open("B.X", domain=7)
            again = told(session, 2)
            provider.play(steps[2:]).join()
            again += told(session, 5)
    assert again == seen


def test_pauses_are_kept_at_the_speed_asked_for(trace):
    file, _ = trace
    assert all(step.after == 0 for step in captured.steps(file))
    once, twice = (sum(step.after for step in captured.steps(file, speed=speed)) for speed in (1, 2))
    assert 0 <= once < 60 and twice == pytest.approx(once / 2)


def test_what_cannot_be_read_is_refused(trace, tmp_path, monkeypatch):
    file, _ = trace
    with pytest.raises(emissary.ArgumentError):
        captured.steps(tmp_path / "nowhere.xml")
    with pytest.raises(emissary.ArgumentError):
        captured.steps(file, speed=0)
    with pytest.raises(emissary.UsageError, match="cannot be started"):
        captured.steps(file, program=str(tmp_path / "no_program"))
    monkeypatch.delenv("EMISSARY_RWFCAT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(emissary.UsageError, match="not on the PATH"):
        captured.steps(file)


VECTORS = pathlib.Path(__file__).resolve().parents[2] / "unittests/vectors"


def test_every_container_of_the_golden_vectors_becomes_a_value():
    import json
    from emissary.data import dump
    seen = set()
    for line in (VECTORS / "rwf/containers.jsonl").read_text().splitlines():
        record = json.loads(line)
        value = captured._container(record["value"])
        if value is not None:
            dump(value)
            seen.add(type(value).__name__)
    assert {"FieldList", "ElementList", "Map", "Vector", "Series", "FilterList"} <= seen
