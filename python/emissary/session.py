"""Sessions, items, and images of items."""
from __future__ import annotations

import atexit
import os
import time
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, overload

from . import _core
from .data import JIT_CONFLATION_STARTED, Msg, domain_number, dump
from .errors import ArgumentError, ItemClosed, ItemError, NoAnswer, PostRefused, UnknownService, UsageError

_GOOD = ("current", "complete")
_ENDED = ("closed", "closed_recover", "redirected")
_SNAPSHOT, _PRIVATE, _BATCH = 1, 2, 4
_ACK = 1
_HAS_ID, _HAS_SEQUENCE, _HAS_USER, _HAS_RIGHTS = 1, 2, 4, 16
_KINDS = {1: "int", 2: "uint", 3: "real", 4: "double", 5: "enum", 6: "date", 7: "time", 8: "datetime", 9: "text", 10: "bytes"}
_SOURCE_UNKNOWN = 15

_open: weakref.WeakSet[Session] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for session in list(_open):
        try:
            session.close()
        except UsageError:  # a thread that is still inside ends with the process
            pass


class Field(NamedTuple):
    """A field of the dictionary. `type` is that of its values: int, uint, real, double, enum, date, time, datetime, text or bytes;
    container otherwise."""

    fid: int
    name: str
    long_name: str
    type: str
    length: int


class Item:
    """One item of a session. What is asked is asked of the library, so that the state is never older than the last batch."""

    __slots__ = ("_session", "number", "name", "service", "__weakref__")
    number: int
    name: str
    service: str

    def __init__(self, session: Session, number: int, name: str, service: str) -> None:
        self._session, self.number, self.name, self.service = session, number, name, service

    @property
    def state(self) -> str:
        """pending, current, stale, complete, closed, closed_recover or redirected"""
        return self._last()[0]

    @property
    def stale(self) -> bool:
        """True unless the values are good: nothing that is pending, stale or closed is current."""
        return self.state not in _GOOD

    @property
    def text(self) -> str:
        """What the provider said with the last state."""
        return self._last()[4]

    @property
    def code(self) -> int:
        """The status code of the last state."""
        return self._last()[1]

    def close(self) -> None:
        """Ends the item; one that has ended stays so."""
        try:
            self._session._core.close_item(self.number)
        except ItemError:
            pass
        self._session._forget(self)

    def _last(self) -> tuple[str, int, str, str, str]:
        try:
            return self._session._core.item(self.number)
        except ItemError:  # closed long ago: the library keeps the last ones alone
            return "closed", 0, self.name, self.service, ""

    def __repr__(self) -> str:
        return f"<Item {self.name} of {self.service}>"


class Login(Item):
    """The login stream of a session: what becomes of the connection, and whether the provider joins updates."""

    __slots__ = ()

    @property
    def slow(self) -> bool:
        """True while the provider joins updates because this program reads too slowly, as of the last batch: values are right, and some
        updates between them are left out."""
        return self.code == JIT_CONFLATION_STARTED

    def close(self) -> None:
        """Does nothing: the login ends with the session."""

    def __repr__(self) -> str:
        return "<Login>"


class Book(Item):
    """An order book: an item whose messages the library applies to levels and orders. Their rows in batches have no data; read the book
    when they have come."""

    __slots__ = ()
    _STATES = ("empty", "building", "live", "stale", "closed")
    _PHASES = ("unknown", "pre_open", "auction", "continuous", "halted", "closed")

    def _known(self) -> tuple[int, int, bool, int, int, int, int]:
        return self._session._core.book(self.number)

    @property
    def book_state(self) -> str:
        """empty, building, live, stale or closed; what a book that is not live shows is not to be relied on"""
        return self._STATES[self._known()[0]]

    @property
    def phase(self) -> str:
        """unknown, pre_open, auction, continuous, halted or closed"""
        return self._PHASES[self._known()[1]]

    @property
    def crossed(self) -> bool:
        """Whether the best bid is as high as the best ask, or higher."""
        return self._known()[2]

    @property
    def version(self) -> int:
        """Another number after each change."""
        return self._known()[3]

    @property
    def depth(self) -> tuple[int, int]:
        """How many levels of bids and of asks there are."""
        return self._known()[4:6]

    def levels(self, depth: int = 0) -> _core.Batch:
        """A row for each level, bids from the best and then asks from the best; `depth` of each side, 0: all. Columns: SIDE (1 bid, 2 ask),
        PRICE, SIZE, ORDERS, TIME."""
        return self._rows(0, depth)

    def orders(self, depth: int = 0) -> _core.Batch:
        """A row for each order of these levels. Columns: SIDE, PRICE, SIZE, LEVEL (0 the best), ID, MAKER, TIME. Orders without a price come first,
        and have no LEVEL."""
        return self._rows(1, depth)

    def _rows(self, what: int, depth: int) -> _core.Batch:
        if depth < 0:
            raise ArgumentError(f"depth is {depth}; 0 stands for all levels")
        return self._session._core.book_rows(self.number, what, depth)

    def __repr__(self) -> str:
        return f"<Book {self.name} of {self.service}>"


