// emissary.js in Node against a server of another house: items in single requests or a batch, as the server's login says, a view, a snapshot,
// posts with answers, what is not there, a round trip. With `restart` the server is killed meanwhile: everything is grey, then live again.
//
// Usage: node module_client.mjs URL SERVICE [restart]
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { connect, PostError } from '../../web/emissary.js';

const WebSocket = createRequire(import.meta.url)('/usr/share/nodejs/ws');
const [url, service, mode] = process.argv.slice(2);
const PATIENCE = 120000;
const names = Array.from({ length: 200 }, (_, n) => `JS${n}`);

const say = (line) => process.stdout.write(line + '\n');
const sleepers = new Set();  // conditions that wait, each tried after every message
const changed = () => sleepers.forEach((one) => one());

/** Until the condition holds; fails with what was waited for. */
function until(what, condition) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { sleepers.delete(look); reject(new Error(`waited for ${what} in vain: ${JSON.stringify(errors.slice(-3))}`)); }, PATIENCE);
    const look = () => {
      if (!condition()) return;
      clearTimeout(timer);
      sleepers.delete(look);
      resolve();
    };
    sleepers.add(look);
    look();
  });
}

const errors = [], updates = new Map(names.map((name) => [name, 0]));
let images = 0;
const session = connect({
  url, user: 'interop', WebSocket, retry: { min: 100, max: 1000 }, loginTimeout: PATIENCE, postTimeout: PATIENCE,
  onState: changed,
  onEvent: (event) => { if (event.type === 'error') errors.push(event.text); changed(); },
});

/** Every item has an image of numbers and names, and has moved since. */
async function live(items) {
  await until('200 images', () => [...items.values()].every((item) => !item.stale && item.image));
  for (const item of items.values()) {
    assert.equal(item.image.kind, 'Fields', item.name);
    assert(Object.keys(item.fields).length > 40, `${item.name} has ${Object.keys(item.fields).length} fields`);
    assert.equal(typeof item.fields.BID, 'number', item.name);
  }
  names.forEach((name) => updates.set(name, 0));
  await until('an update of each item', () => names.every((name) => updates.get(name) > 0));
}

try {
  await session.opened();
  const { items } = session.subscribe(service, names, (item, change) => {
    if (change.type === 'image') images += 1;
    if (change.type === 'update' && !item.stale) updates.set(item.name, updates.get(item.name) + 1);
    changed();
  });
  await live(items);

  if (mode === 'restart') {
    say('EXPECT-RESTART');
    await until('all items grey', () => [...items.values()].every((item) => item.stale));
    say('SUSPECT');
    await live(items);
    assert(session.stats.connects > 1);
  } else {
    const once = session.subscribe(service, 'ONCE', { snapshot: true }, changed).items.get('ONCE');
    await until('the snapshot', () => once.image !== null && once.stream === 'NonStreaming');
    const away = session.subscribe(service, 'AWAY', { domain: 'MarketMaker' }, changed).items.get('AWAY');
    await until('the refusal of a domain that is not served', () => away.closed || away.text !== '');
    assert.match(away.text, /not found|capability|not supported|domain/i);
    const ack = await session.post({ item: items.get('JS7'), message: { Type: 'Generic', Domain: 'MarketPrice', Fields: { BID: 1 } } });
    assert(ack.id > 0);
    await assert.rejects(session.post({ item: once, fields: { BID: 1 } }), PostError);
    assert((await session.ping()) >= 0);
  }
  assert.deepEqual(errors, []);
  assert.equal(session.stats.early, 0, 'updates before their image');
  say(`RESULT ok images=${images} messages=${session.stats.messages} connects=${session.stats.connects}`);
  session.close();
} catch (error) {
  say(`RESULT failed ${String(error.message ?? error).replace(/\s+/g, ' ').slice(0, 600)}`);
  session.close();
  process.exitCode = 1;
}
