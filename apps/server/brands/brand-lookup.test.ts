import type { Brand } from "@farthing/core/brands/brand.ts";
import { describe, expect, test, vi } from "vitest";
import { brandLookup } from "./brand-lookup.ts";

const brand = (slug: string) => ({ id: slug, slug }) as Brand;

describe("B1 the brand of a host", () => {
  test("B1 an answer is cached for five seconds, and a change shows after them", async () => {
    let now = 1;
    let asked = 0;
    const find = brandLookup({ findByHost: async (host) => brand(`${host}-${(asked += 1)}`), now: () => now });
    expect((await find("a"))?.slug).toBe("a-1");
    now = 5_001;
    expect((await find("a"))?.slug).toBe("a-1");
    expect((await find("b"))?.slug).toBe("b-2");
    now = 5_002;
    expect((await find("a"))?.slug).toBe("a-3");
  });

  test("B5 what is forgotten is read anew, also where it was being read", async () => {
    const first = Promise.withResolvers<Brand | null>();
    const answers = [first.promise, Promise.resolve(brand("new"))];
    const find = brandLookup({ findByHost: () => answers.shift() ?? Promise.resolve(null) });
    const before = find("a");
    find.forget?.();
    expect((await find("a"))?.slug).toBe("new");
    first.resolve(null);
    expect(await before).toBeNull();
    expect((await find("a"))?.slug).toBe("new");
  });

  test("B1 an unknown host gets the default brand in development, and none elsewhere", async () => {
    const none = async () => null;
    expect((await brandLookup({ findByHost: none, findDefault: async () => brand("default") })("any"))?.slug).toBe(
      "default",
    );
    expect(await brandLookup({ findByHost: none })("any")).toBeNull();
  });

  test("R1 a failure of the database is passed on and not cached", async () => {
    let failing = true;
    const find = brandLookup({
      findByHost: async () => {
        if (failing) throw new Error("away");
        return brand("back");
      },
    });
    await expect(find("a")).rejects.toThrow("away");
    failing = false;
    expect((await find("a"))?.slug).toBe("back");
  });

  test("R1 while the database is away the last brand of a host is returned, for an hour, and asked for every five seconds", async () => {
    let now = 1;
    let asked = 0;
    let isAway = false;
    const find = brandLookup({
      findByHost: async (host) => {
        asked += 1;
        if (isAway) throw new Error("away");
        return host === "none" ? null : brand(`${host}-${asked}`);
      },
      now: () => now,
    });
    expect([(await find("a"))?.slug, await find("none")]).toEqual(["a-1", null]);
    isAway = true;
    now += 5_001;
    expect((await find("a"))?.slug).toBe("a-1");
    await expect(find("none"), "a host without a brand").rejects.toThrow("away");
    now += 4_999;
    expect((await find("a"))?.slug).toBe("a-1");
    expect(asked).toBe(4);
    now += 3_600_000;
    await expect(find("a")).rejects.toThrow("away");
    isAway = false;
    expect((await find("a"))?.slug).toBe("a-6");
  });

  test("B5 what is forgotten is not returned while the database is away, also where it was being read", async () => {
    const reading = Promise.withResolvers<Brand | null>();
    const answers = [Promise.resolve(brand("known")), reading.promise];
    const find = brandLookup({ findByHost: () => answers.shift() ?? Promise.reject(new Error("away")) });
    await find("known.test");
    const before = find("read.test");
    find.forget?.();
    reading.resolve(brand("old"));
    expect((await before)?.slug).toBe("old");
    for (const host of ["known.test", "read.test"]) await expect(find(host), host).rejects.toThrow("away");
  });

  test("S1 thousands of made-up hosts take a bounded amount of memory", async () => {
    let asked = 0;
    const find = brandLookup({ findByHost: async () => ((asked += 1), null) });
    for (let number = 0; number < 5_000; number += 1) await find(`host-${number}`);
    await find("host-4999");
    expect(asked).toBe(5_000);
    await find("host-0");
    expect(asked, "the first has been forgotten").toBe(5_001);
  });

  test("S1 B1 a host in use stays cached through a flood of made-up ones", async () => {
    const asked: string[] = [];
    const find = brandLookup({ findByHost: async (host) => (asked.push(host), brand(host)), now: () => 1 });
    for (let number = 0; number < 5_000; number += 1) {
      await find(`host-${number}`);
      await find("ours");
    }
    expect(asked.filter((host) => host === "ours")).toHaveLength(1);
  });

  test("R1 a wall clock that jumps back does not prolong the cache", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000_000_000 });
    try {
      let asked = 0;
      const find = brandLookup({ findByHost: async () => brand(`${(asked += 1)}`) });
      vi.advanceTimersByTime(1);
      await find("a");
      vi.setSystemTime(Date.now() - 3_600_000);
      vi.advanceTimersByTime(6_000);
      expect((await find("a"))?.slug).toBe("2");
    } finally {
      vi.useRealTimers();
    }
  });
});
