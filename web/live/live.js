// The live page: connects its parts to one session. Nothing that comes from the wire becomes HTML.
import { connect } from "../emissary.js";
import { Chart, span } from "./chart.js";
import { Ladder } from "./ladder.js";
import { FIELDS, Quotes } from "./quotes.js";

const byId = (id) => document.getElementById(id);
const given = new URLSearchParams(location.search);
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const bytes = (n) => (n < 1024 ? n.toFixed(0) + " B" : n < 1048576 ? (n / 1024).toFixed(1) + " KiB" : (n / 1048576).toFixed(1) + " MiB");

let session = null, quotes = null, depth = null, service = null;
let lastData = 0, frame = [], clock = null;
const list = new Quotes(byId("quotes"), byId("scroll"), (name) => { quotes?.remove(name); list.remove(name); count(); });
const ladder = new Ladder(byId("ladder"), byId("depthNote"));
const chart = new Chart(byId("chart"), byId("legend"));
const names = new Set((given.get("items") ?? "").split(/[\s,]+/).filter(Boolean));

const WORDS = { connecting: "connecting to", login: "logging in at", open: "live from", waiting: "not connected to", closed: "refused by" };
let state = { state: "closed", text: "", url: "" };
let retryAt = 0;
function tellState() {
  const element = byId("state"), { state: name, text, url } = state;
  const ago = (performance.now() - lastData) / 1000;
  let words = session ? `${WORDS[name]} ${url}` : "not connected";
  if (name === "open" && lastData) words += `, last data ${ago < 1.5 ? "just now" : Math.round(ago) + " s ago"}`;
  if (name === "waiting") words += `: ${text}; again in ${Math.max(0, Math.ceil((retryAt - performance.now()) / 1000))} s`;
  if (name === "closed" && session) words += `: ${text}`;
  if (name === "open" && session?.suspect) words += ", and the server does not vouch for what it sends";
  if (element.textContent !== words) element.textContent = words;
  element.className = name === "open" && session?.suspect ? "bad" : name === "open" ? "good" : name === "connecting" || name === "login" || !session ? "wait" : "bad";
}

function count() { byId("quotesNote").textContent = list.rows.size ? `${number.format(list.rows.size)} items` : "none yet"; }

/** Milliseconds of age, where the message says when it was made and the clock of the hub's host is known. */
function ageOf(item, message) {
  const made = message?.Fields?.TIM_TRK_1;
  if (typeof made !== "number" || !clock) return undefined;
  const ms = item.received + clock.offset - made / 1000;
  return ms >= -clock.error && ms < 600000 ? Math.max(0, ms) : undefined;
}

function onQuote(item, { type, message }) {
  if (type !== "status") lastData = item.received;
  list.changed(item, ageOf(item, message));
  if (type === "update") frame.push(item.received);
}

function add(texts) {
  const fresh = texts.filter((name) => name && !list.rows.has(name));
  if (!quotes || !fresh.length) return;
  quotes.add(fresh);
  for (const name of fresh) names.add(name), list.add(quotes.items.get(name));
  count();
}

function start(options) {
  session?.close();
  list.clear();
  const { url, user, token } = options;
  service = options.service || null;
  let mine = null;
  mine = session = connect({ url, transport: "websocket", user, token: token || undefined, applicationId: "256", onState: (change) => {
    if (mine && mine !== session) return;
    state = change;
    retryAt = performance.now() + (change.retryIn ?? 0);
    tellState();
  }, onEvent: (event) => { if (event.type === "error") console.warn(event.text); } });
  quotes = session.subscribe(service, [], { view: FIELDS, conflation: true }, onQuote);
  add([...names]);
  byId("posting").hidden = false;
  const { name, domain } = byId("depth").elements;
  if (name.value.trim()) showDepth(name.value.trim(), domain.value);
  tellState();
}

function showDepth(name, domain) {
  depth?.close();
  depth = session.subscribe(service, name, { domain }, (item, { type }) => {
    if (type !== "status") lastData = item.received;
    ladder.changed();
  });
  ladder.show(depth.items.get(name), domain);
}

byId("connection").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  try {
    start(Object.fromEntries(form));
  } catch (error) {
    session = null;
    byId("state").textContent = error.message;
    byId("state").className = "bad";
  }
});
byId("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.names, texts = input.value.split(/[\s,]+/).filter(Boolean);
  if (session) add(texts), input.value = "";
  else {
    for (const name of texts) names.add(name);
    input.value = "";
    byId("connection").requestSubmit();
  }
});
byId("depth").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!session || session.state === "closed") byId("connection").requestSubmit();  // which shows the book that the form names
  else showDepth(event.target.elements.name.value.trim(), event.target.elements.domain.value);
});
byId("post").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, bid, ask } = event.target.elements, output = byId("ack"), fields = {};
  for (const [field, input] of [["BID", bid], ["ASK", ask]]) if (input.value !== "") fields[field] = Number(input.value);
  output.className = "";
  output.textContent = "sent";
  const at = performance.now();
  try {
    if (!session) throw new Error("not connected");
    if (Object.values(fields).some(Number.isNaN) || !Object.keys(fields).length) throw new Error("give a bid or an ask as a number");
    const ack = await session.post({ service: service ?? undefined, name: name.value.trim(), fields });
    output.className = "good";
    output.textContent = `acknowledged in ${span(performance.now() - at)}${ack.text ? ": " + ack.text : ""}`;
  } catch (error) {
    output.className = "bad";
    output.textContent = `${error.code ? `refused, ${error.code}: ` : ""}${error.message}`;
  }
});

