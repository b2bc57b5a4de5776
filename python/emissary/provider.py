"""Providers: what both kinds have in common, the one that answers requests, and the one that publishes to a server."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from . import _core
from ._core import Message
from .data import Node, domain_number, dump, dump_fields
from .errors import ArgumentError

_CURRENT, _STALE, _CLOSED, _CLOSED_RECOVER = 1, 2, 4, 5
_SENT: dict[str, int] = {"image": 1, "update": 2, "generic": 4}
DICTIONARIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class _OneService:
    """Calls of a provider for one of its services."""

    def __init__(self, core: _core.Provider, service: str) -> None:
        self._core, self._service = core, service

    def publish(self, item: str, fields: Sequence[Node]) -> None:
        self._core.publish(item, fields, self._service)

    def send(self, item: str, domain: int, type: int, data: Sequence[Node]) -> None:
        self._core.send(item, domain, type, data, self._service)

    def status(self, item: str, state: int, text: str) -> None:
        self._core.status(item, state, text, self._service)

    def streams(self, item: str | None) -> int:
        return self._core.streams(item, self._service)


Core = TypeVar("Core", _core.Provider, _core.NiProvider, _OneService)
Whole = TypeVar("Whole", _core.Provider, _core.NiProvider)
Self = TypeVar("Self", bound="Publisher[Any]")


class Items(Generic[Core]):
    """Publishing the items of a service. Any thread."""

    _core: Core

    def publish(self, item: str, fields: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        """Changes fields of an item, which exists from then on, and sends them to all who have it open. None is a blank."""
        self._core.publish(item, dump_fields({**(fields or {}), **more}))

    def send(self, item: str, data: Any, *, domain: str | int = "market_price",
             type: Literal["image", "update", "generic"] = "image") -> None:
        """Sends any container: an image, which is kept for those who ask later, an update or a generic message."""
        if type not in _SENT:
            raise ArgumentError(f"type is image, update or generic, not {type!r}")
        self._core.send(item, domain_number(domain), _SENT[type], dump(data))

    def stale(self, item: str, text: str = "") -> None:
        """Tells all who have the item open that its values may be old."""
        self._core.status(item, _STALE, text)

    def current(self, item: str, text: str = "") -> None:
        """Tells all who have the item open that its values are good again."""
        self._core.status(item, _CURRENT, text)

    def close_item(self, item: str, text: str = "", *, recover: bool = False) -> None:
        """Ends the item's streams."""
        self._core.status(item, _CLOSED_RECOVER if recover else _CLOSED, text)


class Publisher(Items[Whole]):
    """What providers of both kinds can do. Any thread."""

    def received(self, timeout: float | None = 0.0) -> list[Message]:
        """Posts and generic messages that have come, and the requests and logins of a Provider that takes them, after a wait of up to
        `timeout` seconds for the first one; None waits for ever."""
        if timeout is not None and timeout < 0:
            raise ArgumentError(f"timeout is {timeout} s; None waits for ever")
        return self._core.next_batch(-1.0 if timeout is None else timeout).messages()

    def run(self, callback: Callable[[list[Message]], object], *, timeout: float | None = None) -> None:
        """Calls back with lists of what has come, as received() has it, until the callback returns False or nothing has come for
        `timeout` seconds."""
        while messages := self.received(timeout):
            if callback(messages) is False:
                return

    def close(self) -> None:
        """Disconnects. A second call does nothing."""
        self._core.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Service(Items[_OneService]):
    """One of the services of a Provider, as Provider.on() gives it. Any thread."""

    name: str

    def __init__(self, core: _core.Provider, name: str) -> None:
        self._core, self.name = _OneService(core, name), name

    def streams(self, item: str | None = None) -> int:
        """How many streams of the item are open; of all items of the service without one."""
        return self._core.streams(item)


