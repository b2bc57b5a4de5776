// Order books from images of MarketByOrder, MarketByPrice and MarketMaker streams: sides with levels, the best first
// (docs/spec/order-books.md 3, docs/spec/web-streaming.md 1.3).

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const sideOf = (value) => (value === 1 || value === "BID" ? "bids" : value === 2 || value === "ASK" ? "asks" : undefined);
const order = (a, b, field) => (isNumber(a.fields[field]) && isNumber(b.fields[field]) ? a.fields[field] - b.fields[field] : 0);
/** Inside a level: what the source ranks by, else arrival (sorting keeps it). */
const byRank = (a, b) => order(a, b, "ORDER_RNK") || order(a, b, "PR_TIM_MS") || order(a, b, "ORDER_PRIY");

/** What an entry of the map puts on a side: price, size, orders; nothing for what is not ranked. */
function parts(fields, domain) {
  if (fields.ORDER_PRC === undefined && fields.ORDER_SIDE === undefined)  // a source, or a market maker, with both sides in one entry
    return [["bids", fields.BID, fields.BIDSIZE], ["asks", fields.ASK, fields.ASKSIZE]].filter(([, price]) => isNumber(price));
  const side = sideOf(fields.ORDER_SIDE);
  return side ? [[side, fields.ORDER_PRC, fields.ORDER_SIZE ?? fields.ORD_SZ_DEC, domain === "MarketByPrice" ? fields.NO_ORD : 1]] : [];
}

/** { bids, asks, market, crossed } of an item's image; levels are { price, size, orders, entries: [{ key, size, fields }] }. Nothing is kept
 *  between two calls: call it when the book is to be shown, not at every message. */
export function book(image, domain = "MarketByOrder") {
  const sides = { bids: new Map(), asks: new Map() }, market = [];
  const summary = image?.summary?.kind === "Fields" ? image.summary.data : {};
  const attributed = domain === "MarketByPrice" && (summary.MBP_AG_RUL === 2 || summary.MBP_AG_RUL === 3);
  for (const [key, entry] of image?.kind === "Map" ? image.entries : []) {
    if (entry?.kind !== "Fields") continue;
    for (const [side, price, size, orders] of parts(entry.data, domain)) {
      if (!isNumber(size) || size <= 0) continue;
      const one = { key, size, fields: entry.data };
      if (price === null) { market.push({ side, ...one }); continue; }  // an order without a limit
      if (!isNumber(price)) continue;
      const at = attributed ? key : price, level = sides[side].get(at);
      if (!level) sides[side].set(at, { price, size, orders: isNumber(orders) ? orders : 0, entries: [one] });
      else level.size += size, level.orders += isNumber(orders) ? orders : 0, level.entries.push(one);
    }
  }
  // 2: prices that are yields, the lowest is the best bid; 5: both sides from the lowest.
  const rule = summary.PR_RNK_RUL, up = (a, b) => a.price - b.price, down = (a, b) => b.price - a.price;
  const bids = [...sides.bids.values()].sort(rule === 2 || rule === 5 ? up : down);
  const asks = [...sides.asks.values()].sort(rule === 2 ? down : up);
  for (const level of [...bids, ...asks]) if (level.entries.length > 1) level.entries.sort(byRank);
  const crossed = bids.length > 0 && asks.length > 0 && (rule === 2 ? bids[0].price <= asks[0].price : bids[0].price >= asks[0].price);
  return { bids, asks, market, crossed };
}
