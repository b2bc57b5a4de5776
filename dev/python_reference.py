#!/usr/bin/env python3
"""python_reference.py [--check]: the reference of the Python package (docs/python-reference.md), from its sources and the stub of the extension
module, which need not be built. A public class or function without a text is an error; members of the stub have theirs here. --check
compares it with the one that is there."""
import ast
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python/emissary"
SECTIONS = [("emissary", "session", ["connect", "Session", "Item", "Book", "Login", "Image", "Table", "Field"]),
            ("emissary", "_core", ["Message", "Batch"]),
            ("emissary", "cache", ["LastValues"]),
            ("emissary", "provider", ["Items", "Publisher", "Provider", "Service", "NiProvider"]),
            ("emissary", "errors", None),
            ("emissary.data", "data", None),
            ("emissary.testing", "testing", None),
            ("emissary.captured", "captured", None),
            ("pytest fixtures", "pytest_plugin", None)]
STUB = {
    "Message": "One message: a row of a batch. Values are made when they are asked for; it may outlive batch and session.",
    "Message.name": "Name of the item.",
    "Message.service": "Which service it is for, of requests, posts and generic messages that come to a provider.",
    "Message.item": "Number of the item; 0 for messages of the login, acks of posts on it, and what comes to a provider, except a login, which has a number of its own.",
    "Message.type": "What it is.",
    "Message.state": "How good the item's values are, after this message.",
    "Message.stale": "True unless the values are good.",
    "Message.time": "When it was read: nanoseconds since 1970, UTC.",
    "Message.fields": "The chosen fields that it has, None for blanks.",
    "Message.data": "The payload: a FieldList, or another container of emissary.data; None without one.",
    "Message.domain": "6 for market prices, and so on.",
    "Message.complete": "Whether it is the last or only part.",
    "Message.id": "Number of the post, of a post and its ack.",
    "Message.sequence": "Sequence number, where it has one.",
    "Message.user": "Who posted or published: number and IPv4 address.",
    "Message.rights": "Of a post: 1 create, 2 delete, 4 modify permissions.",
    "Message.wants_ack": "Whether the poster wants an ack.",
    "Message.nack": "Of an ack: why the post was refused; 0 when it was taken.",
    "Message.code": "Status code of the state, of images and status messages.",
    "Message.text": "What a state or an ack says, for people. Empty for images that are good.",
    "Message.__getitem__": "The value of a field; KeyError when it did not come.",
    "Message.__contains__": "Whether the field came.",
    "Message.get": "The value of a field, or the default when it did not come.",
    "Batch": "Rows of messages as columns. Any thread. polars.DataFrame(batch) and pyarrow.record_batch(batch) read it without a copy of the values.",
    "Batch.__len__": "How many rows there are.",
    "Batch.__iter__": "Its messages.",
    "Batch.columns": "Names of the fields.",
    "Batch.messages": "Its messages.",
    "Batch.dicts": "The fields of each message.",
    "Batch.unreadable": "How many messages have a payload that cannot be decoded: they have no fields, and their data are Unreadable, which says why.",
    "Batch.answered": "Numbers of the items whose image or end is in it.",
    "Batch.numpy": "The numbers of a field, or of item, time, type and state, as an array that shares the batch's memory; Real fields as doubles, and "
                   "0 in rows without a value.",
    "Batch.validity": "Which rows have a value.",
    "Batch.__arrow_c_schema__": "For Arrow's readers.",
    "Batch.__arrow_c_array__": "For Arrow's readers.",
    "Batch.__arrow_c_stream__": "For Arrow's readers.",
}
MADE_BY_OTHERS = {"Session", "Item", "Image", "Script"}
DOCS = PACKAGE.parents[1] / "docs"
PAGE, GUIDE = DOCS / "python-reference.md", DOCS / "guide" / "python.md"
missing = []


def text_of(node, name):
    text = ast.get_docstring(node) or STUB.get(name)
    if text is None:
        missing.append(name)
        return ""
    return text


def signature(node, name):
    given = ast.unparse(node.args)
    for own in ("self, ", "cls, ", "self", "cls"):
        if given.startswith(own):
            given = given.removeprefix(own)
            break
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({given.removeprefix('/, ')}){answer}"


def is_overload(node):
    return any(ast.unparse(d) == "overload" for d in node.decorator_list)


def function(node, name, shown, out):
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    if any(ast.unparse(d) == "property" for d in node.decorator_list):
        out.append(f"- `{shown}: {ast.unparse(node.returns)}`: {' '.join(text_of(node, name).split())}")
        return
    out.append(f"- `{prefix}{signature(node, shown)}`: {' '.join(text_of(node, name).split())}")


def public(name):
    return not name.startswith("_") or name in ("__getitem__", "__contains__", "__len__", "__iter__", "__aiter__")


def klass(node, out):
    bases = ", ".join(ast.unparse(base) for base in node.bases if not ast.unparse(base).startswith("_"))
    out.append(f"### {node.name}" + (f"({bases})" if bases else ""))
    out += ["", text_of(node, node.name), ""]
    members = []
    for member in node.body:
        if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if member.name == "__init__" and ast.unparse(member.args) != "self":
                if node.name in MADE_BY_OTHERS:
                    continue
                own = ast.get_docstring(member)
                members.append(f"- `{signature(member, node.name).removesuffix(' -> None')}`" + (f": {' '.join(own.split())}" if own else ""))
            elif public(member.name) and not is_overload(member):
                text = ast.get_docstring(member) or STUB.get(f"{node.name}.{member.name}")
                if text is None and (member.name.startswith("__") or node.name in ("Time", "DateTime")):
                    continue  # as everywhere
                function(member, f"{node.name}.{member.name}", member.name, members)
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and public(member.target.id):
            default = f" = {ast.unparse(member.value)}" if member.value is not None and "field(" not in ast.unparse(member.value) else ""
            members.append(f"- `{member.target.id}: {ast.unparse(member.annotation)}{default}`")
    out += members + ([""] if members else [])


def main():
    out = ["# Reference of the Python package", "",
           f"Made by `dev/python_reference.py` from the sources. [The guide]({GUIDE.relative_to(DOCS)}) says how it goes together.", ""]
    last = None
    for title, module, names in SECTIONS:
        file = PACKAGE / (module + (".pyi" if module == "_core" else ".py"))
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if title != last:
            out += [f"## {title}", ""]
            if module not in ("session", "_core"):
                head = (ast.get_docstring(tree) or "").split("\n\n")[0]
                out += [head, ""] if head else []
            last = title
        known = {node.name: node for node in tree.body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_") and not is_overload(node)}
        functions = []
        for name in names or known:
            if isinstance(known[name], ast.ClassDef):
                if functions:
                    out += functions + [""]
                    functions = []
                klass(known[name], out)
            else:
                function(known[name], name, name, functions)
        if functions:
            out += functions + [""]
    if missing:
        sys.exit("no text: " + ", ".join(missing))
    page = "\n".join(out).rstrip().replace("_core.", "").replace("emissary.emissary.", "emissary.") + "\n"
    if "--check" in sys.argv[1:]:
        if page != PAGE.read_text(encoding="utf-8"):
            sys.exit("docs/python-reference.md is not what the sources say: python3 dev/python_reference.py > docs/python-reference.md")
        return
    print(page, end="")


main()
