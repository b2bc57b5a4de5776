"""python -m emissary snapshot|watch|record|post|providers: prices in a terminal or a file, posts, and the services that there are."""
from __future__ import annotations

import argparse
import datetime
import json
import sys
from decimal import Decimal
from typing import Any

import emissary


def plain(value: Any) -> Any:
    """A value that JSON has; prices are texts, so that no digit is lost."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")  # 1200, not 1.2E+3
    if isinstance(value, (Decimal, datetime.date, datetime.time)):
        return str(value)
    return value


def shown_value(value: Any) -> str:
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
        print(f"{name} of {image.service}: {image.state}" + (f" ({image.text})" if image.text else ""))
        width = max(map(len, image), default=0)
        for field, value in image.items():
            print(f"  {field:{width}}  {shown_value(value)}")
    return failed


def shown(message: emissary.Message, item: emissary.Item) -> str:
    fields = "  ".join(f"{name}={shown_value(value)}" for name, value in message.fields.items())
    mark = f" [{message.state}]" if message.stale else ""
    return f"{message.name} {message.type}{mark}  {fields or item.text}"


def watch(session: emissary.Session, options: argparse.Namespace) -> int:
    session.columns(options.fields)
    session.open(options.items)
    left = options.count
    for message in session:
        print(as_line(message) if options.json else shown(message, session.item(message)), flush=True)
        left -= 1
        if left == 0:
            break
    return 0


def record(session: emissary.Session, options: argparse.Namespace) -> int:
    session.columns(options.fields)
    session.open(options.items)
    left = options.count
    with open(options.output, "w", encoding="utf-8") as out:
        for message in session:
            print(as_line(message), file=out)
            left -= 1
            if left == 0:
                break
    return 0


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
    try:
        session.wait_for_ack(number, options.timeout)
    except (emissary.PostRefused, emissary.NoAnswer) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.item} of {options.service}: taken")
    return 0


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
                            ("record", record, "write messages into a file, a line of JSON each"),
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
        command.add_argument("--timeout", default=10.0, type=float, metavar="SECONDS", help="for the login, for images and acks")
        if name not in ("record", "post"):
            command.add_argument("--json", action="store_true", help="a line of JSON each")
        if name in ("watch", "record"):
            command.add_argument("--count", default=0, type=int, metavar="N", help="end after so many messages")
        if name == "record":
            command.add_argument("--output", "-o", required=True, metavar="FILE")
    return parser


def main() -> int:
    options = arguments().parse_args()
    try:
        with emissary.connect(options.host, service=options.service, user=options.user, websocket=options.websocket,
                              timeout=options.timeout) as session:
            return int(options.run(session, options))
    except (emissary.EmissaryError, OSError) as error:
        print(f"{options.host}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
