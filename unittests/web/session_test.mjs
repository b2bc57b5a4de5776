// Sessions of emissary.js against a server that plays what each test says, lies included.
import test from "node:test";
import assert from "node:assert/strict";
import { connect, PostError } from "../../web/emissary.js";
import { Script, freePort, loginRefresh, recorder, refresh, status, update, watched, WebSocket, within } from "./support.js";

/** A server and a session on it, logged in; both end with the test. */
async function pair(t, options = {}, elements, payload) {
  const server = await Script.start();
  t.after(() => server.stop());
  const { session, states, events } = watched(connect, { url: server.url, ...options });
  t.after(() => session.close());
  const client = await server.loggedIn(elements, payload);
  await within(session.opened(), "the login");
  return { server, session, states, events, client };
}
const image = (m) => m.type === "image";
const asked = (name) => (m) => m.Key?.Name === name || Array.isArray(m.Key?.Name) && m.Key.Name.includes(name);

test("a login by name, with a password", async (t) => {
  const { client, session, states } = await pair(t, { user: "dana", password: "secret", applicationId: 300, position: "10.0.0.1/x" });
  assert.deepEqual(client.login, { ID: 1, Domain: "Login", Key: { Name: "dana",
    Elements: { ApplicationId: "300", Position: "10.0.0.1/x", RoundTripLatency: 2, Password: "secret" } } });
  assert.equal(client.socket.protocol, "rssl.json.v2");
  for (const state of ["connecting", "login", "open"]) await states.next((s) => s.state === state);
  session.close();
  assert.deepEqual(await client.got.next((m) => m.Type === "Close"), { ID: 1, Type: "Close", Domain: "Login" });
  assert.equal((await within(client.closed, "the close")).code, 1000);
  assert.equal((await states.next((s) => s.state === "closed")).reason, "Normal");
});

test("cookies are the login: nothing is sent, and the server's answer comes on -1", async (t) => {
  const script = await Script.start();
  t.after(() => script.stop());
  const { session, states, events } = watched(connect, { url: script.url, cookies: true });
  t.after(() => session.close());
  const client = await script.client();
  await states.next((s) => s.state === "login");
  client.say({ ...loginRefresh({ SupportBatchRequests: 7 }), ID: -1 });
  await within(session.opened(), "the login");
  await session.renew();  // there is no token, and nothing to send
  session.post({ service: "S", name: "A", fields: { BID: 1 } }).catch(() => {});
  assert.equal((await client.got.next()).ID, -1);
  const { heard, on } = recorder();
  session.subscribe("S", ["A"], on);
  const request = await client.got.next((m) => m.Key?.Name === "A" && m.Type === undefined);
  client.say(refresh(request.ID, { BID: 1 }));
  await heard.next((h) => h.fields.BID === 1);
  client.say({ ID: -1, Type: "Status", Domain: "Login", State: { Stream: "Open", Data: "Suspect", Text: "later" } });
  await events.next((e) => e.type === "loginSuspect");
  session.close();
  assert.deepEqual(await client.got.next((m) => m.Type === "Close"), { ID: -1, Type: "Close", Domain: "Login" });
});

test("a batch: items on the ids behind it, image, updates merged, state", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  const sub = session.subscribe("FEED", ["A", "B"], { view: ["BID", "ASK"] }, on);
  const m = await client.got.next(asked("A"));
  assert.deepEqual(m, { ID: 2, Key: { Service: "FEED", Name: ["A", "B"] }, View: ["BID", "ASK"], KeyInUpdates: false });
  client.say(status(2, "Closed", "Ok", { Text: "batch processed" }), refresh(3, { BID: 1, ASK: 2 }), refresh(4, { BID: 5 }), update(3, { BID: 1.5 }));
  assert.deepEqual((await heard.next(image)).fields, { BID: 1, ASK: 2 });
  assert.equal((await heard.next(image)).name, "B");
  const moved = await heard.next((c) => c.type === "update");
  assert.deepEqual([moved.name, moved.fields, moved.message.Fields, moved.stale], ["A", { BID: 1.5, ASK: 2 }, { BID: 1.5 }, false]);
  sub.close();
  assert.deepEqual(await client.got.next((c) => c.Type === "Close"), { ID: [3, 4], Type: "Close" });
  const before = session.stats.unknown;
  client.say(update(3, { BID: 9 }), { Type: "Ping" });
  await client.got.next((c) => c.Type === "Pong");
  assert.equal(session.stats.unknown, before + 1);
});