class Provider(Publisher[_core.Provider]):
    """An interactive provider, for small feeds and for tests. It honours views, takes posts, and answers requests with what was
    published. Any thread.

    It has one service or several: publish() and the like are for the first one, those of on(name) for the others.

    With `requests`, items that it does not have are asked of the program: received() and run() hand out messages of type `request`,
    whose stream waits for publish() or send() of an image, or for close_item(). Without, unknown items are refused.

        with emissary.Provider("MY_FEED", port=14002, requests=True) as provider:
            provider.run(lambda messages: [provider.publish(m.name, BID=1) for m in messages if m.type == "request"])

    With `logins`, each login is asked of the program too: a message of type `request` and domain 1, whose `name` is the user, or the token
    in the place of a user, and whose `data` are the attributes, Password and Position for example. The consumer waits for accept_login()
    or refuse_login(). Without, every login is accepted.
    """

    service: str
    services: tuple[str, ...]
    websocket: bool
    port: int

    def __init__(self, service: str | Iterable[str] = "DIRECT_FEED", items: Mapping[str, Mapping[str, Any]] | None = None, *, port: int = 0,
                 websocket: bool = False, requests: bool = False, logins: bool = False, dictionaries: str | None = None) -> None:
        """`service`: the name, or names, which are numbered 1, 2 and so on. `port` 0 takes a free one. `websocket` speaks rssl.json.v2 in the place of RIPC. `dictionaries` is a folder with
        RDMFieldDictionary and enumtype.def; the package has them."""
        if not 0 <= port <= 65_535:
            raise ArgumentError(f"port is {port}, not 0 to 65535")
        self.services = (service,) if isinstance(service, str) else tuple(service)
        if not self.services:
            raise ArgumentError("a provider has at least one service")
        self.service, self.websocket = self.services[0], websocket
        self._core = _core.Provider(str(port), self.services, dictionaries or DICTIONARIES, websocket)
        self.port = self._core.port()
        if logins:
            self._core.take_logins(True)
        if requests:
            self._core.take_requests(True)
        for name, fields in (items or {}).items():
            self.publish(name, fields)

    @property
    def host(self) -> str:
        """For emissary.connect()."""
        return f"localhost:{self.port}"

    def on(self, service: str) -> Service:
        """One of its services."""
        if service not in self.services:
            raise ArgumentError(f"no service is called {service!r}; there is {', '.join(self.services)}")
        return Service(self._core, service)

    def streams(self, item: str | None = None) -> int:
        """How many streams of the item of the first service are open; of all items of all services without one."""
        return self._core.streams(item)

    def accept_login(self, login: Message, text: str = "") -> None:
        """Accepts a login that `logins` handed out. ItemError when it was answered, its consumer has asked again (a message of
        its own), or has gone."""
        self._core.answer_login(login.item, True, text)

    def refuse_login(self, login: Message, text: str = "") -> None:
        """Refuses a login that `logins` handed out, and ends its connection; the text tells the consumer why. Errors as accept_login()."""
        self._core.answer_login(login.item, False, text)

    def answer_posts(self, nack: int = 0, text: str = "") -> None:
        """How posts that ask for an ack are answered from now on: 0 takes them, another nack code refuses them."""
        self._core.answer_posts(nack, text)


class NiProvider(Publisher[_core.NiProvider]):
    """A non-interactive provider: publishes items of one service to a server, such as a distribution hub. After a reconnect all
    images are sent again, with the last values. Any thread.

        with emissary.NiProvider("localhost:14003", service="MY_FEED", service_id=5) as provider:
            provider.publish("EMI.X", BID=Decimal("39.90"))
    """

    def __init__(self, host: str = "localhost:14003", *, service: str, service_id: int, user: str | None = None,
                 password: str | None = None, position: str | None = None, application_id: str | int | None = None,
                 websocket: Literal["json"] | None = None, timeout: float | None = 10.0, dictionaries: str | None = None) -> None:
        """`dictionaries` is a folder with RDMFieldDictionary and enumtype.def; the package has them. ConnectionFailed and CredentialsError
        say why there is no connection."""
        if timeout is not None and timeout < 0:
            raise ArgumentError(f"timeout is {timeout} s; None waits for ever")
        if not 0 <= service_id <= 65_535:
            raise ArgumentError(f"service_id is {service_id}, not 0 to 65535")
        settings = {"host": host, "user": user, "password": password, "position": position, "websocket": websocket,
                    "application_id": None if application_id is None else str(application_id),
                    "login_timeout_ms": str(0 if timeout is None else max(1, round(timeout * 1000)))}
        given = {name: value for name, value in settings.items() if value is not None}
        self.service = service
        self._core = _core.NiProvider(given, service, service_id, dictionaries or DICTIONARIES)

    def service_up(self, up: bool) -> None:
        """Says whether the service is up. While it is down, servers call its items stale."""
        self._core.service_up(up)

    @property
    def connected(self) -> bool:
        """Whether there is a connection that is logged in."""
        return self._core.connected
