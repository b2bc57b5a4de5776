#!/usr/bin/env python3
"""browser_client.py PROVIDER DICTIONARIES CERTIFICATE-SCRIPT: a page in headless Chromium talks JSON to a provider.

The page's client is browser_client.js, plain JavaScript. It meets the provider once for each JSON sub-protocol, over
ws: and wss:, and with deflated messages. Chromium is driven over its debugging socket. It trusts the provider's test
certificate by the hash of its key; a run without that must fail.
"""
import asyncio
import base64
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from json_provider import PATIENCE, Provider, check

try:
    import websockets
except ImportError:
    sys.exit("Error: Python's websockets package is missing: install it with dev/install_packages.sh tests")

_SCRIPT = (pathlib.Path(__file__).parent / "browser_client.js").read_text(encoding="utf-8")
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--no-proxy-server", "--remote-debugging-port=0"]
_START = 60  # seconds that a browser may need on a busy machine


class Browser:
    """One Chromium with an empty page; evaluate() runs an expression in it."""

    def __init__(self, *flags):
        found = shutil.which("chromium") or shutil.which("chromium-browser")
        check(found, "chromium is not installed: run dev/install_packages.sh tests")
        self._profile = tempfile.TemporaryDirectory(prefix="json-chromium-", ignore_cleanup_errors=True)
        self._log = open(os.path.join(self._profile.name, "log"), "w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [found, *_FLAGS, *flags, f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=self._log, stderr=self._log, env={**os.environ, "HOME": self._profile.name})

    async def __aenter__(self):
        try:
            port = await self._debugging_port()
            # Every page has a socket of its own; the browser's tells which there are.
            async with websockets.connect(f"ws://127.0.0.1:{port[0]}{port[1]}", max_size=None, ping_interval=None) as control:
                await control.send(json.dumps({"id": 1, "method": "Target.getTargets"}))
                while "result" not in (answer := json.loads(await asyncio.wait_for(control.recv(), PATIENCE))):
                    pass
            page = next(t["targetId"] for t in answer["result"]["targetInfos"] if t["type"] == "page")
            self._page = await websockets.connect(f"ws://127.0.0.1:{port[0]}/devtools/page/{page}", max_size=None, ping_interval=None)
        except BaseException:
            self._end()
            raise
        self._numbers = itertools.count(1)
        return self

    async def _debugging_port(self):
        """(port, path), which Chromium writes into its profile when it is ready."""
        file = pathlib.Path(self._profile.name) / "DevToolsActivePort"
        deadline = time.monotonic() + _START
        while True:
            lines = file.read_text(encoding="ascii").split() if file.exists() else []
            if len(lines) == 2:
                return lines
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._log.seek(0)
                raise AssertionError("chromium did not start:\n" + self._log.read())
            await asyncio.sleep(0.05)

    async def evaluate(self, expression):
        """The value; what the page throws is raised here."""
        number = next(self._numbers)
        await self._page.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": {
            "expression": expression, "awaitPromise": True, "returnByValue": True}}))
        while True:
            answer = json.loads(await asyncio.wait_for(self._page.recv(), 2 * PATIENCE))
            if answer.get("id") == number:
                break
        check("result" in answer, "the browser refused", answer)
        thrown = answer["result"].get("exceptionDetails")
        if thrown:
            raise AssertionError(thrown.get("exception", {}).get("description") or thrown["text"])
        return answer["result"]["result"].get("value")

    async def __aexit__(self, *_):
        await self._page.close()
        self._end()

    def _end(self):
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
        self._profile.cleanup()


def key_hash(certificate):
    """What --ignore-certificate-errors-spki-list wants: the hash of the certificate's public key."""
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], stdout=subprocess.PIPE, check=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, stdout=subprocess.PIPE, check=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


async def exchange(browser, scheme, protocol, extensions, **parameters):
    with Provider(sys.argv[1], sys.argv[2], **parameters) as provider:
        url = f"{scheme}://localhost:{provider.port}/WebSocket"
        seen = await browser.evaluate(f"{_SCRIPT}; session({json.dumps(url)}, {json.dumps(protocol)}, {PATIENCE * 1000})")
        wanted = {"protocol": protocol, "extensions": extensions, "images": [["ZINC.D", 39.9], ["LEAD.D", 39.9]],
                  "updates": [[41.25, 77], [41.5, 77]], "acks": [[10, 7, None], [10, 8, None], [1, 9, "InvalidContent"]],
                  "error": 12}
        check(seen == wanted, f"over {scheme} with {protocol} the page saw", seen)
        output = provider.finish()
        check("on-stream post for ZINC.D, id 8" in output, f"the provider printed: {output}")
    print(f"PASS {scheme} {protocol} {extensions}", flush=True)


async def run(certificates):
    plain = {"ServerType": "ServerType::RSSL_WEBSOCKET"}
    encrypted = {"ServerType": "ServerType::RSSL_ENCRYPTED", "ServerCert": certificates / "server.pem",
                 "ServerPrivateKey": certificates / "server-key.pem"}
    async with Browser(f"--ignore-certificate-errors-spki-list={key_hash(certificates / 'server.pem')}") as browser:
        for protocol in "rssl.json.v2", "tr_json2":
            await exchange(browser, "ws", protocol, "", **plain)
            await exchange(browser, "wss", protocol, "", **encrypted)
        await exchange(browser, "ws", "rssl.json.v2", "permessage-deflate", CompressionType="CompressionType::ZLib", **plain)
    async with Browser() as browser:  # knows nothing of our authority
        try:
            await exchange(browser, "wss", "rssl.json.v2", "", **encrypted)
        except AssertionError as refused:
            check("was not opened" in str(refused), f"refused, but: {refused}")
            print("PASS a certificate that nobody vouches for is refused")
        else:
            raise AssertionError("a browser that does not know the authority connected all the same")


def main():
    with tempfile.TemporaryDirectory() as folder:
        certificates = pathlib.Path(folder) / "certificates"
        subprocess.run([sys.argv[3], certificates], check=True)
        asyncio.run(run(certificates))


if __name__ == "__main__":
    main()