test("a server without batches is asked item by item, and left item by item", async (t) => {
  const { client, session } = await pair(t, {}, {});
  const sub = session.subscribe(null, ["A", "B"], { domain: "MarketByPrice" });
  assert.deepEqual(await client.got.next(), { ID: 2, Domain: "MarketByPrice", Key: { Name: "A" }, KeyInUpdates: false });
  assert.equal((await client.got.next()).Key.Name, "B");
  sub.remove("A");
  assert.deepEqual(await client.got.next(), { ID: 2, Type: "Close" });
});

test("a refused batch closes its items, or is asked for again one by one", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", ["A", "B"], on);
  await client.got.next(asked("A"));
  client.say(status(2, "Closed", "Suspect", { Code: "UsageError", Text: "no" }));
  for (const name of ["A", "B"]) {
    const c = await heard.next((one) => one.stream === "Closed");
    assert.deepEqual([c.name, c.text, c.stale], [name, "no", true]);
  }
  session.subscribe("F", ["C", "D"]);
  await client.got.next(asked("C"));
  client.say(status(5, "Closed", "Suspect", { Code: "UnableToRequestAsBatch" }));
  assert.equal((await client.got.next()).Key.Name, "C");
  assert.equal((await client.got.next()).Key.Name, "D");
});

test("many names are several batches, each within what the server takes", async (t) => {
  const { client, session } = await pair(t, {}, { SupportBatchRequests: 7 }, { MaxMsgSize: 5000 });
  session.subscribe("F", Array.from({ length: 400 }, (_, n) => "NAME" + n));
  let names = 0, batches = 0, ids = new Set();
  while (names < 400) {
    const m = await client.got.next();
    assert(JSON.stringify([m]).length <= 5000);
    for (let n = 0; n <= m.Key.Name.length; n++) ids.add(m.ID + n);
    names += m.Key.Name.length, batches++;
  }
  assert(batches > 1);
  assert.equal(ids.size, 400 + batches);
});

test("a snapshot ends with its image and is not asked for again", async (t) => {
  const { server, client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", { snapshot: true }, on);
  assert.equal((await client.got.next(asked("A"))).Streaming, false);
  client.say({ ...refresh(2, { BID: 1 }), State: { Stream: "NonStreaming", Data: "Ok" } });
  const c = await heard.next(image);
  assert.deepEqual([c.stream, c.stale, c.item.closed], ["NonStreaming", false, false]);
  client.socket.terminate();
  const again = await server.loggedIn();
  again.say({ Type: "Ping" });
  assert.equal((await again.got.next()).Type, "Pong");
  assert.equal(c.item.stale, false);
});

test("an image in parts: nothing is shown before the last, updates between them are in it, a part that is missing is asked for", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  const { items } = session.subscribe("F", "A", { domain: "MarketByOrder" }, on);
  const map = (...Entries) => ({ Map: { KeyType: "Buffer", Entries } });
  const add = (Key, P) => ({ Action: "Add", Key, Fields: { P } });
  const part = (PartNumber, Complete, ...entries) => ({ ID: 2, Type: "Refresh", Domain: "MarketByOrder", PartNumber, Complete,
    ClearCache: PartNumber === 0, State: { Stream: "Open", Data: "Ok" }, ...map(...entries) });
  await client.got.next(asked("A"));
  client.say(part(0, false, add("a", 1)), { ID: 2, Type: "Update", ...map({ Action: "Delete", Key: "a" }, add("u", 5)) }, part(1, false, add("b", 2)));
  client.say({ Type: "Ping" });
  await client.got.next((m) => m.Type === "Pong");
  assert.equal(heard.length, 0);
  assert.equal(items.get("A").image, null);
  client.say(part(2, true, add("c", 3)));
  assert.deepEqual([...(await heard.next(image)).item.image.entries.keys()], ["u", "b", "c"]);
  // A new one with a hole: the old one is no longer live, and a new request goes out on the same stream.
  client.say(part(0, false, add("x", 1)), part(2, true, add("y", 1)));
  const gap = await heard.next((c) => c.code === "GapDetected");
  assert.equal(gap.stale, true);
  assert.equal((await client.got.next(asked("A"))).ID, 2);
  client.say(part(0, true, add("z", 1)));
  assert.deepEqual([...(await heard.next(image)).item.image.entries.keys()], ["z"]);
  assert.equal(items.get("A").stale, false);
});

