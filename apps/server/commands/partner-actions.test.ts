import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { HOUSE_PARTNER } from "@farthing/core/partners/house-partner.ts";
import { mintToken } from "@farthing/core/partners/mint-token.server.ts";
import { findPartnerId } from "@farthing/core/partners/queries.server.ts";
import { announceEvent, claimDueDeliveries, settleDelivery } from "@farthing/core/partners/webhooks.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { commandEntries } from "./command-entries.testing.ts";
import { runPartnerAction } from "./partner-actions.ts";

const { db } = await testDatabase();
const parts = { db, webhookKey: "key", allowLocal: false, by: "olive", now: () => new Date() };
const run = async (...words: string[]) => (await runPartnerAction(parts, words)).join("\n");
const mint = async (apiKey: string, origin = "https://shop.example") =>
  (await mintToken(db, { apiKey, origin, reference: null, signingKey: "key", now: new Date() })).outcome;
const wordAfter = (text: string, label: string) => new RegExp(`${label}: (\\S+)`).exec(text)?.[1] ?? "";

describe("W10 partners from the command line", () => {
  test("A1 every change is in the log with who typed it, and what changed nothing is not", async () => {
    const by = "oscar";
    const typed = async (...words: string[]) => (await runPartnerAction({ ...parts, by }, words)).join("\n");
    const added = await typed("add", "Logged shop", "https://logged.example");
    const [id, key] = [wordAfter(added, "partner"), wordAfter(added, "API key")];
    const url = "https://logged.example/hooks";
    for (const words of [
      ["key", id],
      ["key", id, "test"],
      ["revoke", key],
      ["allow", id, "https://two.example"],
      ["withdraw", id, "https://two.example"],
      ["webhook", id, url],
      ["rotate", id, url],
      ["disable", id, url],
      ["rename", id, "Renamed"],
      ["suspend", id],
      ["resume", id],
      ["list"],
    ])
      await typed(...words);
    for (const [words, says] of [
      [["rename", id, "Renamed"], "it is so already"],
      [["revoke", key], "No key in use"],
      [["disable", id, url], "has no webhook"],
    ] as const)
      await expect(typed(...words)).rejects.toThrow(says);
    const verbs = [
      "create",
      "key",
      "key",
      "revoke",
      "allow",
      "withdraw",
      "webhook",
      "rotate",
      "disable",
      "change",
      "suspend",
      "resume",
    ];
    expect(await commandEntries(db, by)).toEqual(verbs.map((verb) => `partner.${verb} ${id}`));
  });

  test("W10 a new partner can mint with the key that is shown, and the list never shows it again", async () => {
    const added = await run("add", "Test shop", "https://shop.example", "https://other.example");
    const [id, key] = [wordAfter(added, "partner"), wordAfter(added, "API key")];
    expect(await mint(key)).toBe("minted");
    expect(await mint(key, "https://other.example")).toBe("minted");
    const list = await run("list");
    expect(list).toContain(`${id}  Test shop`);
    expect(list).toContain("https://other.example https://shop.example");
    expect(list).not.toContain(key);
  });

  test("W10 keys rotate without downtime, origins are added and removed, and a suspended partner can be resumed", async () => {
    const added = await run("add", "Second shop", "https://shop.example");
    const [id, old] = [wordAfter(added, "partner"), wordAfter(added, "API key")];
    const key = wordAfter(await run("key", id), "API key");
    await run("revoke", old.split("_")[1] ?? "");
    expect({ old: await mint(old), current: await mint(key) }).toEqual({ old: "unknown-key", current: "minted" });
    await run("allow", id, "https://new.example");
    await run("withdraw", id, "https://shop.example");
    expect({ added: await mint(key, "https://new.example"), removed: await mint(key) }).toEqual({
      added: "minted",
      removed: "origin-not-allowed",
    });
    expect(await run("rename", id, "The", "other", "shop")).toBe("The other shop: 300 tokens a minute.");
    expect(await run("limit", id, "20")).toBe("The other shop: 20 tokens a minute.");
    await expect(run("limit", id, "20")).rejects.toThrow("it is so already");
    await expect(run("limit", id, "none")).rejects.toThrow("Give a whole number from 1 to 100,000.");
    await run("suspend", id);
    expect(await mint(key, "https://new.example")).toBe("suspended");
    await run("resume", id);
    expect(await mint(key, "https://new.example")).toBe("minted");
  });

  test.each([
    ["live", (key: string) => key.split("_")[1] ?? ""],
    ["live", (key: string) => `fpk_${key.split("_")[1]}_…`],
    ["live", (key: string) => key],
    ["test", (key: string) => `fpk_test_${key.split("_")[2]}_…`],
    ["test", (key: string) => key.split("_")[2] ?? ""],
    ["test", (key: string) => key],
  ] as const)("W10 a %s key is revoked by its prefix, as the list shows it or whole (%#)", async (mode, typed) => {
    const id = wordAfter(await run("add", "Leaky shop", "https://leaky.example"), "partner");
    const key = wordAfter(await run("key", id, mode), "API key");
    await run("revoke", typed(key));
    expect(await mint(key, "https://leaky.example")).toBe("unknown-key");
  });

  test("W10 a third key is refused, and it says what to do", async () => {
    const id = wordAfter(await run("add", "Fifth shop", "https://fifth.example"), "partner");
    await run("key", id);
    await expect(run("key", id)).rejects.toThrow(/has two live keys already.*"revoke" the old one first/);
  });

  test("G1 the club itself is listed as a partner, and takes no key: nobody else mints its tokens", async () => {
    await keepHousePartner(db, { originOf: (host) => `https://${host}` });
    const { publicId, name } = HOUSE_PARTNER;
    expect(await run("list")).toContain(`${publicId}  ${name}`);
    await expect(run("key", publicId)).rejects.toThrow(/is the club itself/);
    await expect(run("key", publicId, "test")).rejects.toThrow(/is the club itself/);
  });

  test("W10 adding a webhook shows its secret", async () => {
    const id = wordAfter(await run("add", "Third shop", "https://third.example"), "partner");
    const secret = wordAfter(await run("webhook", id, "https://third.example/hooks"), "Secret");
    expect(secret).toMatch(/^whsec_/);
    expect(wordAfter(await run("webhook", id, "https://third.example/hooks"), "Secret")).toBe(secret);
    expect(await run("list")).toContain("https://third.example/hooks");
  });

  test("W10 the log shows each delivery with its attempts, the newest first", async () => {
    const id = wordAfter(await run("add", "Sixth shop", "https://sixth.example"), "partner");
    expect(await run("deliveries", id)).toBe("No delivery yet.");
    await run("webhook", id, "https://sixth.example/hooks");
    const partnerId = (await findPartnerId(db, { publicId: id }))!;
    const now = new Date("2026-11-20T10:00:00Z");
    await announceEvent(db, { partnerId, kind: "payment.paid", data: {}, now });
    expect(await run("deliveries", id)).toMatch(/payment\.paid {2}waiting after 0 .*\n {2}not sent yet$/);
    for (const [at, result] of [
      [now, { status: null, error: "ECONNREFUSED", durationMs: 3.4 }],
      [new Date(now.getTime() + 10_000), { status: 204, error: null, durationMs: 120 }],
    ] as const) {
      const [delivery] = await claimDueDeliveries(db, { now: at, leaseMs: 60_000, max: 1 });
      await settleDelivery(db, { delivery: delivery!, ...result, attemptedAt: at, now: at });
    }
    expect((await run("deliveries", id)).split("\n").slice(1)).toEqual([
      "  2026-11-20T10:00:10.000Z  204  120 ms",
      "  2026-11-20T10:00:00.000Z  ECONNREFUSED  3 ms",
    ]);
  });

  test.each([
    [["key", "nobody"], /no partner nobody/],
    [["add", "Shop", "http://shop.example"], /not an origin/],
    [["add", "Shop", "https://*.example"], /not an origin/],
    [["revoke", "nonsense"], /No key/],
    [["add", "Shop"], /npm run partners/],
    [["constructor"], /npm run partners/],
    [[], /npm run partners/],
  ])("W10 %j is refused with what to do", async (words, message) => {
    await expect(run(...words)).rejects.toThrow(message);
  });

  test("W10 a webhook on the server's own machine is refused", async () => {
    const id = wordAfter(await run("add", "Fourth shop", "https://fourth.example"), "partner");
    await expect(run("webhook", id, "http://127.0.0.1/hooks")).rejects.toThrow(/https/);
  });
});
