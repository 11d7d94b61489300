import { LRUCache } from "lru-cache";

/** A rendered page in a store, with what the page cache has to know of it. */
export interface KeptPage {
  key: string;
  /** The origin it was rendered for; with `path`, what it takes to render it again. */
  origin: string;
  path: string;
  /** Times of the cache's monotonic clock. */
  freshUntil: number;
  staleUntil: number;
  refreshing: boolean;
  /** Size of everything: bodies, headers, key. */
  bytes: number;
}

/**
 * A whole answer, ready to be written: bodies in the encodings that browsers accept, headers as node:http takes them.
 */
export interface StoredPage extends KeptPage {
  /** Pattern of the path, for metrics and logs. */
  route: string;
  etag: string;
  variants: { identity: PageVariant; gzip: PageVariant; br: PageVariant };
  /** Headers of a 304, like those of a variant. */
  unchangedHeaders: string[];
}

export interface PageVariant {
  /** In memory of its own, so that it uses no more than its length. */
  body: Buffer;
  /**
   * Names and values in turn, as `response.writeHead(200, headers)` takes them. The last is X-Request-Id, whose value
   * each request sets.
   */
  headers: string[];
}

export type PageStore<Page extends KeptPage> = LRUCache<string, Page>;

/**
 * Opens a store of pages by `key`, up to a number of bytes; the least recently used are evicted. A page larger than
 * an eighth of the store is not stored.
 */
export function openPageStore<Page extends KeptPage>(maxBytes: number): PageStore<Page> {
  return new LRUCache({
    maxSize: Math.floor(maxBytes),
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: ({ bytes }) => bytes,
  });
}
