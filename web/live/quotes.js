// The list of quotes: a model that messages change, and rows of a table that are painted once a frame, only those that can be seen.

import { Flashes } from "./flash.js";

const ROW = 28;    // px of a row with its line
const AROUND = 6;  // rows above and below what is seen, for a scroll until the next frame
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 14 });

export const FIELDS = ["TRDPRC_1", "NETCHNG_1", "PCTCHNG", "BID", "ASK", "BIDSIZE", "ASKSIZE", "QUOTIM", "SALTIM", "TIMACT", "TIM_TRK_1"];

/** Digits behind the point that a number needs, 0.0000001 (1e-7) too. */
export const decimals = (value) => {
  const [digits, exponent = 0] = String(value).split("e"), at = digits.indexOf(".");
  return Math.min(Math.max((at < 0 ? 0 : digits.length - at - 1) - Number(exponent), 0), 14);
};
const price = (field, keep) => ({ number: (f) => f[field], text: (row, value) => {
  if (typeof value !== "number") return value == null ? "" : String(value);
  if (keep) row.decimals = Math.max(row.decimals, decimals(value));
  return value.toFixed(Math.max(row.decimals, keep ? 0 : decimals(value)));
} });
const size = (field) => ({ number: (f) => f[field], text: (_, value) => (typeof value === "number" ? whole.format(value) : value == null ? "" : String(value)) });

/** What a column shows. `of` (for sorting) and `text` read the row; those with `number` flash when it moves. */
const COLUMNS = [
  { name: "Name", className: "text", of: (row) => row.item.name },
  { name: "Last", className: "n", ...price("TRDPRC_1", true) },
  { name: "Change", className: "n second", ...price("NETCHNG_1", false) },
  { name: "Bid size", className: "n second", ...size("BIDSIZE") },
  { name: "Bid", className: "n", ...price("BID", true) },
  { name: "Ask", className: "n", ...price("ASK", true) },
  { name: "Ask size", className: "n second", ...size("ASKSIZE") },
  { name: "Time", className: "n third", of: (row) => String(row.item.fields.QUOTIM ?? row.item.fields.SALTIM ?? row.item.fields.TIMACT ?? "").slice(0, 8) },
  { name: "Age", className: "n third", of: (row) => row.age, show: (row) => row.age === undefined ? "" : row.age < 1 ? row.age.toFixed(2) + " ms" : row.age < 1000 ? row.age.toFixed(1) + " ms" : (row.age / 1000).toFixed(1) + " s" },
];

class Row {
  decimals = 0;
  age = undefined;
  dirty = true;
  values = [];  // last painted, for the direction of a move
  constructor(item) { this.item = item; }
}

export class Quotes {
  rows = new Map();
  #order = [];  // of rows, as shown
  #sort = { column: -1, down: false };
  #shown = new Map();  // row -> { tr, cells, flip }
  #moved = true;       // what is seen is another part, or another order
  #flashes = new Flashes();

