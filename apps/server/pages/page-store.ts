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
  freshUntil: number;
  staleUntil: number;
  refreshing: boolean;
  /** Read since the last sweep: the second chance of the clock algorithm. */
  touched: boolean;
  bytes: number;
}

export interface PageVariant {
  body: Buffer;
  /** Name and value alternating, as `response.writeHead(200, headers)` takes them; the last is X-Request-Id, whose value each request fills in. */
  headers: string[];
}

/**
 * Keeps pages up to a number of bytes and drops those not read lately. Reading only sets a flag (clock algorithm instead of a list that is
 * reordered), because it happens on every request.
 */
export class PageStore {
  readonly #pages = new Map<string, StoredPage>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#pages.size;
  }

  get(key: string): StoredPage | undefined {
    const page = this.#pages.get(key);
    if (page) page.touched = true;
    return page;
  }

  /** Stores a page, making room for it; one that takes more than an eighth of the room is not worth keeping. */
  set(page: StoredPage): void {
    this.delete(page.key);
    if (page.bytes > this.#mostBytes / 8) return;
    this.#pages.set(page.key, page);
    this.#bytes += page.bytes;
    while (this.#bytes > this.#mostBytes) this.#dropOne();
  }

  delete(key: string): void {
    const page = this.#pages.get(key);
    if (!page) return;
    this.#pages.delete(key);
    this.#bytes -= page.bytes;
  }

  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  #dropOne(): void {
    for (const page of this.#pages.values()) {
      if (!page.touched) return this.delete(page.key);
      page.touched = false;
      this.#pages.delete(page.key);
      this.#pages.set(page.key, page);
    }
  }
}
