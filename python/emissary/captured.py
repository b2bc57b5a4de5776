"""Captured feeds as steps of a script: what rwfcat reads from XML traces and capture files."""
from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from .data import (AnsiPage, ElementList, Enum, FieldList, FilterEntry, FilterList, Json, Map, MapEntry, Msg, Opaque, Qos, Series, State, UInt,
                   Vector, VectorEntry, Xml)
from .errors import ArgumentError, UsageError
from .provider import DICTIONARIES
from .testing import Step

_FIRST_ITEM_DOMAIN, _MARKET_PRICE = 6, 6
_STREAM_OPEN, _DATA_OK, _DATA_SUSPECT = 1, 1, 2
_STREAMS = {1: "open", 2: "non_streaming", 3: "closed_recover", 4: "closed", 5: "closed_redirected"}
_DATA = {0: "no_change", 1: "ok", 2: "suspect"}
_TYPES = {"Refresh": "image", "Update": "update", "Status": "status", "Generic": "generic", "Post": "post"}


def steps(path: str | os.PathLike[str], *, speed: float | None = None, program: str | None = None,
          dictionaries: str | os.PathLike[str] | None = None) -> list[Step]:
    """The images, updates and states of items in an XML trace, a pcap or pcapng file, or what else rwfcat reads, for Provider.play().

    `speed` 1 keeps the pauses between messages, 2 halves them; None leaves them out. `program` is rwfcat, by default that of
    EMISSARY_RWFCAT or of the PATH. UsageError when there is none, ArgumentError when it cannot read the file."""
    if speed is not None and speed <= 0:
        raise ArgumentError(f"speed is {speed}; None leaves pauses out")
    made: list[Step] = []
    names: dict[tuple[frozenset[str], int], str] = {}
    last: float | None = None
    for record in _records(path, program, dictionaries):
        message, source = record["value"], record.get("source", {})
        stream = (frozenset(filter(None, (source.get("from"), source.get("to")))), message.get("streamId", 0))
        if "name" in message.get("key", {}):
            names[stream] = message["key"]["name"]
        if message["class"] not in ("Refresh", "Update", "Status") or message["domain"] < _FIRST_ITEM_DOMAIN:
            continue
        name = names.get(stream)
        if name is None:
            continue  # the capture begins behind its request
        now = _seconds(source.get("time", ""))
        pause = 0.0
        if speed is not None and now is not None and last is not None:
            pause = max(0.0, (now - last) % 86_400) / speed
        last = now if now is not None else last
        made += _of_message(message, name, pause)
    return made


def _of_message(message: dict[str, Any], name: str, pause: float) -> Iterator[Step]:
    domain, payload = message["domain"], message.get("payload")
    data = None if payload is None else _container(payload)
    if data is not None and domain == _MARKET_PRICE and isinstance(data, FieldList):
        yield Step("publish", name, data, pause)
        pause = 0.0
    elif data is not None:
        kind = "image" if message["class"] == "Refresh" else "update"
        yield Step("send", name, after=pause, data=data, domain=domain, type="image" if kind == "image" else "update")
        pause = 0.0
    state = message.get("state")
    if state is None:
        return
    text = state.get("text", "")
    if state["stream"] > 2:
        yield Step("close", name, after=pause, text=text)
    elif state["data"] == _DATA_SUSPECT:
        yield Step("stale", name, after=pause, text=text)
    elif message["class"] == "Status" and state["data"] == _DATA_OK:
        yield Step("current", name, after=pause, text=text)


def _records(path: str | os.PathLike[str], program: str | None, dictionaries: str | os.PathLike[str] | None) -> Iterator[dict[str, Any]]:
    program = program or os.environ.get("EMISSARY_RWFCAT") or shutil.which("rwfcat")
    if program is None:
        raise UsageError("rwfcat is not on the PATH: install it, or name it by `program` or EMISSARY_RWFCAT")
    try:
        run = subprocess.run([program, "--quiet", "--dictionary", os.fspath(dictionaries or DICTIONARIES), os.fspath(path)], capture_output=True,
                             text=True, check=False)
    except OSError as error:
        raise UsageError(f"{program} cannot be started: {error}") from None
    if run.returncode not in (0, 1):  # 1: some bytes were bad, the others are printed
        raise ArgumentError(run.stderr.strip() or f"{program} ended with {run.returncode}")
    for line in run.stdout.splitlines():
        record = json.loads(line)
        if record.get("kind") == "msg":
            yield record


def _seconds(time: str) -> float | None:
    """The time of day of a trace (12:34:56:789) or of a capture (2026-01-02T12:34:56.789Z)."""
    found = re.search(r"(\d\d):(\d\d):(\d\d)[:.](\d+)", time)
    if not found:
        return None
    hour, minute, second, part = found.groups()
    return int(hour) * 3600 + int(minute) * 60 + float(f"{second}.{part}")


