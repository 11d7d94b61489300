import { canonicalAddress } from "@farthing/site/server/page-parameters.ts";
import { describe, expect, test, vi } from "vitest";
import { mayBeKept, mayUseCache, PageCache, type PageCacheOptions } from "./page-cache.ts";
import { isUnchanged } from "../http/is-unchanged.ts";
import { openPageStore, type StoredPage } from "./page-store.ts";
import { storedPage } from "./stored-page.ts";
import { RenderingGate } from "./rendering-gate.ts";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const page = (text: string, headers: Record<string, string> = {}) =>
  new Response(text, { headers: { "Content-Type": "text/html", ...headers } });

function cacheOf(
  render: (origin: string, path: string) => Promise<Response> | Response,
  options: Partial<PageCacheOptions<StoredPage>> = {},
) {
  const clock = { now: 1_000_000 };
  const errors: unknown[] = [];
  const cache = new PageCache({
    render: async (origin, path) => render(origin, path),
    keep: storedPage,
    now: () => clock.now,
    onRefreshError: (error) => errors.push(error),
    ...options,
  });
  return { cache, clock, errors };
}

/** Waits for background renderings, which compress in other threads. */
async function settle(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !done(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(done()).toBe(true);
}

const textOf = (fetched: Awaited<ReturnType<PageCache<StoredPage>["fetch"]>>) =>
  fetched.page?.variants.identity.body.toString();

describe("page cache", () => {
  test("B4 two brands on the same path have a page each", async () => {
    const { cache } = cacheOf((origin) => page(`page of ${origin}`));
    expect(textOf(await cache.fetch("http://a.localhost:3000", "/"))).toBe("page of http://a.localhost:3000");
    expect(textOf(await cache.fetch("http://b.localhost:3000", "/"))).toBe("page of http://b.localhost:3000");
    expect(cache.peek("http://a.localhost:3000", "/")?.variants.identity.body.toString()).toBe(
      "page of http://a.localhost:3000",
    );
  });

  test("B5 a page whose rendering began before a clearing is not kept, and nobody else waits for it", async () => {
    const first = Promise.withResolvers<Response>();
    const begun = Promise.withResolvers<void>();
    const slow = () => {
      begun.resolve();
      return first.promise;
    };
    const renderings = [slow, () => page("new")];
    const { cache } = cacheOf(() => renderings.shift()?.() ?? page("none"));
    const before = cache.fetch("http://a", "/");
    await begun.promise;
    cache.clear();
    expect(textOf(await cache.fetch("http://a", "/"))).toBe("new");
    first.resolve(page("old"));
    expect(textOf(await before)).toBe("old");
    expect(textOf(await cache.fetch("http://a", "/"))).toBe("new");
    expect(cache.flights).toBe(0);
  });

  test("requests that miss together share one rendering", async () => {
    let renderings = 0;
    const { cache } = cacheOf(() => page(`rendering ${(renderings += 1)}`));
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.fetch("http://a", "/")));
    expect(new Set(answers.map(textOf))).toEqual(new Set(["rendering 1"]));
  });

  test("a stale page is served while one new rendering runs; an expired one is not served", async () => {
    let renderings = 0;
    const { cache, clock } = cacheOf(() => page(`rendering ${(renderings += 1)}`));
    await cache.fetch("http://a", "/");
    clock.now += 4_999;
    expect(textOf(await cache.fetch("http://a", "/"))).toBe("rendering 1");
    clock.now += 1;
    expect(cache.peek("http://a", "/")?.variants.identity.body.toString()).toBe("rendering 1");
    cache.peek("http://a", "/");
    await settle(() => cache.peek("http://a", "/")?.variants.identity.body.toString() === "rendering 2");
    expect(renderings).toBe(2);
    clock.now += 65_000;
    expect(cache.peek("http://a", "/")).toBeUndefined();
  });

  test("a failed rendering in the background keeps the stale page, is reported, and is retried", async () => {
    let failing = false;
    const { cache, clock, errors } = cacheOf(() => {
      if (failing) throw new Error("database away");
      return page("good");
    });
    await cache.fetch("http://a", "/");
    failing = true;
    clock.now += 6_000;
    cache.peek("http://a", "/");
    await settle(() => errors.length === 1);
    expect(cache.peek("http://a", "/")?.variants.identity.body.toString()).toBe("good");
    await settle(() => errors.length === 2);
  });

  test("a page that became private or was deleted is dropped when it is rendered again", async () => {
    let gone = false;
    const { cache, clock } = cacheOf(() => (gone ? new Response("gone", { status: 410 }) : page("good")));
    await cache.fetch("http://a", "/");
    gone = true;
    clock.now += 6_000;
    cache.peek("http://a", "/");
    await settle(() => cache.peek("http://a", "/") === undefined);
  });

  test.each([
    ["sets a cookie", { "Set-Cookie": "a=b" }],
    ["is private", { "Cache-Control": "private, max-age=60" }],
    ["must not be stored", { "Cache-Control": "no-store" }],
    ["varies with cookies", { Vary: "Accept-Encoding, Cookie" }],
    ["varies with anything", { Vary: "*" }],
  ])("S1 an answer that %s is never stored, and only the client that caused it gets it", async (_, headers) => {
    let renderings = 0;
    const { cache } = cacheOf(() => page(`rendering ${(renderings += 1)}`, headers));
    const [first, second] = await Promise.all([cache.fetch("http://a", "/"), cache.fetch("http://a", "/")]);
    expect(first).toMatchObject({ page: null, answer: expect.any(Response) });
    expect(second).toEqual({ page: null, answer: null });
    expect(cache.bytes).toBe(0);
  });

  test("errors and redirects are not stored", () => {
    expect(mayBeKept(new Response("", { status: 404 }))).toBe(false);
    expect(mayBeKept(new Response("", { status: 500 }))).toBe(false);
    expect(mayBeKept(new Response(null, { status: 302, headers: { Location: "/" } }))).toBe(false);
    expect(mayBeKept(page("fine", { Vary: "Accept-Encoding" }))).toBe(true);
  });

  test("S1 a session, credentials or a token in the address bypass the cache", () => {
    const visitor = {
      method: "GET",
      path: "/",
      cookie: undefined,
      authorization: undefined,
      session: "farthing.session",
    };
    expect(mayUseCache(visitor)).toBe(true);
    expect(mayUseCache({ ...visitor, cookie: "banner=closed" })).toBe(true);
    expect(mayUseCache({ ...visitor, cookie: "banner=closed; farthing.session=x.y" })).toBe(false);
    expect(mayUseCache({ ...visitor, session: null, cookie: "farthing.session=x.y" })).toBe(true);
    expect(mayUseCache({ ...visitor, cookie: "farthing_banner=half-term" })).toBe(false);
    expect(mayUseCache({ ...visitor, authorization: "Bearer x" })).toBe(false);
    expect(mayUseCache({ ...visitor, path: "/offers/x?offer=1&reveal_code=token" })).toBe(false);
    expect(mayUseCache({ ...visitor, path: "/check?c=K7Q29MXA4TBD" })).toBe(false);
    expect(mayUseCache({ ...visitor, path: `/search?q=${"a".repeat(2000)}` })).toBe(false);
    expect(mayUseCache({ ...visitor, method: "POST" })).toBe(false);
  });

  test("memory is bounded, and a flood of made-up queries does not evict plain pages", async () => {
    const { cache } = cacheOf(() => page("x".repeat(10_000)), { maxBytes: 1_000_000 });
    await cache.fetch("http://a", "/");
    for (let number = 0; number < 200; number += 1) await cache.fetch("http://a", `/search?q=${number}`);
    expect(cache.bytes).toBeLessThan(1_000_000);
    expect(cache.peek("http://a", "/")).toBeDefined();
    expect(cache.peek("http://a", "/search?q=0")).toBeUndefined();
    expect(cache.peek("http://a", "/search?q=199")).toBeDefined();
  });

  test("the least recently used page is evicted", () => {
    const store = openPageStore<StoredPage>(8 * 100);
    const put = (key: string) => store.set(key, { key, bytes: 100 } as StoredPage);
    for (const key of ["a", "b", "c", "d", "e", "f", "g", "h"]) put(key);
    store.get("a");
    put("i");
    expect(store.get("a")).toBeDefined();
    expect(store.get("b")).toBeUndefined();
  });

  test("S1 the counted size covers bodies with the memory behind them, headers and keys", async () => {
    const kept: StoredPage[] = [];
    const policy = "x".repeat(5_000);
    const { cache } = cacheOf(() => page("hello ".repeat(200), { "Content-Security-Policy": policy }), {
      maxBytes: 2_000_000,
    });
    for (let number = 0; number < 300; number += 1) {
      const path = `/search?q=${String(number).repeat(100)}`;
      kept.push((await cache.fetch("http://a", path)).page!);
      expect(cache.bytes).toBeLessThan(2_000_000);
    }
    expect(cache.pages).toBeLessThan(300);
    const held = kept.slice(-cache.pages).map(({ key, path, variants }) => {
      const all = Object.values(variants);
      return all.reduce((sum, { body }) => sum + body.buffer.byteLength, 0) + policy.length + key.length + path.length;
    });
    expect(held.reduce((sum, bytes) => sum + bytes)).toBeLessThan(cache.bytes);
  });

  test("S1 addresses that differ only in unread parameters share one page", async () => {
    const rendered: string[] = [];
    const { cache } = cacheOf((_, path) => (rendered.push(path), page(path)), { canonical: canonicalAddress });
    for (let number = 0; number < 40; number += 1) {
      const address = `/search?x${number}=${number}&page=2&q=boots&utm=${number}`;
      expect(textOf(await cache.fetch("http://a", address))).toBe("/search?q=boots&page=2");
      expect(cache.peek("http://a", address)).toBeDefined();
    }
    expect(rendered).toEqual(["/search?q=boots&page=2"]);
    expect(cache.pages).toBe(1);
  });

  test("S1 a rendering in progress is tracked only while it runs or waits, and the gate bounds their number", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { cache } = cacheOf(async () => (await ended, page("late")), {
      gate: new RenderingGate({ concurrent: 2, waiting: 10, waitingEach: 10, burst: 1_000 }),
    });
    const asked = Array.from({ length: 500 }, (_, number) =>
      cache.fetch("http://a", `/search?q=${number}`, "192.0.2.1"),
    );
    const outcomes = Promise.allSettled(asked);
    await new Promise((resolve) => setImmediate(resolve));
    expect(cache.flights).toBe(12);
    end();
    const states = (await outcomes).map(({ status }) => status);
    expect(states.filter((status) => status === "fulfilled")).toHaveLength(12);
    expect(cache.flights).toBe(0);
  });

  test("S1 a client without allowance gets stored pages, however stale, and causes no rendering", async () => {
    let renderings = 0;
    const now = () => clock.now;
    const clock = { now: 0 };
    const { cache } = cacheOf(() => page(`rendering ${(renderings += 1)}`), {
      gate: new RenderingGate({ burst: 1, perSecond: 0.001, now }),
      now,
    });
    const spender = "192.0.2.1";
    await cache.fetch("http://a", "/", spender);
    await expect(cache.fetch("http://a", "/other", spender)).rejects.toMatchObject({ reason: "address" });
    clock.now += 6_000;
    expect(cache.peek("http://a", "/", () => spender)).toBeDefined();
    expect(textOf(await cache.fetch("http://a", "/", spender))).toBe("rendering 1");
    expect(renderings).toBe(1);
    expect(cache.peek("http://a", "/", () => "192.0.2.2")).toBeDefined();
    await settle(() => renderings === 2);
  });

  test("R1 a jump of the wall clock changes no page's age", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000_000 });
    try {
      let renderings = 0;
      const cache = new PageCache({
        render: async () => page(`rendering ${(renderings += 1)}`),
        keep: storedPage,
        onRefreshError: () => {},
      });
      await cache.fetch("http://a", "/");
      for (const jump of [-3_600_000, 7_200_000]) {
        vi.setSystemTime(Date.now() + jump);
        expect(textOf(await cache.fetch("http://a", "/"))).toBe("rendering 1");
      }
      expect(renderings).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("every encoding has the same page and ETag, and its own length", async () => {
    const { cache } = cacheOf(() =>
      page("hello ".repeat(500), {
        "Content-Security-Policy": "default-src 'self'",
        "Cache-Control": "public, max-age=600",
      }),
    );
    const stored = (await cache.fetch("http://a", "/")).page;
    if (!stored) throw new Error("not stored");
    expect(gunzipSync(stored.variants.gzip.body).toString()).toBe("hello ".repeat(500));
    expect(brotliDecompressSync(stored.variants.br.body).toString()).toBe("hello ".repeat(500));
    for (const [encoding, variant] of Object.entries(stored.variants)) {
      const headers = new Headers(
        Array.from(
          { length: variant.headers.length / 2 },
          (_, index) => [variant.headers[index * 2] ?? "", variant.headers[index * 2 + 1] ?? ""] as [string, string],
        ),
      );
      expect(headers.get("content-length")).toBe(String(variant.body.length));
      expect(headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("content-security-policy")).toBe("default-src 'self'");
      expect(headers.get("vary")).toBe("Accept-Encoding, Cookie");
      expect(isUnchanged(headers.get("etag") ?? "", stored.etag)).toBe(true);
    }
  });
});
