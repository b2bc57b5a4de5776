"""A provider in the process, for tests of programs that use emissary.

    with emissary.testing.Provider(items={"EMI.X": {"BID": Decimal("39.90")}}) as provider:
        with emissary.connect(provider.host, service=provider.service) as session:
            ...
            provider.publish("EMI.X", BID=Decimal("39.91"))
"""
from __future__ import annotations

import datetime
import pathlib
import socket
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from . import _core
from .errors import ArgumentError

_BLANK, _INT, _REAL, _DOUBLE, _DATE, _TIME, _TEXT, _BYTES = 0, 1, 3, 4, 6, 7, 9, 10
_CURRENT, _STALE, _CLOSED, _CLOSED_RECOVER = 1, 2, 4, 5
_DATA = pathlib.Path(__file__).parent / "data"


def _real(name: str, value: Decimal) -> tuple[int, int, float]:
    if not value.is_finite():
        return 0, 35 if value.is_nan() else 34 if value < 0 else 33, 0.0
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    mantissa = int("".join(map(str, digits)))
    if exponent > 7:
        mantissa, exponent = mantissa * 10 ** (exponent - 7), 7
    if exponent < -14 or mantissa >= 1 << 63:
        raise ArgumentError(f"{name}: {value} does not fit a Real: 63 bits and 14 decimals")
    return -mantissa if sign else mantissa, exponent + 14, float(value)


def _field(name: str, value: Any) -> tuple[str, int, int, int, float, bytes]:
    match value:
        case None:
            return name, _BLANK, 0, 0, 0.0, b""
        case int():
            if not -(1 << 63) <= value < 1 << 63:
                raise ArgumentError(f"{name}: {value} does not fit 64 bits")
            return name, _INT, int(value), 0, 0.0, b""
        case Decimal():
            return name, _REAL, *_real(name, value), b""
        case float():
            return name, _DOUBLE, 0, 0, value, b""
        case str():
            return name, _TEXT, 0, 0, 0.0, value.encode()
        case bytes():
            return name, _BYTES, 0, 0, 0.0, value
        case datetime.time():
            whole = (value.hour * 60 + value.minute) * 60 + value.second
            return name, _TIME, (whole * 1_000_000 + value.microsecond) * 1000, 0, 0.0, b""
        case datetime.date() if not isinstance(value, datetime.datetime):
            return name, _DATE, value.toordinal() - 719_163, 0, 0.0, b""
    raise ArgumentError(f"{name}: a {type(value).__name__} is no value of a field")


class Provider:
    """An interactive provider of one service on localhost. It accepts every login; unknown items are closed. Any thread."""

    def __init__(self, service: str = "DIRECT_FEED", items: Mapping[str, Mapping[str, Any]] | None = None, *, port: int = 0,
                 websocket: bool = False) -> None:
        self.service = service
        self.port = port or _free_port()
        self._core = _core.Provider(str(self.port), service, str(_DATA), websocket)
        for name, fields in (items or {}).items():
            self.publish(name, fields)

    @property
    def host(self) -> str:
        """For emissary.connect()."""
        return f"localhost:{self.port}"

    def publish(self, item: str, fields: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        """Changes fields of an item, which exists from then on, and sends them to all who have it open. None is a blank."""
        self._core.publish(item, [_field(name, value) for name, value in {**(fields or {}), **more}.items()])

    def stale(self, item: str, text: str = "") -> None:
        """Tells all who have the item open that its values may be old."""
        self._core.status(item, _STALE, text)

    def current(self, item: str, text: str = "") -> None:
        """Tells all who have the item open that its values are good again."""
        self._core.status(item, _CURRENT, text)

    def close_item(self, item: str, text: str = "", *, recover: bool = False) -> None:
        """Ends the item's streams."""
        self._core.status(item, _CLOSED_RECOVER if recover else _CLOSED, text)

    def streams(self, item: str | None = None) -> int:
        """How many streams of the item are open; of all items without one."""
        return self._core.streams(item)

    def close(self) -> None:
        """Disconnects all consumers."""
        self._core.close()

    def __enter__(self) -> Provider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
