// emissary.js under Deno, with its own WebSocket and fetch: deno run --allow-net deno_client.mjs PORT TRANSPORT. Ends when four items move.
import { connect } from "../../web/emissary.js";

const [port, transport] = Deno.args;
const moved = new Set();
const session = connect({ url: `ws://127.0.0.1:${port}/WebSocket`, transport, user: "deno" });
const opened = await session.opened();
session.subscribe("DIRECT_FEED", ["EMI.X", "GBP=", "JPY=", "N1"], { view: ["BID", "ASK"] }, (item, change) => {
  if (change.type !== "update" || item.stale) return;
  moved.add(item.name);
  if (moved.size < 4) return;
  session.close();
  console.log(`moved ${[...moved].sort()} with ${Object.keys(item.fields).sort()}, ${opened.stats.connects} connection`);
  Deno.exit(0);
});
