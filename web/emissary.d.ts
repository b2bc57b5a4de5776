// Types of emissary.js: prices, books and posts over WebSocket (rssl.json.v2).

/** A text of a message as it is on the wire; docs/spec/json.md has its members. */
export type Message = { Type?: string; ID?: number; [member: string]: any };

/** A value of a field: null is a blank one. Numbers above 2^53 lose digits unless `parse` keeps them. */
export type Value = string | number | boolean | null | { [member: string]: any };

/** What the stream has shown so far. Changed in place by later messages: copy what is to be kept. */
export type Image =
  | { kind: "Fields" | "Elements"; data: Record<string, Value> }
  | { kind: "Map"; keyType: string; summary: Image | null; entries: Map<string | number | null, Image | null> }
  | { kind: "FilterList"; entries: Map<number, Image | null> }
  | { kind: "Vector"; sortable: boolean; summary: Image | null; entries: (Image | null)[] }
  | { kind: "Series"; summary: Image | null; entries: (Image | null)[] }
  | { kind: "Message" | "Opaque" | "Xml" | "Json"; data: any };

/** One item of a subscription. It belongs to the session; read it, do not change it. */
export interface Item {
  readonly name: string;
  readonly service: string | number | null | undefined;
  readonly domain: string | number;
  /** "Pending": there is no stream (yet, or again). */
  readonly stream: "Pending" | "Open" | "NonStreaming" | "Closed";
  readonly data: "Ok" | "Suspect";
  /** Code and text of the last state that the server, or the session itself, gave. */
  readonly code: string;
  readonly text: string;
  /** Nothing of it may look live. True while there is no connection and while the server's login is suspect; a snapshot that is complete
   *  stays what it was. */
  readonly stale: boolean;
  /** Nothing will come any more; `text` says why. */
  readonly closed: boolean;
  readonly image: Image | null;
  /** The image's fields when it is a field list, else an empty object. */
  readonly fields: Readonly<Record<string, Value>>;
  /** Updates that the server put together into others, in all. */
  readonly conflated: number;
  /** The last sequence number, where the source has such. */
  readonly sequence: number | undefined;
  /** performance.now() of the last message, in milliseconds; 0: none yet. */
  readonly received: number;
}

/** `status`: the item's state changed, its image did not; without message when the session itself says so. */
export type Change = { type: "image" | "update" | "status"; message?: Message };

export interface SubscribeOptions {
  /** "MarketPrice" when absent; names or numbers of domains. */
  domain?: string | number;
  /** Names of the fields that are wanted. */
  view?: string[];
  /** One image and no updates: `stream` becomes "NonStreaming". */
  snapshot?: boolean;
  /** A private stream. It is not asked for again when its connection is lost: the item is closed. */
  private?: boolean;
  /** false: every item has a request of its own even where the server takes batches. */
  batch?: boolean;
  /** Asks the server to say how many updates it put together (`Item.conflated`). */
  conflation?: boolean;
  /** A jump of sequence numbers makes the item stale and asks for a new image. */
  checkSequence?: boolean;
  /** Quality of service, as json.md 7.8 has it. */
  qos?: { [member: string]: any };
  /** Further members of the key, such as { Filter: 63 } of the directory (domain "Source", names null). */
  key?: { [member: string]: any };
}

export interface Subscription {
  /** By name. */
  readonly items: ReadonlyMap<string, Item>;
  /** Throws after close(). */
  add(names: string | string[]): this;
  remove(names: string | string[]): this;
  /** Shows these fields from now on; each item gets a new image. */
  view(fields: string[] | undefined): this;
  close(): void;
}

export type State = "connecting" | "login" | "open" | "waiting" | "closed";

export interface StateChange {
  state: State;
  url: string;
  /** "sse": the connection of now, or the attempt, is one without WebSocket, which can only be read. */
  transport: "websocket" | "sse";
  /** Attempts in a row that did not last. */
  attempt: number;
  /** Words for people: why there is no connection, what the login's answer says. */
  text: string;
  /** The close code of the connection that ended, else 0. */
  code: number;
  /** "waiting": milliseconds until the next attempt. */
  retryIn?: number;
  /** "closed": "Normal", "Policy" (close code 1008) or the code of the refused login. */
  reason?: string;
}

export type SessionEvent =
  /** The server calls this client slow, or it is over; `disconnected`: it was cut off (1013). */
  | { type: "slow"; on: boolean; text: string; item?: Item; disconnected?: boolean }
  | { type: "conflated"; item: Item; count: number }
  | { type: "rtt"; ms: number }
  | { type: "loginSuspect"; text: string }
  | { type: "generic"; message: Message; item?: Item }
  /** What a server sent that it may not send, or what a callback threw. The session goes on. */
  | { type: "error"; text: string; item?: Item; message?: Message; error?: unknown };

