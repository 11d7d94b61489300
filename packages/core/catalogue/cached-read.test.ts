import { describe, expect, it } from "vitest";
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

describe("a read of the catalogue that is remembered", () => {
  it("P1 the same question within five seconds is asked once, and again after that with the new moment", async () => {
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

  it("P1 an answer's age begins when it is asked for, however long the reading takes", async () => {
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

  it("B4 two brands never share an answer, whatever the question holds", async () => {
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

  it("P1 callers who ask together share one read", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    const views = await Promise.all([0, 1, 2].map((ms) => cached({ brandId: "a", slug: "boots", now: at(ms) })));
    expect(asked).toHaveLength(1);
    expect(new Set(views).size).toBe(1);
  });

  it("P1 a failure reaches everyone who waited, and the next one asks again", async () => {
    let failures = 1;
    const cached = cachedRead(async ({ brandId }: { brandId: string; now: Date }) => {
      if (failures-- > 0) throw new Error("the database is away");
      return brandId;
    });
    const together = [cached({ brandId: "a", now: at(0) }), cached({ brandId: "a", now: at(0) })];
    for (const outcome of await Promise.allSettled(together)) expect(outcome.status).toBe("rejected");
    expect(await cached({ brandId: "a", now: at(1) })).toBe("a");
  });

  it("P1 it holds no more than it has room for: the oldest answers go first", async () => {
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

  it("S1 made-up questions by the thousand, also those still being read, take no more than the room there is", async () => {
    const never = cachedRead<{ brandId: string; slug: string; now: Date }, never>(() => new Promise(() => {}));
    for (let number = 0; number < 20_000; number += 1)
      void never({ brandId: "a", slug: `${number} ${"x".repeat(180)}`, now: at(0) });
    expect(never.held.answers).toBeLessThanOrEqual(5_000);
    expect(never.held.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  it("P1 an answer larger than the room is given and not kept", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read, { maxBytes: 700 });
    await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect((await cached({ brandId: "a", slug: "boots", now: at(1) })).slug).toBe("boots");
    expect(asked).toHaveLength(2);
    expect(cached.held).toEqual({ bytes: 0, answers: 0 });
  });

  it("P1 cleared, it asks again, and a read begun before is not kept", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    const old = cached({ brandId: "a", slug: "boots", now: at(0) });
    cached.clear();
    await old;
    expect(await cached({ brandId: "a", slug: "boots", now: at(1) })).not.toBe(await old);
    expect(asked).toHaveLength(2);
  });

  it("R1 a wall clock that jumps makes no answer older or younger", async () => {
    const { asked, read } = counted();
    const { state, clock } = clockAt();
    const cached = cachedRead(read, { clock });
    for (const jump of [0, 3_600_000, -3_600_000]) await cached({ brandId: "a", slug: "boots", now: at(jump) });
    expect(asked).toHaveLength(1);
    state.ms = 5_002;
    await cached({ brandId: "a", slug: "boots", now: at(-3_600_000) });
    expect(asked.at(-1)?.now, "read for the moment of whoever asks").toEqual(at(-3_600_000));
  });

  it("P1 nobody can change what the next one sees", async () => {
    const cached = cachedRead(counted().read);
    const { offers } = await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect(() => offers.push({ title: "Smuggled in" })).toThrow(TypeError);
    expect(() => Object.assign(offers[0] ?? {}, { title: "Changed" })).toThrow(TypeError);
  });
});
