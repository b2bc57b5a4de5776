"""python -m emissary, and the examples of the guide."""
import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys

import polars
import pyarrow
import pytest

GUIDE = sorted((pathlib.Path(__file__).resolve().parents[2] / "docs/guide").glob("python*.md"))
EXAMPLES = {f"{page.stem}-{number}": code for page in GUIDE
            for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S), 1)}


def run(provider, command, *arguments):
    websocket = ["--websocket"] if provider.protocol else []
    return subprocess.run([sys.executable, "-m", "emissary", command, "--host", provider.host, *websocket, *arguments],
                          capture_output=True, text=True, timeout=60)


def test_snapshot_prints_a_table_or_json(provider):
    table = run(provider, "snapshot", "A.X")
    assert table.returncode == 0, table.stderr
    assert table.stdout.splitlines()[0] == "A.X of DIRECT_FEED: complete"
    assert re.search(r"^  BID +39\.90$", table.stdout, re.M) and re.search(r"^  DSPLY_NAME  Café$", table.stdout, re.M)
    lines = run(provider, "snapshot", "--json", "--fields", "BID,ASK", "A.X", "B.X").stdout.splitlines()
    assert [json.loads(line)["fields"] for line in lines] == [{"BID": "39.90", "ASK": None}, {"BID": "-0.5"}]


def test_snapshot_of_what_is_not_there_fails_with_the_text(provider):
    result = run(provider, "snapshot", "NONE.X", "A.X")
    assert result.returncode == 1 and "there is no such item" in result.stderr and "39.90" in result.stdout


