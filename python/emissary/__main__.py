"""python -m emissary snapshot|watch|record|post|providers: prices in a terminal or a file, posts, and the services that there are.

The exit code is 0 when all went well, 1 when something was refused, did not come or has ended, 2 for wrong arguments, 130 after Ctrl-C."""
from __future__ import annotations

import argparse
import datetime
import functools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import emissary
from emissary.data import Enum
from emissary.session import _ENDED

BOLD, DIM, RED = "1", "2", "31"


@functools.cache
def has_styles() -> bool:
    """Whether the output is a terminal that has styles, and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def styled(text: str, style: str) -> str:
    """In the terminal's style, where it has styles."""
    return f"\x1b[{style}m{text}\x1b[0m" if text and has_styles() else text


def plain(value: Any) -> Any:
    """A value that JSON has; prices are texts, so that no digit is lost."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Enum):
        return {"value": int(value), "display": value.display}
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")  # 1200, not 1.2E+3
    if isinstance(value, (Decimal, datetime.date, datetime.time)):
        return str(value)
    return value


def shown_value(value: Any) -> str:
    if isinstance(value, Enum):
        return f"{int(value)} ({value.display})"
    return "" if value is None else str(plain(value))


def plain_fields(fields: Any) -> dict[str, Any]:
    return {name: plain(value) for name, value in fields.items()}


def as_line(message: emissary.Message) -> str:
    return json.dumps({"item": message.name, "type": message.type, "state": message.state, "time_ns": message.time,
                       "fields": plain_fields(message.fields)}, ensure_ascii=False)


def snapshot(session: emissary.Session, options: argparse.Namespace) -> int:
    failed = 0
    for name in options.items:
        try:
            image = session.snapshot(name, options.fields, timeout=options.timeout)
        except emissary.ItemError as error:
            print(error, file=sys.stderr)
            failed = 1
            continue
        if options.json:
            print(json.dumps({"item": name, "service": image.service, "state": image.state, "fields": plain_fields(image)},
                             ensure_ascii=False))
            continue
        state = image.state + (f" ({image.text})" if image.text else "")
        print(f"{styled(name, BOLD)} of {image.service}: {styled(state, RED) if image.stale else state}")
        width = max(map(len, image), default=0)
        for field, value in image.items():
            print(f"  {styled(f'{field:{width}}', DIM)}  {shown_value(value)}")
    return failed


def shown(message: emissary.Message, item: emissary.Item) -> str:
    fields = "  ".join(f"{name}={shown_value(value)}" for name, value in message.fields.items())
    mark = " " + styled(f"[{message.state}]", RED) if message.stale else ""
    return f"{styled(message.name, BOLD)} {message.type}{mark}  {fields or (item.text if message.type == 'status' else '')}".rstrip()


class CtrlC:
    """Holds Ctrl-C back where a file is written, so that it is left whole: it ends the wait for messages, not a line or a table. A
    second one ends the program at once."""

    def __init__(self) -> None:
        self.asked: bool = False
        self.waiting: bool = False
        self.before: Any = None

    def __enter__(self) -> CtrlC:
        self.before = signal.getsignal(signal.SIGINT)
        if self.before not in (signal.SIG_IGN, None):  # ignored: a script's background program goes on
            signal.signal(signal.SIGINT, self.take)
        return self

    def __exit__(self, *_: object) -> None:
        if self.before not in (signal.SIG_IGN, None):
            signal.signal(signal.SIGINT, self.before)

    def take(self, *_: object) -> None:
        again, self.asked = self.asked, True
        if again or self.waiting:
            raise KeyboardInterrupt

    def next_batch(self, session: emissary.Session, rows: int) -> emissary.Batch:
        self.waiting = True
        try:
            if self.asked:
                raise KeyboardInterrupt
            return session.next_batch(rows)
        finally:
            self.waiting = False


def batches(session: emissary.Session, items: list[emissary.Item], rows: int, ctrl_c: CtrlC | None = None) -> Iterator[emissary.Batch]:
    """Until all items have ended: nothing more can come then."""
    left = {item.number: item for item in items}
    while left:
        batch = ctrl_c.next_batch(session, rows) if ctrl_c else session.next_batch(rows)
        yield batch
        for number in batch.answered():
            if number in left and left[number].state in _ENDED:
                del left[number]


def read(session: emissary.Session, items: list[emissary.Item], count: int, take: Callable[[emissary.Message], object],
         ctrl_c: CtrlC | None = None) -> int:
    """Gives `take` the messages of the items until there were `count` of them (0: no bound) or all items have ended. The exit code."""
    seen = 0
    for batch in batches(session, items, 1000, ctrl_c):
        for message in batch.messages():
            take(message)
            seen += 1
            if seen == count:
                return 0
    return ended(count, seen)


def ended(count: int, seen: int) -> int:
    if count and seen >= count:
        return 0
    print("all items have ended", file=sys.stderr)
    return 1


def watch(session: emissary.Session, options: argparse.Namespace) -> int:
    session.columns(options.fields)
    items = session.open(options.items)

    def take(message: emissary.Message) -> None:
        print(as_line(message) if options.json else shown(message, session.item(message)), flush=True)

    return read(session, items, options.count, take)


def record(session: emissary.Session, options: argparse.Namespace) -> int:
    arrow = options.format == "arrow" or (options.format is None and options.output.endswith((".arrow", ".ipc", ".feather")))
    session.columns(options.fields)
    # What cannot be written is refused before anything is asked for.
    schema = arrow_schema(session, options) if arrow else None
    items = session.open(options.items)
    if schema is not None:
        return record_arrow(session, items, options, schema)
    with CtrlC() as ctrl_c, open(options.output, "w", encoding="utf-8") as out:
        return read(session, items, options.count, lambda message: print(as_line(message), file=out), ctrl_c)


def arrow_schema(session: emissary.Session, options: argparse.Namespace) -> Any:
    """The columns of an Arrow file, which all its batches have: those of the chosen fields, by their types in the dictionary."""
    try:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise emissary.UsageError("Arrow files need pyarrow: pip install pyarrow, or record JSON lines") from None
    if not options.fields:
        raise emissary.ArgumentError("an Arrow file needs --fields: its columns are fixed when it begins")
    types = {"int": pyarrow.int64(), "uint": pyarrow.uint64(), "real": pyarrow.float64(), "double": pyarrow.float64(),
             "date": pyarrow.date32(), "time": pyarrow.time64("ns"), "datetime": pyarrow.timestamp("ns", "UTC"),
             "text": pyarrow.string(), "bytes": pyarrow.binary(), "enum": pyarrow.int64()}
    columns = [("item", pyarrow.string()), ("time", pyarrow.timestamp("ns", "UTC")), ("type", pyarrow.uint8()), ("state", pyarrow.uint8())]
    for name in options.fields:
        kind = session.field(name).type
        if kind not in types:
            raise emissary.ArgumentError(f"{name} is a field of type {kind}, which is no column of an Arrow file")
        if kind != "enum" or options.enum != "display":
            columns.append((name, types[kind]))
        if kind == "enum" and options.enum != "value":
            columns.append((name if options.enum == "display" else name + ".display", pyarrow.string()))
    return pyarrow.schema(columns)


def record_arrow(session: emissary.Session, items: list[emissary.Item], options: argparse.Namespace, schema: Any) -> int:
    import pyarrow
    names, seen = set(schema.names), 0
    with CtrlC() as ctrl_c, pyarrow.OSFile(options.output, "wb") as file, pyarrow.ipc.new_file(file, schema) as out:
        for batch in batches(session, items, 10_000, ctrl_c):
            table = pyarrow.Table.from_batches([pyarrow.record_batch(batch)])
            if options.count:
                table = table.slice(0, options.count - seen)
            # A field that no message had yet is a column without type there, and has no column of texts.
            for name in names.difference(table.column_names):
                table = table.append_column(name, pyarrow.nulls(len(table)))
            out.write_table(table.select(schema.names).cast(schema))
            seen += len(table)
            if options.count and seen >= options.count:
                break
    return ended(options.count, seen)


def typed(session: emissary.Session, name: str, text: str) -> Any:
    """The text as a value of the field, by its type in the dictionary; an empty one is a blank."""
    if not text:
        return None
    kind = session.field(name).type
    try:
        match kind:
            case "int" | "uint":
                return int(text)
            case "enum":
                return int(text)
            case "real":
                return Decimal(text)
            case "double":
                return float(text)
            case "date":
                return datetime.date.fromisoformat(text)
            case "time":
                return datetime.time.fromisoformat(text)
            case "bytes":
                return bytes.fromhex(text)
            case "text":
                return text
    except (ValueError, ArithmeticError):
        pass
    else:
        raise emissary.ArgumentError(f"{name} is a field of type {kind}, which cannot be posted from here")
    raise emissary.ArgumentError(f"{name} is a field of type {kind}, and '{text}' is not one")


def post(session: emissary.Session, options: argparse.Namespace) -> int:
    fields = {name: typed(session, name, text) for name, text in options.values}
    number = session.post(options.item, fields, type=options.type, ack=not options.no_ack)
    if options.no_ack:
        return 0
    answer: dict[str, Any] = {"item": options.item, "service": options.service, "post": number, "taken": True}
    failed = False
    try:
        session.wait_for_ack(number, options.timeout)
    except (emissary.PostRefused, emissary.NoAnswer) as error:
        answer.update(taken=False, nack=error.nack if isinstance(error, emissary.PostRefused) else None, text=str(error))
        print(error, file=sys.stderr)
        failed = True
    if options.json:
        print(json.dumps(answer, ensure_ascii=False))
    elif not failed:
        print(f"{options.item} of {options.service}: taken")
    return int(failed)


def assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not FIELD=VALUE")
    return name, value


def providers(session: emissary.Session, options: argparse.Namespace) -> int:
    for name, number, up in session.services(options.timeout):
        if options.json:
            print(json.dumps({"service": name, "id": number, "up": up}, ensure_ascii=False))
        else:
            print(f"{name}  {number}  {'up' if up else 'down'}")
    return 0


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m emissary", description="Prices in a terminal or a file.")
    parser.add_argument("--version", action="version", version=emissary.__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run, text in (("snapshot", snapshot, "print images once"), ("watch", watch, "print messages as they come"),
                            ("record", record, "write messages into a file: lines of JSON, or Arrow IPC"),
                            ("post", post, "post fields for an item and wait for the ack"),
                            ("providers", providers, "list the services of the provider")):
        command = commands.add_parser(name, help=text)
        command.set_defaults(run=run)
        if name == "post":
            command.add_argument("item", metavar="ITEM")
            command.add_argument("values", nargs="+", type=assignment, metavar="FIELD=VALUE", help="without VALUE: a blank")
            command.add_argument("--type", choices=["image", "update"], default="update", help="what subscribers shall get")
            command.add_argument("--no-ack", action="store_true", help="ask for no ack, and do not wait")
        elif name != "providers":
            command.add_argument("items", nargs="+", metavar="ITEM")
        command.add_argument("--host", default="localhost:14002", metavar="HOST:PORT")
        command.add_argument("--service", default="DIRECT_FEED")
        command.add_argument("--user")
        command.add_argument("--websocket", action="store_const", const="json", help="rssl.json.v2 in the place of RIPC")
        if name not in ("providers", "post"):
            command.add_argument("--fields", default=[], type=lambda text: [f for f in text.split(",") if f], metavar="NAME,...")
            command.add_argument("--enum", choices=["value", "display", "both"], default="value", help="enumerated fields as number, text, or both")
        command.add_argument("--timeout", default=10.0, type=float, metavar="SECONDS", help="for the login, for images and acks")
        if name != "record":
            command.add_argument("--json", action="store_true", help="a line of JSON each")
        if name in ("watch", "record"):
            command.add_argument("--count", default=0, type=int, metavar="N", help="end after so many messages")
        if name == "record":
            command.add_argument("--output", "-o", required=True, metavar="FILE")
            command.add_argument("--format", choices=["jsonl", "arrow"], help="without: arrow where FILE ends in .arrow, .ipc or .feather")
    return parser


def main() -> int:
    options = arguments().parse_args()
    try:
        with emissary.connect(options.host, service=options.service, user=options.user, websocket=options.websocket,
                              timeout=options.timeout, enum=getattr(options, "enum", "value")) as session:
            return int(options.run(session, options))
    except (emissary.EmissaryError, OSError) as error:
        print(f"{options.host}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
