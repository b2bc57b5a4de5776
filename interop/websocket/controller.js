// Node's `ws`, used as a web page uses its WebSocket: a controller that logs in on ID 0, counts ids up from 1, and keeps a callback for
// each item. The browser's own interface (onopen, onmessage) and nothing else.
//
// Usage: node controller.js URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
'use strict';
const fs = require('fs');
const WebSocket = require('ws');

const [url, caFile, mode, seconds, name] = process.argv.slice(2);
const tls = url.startsWith('wss') ? { ca: fs.readFileSync(caFile) } : {};

class Controller {
  constructor() {
    this.items = new Map();
    this.nextId = 1;
    this.postId = 1;
    this.posts = new Map();
    this.pings = this.pongs = 0;
    this.onended = () => {};
  }

  connect(user) {
    return new Promise((resolve, reject) => {
      this.socket = new WebSocket(url, ['tr_json2'], { origin: 'http://localhost:8000', ...tls });
      this.socket.onopen = () => this.send({
        ID: 0, Domain: 'Login', Key: { Name: user, Elements: { ApplicationId: 256, ApplicationName: 'page', Position: '127.0.0.1' } },
      });
      this.socket.onerror = (event) => reject(new Error(`connection: ${event.message}`));
      this.socket.onclose = (event) => {
        reject(new Error(`closed with ${event.code} ${event.reason}`));
        this.onended(event);
      };
      this.items.set(0, (message) => {
        if (message.State.Stream === 'Open' && message.State.Data === 'Ok') resolve(message);
        else reject(new Error(JSON.stringify(message)));
      });
      this.socket.onmessage = (event) => JSON.parse(event.data).forEach((message) => this.message(message));
    });
  }

  message(message) {
    switch (message.Type) {
      case 'Ping': this.pings += 1; this.send({ Type: 'Pong' }); break;
      case 'Pong': this.pongs += 1; break;
      case 'Ack': this.posts.get(message.AckID)(message); break;
      case 'Error': if (this.onrefused) this.onrefused(message); break;
      default: {
        const callback = this.items.get(message.ID);
        if (callback) callback(message);
      }
    }
  }

  send(message) { this.socket.send(JSON.stringify(message)); }

  open(request, callback) {
    const id = this.nextId;
    const names = request.Key.Name;
    if (Array.isArray(names)) {
      names.forEach((_, i) => this.items.set(id + 1 + i, callback));
      this.nextId += names.length;
    }
    this.nextId += 1;
    this.items.set(id, callback);
    this.send({ ID: id, ...request });
    return id;
  }

  close(ids) {
    (Array.isArray(ids) ? ids : [ids]).forEach((id) => this.items.delete(id));
    this.send({ ID: ids, Type: 'Close' });
  }

  post(id, fields, more = {}) {
    return new Promise((resolve) => {
      const postId = this.postId++;
      this.posts.set(postId, resolve);
      this.send({
        ID: id, Type: 'Post', Domain: 'MarketPrice', Ack: true, PostID: postId, PostUserInfo: { Address: '127.0.0.1', UserID: 11 },
        Message: { ID: 0, Type: 'Update', Fields: fields }, ...more,
      });
    });
  }
}

function check(condition, text, message) {
  if (!condition) throw new Error(`${text}: ${JSON.stringify(message)}`);
}

// when(subscribe): the first message for which a condition holds
function watch(controller, request) {
  const seen = [];
  let waiting = [];
  const id = controller.open(request, (message) => {
    seen.push(message);
    waiting = waiting.filter(([condition, resolve]) => !condition(message) || resolve(message));
  });
  const when = (condition) => new Promise((resolve) => {
    const found = seen.find(condition);
    if (found) resolve(found);
    else waiting.push([condition, resolve]);
  });
  return { id, seen, when };
}

const isType = (type) => (message) => message.Type === type;