export type Token = string | { token: string; /** Seconds; the session logs in again at four fifths of them. */ expiresIn?: number };

export interface ConnectOptions {
  /** ws: or wss: address; of several the next one is tried after each failure. */
  url: string | string[];
  /** The login's name; "user" when absent. */
  user?: string;
  password?: string;
  /** Login by token in place of a name. A function is asked for each login, so a token that has ended is followed by a new one. */
  token?: Token | (() => Token | Promise<Token>);
  /** The page's cookies are the login (wss: only): nothing is sent, and the server says whether they are good. `renew()` needs a `token`. */
  cookies?: boolean;
  applicationId?: string | number;
  position?: string;
  /** Further elements of the login's key. */
  loginElements?: Record<string, Value>;
  onState?: (change: StateChange) => void;
  onEvent?: (event: SessionEvent) => void;
  /** Bounds of the back-off in milliseconds: 500 and 30000. Each attempt draws from the upper half of what it may wait. */
  retry?: { min?: number; max?: number };
  /** Milliseconds for a connection and its login: 10000. */
  loginTimeout?: number;
  /** Milliseconds for the answer to a post: 15000. */
  postTimeout?: number;
  /** Milliseconds of silence after which a server that does not say so itself is left: 60000. */
  pingTimeout?: number;
  protocols?: string[];
  /** "auto": WebSocket, and after two in a row that did not open every second attempt reads events (GET /sse of the same address), for
   *  networks that break WebSocket. Such a connection can only be read: no posts, no pings, no private streams, no login by password, some
   *  hundred names. "websocket" and "sse": that one alone. "auto" when absent. */
  transport?: "auto" | "websocket" | "sse";
  /** For transport "sse", in place of the global one. */
  fetch?: typeof fetch;
  /** Where there is no global WebSocket (Node 20): the class of the package `ws`. */
  WebSocket?: any;
  /** In place of JSON.parse, for numbers of more than 53 bits. */
  parse?: (text: string) => any;
  /** In place of Math.random: numbers from 0 to below 1. */
  random?: () => number;
}

/** Off stream: service, name and domain say which item; on the stream of an open item: `item`. */
export interface Post {
  item?: Item;
  service?: string | number;
  name?: string;
  domain?: string | number;
  /** Sent as an Update of these fields. */
  fields?: Record<string, Value>;
  /** A whole message instead. */
  message?: Message;
  /** false: nobody answers, and the promise resolves at once. */
  ack?: boolean;
  user?: { Address: string; UserID: number };
  /** Bits: Create 1, Delete 2, ModifyPerm 4. */
  rights?: number;
  timeout?: number;
}

/** `code` is the NAK's code, or NotOpen and ReadOnly (not sent), NoResponse, Disconnected (nobody knows what became of it). */
export declare class PostError extends Error {
  readonly code: string | number;
}

export declare class Session {
  private constructor(options: ConnectOptions);
  readonly state: State;
  /** The server does not vouch for what it sends (login Suspect): all items are stale. */
  readonly suspect: boolean;
  readonly stats: {
    readonly connects: number;
    readonly messages: number;
    /** Characters of all texts. */
    readonly bytes: number;
    /** Updates that came before their image. */
    readonly early: number;
    /** Messages for no stream that is open: what is on the way when a stream is closed. */
    readonly unknown: number;
    readonly conflated: number;
    /** Milliseconds of the last round trip. */
    readonly rtt: number | undefined;
  };
  /** Resolves when the login is accepted; fails when it is refused for good or the session is closed. */
  opened(): Promise<this>;
  /** May be called at any time: what is asked for without a connection is sent when there is one, and again after each loss. */
  subscribe(service: string | number | null, names: string | string[] | null, options: SubscribeOptions,
    onUpdate?: (item: Item, change: Change) => void): Subscription;
  subscribe(service: string | number | null, names: string | string[] | null, onUpdate?: (item: Item, change: Change) => void): Subscription;
  unsubscribe(subscription: Subscription): void;
  /** Resolves with the acknowledgement, fails with a PostError. */
  post(post: Post): Promise<{ id: number; text?: string; message?: Message }>;
  /** Milliseconds until the server answers a ping. */
  ping(): Promise<number>;
  /** Logs in again with a token asked for now. */
  renew(): Promise<void>;
  /** Ends everything; items become closed, promises fail. */
  close(): void;
}

/** Begins to connect, and goes on until close() or a refusal for good. Callbacks are called from the event loop, never from within
 *  connect(), with the exception of the first onState("connecting"). */
export declare function connect(options: ConnectOptions): Session;
