import { describe, expect, test } from "vitest";
import { cachedRead } from "./cached-read.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms);

/** A monotonic clock that a test moves. */
function clockAt() {
  const state = { ms: 1 };
  return { state, clock: () => state.ms };
}

/** A read that tells how often it was asked, and whose answers hold what was asked for. */
function counted() {
  const asked: { brandId: string; slug: string; now: Date }[] = [];
  const read = async (options: { brandId: string; slug: string; now: Date }) => {
    asked.push(options);
    return { brandId: options.brandId, slug: options.slug, offers: [{ title: `Offer ${asked.length}` }] };
  };
  return { asked, read };
}

describe("a cached read of the catalogue", () => {
  test("P1 the same arguments are read once within five seconds, and again after that with the new moment", async () => {
    const { asked, read } = counted();
    const { state, clock } = clockAt();
    const cached = cachedRead(read, { clock });
    const first = await cached({ brandId: "a", slug: "boots", now: at(0) });
    state.ms = 5_001;
    expect(await cached({ brandId: "a", slug: "boots", now: at(5_000) })).toBe(first);
    state.ms = 5_002;
    expect(await cached({ brandId: "a", slug: "boots", now: at(5_001) })).not.toBe(first);
    expect(asked.map(({ now }) => now)).toEqual([at(0), at(5_001)]);
  });

  test("P1 an answer's age counts from the request, however long the read takes", async () => {
    const { state, clock } = clockAt();
    let reads = 0;
    const slow = Promise.withResolvers<void>();
    const cached = cachedRead(
      async ({ brandId }: { brandId: string; now: Date }) => ((reads += 1), await slow.promise, { brandId, reads }),
      { clock },
    );
    const first = cached({ brandId: "a", now: at(0) });
    state.ms = 4_000;
    slow.resolve();
    await first;
    state.ms = 4_999;
    await cached({ brandId: "a", now: at(0) });
    expect(reads).toBe(1);
    state.ms = 5_002;
    await cached({ brandId: "a", now: at(0) });
    expect(reads).toBe(2);
  });

  test("B4 two brands never share an answer, whatever the arguments are", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    const questions = [
      { brandId: "a", slug: "boots" },
      { brandId: "b", slug: "boots" },
      { brandId: 'a",{"slug":"boots"}', slug: "" },
      { brandId: "a", slug: 'boots"' },
    ];
    for (const question of questions) {
      const view = await cached({ ...question, now: at(0) });
      expect(view).toMatchObject(question);
    }
    expect(asked).toHaveLength(questions.length);
  });

  test("P1 concurrent callers share one read", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    const views = await Promise.all([0, 1, 2].map((ms) => cached({ brandId: "a", slug: "boots", now: at(ms) })));
    expect(asked).toHaveLength(1);
    expect(new Set(views).size).toBe(1);
  });

  test("P1 a failure rejects all waiting callers, and the next call reads again", async () => {
    let failures = 1;
    const cached = cachedRead(async ({ brandId }: { brandId: string; now: Date }) => {
      if (failures-- > 0) throw new Error("the database is away");
      return brandId;
    });
    const together = [cached({ brandId: "a", now: at(0) }), cached({ brandId: "a", now: at(0) })];
    for (const outcome of await Promise.allSettled(together)) expect(outcome.status).toBe("rejected");
    expect(await cached({ brandId: "a", now: at(1) })).toBe("a");
  });

  test("P1 the cache stays within its maximum size: the oldest answers are evicted first", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read, { maxBytes: 5_000 });
    for (let number = 0; number < 50; number += 1) {
      await cached({ brandId: "a", slug: `s${number}`, now: at(number) });
      expect(cached.held.bytes).toBeLessThanOrEqual(5_000);
    }
    await cached({ brandId: "a", slug: "s49", now: at(50) });
    expect(asked).toHaveLength(50);
    await cached({ brandId: "a", slug: "s0", now: at(51) });
    expect(asked).toHaveLength(51);
  });

  test("S1 thousands of made-up arguments, including pending reads, stay within the maximum size", async () => {
    const never = cachedRead<{ brandId: string; slug: string; now: Date }, never>(() => new Promise(() => {}));
    for (let number = 0; number < 20_000; number += 1)
      void never({ brandId: "a", slug: `${number} ${"x".repeat(180)}`, now: at(0) });
    expect(never.held.answers).toBeLessThanOrEqual(5_000);
    expect(never.held.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  test("P1 an answer above the maximum size is returned and not cached", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read, { maxBytes: 700 });
    await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect((await cached({ brandId: "a", slug: "boots", now: at(1) })).slug).toBe("boots");
    expect(asked).toHaveLength(2);
    expect(cached.held).toEqual({ bytes: 0, answers: 0 });
  });

  test("P1 after clear() the cache reads again, and does not keep a read begun before", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    const old = cached({ brandId: "a", slug: "boots", now: at(0) });
    cached.clear();
    await old;
    expect(await cached({ brandId: "a", slug: "boots", now: at(1) })).not.toBe(await old);
    expect(asked).toHaveLength(2);
  });

  test("R1 a jump of the wall clock does not change an answer's age", async () => {
    const { asked, read } = counted();
    const { state, clock } = clockAt();
    const cached = cachedRead(read, { clock });
    for (const jump of [0, 3_600_000, -3_600_000]) await cached({ brandId: "a", slug: "boots", now: at(jump) });
    expect(asked).toHaveLength(1);
    state.ms = 5_002;
    await cached({ brandId: "a", slug: "boots", now: at(-3_600_000) });
    expect(asked.at(-1)?.now, "read for the moment of the caller").toEqual(at(-3_600_000));
  });

  test("P1 answers are frozen", async () => {
    const cached = cachedRead(counted().read);
    const { offers } = await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect(() => offers.push({ title: "Smuggled in" })).toThrow(TypeError);
    expect(() => Object.assign(offers[0] ?? {}, { title: "Changed" })).toThrow(TypeError);
  });
});
