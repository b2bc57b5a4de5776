// emissary.js against the programs of this tree: an example provider, EmaCppIProvPerf and emissary-hub between; killed and started again.
import test from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { connect } from "../../web/emissary.js";
import { folder, freePort, hub, kill, listening, provider, recorder, root, run, watched, within } from "./support.js";

const patient = { retry: { min: 20, max: 200 } };
const image = (c) => c.type === "image";

function session(t, port, options) {
  const all = watched(connect, { url: `ws://127.0.0.1:${port}/WebSocket`, ...patient, ...options });
  t.after(() => all.session.close());
  return all;
}

/** Each item has an image and moves. */
async function moving(heard, names) {
  const waiting = new Set(names);
  while (waiting.size) {
    const c = await heard.next((one) => one.type === "update" && !one.stale);
    waiting.delete(c.name);
  }
}

test("the example that takes posts: image, posts acknowledged, refused, seen by those who watch", async (t) => {
  const port = await freePort(), program = run(t, "json_provider", [String(port)], folder(t));
  await listening(port, program);
  const { session: s } = session(t, port);
  const { heard, on } = recorder();
  const { items } = s.subscribe(null, "ZINC.D", on);
  assert.deepEqual((await heard.next(image)).fields, { BID: 39.9 });
  await s.post({ item: items.get("ZINC.D"), fields: { BID: 41.25 } });
  assert.deepEqual((await heard.next((c) => c.type === "update")).fields, { BID: 41.25 });
  await s.post({ name: "ZINC.D", fields: { BID: 41.5 } });
  assert.deepEqual((await heard.next((c) => c.type === "update")).fields, { BID: 41.5 });
  await assert.rejects(s.post({ name: "ZINC.D", fields: { BID: -1 } }), { code: "InvalidContent", message: "a bid must be above zero" });
  assert((await s.ping()) >= 0);
  await assert.rejects(s.post({ name: "ZINC.D", fields: { BID: "1" } }));
});

for (const place of ["the provider itself", "the hub"]) {
  test(`a batch with a view, a snapshot, a book, the directory, a private stream: ${place}`, async (t) => {
    const port = await freePort();
    await provider(t, port, "-bookOrders", "20");
    const { session: s } = session(t, place === "the hub" ? (await hub(t, port)).port : port);
    await within(s.opened(), "the login");
    const { heard, on } = recorder();
    const names = Array.from({ length: 50 }, (_, n) => `WEB${n}`);
    const sub = s.subscribe("DIRECT_FEED", names, { view: ["BID", "ASK"] }, on);
    await moving(heard, names);
    if (place === "the hub") assert.deepEqual(Object.keys(sub.items.get("WEB7").fields).sort(), ["ASK", "BID"]);  // the tool knows no views
    const twin = recorder();
    s.subscribe("DIRECT_FEED", "WEB7", { view: ["BID"] }, twin.on);  // the same item on a stream of its own
    if (place === "the hub") await moving(twin.heard, ["WEB7"]);
    else assert.match((await twin.heard.next()).text, /open on stream/);  // the tool refuses it: stale, with the reason, and asked for again
    sub.close();
    await moving(twin.heard, ["WEB7"]);
    const once = recorder();
    s.subscribe("DIRECT_FEED", "SNAP", { snapshot: true }, once.on);
    assert.equal((await once.heard.next(image)).stream, "NonStreaming");
    const books = recorder();
    s.subscribe("DIRECT_FEED", "BOOK", { domain: "MarketByOrder" }, books.on);
    const book = await books.heard.next((c) => c.type === "update");
    assert(book.item.image.entries.size > 10);
    const directory = recorder();
    s.subscribe(null, null, { domain: "Source", key: { Filter: 63 } }, directory.on);
    const services = (await directory.heard.next((c) => image(c) && c.item.image.entries.size)).item.image.entries;
    assert([...services.values()].some((service) => service.entries.get(1).data.Name === "DIRECT_FEED"));
    const apart = recorder();
    s.subscribe("DIRECT_FEED", "APART", { private: true }, apart.on);
    const c = await apart.heard.next((one) => image(one) || one.stream === "Closed");
    assert.equal(c.type, "image", c.text);
    assert.equal(s.stats.early, 0);
  });

  test(`killed and started again: every item grey, then live with a new image: ${place}`, async (t) => {
    const port = await freePort();
    let program = await provider(t, port);
    const front = place === "the hub" ? await hub(t, port) : null;
    const { session: s, states } = session(t, front ? front.port : port);
    const { heard, on } = recorder();
    const names = ["A", "B", "C"], sub = s.subscribe("DIRECT_FEED", names, on);
    await moving(heard, names);
    await kill(program);
    const grey = new Set(names);
    while (grey.size) grey.delete((await heard.next((c) => c.stale)).name);
    assert([...sub.items.values()].every((item) => item.stale && !item.closed && item.fields.BID !== undefined));
    program = await provider(t, port);
    await moving(heard, names);
    assert.equal(s.state, "open");
    if (!front) return void assert.equal((await states.next((one) => one.state === "waiting")).code, 1006);
    assert.equal(s.stats.connects, 1);  // the hub stayed
    await kill(front.program);
    await heard.next((c) => c.stale);
    assert.equal((await states.next((one) => one.state === "waiting")).state, "waiting");
  });
}

test("a hub that lets a user in once refuses the second login for good", async (t) => {
  const port = await freePort();
  await provider(t, port);
  const front = await hub(t, port, '<MaxLoginsPerUser value="1"/><LoginProbeTime value="0"/>');
  const first = session(t, front.port, { user: "dana" });
  await within(first.session.opened(), "the first login");
  const second = session(t, front.port, { user: "dana" });
  await assert.rejects(within(second.session.opened(), "the refusal"));
  assert.equal(second.session.state, "closed");
  assert.equal(first.session.state, "open");
});

test("a name that no service has closes alone; unsubscribing leaves nothing behind", async (t) => {
  const port = await freePort();
  await provider(t, port);
  const front = await hub(t, port);
  const { session: s } = session(t, front.port);
  const { heard, on } = recorder();
  const sub = s.subscribe("DIRECT_FEED", ["A", "", "B"], on);
  await moving(heard, ["A", "B"]);
  assert.equal(sub.items.get("").closed, true);
  sub.remove(["A", "B", ""]);
  await s.ping();  // answered behind the close
  const before = s.stats.messages;
  await s.ping();
  assert.equal(s.stats.messages, before + 1);
});

test("the program of web/README.md does what it says", async (t) => {
  const port = await freePort();
  await provider(t, port);
  const code = fs.readFileSync(path.join(root, "web/README.md"), "utf8").match(/```js\n([\s\S]*?)```/)[1]
    .replace("./emissary.js", path.join(root, "web/emissary.js")).replace("localhost:14002", `127.0.0.1:${port}`);
  const here = folder(t), file = path.join(here, "main.mjs");
  fs.writeFileSync(file, `import ws from "/usr/share/nodejs/ws/index.js"; globalThis.WebSocket = ws;\n${code}\n`);
  const program = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => kill(program));
  let said = "";
  const seen = new Promise((resolve) => program.stdout.on("data", (data) => {
    said += data;
    if (/open/.test(said) && /EMI\.X -?[\d.]+ -?[\d.]+/.test(said) && /JPY= -?[\d.]+/.test(said) && /round trip [\d.]+ ms/.test(said)) resolve();
  }));
  await within(seen, "prices").catch((late) => { throw new Error(`${late.message}: ${said.slice(0, 500)}`); });
});
