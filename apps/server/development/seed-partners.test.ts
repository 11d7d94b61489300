import { mintToken } from "@farthing/core/partners/mint-token.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { DEVELOPMENT_PARTNER_KEY, seedPartners } from "./seed-partners.ts";

const { db } = await testDatabase();
const mint = async (origin: string) =>
  (
    await mintToken(db, {
      apiKey: DEVELOPMENT_PARTNER_KEY,
      origin,
      reference: null,
      signingKey: "key",
      now: new Date(),
    })
  ).outcome;

describe("W10 the demo partner", () => {
  test("W10 has the published key and the origins at PORT+2, and is created once", async () => {
    expect(await seedPartners(db, { port: 3000 })).toBe(true);
    expect(await seedPartners(db, { port: 3000 })).toBe(false);
    expect(await mint("http://localhost:3002")).toBe("minted");
    expect(await mint("http://127.0.0.1:3002")).toBe("minted");
    expect(await mint("http://localhost:3003")).toBe("origin-not-allowed");
  });

  test("W10 a start on another port adds that port's origins", async () => {
    await seedPartners(db, { port: 4000 });
    expect(await mint("http://localhost:4002")).toBe("minted");
    expect(await mint("http://localhost:3002")).toBe("minted");
  });
});
