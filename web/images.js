// What a stream has shown so far: refreshes and updates of rssl.json.v2 laid over each other (docs/spec/web-streaming.md 1).

const CONTAINERS = ["Fields", "Elements", "Map", "Vector", "FilterList", "Series", "Message", "Opaque", "Xml", "Json"];
const LONGEST = 65536;  // positions of a vector, entries of a series: claims of the peer are not believed beyond

/** The name of the payload that a message or an entry has, undefined without one. */
export const containerOf = (carrier) => CONTAINERS.find((name) => carrier[name] !== undefined);

/** The image that `carrier` (a message, an entry, a summary) leaves behind `image`; null stands for "nothing yet". Images belong to
 *  whoever holds them and are changed in place. Throws a TypeError for what no server may send; the image is then no good any more. */
export function applied(image, carrier) {
  const kind = containerOf(carrier);
  if (kind === undefined) return image;
  const data = carrier[kind];
  const merge = MERGE[kind];
  if (!merge) return { kind, data };
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new TypeError(`${kind} is no object`);
  const before = image && image.kind === kind ? image : null;
  return merge(before, data, kind);
}

/** The same without what was there before. */
export const fresh = (carrier) => applied(null, carrier);

/** One that changes apart from it. */
export function copied(image) {
  if (!image) return image;
  const copy = { ...image }, { data, summary, entries } = image;
  if (summary) copy.summary = copied(summary);
  if (entries instanceof Map) copy.entries = new Map([...entries].map(([key, one]) => [key, copied(one)]));
  else if (entries) copy.entries = entries.map(copied);
  else if (MERGE[image.kind]) copy.data = Object.assign(Object.create(null), data);
  return copy;
}

function named(image, data, kind) {
  // Without a prototype: a field may have any name.
  const into = image ?? { kind, data: Object.create(null) };
  for (const name in data) into.data[name] = data[name];
  return into;
}

const entriesOf = (data) => {
  if (data.Entries === undefined) return [];
  if (!Array.isArray(data.Entries) || data.Entries.some((e) => typeof e !== "object" || e === null)) throw new TypeError("Entries is no list");
  return data.Entries;
};

function summed(into, data) {
  if (data.Summary !== undefined && data.Summary !== null) into.summary = applied(into.summary, data.Summary);
}

/** Keys of maps are numbers or texts; others are compared by how they are written. */
export const keyOf = (key) => (typeof key === "object" && key !== null ? JSON.stringify(key) : key);

function mapped(image, data, kind) {
  const into = image ?? { kind, keyType: "", summary: null, entries: new Map() };
  if (data.KeyType !== undefined) into.keyType = data.KeyType;
  summed(into, data);
  for (const entry of entriesOf(data)) {
    const key = keyOf(entry.Key);
    if (entry.Action === "Delete") into.entries.delete(key);
    else if (entry.Action === "Add") into.entries.set(key, fresh(entry));
    else if (entry.Action === "Update") into.entries.set(key, applied(into.entries.get(key) ?? null, entry));
  }
  return into;
}

function filtered(image, data, kind) {
  const into = image ?? { kind, entries: new Map() };
  for (const entry of entriesOf(data)) {
    if (entry.Action === "Clear") into.entries.delete(entry.ID);
    else into.entries.set(entry.ID, entry.Action === "Set" ? fresh(entry) : applied(into.entries.get(entry.ID) ?? null, entry));
  }
  return into;
}

function lined(image, data, kind) {
  const into = image ?? { kind, sortable: false, summary: null, entries: [] };
  if (data.SupportSorting !== undefined) into.sortable = data.SupportSorting === true;
  summed(into, data);
  const all = into.entries;
  for (const entry of entriesOf(data)) {
    const at = entry.Index;
    if (!Number.isInteger(at) || at < 0 || at >= LONGEST) throw new TypeError("Index is no position");
    const shifts = into.sortable && at < all.length;
    if (entry.Action === "Insert" && shifts) all.splice(at, 0, fresh(entry));
    else if (entry.Action === "Delete" && into.sortable) all.splice(at, 1);
    else {
      while (all.length <= at) all.push(null);
      if (entry.Action === "Set" || entry.Action === "Insert") all[at] = fresh(entry);
      else if (entry.Action === "Update") all[at] = applied(all[at], entry);
      else all[at] = null;  // Clear; Delete of a vector that is not sorted
    }
  }
  if (all.length > LONGEST) throw new TypeError("the vector is too long");
  return into;
}

function appended(image, data, kind) {
  const into = image ?? { kind, summary: null, entries: [] };
  summed(into, data);
  for (const entry of entriesOf(data)) into.entries.push(fresh(entry));
  if (into.entries.length > LONGEST) throw new TypeError("the series is too long");
  return into;
}

const MERGE = { Fields: named, Elements: named, Map: mapped, Vector: lined, FilterList: filtered, Series: appended };
