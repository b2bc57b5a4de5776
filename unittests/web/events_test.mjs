// emissary.js without WebSocket: a server that plays a script over text/event-stream, and emissary-hub in front of EmaCppIProvPerf.
import test from "node:test";
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { connect } from "../../web/emissary.js";
import { Heard, freePort, hub, kill, loginRefresh, provider, recorder, refresh, update, watched, within } from "./support.js";

/** A server of events. `await server.reader()` is the next: query (an array of pairs), headers, say(...messages), raw(text), end(code, text), gone. */
async function eventServer(t, answer = () => true) {
  const readers = new Heard();
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://x");
    if (!answer(request, response)) return;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    let id = 0;
    const raw = (text) => response.write(text);
    readers.push({ query: [...url.searchParams], path: url.pathname, headers: request.headers, raw,
      say: (...all) => raw(`id: ${++id}\ndata: ${JSON.stringify(all)}\n\n`),
      end: (Code, Text) => response.end(`event: close\ndata: ${JSON.stringify({ Code, Text })}\n\n`),
      cut: () => response.destroy(), gone: once(response, "close") });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => { server.closeAllConnections(); server.close(); });
  const { port } = server.address();
  return { port, url: `ws://127.0.0.1:${port}/WebSocket`, reader: () => readers.next(undefined, "a reader"), readers };
}

/** A session by events, and its first reader, logged in. */
async function opened(t, options, elements = { SupportBatchRequests: 7 }) {
  const server = await eventServer(t);
  const all = watched(connect, { url: server.url, transport: "sse", user: "anna", ...options });
  t.after(() => all.session.close());
  const reader = await server.reader();
  reader.say(loginRefresh(elements));
  await within(all.session.opened(), "the login");
  return { ...all, server, reader };
}
const valuesOf = (query, name) => query.filter(([one]) => one === name).map(([, value]) => value);

test("names go into one query with the numbers of their streams, and what changes takes the place of it", async (t) => {
  const { session, server, reader, states } = await opened(t);
  assert.equal(reader.path, "/sse");
  assert.deepEqual(reader.query, [["user", "anna"], ["applicationId", "256"], ["position", "127.0.0.1/net"]]);
  assert.equal((await states.next((s) => s.state === "open")).transport, "sse");
  const { heard, on } = recorder();
  const sub = session.subscribe("A FEED", ["EUR=", "a,b"], { view: ["BID", "ASK"] }, on);
  session.subscribe("B", "ONE", { domain: "MarketByOrder", snapshot: true }, on);
  const second = await server.reader();
  assert.deepEqual(second.query.slice(3), [["service", "A FEED"], ["view", "BID,ASK"], ["id", "2"], ["names", "EUR=,a,b"],
    ["service", "B"], ["domain", "MarketByOrder"], ["view", ""], ["snapshot", "1"], ["id", "5"], ["names", "ONE"]]);
  second.say(loginRefresh());
  await within(reader.gone, "the end of the first one");
  second.say(refresh(3, { BID: 1 }), refresh(4, { BID: 2 }), refresh(5, { BID: 3 }, { State: { Stream: "NonStreaming", Data: "Ok" } }));
  assert.deepEqual((await heard.next((c) => c.name === "ONE" && c.type === "image")).stream, "NonStreaming");
  second.say(update(4, { BID: 4 }));
  assert.deepEqual((await heard.next((c) => c.type === "update")).fields, { BID: 4 });

  // one more item: the others keep their numbers and get images; the snapshot is not asked for again
  sub.add("MORE");
  const third = await server.reader();
  assert.deepEqual(third.query.slice(3), [["service", "A FEED"], ["view", "BID,ASK"], ["id", "2"], ["names", "EUR=,a,b"], ["id", "6"], ["names", "MORE"]]);
  second.say(update(3, { BID: 5 }));
  assert.equal((await heard.next((c) => c.type === "update")).fields.BID, 5);  // until the other one is there
  third.say(loginRefresh(), refresh(3, { BID: 6 }), refresh(4, { BID: 7 }), refresh(6, { BID: 8 }));
  assert.deepEqual((await heard.next((c) => c.name === "MORE" && c.type === "image")).fields, { BID: 8 });
  assert.equal(sub.items.get("EUR=").fields.BID, 6);
  await within(second.gone, "the end of the second one");
  // what was left is asked for no more; what stands behind a hole in a batch is a batch of its own
  sub.remove("EUR=");
  const fourth = await server.reader();
  assert.deepEqual(fourth.query.slice(3), [["service", "A FEED"], ["view", "BID,ASK"], ["id", "4"], ["names", "a,b"], ["id", "6"], ["names", "MORE"]]);
  assert.equal(session.stats.connects, 1);
});

