// emissary.js under Deno (EMISSARY_DENO), over WebSocket and without, against emissary-hub in front of EmaCppIProvPerf.
import test from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { freePort, hub, provider, root } from "./support.js";

for (const transport of ["websocket", "sse"])
  test(`four items move under Deno: ${transport}`, async (t) => {
    const upstream = await freePort();
    await provider(t, upstream);
    const front = await hub(t, upstream, "", '<Sse value="1"/>');
    const client = path.join(root, "unittests/web/deno_client.mjs");
    const { stdout } = await promisify(execFile)(process.env.EMISSARY_DENO, ["run", "--allow-net", "--no-remote", client, String(front.port), transport], { timeout: 60000 });
    assert.equal(stdout.trim(), "moved EMI.X,GBP=,JPY=,N1 with ASK,BID, 1 connection");
  });
