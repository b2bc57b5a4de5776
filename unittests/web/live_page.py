#!/usr/bin/env python3
"""live_page.py PROGRAMS DICTIONARIES: the live page in headless Chromium, served by emissary-hub in front of EmaCppIProvPerf and of the example
that takes posts. What the page shows is compared with what a Python client of the same hub gets."""
import asyncio
import base64
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "eta/json"))
from browser_client import Browser  # noqa: E402
from json_provider import PATIENCE, check  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "PerfTools/scenarios"))
from free_ports import free_ports  # noqa: E402

PROGRAMS, DICTIONARIES = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]

_HUB = """<HubConfig>
  <Hub><Name value="page"/><Listeners value="Clients"/><NiListeners value="Publishers"/><HttpPort value="{pages}"/><Dictionary value="Files"/></Hub>
  <ServerGroup><ServerList><Server><Name value="Clients"/><Port value="{port}"/><WebPosting value="1"/>{more}</Server><Server><Name value="Publishers"/><Port value="0"/></Server></ServerList></ServerGroup>
  <SourceGroup><SourceList><Source><Name value="Up"/><Channel value="Up"/><ReconnectMinDelay value="50"/><ReconnectMaxDelay value="100"/></Source></SourceList></SourceGroup>
  <ChannelGroup><ChannelList><Channel><Name value="Up"/><Host value="127.0.0.1"/><Port value="{upstream}"/></Channel></ChannelList></ChannelGroup>
  <DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/><DictionaryType value="FileDictionary"/></Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>"""

# Waits in the page, frame by frame.
_UNTIL = """const until = (what, ms = %d) => new Promise((resolve, reject) => { const end = performance.now() + ms; const look = () => {
  const seen = what(); if (seen) resolve(seen); else if (performance.now() > end) reject(new Error("in vain: " + what)); else requestAnimationFrame(look); }; look(); });
const rows = () => [...document.querySelectorAll("#quotes tbody tr:not(.space)")];
const texts = (row) => [...row.cells].slice(0, 9).map((cell) => cell.textContent);
const state = () => document.getElementById("state").textContent;
const put = (form, values) => { for (const [name, value] of Object.entries(values)) document.getElementById(form).elements[name].value = value; document.getElementById(form).requestSubmit(); };
""" % (PATIENCE * 2000)


class Programs:
    """A provider, and the hub in front of it; both end with the block."""

    def __init__(self, more=""):
        self.port, self.pages, self.upstream = free_ports(3)
        self._folder = tempfile.TemporaryDirectory()
        self._here = pathlib.Path(self._folder.name)
        for file in "RDMFieldDictionary", "enumtype.def", "MsgData.xml":
            (self._here / file).symlink_to(DICTIONARIES / file)
        (self._here / "EmaConfig.xml").symlink_to(ROOT / "EmaConfig.xml")
        (self._here / "HubConfig.xml").write_text(_HUB.format(port=self.port, pages=self.pages, upstream=self.upstream, more=more), encoding="utf-8")
        self._all = []
        self.start("emissary-hub", "-c", "HubConfig.xml")
        self.url = f"http://127.0.0.1:{self.pages}/live/"

    def start(self, name, *arguments):
        log = open(self._here / f"{name}.log", "a", encoding="utf-8")
        process = subprocess.Popen([PROGRAMS / name, *arguments], cwd=self._here, stdout=log, stderr=log)
        log.close()
        self._all.append(process)
        return process

    def feed(self, rate=400):
        return self.start("EmaCppIProvPerf", "-p", str(self.upstream), "-providerName", "Perf_Provider_1", "-updateRate", str(rate), "-tickRate", "100",
                          "-latencyUpdateRate", "all", "-bookOrders", "50", "-runTime", "600", "-noDisplayStats")

    async def pages_up(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.pages)
                writer.close()
                return
            except OSError:
                check(time.monotonic() < end, "the hub has no pages")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._all:
            process.kill()
            process.wait()
        self._folder.cleanup()


