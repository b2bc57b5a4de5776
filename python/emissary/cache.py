"""The last values of items, each with its state."""
from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._core import Batch, Message
from .errors import ArgumentError
from .session import Image, Item, Session

_MOST_BATCHES = 100  # of one call: a feed may be faster than the program


class LastValues(Mapping[str, Image]):
    """The last values of items, kept from the messages of a session. An Image for each name, whose `state` and `stale` say whether the
    values are good: what is pending, stale or closed keeps its last values, and is not called current.

        values = emissary.LastValues(session, ["EMI.X", "EMI.Y"], fields=["BID", "ASK"])
        while values.update(timeout=5):
            print(values["EMI.X"]["BID"], values.stale())

    update() reads for it; a program that reads batches itself gives each of them to apply(). One thread at a time."""

    def __init__(self, session: Session, names: Iterable[str], fields: Iterable[str | int] = (), service: str | None = None) -> None:
        """Opens the items. `fields` are the only ones of the session from then on; none: all that come."""
        self._session = session
        wanted = list(names)
        if len(set(wanted)) != len(wanted):
            raise ArgumentError("an item is named twice")
        chosen = list(fields)
        if chosen:
            session.columns(chosen)
        self._items: dict[int, Item] = {item.number: item for item in session.open(wanted, service)}
        self._images = {item.name: Image(item.name, item.service, "pending", "", {}) for item in self._items.values()}
        self._partial: set[int] = set()
        self._times: dict[str, int] = {}

    def update(self, timeout: float | None = 0.0, rows: int = 1000) -> set[str]:
        """Waits up to `timeout` seconds for messages, reads those that are there, and returns the names of the items that changed."""
        changed: set[str] = set()
        for turn in range(_MOST_BATCHES):
            batch = self._session.next_batch(rows, timeout if turn == 0 else 0)
            changed |= self.apply(batch)
            if len(batch) < rows:
                break
        return changed

    def apply(self, batch: Batch) -> set[str]:
        """Takes the messages of a batch, and returns the names of the items that changed. Messages of other items are left out."""
        changed: set[str] = set()
        for message in batch.messages():
            item = self._items.get(message.item)
            if item is None or message.type not in ("image", "update", "status"):
                continue
            self._take(item, message)
            changed.add(item.name)
        return changed

    def _take(self, item: Item, message: Message) -> None:
        before = self._images[item.name]
        fields, text = before._fields, message.text
        if message.type == "status":
            if message.stale:
                self._partial.discard(message.item)  # an image that was interrupted begins anew
        elif message.type == "update":
            fields, text = {**fields, **message.fields}, before.text
        else:
            # The first part of an image takes the place of what was there; further parts add to it.
            fields = {**fields, **message.fields} if message.item in self._partial else message.fields
            (self._partial.discard if message.complete else self._partial.add)(message.item)
        self._images[item.name] = Image(item.name, item.service, message.state, text, fields)
        if message.type != "status":
            self._times[item.name] = message.time

    def __getitem__(self, name: str) -> Image:
        return self._images[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._images)

    def __len__(self) -> int:
        return len(self._images)

    def stale(self) -> list[str]:
        """Names of the items whose values are not good."""
        return [name for name, image in self._images.items() if image.stale]

    def age(self, name: str) -> float | None:
        """Seconds since the last image or update of the item was read; None before the first one."""
        self._images[name]  # KeyError for a name that it does not have
        at = self._times.get(name)
        return None if at is None else max(0.0, (time.time_ns() - at) / 1e9)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each item, `item`, `state` and `stale` before its fields: polars.DataFrame(values.rows()), pandas.DataFrame(...)."""
        return [{"item": name, "state": image.state, "stale": image.stale, **image} for name, image in self._images.items()]

    def close(self) -> None:
        """Ends the items' streams; the values are kept, and are stale from then on."""
        for item in self._items.values():
            if not self._session.closed:
                item.close()
        for name, image in self._images.items():
            if not image.stale:
                self._images[name] = Image(name, image.service, "closed", "closed by this program", dict(image))
        self._items.clear()