test("where a user may log in once, a request follows the end of the one before", async (t) => {
  const { session, server, reader } = await opened(t);
  const { heard, on } = recorder();
  const sub = session.subscribe("S", "X", on);
  (await server.reader()).end(1008, "the user has a login already");
  await within(reader.gone, "the end of the first one");
  const third = await server.reader();
  assert.deepEqual(valuesOf(third.query, "names"), ["X"]);
  third.say(loginRefresh(), refresh(2, { BID: 1 }));
  assert.deepEqual((await heard.next((c) => c.type === "image")).fields, { BID: 1 });
  // one that answers with an error instead
  sub.add("Y");
  (await server.reader()).cut();
  await within(third.gone, "the end of the third one");
  const last = await server.reader();
  last.say(loginRefresh(), refresh(2, { BID: 2 }), refresh(3, { BID: 3 }));
  assert.deepEqual((await heard.next((c) => c.name === "Y" && c.type === "image")).fields, { BID: 3 });
  assert.equal(session.stats.connects, 1);
});

test("a token goes in a header, never in the address, and a new one makes a new request", async (t) => {
  let n = 0;
  const { session, server, reader } = await opened(t, { token: () => ({ token: `t${++n}` }) });
  assert.equal(reader.headers.authorization, "Bearer t1");
  assert.deepEqual(valuesOf(reader.query, "user"), []);
  const { heard, on } = recorder();
  session.subscribe("S", "X", on);
  const second = await server.reader();
  second.say(loginRefresh(), refresh(2, { BID: 1 }));
  await heard.next((c) => c.type === "image");
  await session.renew();
  const third = await server.reader();
  assert.equal(third.headers.authorization, "Bearer t2");
  assert.deepEqual(valuesOf(third.query, "names"), ["X"]);
  third.say(loginRefresh(), refresh(2, { BID: 2 }));
  assert.equal((await heard.next((c) => c.type === "image")).fields.BID, 2);
});

test("what cannot be read only is refused at once, and comments are signs of life", async (t) => {
  const { session, reader, server } = await opened(t, { pingTimeout: 60 });
  await assert.rejects(session.post({ name: "X", fields: { BID: 1 } }), { code: "ReadOnly" });
  await assert.rejects(session.ping(), /only be read/);
  const { heard, on } = recorder();
  session.subscribe("S", "P", { private: true }, on);
  session.subscribe("S", null, { domain: "Source", key: { Filter: 3 } }, on);
  assert.equal((await heard.next((c) => c.stream === "Closed")).text, "this needs a WebSocket");
  assert.equal((await heard.next((c) => c.stream === "Closed")).domain, undefined);
  const second = await server.reader();
  second.say(loginRefresh());
  let beat, beats = 0;
  t.after(() => clearInterval(beat));
  await within(new Promise((resolve) => {  // five times the time of silence that would end it
    beat = setInterval(() => {
      second.raw(":\n\n");
      if (++beats === 30) resolve();
    }, 10);
  }), "30 heartbeats");
  assert.equal(session.state, "open");
  assert(reader);
  assert.throws(() => connect({ url: server.url, transport: "sse", password: "x" }), /password/);
  assert.throws(() => connect({ url: server.url, transport: "carrier pigeon" }), TypeError);
});

test("events come in any pieces, and names beyond the bound of a request are refused", async (t) => {
  const { session, server, reader } = await opened(t);
  const { heard, on } = recorder();
  const names = Array.from({ length: 2000 }, (_, n) => `NAME.${n}`);
  const sub = session.subscribe("S", names, on);
  const second = await server.reader();
  const asked = valuesOf(second.query, "names")[0].split(",");
  assert(asked.length > 500 && asked.length < 1000, String(asked.length));
  assert.match((await heard.next((c) => c.stream === "Closed")).text, /too many names/);
  assert.equal([...sub.items.values()].filter((item) => item.closed).length, 2000 - asked.length);
  assert(reader);
  second.say(loginRefresh());
  const bytes = Buffer.from(`id: 2\ndata: [${JSON.stringify(refresh(3, { DSPLY_NAME: "Zürich €" }))}]\n\n`);
  for (const byte of bytes) second.raw(Buffer.from([byte]));
  assert.deepEqual((await heard.next((c) => c.type === "image")).fields, { DSPLY_NAME: "Zürich €" });
});

