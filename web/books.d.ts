// Types of books.js: order books from images of MarketByOrder, MarketByPrice and MarketMaker streams.
import type { Image, Value } from "./emissary.js";

export interface Entry {
  readonly key: string | number | null;
  readonly size: number;
  /** All fields of the map's entry. */
  readonly fields: Readonly<Record<string, Value>>;
}

export interface Level {
  readonly price: number;
  /** Of all entries together. */
  readonly size: number;
  /** Orders: counted (MarketByOrder), or as the source says (NO_ORD). */
  readonly orders: number;
  /** In the order in which they are served, where the source says it; else as they came. */
  readonly entries: readonly Entry[];
}

export interface Book {
  /** The best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Orders without a limit. */
  readonly market: readonly ({ side: "bids" | "asks" } & Entry)[];
  /** The best bid is not below the best ask: an auction, for example. */
  readonly crossed: boolean;
}

/** The book that an item's image amounts to; empty for an image that is no map. Costs a walk over all entries: call it when the book is shown. */
export declare function book(image: Image | null, domain?: "MarketByOrder" | "MarketByPrice" | "MarketMaker"): Book;
