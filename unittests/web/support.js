// What the tests of web/ share: waiting without sleeping, a server that plays what a test says, programs of the build.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const PATIENCE = 60000;
export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const { WebSocket, WebSocketServer } = (() => {
  try {
    return createRequire(import.meta.url)("/usr/share/nodejs/ws");
  } catch {
    throw new Error("Debian's package node-ws is not installed: run dev/install_packages.sh peers");
  }
})();
export { WebSocket };

/** Fails with what was waited for, so that nothing hangs. */
export function within(promise, what, ms = PATIENCE) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`waited for ${what} in vain`)), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A list that can be waited for: `await list.next(condition)` gives the first element that fits and drops what stands before it. */
export class Heard {
  #all = [];
  #waiting = null;
  push(value) {
    this.#all.push(value);
    this.#waiting?.();
  }
  get length() { return this.#all.length; }
  next(condition = () => true, what = String(condition)) {
    return within(new Promise((resolve) => {
      this.#waiting = () => {
        const at = this.#all.findIndex(condition);
        if (at < 0) return;
        this.#waiting = null;
        resolve(this.#all.splice(0, at + 1)[at]);
      };
      this.#waiting();
    }), what).catch((error) => {
      this.#waiting = null;
      throw new Error(`${error.message}; there was ${JSON.stringify(this.#all.slice(-5))?.slice(0, 600)}`);
    });
  }
}

/** A server on a free port. `await server.client()` is the next connection: say(...messages), text(raw), got (all it sent), closed. */
export class Script {
  connections = new Heard();
  static async start(port = 0) {
    const script = new Script();
    script.server = new WebSocketServer({ port, host: "127.0.0.1", handleProtocols: (offered) => [...offered][0] });
    script.server.on("connection", (socket) => {
      const got = new Heard();
      socket.on("message", (data) => { for (const m of [JSON.parse(data.toString())].flat()) got.push(m); });
      const closed = new Promise((resolve) => socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() })));
      script.connections.push({ socket, got, closed, text: (raw) => socket.send(raw), say: (...all) => socket.send(JSON.stringify(all)) });
    });
    await once(script.server, "listening");
    script.port = script.server.address().port;
    script.url = `ws://127.0.0.1:${script.port}/WebSocket`;
    return script;
  }
  client() { return this.connections.next(undefined, "a connection"); }
  /** The next connection, logged in. */
  async loggedIn(elements = { SupportBatchRequests: 7 }, payload) {
    const client = await this.client();
    client.login = await client.got.next((m) => m.Domain === "Login");
    client.say(loginRefresh(elements, payload));
    return client;
  }
  async stop() {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const loginRefresh = (elements = {}, payload) => ({ ID: 1, Type: "Refresh", Domain: "Login", Key: { Name: "user", Elements: elements },
  State: { Stream: "Open", Data: "Ok", Text: "accepted" }, ...(payload ? { Elements: payload } : {}) });
export const refresh = (ID, Fields, more) => ({ ID, Type: "Refresh", State: { Stream: "Open", Data: "Ok" }, Fields, ...more });
export const update = (ID, Fields, more) => ({ ID, Type: "Update", UpdateType: "Quote", Fields, ...more });
export const status = (ID, Stream, Data, more) => ({ ID, Type: "Status", State: { Stream, Data, ...more } });

/** States, events and changes of a session, to be waited for. */
export function watched(connect, options) {
  const states = new Heard(), events = new Heard();
  const session = connect({ WebSocket, retry: { min: 20, max: 100 }, ...options,
    onState: (s) => states.push(s), onEvent: (e) => events.push(e) });
  return { session, states, events };
}

/** What an onUpdate hears, with copies of what the item was then. */
export function recorder() {
  const heard = new Heard();
  const on = (item, change) => heard.push({ ...change, item, name: item.name, fields: { ...item.fields }, stream: item.stream, data: item.data,
    stale: item.stale, text: item.text, code: item.code });
  return { heard, on };
}

export async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until somebody listens there. */
export async function listening(port, program) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    if (program?.exitCode != null) throw new Error(`${program.spawnfile} ended: ${program.said}`);
    const socket = net.connect(port, "127.0.0.1");
    const up = await new Promise((resolve) => socket.once("connect", () => resolve(true)).once("error", () => resolve(false)));
    socket.destroy();
    if (up) return;
    if (Date.now() > end) throw new Error(`nobody listens on ${port}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A folder with the dictionaries, removed at the end. */
export function folder(t) {
  const here = fs.mkdtempSync(path.join(os.tmpdir(), "emissary-web-"));
  for (const file of ["RDMFieldDictionary", "enumtype.def", "MsgData.xml"]) fs.symlinkSync(path.join(root, "etc", file), path.join(here, file));
  t.after(() => fs.rmSync(here, { recursive: true, force: true }));
  return here;
}

/** A program of the build (EMISSARY_BIN), killed at the end of the test. */
export function run(t, name, args, cwd) {
  const bin = process.env.EMISSARY_BIN;
  if (!bin) throw new Error("EMISSARY_BIN names the folder of the programs");
  const program = spawn(path.join(bin, name), args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  program.said = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (data) => { program.said = (program.said + data).slice(-4000); });
  t.after(() => kill(program));
  return program;
}

export async function kill(program, signal = "SIGKILL") {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, "exit");
  program.kill(signal);
  await within(gone, "the end of a program");
}

/** EmaCppIProvPerf on a port. */
export async function provider(t, port, ...more) {
  const here = folder(t);
  fs.copyFileSync(path.join(root, "EmaConfig.xml"), path.join(here, "EmaConfig.xml"));
  const program = run(t, "EmaCppIProvPerf", ["-p", String(port), "-providerName", "Perf_Provider_1", "-updateRate", "1000", "-runTime", "300", "-noDisplayStats", ...more], here);
  await listening(port, program);
  return program;
}

/** emissary-hub in front of the provider; `again()` starts it once more. */
export async function hub(t, upstream, more = "", ofPort = "") {
  const here = folder(t), port = await freePort();
  fs.writeFileSync(path.join(here, "HubConfig.xml"), `<HubConfig>
    <Hub><Name value="web"/><Listeners value="Clients"/><NiListeners value="Publishers"/><HttpPort value="0"/><Dictionary value="Files"/>${more}</Hub>
    <ServerGroup><ServerList><Server><Name value="Clients"/><Port value="${port}"/>${ofPort}</Server>
      <Server><Name value="Publishers"/><Port value="0"/></Server></ServerList></ServerGroup>
    <SourceGroup><SourceList><Source><Name value="Up"/><Channel value="Up"/><ReconnectMinDelay value="50"/><ReconnectMaxDelay value="100"/></Source></SourceList></SourceGroup>
    <ChannelGroup><ChannelList><Channel><Name value="Up"/><Host value="127.0.0.1"/><Port value="${upstream}"/></Channel></ChannelList></ChannelGroup>
    <DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/><DictionaryType value="FileDictionary"/></Dictionary></DictionaryList></DictionaryGroup>
  </HubConfig>`);
  const again = async () => {
    const program = run(t, "emissary-hub", ["-c", "HubConfig.xml"], here);
    await listening(port, program);
    return program;
  };
  return { port, program: await again(), again };
}