test("the end says by its code what to do next", async (t) => {
  const { session, server, reader, states, events } = await opened(t);
  const { heard, on } = recorder();
  session.subscribe("S", "X", on);
  let next = await server.reader();
  assert(reader);
  next.say(loginRefresh(), refresh(2, { BID: 1 }));
  await heard.next((c) => c.type === "image");
  next.end(1013, "the client reads too slowly");
  assert.equal((await events.next((e) => e.type === "slow")).text, "the client reads too slowly");
  assert.equal((await states.next((s) => s.state === "waiting")).code, 1013);
  assert.equal((await heard.next((c) => c.stale)).stream, "Pending");
  next = await server.reader();  // with its names at once when the login is there
  next.say(loginRefresh());
  next = await server.reader();
  next.say(loginRefresh(), refresh(2, { BID: 2 }));
  assert.equal((await heard.next((c) => c.type === "image")).fields.BID, 2);
  next.cut();
  assert.equal((await states.next((s) => s.state === "waiting")).code, 1006);
  next = await server.reader();
  next.end(1008, "policy");
  assert.equal((await states.next((s) => s.state === "closed")).reason, "Policy");
});

test("two WebSockets that do not open are followed by events, and events that do not by a WebSocket", async (t) => {
  let events = false;
  const asked = new Heard();
  const server = await eventServer(t, (request, response) => {
    asked.push(request.url.split("?")[0]);
    if (request.url.startsWith("/sse") && events) return true;
    response.writeHead(404).end("there is nothing here");
    return false;
  });
  const { session, states } = watched(connect, { url: server.url });  // an upgrade that a proxy swallowed: plain 404
  t.after(() => session.close());
  const order = [];
  for (let n = 0; n < 5; n++) order.push(await asked.next());
  assert.deepEqual(order, ["/WebSocket", "/WebSocket", "/sse", "/WebSocket", "/sse"]);
  events = true;
  (await server.reader()).say(loginRefresh());
  const open = await states.next((s) => s.state === "open");
  assert.equal(open.transport, "sse");
  const only = watched(connect, { url: server.url, transport: "websocket" });
  t.after(() => only.session.close());
  for (let n = 0; n < 4; n++) assert.equal((await only.states.next((s) => s.state === "connecting")).transport, "websocket");
});

test("prices of the hub by events: a batch with a view, a snapshot, another item, the provider lost and back, the hub too", async (t) => {
  const upstream = await freePort();
  let feed = await provider(t, upstream);
  const front = await hub(t, upstream, "", '<Sse value="1"/>');
  const { session, states } = watched(connect, { url: `ws://127.0.0.1:${front.port}/WebSocket`, transport: "sse", retry: { min: 20, max: 200 } });
  t.after(() => session.close());
  await within(session.opened(), "the login");
  const { heard, on } = recorder();
  const names = Array.from({ length: 50 }, (_, n) => `WEB${n}`);
  const moving = async (wanted) => {
    const waiting = new Set(wanted);
    while (waiting.size) waiting.delete((await heard.next((c) => c.type === "update" && !c.stale)).name);
  };
  const sub = session.subscribe("DIRECT_FEED", names, { view: ["BID", "ASK"] }, on);
  await moving(names);
  assert.deepEqual(Object.keys(sub.items.get("WEB7").fields).sort(), ["ASK", "BID"]);
  const once_ = recorder();
  session.subscribe("DIRECT_FEED", "SNAP", { snapshot: true }, once_.on);
  assert.equal((await once_.heard.next((c) => c.type === "image")).stream, "NonStreaming");
  sub.add(["LATER", "LAST"]);  // not 51 in all: of three kinds of updates one has no field of the view, and each item would always get the same kind
  await moving([...names, "LATER", "LAST"]);
  await kill(feed);
  while ([...sub.items.values()].some((item) => !item.stale)) await heard.next((c) => c.stale);
  feed = await provider(t, upstream);
  await moving([...names, "LATER", "LAST"]);
  await kill(front.program);
  await states.next((s) => s.state === "waiting");
  assert([...sub.items.values()].every((item) => item.stale));
  await front.again();
  await moving([...names, "LATER", "LAST"]);
});
