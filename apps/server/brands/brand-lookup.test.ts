import type { Brand } from "@farthing/core/brands/brand.ts";
import { describe, expect, it } from "vitest";
import { brandLookup } from "./brand-lookup.ts";

const brand = (slug: string) => ({ id: slug, slug }) as Brand;

describe("B1 which brand answers a host", () => {
  it("B1 an answer is kept for five seconds, and a change shows after them", async () => {
    let now = 0;
    let asked = 0;
    const find = brandLookup({ findByHost: async (host) => brand(`${host}-${(asked += 1)}`), now: () => now });
    expect((await find("a"))?.slug).toBe("a-1");
    now = 4_999;
    expect((await find("a"))?.slug).toBe("a-1");
    expect((await find("b"))?.slug).toBe("b-2");
    now = 5_000;
    expect((await find("a"))?.slug).toBe("a-3");
  });

  it("B1 an unknown host is the default brand's in development and nobody's elsewhere", async () => {
    const none = async () => null;
    expect((await brandLookup({ findByHost: none, findDefault: async () => brand("default") })("any"))?.slug).toBe(
      "default",
    );
    expect(await brandLookup({ findByHost: none })("any")).toBeNull();
  });

  it("R1 a failure of the database is passed on and not remembered", async () => {
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

  it("S1 made-up hosts by the thousand take no memory to speak of", async () => {
    let asked = 0;
    const find = brandLookup({ findByHost: async () => ((asked += 1), null) });
    for (let number = 0; number < 5_000; number += 1) await find(`host-${number}`);
    await find("host-4999");
    expect(asked).toBe(5_000);
    await find("host-0");
    expect(asked, "the first has been forgotten").toBe(5_001);
  });
});
