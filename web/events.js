// The same messages for networks that break WebSocket: text/event-stream by fetch (GET /sse), which a client can only read. Looks like a
// WebSocket to emissary.js, which loads it when it needs it. Rules: docs/spec/web-streaming.md 5.

const MAX_QUERY = 6000;  // the head of a request is bounded by servers, 8 KB at the hub
const LEAVING = 1000;    // ms after which what was left is asked for no more
const AGAIN = 200;       // ms for a server to see that its reader has left

export class EventSocket {
  readyState = 0;
  #url;
  #fetch;
  #login = null;
  #asked = new Map();  // by stream id: the request, and the name that is this stream's
  #line = null;        // the answer that is read
  #coming = null;      // the one that takes its place
  #timer;

  constructor(url, fetch = globalThis.fetch) {
    this.#url = new URL(url);
    this.#url.protocol = this.#url.protocol.replace("ws", "http");
    this.#url.pathname = this.#url.pathname.replace(/\/[^/]*$/, "/sse");
    this.#url.search = "";
    this.#fetch = fetch;
    queueMicrotask(() => {
      if (this.readyState) return;
      this.readyState = 1;
      this.onopen?.();
    });
  }

  send(text) {
    for (const m of JSON.parse(text)) {
      if (m.Domain === "Login") {
        if (m.Type) continue;  // its end, or the answer to a probe
        this.#login = m;
        this.#open();
      } else if (m.Type === "Close") {
        for (const id of [m.ID].flat()) this.forget(id);
        this.#openIn(LEAVING);
      } else if (!m.Type || m.Type === "Request") {
        const names = m.Key?.Name;
        if (Array.isArray(names)) names.forEach((name, n) => this.#asked.set(m.ID + 1 + n, { m, name }));
        else this.#asked.set(m.ID, { m, name: names });
        this.#openIn(0);
      }
    }
  }

  /** The cookies are the login: there is none to be sent. */
  start() { this.#open(); }

  /** The stream has ended. */
  forget(id) { this.#asked.delete(id); }

  close(code = 1000, reason = "") {
    if (this.readyState === 3) return;
    this.readyState = 3;
    clearTimeout(this.#timer);
    this.#line?.abort();
    this.#coming?.abort();
    queueMicrotask(() => this.onclose?.({ code, reason }));
  }

  /** What is asked for goes with one request: another takes the place of the one before when what is wanted changes. */
  #openIn(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), ms);
  }

  async #open() {
    if (this.readyState !== 1) return;
    clearTimeout(this.#timer);
    this.#coming?.abort();
    const line = this.#coming = new AbortController();
    const token = this.#login?.Key.Elements?.AuthenticationToken;
    const headers = { Accept: "text/event-stream", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    let ending = { Code: 1006, Text: "" };
    try {
      this.#url.search = this.#query();
      const answer = await this.#fetch.call(globalThis, this.#url, { headers, signal: line.signal, cache: "no-store", credentials: this.#login ? "omit" : "include" });
      if (!answer.ok || !answer.headers.get("Content-Type")?.startsWith("text/event-stream"))
        throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 200) || "there are no events here"}`);
      const decoder = new TextDecoder(), reader = answer.body.getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        rest += decoder.decode(value, { stream: true });
        const events = rest.split("\n\n");
        rest = events.pop();
        for (const event of events) ending = this.#event(line, event) ?? ending;
      }
    } catch (error) {
      if (line.signal.aborted) return;
      ending.Text ||= String(error.message ?? error);
    }
    if (line === this.#coming && this.#line) {
      // Where a user may have no second login beside the first, the first one ends before.
      this.#line.abort();
      this.#line = this.#coming = null;
      this.#openIn(AGAIN);
    } else if (line === this.#line || line === this.#coming) this.close(ending.Code, ending.Text);
  }

  /** Gives what the event says of the end, if it does. */
  #event(line, event) {
    if (line !== this.#line && line !== this.#coming) return undefined;
    const field = (name) => event.split("\n").find((one) => one.startsWith(name + ": "))?.slice(name.length + 2);
    const data = field("data");
    if (field("event") === "close") return JSON.parse(data);
    if (line !== this.#line) {
      if (data === undefined) return undefined;
      this.#line?.abort();
      this.#line = line;
      this.#coming = null;
    }
    this.onmessage?.({ data: data ?? '[{"Type":"Ping"}]' });  // a comment is a sign of life
    return undefined;
  }

  /** The server gives the streams the numbers that the requests have here. */
  #query() {
    const { Name: user, NameType, Elements = {} } = this.#login?.Key ?? {};
    const query = [];
    const put = (name, value) => query.push(name + "=" + value);
    const text = encodeURIComponent;
    if (user && !NameType) put("user", text(user));
    if (Elements.ApplicationId) put("applicationId", text(Elements.ApplicationId));
    if (Elements.Position) put("position", text(Elements.Position));
    const said = { service: "", domain: "", view: "", snapshot: "0" };
    let size = query.join("&").length;
    const refused = [];
    const ask = ({ m, first, names }) => {
      const { Key, Domain = "", View = [], Streaming } = m;
      const wanted = { service: text(Key.Service ?? ""), domain: text(Domain), view: View.map(text).join(","), snapshot: Streaming === false ? "1" : "0" };
      const before = Object.keys(wanted).filter((name) => wanted[name] !== said[name]).map((name) => `${name}=${wanted[name]}&`).join("");
      const part = () => `${before}id=${names.length > 1 ? first - 1 : first}&names=${names.map(text).join(",")}`;
      while (names.length && size + part().length > MAX_QUERY)
        refused.push([first + names.length - 1, "NoResources", "too many names for a connection without WebSocket"]), names.pop();
      if (!names.length) return;
      query.push(part());
      size += part().length + 1;
      Object.assign(said, wanted);
    };
    let run = null;
    const end = () => {
      // a batch has the number before those of its items, if that is nobody's
      if (run && run.names.length > 1 && this.#asked.has(run.first - 1)) run.names.forEach((name, n) => ask({ m: run.m, first: run.first + n, names: [name] }));
      else if (run) ask(run);
      run = null;
    };
    for (const [id, { m, name }] of [...this.#asked].sort(([a], [b]) => a - b)) {
      if (typeof name !== "string" || m.Private) refused.push([id, "UsageError", "this needs a WebSocket"]);
      else if (run?.m === m && run.first + run.names.length === id) run.names.push(name);
      else {
        end();
        run = { m, first: id, names: [name] };
      }
    }
    end();
    const messages = refused.map(([ID, Code, Text]) => ({ ID, Type: "Status", State: { Stream: "Closed", Data: "Suspect", Code, Text } }));
    for (const { ID } of messages) this.#asked.delete(ID);
    if (messages.length) queueMicrotask(() => { if (this.readyState === 1) this.onmessage?.({ data: JSON.stringify(messages) }); });
    return query.join("&");
  }
}