class Page(Browser):
    """A browser that keeps what its page complained about and what it asked for."""

    async def __aenter__(self):
        await super().__aenter__()
        self.complaints, self.asked = [], []
        for domain in "Page", "Runtime", "Log", "Network":
            await self.call(domain + ".enable")
        return self

    async def call(self, method, **parameters):
        number = next(self._numbers)
        await self._page.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(await asyncio.wait_for(self._page.recv(), 4 * PATIENCE))
            kind, what = answer.get("method", ""), answer.get("params", {})
            if kind == "Runtime.exceptionThrown" or (kind == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning")) or (
                    kind == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert")):
                self.complaints.append(json.dumps(what)[:400])
            if kind == "Network.requestWillBeSent":
                self.asked.append(what["request"]["url"])
            if kind == "Network.webSocketCreated":
                self.asked.append(what["url"])
            if answer.get("id") == number:
                check("error" not in answer, method, answer)
                return answer["result"]

    async def run(self, body):
        """What the body of a function returns; `until` and the like are there."""
        answer = await self.call("Runtime.evaluate", expression=f"(async () => {{ {_UNTIL} {body} }})()", awaitPromise=True, returnByValue=True)
        thrown = answer.get("exceptionDetails")
        check(not thrown, "the page", thrown and (thrown.get("exception", {}).get("description") or thrown["text"]))
        return answer["result"].get("value")

    async def show(self, url, width=1280, height=1000, **media):
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        await self.call("Emulation.setEmulatedMedia", features=[{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in media.items()])
        await self.call("Page.navigate", url=url)
        await self.run("await until(() => document.readyState === 'complete' && globalThis.document.getElementById('state'));")


async def moves(page, programs):
    items = ",".join(["EMI.X", "GBP=", "<img/src=x/onerror=document.title=1>"] + [f"N{i}" for i in range(497)])
    await page.show(programs.url + "?depth=BOOK&items=" + items.replace("<", "%3C").replace(">", "%3E").replace("=", "%3D"))
    seen = await page.run("""
        await until(() => state().startsWith("live from"));
        await until(() => rows().slice(0, 3).every((row) => !row.className && row.cells[4].textContent));
        // Values of the tool may be the same each time; the age of a row is not.
        for (const n of [0, 1]) { const before = texts(rows()[n])[8]; await until(() => texts(rows()[n])[8] !== before); }
        const cell = await until(() => document.querySelector("#quotes td.f3"));
        await until(() => !cell.matches(".f3"));
        await until(() => document.querySelector("#legend .hub b")?.textContent.includes("≤"));
        await until(() => /ms$/.test(texts(rows()[0])[8]));
        const few = rows().length;
        document.getElementById("scroll").scrollTop = 1e6;
        await until(() => texts(rows().at(-1))[0] === "N496" && rows().at(-1).cells[4].textContent);
        document.querySelectorAll("#quotes th button")[0].click(), document.querySelectorAll("#quotes th button")[0].click();
        document.getElementById("scroll").scrollTop = 0;
        await until(() => texts(rows()[0])[0] === "N99");
        document.querySelectorAll("#quotes th button")[0].click();
        await until(() => texts(rows()[0])[0].startsWith("<img"));
        rows()[0].querySelector("button").click();
        await until(() => document.getElementById("quotesNote").textContent === "499 items" && texts(rows()[0])[0] === "EMI.X");
        put("add", { names: "ADDED1 ADDED2" });
        await until(() => rows()[0] && texts(rows()[0])[0] === "ADDED1" && rows()[0].cells[4].textContent);
        return { few, images: document.images.length, title: document.title };""")
    check(seen["few"] < 80, "rows that nobody sees are in the document", seen)
    check(seen["images"] == 0 and seen["title"].startswith("page"), "a name became HTML", seen)
    print("PASS 500 rows move, are sorted, scrolled, added and removed", flush=True)


async def keep_book(port, book):
    """Keeps the orders, as a client without any of our code has it, until it is cancelled."""
    async with websockets.connect(f"ws://127.0.0.1:{port}/WebSocket", subprotocols=["rssl.json.v2"], max_size=None) as other:
        await other.send(json.dumps([{"ID": 1, "Domain": "Login", "Key": {"Name": "python"}},
                                     {"ID": 2, "Domain": "MarketByOrder", "Key": {"Name": "BOOK", "Service": "DIRECT_FEED"}}]))
        async for text in other:
            for message in json.loads(text):
                if message["Type"] == "Ping":
                    await other.send('{"Type":"Pong"}')
                for entry in message.get("Map", {}).get("Entries", []) if message.get("ID") == 2 else []:
                    if entry["Action"] == "Delete":
                        book.pop(entry["Key"], None)
                    else:
                        book.setdefault(entry["Key"], {}).update(entry["Fields"])


async def ladder(page, programs, feed):
    book = {}
    reader = asyncio.create_task(keep_book(programs.port, book))

    def levels(side, down):
        sizes = collections.defaultdict(list)
        for order in book.values():
            if order["ORDER_SIDE"] == side:
                sizes[order["ORDER_PRC"]].append(order["ORDER_SIZE"])
        return sorted(([price, sum(all_of_it), len(all_of_it)] for price, all_of_it in sizes.items()), reverse=down)[:10]

    end, stopped = time.monotonic() + PATIENCE, False
    while True:  # once the feed stands still and what is on the way has arrived, both agree
        if book and not stopped:
            feed.send_signal(signal.SIGSTOP)
            stopped = True
        seen = await page.run("""return [...document.querySelectorAll("#ladder tbody tr.asks, #ladder tbody tr.bids")].filter((row) => row.cells[0].textContent)
            .map((row) => [0, 1, 2].map((n) => Number(row.cells[n].textContent.replaceAll(",", ""))));""")
        wanted = levels("ASK", False)[::-1] + levels("BID", True)
        if stopped and seen == wanted:
            break
        check(not reader.done() and time.monotonic() < end, f"the ladder shows {seen}, Python has {wanted}")
    feed.send_signal(signal.SIGCONT)
    reader.cancel()
    opened = await page.run("""const price = document.querySelector("#ladder tr.bids button"); price.click();
        return (await until(() => document.querySelector("#ladder tr.orders"))).textContent;""")
    check("orders:" in opened, opened)
    check(len(wanted) >= 10, "a book of a few levels shows little", wanted)
    print(f"PASS the ladder equals Python's book: {len(wanted)} levels", flush=True)


async def restart(page, programs, feed):
    feed.kill()
    feed.wait()
    seconds = await page.run("""const from = performance.now();
        await until(() => rows().every((row) => row.classList.contains("stale")) && document.getElementById("ladder").classList.contains("stale"));
        if (!rows()[0].title || !texts(rows()[0])[0].includes(" – ")) throw new Error("no reason: " + texts(rows()[0]));
        return (performance.now() - from) / 1000;""")
    check(seconds < 2, f"rows were grey after {seconds} s")
    programs.feed()
    await page.run("""await until(() => rows().every((row) => !row.className) && !document.getElementById("ladder").classList.contains("stale"));
        const before = texts(rows()[0])[8]; await until(() => texts(rows()[0])[8] !== before);""")
    print(f"PASS the feed killed: grey after {seconds:.2f} s; started again: live", flush=True)


async def fits(page, programs):
    """Wide enough for its content, at each width, light and dark; with less motion there is a sign in place of the colour."""
    folder = os.environ.get("LIVE_PAGE_PICTURES")
    for width, height in (375, 900), (1280, 1000), (2560, 1400):
        for scheme in "light", "dark":
            await page.show(programs.url + "?depth=BOOK&items=EMI.X,GBP%3D,JPY%3D,VOD.L,IBM.N," + ",".join(f"WEB{n}" for n in range(60)), width, height,
                            color_scheme=scheme, reduced_motion="reduce")
            seen = await page.run("""await until(() => document.querySelector("#quotes td.up, #quotes td.down"));
                await until(() => document.querySelector("#ladder tr.bids td.n").textContent);
                const cell = document.querySelector("#quotes td.up, #quotes td.down");
                const over = [...rows()[0].cells].slice(1, 9).filter((td) => td.scrollWidth > td.clientWidth && td.clientWidth);
                if (over.length) throw new Error("too narrow: " + over.map((td) => td.textContent));
                return { wide: document.documentElement.scrollWidth, background: getComputedStyle(cell).backgroundColor, sign: getComputedStyle(cell, "::before").content };""")
            check(seen["wide"] <= width and seen["background"] == "rgba(0, 0, 0, 0)" and seen["sign"] in ('"▲"', '"▼"'), f"{width} {scheme}", seen)
            if folder:
                await page.show(programs.url + "?depth=BOOK&items=EMI.X,GBP%3D,JPY%3D,VOD.L,IBM.N," + ",".join(f"WEB{n}" for n in range(60)), width, height, color_scheme=scheme)
                await page.run("await until(() => document.querySelector('#legend .hub b')?.textContent.includes('≤'));")
                shot = await page.call("Page.captureScreenshot", format="png")
                pathlib.Path(folder, f"live-{width}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
    print("PASS fits 375, 1280 and 2560 px, light and dark", flush=True)


async def posts(page, programs):
    programs.start("json_provider", str(programs.upstream))
    await page.show(programs.url + "?items=ZINC.D,LEAD.D")
    seen = await page.run("""
        await until(() => rows().length === 2 && rows().every((row) => !row.className && row.cells[4].textContent === "39.9"));
        const cells = new Set();
        new MutationObserver((records) => { for (const { target } of records) cells.add(target.closest?.("td") ?? target.parentElement); })
            .observe(document.querySelector("#quotes tbody"), { childList: true, characterData: true, subtree: true });
        const send = async (values) => { put("post", values); return until(() => { const t = document.getElementById("ack").textContent; return t !== "sent" && t; }); };
        const good = await send({ name: "LEAD.D", bid: "41.25" });
        await until(() => rows()[1].cells[4].textContent === "41.25" && rows()[1].cells[4].classList.contains("up"));
        const changed = [...cells].filter((td) => td?.tagName === "TD").map((td) => `${td.parentElement.rowIndex} ${td.cellIndex}`);
        document.getElementById("ack").textContent = "sent";
        const bad = await send({ name: "LEAD.D", bid: "-1" });
        return { good, bad, changed, others: texts(rows()[0])[4] };""")
    check(seen["good"].startswith("acknowledged in"), "the post", seen)
    check(seen["bad"] == "refused, InvalidContent: a bid must be above zero", "the refusal", seen)
    check(len(seen["changed"]) == 1 and seen["changed"][0].endswith(" 4") and seen["others"] == "39.9", "an update changed other cells", seen)
    print("PASS posts are acknowledged and refused in words; one update changes one cell", flush=True)


async def main():
    async with Page("--hide-scrollbars") as page:
        with Programs() as programs:
            feed = programs.feed()
            await programs.pages_up()
            await moves(page, programs)
            await ladder(page, programs, feed)
            await restart(page, programs, feed)
            await fits(page, programs)
        with Programs() as others:
            await others.pages_up()
            await posts(page, others)
        allowed = [f"{scheme}://127.0.0.1:{port}/" for p in (programs, others) for scheme, port in (("http", p.pages), ("ws", p.port))] + ["data:"]
        foreign = [url for url in page.asked if not url.startswith(tuple(allowed))]
        check(not foreign, "the page asked somebody else", foreign)
        check(not page.complaints, "the console", page.complaints)
        print("PASS nothing in the console, nobody else asked", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
