"""Images, updates, states, the ways to receive them, and what is refused."""
import asyncio
import datetime
import os
import signal
import subprocess
import sys
import threading
from decimal import Decimal

import pytest

import emissary
import emissary.testing


def next_of(session, kind):
    for message in session:
        if message.type == kind:
            return message


def test_a_price_in_three_lines(provider):
    with emissary.connect(provider.host, service="DIRECT_FEED", websocket=provider.protocol) as session:
        image = session.snapshot("A.X")
        assert image["BID"] == Decimal("39.90") and isinstance(image["BID"], Decimal)
        assert image["ASK"] is None and "ASK" in image
        assert image["DSPLY_NAME"] == "Café"
        assert image.state == "complete" and not image.stale
        assert "ACVOL_1" not in image


def test_chosen_fields_are_the_only_ones_and_the_choice_ends_with_the_snapshot(session):
    assert list(session.snapshot("A.X", ["DSPLY_NAME", 22])) == ["DSPLY_NAME", "22"]
    assert "ASK" in session.snapshot("A.X")


@pytest.mark.parametrize("real, value", [("decimal", Decimal("-0.5")), ("float", -0.5), ("tuple", (-5, -1))])
def test_reals_as_asked_for(connect, real, value):
    assert connect(real=real).snapshot("B.X")["BID"] == value


@pytest.mark.parametrize("value", ["0", "1E+7", "-9223372036854775807", "0.00000000000001", "12345.678", "Infinity", "-Infinity"])
def test_decimals_are_exact(provider, session, value):
    provider.publish("A.X", BID=Decimal(value))
    assert session.snapshot("A.X")["BID"] == Decimal(value)


def test_dates_times_and_blanks(provider, session):
    day, moment = datetime.date(2024, 2, 29), datetime.time(23, 59, 58, 123000)
    provider.publish("A.X", TRADE_DATE=day, TIMACT=moment)
    image = session.snapshot("A.X")
    assert image["TRADE_DATE"] == day
    assert image["TIMACT"] == moment
    provider.publish("A.X", TRADE_DATE=None)
    assert session.snapshot("A.X")["TRADE_DATE"] is None


def test_what_is_stale_shows(provider, session):
    item = session.open("A.X")
    assert item.state == "pending" and item.stale
    assert not next_of(session, "image").stale
    provider.stale("A.X", "source is gone")
    message = next_of(session, "status")
    assert message.stale and item.stale and item.text == "source is gone"
    provider.publish("A.X", BID=1)
    assert next_of(session, "update").stale  # an update makes nothing current
    provider.current("A.X")
    assert not next_of(session, "status").stale
    provider.close_item("A.X", "over")
    assert next_of(session, "status").state == "closed" and item.state == "closed"


def test_a_provider_that_goes_leaves_items_stale(provider, session):
    item = session.open("A.X")
    next_of(session, "image")
    provider.close()
    assert next_of(session, "status").stale and item.stale


def test_callbacks_get_lists(provider, session):
    session.open(["A.X", "B.X"])
    seen = []

    def callback(messages):
        assert isinstance(messages, list)
        seen.extend(m.name for m in messages)
        return len(seen) < 2

    session.run(callback, timeout=10)
    assert sorted(seen) == ["A.X", "B.X"]


def test_an_exception_of_a_callback_comes_out(session):
    session.open("A.X")
    with pytest.raises(ZeroDivisionError):
        session.run(lambda messages: 1 / 0, timeout=10)
    assert len(session.next_batch(timeout=0)) == 0  # and the session goes on


def test_async_for(provider, session):
    async def first():
        session.open("A.X")
        async for message in session:
            return message["BID"]

    assert asyncio.run(asyncio.wait_for(first(), 10)) == Decimal("39.90")


def test_messages_outlive_session_and_batch(connect):
    session = connect()
    session.open("A.X")
    message = session.next_batch(timeout=10).messages()[0]
    session.close()
    del session
    assert message["BID"] == Decimal("39.90") and message.name == "A.X"
    with pytest.raises(KeyError):
        message["NO_SUCH_FIELD"]
    assert message.get("NO_SUCH_FIELD", 5) == 5


def test_each_failure_has_its_class_and_the_librarys_text(session):
    with pytest.raises(emissary.ItemClosed, match="there is no such item") as closed:
        session.snapshot("NONE.X")
    assert closed.value.name == "NONE.X" and closed.value.code != 0
    with pytest.raises((emissary.UnknownService, emissary.NoAnswer)) as unknown:
        session.snapshot("A.X", service="NO_SUCH_SERVICE", timeout=1)
    assert "NO_SUCH_SERVICE" in str(unknown.value)
    with pytest.raises(emissary.ConnectionFailed):
        emissary.connect("localhost:1", timeout=0.2)
    with pytest.raises(emissary.ConfigurationError, match="/nowhere"):
        emissary.connect(config="/nowhere/EmaConfig.xml")
    with pytest.raises(emissary.ArgumentError):
        session.columns(["BID", "BID"])
    with pytest.raises(emissary.ArgumentError):
        session.next_batch(0)
    with pytest.raises(emissary.ArgumentError):
        session.open("")
    with pytest.raises(ValueError):
        session.open("A\0X")
    with pytest.raises(TypeError):
        session.open([1])
    with pytest.raises(ValueError, match="real is"):
        emissary.connect("localhost:1", real="binary")