// -- painting: once a frame -----------------------------------------------------------------------------------------------------

let painted = 0;
function paint() {
  painted += list.paint();
  ladder.paint();
  if (frame.length) {
    const now = performance.now();
    for (const arrived of frame) chart.record(now - arrived);
    frame = [];
  }
  requestAnimationFrame(paint);
}
requestAnimationFrame(paint);

// -- once a second --------------------------------------------------------------------------------------------------------------

let before = null;
function tile(name, value) {
  let element = byId("tiles").querySelector(`[data-name="${name}"]`);
  if (!element) {
    element = document.createElement("div");
    element.dataset.name = name;
    element.append(document.createElement("dt"), document.createElement("dd"));
    element.firstChild.textContent = name;
    byId("tiles").append(element);
  }
  if (element.lastChild.textContent !== value) element.lastChild.textContent = value;
}
/** Counts of the hub that serves this page; none where it is served by somebody else. */
let hub = true;
async function askHub() {
  if (!hub) return chart.noHub();
  try {
    const answer = await fetch("../varz");
    if (!answer.ok) throw new Error(String(answer.status));
    const metric = (await answer.json()).counts.metrics.find((m) => m.name === "emissary_hub_forward_seconds");
    if (metric?.samples[0]) chart.hub(metric.samples[0].buckets);
    else chart.noHub();
  } catch {
    chart.noHub();
  }
}
async function second() {
  const now = performance.now();
  if (session) {
    const { messages, bytes: read, conflated, rtt } = session.stats, seconds = before ? (now - before.now) / 1000 : 1;
    const rate = (value, name) => (before && before.session === session ? (value - before[name]) / seconds : 0);
    tile("messages a second", number.format(rate(messages, "messages")));
    tile("read a second", bytes(rate(read, "read")));
    tile("cells a second", number.format(painted / seconds));
    tile("conflated", number.format(conflated));
    tile("round trip", rtt === undefined ? "–" : span(rtt));
    before = { session, now, messages, read };
    painted = 0;
    session.ping().catch(() => {});
  }
  tellState();
  await askHub();
  chart.tick();
  setTimeout(second, Math.max(0, 1000 - (performance.now() - now)));
}

/** The difference between the hub's clock and this page's, from the fastest of ten looks; its error is half of that look. */
async function setClock() {
  let best = Infinity;
  for (let n = 0; n < 10; n++) {
    const sent = performance.now(), answer = await fetch("../clock"), came = performance.now();
    if (!answer.ok) return;
    const { us } = await answer.json();
    if (came - sent >= best) continue;
    best = came - sent;
    clock = { offset: us / 1000 - (sent + came) / 2, error: best / 2 };
  }
  for (const th of document.querySelectorAll("#quotes th")) if (th.textContent === "Age") th.title = `from when the message was made, ± ${span(clock.error)}`;
}

// -- start ----------------------------------------------------------------------------------------------------------------------

const form = byId("connection").elements;
const scheme = location.protocol === "https:" ? "wss" : "ws";
form.url.value = given.get("url") || `${scheme}://${location.hostname || "localhost"}:14002/WebSocket`;
if (given.get("user")) form.user.value = given.get("user");
if (given.get("service")) form.service.value = given.get("service");
if (given.get("depth")) byId("depth").elements.name.value = given.get("depth");
if (given.get("book")) byId("depth").elements.domain.value = given.get("book");
byId("posting").hidden = true;
count();
tellState();
try {
  const answer = await fetch("../servicez");
  if (!answer.ok) throw new Error(String(answer.status));
  const overview = await answer.json();
  byId("title").textContent = `emissary live – ${overview.hub}`;
  document.title = `${overview.hub} – emissary live`;
  byId("back").hidden = false;
  const listener = overview.listeners?.find((one) => one.encrypted === (scheme === "wss")) ?? overview.listeners?.[0];
  if (listener && !given.get("url")) form.url.value = `${listener.encrypted ? "wss" : "ws"}://${location.hostname}:${listener.port}/WebSocket`;
  for (const { name } of overview.services) byId("services").append(Object.assign(document.createElement("option"), { value: name }));
  if (!form.service.value && overview.services.length === 1) form.service.value = overview.services[0].name;
  await setClock();
} catch {
  hub = false;
}
second();
if (given.get("items") || given.get("depth")) byId("connection").requestSubmit();
