// Prices, books and posts over WebSocket (rssl.json.v2), in browsers, workers and Node, without dependencies. Types and what each
// member means: emissary.d.ts. Rules: docs/spec/web-streaming.md 1.

import { applied, copied, fresh } from "./images.js";

const LOGIN = 1;
const COOKIE_LOGIN = -1;  // the id that servers give a login that they have made themselves
const MAX_TEXT = 60000;  // bytes of a text that every server takes
const LIVELY = 10000;    // ms that a connection has to have lasted for the back-off to begin anew
const RETRY = { min: 500, max: 30000 };
const FAREWELL = 500;  // ms, from the end of the login to the end of the connection
const READ_ONLY = "a connection without WebSocket can only be read";
const FINAL = new Set(["Closed", "ClosedRecover", "Redirected"]);

/** Why a post was refused, or why nobody knows what became of it. */
export class PostError extends Error {
  constructor(code, text) {
    super(text || code);
    this.name = "PostError";
    this.code = code;
  }
}

/** One item of a subscription: its merged image and its state. */
export class Item {
  stream = "Pending";
  data = "Suspect";
  code = "None";
  text = "";
  image = null;
  conflated = 0;
  sequence = undefined;
  received = 0;
  /** @internal */ _ = { id: 0, sub: null, building: null, wanting: true, tries: 0, redirects: 0, as: undefined, asPrivate: false,
    timer: undefined, gone: false };

  constructor(name, service, domain) {
    Object.assign(this, { name, service, domain });
  }
  get fields() { return this.image && this.image.kind === "Fields" ? this.image.data : NOTHING; }
  get closed() { return this.stream === "Closed"; }
  get stale() { return this.data !== "Ok" || this.closed || this.stream !== "NonStreaming" && this._.sub?.session.suspect === true; }
}
const NOTHING = Object.freeze(Object.create(null));

/** The items of one call of subscribe(). */
class Subscription {
  items = new Map();
  #over = false;
  constructor(session, options, onUpdate) {
    this.session = session;
    this.options = options;
    this.onUpdate = onUpdate;
  }
  add(names) {
    if (this.#over) throw new Error("the subscription is closed");
    const { service, domain, key } = this.options;
    const added = [];
    for (const name of [names].flat()) {
      if (this.items.has(name)) continue;
      if (typeof name !== "string" && !(name === null && key)) throw new TypeError("the name of an item is a text");
      const item = new Item(name, service, domain);
      item._.sub = this;
      this.items.set(name, item);
      added.push(item);
    }
    this.session._ask(this, added);
    return this;
  }
  remove(names) {
    const gone = [names].flat().map((name) => this.items.get(name)).filter((item) => item);
    for (const item of gone) this.items.delete(item.name);
    this.session._leave(gone);
    return this;
  }
  /** Shows other fields from now on: each item gets an image of them. */
  view(fields) {
    this.options.view = fields;
    this.session._ask(this, [...this.items.values()].filter((item) => !item.closed), true);
    return this;
  }
  close() {
    this.#over = true;
    this.remove([...this.items.keys()]);
    this.session._forget(this);
  }
}

export class Session {
  state = "connecting";
  suspect = false;
  stats = { connects: 0, messages: 0, bytes: 0, early: 0, unknown: 0, conflated: 0, rtt: undefined };
  #o;
  #line = null;  // what there is of the connection of now
  #attempt = 0;
  #address = 0;
  #timer;
  #subscriptions = new Set();
  #posts = new Map();  // by post id
  #pings = [];
  #postId = 0;
  #waiters = [];
  #end = null;  // why there will be no connection any more
  #loginId = LOGIN;
  #blocked = 0;  // WebSockets in a row without a login
  #online = () => { if (this.state === "waiting") this.#connect(); };