test("refreshes without ClearCache are laid over, updates that are not to be cached are not", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", on);
  await client.got.next(asked("A"));
  client.say(update(2, { BID: 0 }), refresh(2, { BID: 1, ASK: 2 }), refresh(2, { BID: 3 }, { ClearCache: false, Solicited: false }),
    update(2, { ASK: 9 }, { DoNotCache: true }));
  await heard.next(image);
  assert.deepEqual((await heard.next(image)).fields, { BID: 3, ASK: 2 });
  assert.deepEqual((await heard.next((c) => c.type === "update")).fields, { BID: 3, ASK: 2 });
  assert.equal(session.stats.early, 1);
  client.say(status(2, "Open", "Suspect", { Text: "source down" }), { ID: 2, Type: "Status", ClearCache: true });
  assert.deepEqual((await heard.next((c) => c.text === "source down")).fields, { BID: 3, ASK: 2 });
  const empty = await heard.next();
  assert.deepEqual([empty.fields, empty.stale], [{}, true]);
});

test("Suspect, Ok again, closed for good, closed to be recovered, redirected", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  const sub = session.subscribe("F", "A", on);
  await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1 }), status(2, "Open", "Suspect", { Text: "line down" }), status(2, "Open", "Ok"));
  assert.equal((await heard.next(image)).stale, false);
  assert.equal((await heard.next()).stale, true);
  assert.equal((await heard.next()).stale, false);
  client.say(status(2, "ClosedRecover", "Suspect", { Text: "moved" }));
  const lost = await heard.next();
  assert.deepEqual([lost.stream, lost.stale, lost.fields], ["Pending", true, { BID: 1 }]);
  const again = await client.got.next(asked("A"));
  assert.equal(again.ID, 3);
  client.say(status(3, "Open", "Ok"));  // a server that says Ok without an image: nothing is live yet
  assert.equal((await heard.next()).stale, true);
  client.say(refresh(3, { ASK: 2 }));
  assert.deepEqual((await heard.next(image)).fields, { ASK: 2 });
  client.say({ ...status(3, "Redirected", "Suspect"), Key: { Name: "A2", Service: "G" } });
  const redirected = await client.got.next(asked("A2"));
  assert.equal(redirected.Key.Service, "G");
  client.say({ ...status(redirected.ID, "Redirected", "Suspect"), Private: true });
  const apart = await client.got.next(asked("A"));
  assert.equal(apart.Private, true);
  client.say(status(apart.ID, "Closed", "Suspect", { Code: "NotEntitled", Text: "not yours" }));
  const end = await heard.next((c) => c.stream === "Closed");
  assert.deepEqual([end.code, end.text, sub.items.get("A").closed], ["NotEntitled", "not yours", true]);
});

test("a login that is suspect greys every item until it is Ok again; a snapshot stays what it was", async (t) => {
  const { client, session, events } = await pair(t);
  const { heard, on } = recorder();
  const { items } = session.subscribe("F", "A", on), once = session.subscribe("F", "S", { snapshot: true }).items;
  await client.got.next(asked("S"));
  client.say(refresh(2, { BID: 1 }), { ...refresh(3, { BID: 1 }), State: { Stream: "NonStreaming", Data: "Ok" } },
    { ...status(1, "Open", "Suspect", { Text: "feed handler down" }), Domain: "Login" }, update(2, { BID: 2 }));
  assert.equal((await heard.next(image)).stale, false);
  const grey = await heard.next();
  assert.deepEqual([grey.type, grey.stale, grey.text], ["status", true, "feed handler down"]);
  assert.equal((await heard.next((c) => c.type === "update")).stale, true);
  assert.equal((await events.next((e) => e.type === "loginSuspect")).text, "feed handler down");
  assert.equal(once.get("S").stale, false);
  client.say({ ...status(1, "Open", "Ok"), Domain: "Login" });
  const good = await heard.next();
  assert.deepEqual([good.type, good.stale, good.fields, items.get("A").text], ["status", false, { BID: 2 }, ""]);
});

