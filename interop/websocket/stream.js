// Node's `ws` with its events, compression offered and used, ids that say what they mean, requests one after another: an async iterator
// over what comes. It names its service by number as the directory has it, asks for the directory, pauses and changes a view.
//
// Usage: node stream.js URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
'use strict';
const assert = require('assert');
const { once, on } = require('events');
const fs = require('fs');
const WebSocket = require('ws');

const [url, caFile, mode, seconds, name] = process.argv.slice(2);
const LOGIN = 1;
const DIRECTORY = 2;

async function connect() {
  const socket = new WebSocket(url, ['rssl.json.v2', 'tr_json2'], {
    perMessageDeflate: { threshold: 0 }, ca: url.startsWith('wss') ? fs.readFileSync(caFile) : undefined, headers: { 'X-Desk': '7' },
  });
  const opened = once(socket, 'open');
  const incoming = on(socket, 'message');
  await opened;
  const counts = { pings: 0, pongs: 0 };
  async function* messages() {
    for await (const [data] of incoming) {
      for (const message of JSON.parse(data.toString())) {
        if (message.Type === 'Ping') { counts.pings += 1; socket.send('[{"Type":"Pong"}]'); }
        if (message.Type === 'Pong') counts.pongs += 1;
        yield message;
      }
    }
  }
  const stream = messages();
  return {
    socket, counts,
    say: (...all) => socket.send(JSON.stringify(all)),
    // The next one that fits; what comes before it is passed over.
    next: async (type, id, condition = () => true) => {
      for (;;) {
        const { value, done } = await stream.next();
        assert(!done, 'the connection ended');
        if (type.split('|').includes(value.Type) && (id === undefined || value.ID === id) && condition(value)) return value;
        assert.notEqual(value.Type, 'Error', value.Text);
      }
    },
  };
}

const login = {
  ID: LOGIN, Domain: 1, Type: 1,
  Key: { NameType: 1, Name: 'desk', Elements: { ApplicationId: '256', Position: '10.0.0.1/desk', RoundTripLatency: 2, Role: 0 } },
};

async function everything({ socket, counts, say, next }) {
  const directory = { ID: DIRECTORY, Domain: 'Source', Key: { Filter: 63 } };
  say(directory);
  const map = (await next('Refresh', DIRECTORY, (m) => m.Complete !== false)).Map;
  const found = map.Entries.map((entry) => [entry.Key, entry.FilterList.Entries.find((f) => f.ID === 1).Elements.Name]);
  const service = found.find(([, text]) => text === 'DIRECT_FEED');
  assert(service, `the directory has no DIRECT_FEED: ${JSON.stringify(found)}`);

  say({ ID: 10, Key: { Name: `${name}.A`, Service: service[0] } });
  const image = await next('Refresh', 10);
  assert.deepEqual(image.Key, { Service: 'DIRECT_FEED', Name: `${name}.A` });
  assert.deepEqual((await next('Update', 10)).Key, image.Key);
  say({ ID: 10, Key: { Name: `${name}.A`, Service: service[0] }, View: ['BID', 'BIDSIZE'] });
  assert.deepEqual(Object.keys((await next('Refresh', 10)).Fields).sort(), ['BID', 'BIDSIZE']);

  say({ ID: 20, Key: { Name: [`${name}.B`, `${name}.C`] } }, { ID: 30, Streaming: false, Key: { Name: `${name}.S` } });
  assert.equal((await next('Status', 20)).State.Stream, 'Closed');
  const names = [];
  for (let left = 3; left > 0; left -= 1) {
    const one = await next('Refresh');
    names.push(one.Key.Name);
    if (one.ID === 30) assert.equal(one.State.Stream, 'NonStreaming');
  }
  assert.deepEqual(names.sort(), [`${name}.B`, `${name}.C`, `${name}.S`]);

  const user = { Address: '10.0.0.1', UserID: 1e2 };
  say({ ID: 21, Type: 'Post', Ack: true, PostID: 1, PostUserInfo: user, Key: { Name: `${name}.B`, Service: 'DIRECT_FEED' }, Fields: { BID: 5e-1, TRADE_DATE: '2022-1-5' } });
  const ack = await next('Ack', 21);
  assert(ack.AckID === 1 && !('NakCode' in ack), JSON.stringify(ack));
  say({ ID: LOGIN, Type: 'Post', Domain: 'MarketPrice', Ack: true, PostID: 2, PostUserInfo: user, Key: { Name: `${name}.B`, Service: service[0] }, Fields: { BID: 1e3 } });
  const off = await next('Ack', LOGIN);
  assert(off.AckID === 2 && !('NakCode' in off), JSON.stringify(off));
  assert.deepEqual(off.Key, { Service: 'DIRECT_FEED', Name: `${name}.B` });
  await next('Update', 21, (m) => m.Fields.BID === 1000);
  say({ ID: LOGIN, Type: 'Post', Domain: 'MarketPrice', Ack: true, PostID: 3, PostUserInfo: user, Key: { Name: `${name}.B`, Service: 'NO_SUCH' }, Fields: { BID: 1 } });
  const nowhere = await next('Ack|Error', LOGIN);
  assert(nowhere.Type === 'Error' || (nowhere.AckID === 3 && nowhere.NakCode), JSON.stringify(nowhere));

  say({ ID: [21, 22, 10], Type: 'Close' });
  assert.equal((await next('Status', 21)).State.Stream, 'Closed');
  say({ Type: 'Ping' });
  await next('Pong');
  say({ ID: 40, Key: { Name: `${name}.LAST` } });
  for (let updates = 0; updates < 2; updates += 1) assert.equal((await next('Update')).ID, 40);
  say({ ID: LOGIN, Type: 'Close', Domain: 'Login' });
  socket.close(1000, 'done');
  await once(socket, 'close');
  return `services=${found.length} compressed=${socket.extensions !== ''}`;
}

async function idle({ socket, counts, say, next }) {
  let sent = 0;
  const end = Date.now() + seconds * 1000;
  if (mode === 'answer') {
    while (Date.now() < end) await next('Ping');
  } else {
    for (; Date.now() < end; sent += 1) {
      say({ Type: 'Ping' });
      await next('Pong');
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  assert(socket.readyState === WebSocket.OPEN, 'the server ended the connection');
  return `pings=${counts.pings} pongs=${counts.pongs}`;
}

async function main() {
  const connection = await connect();
  connection.socket.on('close', (code) => finish(new Error(`the server closed with ${code}`)));
  connection.say(login);
  const answer = await connection.next('Refresh', LOGIN);
  assert.equal(answer.State.Stream, 'Open');
  const work = mode === 'all' ? everything : idle;
  return work(connection);
}

let finished = false;
function finish(failure, said) {
  if (finished || (failure && failure.message.endsWith('closed with 1000'))) return;
  finished = true;
  console.log(failure ? `RESULT failed ${failure.message.replace(/\s+/g, ' ')}` : `RESULT ok ${said}`);
  process.exit(failure ? 1 : 0);
}
setTimeout(() => finish(new Error('nothing for 60 s')), 60000 + (mode === 'all' ? 0 : seconds * 1000)).unref();
main().then((said) => finish(null, said), finish);
