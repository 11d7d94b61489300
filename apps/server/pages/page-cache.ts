import { CLOSED_BANNER_COOKIE } from "@farthing/site/server/closed-banner.ts";
import { openPageStore, type PageStore, type StoredPage } from "./page-store.ts";
import { RenderingGate, RenderingRefusedError } from "./rendering-gate.ts";
import { storedPage } from "./stored-page.ts";

export interface PageCacheOptions {
  /**
   * Renders the page at `origin` + `path` as a stranger sees it. It is given nothing else of any request: whatever the cache holds
   * cannot depend on a cookie, an address or a header of the person who happened to ask first.
   */
  render(origin: string, path: string): Promise<Response>;
  /** Told of a failure to render again in the background; the stale page stays until its time is up. */
  onRefreshError(error: unknown): void;
  /** The one address of each page (page-parameters.ts): pages are kept and rendered by it. As it stands, where left out. */
  canonical?: (path: string) => string;
  /** Decides when a page is rendered. */
  gate?: RenderingGate;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  freshMs?: number;
  staleMs?: number;
  maxBytes?: number;
}

/** `answer` is what was rendered where it may not be kept; only the one caller that started the rendering gets it. */
export type Fetched = { page: StoredPage } | { page: null; answer: Response | null };

/** Longer addresses are made up by nobody but attackers and are not worth a place. */
const longestPath = 1024;

/** In the gate's queues: what is rendered again for everybody is no address's. */
const inBackground = "background";

/**
 * Whole pages of visitors without a session, per origin (so per brand) and address, for seconds (architecture.md, the way of a request).
 * A page is fresh for 5 s; for a minute after that the old one is served while one new rendering runs. Requests that miss together share
 * one rendering. Pages with a query have a store of their own: a flood of made-up queries can't push out the plain pages. Whoever makes a rendering
 * necessary pays for it from their address's allowance (rendering-gate.ts); what is stored costs nobody anything.
 */
export class PageCache {
  readonly #options: Required<PageCacheOptions>;
  readonly #plain: PageStore;
  readonly #queried: PageStore;
  /** Never more than the gate lets run and wait. */
  readonly #flights = new Map<string, Promise<StoredPage | Response>>();

  constructor(options: PageCacheOptions) {
    this.#options = {
      canonical: (path) => path,
      gate: new RenderingGate(),
      now: () => performance.now(),
      freshMs: 5_000,
      staleMs: 60_000,
      maxBytes: 64 * 1024 * 1024,
      ...options,
    };
    this.#plain = openPageStore(this.#options.maxBytes * 0.7);
    this.#queried = openPageStore(this.#options.maxBytes * 0.3);
  }

  /** Memory that stored pages take. */
  get bytes(): number {
    return this.#plain.calculatedSize + this.#queried.calculatedSize;
  }

  get pages(): number {
    return this.#plain.size + this.#queried.size;
  }

  /** Renderings under way or waiting. */
  get flights(): number {
    return this.#flights.size;
  }

  /**
   * The page if it can be served this moment. Starts a new rendering where it is no longer fresh and `asker`, the address of whoever asks, may have
   * one; without an asker it is free.
   */
  peek(origin: string, path: string, asker?: () => string): StoredPage | undefined {
    // Links of ours are canonical as they stand, and asked for most.
    const page = this.#storeOf(path).get(origin + path) ?? this.#peekCanonical(origin, path);
    if (page === undefined) return undefined;
    const now = this.#options.now();
    if (now < page.freshUntil) return page;
    if (now >= page.staleUntil) return undefined;
    if (!page.refreshing && (asker === undefined || this.#options.gate.spend(asker()))) this.#refresh(page);
    return page;
  }

  /**
   * The page, rendered now if need be, on the account of `asker`.
   * @throws RenderingRefusedError where it is not rendered for them now; whatever rendering throws.
   */
  async fetch(origin: string, path: string, asker?: string): Promise<Fetched> {
    const ready = this.peek(origin, path, asker === undefined ? undefined : () => asker);
    if (ready) return { page: ready };
    const address = this.#options.canonical(path);
    const key = origin + address;
    const running = this.#flights.get(key);
    if (running) {
      const outcome = await running;
      return outcome instanceof Response ? { page: null, answer: null } : { page: outcome };
    }
    if (asker !== undefined) this.#options.gate.charge(asker);
    const outcome = await this.#render(key, origin, address, asker ?? inBackground);
    return outcome instanceof Response ? { page: null, answer: outcome } : { page: outcome };
  }

  /** Forgets everything, for example after an import. */
  clear(): void {
    this.#plain.clear();
    this.#queried.clear();
  }

  #peekCanonical(origin: string, path: string): StoredPage | undefined {
    const address = this.#options.canonical(path);
    return address === path ? undefined : this.#storeOf(address).get(origin + address);
  }

  #storeOf(path: string): PageStore {
    return path.includes("?") ? this.#queried : this.#plain;
  }

  #refresh(page: StoredPage): void {
    page.refreshing = true;
    this.#render(page.key, page.origin, page.path, inBackground).then(
      (outcome) => {
        if (outcome instanceof Response) this.#storeOf(page.path).delete(page.key);
      },
      (error: unknown) => {
        page.refreshing = false;
        // Too much to do: the next request tries again.
        if (!(error instanceof RenderingRefusedError)) this.#options.onRefreshError(error);
      },
    );
  }

  #render(key: string, origin: string, path: string, asker: string): Promise<StoredPage | Response> {
    const flight = this.#options.gate
      .run(asker, () => this.#renderAndStore(key, origin, path))
      .finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  async #renderAndStore(key: string, origin: string, path: string): Promise<StoredPage | Response> {
    const answer = await this.#options.render(origin, path);
    if (!mayBeKept(answer)) return answer;
    const body = Buffer.from(await answer.arrayBuffer());
    const { freshMs, staleMs, now } = this.#options;
    const page = await storedPage({ key, origin, path, headers: answer.headers, body, now: now(), freshMs, staleMs });
    this.#storeOf(path).set(key, page);
    return page;
  }
}

/** Whether an answer is the same for every stranger: it succeeded, sets no cookie, and does not ask for privacy. */
export function mayBeKept(answer: Response): boolean {
  const control = answer.headers.get("cache-control") ?? "";
  const vary = (answer.headers.get("vary") ?? "").split(",").map((name) => name.trim().toLowerCase());
  return (
    answer.status === 200 &&
    !answer.headers.has("set-cookie") &&
    !/\b(no-store|private)\b/i.test(control) &&
    vary.every((name) => name === "" || name === "accept-encoding")
  );
}

/** Whether a request may be answered from the cache at all: reading, without a session, without a secret in its address. */
export function mayUseCache(request: {
  method: string;
  path: string;
  cookie: string | undefined;
  authorization: string | undefined;
  sessionCookie: string;
}): boolean {
  const { method, path, cookie, authorization, sessionCookie } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    authorization === undefined &&
    path.length <= longestPath &&
    // Who closed the banner without script gets pages without it.
    (cookie === undefined || !(cookie.includes(sessionCookie) || cookie.includes(CLOSED_BANNER_COOKIE))) &&
    !path.includes("reveal_code") &&
    // Asked for once each, and counted by who asks (product.md M6).
    !/^\/check(\.data)?\?/.test(path)
  );
}
