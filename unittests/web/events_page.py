#!/usr/bin/env python3
"""events_page.py PROGRAMS DICTIONARIES: a page in headless Chromium reads prices of emissary-hub without WebSocket (GET /sse). The page comes from a
server of its own, as behind a proxy that breaks WebSocket: its attempts at one end in 404. A page of another origin reads nothing."""
import asyncio
import contextlib
import functools
import http.server
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "eta/json"))
from json_provider import check  # noqa: E402
from live_page import ROOT, Page, Programs, free_ports  # noqa: E402


class _Files(http.server.SimpleHTTPRequestHandler):
    """The modules, and an empty page."""

    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>page</title><p id=state>")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def pages(port):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(_Files, directory=ROOT / "web"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.shutdown()
        server.server_close()


async def reads(page, home, port):
    await page.show(home)
    seen = await page.run(f"""
        const {{ connect }} = await import("{home}emissary.js");
        const states = [], moved = new Set();
        // A network that breaks WebSocket: nobody answers the upgrade as one.
        class Broken extends WebSocket {{ constructor(url, protocols) {{ super("ws://127.0.0.1:{port}/broken", protocols); }} }}
        const session = connect({{ url: "ws://127.0.0.1:{port}/WebSocket", WebSocket: Broken, user: "page", retry: {{ min: 20, max: 100 }},
          onState: (s) => states.push(`${{s.state}} ${{s.transport}}`) }});
        const items = session.subscribe("DIRECT_FEED", ["EMI.X", "GBP=", "N1", "N2"], {{ view: ["BID", "ASK"] }}, (item, c) => {{ if (c.type === "update" && !item.stale) moved.add(item.name); }});
        await until(() => moved.size === 4);
        items.add("JPY=");
        await until(() => moved.size === 5);
        const fields = Object.keys(items.items.get("JPY=").fields).sort().join();
        // The browser's own reader of events, with the numbers that it would come back with.
        const own = new EventSource("http://127.0.0.1:{port}/sse?user=own&service=DIRECT_FEED&view=BID&names=EMI.X");
        const events = [];
        own.onmessage = (e) => events.push(e);
        await until(() => events.some((e) => JSON.parse(e.data).some((m) => m.Type === "Update")));
        own.close();
        // A token goes in a header, about which the browser asks the port first.
        const withToken = connect({{ url: "ws://127.0.0.1:{port}/WebSocket", transport: "sse", token: "a.b.c" }});
        await withToken.opened();
        withToken.close();
        session.close();
        return {{ states, fields, ids: events.slice(0, 2).map((e) => e.lastEventId) }};""")
    check(seen["states"][:5] == ["connecting websocket", "waiting websocket", "connecting websocket", "waiting websocket", "connecting sse"], "the way to events", seen)
    check("open sse" in seen["states"] and seen["fields"] == "ASK,BID" and seen["ids"] == ["1", "2"], "what was read", seen)
    print("PASS a page without WebSocket reads prices", flush=True)


async def others_do_not(page, home, port):
    await page.show(home)
    refused = await page.run(f"""
        const events = new EventSource("http://127.0.0.1:{port}/sse?user=evil&service=DIRECT_FEED&names=EMI.X");
        let heard = 0;
        events.onmessage = () => heard++;
        await until(() => events.readyState === EventSource.CLOSED);
        const answer = await fetch("http://127.0.0.1:{port}/sse?user=evil", {{ mode: "no-cors" }});
        return {{ heard, type: answer.type, text: await answer.text() }};""")
    check(refused == {"heard": 0, "type": "opaque", "text": ""}, "a page of another origin read something", refused)
    print("PASS a page of another origin reads nothing", flush=True)


async def main():
    own, other = free_ports(2)
    with Programs(f'<Sse value="1"/><AllowedOrigins value="http://127.0.0.1:{own}"/>') as programs, pages(own) as home, pages(other) as elsewhere:
        programs.feed()
        await programs.pages_up()
        async with Page() as page:
            await reads(page, home, programs.port)
            await others_do_not(page, elsewhere, programs.port)


asyncio.run(main())
