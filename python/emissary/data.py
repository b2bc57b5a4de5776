"""What messages carry, as Python values: field lists and element lists as dictionaries, the other containers as classes.

    book = Map([MapEntry("B1", {"BID": Decimal("39.90")}), MapEntry("B2", action="delete")])
    provider.send("EMI.X", book, domain="market_by_order")
"""
from __future__ import annotations

import datetime
import operator
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from .errors import ArgumentError

Node = tuple[int, int, int, int, int, int, int, float, "str | None", bytes, bool]

_NOTHING, _INT, _UINT, _REAL, _DOUBLE, _ENUM, _DATE, _TIME, _DATETIME, _TEXT, _BYTES, _QOS, _STATE = range(13)
(_FIELD_LIST, _ELEMENT_LIST, _MAP, _VECTOR, _FILTER_LIST, _SERIES, _ARRAY, _OPAQUE, _XML, _ANSI_PAGE, _JSON, _MESSAGE, _ENTRY,
 _UNREADABLE) = range(32, 46)
_SUMMARY = 1

MapAction = Literal["update", "add", "delete"]
VectorAction = Literal["update", "set", "clear", "insert", "delete"]
FilterAction = Literal["update", "set", "clear"]
MsgType = Literal["image", "update", "status", "generic", "post", "ack", "request"]

_MAP_ACTIONS: dict[str, int] = {"update": 1, "add": 2, "delete": 3}
_VECTOR_ACTIONS: dict[str, int] = {"update": 1, "set": 2, "clear": 3, "insert": 4, "delete": 5}
_FILTER_ACTIONS: dict[str, int] = {"update": 1, "set": 2, "clear": 3}
_TYPES: dict[str, int] = {"image": 1, "update": 2, "status": 3, "generic": 4, "ack": 5, "post": 6, "request": 7}
_STREAMS: dict[str, int] = {"open": 1, "non_streaming": 2, "closed_recover": 3, "closed": 4, "closed_redirected": 5}
_DATA_STATES: dict[str, int] = {"no_change": 0, "ok": 1, "suspect": 2}
_DOMAINS: dict[str, int] = {"market_price": 6, "market_by_order": 7, "market_by_price": 8, "market_maker": 9, "symbol_list": 10,
                            "yield_curve": 22}


def domain_number(domain: str | int) -> int:
    """The number of a domain, which may be given by its name: market_price, market_by_order, market_by_price, and so on."""
    if isinstance(domain, int):
        return domain
    try:
        return _DOMAINS[domain]
    except KeyError:
        raise ArgumentError(f"no domain is called {domain!r}; there are {', '.join(_DOMAINS)}, and numbers") from None


#: Status codes of the login stream: the provider joins updates because the program reads too slowly; it no longer does.
JIT_CONFLATION_STARTED, REALTIME_RESUMED = 7, 8


class UInt(int):
    """A whole number that is sent as unsigned; a plain int is signed. In field lists the dictionary says which."""


class Enum(int):
    """The number of an enumerated value; `display` is the text that the dictionary shows for it, or the number where it has none.
    To send one, the number does, and in field lists a plain int or the text too."""

    display: str

    def __new__(cls, value: int, display: str = "") -> Enum:
        made = super().__new__(cls, value)
        made.display = display
        return made

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.display


def _rest(value: object) -> int:
    """The nanoseconds below a microsecond."""
    return int(getattr(value, "nanosecond", 0))


def _finer(kind: type[Any]) -> None:
    """Makes comparisons and the hash of the class count nanoseconds too."""

    base: Any = kind.__mro__[1]

    def comparison(name: str) -> None:
        whole, below = getattr(base, name), getattr(operator, name)

        def compare(self: Any, other: object) -> Any:
            return below(_rest(self), _rest(other)) if base.__eq__(self, other) is True else whole(self, other)

        setattr(kind, name, compare)

    for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        comparison(name)
    setattr(kind, "__hash__", lambda self: hash((base.__hash__(self), _rest(self))) if _rest(self) else base.__hash__(self))


class Time(datetime.time):
    """A time of day with nanoseconds: `nanosecond` is what `microsecond` leaves, 0 to 999. Times without such a rest are datetime.time.
    replace() drops what is below a microsecond."""

    nanosecond: int = 0

    @classmethod
    def of(cls, time: datetime.time, nanosecond: int) -> Time:
        made = cls(time.hour, time.minute, time.second, time.microsecond, time.tzinfo, fold=time.fold)
        made.nanosecond = _checked_rest(nanosecond)
        return made

    def isoformat(self, timespec: str = "auto") -> str:
        plain = super().isoformat("microseconds" if timespec == "auto" else timespec)
        return plain[:15] + f"{self.nanosecond:03}" + plain[15:] if timespec == "auto" else plain

    def __str__(self) -> str:
        return self.isoformat()

    def __repr__(self) -> str:
        return f"emissary.data.Time({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        plain = datetime.time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo, fold=self.fold)
        return Time.of, (plain, self.nanosecond)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return self.__reduce__()


