// Images by the rules of docs/spec/hub.md 6.3 without ripple: what later messages leave of earlier ones.
import test from "node:test";
import assert from "node:assert/strict";
import { applied, fresh } from "../../web/images.js";

const laid = (...all) => all.reduce((image, one) => applied(image, one), null);
const plain = (image) => image && { ...image, ...(image.data ? { data: { ...image.data } } : {}) };
const fields = (image) => ({ ...image.data });

test("fields: values are replaced, blank is a value, the rest stays", () => {
  const image = laid({ Fields: { BID: 1.5, ASK: 2, TEXT: "a" } }, { Fields: { BID: null, NEW: 3 } }, {});
  assert.deepEqual(fields(image), { BID: null, ASK: 2, TEXT: "a", NEW: 3 });
});

test("fields may have the names of members of objects", () => {
  const image = laid(JSON.parse('{"Fields":{"__proto__":{"evil":1},"constructor":2,"hasOwnProperty":3}}'));
  assert.equal(image.data.evil, undefined);
  assert.equal({}.evil, undefined);
  assert.deepEqual(Object.keys(image.data).sort(), ["__proto__", "constructor", "hasOwnProperty"]);
});

test("another container replaces the one before", () => {
  const image = laid({ Fields: { BID: 1 } }, { Elements: { a: 1 } });
  assert.deepEqual(plain(image), { kind: "Elements", data: { a: 1 } });
  assert.deepEqual(laid({ Fields: { BID: 1 } }, { Json: [1] }), { kind: "Json", data: [1] });
});

test("maps: add replaces, update merges or creates, delete removes, summary merges, unknown actions do nothing", () => {
  const map = (Summary, ...Entries) => ({ Map: { KeyType: "Buffer", ...(Summary ? { Summary } : {}), Entries } });
  const entry = (Action, Key, Fields) => ({ Action, Key, Fields });
  const image = laid(
    map({ Fields: { CURRENCY: "USD", X: 1 } }, entry("Add", "a", { P: 1, S: 2 }), entry("Add", "b", { P: 3 }), entry("Add", 7, { P: 9 })),
    map({ Fields: { X: 2 } }, entry("Update", "a", { S: 5 }), entry("Delete", "b"), entry("Update", "c", { P: 4 }),
      entry("Delete", "nobody"), entry("Zap", "a", { P: 0 }), entry("Add", 7, { S: 1 })));
  assert.deepEqual(fields(image.summary), { CURRENCY: "USD", X: 2 });
  assert.deepEqual([...image.entries].map(([key, one]) => [key, fields(one)]), [["a", { P: 1, S: 5 }], [7, { S: 1 }], ["c", { P: 4 }]]);
});

test("filter lists: set replaces, update merges, clear removes", () => {
  const list = (...Entries) => ({ FilterList: { Entries } });
  const image = laid(list({ ID: 1, Action: "Set", Elements: { a: 1 } }, { ID: 2, Action: "Set", Elements: { b: 1 } }),
    list({ ID: 1, Action: "Update", Elements: { c: 2 } }, { ID: 2, Action: "Clear" }, { ID: 3, Action: "Update", Elements: { d: 1 } }));
  assert.deepEqual([...image.entries].map(([id, one]) => [id, fields(one)]), [[1, { a: 1, c: 2 }], [3, { d: 1 }]]);
});

test("sorted vectors shift, others keep their positions", () => {
  const vector = (SupportSorting, ...Entries) => ({ Vector: { SupportSorting, Entries } });
  const at = (Index, Action, V) => ({ Index, Action, ...(V === undefined ? {} : { Fields: { V } }) });
  const values = (image) => image.entries.map((one) => one && one.data.V);
  const sorted = laid(vector(true, at(0, "Set", 10), at(1, "Set", 11), at(2, "Set", 12)),
    vector(true, at(1, "Insert", 99), at(0, "Delete"), at(2, "Clear"), at(0, "Update", 98)));
  assert.deepEqual(values(sorted), [98, 11, null]);
  const loose = laid(vector(false, at(0, "Set", 10), at(1, "Set", 11)), vector(false, at(0, "Insert", 5), at(1, "Delete"), at(3, "Set", 7)));
  assert.deepEqual(values(loose), [5, null, null, 7]);
});

test("series grow", () => {
  const image = laid({ Series: { Entries: [{ Fields: { V: 1 } }] } }, { Series: { Entries: [{ Fields: { V: 2 } }, {}] } });
  assert.deepEqual(image.entries.map((one) => one && one.data.V), [1, 2, null]);
});

test("what no server may send is refused and claims nothing", () => {
  for (const bad of [{ Fields: 5 }, { Fields: null }, { Fields: [1] }, { Map: { Entries: 3 } }, { Map: { Entries: [null] } }, { Map: "x" },
    { Vector: { Entries: [{ Index: 4294967295, Action: "Set" }] } }, { Vector: { Entries: [{ Index: -1, Action: "Set" }] } },
    { Vector: { Entries: [{ Index: "1", Action: "Set" }] } }, { FilterList: { Entries: ["x"] } }])
    assert.throws(() => fresh(bad), TypeError, JSON.stringify(bad));
});
