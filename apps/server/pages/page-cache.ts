import { CONSENT_COOKIE, WITHOUT_SCRIPT } from "@farthing/core/consent/consent-cookie.ts";
import { CLOSED_BANNER_COOKIE } from "@farthing/site/server/closed-banner.ts";
import { type KeptPage, openPageStore, type PageStore } from "./page-store.ts";
import { RenderingGate, RenderingRefusedError } from "./rendering-gate.ts";
import type { Rendered } from "./stored-page.ts";

export interface PageCacheOptions<Page extends KeptPage> {
  /**
   * Renders the page at `origin` + `path` for everybody who may see the cached page. It receives nothing else of any
   * request, so a cached page can't depend on a cookie, an address or a header of the client that asked first.
   */
  render(origin: string, path: string): Promise<Response>;
  /** Returns the form in which a rendered page is kept. */
  keep(rendered: Rendered): Promise<Page> | Page;
  /** Called when rendering again in the background fails; the stale page stays until it expires. */
  onRefreshError(error: unknown): void;
  /**
   * Returns the canonical address of a page (page-parameters.ts), which it is stored and rendered by; the path itself
   * by default.
   */
  canonical?: (path: string) => string;
  /** Schedules renderings. */
  gate?: Pick<RenderingGate, "spend" | "charge" | "run">;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  freshMs?: number;
  staleMs?: number;
  maxBytes?: number;
}

/** `answer` is a rendering that may not be stored; only the caller that started it gets it. */
export type Fetched<Page extends KeptPage> = { page: Page } | { page: null; answer: Response | null };

/** Longer addresses come from attackers only and are not stored. */
const MAX_PATH_LENGTH = 1024;

/** The queue of renderings in the background, which belong to no address. */
const BACKGROUND = "background";

/**
 * Caches whole pages that are the same for an audience, all visitors or all members, for seconds, per origin (so per
 * brand) and address. A page is
 * fresh for 5 s; for a minute after that it is served stale while one new rendering runs. Requests that miss at the
 * same time share one rendering. Pages with a query have a store of their own, so that a flood of made-up queries can't
 * evict the plain pages. A request that causes a rendering is charged to its address's allowance (rendering-gate.ts);
 * hits are free.
 */
export class PageCache<Page extends KeptPage> {
  readonly #options: Required<PageCacheOptions<Page>>;
  readonly #plain: PageStore<Page>;
  readonly #queried: PageStore<Page>;
  /** Renderings in progress; the gate bounds their number. */
  readonly #flights = new Map<string, Promise<Page | Response>>();
  /** Counts `clear`: what was begun before it may show what is no longer so. */
  #clearings = 0;

  constructor(options: PageCacheOptions<Page>) {
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

  /** Memory used by stored pages. */
  get bytes(): number {
    return this.#plain.calculatedSize + this.#queried.calculatedSize;
  }

  get pages(): number {
    return this.#plain.size + this.#queried.size;
  }

  /** Number of renderings running or waiting. */
  get flights(): number {
    return this.#flights.size;
  }

  /**
   * Returns the page if it can be served now. If it is stale, starts a new rendering, provided the allowance of
   * `asker`, the client's address, covers it; without an asker it is free.
   */
  peek(origin: string, path: string, asker?: () => string): Page | undefined {
    // Our own links are canonical already, and requested most.
    const page = this.#storeOf(path).get(origin + path) ?? this.#peekCanonical(origin, path);
    if (page === undefined) return undefined;
    const now = this.#options.now();
    if (now < page.freshUntil) return page;
    if (now >= page.staleUntil) return undefined;
    if (!page.refreshing && (asker === undefined || this.#options.gate.spend(asker()))) this.#refresh(page);
    return page;
  }

  /**
   * Returns the page, rendered now if necessary and charged to `asker`.
   * @throws RenderingRefusedError if it is not rendered for them now; whatever rendering throws.
   */
  async fetch(origin: string, path: string, asker?: string): Promise<Fetched<Page>> {
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
    const outcome = await this.#render(key, origin, address, asker ?? BACKGROUND);
    return outcome instanceof Response ? { page: null, answer: outcome } : { page: outcome };
  }

  /** Removes every page, for example after an import. Renderings that run are not kept, and nobody else waits for them. */
  clear(): void {
    this.#clearings += 1;
    this.#flights.clear();
    this.#plain.clear();
    this.#queried.clear();
  }

  #peekCanonical(origin: string, path: string): Page | undefined {
    const address = this.#options.canonical(path);
    return address === path ? undefined : this.#storeOf(address).get(origin + address);
  }

  #storeOf(path: string): PageStore<Page> {
    return path.includes("?") ? this.#queried : this.#plain;
  }

  #refresh(page: Page): void {
    page.refreshing = true;
    this.#render(page.key, page.origin, page.path, BACKGROUND).then(
      (outcome) => {
        if (outcome instanceof Response) this.#storeOf(page.path).delete(page.key);
      },
      (error: unknown) => {
        page.refreshing = false;
        // Under load; the next request tries again.
        if (!(error instanceof RenderingRefusedError)) this.#options.onRefreshError(error);
      },
    );
  }

  #render(key: string, origin: string, path: string, asker: string): Promise<Page | Response> {
    const flight: Promise<Page | Response> = this.#options.gate
      .run(asker, () => this.#renderAndStore(key, origin, path))
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    this.#flights.set(key, flight);
    return flight;
  }

  async #renderAndStore(key: string, origin: string, path: string): Promise<Page | Response> {
    const clearings = this.#clearings;
    const answer = await this.#options.render(origin, path);
    if (!mayBeKept(answer)) return answer;
    const body = Buffer.from(await answer.arrayBuffer());
    const { freshMs, staleMs, now } = this.#options;
    const page = await this.#options.keep({
      key,
      origin,
      path,
      headers: answer.headers,
      body,
      now: now(),
      freshMs,
      staleMs,
    });
    if (clearings === this.#clearings) this.#storeOf(path).set(key, page);
    return page;
  }
}

/**
 * Returns whether an answer is the same for every visitor without a session: it succeeded, sets no cookie, and is
 * not private.
 */
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

/** The cookie of an operator who acts as a member (A3): none of their pages is kept, or comes from what is kept. */
export const ACTING_COOKIE = "acting";

/**
 * Returns whether a request may be answered from a cache: it reads, without a secret in its address, and without the
 * session cookie that `session` names.
 */
export function mayUseCache(request: {
  method: string;
  path: string;
  cookie: string | undefined;
  authorization: string | undefined;
  /** The name of the session cookie, whose bearer has no part in the cache; null where they have. */
  session: string | null;
}): boolean {
  const { method, path, cookie, authorization, session } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    authorization === undefined &&
    path.length <= MAX_PATH_LENGTH &&
    !(session !== null && cookie?.includes(session)) &&
    !cookie?.includes(`farthing_${ACTING_COOKIE}=`) &&
    // Who closed the banner without script gets pages without it.
    !cookie?.includes(CLOSED_BANNER_COOKIE) &&
    // And who answered the question of consent without script, pages without the question (T6).
    !(cookie?.includes(CONSENT_COOKIE) && cookie.includes(WITHOUT_SCRIPT)) &&
    !path.includes("reveal_code") &&
    // Each is requested once, and counted by who asks (M6).
    !/^\/check(\.data)?\?/.test(path)
  );
}