test("parts over a live image: what is shown moves on and stays whole until the last part", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  const { items } = session.subscribe("F", "A", { checkSequence: true }, on), item = items.get("A");
  await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1, ASK: 2 }, { SeqNumber: 1 }), refresh(2, { BID: 7 }, { ClearCache: false, PartNumber: 0, Complete: false, SeqNumber: 1 }),
    update(2, { ASK: 3 }, { SeqNumber: 2 }));
  await heard.next(image);
  assert.deepEqual([(await heard.next((c) => c.type === "update")).fields, item.stale], [{ BID: 1, ASK: 3 }, false]);
  client.say(refresh(2, { LAST: 9 }, { ClearCache: false, PartNumber: 1, SeqNumber: 1 }), update(2, { BID: 8 }, { SeqNumber: 3 }));
  assert.deepEqual((await heard.next(image)).fields, { BID: 7, ASK: 3, LAST: 9 });
  assert.deepEqual((await heard.next()).fields, { BID: 8, ASK: 3, LAST: 9 });
  client.say(refresh(2, { BID: 0 }, { ClearCache: false, PartNumber: 3 }));  // without its first part
  const bad = await heard.next();
  assert.deepEqual([bad.code, bad.stale, bad.fields.BID], ["GapDetected", true, 8]);
});

test("a status that clears the image: updates alone do not bring the item back, and an image is asked for", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", on);
  await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1, ASK: 2 }), { ...status(2, "Open", "Ok"), ClearCache: true }, update(2, { BID: 3 }));
  await heard.next(image);
  const c = await heard.next();
  assert.deepEqual([c.type, c.stale, c.fields], ["status", true, {}]);
  assert.equal((await client.got.next(asked("A"))).ID, 2);
  assert.equal(session.stats.early, 1);
  client.say(refresh(2, { BID: 4 }));
  assert.deepEqual([(await heard.next()).fields, heard.length], [{ BID: 4 }, 0]);
});

test("a refresh that does not say Ok is not live", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", on);
  await client.got.next(asked("A"));
  for (const Data of ["NoChange", "Zap", "Suspect"]) {
    client.say({ ...refresh(2, { BID: 1 }), State: { Stream: "Open", Data } });
    assert.equal((await heard.next(image)).stale, true, Data);
  }
});

test("a loop of redirections ends", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", on);
  for (let n = 0; n < 4; n++) {
    const m = await client.got.next(asked("A"));
    client.say({ ...status(m.ID, "Redirected", "Suspect"), Key: { Name: "A" } });
  }
  await heard.next((c) => c.stream === "Closed");
});

test("the connection is lost: all is stale at once, comes again with images, and private streams do not", async (t) => {
  const { server, client, session, states } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", ["A", "B"], on);
  const apart = session.subscribe("F", "P", { private: true });
  await client.got.next(asked("P"));
  client.say(refresh(3, { BID: 1, OLD: 1 }), refresh(4, { BID: 2 }), { ...refresh(5, { BID: 3 }), Private: true });
  await heard.next(image), await heard.next(image);
  const ack = session.post({ service: "F", name: "A", fields: { BID: 1 } });
  await client.got.next((m) => m.Type === "Post");
  client.socket.terminate();
  for (const name of ["A", "B"]) {
    const c = await heard.next();
    assert.deepEqual([c.type, c.name, c.stale, c.stream], ["status", name, true, "Pending"]);
  }
  await assert.rejects(within(ack, "the post's end"), { code: "Disconnected" });
  assert.equal(session.state, "waiting");
  await assert.rejects(session.post({ service: "F", name: "A", fields: {} }), { code: "NotOpen" });
  assert.equal((await states.next((s) => s.state === "waiting")).code, 1006);
  const item = apart.items.get("P");
  assert.deepEqual([item.closed, item.code], [true, "ClosedRecover"]);
  const second = await server.loggedIn();
  assert.deepEqual((await second.got.next()).Key.Name, ["A", "B"]);
  second.say(refresh(3, { BID: 7 }), { Type: "Ping" });
  const c = await heard.next(image);
  assert.deepEqual([c.fields, c.stale], [{ BID: 7 }, false]);
  assert.equal((await second.got.next()).Type, "Pong");  // and nothing for P
});

test("what is asked for before the connection is there is sent when it is, once", async (t) => {
  const port = await freePort();
  const { session, states } = watched(connect, { url: `ws://127.0.0.1:${port}/WebSocket` });
  t.after(() => session.close());
  session.subscribe("F", "A");
  session.subscribe("F", "B").close();
  for (let n = 1; n < 4; n++) assert.equal((await states.next((s) => s.state === "waiting")).attempt, n);
  const server = await Script.start(port);
  t.after(() => server.stop());
  const client = await server.loggedIn();
  client.say({ Type: "Ping" });
  assert.equal((await client.got.next()).Key.Name, "A");
  assert.equal((await client.got.next()).Type, "Pong");
});