def _real(value: dict[str, Any]) -> Decimal:
    hint, mantissa = value["hint"], Decimal(value.get("v", 0))
    if hint >= 33:
        return Decimal({33: "Infinity", 34: "-Infinity"}.get(hint, "NaN"))
    return mantissa.scaleb(hint - 14) if hint <= 21 else mantissa / 2 ** (hint - 22)


def _time(value: dict[str, Any]) -> datetime.time | None:
    if value["hour"] > 23 or value["minute"] > 59:
        return None
    part = [value.get(unit, 0) if value.get(unit, 0) <= 999 else 0 for unit in ("ms", "us")]
    return datetime.time(value["hour"], value["minute"], min(value["second"], 59), part[0] * 1000 + part[1])


def _date(value: dict[str, Any]) -> datetime.date | None:
    try:
        return datetime.date(value["year"], value["month"], value["day"])
    except ValueError:
        return None  # parts of it are blank


def _text(kind: str, data: bytes) -> str:
    if kind == "RmtesString" and not data.startswith(b"\x1b%0"):
        return data.decode("latin-1")
    return data.removeprefix(b"\x1b%0").decode(errors="replace")


def _value(value: dict[str, Any], in_field: bool) -> Any:
    kind = value["t"]
    if value.get("blank") or kind == "NoData":
        return None
    match kind:
        case "Int":
            return int(value["v"])
        case "UInt":
            return UInt(value["v"])
        case "Enum":
            return Enum(value["v"])
        case "Real":
            return _real(value)
        case "Float":
            return struct.unpack(">f", bytes.fromhex(value["bits"]))[0]
        case "Double":
            return struct.unpack(">d", bytes.fromhex(value["bits"]))[0]
        case "Date":
            return _date(value)
        case "Time":
            return _time(value)
        case "DateTime":
            day, time = _date(value), _time(value)
            return None if day is None or time is None else datetime.datetime.combine(day, time, datetime.timezone.utc)
        case "Qos":
            return Qos(value["timeliness"], value["rate"])
        case "State":
            return _state(value)
        case "Array":
            return [_value(item, False) for item in value["items"]]
        case "Buffer":
            return bytes.fromhex(value["hex"])
        case "AsciiString" | "Utf8String" | "RmtesString":
            data = bytes.fromhex(value["hex"])
            return data if in_field else _text(kind, data)  # a field's bytes are sent on as they are
    return _container(value)


def _state(value: dict[str, Any]) -> State:
    return State(_STREAMS.get(value["stream"], "closed"), _DATA.get(value["data"], "suspect"), value["code"], value.get("text", ""))


def _load(entry: dict[str, Any]) -> Any:
    return _container(entry["value"]) if "value" in entry else None


def _entries(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [*value.get("set", []), *value.get("standard", [])]


def _permission(entry: dict[str, Any]) -> bytes:
    return bytes.fromhex(entry.get("permData", ""))


def _container(value: dict[str, Any]) -> Any:
    summary = _container(value["summary"]) if "summary" in value else None
    hint = value.get("totalCountHint", 0)
    match value["t"]:
        case "FieldList":
            return FieldList((str(e["fid"]), _value(e["value"], True)) for e in _entries(value) if not e["value"].get("unknown"))
        case "ElementList":
            return ElementList((e["name"], _value(e["value"], False)) for e in _entries(value))
        case "Map":
            return Map([MapEntry(_value(e["key"], False), _load(e), e["action"].lower(), _permission(e)) for e in value["entries"]], summary,
                       hint, value.get("keyFieldId", 0))
        case "Vector":
            return Vector([VectorEntry(e["index"], _load(e), e["action"].lower(), _permission(e)) for e in value["entries"]], summary,
                          bool(value.get("sorting", False)), hint)
        case "FilterList":
            return FilterList([FilterEntry(e["id"], _load(e), e["action"].lower(), _permission(e)) for e in value["entries"]], hint)
        case "Series":
            return Series([_load(e) for e in value["entries"]], summary, hint)
        case "Msg":
            state = _state(value["state"]) if "state" in value else None
            payload = _container(value["payload"]) if "payload" in value else None
            return Msg(_TYPES.get(value["class"], "generic"), payload, value["domain"], value.get("key", {}).get("name", ""),  # type: ignore[arg-type]
                       state)
        case "Opaque":
            return Opaque(bytes.fromhex(value["hex"]))
        case "AnsiPage":
            return AnsiPage(bytes.fromhex(value["hex"]))
        case "Xml":
            return Xml(bytes.fromhex(value["hex"]).decode(errors="replace"))
        case "Json":
            return Json(bytes.fromhex(value["hex"]).decode(errors="replace"))
    return None