def test_a_closed_session_says_so(session):
    session.close()
    session.close()
    assert session.closed
    with pytest.raises(emissary.UsageError, match="closed"):
        session.open("A.X")


def test_a_second_thread_is_refused_and_the_wait_has_no_interpreter_lock(provider, session):
    waiting, outcome = threading.Event(), []

    def wait():
        waiting.set()
        outcome.append(len(session.next_batch(timeout=30)))

    thread = threading.Thread(target=wait)
    session.open("A.X")
    session.next_batch(timeout=10)
    thread.start()
    waiting.wait()
    refused = 0
    while thread.is_alive() and refused < 3:
        try:
            session._core.item(1)
        except emissary.UsageError:
            refused += 1
    assert refused == 3
    provider.publish("A.X", BID=2)
    thread.join(10)
    assert outcome == [1]


def test_close_ends_the_wait_of_another_thread(session):
    waiting, outcome = threading.Event(), []

    def wait():
        waiting.set()
        try:
            session.next_batch()
        except emissary.UsageError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    session.close()
    thread.join(10)
    assert not thread.is_alive() and outcome == ["this session is closed"]


def test_a_cancelled_coroutine_leaves_a_session_that_can_be_closed(connect):
    async def for_ever(session):
        async for _ in session:
            pass

    with connect() as session:
        with pytest.raises(asyncio.TimeoutError):
            asyncio.run(asyncio.wait_for(for_ever(session), 0.02))
    assert session.closed


def test_a_child_of_fork_is_refused_and_ends_cleanly(session):
    child = os.fork()
    if child == 0:
        try:
            session.next_batch(timeout=0)
        except emissary.UsageError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert session.snapshot("A.X")["BID"] == Decimal("39.90")


def test_ctrl_c_ends_a_wait(provider):
    code = ("import emissary, sys\n"
            f"s = emissary.connect('{provider.host}', websocket={provider.protocol!r})\n"
            "try:\n    print('ready', flush=True)\n    s.next_batch()\n"
            "except KeyboardInterrupt:\n    sys.exit(7)\n")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 7


def test_an_interpreter_ends_cleanly_with_an_open_session(provider):
    code = (f"import emissary\ns = emissary.connect('{provider.host}', service='DIRECT_FEED', websocket={provider.protocol!r})\n"
            "s.open('A.X')\nm = s.next_batch(timeout=10).messages()\nprint(len(m))\n")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "1\n", "")


def test_the_provider_refuses_what_does_not_fit(provider):
    for fields in ({"NO_SUCH_FIELD": 1}, {"BID": "text"}, {"BID": Decimal("1E-15")}, {"BID": 1 << 70}, {"BID": object()}):
        with pytest.raises(emissary.ArgumentError):
            provider.publish("A.X", fields)
    provider.close()
    with pytest.raises(emissary.UsageError):
        provider.publish("A.X", BID=1)


def test_providers_take_ports_of_their_own():
    providers = [emissary.testing.Provider() for _ in range(20)]
    ports = {provider.port for provider in providers}
    assert len(ports) == 20 and all(0 < port < 65_536 for port in ports)
    for provider in providers:
        with emissary.connect(provider.host, service=provider.service) as session:
            assert session.services() == [(provider.service, 1, True)]
        provider.close()


def test_items_that_are_closed_do_not_stay(provider, connect):
    session = connect()
    item = session.open("A.X")
    batch = session.next_batch(1, 10)
    message = batch.messages()[0]
    item.close()
    assert session.item(message) is item and item.state == "closed"
    number = item.number
    del item
    again = session.item(message)  # nobody had it any more
    assert (again.name, again.service, again.number, again.state) == ("A.X", "DIRECT_FEED", number, "closed")
    for _ in range(50):
        for one in session.open([f"C{n}.X" for n in range(100)]):
            one.close()
    session.next_batch(1, 0)
    assert not session._items and len(session._closed) <= 1
    assert again.state == "closed" and again.text == ""  # the library has forgotten it
    del again
    with pytest.raises(emissary.ItemError):
        session.item(message)


def test_a_batch_knows_the_names_of_items_that_were_closed_long_ago(connect):
    session = connect()
    item = session.open("A.X")
    batch = session.next_batch(1, 10)
    assert [m.name for m in batch.messages()] == ["A.X"]
    item.close()
    for _ in range(30):  # beyond what the session itself keeps
        for one in session.open([f"N{n}.X" for n in range(200)]):
            one.close()
    again = session.open("B.X")
    assert {m.name for m in session.next_batch(1, 10).messages()} == {"B.X"}
    assert [m.name for m in batch.messages()] == ["A.X"] and batch.dicts()
    again.close()
