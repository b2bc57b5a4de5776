// The depth ladder: asks above bids, ten levels a side, with a bar for each size; a level of orders opens into them.
import { book } from "../books.js";
import { Flashes } from "./flash.js";
import { decimals } from "./quotes.js";

const LEVELS = 10;
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 14 });

export class Ladder {
  #item = null;
  #domain = "";
  #dirty = true;
  #rows = [];
  #decimals = 0;
  #open = null;  // the price whose orders are shown
  #flashes = new Flashes();

  constructor(table, note) {
    this.table = table;
    this.note = note;
    const head = table.tHead.insertRow();
    for (const [name, className] of [["Price", "n"], ["Size", "n"], ["Orders", "n"], ["", ""]]) {
      const th = document.createElement("th");
      th.textContent = name;
      th.className = className;
      th.scope = "col";
      if (!name) th.setAttribute("aria-label", "Size as a bar");
      head.append(th);
    }
    const body = table.tBodies[0];
    for (let n = 0; n < LEVELS; n++) this.#rows.push(this.#make(body, "asks"));
    const spread = body.insertRow();
    spread.className = "spread";
    this.spread = spread.insertCell();
    this.spread.colSpan = 4;
    for (let n = 0; n < LEVELS; n++) this.#rows.push(this.#make(body, "bids"));
    this.orders = document.createElement("tr");
    this.orders.className = "orders";
    this.orders.insertCell().colSpan = 4;
    body.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (!button || this.#domain !== "MarketByOrder") return;
      const price = Number(button.dataset.price);
      this.#open = this.#open === price ? null : price;
      this.#dirty = true;
    });
  }

  #make(body, side) {
    const tr = body.insertRow();
    tr.className = side;
    const [price, size, orders, bar] = [0, 1, 2, 3].map(() => tr.insertCell());
    price.className = `n price ${side === "asks" ? "ask" : "bid"}`;
    size.className = orders.className = "n";
    bar.className = "bar";
    const button = document.createElement("button"), span = document.createElement("span");
    button.type = "button";
    price.append(button);
    bar.append(span);
    return { tr, button, size, orders, span, was: { price: "", size: "", orders: "", bar: -1, number: undefined, at: undefined } };
  }

  show(item, domain) {
    this.#item = item;
    this.#domain = domain;
    this.#decimals = 0;
    this.#open = null;
    this.#dirty = true;
  }
  changed() { this.#dirty = true; }

  /** Once a frame. */
  paint() {
    this.#flashes.tick(performance.now());
    if (!this.#dirty) return;
    this.#dirty = false;
    const item = this.#item, { bids, asks, crossed } = book(item?.image ?? null, this.#domain);
    const shown = [...asks.slice(0, LEVELS).reverse(), ...bids.slice(0, LEVELS)];
    for (const { price } of shown) this.#decimals = Math.max(this.#decimals, decimals(price));
    const most = Math.max(1, ...shown.map((level) => level.size));
    let opened = null;
    this.#rows.forEach((row, n) => {
      const level = n < LEVELS ? asks[LEVELS - 1 - n] : bids[n - LEVELS];
      this.#row(row, level, most);
      if (level && level.price === this.#open) opened = { row, level };
    });
    this.#showOrders(opened);
    const [bid, ask] = [bids[0], asks[0]], gap = bid && ask ? ask.price - bid.price : undefined;
    this.#text(this.spread, gap === undefined ? "one side is empty" : crossed ? `crossed by ${(-gap).toFixed(this.#decimals)}` : `spread ${gap.toFixed(this.#decimals)}`);
    this.table.classList.toggle("stale", !item || item.stale);
    this.#text(this.note, !item ? "" : item.stale ? `${item.name}: ${item.text || "waiting for the image"}` : `${item.name}, ${bids.length} and ${asks.length} levels`);
  }

  #text(element, text) { if (element.textContent !== text) element.textContent = text; }

  #row({ tr, button, size, orders, span, was }, level, most) {
    const price = level ? level.price.toFixed(this.#decimals) : "", amount = level ? whole.format(level.size) : "", count = level ? String(level.orders || "") : "";
    const bar = level ? Math.round(level.size / most * 1000) / 1000 : 0;
    if (price !== was.price) {
      button.textContent = was.price = price;
      button.dataset.price = level ? level.price : "";
      button.tabIndex = level ? 0 : -1;
    }
    if (amount !== was.size) {
      size.textContent = was.size = amount;
      // The level's own move: another price at this place is none.
      const move = level && was.at === level.price && was.number !== undefined ? level.size - was.number : 0;
      if (move) this.#flashes.start(size, `n ${move > 0 ? "up" : "down"}`, performance.now());
      else this.#flashes.stop(size), size.className = "n";
    }
    was.number = level?.size;
    was.at = level?.price;
    if (count !== was.orders) orders.textContent = was.orders = count;
    if (bar !== was.bar) span.style.transform = `scaleX(${was.bar = bar})`;
    tr.setAttribute("aria-hidden", level ? "false" : "true");
  }

  #showOrders(opened) {
    if (!opened) return this.orders.remove();
    const { row, level } = opened;
    if (row.tr.nextSibling !== this.orders) row.tr.after(this.orders);
    const some = level.entries.slice(0, 20).map((entry) => whole.format(entry.size)).join(" · ");
    this.#text(this.orders.cells[0], `${level.entries.length} orders: ${some}${level.entries.length > 20 ? " …" : ""}`);
  }
}
