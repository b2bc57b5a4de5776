"""A provider in the process, for tests of programs that use emissary.

    with emissary.testing.Provider(items={"EMI.X": {"BID": Decimal("39.90")}}) as provider:
        with emissary.connect(provider.host, service=provider.service) as session:
            ...
            provider.publish("EMI.X", BID=Decimal("39.91"))
"""
from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from . import _core
from .provider import DICTIONARIES, Publisher


class Provider(Publisher[_core.Provider]):
    """An interactive provider of one service on localhost. It accepts every login, honours views, takes posts; unknown items are closed.
    Any thread."""

    def __init__(self, service: str = "DIRECT_FEED", items: Mapping[str, Mapping[str, Any]] | None = None, *, port: int = 0,
                 websocket: bool = False) -> None:
        self.service = service
        self.port = port or _free_port()
        self._core = _core.Provider(str(self.port), service, str(DICTIONARIES), websocket)
        for name, fields in (items or {}).items():
            self.publish(name, fields)

    @property
    def host(self) -> str:
        """For emissary.connect()."""
        return f"localhost:{self.port}"

    def streams(self, item: str | None = None) -> int:
        """How many streams of the item are open; of all items without one."""
        return self._core.streams(item)

    def answer_posts(self, nack: int = 0, text: str = "") -> None:
        """How posts that ask for an ack are answered from now on: 0 takes them, another nack code refuses them."""
        self._core.answer_posts(nack, text)


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