  constructor(table, scroll, onRemove) {
    this.table = table;
    this.scroll = scroll;
    this.onRemove = onRemove;
    this.body = table.tBodies[0];
    [this.above, this.below] = [0, 1].map(() => {
      const tr = this.body.insertRow();
      tr.className = "space";
      tr.setAttribute("aria-hidden", "true");
      tr.insertCell();  // without a span: columns that a narrow window hides must not be there
      return tr;
    });
    const head = table.tHead.insertRow();
    COLUMNS.forEach((column, at) => {
      const th = document.createElement("th"), button = document.createElement("button");
      th.className = column.className;
      th.scope = "col";
      button.type = "button";
      button.textContent = column.name;
      button.onclick = () => this.sort(at);
      th.append(button);
      head.append(th);
    });
    head.append(document.createElement("th"));
    head.lastChild.setAttribute("aria-label", "Remove");
    scroll.addEventListener("scroll", () => { this.#moved = true; }, { passive: true });
    new ResizeObserver(() => { this.#moved = true; }).observe(scroll);  // it grows with its first rows, too
    this.body.addEventListener("click", ({ target }) => {
      const name = target.closest("button")?.dataset.name;
      if (name !== undefined) this.onRemove(name);
    });
  }

  add(item) {
    const row = new Row(item);
    this.rows.set(item.name, row);
    this.#arrange();
  }
  remove(name) {
    this.rows.delete(name);
    this.#arrange();
  }
  clear() {
    this.rows.clear();
    this.#arrange();
  }
  /** Of a message: nothing is painted yet. */
  changed(item, age) {
    const row = this.rows.get(item.name);
    if (!row) return;
    row.item = item;
    if (age !== undefined) row.age = age;
    row.dirty = true;
  }
  sort(column) {
    this.#sort = { column, down: this.#sort.column === column && !this.#sort.down };
    [...this.table.tHead.rows[0].cells].forEach((th, at) => {
      if (at === column) th.setAttribute("aria-sort", this.#sort.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    this.#arrange();
  }

  #arrange() {
    this.#order = [...this.rows.values()];
    const { column, down } = this.#sort;
    if (column >= 0) {
      const { number, of } = COLUMNS[column];
      const value = number ? (row) => number(row.item.fields) : of;
      this.#order.sort((a, b) => {
        const x = value(a), y = value(b);
        if (x == null || y == null) return (x == null) - (y == null);  // what is blank is last, whichever way
        return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
      });
    }
    this.table.setAttribute("aria-rowcount", this.#order.length + 1);
    this.#moved = true;
  }

  /** Once a frame. Returns how many cells were changed. */
  paint() {
    if (this.#moved) this.#place();
    const now = performance.now();
    let cells = 0;
    this.#flashes.tick(now);
    for (const [row, shown] of this.#shown)
      if (row.dirty) cells += this.#paintRow(row, shown, now);
    return cells;
  }

  /** Rows of the document for what is seen now; those that stay are not touched. */
  #place() {
    this.#moved = false;
    const { scrollTop, clientHeight } = this.scroll, all = this.#order;
    const first = Math.max(0, Math.min(Math.floor(scrollTop / ROW), all.length) - AROUND);
    const last = Math.min(all.length, Math.ceil((scrollTop + Math.max(clientHeight, 12 * ROW)) / ROW) + AROUND);
    const wanted = all.slice(first, last), keep = new Set(wanted);
    for (const [row, { tr }] of this.#shown)
      if (!keep.has(row)) {
        tr.remove();
        this.#shown.delete(row);
      }
    let at = this.above;
    wanted.forEach((row, n) => {
      const shown = this.#shown.get(row) ?? this.#make(row);
      if (at.nextSibling !== shown.tr) at.after(shown.tr);
      shown.tr.setAttribute("aria-rowindex", first + n + 2);
      at = shown.tr;
    });
    this.above.cells[0].style.height = first * ROW + "px";
    this.below.cells[0].style.height = (all.length - last) * ROW + "px";
  }

  #make(row) {
    const tr = document.createElement("tr");
    const cells = COLUMNS.map((column) => {
      const td = tr.insertCell();
      td.className = column.className;
      return { td, text: "", moved: false };
    });
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "×";
    button.dataset.name = row.item.name;
    button.setAttribute("aria-label", "Remove " + row.item.name);
    const last = tr.insertCell();
    last.className = "x";
    last.append(button);
    const shown = { tr, cells, className: "", title: "" };
    this.#shown.set(row, shown);
    row.dirty = true;
    row.values = [];
    return shown;
  }

  #paintRow(row, shown, now) {
    row.dirty = false;
    const { item } = row, { fields } = item;
    const className = item.closed ? "stale closed" : item.stale ? "stale" : "";
    if (className !== shown.className) shown.tr.className = shown.className = className;
    const why = className ? item.text || (item.closed ? "closed" : "waiting") : "";
    if (why !== shown.title) shown.tr.title = shown.title = why;
    let changed = 0;
    COLUMNS.forEach((column, at) => {
      const cell = shown.cells[at];
      let text, move = "";
      if (column.number) {
        const value = column.number(fields), before = row.values[at];
        text = column.text(row, value);
        row.values[at] = value;
        if (value === before && text === cell.text) return;
        if (typeof value === "number" && typeof before === "number" && value !== before && !item.stale) move = value > before ? " up" : " down";
      } else text = at === 0 && why ? `${item.name} – ${why}` : column.show ? column.show(row) : column.of(row);
      if (text === cell.text) return;
      cell.td.textContent = cell.text = text;
      if (move) this.#flashes.start(cell.td, column.className + move, now), cell.moved = true;
      else if (cell.moved) {
        this.#flashes.stop(cell.td);
        cell.td.className = column.className;
        cell.moved = false;
      }
      changed++;
    });
    return changed;
  }
}
