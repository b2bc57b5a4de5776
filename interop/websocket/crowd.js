// Node's `ws`: twenty connections of one program, as a server of a web site has them for its visitors, each with items that others have
// as well. They come, read, pause, go on and leave on their own; some leave without a word.
//
// Usage: node crowd.js URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
'use strict';
const fs = require('fs');
const WebSocket = require('ws');

const [url, caFile, mode, seconds, name] = process.argv.slice(2);
const ca = url.startsWith('wss') ? fs.readFileSync(caFile) : undefined;

class Visitor {
  constructor(number) {
    this.number = number;
    this.waiting = [];
    this.pings = this.pongs = 0;
    this.socket = new WebSocket(url, 'tr_json2', { ca });
    this.socket.on('open', () => this.say({ ID: 1, Domain: 'Login', Key: { Name: `visitor${number}`, Elements: { ApplicationId: 256, Position: '127.0.0.1' } } }));
    this.socket.on('message', (data) => JSON.parse(data).forEach((message) => {
      if (message.Type === 'Ping') { this.pings += 1; this.say({ Type: 'Pong' }); }
      if (message.Type === 'Pong') this.pongs += 1;
      this.waiting = this.waiting.filter((wait) => !wait.fits(message) || wait.resolve(message));
    }));
    this.gone = new Promise((resolve) => { this.socket.on('close', resolve); });
    this.gone.then(() => this.waiting.forEach((wait) => wait.reject(new Error(`visitor ${number} was cut off`))));
    this.socket.on('error', (failure) => this.waiting.forEach((wait) => wait.reject(failure)));
  }

  say(...messages) { this.socket.send(JSON.stringify(messages)); }

  expect(fits) { return new Promise((resolve, reject) => { this.waiting.push({ fits, resolve, reject }); }); }

  on(type, id) { return this.expect((m) => m.Type === type && m.ID === id); }

  async visit() {
    await this.on('Refresh', 1);
    const names = [0, 1, 2].map((i) => `${name}.${(this.number + i) % 5}`);
    const images = names.map((_, i) => this.on('Refresh', 11 + i));
    const updates = names.map((_, i) => this.on('Update', 11 + i));
    this.say({ ID: 10, Key: { Name: names }, View: this.number % 2 ? ['BID'] : undefined });
    for (const [i, image] of (await Promise.all(images)).entries()) {
      if (image.Key.Name !== names[i] || (Object.keys(image.Fields).length === 1) !== (this.number % 2 === 1)) {
        throw new Error(`visitor ${this.number}: ${JSON.stringify(image)}`);
      }
    }
    (await Promise.all(updates)).forEach((update, i) => {
      if (update.Key.Name !== names[i] || update.Key.Service !== 'DIRECT_FEED') throw new Error(JSON.stringify(update));
    });
    if (this.number % 3 === 0) { this.socket.terminate(); return; }
    const closed = this.on('Status', 11);
    this.say({ ID: [11, 12, 13], Type: 'Close' });
    await closed;
    this.say({ ID: 1, Type: 'Close', Domain: 'Login' });
    this.socket.close();
    await this.gone;
  }

  async idle() {
    await this.on('Refresh', 1);
    for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
      if (mode === 'send') {
        const pong = this.expect((m) => m.Type === 'Pong');
        this.say({ Type: 'Ping' });
        await pong;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      } else {
        await this.expect((m) => m.Type === 'Ping');
      }
    }
    this.socket.close();
  }
}

const visitors = Array.from({ length: 20 }, (_, i) => new Visitor(i));
function finish(failure) {
  const sum = (what) => visitors.reduce((all, visitor) => all + visitor[what], 0);
  console.log(failure ? `RESULT failed ${failure.message}` : `RESULT ok visitors=${visitors.length} pings=${sum('pings')} pongs=${sum('pongs')}`);
  process.exit(failure ? 1 : 0);
}
setTimeout(() => finish(new Error('nothing for 60 s')), 60000 + (mode === 'all' ? 0 : seconds * 1000)).unref();
Promise.all(visitors.map((visitor) => (mode === 'all' ? visitor.visit() : visitor.idle()))).then(() => finish(), finish);
