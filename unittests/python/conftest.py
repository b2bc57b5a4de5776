"""A provider and a session that is connected to it, over each protocol; and a hub."""
from decimal import Decimal

import pytest

import emissary
import emissary.testing
from hub import Hub

ITEMS = {"A.X": {"BID": Decimal("39.90"), "ASK": None, "DSPLY_NAME": "Café"}, "B.X": {"BID": Decimal("-0.5"), "ACVOL_1": 7}}


@pytest.fixture(params=["ripc", "json"])
def provider(request):
    with emissary.testing.Provider(items=ITEMS, websocket=request.param == "json") as provider:
        provider.protocol = "json" if request.param == "json" else None
        yield provider


@pytest.fixture
def connect(provider):
    sessions = []

    def open_session(**options):
        session = emissary.connect(provider.host, service=provider.service, websocket=provider.protocol, **options)
        sessions.append(session)
        return session

    yield open_session
    for session in sessions:
        session.close()


@pytest.fixture
def session(connect):
    return connect()


@pytest.fixture
def hub(tmp_path):
    hub = Hub(tmp_path)
    yield hub
    hub.stop()
