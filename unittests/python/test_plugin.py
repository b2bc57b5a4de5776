"""The pytest fixtures of the package, and scripted feeds."""
import threading
from decimal import Decimal

import pytest

import emissary
from emissary.data import Map, MapEntry
from emissary.testing import Step


def test_a_provider_and_a_session(emissary_provider, emissary_session):
    emissary_provider.publish("EMI.X", BID=Decimal("39.90"))
    assert emissary_session.snapshot("EMI.X")["BID"] == Decimal("39.90")


def test_several_providers_over_each_protocol(emissary_providers, emissary_sessions):
    for websocket in (False, True):
        provider = emissary_providers("MY_FEED", {"A.X": {"BID": 1}}, websocket=websocket)
        assert emissary_sessions(provider, real="float").snapshot("A.X")["BID"] == 1.0


def test_the_fixtures_close_what_they_made(pytestconfig, tmp_path):
    import subprocess
    import sys
    (tmp_path / "test_it.py").write_text(
        "def test_it(emissary_provider, emissary_session):\n"
        "    emissary_provider.publish('A.X', BID=1)\n"
        "    assert emissary_session.snapshot('A.X')['BID'] == 1\n"
        "    global session\n    session = emissary_session\n"
        "def test_after():\n    assert session.closed\n")
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)], capture_output=True, text=True,
                         timeout=60)
    assert run.returncode == 0 and "2 passed" in run.stdout, run.stdout


def test_a_scripted_feed_plays_in_order(provider, session):
    book = Map([MapEntry("B1", {"BID": Decimal(1)})])
    script = provider.play([
        Step("wait", "A.X"), Step("publish", "A.X", {"BID": 1}), Step("publish", "A.X", {"BID": 2}, after=0.01),
        Step("stale", "A.X", text="late"), Step("current", "A.X"), Step("send", "M.X", data=book, domain=7, type="image"),
        Step("close", "A.X", text="over")])
    session.open("A.X")
    seen = []
    for message in session:
        seen.append((message.type, message.get("BID"), message.state))
        if message.state == "closed":
            break
    script.join()
    # The image may have the first value already when the provider was quick.
    assert [entry for entry in seen if entry[0] == "update"][-1] == ("update", 2, "current")
    assert [entry[2] for entry in seen if entry[0] == "status"] == ["stale", "current", "closed"]
    session.open("M.X", domain=7)
    assert next(iter(session)).data == book


def test_what_a_step_raises_comes_out_of_join(provider):
    with pytest.raises(emissary.ArgumentError, match="NO_SUCH_FIELD"):
        provider.play([Step("publish", "A.X", {"NO_SUCH_FIELD": 1})]).join()


def test_a_script_that_waits_can_be_stopped(provider):
    script = provider.play([Step("wait", "NOBODY.X"), Step("publish", "A.X", {"BID": 9})])
    with pytest.raises(TimeoutError):
        script.join(timeout=0.05)
    script.stop()
    assert threading.active_count() >= 1 and not script._thread.is_alive()