async function everything(controller) {
  const item = watch(controller, { Key: { Name: `${name}.A` } });
  check(item.id === 1, 'first id', item.id);
  const image = await item.when(isType('Refresh'));
  check(image.Key.Service === 'DIRECT_FEED' && image.Key.Name === `${name}.A` && typeof image.Fields.BID === 'number', 'image', image);
  const update = await item.when(isType('Update'));
  check(update.Key.Name === `${name}.A` && update.Key.Service === 'DIRECT_FEED', 'key of an update', update);

  const none = await watch(controller, { Key: { Name: `NONE.${name}` } }).when(isType('Status'));
  check(none.State.Stream === 'Closed' && none.State.Code === 'NotFound' && none.Key.Name === `NONE.${name}`, 'an item that is none', none);

  const batch = watch(controller, { Key: { Name: ['B', 'C', 'D'].map((one) => `${name}.${one}`) }, View: ['BID', 'DSPLY_NAME'] });
  await batch.when((m) => m.Type === 'Status' && m.ID === batch.id && m.State.Stream === 'Closed');
  for (const [i, one] of ['B', 'C', 'D'].entries()) {
    const part = await batch.when((m) => m.Type === 'Refresh' && m.ID === batch.id + 1 + i);
    check(part.Key.Name === `${name}.${one}` && Object.keys(part.Fields).sort().join() === 'BID,DSPLY_NAME', 'image of a batch', part);
    await batch.when((m) => m.Type === 'Update' && m.ID === batch.id + 1 + i && m.Key.Name === `${name}.${one}`);
  }
  const snapshot = await watch(controller, { Key: { Name: `${name}.S` }, Streaming: false }).when(isType('Refresh'));
  check(snapshot.State.Stream === 'NonStreaming', 'snapshot', snapshot);

  const ack = await controller.post(item.id, { BID: 0.1 + 0.2, ASK: null });
  check(ack.ID === item.id && !('NakCode' in ack), 'post on stream', ack);
  await item.when((m) => m.Type === 'Update' && m.Fields.BID === 0.3 && m.PostUserInfo.UserID === 11);
  const off = await controller.post(0, { BID: 1e-15 }, { Key: { Name: `${name}.A`, Service: 'DIRECT_FEED' } });
  check(off.ID === 0 && !('NakCode' in off), 'post off stream', off);
  await item.when((m) => m.Type === 'Update' && m.Fields.BID === 0);
  const nak = await controller.post(0, { BID: -1 }, { Key: { Name: `${name}.A` } });
  check(nak.NakCode === 'InvalidContent', 'refusal of a post', nak);
  const refused = new Promise((resolve) => { controller.onrefused = resolve; });
  controller.send([{ ID: item.id, Type: 'Post', PostID: 77, Fields: { NO_SUCH_FIELD: 1 } }, { Type: 'Ping' }]);
  const error = await refused;
  check(error.Text.includes('NO_SUCH_FIELD'), 'a field that is none', error);

  controller.close([batch.id + 1, batch.id + 2, batch.id + 3]);
  controller.close(item.id);
  const last = watch(controller, { Key: { Name: `${name}.LAST` } });
  await last.when(isType('Refresh'));
  let late = 0;
  const deliver = controller.message.bind(controller);
  controller.message = (message) => { late += message.Type === 'Update' && message.ID !== last.id; deliver(message); };
  await last.when((m) => m.Type === 'Update' && m !== last.seen.find(isType('Update')));
  check(late === 0, 'updates after the close', late);
  check(controller.pongs >= 1, 'answers to pings', controller.pongs);
  const ended = new Promise((resolve) => { controller.onended = resolve; });
  controller.send({ ID: 0, Type: 'Close', Domain: 'Login' });
  controller.socket.close();
  const event = await ended;
  return `ids=${controller.nextId} closed=${event.code}`;
}

async function idle(controller) {
  let failure;
  controller.onended = (event) => { failure = new Error(`closed with ${event.code}`); };
  let sent = 0;
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (mode === 'send') {
      controller.send({ Type: 'Ping' });
      sent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (failure) throw failure;
  }
  check(mode === 'send' ? controller.pongs >= sent - 2 : controller.pings > 0, 'pings', [controller.pings, controller.pongs, sent]);
  controller.socket.close();
  return `pings=${controller.pings} pongs=${controller.pongs}`;
}

async function main() {
  const controller = new Controller();
  await controller.connect('page');
  return mode === 'all' ? everything(controller) : idle(controller);
}

setTimeout(() => finish(new Error('nothing for 60 s')), 60000 + (mode === 'all' ? 0 : seconds * 1000)).unref();
function finish(failure, said) {
  console.log(failure ? `RESULT failed ${failure.message}` : `RESULT ok ${said}`);
  process.exit(failure ? 1 : 0);
}
main().then((said) => finish(null, said), finish);
