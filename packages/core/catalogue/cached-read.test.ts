import { describe, expect, it } from "vitest";
import { cachedRead } from "./cached-read.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms);

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
    const cached = cachedRead(read);
    const first = await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect(await cached({ brandId: "a", slug: "boots", now: at(4_999) })).toBe(first);
    expect(await cached({ brandId: "a", slug: "boots", now: at(5_000) })).not.toBe(first);
    expect(asked.map(({ now }) => now)).toEqual([at(0), at(5_000)]);
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
    const cached = cachedRead(read, { mostBytes: 1_000 });
    for (let number = 0; number < 50; number += 1) await cached({ brandId: "a", slug: `s${number}`, now: at(number) });
    await cached({ brandId: "a", slug: "s49", now: at(50) });
    expect(asked).toHaveLength(50);
    await cached({ brandId: "a", slug: "s0", now: at(51) });
    expect(asked).toHaveLength(51);
  });

  it("P1 an answer larger than the room is given and not kept", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read, { mostBytes: 10 });
    await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect((await cached({ brandId: "a", slug: "boots", now: at(1) })).slug).toBe("boots");
    expect(asked).toHaveLength(2);
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

  it("P1 a clock put back does not keep an old answer", async () => {
    const { asked, read } = counted();
    const cached = cachedRead(read);
    await cached({ brandId: "a", slug: "boots", now: at(3_600_000) });
    await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect(asked).toHaveLength(2);
  });

  it("P1 nobody can change what the next one sees", async () => {
    const cached = cachedRead(counted().read);
    const { offers } = await cached({ brandId: "a", slug: "boots", now: at(0) });
    expect(() => offers.push({ title: "Smuggled in" })).toThrow(TypeError);
    expect(() => Object.assign(offers[0] ?? {}, { title: "Changed" })).toThrow(TypeError);
  });
});