  constructor(options) {
    const given = options ?? {};
    this.#o = { protocols: ["rssl.json.v2", "tr_json2"], applicationId: "256", position: "127.0.0.1/net", loginTimeout: 10000,
      postTimeout: 15000, pingTimeout: 60000, transport: "auto", random: Math.random, parse: JSON.parse, WebSocket: globalThis.WebSocket, fetch: globalThis.fetch, ...given,
      retry: { ...RETRY, ...given.retry }, urls: [given.url].flat() };
    if (this.#o.cookies) this.#loginId = COOKIE_LOGIN;
    if (this.#o.urls.some((url) => typeof url !== "string" || !url)) throw new TypeError("url is missing");
    const { transport, password } = this.#o;
    if (!["auto", "websocket", "sse"].includes(transport)) throw new TypeError("transport is auto, websocket or sse");
    if (transport === "sse" && password !== undefined) throw new TypeError("a password needs a WebSocket");
    if (transport !== "sse" && typeof this.#o.WebSocket !== "function") throw new TypeError("there is no WebSocket here: give one as option WebSocket");
    globalThis.addEventListener?.("online", this.#online);
    this.#connect();
  }

  /** Resolves when the login is accepted, fails when there will be none. */
  opened() {
    if (this.state === "open") return Promise.resolve(this);
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  subscribe(service, names, options, onUpdate) {
    if (this.#end) throw this.#end;
    if (typeof options === "function") [options, onUpdate] = [{}, options];
    const sub = new Subscription(this, { domain: "MarketPrice", ...options, service }, onUpdate ?? (() => {}));
    this.#subscriptions.add(sub);
    return sub.add(names ?? [null]);
  }
  unsubscribe(subscription) { subscription.close(); }

  post({ item, service, name, domain, fields, message, ack = true, user, rights, timeout }) {
    const line = this.#line;
    if (this.state !== "open") return Promise.reject(new PostError("NotOpen", "there is no connection"));
    if (line.sse) return Promise.reject(new PostError("ReadOnly", READ_ONLY));
    if (item && !line.items.has(item._.id)) return Promise.reject(new PostError("NotOpen", `${item.name} is not open`));
    const id = this.#postId = this.#postId % 0xffffffff + 1;
    const on = item ? item._.id : this.#loginId;
    const text = { ID: on, Type: "Post", Domain: item ? item.domain : domain ?? "MarketPrice", Ack: ack, PostID: id,
      PostUserInfo: user ?? { Address: "127.0.0.1", UserID: 1 } };
    if (rights !== undefined) text.PostUserRights = rights;
    if (!item) text.Key = { ...(service == null ? {} : { Service: service }), Name: name };
    if (message || fields) text.Message = { ID: 0, Type: "Update", Domain: text.Domain, Fields: fields, ...message };  // servers want an ID
    this.#say([text]);
    if (!ack) return Promise.resolve({ id });
    return new Promise((resolve, reject) => {
      const late = () => this.#answerPost(id, new PostError("NoResponse", "nobody answered the post in time"));
      this.#posts.set(id, { resolve, reject, on, timer: setTimeout(late, timeout ?? this.#o.postTimeout) });
    });
  }

  /** Milliseconds until the server answers a ping. */
  ping() {
    if (this.state !== "open") return Promise.reject(new Error("there is no connection"));
    if (this.#line.sse) return Promise.reject(new Error(READ_ONLY));
    return new Promise((resolve, reject) => {
      this.#pings.push({ resolve, reject, at: performance.now() });
      this.#say([{ Type: "Ping" }]);
    });
  }

  /** Logs in again on the open connection with a token asked for now. */
  async renew() {
    const line = this.#line;
    const login = await this.#login();
    if (login && line === this.#line && this.state === "open") this.#say([login]);
  }

  close() {
    if (this.#end) return;
    const line = this.#line;
    if (this.state === "open") this.#say([{ ID: this.#loginId, Type: "Close", Domain: "Login" }]);
    this.#finish(new Error("the session was closed"), "Normal");
    line?.socket?.close(1000);
  }

  // -- the connection ------------------------------------------------------------------------------------------------------------

  #state(state, more = {}) {
    this.state = state;
    this.#call(this.#o.onState, { state, url: this.#o.urls[this.#address], transport: this.#line?.sse ? "sse" : "websocket", attempt: this.#attempt,
      text: "", code: 0, ...more });
  }

  /** What an application throws does not stop what other items get. */
  #call(callback, ...args) {
    if (!callback) return;
    try {
      callback(...args);
    } catch (error) {
      if (this.#o.onEvent && callback !== this.#o.onEvent) this.#event("error", { text: String(error), error });
      else console.error(error);
    }
  }
  #event(type, more) { this.#call(this.#o.onEvent, { type, ...more }); }

  async #login() {
    const { user, password, token, cookies, applicationId, position, loginElements } = this.#o;
    const Elements = { ApplicationId: String(applicationId), Position: position, RoundTripLatency: 2, ...loginElements };
    if (token === undefined) {
      if (cookies) return null;  // the browser has sent them with the upgrade, and the server logs in with them
      if (password !== undefined) Elements.Password = password;
      return { ID: this.#loginId, Domain: "Login", Key: { Name: user ?? "user", Elements } };
    }
    let got = typeof token === "function" ? await token() : token;
    if (typeof got === "string") got = { token: got };
    Elements.AuthenticationToken = got.token;
    this.#renewIn(Math.max(got.expiresIn * 800, this.#o.retry.min));  // seconds; at four fifths of them, and never in a tight loop
    return { ID: this.#loginId, Domain: "Login", Key: { NameType: "AuthnToken", Elements } };
  }

  #renewIn(ms) {
    const line = this.#line;
    if (!(ms >= 0) || !line || typeof this.#o.token !== "function") return;
    clearTimeout(line.renewal);
    line.renewal = setTimeout(() => this.renew().catch((error) => {
      this.#event("error", { text: "no new token: " + error, error });
      if (line === this.#line) this.#renewIn(Math.max(this.#o.retry.min * 10, 1000));
    }), Math.min(ms, 2 ** 31 - 1));
  }

  async #connect() {
    clearTimeout(this.#timer);
    // ids are given once in a connection, so what is late for a closed stream meets nobody
    const line = this.#line = { socket: null, items: new Map(), batches: new Map(), next: LOGIN + 1, support: 0, max: MAX_TEXT,
      opened: 0, heard: performance.now(), slow: false, sse: this.#withoutWebSocket() };
    this.#state("connecting");
    let login;
    try {
      login = await this.#login();
      if (line !== this.#line) return;
      const url = this.#o.urls[this.#address];
      if (line.sse) {
        const { EventSocket } = await import("./events.js");
        if (line !== this.#line) return;
        line.socket = new EventSocket(url, this.#o.fetch);
      } else line.socket = new this.#o.WebSocket(url, this.#o.protocols);
    } catch (error) {
      if (line === this.#line) this.#lost(line, 0, String(error));
      return;
    }
    const { socket } = line;
    line.watch = setTimeout(() => this.#cut(line, "no login in time"), this.#o.loginTimeout);
    socket.onopen = () => {
      if (line !== this.#line) return socket.close(1000);
      this.stats.connects++;
      this.#state("login");
      if (login) this.#say([login]);
      else socket.start?.();
    };
    socket.onmessage = ({ data }) => { if (line === this.#line) this.#hear(line, data); };
    socket.onerror = () => {};  // a close follows, with what there is to say
    socket.onclose = ({ code, reason }) => { if (line === this.#line) this.#lost(line, code, String(reason ?? "")); };
  }

  /** After two WebSockets without a login every second attempt has none. */
  #withoutWebSocket() {
    const { transport, password, fetch } = this.#o;
    return transport === "sse" || transport === "auto" && this.#blocked > 1 && password === undefined && typeof fetch === "function";
  }

  /** Gives a connection up whose other end does not answer: a close may never come. */
  #cut(line, text) {
    if (line !== this.#line) return;
    this.#lost(line, 0, text);
    if (line.socket?.terminate) line.socket.terminate();  // Node's waits long for the other end's close
    else line.socket?.close(4000);
  }

  /** What the code says of the next attempt: rssl.json.v2 servers and RFC 6455, docs/spec/web-streaming.md 1. */
  #lost(line, code, text) {
    const { retry, random, token, urls } = this.#o;
    const was = this.state;
    if (line.opened) this.#blocked = line.sse ? 2 : 0;
    else if (line.sse) this.#blocked = 1;
    else if (!code || code === 1006) this.#blocked++;
    this.#line = null;
    this.state = "waiting";  // for the callbacks that hear of stale items before they hear of this
    clearTimeout(line.watch);
    clearTimeout(line.renewal);
    if (line.opened && performance.now() - line.opened > LIVELY) this.#attempt = 0;
    const renewable = line.opened && typeof token === "function" && code !== 1008;
    if (line.end && !renewable) return this.#finish(new Error(line.end.text), line.end.code, code);
    if (code === 1008) return this.#finish(new Error(text || "the server's policy forbids this connection"), "Policy", code);
    const why = line.last || text || (was === "open" ? "the connection was lost" : "no connection");
    this.#stale(why);
    if (this.#end) return;  // a callback has closed the session
    const cap = Math.min(retry.max, retry.min * 2 ** ++this.#attempt);
    let wait = Math.max(retry.min, cap / 2 + random() * cap / 2);
    if (code === 1012 || code === 1001) wait = random() * Math.max(cap, 4 * retry.min);           // everybody comes back: spread
    if (code === 4001 && line.opened) wait = random() * retry.min;                                 // age: nothing is wrong
    if (code === 1013) wait = Math.min(retry.max, 4 * wait);                                       // slow, or the server is full
    if (code === 1013) this.#event("slow", { on: true, text: why, disconnected: true });
    if (this.#end) return;
    this.#address = (this.#address + 1) % urls.length;
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.#state("waiting", { text: why, code, retryIn: wait });
  }

  #finish(error, reason, code = 0) {
    const line = this.#line;
    this.#line = null;
    this.#end = error;
    this.state = "closed";
    clearTimeout(this.#timer);
    clearTimeout(line?.watch);
    clearTimeout(line?.renewal);
    globalThis.removeEventListener?.("online", this.#online);
    this.#stale(error.message, true);
    for (const { reject } of this.#waiters.splice(0)) reject(error);
    this.#state("closed", { text: error.message, code, reason });
  }

  /** No value looks live from here on. */
  #stale(text, forever = false) {
    this.suspect = false;  // each item says it for itself from here on
    for (const id of [...this.#posts.keys()]) this.#answerPost(id, new PostError("Disconnected", "the connection ended before the answer"));
    for (const { reject } of this.#pings.splice(0)) reject(new Error(text));
    for (const sub of [...this.#subscriptions])
      for (const item of [...sub.items.values()]) {
        const i = item._;
        clearTimeout(i.timer);
        if (i.gone || item.closed || item.stream === "NonStreaming") continue;
        Object.assign(i, { id: 0, building: null, wanting: true, as: undefined, asPrivate: false, redirects: 0 });
        if (forever || sub.options.private && item.stream !== "Pending") this.#status(item, "Closed", "Suspect", forever ? "None" : "ClosedRecover", text);
        else this.#status(item, "Pending", "Suspect", "None", text);
      }
  }

  #status(item, stream, data, code, text, message) {
    Object.assign(item, { stream, data, code, text });
    this.#call(item._.sub.onUpdate, item, { type: "status", message });
  }

  // -- out -----------------------------------------------------------------------------------------------------------------------

  #say(messages) {
    const line = this.#line;
    if (!line) return;  // a callback has closed the session
    let text = "", bytes = 0;
    const send = () => {
      if (text && line.socket.readyState === 1) line.socket.send(text + "]");
      text = "";
      bytes = 0;
    };
    for (const message of messages) {
      const one = JSON.stringify(message), size = one.length * (/[^\0-\x7f]/.test(one) ? 3 : 1) + 2;
      if (text && bytes + size > line.max) send();
      text += (text ? "," : "[") + one;
      bytes += size;
    }
    send();
  }

  /** @internal Asks for items: as batches where the server takes them. `again`: those that are open keep their streams. */
  _ask(sub, items, again = false) {
    const line = this.#line;
    if (this.state !== "open" || !items.length) return;  // the login's answer brings it about
    const { service, domain, view, snapshot, key, qos, conflation } = sub.options;
    const requests = [];
    const one = (Name, ID, isPrivate) => {
      const text = { ID, Domain: domain, Key: { ...(service == null ? {} : { Service: service }), ...key, ...(Name === null ? {} : { Name }) } };
      if (domain === "MarketPrice") delete text.Domain;
      if (view) text.View = view;
      if (snapshot) text.Streaming = false;
      if (isPrivate) text.Private = true;
      if (qos) text.Qos = qos;
      if (conflation) text.ConfInfoInUpdates = true;
      text.KeyInUpdates = false;
      requests.push(text);
    };
    const alone = [];
    let run = [], bytes = 0;
    const batch = () => {
      if (run.length === 1) alone.push(run[0]);
      else if (run.length) {
        const id = line.next;
        line.next += run.length + 1;
        line.batches.set(id, run);
        run.forEach((item, n) => this.#mount(item, id + 1 + n));
        one(run.map((item) => item.name), id, false);
      }
      run = [];
      bytes = 0;
    };
    const batches = line.support & 1 && !sub.options.private && sub.options.batch !== false;
    for (const item of items) {
      if (item._.gone) continue;
      if (!batches || item._.id || item.name === null || item._.as) { alone.push(item); continue; }
      const size = item.name.length * 3 + 3;
      if (bytes + size > line.max - 2000) batch();
      run.push(item);
      bytes += size;
    }
    batch();
    for (const item of alone) {
      if (!item._.id) this.#mount(item, line.next++);
      one(item._.as?.name ?? item.name, item._.id, sub.options.private || item._.asPrivate);
      if (item._.as?.service) requests.at(-1).Key.Service = item._.as.service;
      if (again) item._.building = null;
    }
    this.#say(requests);
  }

  #mount(item, id) {
    Object.assign(item._, { id, building: null, wanting: true });
    this.#line.items.set(id, item);
  }

  /** Takes an item off its stream, which ends at the server too unless it has ended there. */
  #dismount(item) {
    this.#line?.items.delete(item._.id);
    this.#line?.socket?.forget?.(item._.id);
    Object.assign(item._, { id: 0, building: null, wanting: true });
  }

  /** @internal */
  _leave(items) {
    const ids = [];
    for (const item of items) {
      clearTimeout(item._.timer);
      if (item._.id) ids.push(item._.id);
      item._.gone = true;
      this.#dismount(item);
    }
    if (this.state !== "open" || !ids.length) return;
    if (this.#line.support & 4 && ids.length > 1) for (let n = 0; n < ids.length; n += 4000) this.#say([{ ID: ids.slice(n, n + 4000), Type: "Close" }]);
    else this.#say(ids.map((ID) => ({ ID, Type: "Close" })));
  }
  /** @internal */
  _forget(sub) { this.#subscriptions.delete(sub); }

  /** Asks again for an item whose stream ended or whose image is no good: later each time. */
  #again(item, as) {
    const { retry, random } = this.#o, i = item._;
    const wait = as ? 0 : Math.min(retry.max, retry.min * 2 ** i.tries++) * (0.5 + random() / 2);
    clearTimeout(i.timer);
    const line = this.#line;
    i.timer = setTimeout(() => { if (line === this.#line && !i.gone) this._ask(i.sub, [item], true); }, wait);
  }

  // -- in ------------------------------------------------------------------------------------------------------------------------

  #hear(line, data) {
    line.heard = performance.now();
    if (typeof data !== "string") return this.#cut(line, "a binary message came");
    this.stats.bytes += data.length;
    let messages;
    try {
      messages = [this.#o.parse(data)].flat();
    } catch (error) {
      this.#event("error", { text: "the server sent what is no JSON: " + error.message });
      return this.#cut(line, "the server sent what is no JSON");
    }
    for (const message of messages) {
      if (line !== this.#line) return;
      if (typeof message !== "object" || message === null) {
        this.#event("error", { text: "the server sent a message that is no object" });
        continue;
      }
      this.stats.messages++;
      this.#dispatch(line, message);
    }
  }

  #dispatch(line, m) {
    if (m.Type === "Ping") return this.#say([{ Type: "Pong" }]);
    if (m.Type === "Pong") return this.#pong();
    if (m.Type === "Error") return this.#refused(line, m);
    if (m.Type === "Ack") return this.#answerPost(m.AckID, m.NakCode === undefined || m.NakCode === "None" || m.NakCode === 0 ? m : new PostError(m.NakCode, m.Text));
    const item = line.items.get(m.ID);
    if (item) {
      try {
        return this.#itemMessage(item, m);
      } catch (error) {  // a payload that cannot be
        this.#event("error", { text: `${item.name}: ${error.message}`, item, message: m });
        return this.#repair(item, error.message);
      }
    }
    if (m.ID === this.#loginId) return this.#loginMessage(line, m);
    if (line.batches.has(m.ID)) return this.#batchAnswer(line, m);
    this.stats.unknown++;
  }

  #pong() {
    const ping = this.#pings.shift();
    if (!ping) return;
    this.stats.rtt = performance.now() - ping.at;
    ping.resolve(this.stats.rtt);
    this.#event("rtt", { ms: this.stats.rtt });
  }

  #loginMessage(line, m) {
    if (m.Type === "Generic") {  // a round trip that the server measures: back as it came
      if (m.Elements?.Ticks !== undefined) this.#say([{ ID: this.#loginId, Type: "Generic", Domain: "Login", Elements: m.Elements }]);
      else this.#event("generic", { message: m });
      return;
    }
    const state = m.State ?? {}, stream = state.Stream ?? "Open";
    if (m.Type === "Status" && FINAL.has(stream) || m.Type === "Refresh" && FINAL.has(stream)) {
      if (stream === "Closed") line.end = { text: state.Text || "the login was refused", code: state.Code ?? "None" };
      line.last = state.Text || "the login was closed";
      clearTimeout(line.watch);
      line.watch = setTimeout(() => this.#cut(line, line.last), FAREWELL);  // the close code that follows says what to do next
      return;
    }
    if (m.Type !== "Refresh" && m.Type !== "Status") return;
    if (state.Data === "Suspect" || state.Data === "Ok" || m.Type === "Refresh") this.#suspend(state.Data === "Suspect", state.Text ?? "");
    if (m.Type !== "Refresh" || line !== this.#line) return;
    const number = (element) => Number(element?.Data ?? element) || 0;
    const Elements = m.Key?.Elements ?? {}, payload = m.Elements ?? {};
    line.support = number(Elements.SupportBatchRequests);
    if (number(payload.MaxMsgSize) > 4096) line.max = Math.min(number(payload.MaxMsgSize), MAX_TEXT);
    const until = number(Elements.AuthenticationTTReissue);
    if (until > 0) this.#renewIn(Math.max(10000, until * 1000 - Date.now() - 5000));
    if (this.state === "open") return;
    clearTimeout(line.watch);
    line.opened = performance.now();
    this.#watch(line, number(payload.PingTimeout) * 1000 || this.#o.pingTimeout);
    this.#state("open", { text: state.Text ?? "" });
    for (const { resolve } of this.#waiters.splice(0)) resolve(this);
    for (const sub of [...this.#subscriptions]) {
      if (line !== this.#line) return;
      this._ask(sub, [...sub.items.values()].filter((item) => !item.closed && item.stream !== "NonStreaming" && !item._.id));
    }
  }

  /** A server that does not vouch for what it sends: nothing of it is live until it does again. */
  #suspend(on, text) {
    if (this.suspect === on) return;
    this.suspect = on;
    if (on) this.#event("loginSuspect", { text });
    for (const sub of [...this.#subscriptions])
      for (const item of [...sub.items.values()]) {
        if (item._.gone || item.data !== "Ok" || item.closed || item.stream === "NonStreaming") continue;
        item.text = on ? text || "the server's login is suspect" : "";
        this.#call(sub.onUpdate, item, { type: "status" });
      }
  }

  /** A server that is silent is asked, and left when it stays silent. Timers of hidden pages are late: nobody is left without having
   *  been asked. */
  #watch(line, timeout, asked = false) {
    clearTimeout(line.watch);
    line.watch = setTimeout(() => {
      const silent = performance.now() - line.heard;
      if (silent < timeout / 3) return this.#watch(line, timeout);
      if (asked && silent >= timeout) return this.#cut(line, "the server is silent");
      this.#say([{ Type: "Ping" }]);
      this.#watch(line, timeout, true);
    }, timeout / 3);
  }

  #batchAnswer(line, m) {
    const items = line.batches.get(m.ID).filter((item) => item._.wanting && item.stream === "Pending" && line.items.get(item._.id) === item);
    const { Stream: stream = "Closed", Data: data, Code: code = "None", Text: text = "" } = m.State ?? {};
    if (!FINAL.has(stream)) return;
    line.batches.delete(m.ID);
    if (data !== "Suspect") return;
    for (const item of items) this.#dismount(item);
    if (code === "UnableToRequestAsBatch" || code === "NoBatchViewSupportInReq") {
      line.support &= ~1;
      for (const sub of new Set(items.map((item) => item._.sub))) this._ask(sub, items.filter((item) => item._.sub === sub));
    } else for (const item of items) this.#ended(item, stream, data, code, text, m);
  }

  #refused(line, m) {
    this.#event("error", { text: m.Text ?? "", message: m });
    if (this.state === "login") return this.#cut(line, m.Text || "the server did not understand the login");
    const item = line.items.get(m.ID);
    for (const asked of item ? [item] : line.batches.get(m.ID) ?? [])
      if (asked._.wanting && asked.stream === "Pending") {
        this.#dismount(asked);
        this.#ended(asked, "Closed", "Suspect", "UsageError", m.Text ?? "", m);
      }
    const posts = [...this.#posts].filter(([, post]) => post.on === m.ID);
    if (posts.length === 1) this.#answerPost(posts[0][0], new PostError("InvalidContent", m.Text));
  }

  #answerPost(id, answer) {
    const post = this.#posts.get(id);
    if (!post) return;
    this.#posts.delete(id);
    clearTimeout(post.timer);
    if (answer instanceof Error) post.reject(answer);
    else post.resolve({ id, text: answer.Text ?? "", message: answer });
  }

  #itemMessage(item, m) {
    item.received = performance.now();
    if (m.Type === "Update") return this.#update(item, m);
    if (m.Type === "Refresh") return this.#refresh(item, m);
    if (m.Type === "Generic") return this.#event("generic", { item, message: m });
    if (m.Type !== "Status") return void this.stats.unknown++;
    const cleared = m.ClearCache === true && !item._.wanting;
    if (m.ClearCache === true) Object.assign(item._, { building: null, wanting: true }), item.image = null;
    const { Stream: stream = item.stream, Data: data = "NoChange", Code: code = "None", Text: text = "" } = m.State ?? {};
    if (FINAL.has(stream)) {
      this.#dismount(item);
      return this.#ended(item, stream, data, code, text, m);
    }
    if (code === "JitConflationStarted" || code === "RealtimeResumed") this.#event("slow", { on: code === "JitConflationStarted", item, text });
    const healthy = data === "Ok" && !item._.wanting;  // without an image nothing is live
    const now = data === "NoChange" ? item.data : healthy ? "Ok" : "Suspect";
    this.#status(item, item._.wanting ? "Pending" : "Open", item._.wanting ? "Suspect" : now, code, text, m);
    if (cleared && !item._.gone) this.#again(item);
  }

  #refresh(item, m) {
    const i = item._, part = m.PartNumber ?? 0, complete = m.Complete !== false, seen = i.building?.sequence;
    let image;
    if (part === 0 && (m.ClearCache !== false || i.wanting)) image = fresh(m);
    else if (i.building) {
      if (part && part !== i.building.part + 1) return this.#repair(item, `part ${i.building.part + 1} of the image is missing`);
      image = applied(i.building.image, m);
    } else if (part !== 0) return this.#repair(item, "the image came without its first part");
    else image = applied(complete ? item.image : copied(item.image), m);  // what is shown stays as it is until the last part
    if (!complete) return void (i.building = { image, part, sequence: seen });
    const { Stream: stream = "Open", Data: data = "Ok", Code: code = "None", Text: text = "" } = m.State ?? {};
    const now = data === "NoChange" && !i.wanting ? item.data : data === "Ok" ? "Ok" : "Suspect";
    Object.assign(i, { building: null, wanting: false, tries: 0, redirects: 0 });
    Object.assign(item, { image, sequence: seen > m.SeqNumber ? seen : m.SeqNumber, stream, code, text, data: now });
    const over = stream === "NonStreaming" || FINAL.has(stream);
    if (over) this.#dismount(item);
    if (FINAL.has(stream)) return this.#ended(item, stream, data, code, text, m);
    this.#call(i.sub.onUpdate, item, { type: "image", message: m });
  }

  #update(item, m) {
    const i = item._, { sub } = i;
    if (i.building) {
      i.building.sequence = m.SeqNumber;
      if (m.DoNotCache !== true) i.building.image = applied(i.building.image, m);
    }
    if (i.wanting) return void (i.building || this.stats.early++);
    const conflated = m.ConflationInfo?.Count | 0;  // they explain as many numbers
    if (sub.options.checkSequence && m.SeqNumber !== undefined && item.sequence !== undefined && m.SeqNumber > item.sequence + 1 + conflated)
      return this.#repair(item, `updates ${item.sequence + 1} to ${m.SeqNumber - 1} are missing`);
    if (m.SeqNumber !== undefined) item.sequence = m.SeqNumber;
    if (m.DoNotCache !== true) item.image = applied(item.image, m);
    if (conflated > 0) {
      item.conflated += conflated;
      this.stats.conflated += conflated;
      this.#event("conflated", { item, count: conflated });
    }
    this.#call(sub.onUpdate, item, { type: "update", message: m });
  }

  /** The image is no good: nothing of it looks live until there is another. */
  #repair(item, text) {
    Object.assign(item._, { building: null, wanting: true });
    this.#status(item, item.stream, "Suspect", "GapDetected", text);
    if (!item._.gone) this.#again(item);
  }

  /** A stream that is no more. */
  #ended(item, stream, data, code, text, m) {
    const i = item._;
    if (i.gone) return;
    if (stream === "Redirected" && ++i.redirects <= 3 && (m.Key?.Name || m.Private)) {
      i.as = { name: m.Key?.Name ?? item.name, service: m.Key?.Service };
      i.asPrivate = m.Private === true;
      this.#status(item, "Pending", "Suspect", code, text, m);
      return this.#again(item, i.as);
    }
    if (stream === "ClosedRecover" && !i.sub.options.private && !i.asPrivate) {
      this.#status(item, "Pending", "Suspect", code, text, m);
      return this.#again(item);
    }
    this.#status(item, "Closed", data === "Ok" ? "Ok" : "Suspect", code, text, m);
  }
}

/** Begins to connect and goes on until close(), or until the server refuses for good. */
export const connect = (options) => new Session(options);
