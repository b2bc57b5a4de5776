// The package as npm would lay it out: what `files` names is there, is enough to run from a folder of its own, and is small.
import test from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { root } from "./support.js";

const web = path.join(root, "web");
const manifest = JSON.parse(fs.readFileSync(path.join(web, "package.json"), "utf8"));

/** A folder with node_modules/emissary-web, as an installation leaves it. */
function installed(t) {
  const here = fs.mkdtempSync(path.join(os.tmpdir(), "emissary-npm-"));
  t.after(() => fs.rmSync(here, { recursive: true, force: true }));
  const there = path.join(here, "node_modules", manifest.name);
  fs.mkdirSync(there, { recursive: true });
  for (const file of [...manifest.files, "package.json"]) fs.cpSync(path.join(web, file), path.join(there, file), { recursive: true });
  return here;
}

test("a program of somebody else imports it by its name", (t) => {
  const here = installed(t);
  fs.writeFileSync(path.join(here, "main.mjs"), `import { connect, Session, PostError, Item } from "${manifest.name}";
    import { book } from "${manifest.name}/books";
    const states = [];
    class Nobody { constructor() { throw new Error("no network"); } }
    const session = connect({ url: "ws://x", WebSocket: Nobody, onState: ({ state }) => { states.push(state); if (state === "waiting") session.close(); } });
    session.opened().catch(() => console.log(states.join(), [connect, Session, PostError, Item, book].every((f) => typeof f === "function")));`);
  const said = execFileSync(process.execPath, ["main.mjs"], { cwd: here, encoding: "utf8", env: { PATH: process.env.PATH } });
  assert.equal(said.trim(), "connecting,waiting,closed true");
});

test("nothing of it comes from elsewhere, and it is at most 12 KB as it travels", () => {
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.version, fs.readFileSync(path.join(root, "CMakeLists.txt"), "utf8").match(/VERSION (\d+\.\d+\.\d+)/)[1]);
  const sources = manifest.files.filter((file) => file.endsWith(".js"));
  for (const file of sources)
    for (const [, from] of fs.readFileSync(path.join(web, file), "utf8").matchAll(/\bfrom "([^"]+)"/g)) assert(sources.includes(from.replace("./", "")), from);
  const travels = (files) => files.reduce((sum, file) => sum + zlib.gzipSync(fs.readFileSync(path.join(web, file))).length, 0);
  assert(travels(sources.filter((file) => file !== "events.js")) <= 12 * 1024, `${travels(sources)} bytes`);
  assert(travels(["events.js"]) <= 3 * 1024, "loaded by those who have no WebSocket alone");
});

test("the types name what the module exports and nothing else", async () => {
  const types = fs.readFileSync(path.join(web, manifest.types), "utf8");
  const module = await import(path.join(web, manifest.main));
  const declared = [...types.matchAll(/^export declare (?:class|function|const) (\w+)/gm)].map((m) => m[1]);
  assert.deepEqual(declared.sort(), Object.keys(module).sort().filter((name) => name !== "Item"));
  const members = [...types.matchAll(/export declare class Session \{([\s\S]*?)\n\}/g)][0][1].matchAll(/^ {2}(\w+)\(/gm);
  for (const [, name] of members) if (name !== "constructor") assert.equal(typeof module.Session.prototype[name], "function", name);
});