class DateTime(datetime.datetime):
    """A moment with nanoseconds: `nanosecond` is what `microsecond` leaves, 0 to 999. Moments without such a rest are datetime.datetime.
    Sums with timedelta and other time zones keep it; replace() drops what is below a microsecond."""

    nanosecond: int = 0

    @classmethod
    def of(cls, moment: datetime.datetime, nanosecond: int) -> DateTime:
        made = cls(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond,
                   moment.tzinfo, fold=moment.fold)
        made.nanosecond = _checked_rest(nanosecond)
        return made

    def __add__(self, other: datetime.timedelta) -> DateTime:
        made = super().__add__(other)
        return made if made is NotImplemented else DateTime.of(made, self.nanosecond)

    def __radd__(self, other: datetime.timedelta) -> DateTime:
        return self + other

    def __sub__(self, other: Any) -> Any:
        made = super().__sub__(other)
        return DateTime.of(made, self.nanosecond) if isinstance(made, datetime.datetime) else made

    def astimezone(self, tz: datetime.tzinfo | None = None) -> DateTime:
        return DateTime.of(super().astimezone(tz), self.nanosecond)

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        plain = super().isoformat(sep, "microseconds" if timespec == "auto" else timespec)
        return plain[:26] + f"{self.nanosecond:03}" + plain[26:] if timespec == "auto" else plain

    def __str__(self) -> str:
        return self.isoformat(" ")

    def __repr__(self) -> str:
        return f"emissary.data.DateTime({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        plain = datetime.datetime(self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond, self.tzinfo,
                                  fold=self.fold)
        return DateTime.of, (plain, self.nanosecond)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return self.__reduce__()


def _checked_rest(nanosecond: int) -> int:
    if not 0 <= nanosecond <= 999:
        raise ArgumentError(f"nanosecond is {nanosecond}, not 0 to 999: the rest below a microsecond")
    return nanosecond


_finer(Time)
_finer(DateTime)


class FieldList(dict[str, Any]):
    """Values by the field's name; by its id as text where the dictionary does not have it."""


class ElementList(dict[str, Any]):
    """Values by the element's name. Lists are arrays: their values have one type."""


class Opaque(bytes):
    """Bytes of a format that the message does not name."""


class AnsiPage(bytes):
    """A page of the older terminals."""


class Xml(str):
    """XML text."""


class Json(str):
    """JSON text."""


class Unreadable(str):
    """What stands for data that cannot be decoded: the reason."""


class Qos(NamedTuple):
    """A quality of service: timeliness and rate as numbers of the wire."""

    timeliness: int
    rate: int


class State(NamedTuple):
    """The state of a stream and its data, with a code and a text for people."""

    stream: str = "open"
    data: str = "ok"
    code: int = 0
    text: str = ""


