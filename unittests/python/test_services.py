"""A provider of several services: each has items of its own."""
import pytest

import emissary
import emissary.testing
from emissary.data import FieldList, Map
from emissary.testing import Step


@pytest.fixture(params=[False, True], ids=["ripc", "json"])
def provider(request):
    with emissary.testing.Provider(["A", "B"], {"A.X": {"BID": 1}}, websocket=request.param, requests=True) as provider:
        yield provider


@pytest.fixture
def session(provider):
    with emissary.connect(provider.host, websocket="json" if provider.websocket else None) as session:
        yield session


def test_services_have_items_of_their_own(provider, session):
    assert provider.service == "A" and provider.services == ("A", "B")
    assert session.services() == [("A", 1, True), ("B", 2, True)]
    b = provider.on("B")
    assert b.name == "B"
    b.publish("A.X", BID=2)
    assert session.snapshot("A.X", service="A")["BID"] == 1 and session.snapshot("A.X", service="B")["BID"] == 2
    items = [session.open("A.X", service=name) for name in "AB"]
    messages = (message for batch in session.batches(timeout=10) for message in batch.messages())
    assert {next(messages).item for _ in items} == {item.number for item in items}
    assert b.streams("A.X") == b.streams() == provider.streams("A.X") == 1 and provider.streams() == 2

    def came():
        message = next(messages)
        return session.item(message), message.type

    b.stale("A.X", "late")
    assert came() == (items[1], "status") and items[1].stale and not items[0].stale
    b.current("A.X")
    assert came() == (items[1], "status") and not items[1].stale
    b.send("A.X", Map())
    assert came() == (items[1], "image")
    provider.close_item("A.X")
    assert came() == (items[0], "status")
    b.close_item("A.X")
    assert came() == (items[1], "status") and provider.streams() == 0


def test_messages_say_which_service_they_are_for(provider, session):
    item = session.open("NEW.X", service="B")
    request, = provider.received(10)
    assert (request.type, request.name, request.service) == ("request", "NEW.X", "B")
    provider.on(request.service).publish(request.name, BID=3)
    assert session.next_batch(timeout=10).messages()[0]["BID"] == 3
    session.post(item, {"BID": 4}, ack=False)
    post, = provider.received(10)
    assert (post.type, post.name, post.service) == ("post", "NEW.X", "B")


def test_wrong_services_are_refused(provider):
    with pytest.raises(emissary.ArgumentError, match="no service is called 'C'; there is A, B"):
        provider.on("C")
    with pytest.raises(emissary.ArgumentError, match="at least one service"):
        emissary.Provider([])
    with pytest.raises(emissary.ArgumentError, match="service A is named twice"):
        emissary.Provider(["A", "A"])


def test_scripted_feeds_play_on_every_service(provider, session):
    items = {name: session.open("P.X", service=name) for name in "AB"}
    requests = []
    while len(requests) < len(items):
        requests += provider.received(10)
    assert {(message.service, message.name) for message in requests} == {("A", "P.X"), ("B", "P.X")}
    script = provider.play([
        Step("wait", "P.X"), Step("publish", "P.X", {"BID": 1}), Step("wait", "P.X", service="A"),
        Step("publish", "P.X", {"BID": 2}, service="A"), Step("send", "P.X", data=FieldList(BID=3)), Step("stale", "P.X", text="late"),
        Step("current", "P.X"), Step("close", "P.X", text="over"), Step("stale", "P.X", service="A")], service="B")
    seen, names = {name: [] for name in items}, {item.number: name for name, item in items.items()}
    for message in session:
        seen[names[message.item]].append((message.type, message.get("BID"), message.state))
        if len(seen["A"]) == 2 and len(seen["B"]) == 5:
            break
    script.join()
    assert seen["A"] == [("image", 2, "current"), ("status", None, "stale")]
    assert seen["B"] == [("image", 1, "current"), ("update", 3, "current"), ("status", None, "stale"), ("status", None, "current"),
                         ("status", None, "closed")]


def test_a_script_for_a_service_that_is_not_there_does_not_begin(provider):
    step = Step("publish", "A.X", {"BID": 9})
    for arguments in [([step], {"service": "C"}), ([step, Step("publish", "A.X", {"BID": 9}, service="C")], {})]:
        with pytest.raises(emissary.ArgumentError, match="no service is called 'C'; there is A, B"):
            provider.play(arguments[0], **arguments[1])
    with emissary.connect(provider.host, service="A", websocket="json" if provider.websocket else None) as session:
        assert session.snapshot("A.X")["BID"] == 1
