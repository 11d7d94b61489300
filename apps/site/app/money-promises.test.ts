import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeClick, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { CASHBACK_CHANGE_WORDS } from "@farthing/core/mails/templates/cashback-news.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub, textOf } from "../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

/** Members cannot file a claim (C7) yet, and nothing is paid out by itself: members withdraw (C6). */
const promises =
  /ready to be paid out|payable soon|to be paid out once|yours to take|\bchase it\b|ask us to chase|accepts claims: you|before anything is paid out|can be paid out|what you earned paid out/i;

let club: TestClub;
let networkId: string;
beforeAll(async () => {
  club = await openClub(db);
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

describe("C6 C7 what pages say of payable money and of missing purchases", () => {
  test("C6 C7 questions, legal pages and mails promise no payment by itself and no claim", () => {
    const seeds = join(import.meta.dirname, "../../../packages/db/seeds");
    const texts = [
      readFileSync(join(seeds, "faqs.json"), "utf8"),
      ...readdirSync(join(seeds, "legal")).map((file) => readFileSync(join(seeds, "legal", file), "utf8")),
      ...Object.values(CASHBACK_CHANGE_WORDS).map(({ means }) => means),
    ];
    for (const text of texts) expect.soft(text).not.toMatch(promises);
  });

  test("C6 the profile says what happens with payable money today, and announces no payment", async () => {
    const member = await club.newMember();
    const brandId = club.brand.id;
    const theirs = { brandId, networkId, memberId: member.id, shop: await makeShop(db, { brandId, networkId }) };
    const paid = { status: "approved", paidToPublisher: true } as const;
    const reported = reportedSale(theirs, await makeClick(db, theirs), paid);
    await recordReportedTransaction(db, { networkId, reported, now: new Date() });
    const text = textOf(await (await club.get("/profile", { member })).text());
    expect(text).toContain("The shop has paid us: it is yours");
    expect(text).toContain("You can withdraw it from £10.00 on");
    await db.updateTable("brands").set({ payout_threshold_pence: 600 }).where("id", "=", brandId).execute();
    expect(textOf(await (await club.get("/profile", { member })).text())).toContain("Withdraw it when you like");
    expect(text).not.toContain("Paid out to you");
    expect(text).not.toMatch(promises);
  });

  test("C7 retailers' and offers' pages link to what can be done", async () => {
    const shop = await makeShop(db, { brandId: club.brand.id, networkId });
    const pages = [`/retailers/${shop.retailerSlug}`, `/offers/${shop.offerSlug}?offer=${shop.offerPublicId}`, "/"];
    for (const path of pages) {
      const response = await club.get(path);
      expect.soft(response.status, path).toBe(200);
      expect.soft(textOf(await response.text()), path).not.toMatch(promises);
    }
    const retailer = await (await club.get(pages[0] ?? "")).text();
    expect(retailer).toContain('href="/faq/cashback/my-purchase-is-not-there"');
    expect(retailer).toContain('href="/money/claims/new"');
  });
});