test("the back-off doubles to its bound, with jitter, and tries one address after the other", async (t) => {
  const ports = [await freePort(), await freePort()];
  const draws = [0, 0.999, 0.5, 0, 0, 0.999];
  let drawn = 0;
  const { session, states } = watched(connect, { url: ports.map((port) => `ws://127.0.0.1:${port}/`), retry: { min: 4, max: 32 }, random: () => draws[drawn++ % 6] });
  t.after(() => session.close());
  const waits = [], urls = [];
  for (let n = 0; n < 6; n++) {
    waits.push((await states.next((s) => s.state === "waiting")).retryIn);
    urls.push((await states.next((s) => s.state === "connecting")).url);
  }
  const near = [4, 16, 24, 16, 16, 32];
  waits.forEach((wait, n) => assert(Math.abs(wait - near[n]) < 0.1, `${waits}`));
  assert.equal(new Set(urls).size, 2);
});

test("close codes: 1008 is the end, 1012 and 4001 come back, 1013 waits longer and says why", async (t) => {
  const closing = async (code, reason) => {
    const { server, client, session, states, events } = await pair(t, { random: () => 0.5, retry: { min: 20, max: 400 } });
    client.socket.close(code, reason);
    const s = await states.next((one) => one.state === "waiting" || one.state === "closed");
    return { s, server, session, events };
  };
  const policy = await closing(1008, "too many requests");
  assert.deepEqual([policy.s.state, policy.s.reason, policy.s.text], ["closed", "Policy", "too many requests"]);
  await assert.rejects(policy.session.opened(), /too many requests/);
  assert.throws(() => policy.session.subscribe("F", "A"), /too many requests/);
  for (const [code, wait] of [[1012, 40], [4001, 10], [1013, 120], [1001, 40], [1011, 30]]) {
    const { s, server, events } = await closing(code, "why");
    assert.deepEqual([s.state, s.code, s.text, s.retryIn], ["waiting", code, "why", wait]);
    if (code === 1013) assert.deepEqual(await events.next((e) => e.type === "slow"), { type: "slow", on: true, text: "why", disconnected: true });
    await server.loggedIn();
  }
});

test("a status of the login in front of the close: its whole text, and the code's next step", async (t) => {
  const long = "the client reads too slowly: 200100 bytes wait for it, since 1.2 s; " + "x".repeat(100);
  const ending = async (stream, code, token) => {
    const { server, client, states, events } = await pair(t, { random: () => 0.5, retry: { min: 20, max: 400 }, token });
    client.say({ ...status(1, stream, "Suspect", { Code: "NoResources", Text: long }), Domain: "Login" });
    client.socket.close(code, long.slice(0, 123));
    return { s: await states.next((one) => one.state === "waiting" || one.state === "closed"), server, events };
  };
  const slow = await ending("ClosedRecover", 1013);
  assert.deepEqual([slow.s.state, slow.s.code, slow.s.text, slow.s.retryIn], ["waiting", 1013, long, 120]);
  assert.deepEqual(await slow.events.next((e) => e.type === "slow"), { type: "slow", on: true, text: long, disconnected: true });
  await slow.server.loggedIn();
  const drained = await ending("ClosedRecover", 1012);
  assert.deepEqual([drained.s.state, drained.s.code, drained.s.retryIn], ["waiting", 1012, 40]);
  const asked = [];
  const expired = await ending("Closed", 4001, () => (asked.push(1), "t"));
  assert.deepEqual([expired.s.state, expired.s.code, expired.s.retryIn], ["waiting", 4001, 10]);
  await expired.server.loggedIn();
  assert.equal(asked.length, 2);
  const policy = await ending("Closed", 1008, () => "t");
  assert.deepEqual([policy.s.state, policy.s.reason, policy.s.text], ["closed", "NoResources", long]);
});

test("a refused login is the end; one that is to be tried again is tried again", async (t) => {
  const server = await Script.start();
  t.after(() => server.stop());
  const { session, states } = watched(connect, { url: server.url, password: "wrong" });
  const opened = session.opened();
  const first = await server.client();
  first.say({ ...status(1, "ClosedRecover", "Suspect", { Text: "busy" }), Domain: "Login" });
  assert.equal((await states.next((s) => s.state === "waiting")).text, "busy");
  const second = await server.client();
  second.say({ ...status(1, "Closed", "Suspect", { Code: "NotEntitled", Text: "unknown user" }), Domain: "Login" });
  await assert.rejects(within(opened, "the refusal"), /unknown user/);
  assert.deepEqual([(await states.next((s) => s.state === "closed")).reason, session.state], ["NotEntitled", "closed"]);
});

