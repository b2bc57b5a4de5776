// Books from images: the rules of docs/spec/order-books.md 3, and two streams of one market that must agree at every sequence number.
import test from "node:test";
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { connect } from "../../web/emissary.js";
import { book } from "../../web/books.js";
import { applied } from "../../web/images.js";
import { decimals } from "../../web/live/quotes.js";
import { folder, freePort, listening, root, run, watched, within } from "./support.js";

const map = (Summary, entries) => ({ Map: { KeyType: "Buffer", ...(Summary ? { Summary: { Fields: Summary } } : {}),
  Entries: Object.entries(entries).map(([Key, Fields]) => ({ Action: "Add", Key, Fields })) } });
const of = (summary, entries, domain) => book(applied(null, map(summary, entries)), domain);
const bid = (ORDER_PRC, ORDER_SIZE, more) => ({ ORDER_PRC, ORDER_SIDE: 1, ORDER_SIZE, ...more });
const ask = (ORDER_PRC, ORDER_SIZE, more) => ({ ORDER_PRC, ORDER_SIDE: "ASK", ORDER_SIZE, ...more });
const rows = (side) => side.map((level) => [level.price, level.size, level.orders]);

test("orders of one price are one level; the best stand first", () => {
  const b = of(null, { a: bid(10, 1), b: bid(11, 2), c: bid(10, 3), d: ask(12, 4), e: ask(11.5, 5) });
  assert.deepEqual([rows(b.bids), rows(b.asks), b.crossed], [[[11, 2, 1], [10, 4, 2]], [[11.5, 5, 1], [12, 4, 1]], false]);
  assert.deepEqual(b.bids[1].entries.map((e) => e.key), ["a", "c"]);
});

test("inside a level: rank, then time, then priority, else arrival", () => {
  const keys = (entries) => of(null, entries).bids[0].entries.map((e) => e.key).join("");
  assert.equal(keys({ a: bid(1, 1, { ORDER_RNK: 2 }), b: bid(1, 1, { ORDER_RNK: 1 }) }), "ba");
  assert.equal(keys({ a: bid(1, 1, { PR_TIM_MS: 9 }), b: bid(1, 1, { PR_TIM_MS: 5 }) }), "ba");
  assert.equal(keys({ a: bid(1, 1, { ORDER_PRIY: 9 }), b: bid(1, 1, { ORDER_PRIY: 5 }) }), "ba");
  assert.equal(keys({ z: bid(1, 1), b: bid(1, 1) }), "zb");
});

test("what is not ranked: no size, size 0 or below, no side, no number as price; blank prices stand apart", () => {
  const b = of(null, { a: bid(10, 0), b: bid(10, -1), c: { ORDER_PRC: 10, ORDER_SIZE: 1 }, d: bid("Inf", 1), e: bid(undefined, 1), f: bid(10, null), g: bid(null, 7),
    h: { ORDER_PRC: 9, ORDER_SIDE: 1, ORD_SZ_DEC: 0.5 } });
  assert.deepEqual(rows(b.bids), [[9, 0.5, 1]]);
  assert.deepEqual(b.market.map(({ side, key, size }) => [side, key, size]), [["bids", "g", 7]]);
});

test("inverted and one-way rankings, attributed levels, both sides in one entry, locked books", () => {
  const entries = { a: bid(1, 1), b: bid(2, 1), c: ask(3, 1), d: ask(4, 1) };
  const best = (rule) => { const b = of({ PR_RNK_RUL: rule }, entries); return [b.bids[0].price, b.asks[0].price, b.crossed]; };
  assert.deepEqual([best(1), best(2), best(5)], [[2, 3, false], [1, 4, true], [1, 3, false]]);
  const two = { a: bid(1, 1, { NO_ORD: 2 }), b: bid(1, 2, { NO_ORD: 3 }) };
  assert.deepEqual(rows(of(null, two, "MarketByPrice").bids), [[1, 3, 5]]);
  assert.equal(of({ MBP_AG_RUL: 2 }, two, "MarketByPrice").bids.length, 2);
  const makers = of(null, { m: { BID: 10, BIDSIZE: 5, ASK: 11, ASKSIZE: 6 }, n: { BID: null, BIDSIZE: 5, ASK: 11, ASKSIZE: 1 } }, "MarketMaker");
  assert.deepEqual([rows(makers.bids).length, makers.asks[0].size], [1, 7]);
  assert.equal(of(null, { a: bid(5, 1), b: ask(5, 1) }).crossed, true);
  assert.deepEqual(book(null), { bids: [], asks: [], market: [], crossed: false });
});

test("the page shows every digit of a price, however small", () => {
  assert.deepEqual([1, 104.35, 0.5, 1e-7, 1.25e-7, 1e21, -0.00001].map(decimals), [0, 2, 1, 7, 9, 0, 5]);
});

test("MarketByOrder and MarketByPrice of one generated market agree at every sequence number", async (t) => {
  const here = folder(t), port = await freePort();
  fs.copyFileSync(path.join(root, "EmaConfig.xml"), path.join(here, "EmaConfig.xml"));
  const program = run(t, "EmaCppIProvPerf", ["-p", String(port), "-providerName", "Perf_Provider_1", "-bookOrders", "100", "-updateRate", "4000", "-noDisplayStats"], here);
  await listening(port, program);
  const { session } = watched(connect, { url: `ws://127.0.0.1:${port}/WebSocket` });
  t.after(() => session.close());
  const at = { MarketByOrder: new Map(), MarketByPrice: new Map() };
  let compared = 0, done;
  const enough = new Promise((resolve, reject) => { done = { resolve, reject }; });
  const text = (item, domain) => { const { bids, asks } = book(item.image, domain); return JSON.stringify([rows(bids), rows(asks)]); };
  for (const domain of Object.keys(at))
    session.subscribe("DIRECT_FEED", "BOOK", { domain, checkSequence: true }, (item) => {
      if (item.stale) return;
      at[domain].set(item.sequence, text(item, domain));
      const [one, other] = [at.MarketByOrder.get(item.sequence), at.MarketByPrice.get(item.sequence)];
      if (one === undefined || other === undefined) return;
      if (one !== other) done.reject(new Error(`at ${item.sequence}: ${one} is not ${other}`));
      if (++compared === 2000) done.resolve();
    });
  await within(enough, "2000 books");
});
