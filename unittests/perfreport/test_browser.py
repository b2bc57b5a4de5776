"""Pages in headless Chromium: the script runs, everything is there, nothing is complained about."""
import functools
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import support
from support import Case

_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage"]

# Acts as a user does and leaves what was seen in the page, for --dump-dom.
_PROBE = """<script>
(() => {
  const seen = {};
  const svg = document.querySelector("#updates .variant:not([hidden]) svg");
  const box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 40, bubbles: true }));
  seen.readout = document.getElementById("readout").innerText.replace(/\\s+/g, " ");
  svg.dispatchEvent(new PointerEvent("pointerleave"));
  seen.gone = document.getElementById("readout").hidden;
  svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  seen.keyboard = !document.getElementById("readout").hidden;
  const select = document.querySelector("#threads select");
  select.value = "2";
  select.dispatchEvent(new Event("change"));
  seen.thread = document.querySelector("#updates .variant:not([hidden])").dataset.thread;
  const check = document.querySelector("#runs input");
  check.click();
  seen.run = getComputedStyle(document.querySelector("#cpu .line.run0")).display;
  // Labels of each drawn chart must lie inside it and not on each other; the page must not be wider than the window.
  seen.overlaps = [];
  for (const drawing of document.querySelectorAll(".variant:not([hidden]) svg")) {
    const frame = drawing.getBoundingClientRect();
    const labels = [...drawing.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
    labels.forEach(([name, a], i) => {
      if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.bottom > frame.bottom + 1) seen.overlaps.push(name);
      for (const [other, b] of labels.slice(i + 1))
        if (a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom) seen.overlaps.push(name + "/" + other);
    });
  }
  seen.wide = document.documentElement.scrollWidth > innerWidth;
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = Object.entries(seen).map(([key, value]) => key + "=" + value).join(";");
  document.body.append(result);
})();
</script></body>"""


@functools.lru_cache(maxsize=1)
def _chromium():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        raise AssertionError("chromium is not installed: run dev/install_packages.sh tests")
    return found


class Browser(Case):
    def chromium(self, *arguments):
        """(standard output, what the console said)."""
        with tempfile.TemporaryDirectory(prefix="perfreport-chromium-", ignore_cleanup_errors=True) as profile:
            done = subprocess.run([_chromium(), *_FLAGS, f"--user-data-dir={profile}", "--enable-logging=stderr", *arguments],
                                  capture_output=True, text=True, timeout=60, check=False,
                                  env={**os.environ, "HOME": profile})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    def page(self, *specifications):
        path = self.folder / "x.html"
        self.assertEqual(self.run_program("-o", str(path), *specifications), (0, "", ""))
        return path

    def test_works_as_a_user_expects(self):
        long_name = "a_run_with_a_very_long_name_" * 4
        path = self.page(f"{long_name}={self.consumer('one', threads=2)}", "b=" + self.consumer("two", threads=2, rate=3000))
        path.write_text(path.read_text(encoding="utf-8").replace("</body>", _PROBE), encoding="utf-8")
        for width in (1300, 700):
            with self.subTest(width=width):
                dom, console = self.chromium("--dump-dom", f"--window-size={width},1000", f"file://{path}")
                self.assertEqual(console, [])
                self.assertIn('data-ready="yes"', dom)
                for wanted in ("updates", "latency-update", "percentiles-update", "curve-update", "histogram-update", "cpu"):
                    self.assertRegex(dom, f'<figure id="{wanted}">.*?<svg')
                seen = dict(part.split("=", 1) for part in re.search(r'id="probe">(.*?)</pre>', dom, re.S).group(1).split(";"))
                self.assertRegex(seen["readout"], r"^3 s .*received by the consumer 2 k .*received by the consumer 6 k")
                self.assertEqual([seen[key] for key in ("gone", "keyboard", "thread", "run", "overlaps", "wide")],
                                 ["true", "true", "2", "none", "", "false"])

    def test_can_be_read_on_a_phone(self):
        """Headless windows have a least width, a frame has not."""
        path = self.page("a=" + self.consumer("one", rows=12), "b=" + self.consumer("two", rows=12, rate=3000))
        frame = self.folder / "phone.html"
        frame.write_text('''<iframe src="x.html" style="width:375px;height:700px;border:0"></iframe><script>
          onload = () => {
            const inner = document.querySelector("iframe").contentWindow, root = inner.document.documentElement;
            const size = text => parseFloat(inner.getComputedStyle(text).fontSize) * text.closest("svg").getBoundingClientRect().width / 640;
            const least = Math.min(...[...root.querySelectorAll("svg[role=img] text")].map(size));
            document.body.insertAdjacentHTML("beforeend", `<pre id="probe">${inner.innerWidth} ${root.scrollWidth} ${least >= 10}</pre>`);
          };</script>''', encoding="utf-8")
        dom, console = self.chromium("--dump-dom", "--allow-file-access-from-files", f"file://{frame}")
        self.assertEqual(console, [])
        self.assertIn('<pre id="probe">375 375 true</pre>', dom)

    def test_the_console_check_sees_errors(self):
        path = self.page(self.consumer("one"))
        path.write_text(path.read_text(encoding="utf-8").replace("</body>", "<script>nothing.there()</script></body>"),
                        encoding="utf-8")
        self.assertIn("nothing is not defined", "".join(self.chromium("--dump-dom", f"file://{path}")[1]))

    def test_prints(self):
        path, paper = self.page(self.consumer("one")), self.folder / "x.pdf"
        _, console = self.chromium(f"--print-to-pdf={paper}", f"file://{path}")
        self.assertEqual(console, [])
        self.assertTrue(paper.read_bytes().startswith(b"%PDF"))


if __name__ == "__main__":
    unittest.main()