test("tokens: asked for at each login, renewed before they end, and again when the server ends the login", async (t) => {
  const server = await Script.start();
  t.after(() => server.stop());
  let tokens = 0;
  const { session, events } = watched(connect, { url: server.url, token: async () => {
    if (++tokens === 3) throw new Error("the token server is away");
    return { token: "t" + tokens, expiresIn: tokens === 1 ? 0.05 : 3600 };
  } });
  t.after(() => session.close());
  const client = await server.loggedIn();
  assert.deepEqual(client.login.Key, { NameType: "AuthnToken", Elements: { ApplicationId: "256", Position: "127.0.0.1/net", RoundTripLatency: 2, AuthenticationToken: "t1" } });
  const renewed = await client.got.next((m) => m.Domain === "Login");
  assert.deepEqual([renewed.ID, renewed.Key.Elements.AuthenticationToken], [1, "t2"]);
  client.say(loginRefresh({ SupportBatchRequests: 7 }));
  await assert.rejects(session.renew(), /away/);
  client.say({ ...status(1, "Closed", "Suspect", { Code: "NotEntitled", Text: "token expired" }), Domain: "Login" });
  const next = await server.loggedIn();
  assert.equal(next.login.Key.Elements.AuthenticationToken, "t4");
  assert.equal(events.length, 0);
});

test("posts: off stream and on stream, acknowledged, refused, never answered", async (t) => {
  const { client, session } = await pair(t);
  const { items } = session.subscribe("F", "A");
  await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1 }));
  const off = session.post({ service: "F", name: "X", fields: { BID: 2 }, user: { Address: "10.0.0.1", UserID: 7 }, rights: 1 });
  assert.deepEqual(await client.got.next(), { ID: 1, Type: "Post", Domain: "MarketPrice", Ack: true, PostID: 1, PostUserInfo: { Address: "10.0.0.1", UserID: 7 },
    PostUserRights: 1, Key: { Service: "F", Name: "X" }, Message: { ID: 0, Type: "Update", Domain: "MarketPrice", Fields: { BID: 2 } } });
  const on = session.post({ item: items.get("A"), fields: { BID: 3 } });
  const second = await client.got.next();
  assert.deepEqual([second.ID, second.PostID, second.Key], [2, 2, undefined]);
  client.say({ ID: 2, Type: "Ack", AckID: 2, NakCode: "InvalidContent", Text: "a bid must be above zero" }, { ID: 1, Type: "Ack", AckID: 1 }, { ID: 1, Type: "Ack", AckID: 99 });
  await assert.rejects(on, (e) => e instanceof PostError && e.code === "InvalidContent" && e.message === "a bid must be above zero");
  assert.equal((await off).id, 1);
  assert.deepEqual(await session.post({ service: "F", name: "X", fields: {}, ack: false }), { id: 3 });
  await assert.rejects(session.post({ service: "F", name: "X", fields: {}, timeout: 5 }), { code: "NoResponse" });
  await client.got.next((m) => m.PostID === 4);
  session.post({ item: items.get("A"), message: { Type: "Generic", Domain: "MarketPrice" } }).catch(() => {});
  assert.deepEqual((await client.got.next()).Message, { ID: 0, Type: "Generic", Domain: "MarketPrice" });  // servers ask for an id
});

test("pings of either side, round trips that the server measures", async (t) => {
  const { client, session, events } = await pair(t);
  client.say({ Type: "Ping" });
  assert.deepEqual(await client.got.next(), { Type: "Pong" });
  const ping = session.ping();
  assert.deepEqual(await client.got.next(), { Type: "Ping" });
  client.say({ Type: "Pong" });
  const ms = await ping;
  assert(ms >= 0 && ms < 60000);
  assert.equal((await events.next()).ms, ms);
  client.say({ ID: 1, Type: "Generic", Domain: "Login", Elements: { Ticks: 123456789, RoundTripLatency: 55 } });
  assert.deepEqual(await client.got.next(), { ID: 1, Type: "Generic", Domain: "Login", Elements: { Ticks: 123456789, RoundTripLatency: 55 } });
});

