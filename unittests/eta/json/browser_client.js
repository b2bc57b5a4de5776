// A page's client of a JSON provider: nothing but the browser's own WebSocket. Logs in, looks at the directory, requests
// two items, posts on one, and resolves to what it saw; rejects with a sentence. Run by browser_client.py.
async function session(url, protocol, patienceMs) {
  const socket = new WebSocket(url, [protocol]);
  const inbox = [];
  let wake = null, ended = null;
  const notice = () => { if (wake) { wake(); wake = null; } };
  socket.onmessage = event => {
    if (typeof event.data !== "string") ended = "JSON must come in text frames";
    else inbox.push(...JSON.parse(event.data));
    notice();
  };
  socket.onclose = event => { ended = ended || `closed with ${event.code} ${event.reason}`; notice(); };
  const timer = setTimeout(() => { ended = `nothing more came, waiting messages: ${JSON.stringify(inbox)}`; notice(); }, patienceMs);
  const changed = () => new Promise(resolve => { wake = resolve; });
  const check = (condition, what, message) => {
    if (!condition) throw new Error(`${what}: ${JSON.stringify(message)}`);
  };
  const send = (...messages) => socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
  // The next message that has these values; others are passed over, pings answered.
  const next = async wanted => {
    for (;;) {
      while (inbox.length === 0) {
        if (ended) throw new Error(`waiting for ${JSON.stringify(wanted)}: ${ended}`);
        await changed();
      }
      const message = inbox.shift();
      if (message.Type === "Ping") send({ Type: "Pong" });
      else if (Object.entries(wanted).every(([name, value]) => message[name] === value)) return message;
    }
  };

  try {
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error("the WebSocket was not opened"));
    });
    const seen = { protocol: socket.protocol, extensions: socket.extensions };

    send({ ID: 1, Domain: "Login", Key: { Name: "dana", Elements: { ApplicationId: "256", Position: "127.0.0.1/net" } } });
    const login = await next({ ID: 1 });
    check(login.Type === "Refresh" && login.Domain === "Login" && login.State.Stream === "Open", "login", login);

    send({ ID: 2, Domain: "Source", Key: { Filter: 63 } });
    const directory = await next({ ID: 2 });
    const service = directory.Map.Entries[0].FilterList.Entries[0].Elements.Name;
    check(typeof service === "string", "directory", directory);

    send({ ID: 10, Key: { Name: "ZINC.D", Service: service } }, { ID: 11, Key: { Name: "LEAD.D", Service: service } });
    seen.images = [];
    for (const id of [10, 11]) {
      const refresh = await next({ ID: id });
      check(refresh.Type === "Refresh" && refresh.State.Data === "Ok", "image", refresh);
      seen.images.push([refresh.Key.Name, refresh.Fields.BID]);
    }

    // Two posts, so that two updates come.
    seen.updates = [];
    seen.acks = [];
    for (const [id, bid] of [[7, 41.25], [8, 41.5]]) {
      send({ ID: 10, Type: "Post", Ack: true, PostID: id, PostUserInfo: { Address: "10.9.8.7", UserID: 77 },
             Fields: { BID: bid } });
      const update = await next({ ID: 10, Type: "Update" });
      seen.updates.push([update.Fields.BID, update.PostUserInfo.UserID]);
      const ack = await next({ Type: "Ack" });
      seen.acks.push([ack.ID, ack.AckID, ack.NakCode ?? null]);
    }
    send({ ID: 1, Type: "Post", Ack: true, PostID: 9, PostUserInfo: { Address: "10.9.8.7", UserID: 77 },
           Key: { Name: "LEAD.D", Service: service }, Message: { ID: 0, Type: "Update", Fields: { BID: -1 } } });
    const nak = await next({ Type: "Ack" });
    seen.acks.push([nak.ID, nak.AckID, nak.NakCode ?? null]);

    send({ ID: 12, Key: { Name: "X", Service: "NO_SUCH_SERVICE" } });
    seen.error = (await next({ Type: "Error" })).ID;
    send({ Type: "Ping" });
    await next({ Type: "Pong" });
    send({ ID: 1, Type: "Close", Domain: "Login" });
    return seen;
  } finally {
    clearTimeout(timer);
    socket.close(1000);
  }
}