def test_nobody_listens():
    result = subprocess.run([sys.executable, "-m", "emissary", "snapshot", "--host", "localhost:1", "--timeout", "0.2", "A.X"],
                            capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and result.stderr.startswith("localhost:1: ") and "Traceback" not in result.stderr


def test_providers_lists_services(provider):
    assert run(provider, "providers").stdout == "DIRECT_FEED  1  up\n"
    assert json.loads(run(provider, "providers", "--json").stdout) == {"service": "DIRECT_FEED", "id": 1, "up": True}


def test_watch_and_record(provider, tmp_path):
    watched = run(provider, "watch", "--count", "1", "A.X")
    assert watched.returncode == 0 and watched.stdout.startswith("A.X image  ")
    out = tmp_path / "prices.jsonl"
    assert run(provider, "record", "--count", "2", "-o", str(out), "A.X", "B.X").returncode == 0
    assert sorted(json.loads(line)["item"] for line in out.read_text().splitlines()) == ["A.X", "B.X"]


@pytest.mark.parametrize("enum", ["value", "display", "both"])
def test_record_writes_arrow_files(provider, tmp_path, enum):
    provider.publish("A.X", CURRENCY="USD")
    provider.publish("C.X", BID=1)
    out = tmp_path / "prices.arrow"
    result = run(provider, "record", "--fields", "BID,ASK,DSPLY_NAME,CURRENCY,TRADE_DATE", "--enum", enum, "--count", "3", "-o", str(out),
                 "A.X", "B.X", "C.X")
    assert result.returncode == 0, result.stderr
    table = pyarrow.ipc.open_file(out).read_all()
    table.validate(full=True)
    rows = {row["item"]: row for row in table.drop_columns("time").to_pylist()}
    assert rows["A.X"]["BID"] == 39.9 and rows["B.X"]["BID"] == -0.5 and rows["A.X"]["DSPLY_NAME"] == "Café" and rows["C.X"]["ASK"] is None
    assert rows["A.X"]["CURRENCY"] == ("USD" if enum == "display" else 840) and rows["C.X"]["CURRENCY"] is None
    assert ("CURRENCY.display" in table.schema.names) is (enum == "both")
    assert table.schema.field("TRADE_DATE").type == pyarrow.date32() and table.schema.field("ASK").type == pyarrow.float64()
    assert polars.read_ipc(out)["item"].to_list() == table["item"].to_pylist()
    named = tmp_path / "prices"
    assert run(provider, "record", "--format", "arrow", "--fields", "BID", "--count", "1", "-o", str(named), "A.X").returncode == 0
    assert pyarrow.ipc.open_file(named).read_all().num_rows == 1


def test_record_says_what_an_arrow_file_needs(provider, tmp_path):
    for fields, text in ([], "needs --fields"), (["--fields", "NO_SUCH_FIELD"], "NO_SUCH_FIELD"):
        result = run(provider, "record", *fields, "-o", str(tmp_path / "x.arrow"), "A.X")
        assert result.returncode == 1 and text in result.stderr and "Traceback" not in result.stderr
        assert not (tmp_path / "x.arrow").exists()


def interrupted(provider, out, *options):
    """A record that got SIGINT as soon as its file was there."""
    process = subprocess.Popen([sys.executable, "-m", "emissary", "record", "--host", provider.host, *options, "-o", str(out),
                                *(["--websocket"] if provider.protocol else []), "A.X"])
    while not out.exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130


def test_an_interrupted_record_leaves_a_file_that_can_be_read(provider, tmp_path):
    for at in range(5):
        out = tmp_path / f"{at}.arrow"
        interrupted(provider, out, "--fields", "BID")
        assert pyarrow.ipc.open_file(out).read_all().schema.names == ["item", "time", "type", "state", "BID"]
    out = tmp_path / "prices.jsonl"
    interrupted(provider, out)
    assert all(json.loads(line)["item"] == "A.X" for line in out.read_text().splitlines())


def test_a_record_in_the_background_of_a_script_does_not_hear_its_ctrl_c(provider, tmp_path):
    out = tmp_path / "prices.jsonl"
    process = subprocess.Popen([sys.executable, "-m", "emissary", "record", "--host", provider.host, "--count", "2", "-o", str(out),
                                *(["--websocket"] if provider.protocol else []), "A.X"],
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    while not out.exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    updates = 0
    while process.poll() is None:
        provider.publish("A.X", BID=40 + (updates := updates + 1) % 10)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    assert process.returncode == 0 and len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize("command", [["watch"], ["record", "-o", "/dev/null"]])
def test_what_reads_ends_when_all_items_have(provider, command):
    result = run(provider, *command, "NONE.X")
    assert result.returncode == 1 and result.stderr == "all items have ended\n"


def test_texts_of_enumerations(provider):
    provider.publish("A.X", CURRENCY=840)
    for enum, text, value in ("value", "840", 840), ("display", "USD", "USD"), ("both", "840 (USD)", {"value": 840, "display": "USD"}):
        options = ["--enum", enum, "--fields", "CURRENCY", "A.X"]
        assert re.search(rf"^  CURRENCY  {re.escape(text)}$", run(provider, "snapshot", *options).stdout, re.M)
        assert json.loads(run(provider, "snapshot", "--json", *options).stdout)["fields"] == {"CURRENCY": value}


def in_terminal(arguments, **environment):
    """What a command prints where its output is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "emissary", *arguments], stdout=theirs, stderr=theirs,
                               env={**os.environ, "TERM": "xterm", **environment})
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how a terminal ends
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(10) == 0
    return shown.decode()


def test_styles_are_for_terminals_alone(provider):
    arguments = ["snapshot", "--host", provider.host, *(["--websocket"] if provider.protocol else []), "A.X"]
    shown = in_terminal(arguments)
    assert "\x1b[1mA.X\x1b[0m of DIRECT_FEED" in shown and "39.90" in shown
    assert "\x1b" not in in_terminal(arguments, NO_COLOR="1") and "\x1b" not in in_terminal(arguments, TERM="dumb")
    assert "\x1b" not in in_terminal([*arguments, "--json"])
    assert "\x1b" not in run(provider, "snapshot", "A.X").stdout


def test_post_answers_in_json(provider):
    taken = json.loads(run(provider, "post", "--json", "A.X", "BID=1").stdout)
    assert taken == {"item": "A.X", "service": "DIRECT_FEED", "post": 1, "taken": True}
    provider.answer_posts(1, "not for you")
    refused = run(provider, "post", "--json", "A.X", "BID=1")
    assert refused.returncode == 1 and json.loads(refused.stdout)["nack"] == 1 and "not for you" in json.loads(refused.stdout)["text"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_guides_examples_run(example, hub):
    code = EXAMPLES[example]
    import emissary.testing
    with emissary.testing.Provider(items={"EMI.X": {"BID": 1, "ASK": 2}, "EMI.Y": {"BID": 3}}) as provider:
        code = code.replace("localhost:14002", provider.host).replace("localhost:14003", f"localhost:{hub.publishers}")
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


def test_the_package_has_the_version_of_the_library():
    import importlib.metadata
    import emissary
    assert emissary.__version__ == emissary.version() == importlib.metadata.version("emissary-md")


def test_post_says_whether_the_post_was_taken(provider):
    taken = run(provider, "post", "A.X", "BID=39.95", "ASK=", "DSPLY_NAME=Café", "TRADE_DATE=2024-02-29")
    assert (taken.returncode, taken.stdout) == (0, "A.X of DIRECT_FEED: taken\n"), taken.stderr
    [came] = provider.received(timeout=10)
    assert came.name == "A.X" and came["DSPLY_NAME"] == "Café" and str(came["BID"]) == "39.95" and came["ASK"] is None
    assert str(came["TRADE_DATE"]) == "2024-02-29"
    provider.answer_posts(1, "not for you")
    refused = run(provider, "post", "--type", "image", "A.X", "BID=1")
    assert refused.returncode == 1 and "not for you" in refused.stderr and "Traceback" not in refused.stderr
    assert run(provider, "post", "--no-ack", "A.X", "BID=1").returncode == 0


def test_post_refuses_what_is_no_value_of_the_field(provider):
    for values, text in (["BID=x"], "real"), (["NO_SUCH_FIELD=1"], "NO_SUCH_FIELD"), (["TRADE_DATE=29.2."], "date"):
        result = run(provider, "post", "A.X", *values)
        assert result.returncode == 1 and text in result.stderr and "Traceback" not in result.stderr
    assert run(provider, "post", "A.X", "BID").returncode == 2