test("a server that falls silent is asked, then left", async (t) => {
  const { client, states } = await pair(t, {}, {}, { PingTimeout: 0.15 });
  assert.equal((await client.got.next()).Type, "Ping");
  const s = await states.next((one) => one.state === "waiting");
  assert.equal(s.text, "the server is silent");
});

test("a server that accepts and says nothing is left", async (t) => {
  const server = await Script.start();
  t.after(() => server.stop());
  const { session, states } = watched(connect, { url: server.url, loginTimeout: 30 });
  t.after(() => session.close());
  assert.equal((await states.next((s) => s.state === "waiting")).text, "no login in time");
});

test("text that is no JSON, bytes: the connection is left, and the next one serves", async (t) => {
  const { server, client, session, states, events } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", on);
  client.text("[{\"ID\":2,");
  assert.match((await events.next((e) => e.type === "error")).text, /no JSON/);
  await states.next((s) => s.state === "waiting");
  const second = await server.loggedIn();
  second.text(Buffer.from([1, 2, 3]));
  await states.next((s) => s.state === "waiting" && /binary/.test(s.text));
  const third = await server.loggedIn();
  const m = await third.got.next(asked("A"));
  third.say(refresh(m.ID, { BID: 1 }));
  assert.equal((await heard.next(image)).stale, false);
});

test("JSON that makes no sense harms only the item that it is about", async (t) => {
  const { client, session, events } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", ["A", "B"], on);
  await client.got.next(asked("A"));
  client.say(refresh(3, { BID: 1 }), refresh(4, { BID: 2 }));
  await heard.next(image), await heard.next(image);
  client.text('[null,5,"x",[],{},{"Type":"Zap"},{"ID":3},{"ID":77,"Type":"Update","Fields":{}},{"Type":"Ack"},{"Type":"Pong"},{"ID":1,"Type":"Status"},' +
    '{"ID":3,"Type":"Status","State":null},{"ID":3,"Type":"Update","Fields":[1,2]}]');
  const bad = await heard.next((c) => c.code === "GapDetected");
  assert.deepEqual([bad.name, bad.stale], ["A", true]);
  assert.match((await events.next((e) => e.item)).text, /^A: Fields is no object/);
  client.say(update(4, { BID: 3 }));
  assert.deepEqual((await heard.next((c) => c.name === "B")).fields, { BID: 3 });
  const m = await client.got.next(asked("A"));
  assert.equal(m.ID, 3);
  client.say(refresh(3, { BID: 9 }));
  assert.deepEqual((await heard.next(image)).fields, { BID: 9 });
});

test("an Error about a request closes what was asked for; about a post it refuses the post", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", { view: ["NO"] }, on);
  await client.got.next(asked("A"));
  client.say({ ID: 2, Type: "Error", Text: "JSON Unexpected Value at [0].View" });
  const c = await heard.next();
  assert.deepEqual([c.stream, c.code], ["Closed", "UsageError"]);
  const post = session.post({ service: "F", name: "X", fields: { BID: "1" } });
  await client.got.next((m) => m.Type === "Post");
  client.say({ ID: 1, Type: "Error", Text: "a number in quotes" });
  await assert.rejects(post, /a number in quotes/);
});

test("conflation is counted, sequence gaps are mended where that is asked for", async (t) => {
  const { client, session, events } = await pair(t);
  const { heard, on } = recorder();
  const { items } = session.subscribe("F", "A", { checkSequence: true, conflation: true }, on);
  assert.equal((await client.got.next(asked("A"))).ConfInfoInUpdates, true);
  client.say(refresh(2, { BID: 1 }, { SeqNumber: 5 }), update(2, { BID: 2 }, { SeqNumber: 6, ConflationInfo: { Count: 4, Time: 20 } }));
  await heard.next((c) => c.type === "update");
  assert.deepEqual([items.get("A").conflated, (await events.next((e) => e.type === "conflated")).count, session.stats.conflated], [4, 4, 4]);
  client.say({ ...status(2, "Open", "NoChange", { Code: "JitConflationStarted", Text: "slow" }) });
  assert.equal((await events.next((e) => e.type === "slow")).on, true);
  assert.equal(items.get("A").stale, false);
  client.say(update(2, { BID: 3 }, { SeqNumber: 8 }));
  const gap = await heard.next((c) => c.code === "GapDetected");
  assert.deepEqual([gap.fields, gap.stale], [{ BID: 2 }, true]);
  await client.got.next(asked("A"));
});

