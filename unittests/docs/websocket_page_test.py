#!/usr/bin/env python3
"""websocket_page_test.py HUB: the programs of docs/websocket-clients.md do what the page says, as they stand there.

The page's configuration starts a hub, its publisher feeds it, its Python programs and its web page (in headless Chromium) read it and
post. Nothing is changed but the ports: the test's are free ones.
"""
import asyncio
import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "unittests" / "eta" / "json"))
from browser_client import Browser  # noqa: E402  (its folder is known only now)

PAGE = ROOT / "docs" / "websocket-clients.md"
PATIENCE = 60
PROGRAMS = {"HubConfig.xml", "prices.py", "prices.html", "encrypted.py", "several.py", "posts.py", "publisher.py"}


def programs(text):
    """Name -> text of each program; a block without a name would be one that nobody runs."""
    named = dict(re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", text, re.M | re.S))
    assert len(re.findall(r"^```\w+$", text, re.M)) == len(named), "a program of the page has no file name before it"
    assert set(named) == PROGRAMS, f"the page has {sorted(named)}; this test runs {sorted(PROGRAMS)}"
    return named


class Program:
    """In the background, with its lines."""

    def __init__(self, *command):
        self.name = command[-1]
        self.lines, self._news = [], threading.Condition()
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()

    def line(self, pattern):
        """The match in the first line that has it."""
        end = time.monotonic() + PATIENCE
        with self._news:
            while True:
                for line in self.lines:
                    if found := re.search(pattern, line):
                        return found
                left = end - time.monotonic()
                assert left > 0 and (self._process.poll() is None or self._reader.is_alive()), \
                    f"{self.name} printed no line '{pattern}': {self.lines[-20:]}"
                self._news.wait(min(left, 0.2))

    def finish(self):
        assert self._process.wait(PATIENCE) == 0, f"{self.name}: {self.lines[-20:]}"
        self._reader.join(PATIENCE)
        return self.lines

    def end(self):
        self._process.kill()
        self._process.wait()
        self._reader.join(PATIENCE)
        self._process.stdout.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


async def in_browser(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        async with Browser() as browser:
            await browser.evaluate(f"void (location.href = 'http://localhost:{server.server_port}/prices.html')")
            end = time.monotonic() + PATIENCE
            while True:
                await asyncio.sleep(0.1)
                rows = await browser.evaluate("document.body?.innerText.trim().split('\\n').sort().join()")
                if re.fullmatch(r"EMI\.X: [\d.]+,GBP=: [\d.]+", rows or ""):
                    break
                assert time.monotonic() < end, f"the page shows: {rows} {await browser.evaluate('document.title')}"
            states = await browser.evaluate("[...document.querySelectorAll('tr')].map((row) => row.title).join()")
            assert states == "Open/Ok,Open/Ok", states
    finally:
        server.shutdown()
        server.server_close()


def shape(line):
    """Without what differs from run to run."""
    return re.sub(r"host \S+\.", "host.", re.sub(r"\d+(\.\d+)?", "N", line))


def check_page(hub, text, running):
    files = programs(text)
    subprocess.run([ROOT / "dev" / "make_test_certificates.sh", "."], check=True)
    for file in "RDMFieldDictionary", "enumtype.def":
        pathlib.Path(file).symlink_to(ROOT / "etc" / file)
    config = re.sub(r'<Port value="\d+"/>', '<Port value="0"/>', files["HubConfig.xml"])
    # The page's own server, which the hub has to know before it starts.
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=os.getcwd()))
    assert "http://localhost:8000" in config
    config = config.replace("http://localhost:8000", f"http://localhost:{pages.server_port}")
    # The port for publishers and the pages' are the defaults, which somebody else may have.
    config = config.replace("<Hub>", '<Hub><NiListeners value="Publishers"/><HttpPort value="0"/>').replace(
        "<ServerList>", '<ServerList><Server><Name value="Publishers"/><Port value="0"/></Server>')
    pathlib.Path("HubConfig.xml").write_text(config, encoding="utf-8")

    def start(*command):
        running.append(Program(*command))
        return running[-1]

    server = start(hub, "-c", "HubConfig.xml")
    ports = {"14002": server.line(r"consumers on port (\d+) \(RIPC and WebSocket\)")[1],
             "14443": server.line(r"consumers on port (\d+) \(RIPC and WebSocket in TLS\)")[1],
             "14003": server.line(r"publishers on port (\d+)")[1]}
    for name, program in files.items():
        if name != "HubConfig.xml":
            pathlib.Path(name).write_text(re.sub(r"(?<=localhost:)\d+", lambda port: ports[port[0]], program), encoding="utf-8")

    def python(name):
        return start(sys.executable, "-u", "-B", name)

    publisher = python("publisher.py")
    server.line(r"service 'MY_FEED' is up")
    prices = python("prices.py")
    prices.line(r"^Update EMI\.X None \{'BID'")
    said = [line for line in text.split("\n") if re.match(r"    (Refresh|Update) ", line)]
    assert len(said) == 3
    printed = {shape(line) for line in prices.lines}
    for line in said:
        assert shape(line.strip()) in printed, f"prices.py did not print '{line.strip()}': {prices.lines}"
    assert python("encrypted.py").finish()[0].startswith("Login accepted by host")
    several = python("several.py").finish()
    for line in (r"Refresh 11 Open \{'BID': [\d.]+, 'ASK': [\d.]+\}", r"Refresh 20 NonStreaming \{'BID'.*'CURRENCY': 'USD'", "Status 10 Closed None"):
        assert any(re.match(line, printed) for printed in several), f"no '{line}': {several}"
    posts = python("posts.py").finish()
    for line in ("post 1 accepted ", "post 2 accepted ", "posted by 7 {'BID': 40.25}", "posted by 7 {'BID': 40.5}"):
        assert line in posts, f"no '{line}': {posts}"
    prices.line(r"^Update EMI\.X None \{'BID': 40\.5\}")
    asyncio.run(in_browser(pages))
    assert publisher.lines == [], publisher.lines


def main():
    hub, home, running = os.path.abspath(sys.argv[1]), os.getcwd(), []
    with tempfile.TemporaryDirectory(prefix="websocket-page-") as folder:
        os.chdir(folder)
        try:
            check_page(hub, PAGE.read_text(encoding="utf-8"), running)
        finally:
            for program in running:
                program.end()
            os.chdir(home)
    print(f"{len(PROGRAMS)} programs of {PAGE.name} do what it says")


if __name__ == "__main__":
    main()
