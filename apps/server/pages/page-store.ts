import { LRUCache } from "lru-cache";

/** A whole answer, ready to be written: bodies in the encodings browsers ask for, headers as node:http takes them. */
export interface StoredPage {
  key: string;
  /** Address it was rendered for, so that it can be rendered again. */
  origin: string;
  path: string;
  /** Pattern of the path, for figures and logs. */
  route: string;
  etag: string;
  variants: { identity: PageVariant; gzip: PageVariant; br: PageVariant };
  /** Headers of a 304, like those of a variant. */
  unchangedHeaders: string[];
  /** Moments of the cache's monotonic clock. */
  freshUntil: number;
  staleUntil: number;
  refreshing: boolean;
  /** All of it: bodies, headers, key. */
  bytes: number;
}

export interface PageVariant {
  /** In memory of its own: what it takes is its length. */
  body: Buffer;
  /** Name and value alternating, as `response.writeHead(200, headers)` takes them; the last is X-Request-Id, whose value each request fills in. */
  headers: string[];
}

export type PageStore = LRUCache<string, StoredPage>;

/**
 * Keeps pages by their `key`, up to a number of bytes, and drops those not read lately. One that takes more than an eighth of the room is not worth
 * keeping.
 */
export function openPageStore(maxBytes: number): PageStore {
  return new LRUCache({
    maxSize: Math.floor(maxBytes),
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: ({ bytes }) => bytes,
  });
}
