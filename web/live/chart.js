// Latencies of the last minute, second by second: from arrival to paint here, through the hub as its counts say.

const SECONDS = 60;
const LEVELS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000];  // ms, of a logarithmic scale

const span = (ms) => (ms === undefined ? "–" : ms < 0.1 ? (ms * 1000).toFixed(0) + " µs" : ms < 10 ? ms.toFixed(2) + " ms" : ms < 1000 ? ms.toFixed(0) + " ms" : (ms / 1000).toFixed(1) + " s");
export { span };

export class Chart {
  #now = [];
  #here = [];  // seconds: { p50, p99, max } or undefined
  #hub = [];
  #last = null;  // counts of the histogram at the last look

  constructor(canvas, legend) {
    this.canvas = canvas;
    this.legend = legend;
  }

  /** One message: milliseconds from its arrival to the paint that showed it. */
  record(ms) { if (this.#now.length < 20000) this.#now.push(ms); }

  /** The histogram of the hub (its /varz), a second after the one before: what came between. */
  hub(buckets) {
    const before = this.#last;
    this.#last = buckets;
    if (!before) return this.#hub.push(undefined);
    let all = 0;
    const sums = buckets.map(({ le, count }, n) => ({ ms: (le ?? 3) * 1000, sum: all += Math.max(0, Number(count) - Number(before[n]?.count ?? 0)) }));
    const at = (share) => sums.find(({ sum }) => sum >= share * all)?.ms;
    this.#hub.push(all > 0 ? { p50: at(0.5), p99: at(0.99), max: at(1) } : undefined);
  }
  noHub() { this.#last = null; this.#hub.push(undefined); }

  /** Once a second. */
  tick() {
    const all = this.#now.sort((a, b) => a - b);
    const at = (share) => all[Math.min(all.length - 1, Math.floor(share * all.length))];
    this.#here.push(all.length ? { p50: at(0.5), p99: at(0.99), max: all.at(-1) } : undefined);
    this.#now = [];
    for (const series of [this.#here, this.#hub]) series.splice(0, series.length - SECONDS);
    this.#draw();
  }

  #draw() {
    const { canvas } = this, ratio = globalThis.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const g = canvas.getContext("2d"), style = getComputedStyle(canvas);
    const [quiet, line, hub, here] = ["--quiet", "--line", "--hub", "--here"].map((name) => style.getPropertyValue(name).trim());
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    const values = [...this.#here, ...this.#hub].filter(Boolean).flatMap((s) => [s.p50, s.max]).filter((v) => v > 0);
    const low = LEVELS.findLast((l) => l <= Math.min(...values)) ?? LEVELS[0], high = LEVELS.find((l) => l >= Math.max(...values)) ?? LEVELS.at(-1);
    const [bottom, top] = values.length && low < high ? [low, high] : [0.1, 100];
    const left = 52, foot = 18, x = (second) => left + (width - left - 6) * (second / (SECONDS - 1));
    const y = (ms) => 8 + (height - foot - 16) * (1 - Math.log(Math.max(ms, bottom) / bottom) / Math.log(top / bottom));
    g.font = `12px ${style.fontFamily}`;
    g.textBaseline = "middle";
    g.lineWidth = 1;
    g.textAlign = "right";
    for (const level of LEVELS.filter((l) => l >= bottom && l <= top)) {
      g.strokeStyle = line;
      g.beginPath(), g.moveTo(left, Math.round(y(level)) + 0.5), g.lineTo(width - 6, Math.round(y(level)) + 0.5), g.stroke();
      g.fillStyle = quiet;
      g.fillText(level >= 1000 ? level / 1000 + " s" : level >= 1 ? level + " ms" : level * 1000 + " µs", left - 6, y(level));
    }
    g.textBaseline = "alphabetic";
    for (const [second, text, align] of [[0, "60 s ago", "left"], [SECONDS - 1, "now", "right"]]) {
      g.textAlign = align;
      g.fillText(text, x(second), height - 4);
    }
    for (const [series, colour] of [[this.#hub, hub], [this.#here, here]])
      for (const [name, dash, wide] of [["max", [1, 3], 1.5], ["p99", [5, 3], 1.5], ["p50", [], 2]]) {
        g.strokeStyle = colour;
        g.lineWidth = wide;
        g.setLineDash(dash);
        g.beginPath();
        let on = false;
        series.forEach((s, n) => {
          const at = SECONDS - series.length + n;
          if (!s || s[name] === undefined) return void (on = false);
          if (on) g.lineTo(x(at), y(s[name]));
          else g.moveTo(x(at), y(s[name]));
          on = true;
        });
        g.stroke();
      }
    g.setLineDash([]);
    this.#tell("here", "this page, arrival to paint", this.#here.at(-1));
    this.#tell("hub", "through the hub", this.#hub.at(-1), "≤ ");
  }

  #tell(className, name, s, sign = "") {
    let line = this.legend.querySelector("." + className);
    if (!line) {
      line = document.createElement("span");
      line.className = className;
      line.append(document.createElement("i"), document.createElement("span"), document.createElement("b"));
      this.legend.append(line);
    }
    line.children[1].textContent = `${name}: `;
    line.children[2].textContent = s ? [s.p50, s.p99, s.max].map((v) => sign + span(v)).join(" / ") : "–";
  }
}