class _Record:
    """What the classes of containers have in common: they are equal when their members are, and show them."""

    __slots__: tuple[str, ...] = ()

    def _members(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._members() == other._members()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"


_Part = TypeVar("_Part")


class _Container(_Record, Generic[_Part]):
    """What has entries; iteration goes through them."""

    __slots__ = ()
    entries: list[_Part]

    def __iter__(self) -> Iterator[_Part]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class MapEntry(_Record):
    """The load is a container or None."""

    __match_args__ = ("key", "load", "action", "permission")
    __slots__ = __match_args__

    def __init__(self, key: Any, load: Any = None, action: MapAction = "add", permission: bytes = b"") -> None:
        self.key: Any = key
        self.load: Any = load
        self.action: MapAction = action
        self.permission: bytes = permission


class Map(_Container[MapEntry]):
    """Entries by key."""

    __match_args__ = ("entries", "summary", "count_hint", "key_field")
    __slots__ = __match_args__

    def __init__(self, entries: Iterable[MapEntry] = (), summary: Any = None, count_hint: int = 0, key_field: int = 0) -> None:
        self.entries: list[MapEntry] = list(entries)
        self.summary: Any = summary
        self.count_hint: int = count_hint
        self.key_field: int = key_field


class VectorEntry(_Record):
    """The load is a container or None."""

    __match_args__ = ("position", "load", "action", "permission")
    __slots__ = __match_args__

    def __init__(self, position: int, load: Any = None, action: VectorAction = "set", permission: bytes = b"") -> None:
        self.position: int = position
        self.load: Any = load
        self.action: VectorAction = action
        self.permission: bytes = permission


class Vector(_Container[VectorEntry]):
    """Entries by position."""

    __match_args__ = ("entries", "summary", "sortable", "count_hint")
    __slots__ = __match_args__

    def __init__(self, entries: Iterable[VectorEntry] = (), summary: Any = None, sortable: bool = False, count_hint: int = 0) -> None:
        self.entries: list[VectorEntry] = list(entries)
        self.summary: Any = summary
        self.sortable: bool = sortable
        self.count_hint: int = count_hint


class FilterEntry(_Record):
    """The load is a container or None."""

    __match_args__ = ("id", "load", "action", "permission")
    __slots__ = __match_args__

    def __init__(self, id: int, load: Any = None, action: FilterAction = "set", permission: bytes = b"") -> None:
        self.id: int = id
        self.load: Any = load
        self.action: FilterAction = action
        self.permission: bytes = permission


class FilterList(_Container[FilterEntry]):
    """Entries by filter id."""

    __match_args__ = ("entries", "count_hint")
    __slots__ = __match_args__

    def __init__(self, entries: Iterable[FilterEntry] = (), count_hint: int = 0) -> None:
        self.entries: list[FilterEntry] = list(entries)
        self.count_hint: int = count_hint


class Series(_Container[Any]):
    """Containers in order."""

    __match_args__ = ("entries", "summary", "count_hint")
    __slots__ = __match_args__

    def __init__(self, entries: Iterable[Any] = (), summary: Any = None, count_hint: int = 0) -> None:
        self.entries: list[Any] = list(entries)
        self.summary: Any = summary
        self.count_hint: int = count_hint


class Msg(_Record):
    """A message in a message, as in posts."""

    __match_args__ = ("type", "payload", "domain", "name", "state")
    __slots__ = __match_args__

    def __init__(self, type: MsgType, payload: Any = None, domain: str | int = 6, name: str = "", state: State | None = None) -> None:
        self.type: MsgType = type
        self.payload: Any = payload
        self.domain: str | int = domain
        self.name: str = name
        self.state: State | None = state


def _number(names: dict[str, int], name: str, what: str) -> int:
    try:
        return names[name]
    except KeyError:
        raise ArgumentError(f"{what} is one of {', '.join(names)}, not {name!r}") from None


def _name(names: dict[str, int], number: int) -> Any:
    return next((name for name, known in names.items() if known == number), str(number))


# ---- to values of the C interface ----

def _real(where: str, value: Decimal) -> tuple[int, int, float]:
    if not value.is_finite():
        return 0, 35 if value.is_nan() else 34 if value < 0 else 33, 0.0
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    mantissa = int("".join(map(str, digits)))
    if exponent > 7:
        mantissa, exponent = mantissa * 10 ** (exponent - 7), 7
    if exponent < -14 or mantissa >= 1 << 63:
        raise ArgumentError(f"{where}: {value} does not fit a Real: 63 bits and 14 decimals")
    return -mantissa if sign else mantissa, exponent + 14, float(value)


def _whole(where: str, value: int, unsigned: bool) -> int:
    least, most = (0, 1 << 64) if unsigned else (-(1 << 63), 1 << 63)
    if not least <= value < most:
        raise ArgumentError(f"{where}: {value} does not fit 64 bits")
    return value - (1 << 64) if value >= 1 << 63 else int(value)


def _nanoseconds(value: datetime.time | datetime.datetime) -> int:
    whole = (value.hour * 60 + value.minute) * 60 + value.second
    return (whole * 1_000_000 + value.microsecond) * 1000 + _rest(value)


def _scalar(where: str, value: Any) -> tuple[int, int, int, float, bytes]:
    """kind, whole number, hint, double, bytes"""
    match value:
        case Enum():
            return _ENUM, _whole(where, value, False), 0, 0.0, b""
        case UInt():
            return _UINT, _whole(where, value, True), 0, 0.0, b""
        case int():
            return _INT, _whole(where, value, False), 0, 0.0, b""
        case Decimal():
            return _REAL, *_real(where, value), b""
        case float():
            return _DOUBLE, 0, 0, value, b""
        case str():
            return _TEXT, 0, 0, 0.0, value.encode()
        case bytes():
            return _BYTES, 0, 0, 0.0, value
        case datetime.datetime():
            utc = value.astimezone(datetime.timezone.utc) if value.tzinfo else value
            return _DATETIME, (utc.toordinal() - 719_163) * 86_400_000_000_000 + _nanoseconds(utc), 0, 0.0, b""
        case datetime.time():
            return _TIME, _nanoseconds(value), 0, 0.0, b""
        case datetime.date():
            return _DATE, value.toordinal() - 719_163, 0, 0.0, b""
        case Qos():
            return _QOS, value.timeliness << 32 | value.rate, 0, 0.0, b""
        case State():
            stream = _number(_STREAMS, value.stream, "a stream state")
            data = _number(_DATA_STATES, value.data, "a data state")
            return _STATE, stream | data << 8 | value.code << 16, 0, 0.0, value.text.encode()
    raise ArgumentError(f"{where}: a {type(value).__name__} is no value of a field")


def _is_container(value: Any) -> bool:
    return isinstance(value, (dict, Map, Vector, FilterList, Series, Msg, Opaque, AnsiPage, Xml, Json))


class _Dump:
    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def add(self, depth: int, kind: int, *, role: int = 0, action: int = 0, fid: int = 0, number: int = 0, hint: int = 0,
            name: str | None = None, data: bytes = b"", blank: bool = False, real: float = 0.0) -> None:
        self.nodes.append((depth, role, action, fid, kind, number, hint, real, name, data, blank))

    def scalar(self, depth: int, where: str, value: Any, name: str | None = None, fid: int = 0) -> None:
        kind, number, hint, real, data = _scalar(where, value)
        self.add(depth, kind, number=number, hint=hint, real=real, data=data, name=name, fid=fid)

    def named(self, depth: int, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            name = str(key)
            fid = int(name) if name.lstrip("-").isdigit() and -32768 <= int(name) < 32768 else 0
            if value is None:
                self.add(depth, _NOTHING, name=name, fid=fid, blank=True)
            elif _is_container(value):
                self.container(depth, value, name=name, fid=fid)
            elif isinstance(value, (list, tuple)) and not isinstance(value, (Qos, State)):
                self.add(depth, _ARRAY, name=name, fid=fid)
                for part in value:
                    self.scalar(depth + 1, name, part)
            else:
                self.scalar(depth, name, value, name, fid)

    def load(self, depth: int, value: Any) -> None:
        if value is not None:
            self.container(depth, value)

    def summary(self, depth: int, value: Any) -> None:
        if value is not None:
            self.container(depth, value, role=_SUMMARY)

    def container(self, depth: int, value: Any, *, role: int = 0, name: str | None = None, fid: int = 0) -> None:
        match value:
            case ElementList():
                self.add(depth, _ELEMENT_LIST, role=role, name=name, fid=fid)
                self.named(depth + 1, value)
            case dict():
                self.add(depth, _FIELD_LIST, role=role, name=name, fid=fid)
                self.named(depth + 1, value)
            case Map():
                self.add(depth, _MAP, role=role, name=name, fid=fid or value.key_field, number=value.count_hint)
                self.summary(depth + 1, value.summary)
                for entry in value.entries:
                    self.add(depth + 1, _ENTRY, action=_number(_MAP_ACTIONS, entry.action, "an action of a Map"), data=entry.permission)
                    self.scalar(depth + 2, "a key", entry.key)
                    self.load(depth + 2, entry.load)
            case Vector():
                self.add(depth, _VECTOR, role=role, name=name, fid=fid, number=value.count_hint, hint=int(value.sortable))
                self.summary(depth + 1, value.summary)
                for place in value.entries:
                    self.add(depth + 1, _ENTRY, action=_number(_VECTOR_ACTIONS, place.action, "an action of a Vector"),
                             number=place.position, data=place.permission)
                    self.load(depth + 2, place.load)
            case FilterList():
                self.add(depth, _FILTER_LIST, role=role, name=name, fid=fid, number=value.count_hint)
                for part in value.entries:
                    self.add(depth + 1, _ENTRY, action=_number(_FILTER_ACTIONS, part.action, "an action of a FilterList"),
                             number=part.id, data=part.permission)
                    self.load(depth + 2, part.load)
            case Series():
                self.add(depth, _SERIES, role=role, name=name, fid=fid, number=value.count_hint)
                self.summary(depth + 1, value.summary)
                for load in value.entries:
                    self.add(depth + 1, _ENTRY)
                    self.load(depth + 2, load)
            case Msg():
                self.add(depth, _MESSAGE, role=role, name=value.name or None, fid=domain_number(value.domain),
                         number=_number(_TYPES, value.type, "a type of message"))
                if value.state is not None:
                    self.scalar(depth + 1, "a state", value.state)
                self.load(depth + 1, value.payload)
            case Opaque():
                self.add(depth, _OPAQUE, role=role, name=name, fid=fid, data=value)
            case AnsiPage():
                self.add(depth, _ANSI_PAGE, role=role, name=name, fid=fid, data=value)
            case Xml():
                self.add(depth, _XML, role=role, name=name, fid=fid, data=value.encode())
            case Json():
                self.add(depth, _JSON, role=role, name=name, fid=fid, data=value.encode())
            case _:
                raise ArgumentError(f"a {type(value).__name__} is no container")


def dump(value: Any) -> list[Node]:
    """A container as the library takes it."""
    made = _Dump()
    made.container(0, value)
    return made.nodes


def dump_fields(fields: Mapping[str, Any]) -> list[Node]:
    """Fields without the list around them, for publish()."""
    made = _Dump()
    made.named(0, fields)
    return made.nodes


# ---- from values of the C interface ----

_Row = tuple[int, int, int, int, int, str, int, Any]


class _Load:
    def __init__(self, rows: list[_Row]) -> None:
        self.rows, self.place = rows, 0

    def inside(self, depth: int) -> bool:
        return self.place < len(self.rows) and self.rows[self.place][0] > depth

    def summary(self, depth: int) -> Any:
        if self.inside(depth) and self.rows[self.place][1] == _SUMMARY:
            return self.value()
        return None

    def load(self, depth: int) -> Any:
        return self.value() if self.inside(depth) else None

    def value(self) -> Any:
        depth, _, _, kind, fid, name, number, value = self.rows[self.place]
        self.place += 1
        if kind == _UINT and value is not None:
            return UInt(value)
        if kind == _QOS and value is not None:
            return Qos(*value)
        if kind == _STATE and value is not None:
            return State(_name(_STREAMS, value[0]), _name(_DATA_STATES, value[1]), value[2], value[3])
        if kind < _FIELD_LIST:
            return value
        return self.container(depth, kind, fid, name, number, value)

    def container(self, depth: int, kind: int, fid: int, name: str, number: int, value: Any) -> Any:
        if kind in (_FIELD_LIST, _ELEMENT_LIST):
            return self.named(depth, FieldList() if kind == _FIELD_LIST else ElementList())
        if kind == _MAP:
            summary = self.summary(depth)
            return Map([self.map_entry() for _ in self.entries(depth)], summary, number, fid)
        if kind == _VECTOR:
            summary = self.summary(depth)
            entries = [VectorEntry(head[6], self.load(head[0]), _name(_VECTOR_ACTIONS, head[2]), head[7])
                       for head in self.heads(depth)]
            return Vector(entries, summary, number < 0, -1 - number if number < 0 else number)
        if kind == _FILTER_LIST:
            return FilterList([FilterEntry(head[6], self.load(head[0]), _name(_FILTER_ACTIONS, head[2]), head[7])
                               for head in self.heads(depth)], number)
        if kind == _SERIES:
            summary = self.summary(depth)
            return Series([self.load(head[0]) for head in self.heads(depth)], summary, number)
        if kind == _ARRAY:
            return [self.value() for _ in self.entries(depth)]
        if kind == _MESSAGE:
            state = self.value() if self.inside(depth) and self.rows[self.place][3] == _STATE else None
            return Msg(_name(_TYPES, number), self.load(depth), fid, name, state)
        made: dict[int, type] = {_OPAQUE: Opaque, _ANSI_PAGE: AnsiPage, _XML: Xml, _JSON: Json, _UNREADABLE: Unreadable}
        return made[kind](value)

    def entries(self, depth: int) -> Iterator[None]:
        while self.inside(depth):
            yield None

    def heads(self, depth: int) -> Iterator[_Row]:
        while self.inside(depth):
            self.place += 1
            yield self.rows[self.place - 1]

    def map_entry(self) -> MapEntry:
        head = self.rows[self.place]
        self.place += 1
        key = self.value()
        return MapEntry(key, self.load(head[0]), _name(_MAP_ACTIONS, head[2]), head[7])

    def named(self, depth: int, made: dict[str, Any]) -> Any:
        while self.inside(depth):
            row = self.rows[self.place]
            made.setdefault(row[5] or str(row[4]), self.value())
        return made


def load(rows: Iterable[_Row]) -> Any:
    """The reverse of dump(), from rows of a message."""
    return _Load(list(rows)).value()
