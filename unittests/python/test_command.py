"""python -m emissary, and the examples of the guide."""
import json
import pathlib
import re
import subprocess
import sys

import pytest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python.md"


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


@pytest.mark.parametrize("example", range(len(re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.S))))
def test_the_guides_examples_run(example, hub):
    code = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.S)[example]
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