class Image(Mapping[str, Any]):
    """The fields of one item at one moment, with its state."""

    __slots__ = ("name", "service", "state", "text", "_fields")
    name: str
    service: str
    state: str
    text: str

    def __init__(self, name: str, service: str, state: str, text: str, fields: dict[str, Any]) -> None:
        self.name, self.service, self.state, self.text, self._fields = name, service, state, text, fields

    @property
    def stale(self) -> bool:
        """True unless the values were good when the image was taken."""
        return self.state not in _GOOD

    def __getitem__(self, field: str) -> Any:
        return self._fields[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"<Image {self.name} {self.state} {self._fields!r}>"


class Table:
    """Batches one after the other. Arrow's readers take it as a table: polars.DataFrame(table), pyarrow.table(table)."""

    def __init__(self, batches: Iterable[_core.Batch]) -> None:
        self.batches: list[_core.Batch] = list(batches)
        if not self.batches:
            raise ArgumentError("a table of no batches")

    def __len__(self) -> int:
        return sum(len(batch) for batch in self.batches)

    def __iter__(self) -> Iterator[_core.Message]:
        for batch in self.batches:
            yield from batch.messages()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _core.arrow_stream(self.batches)

    def __arrow_c_schema__(self) -> object:
        return _core.arrow_schema(self.batches)


class Session:
    """A connection to a provider. One thread at a time; a second one is refused with UsageError. See connect()."""

    service: str | None

    def __init__(self, core: _core.Consumer, service: str | None) -> None:
        self._core = core
        self.service = service
        self._items: dict[int, Item] = {}  # until they are closed
        self._closed: weakref.WeakValueDictionary[int, Item] = weakref.WeakValueDictionary()  # as long as somebody has them
        self._login: Login | None = None
        self._columns: list[str] = []
        self._pending: deque[_core.Batch] = deque()  # read while something else was waited for
        self._last_post = 0
        _open.add(self)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Logs out and disconnects. Any thread: one that waits in this session gets UsageError. A second call does nothing."""
        self._core.close()
        _open.discard(self)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._core.closed

    @overload
    def open(self, names: str, service: str | None = ..., *, private: bool = ..., domain: str | int = ...,  # type: ignore[overload-overlap]
             view: Iterable[str | int] = ...) -> Item: ...
    @overload
    def open(self, names: Iterable[str], service: str | None = ..., *, private: bool = ..., domain: str | int = ...,
             view: Iterable[str | int] = ..., batch: bool = ...) -> list[Item]: ...

    def open(self, names: str | Iterable[str], service: str | None = None, *, private: bool = False,
             domain: str | int = "market_price", view: Iterable[str | int] = (), batch: bool = False) -> Item | list[Item]:
        """Asks for one item or several. Their messages come with next_batch(), by iteration, or to run(). A `view` asks the provider for
        these fields alone. `batch` puts all names into one request."""
        flags = (_PRIVATE if private else 0) | (_BATCH if batch else 0)
        items = self._open(_as_list(names), service, flags, domain_number(domain), [str(field) for field in view])
        return items[0] if isinstance(names, str) else items

    def _open(self, wanted: list[str], service: str | None, flags: int, domain: int = 6, view: list[str] | None = None) -> list[Item]:
        service = service or self.service
        if not service:
            raise ArgumentError("no service: name one here or in connect()")
        numbers = self._core.open(service, wanted, flags, domain, view or [])
        items = [Item(self, number, name, service) for number, name in zip(numbers, wanted)]
        self._items.update(zip(numbers, items))
        return items

    def open_book(self, name: str, service: str | None = None, *, domain: str | int = "market_by_order") -> Book:
        """Asks for an order book: market_by_order, market_by_price or market_maker. Its content is there when its messages have been
        read, by next_batch() for example."""
        service = service or self.service
        if not service:
            raise ArgumentError("no service: name one here or in connect()")
        book = Book(self, self._core.open_book(service, name, domain_number(domain)), name, service)
        self._items[book.number] = book
        return book

    def open_login(self) -> Login:
        """Delivers messages of the login stream too, as item 0. They say when the connection is lost or back, and when the provider begins
        (`code` emissary.data.JIT_CONFLATION_STARTED) and stops (REALTIME_RESUMED) joining updates because this program reads too slowly."""
        self._core.open_login()
        if self._login is None:
            self._login = Login(self, 0, "", "")
        return self._login

    def post(self, target: Item | str, data: Any, *, service: str | None = None, type: Literal["image", "update"] | None = "update",
             ack: bool = True, id: int | None = None, sequence: int | None = None, user: tuple[int, int] | None = None,
             rights: int | None = None, domain: str | int = "market_price") -> int:
        """Posts fields, or another container, for an item: on its stream, after the first image, when an Item is given; on that of the
        login when it is named. Returns the number that the ack will have as `message.id`; wait_for_ack() waits for it.

        The data are put into a message of `type`, which subscribers shall get; None posts them as they are. `user` is PostUserInfo: the
        number and the IPv4 address of the poster; without it the process and 127.0.0.1. `rights`: 1 create, 2 delete, 4 modify permissions."""
        number = domain_number(domain)
        if id is None:
            self._last_post = self._last_post % 0xFFFF_FFFF + 1
            id = self._last_post
        has = _HAS_ID | (_HAS_SEQUENCE if sequence is not None else 0) | (_HAS_USER if user else 0) | (
            _HAS_RIGHTS if rights is not None else 0)
        user_id, address = user or (0, 0)
        how = [_ACK if ack else 0, has, id, sequence or 0, user_id, address, rights or 0, number]
        for value in how:
            if not 0 <= value <= 0xFFFF_FFFF:
                raise ArgumentError(f"{value} does not fit 32 bits")
        if rights is not None and rights > 0xFFFF:
            raise ArgumentError(f"rights is {rights}; they have 16 bits")
        nodes = dump(data if type is None else Msg(type, data, number))
        if isinstance(target, Item):
            self._core.post(target.number, None, None, how, nodes)
            return id
        service = service or self.service
        if not service:
            raise ArgumentError("no service: name one here or in connect()")
        self._core.post(0, service, target, how, nodes)
        return id

    def wait_for_ack(self, post: int, timeout: float = 10.0) -> None:
        """Waits for the ack of a post. PostRefused when the provider does not take it, NoAnswer when nothing comes. What else arrives
        meanwhile, and the ack itself, comes with the next batches."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            batch = self._read(1000, left)
            if not batch:
                continue
            self._pending.append(batch)
            for message in batch.messages():
                if message.type != "ack" or message.id != post:
                    continue
                if message.nack == 0:
                    return
                error = PostRefused(f"{message.name}: {message.text or 'the post was refused'} (nack {message.nack})")
                error.name, error.code, error.nack, error.post = message.name, message.nack, message.nack, post
                raise error
        raise NoAnswer(f"no ack of post {post} came in {timeout:g} s")

    def generic(self, item: Item, data: Any) -> None:
        """Sends a generic message with any container on the stream of an item."""
        self._core.generic(item.number, dump(data))

    def field(self, field: str | int) -> Field:
        """A field of the dictionary, by name or id. ArgumentError when there is none, DictionaryMissing without a dictionary."""
        fid, kind, length, name, long_name = self._core.field(str(field))
        return Field(fid, name, long_name, _KINDS.get(kind, "container"), length)

    def display(self, field: str | int, value: int) -> str:
        """The text that stands for a number of an enumerated field: display("CURRENCY", 840) is "USD"."""
        return self._core.display(str(field), value)

    def item(self, message: _core.Message) -> Item:
        """The item that a message belongs to. ItemError when it was closed so long ago that nothing is known of it."""
        if message.item == 0 and self._login is not None:
            return self._login
        known = self._items.get(message.item) or self._closed.get(message.item)
        if known is None:  # closed, and nobody has it any more
            _, _, name, service, _ = self._core.item(message.item)
            known = Item(self, message.item, name, service)
        return known

    def _forget(self, item: Item) -> None:
        if self._items.pop(item.number, None) is not None:
            self._closed[item.number] = item

    def columns(self, fields: Iterable[str | int]) -> None:
        """Chooses the fields of later batches and messages, by name or id; none: all that come."""
        wanted = [str(field) for field in fields]
        self._core.columns(wanted)
        self._columns = wanted

    def next_batch(self, rows: int = 1000, timeout: float | None = None) -> _core.Batch:
        """Waits for messages and returns about `rows` of those that are there. After `timeout` seconds the batch may be empty."""
        if rows < 1:
            raise ArgumentError(f"rows is {rows}; a batch has at least 1")
        if timeout is not None and timeout < 0:
            raise ArgumentError(f"timeout is {timeout} s; None waits for ever")
        if self._pending:
            return self._pending.popleft()
        return self._read(rows, timeout)

    def _read(self, rows: int, timeout: float | None) -> _core.Batch:
        return self._core.next_batch(rows, -1.0 if timeout is None else timeout)

    def batches(self, rows: int = 1000, timeout: float | None = None) -> Iterator[_core.Batch]:
        """Batches for ever, or until none has come for `timeout` seconds."""
        while batch := self.next_batch(rows, timeout):
            yield batch

    def __iter__(self) -> Iterator[_core.Message]:
        for batch in self.batches():
            yield from batch.messages()

    async def __aiter__(self) -> AsyncIterator[_core.Message]:
        import asyncio
        while True:
            # Short waits: a task that is cancelled leaves no thread behind that holds the session.
            batch = await asyncio.shield(asyncio.to_thread(self.next_batch, 1000, 0.05))
            for message in batch.messages():
                yield message

    def run(self, callback: Callable[[list[_core.Message]], object], *, rows: int = 1000, timeout: float | None = None) -> None:
        """Calls back with lists of messages, until the callback returns False or nothing has come for `timeout` seconds."""
        for batch in self.batches(rows, timeout):
            if callback(batch.messages()) is False:
                return

    @overload
    def snapshot(self, names: str, fields: Iterable[str | int] = ..., *,  # type: ignore[overload-overlap]
                 service: str | None = ..., timeout: float = ...) -> Image: ...
    @overload
    def snapshot(self, names: Iterable[str], fields: Iterable[str | int] = ..., *, service: str | None = ...,
                 timeout: float = ...) -> Table: ...

    def snapshot(self, names: str | Iterable[str], fields: Iterable[str | int] = (), *, service: str | None = None,
                 timeout: float = 10.0) -> Image | Table:
        """Images without updates. One name: its Image, or ItemClosed, UnknownService or NoAnswer. Several: a Table with a row for
        each answer; items that were refused have rows of type status (3), whose state says so. NoAnswer when some did not answer.
        Not while streams of this session are open: their messages would be lost."""
        if self._login is not None or any(item.state not in (*_ENDED, "complete") for item in self._items.values()):
            raise UsageError("snapshot() while items are open: use a session of its own")
        self._items.clear()
        single = isinstance(names, str)
        before = self._columns
        self.columns(fields)
        try:
            items = self._open(_as_list(names), service, _SNAPSHOT)
            batches, missing = self._collect({item.number for item in items}, timeout)
            if single:
                return self._image(items[0], batches)
            if missing:
                first = self._items[min(missing)]
                raise _about(NoAnswer, first, f"{len(missing)} of {len(items)} items have not answered in {timeout:g} s, "
                                              f"{first.name} for one")
            return Table(batches or [self.next_batch(1, 0)])
        finally:
            for item in list(self._items.values()):
                if not self._core.closed:
                    item.close()
            self._items.clear()
            if not self._core.closed:
                self.columns(before)

    def _collect(self, missing: set[int], timeout: float) -> tuple[list[_core.Batch], set[int]]:
        end = time.monotonic() + timeout
        batches = []
        while missing and (left := end - time.monotonic()) > 0:
            batch = self.next_batch(max(len(missing), 1), left)
            if batch:
                batches.append(batch)
                missing.difference_update(batch.answered())
        return batches, missing

    def _image(self, item: Item, batches: list[_core.Batch]) -> Image:
        fields: dict[str, Any] = {}
        came = False
        for batch in batches:
            for message in batch.messages():
                if message.type == "image":
                    fields.update(message.fields)
                    came = True
        state, text = item.state, item.text
        if came:
            return Image(item.name, item.service, state, text, fields)
        if state in _ENDED or "not found" in text or item.code == _SOURCE_UNKNOWN:
            unknown = item.code == _SOURCE_UNKNOWN or ("ervice" in text and "not found" in text)
            raise _about(UnknownService if unknown else ItemClosed, item, text or f"the item is {state}")
        raise _about(NoAnswer, item, f"no image of {item.name} of {item.service} came in time" + (f": {text}" if text else ""))

    def services(self, timeout: float = 5.0) -> list[tuple[str, int, bool]]:
        """Name, number and whether it is up, of each service that there is. Not while streams of this session are open, nor after
        open_login()."""
        return self._core.services(timeout)

    def metrics(self, format: Literal["text", "json", "prometheus"] = "text") -> str:
        """What the library has counted for this session."""
        return self._core.metrics(format)

    def log(self) -> list[tuple[int, str, str]]:
        """Log records since the last call, at most the newest 1000: severity 0 to 3, component, text."""
        return self._core.log()


def _as_list(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _about(kind: type[ItemError], item: Item, text: str) -> ItemError:
    error = kind(f"{item.name} of {item.service}: {text}")
    error.name, error.service, error.code = item.name, item.service, item.code
    return error


def connect(host: str | None = None, *, service: str | None = None, user: str | None = None, password: str | None = None,
            position: str | None = None, application_id: str | int | None = None, client_id: str | None = None,
            client_secret: str | None = None, config: str | os.PathLike[str] | None = None, config_text: str | None = None,
            consumer_name: str | None = None, websocket: Literal["json"] | None = None, timeout: float | None = 10.0,
            dispatch_max: int | None = None, real: Literal["decimal", "float", "tuple"] = "decimal",
            enum: Literal["value", "display", "both"] = "value") -> Session:
    """Connects to HOST:PORT, or as a configuration file or text says, and returns when login, directory and dictionary are there.

    `service` is the default of the items. `real` is how prices are given in messages: as exact Decimal, as float, or as tuple of
    mantissa and exponent. Batches have them as doubles. `enum` is how enumerated fields are given: as the number, as the text that the
    dictionary shows ("USD", or the number where it has none), or as an emissary.data.Enum that has both. Arrow's columns are then int64,
    utf8, or a column of each (`CURRENCY` and `CURRENCY.display`). `timeout` is in seconds, None waits for ever; with a configuration it
    counts only beside consumer_name. ConnectionFailed, CredentialsError, DictionaryMissing, DirectoryMissing or
    ConfigurationError say why there is no session."""
    if timeout is not None and timeout < 0:
        raise ArgumentError(f"timeout is {timeout} s; None waits for ever")
    settings = {"host": host, "user": user, "password": password, "position": position, "client_id": client_id,
                "client_secret": client_secret, "consumer_name": consumer_name, "websocket": websocket,
                "application_id": None if application_id is None else str(application_id),
                "dispatch_max": None if dispatch_max is None else str(dispatch_max)}
    if (config is None and config_text is None) or consumer_name is not None:
        settings["login_timeout_ms"] = str(0 if timeout is None else max(1, round(timeout * 1000)))
    given = {name: value for name, value in settings.items() if value is not None}
    return Session(_core.Consumer(given, None if config is None else os.fspath(config), config_text, real, enum), service)