test("another view: the same streams, new images", async (t) => {
  const { client, session } = await pair(t);
  const { heard, on } = recorder();
  const sub = session.subscribe("F", ["A", "B"], { view: ["BID"] }, on);
  await client.got.next(asked("A"));
  client.say(refresh(3, { BID: 1 }), refresh(4, { BID: 1 }));
  await heard.next(image), await heard.next(image);
  sub.view(["ASK"]);
  for (const id of [3, 4]) {
    const m = await client.got.next();
    assert.deepEqual([m.ID, m.View], [id, ["ASK"]]);
  }
  client.say(refresh(3, { ASK: 2 }));
  assert.deepEqual((await heard.next(image)).fields, { ASK: 2 });
});

test("what a callback throws is told and stops nobody else; callbacks may close what they are called for", async (t) => {
  const { server, client, session, events } = await pair(t);
  let calls = 0;
  const sub = session.subscribe("F", ["A", "B"], () => { calls++; throw new Error("mine"); });
  const { heard, on } = recorder();
  session.subscribe("F", ["C", "D"], (item, change) => { on(item, change); if (item.stale) session.unsubscribe(sub); });
  await client.got.next(asked("C"));
  client.say(refresh(3, {}), refresh(4, {}), refresh(6, {}), refresh(7, {}));
  assert.match((await events.next((e) => e.type === "error")).text, /mine/);
  await heard.next(image), await heard.next(image);
  assert.equal(calls, 2);
  client.socket.terminate();
  const second = await server.loggedIn();
  assert.deepEqual((await second.got.next()).Key.Name, ["C", "D"]);
});

test("close() in the middle of anything ends it", async (t) => {
  const server = await Script.start();
  t.after(() => server.stop());
  for (const when of ["connecting", "login"]) {
    let session;
    const done = new Promise((resolve) => {
      session = connect({ url: server.url, WebSocket, onState: ({ state }) => {
        if (state === when) queueMicrotask(() => session.close());
        if (state === "closed") resolve();
      } });
    });
    await assert.rejects(session.opened(), /closed/);
    await within(done, when);
    assert.equal(session.state, "closed");
  }
});

test("a session that a callback closes while its connection is lost does not come back", async (t) => {
  const { client, session, states } = await pair(t);
  const { heard, on } = recorder();
  session.subscribe("F", "A", (item, change) => { on(item, change); if (item.stale) session.close(); });
  await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1 }));
  await heard.next(image);
  client.socket.terminate();
  await states.next((s) => s.state === "closed");
  await new Promise(setImmediate);
  assert.deepEqual([states.length, session.state], [0, "closed"]);  // no word of another attempt behind it
});

test("a login that the server does not understand is no login, and is tried again", async (t) => {
  const server = await Script.start();
  t.after(() => server.stop());
  const { session, states } = watched(connect, { url: server.url });
  t.after(() => session.close());
  const client = await server.client();
  await client.got.next();
  client.say({ ID: 1, Type: "Error", Text: "JSON Unexpected Value" });
  assert.equal((await states.next((s) => s.state === "waiting")).text, "JSON Unexpected Value");
  await server.loggedIn();
});

test("two subscriptions of one name have streams of their own; a closed one takes no names", async (t) => {
  const { client, session } = await pair(t);
  const one = recorder(), two = recorder();
  const first = session.subscribe("F", "A", one.on);
  session.subscribe("F", "A", two.on);
  await client.got.next(asked("A")), await client.got.next(asked("A"));
  client.say(refresh(2, { BID: 1 }), refresh(3, { BID: 1 }), update(2, { BID: 2 }));
  await one.heard.next(image), await two.heard.next(image);
  assert.deepEqual((await one.heard.next()).fields, { BID: 2 });
  first.close();
  assert.deepEqual(await client.got.next(), { ID: 2, Type: "Close" });
  assert.throws(() => first.add("B"), /closed/);
  client.say(update(3, { BID: 5 }));
  assert.deepEqual([(await two.heard.next()).fields, one.heard.length], [{ BID: 5 }, 0]);
});

test("wrong use is told at once", () => {
  assert.throws(() => connect({ WebSocket: class {} }), /url/);
  assert.throws(() => connect({ url: "ws://x", WebSocket: undefined }), /WebSocket/);
});
