"""Threads that use what is for one thread, while many messages are read: refused or served, never a crash; and nothing is left behind.

misuse.sh runs it under AddressSanitizer. EMISSARY_MESSAGES is the number of updates that are read."""
import collections
import gc
import os
import random
import sys
import threading
import time
from decimal import Decimal

import pyarrow
import pytest

import emissary
import emissary.testing

MESSAGES = int(os.environ.get("EMISSARY_MESSAGES", "100000"))
FIELDS = {"BID": Decimal("39.90"), "DSPLY_NAME": "Café", "CURRENCY": "USD", "TRADE_DATE": None}


class Held:
    """Batches and messages that all threads have."""

    def __init__(self):
        self.batches, self.messages, self.lock = collections.deque(maxlen=20), collections.deque(maxlen=200), threading.Lock()

    def add(self, batch):
        with self.lock:
            self.batches.append(batch)
            self.messages.extend(batch.messages()[:10])

    def all(self):
        with self.lock:  # an interpreter without a lock refuses to step through what another thread changes
            return list(self.batches)

    def one(self, of):
        try:
            return random.choice(of)
        except (IndexError, RuntimeError):
            raise emissary.UsageError("there is none yet") from None


class Counted:
    """Updates of the first item that some thread has read."""

    def __init__(self, session, held):
        self.session, self.held, self.lock, self.count = session, held, threading.Lock(), 0

    def read(self, timeout=0.05):
        batch = self.session.next_batch(500, timeout)
        seen = sum(message.type == "update" and message.item == 1 for message in batch.messages())
        with self.lock:
            self.count += seen
        if batch:
            self.held.add(batch)


def calls(session, provider, counted, held):
    """What a thread may try. Those of a session are refused while another thread is inside; batches and providers are for all."""
    def opened_and_closed():
        session.open("B.X").close()

    def read_arrays():
        batch = held.one(held.batches)
        batch.numpy("BID").sum()
        pyarrow.record_batch(batch).validate(full=True)

    def read_message():
        message = held.one(held.messages)
        return message.fields, message.data, repr(message), message.get("BID"), message.name, message.text, message.user

    return [counted.read, opened_and_closed, read_arrays, read_message, lambda: held.one(held.batches).dicts(),
            lambda: emissary.Table(held.all()).__arrow_c_stream__(), lambda: session.item(held.one(held.messages)).state,
            lambda: session.columns(["BID", "CURRENCY"]), lambda: session.columns([]), lambda: session.metrics("json"), session.log,
            lambda: session.field("BID"), lambda: session.display("CURRENCY", 840), lambda: session.post("B.X", {"BID": 1}, ack=False),
            lambda: session.snapshot("B.X"), lambda: session.services(0.01), lambda: provider.publish("B.X", BID=random.randrange(1000)),
            lambda: provider.stale("B.X", "late"), lambda: provider.current("B.X"), lambda: provider.received(0), provider.streams,
            lambda: provider.answer_posts(random.randrange(2)), lambda: session.open(["B.X", "A\0X"]), lambda: session.next_batch(0)]


def misuse(provider, json, messages, seconds=None):
    """Returns how many calls were served and refused."""
    held, outcomes, ends = Held(), collections.Counter(), threading.Event()
    with emissary.connect(provider.host, service=provider.service, websocket="json" if json else None, enum="both") as session:
        session.open("A.X")
        counted = Counted(session, held)
        tried = calls(session, provider, counted, held)

        def meddle():
            while not ends.is_set():
                call = random.choice(tried)
                try:
                    call()
                    outcomes["served"] += 1
                except emissary.UsageError:
                    outcomes["refused"] += 1
                except (emissary.EmissaryError, ValueError, KeyError, TypeError):
                    outcomes["failed"] += 1

        def publish():
            sent = 0
            while sent < messages and not ends.is_set():
                if sent - counted.count > 2000:  # no queue grows without end
                    ends.wait(0.001)
                    continue
                for _ in range(500):
                    provider.publish("A.X", BID=Decimal(sent).scaleb(-2), CURRENCY=840 if sent % 2 else 978)
                    sent += 1

        while provider.streams("A.X") == 0:
            counted.read()
        threads = [threading.Thread(target=meddle) for _ in range(4)] + [threading.Thread(target=publish)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 3600
        while counted.count < messages:
            assert time.monotonic() < end, f"{counted.count} of {messages} updates came"
            try:
                counted.read()
            except emissary.UsageError:
                outcomes["refused"] += 1
        closes = threading.Thread(target=session.close)  # while the others go on
        closes.start()
        closes.join()
        with pytest.raises(emissary.UsageError):
            session.open("A.X")
        ends.set()
        for thread in threads:
            thread.join()
        assert counted.count == messages
    return outcomes


@pytest.mark.parametrize("json", [False, True], ids=["ripc", "json"])
def test_misuse_from_threads_is_refused_and_leaves_nothing_behind(json):
    with emissary.testing.Provider(items={"A.X": FIELDS, "B.X": FIELDS}, websocket=json) as provider:
        misuse(provider, json, 5000)  # what is made once is made
        gc.collect()
        watched = [None, True, Decimal, emissary.Batch, emissary.Message, emissary.data.Enum, sys.intern("BID"), sys.intern("CURRENCY")]
        objects, references = len(gc.get_objects()), [sys.getrefcount(thing) for thing in watched]
        begun = time.monotonic()
        outcomes = misuse(provider, json, MESSAGES // 2)
        gc.collect()
        print(f"\n{MESSAGES // 2:,} updates in {time.monotonic() - begun:.0f} s, calls of other threads: {dict(outcomes)}")
        assert outcomes["served"] > 100 and outcomes["refused"] > 100
        assert len(gc.get_objects()) - objects < 200
        for thing, before in zip(watched, references):
            assert abs(sys.getrefcount(thing) - before) < 500, thing


def test_a_session_is_closed_while_threads_are_inside():
    with emissary.testing.Provider(items={"A.X": FIELDS}) as provider:
        for _ in range(30):
            session = emissary.connect(provider.host, service=provider.service)
            session.open("A.X")
            outcomes = []

            def read():
                try:
                    while True:
                        session.next_batch(100, 5)
                except emissary.UsageError as error:
                    outcomes.append(str(error))

            threads = [threading.Thread(target=read) for _ in range(3)]
            for thread in threads:
                thread.start()
            closing = [threading.Thread(target=session.close) for _ in range(3)]
            for thread in closing:
                thread.start()
            for thread in threads + closing:
                thread.join()
            assert len(outcomes) == 3


def test_a_provider_is_closed_while_threads_publish():
    for _ in range(10):
        provider = emissary.testing.Provider(items={"A.X": FIELDS})
        with emissary.connect(provider.host, service=provider.service) as session:
            session.open("A.X")
            ended = []

            def publish():
                try:
                    while True:
                        provider.publish("A.X", BID=1)
                        provider.received(0)
                except emissary.UsageError as error:
                    ended.append(str(error))

            threads = [threading.Thread(target=publish) for _ in range(3)]
            for thread in threads:
                thread.start()
            session.next_batch(100, 5)
            provider.close()
            for thread in threads:
                thread.join()
            assert ended == ["this provider is closed"] * 3
