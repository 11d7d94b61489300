import { readdirSync, readFileSync } from "node:fs";
import { insertOffer, insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { addWebhook } from "@farthing/core/partners/webhooks.server.ts";
import { placeHold } from "@farthing/core/payouts/holds.server.ts";
import { MONDAY } from "@farthing/core/payouts/payouts.testing.ts";
import { dueResetRequests, requestPasswordReset } from "@farthing/core/sign-in/reset-requests.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

// Every list with something to do with chosen rows: it asks first, and stays as it was filtered.

const { db } = await testDatabase();
const { admin, owner, asking } = await openPayoutAdmin(db);

/** Each list by the file that says what can be done with its rows: its address with a filter, and the table of its rows. */
const lists = {
  "members/member-list.tsx": { address: "/admin/members?state=verified&size=25", table: "members" },
  "offers/offer-list.tsx": { address: "/admin/offers?status=live&size=25", table: "offers" },
  "payouts/payout-list.tsx": { address: "/admin/payouts?state=requested&size=25", table: "payouts" },
  "payouts/hold-list.tsx": { address: "/admin/payouts/holds?state=open&size=25", table: "payout_holds" },
  "partners/delivery-list.tsx": { address: "", table: "partner_webhook_deliveries" },
  "background-work/work-list.tsx": {
    address: "/admin/background-work/password_reset_requests?state=given-up&size=25",
    table: "password_reset_requests",
  },
} as const;
let deliveries = "";

beforeAll(async () => {
  const { memberNumber } = await asking();
  await placeHold(db, { memberNumber, reason: "one card, ten accounts", by: "an operator", now: MONDAY });
  const { id: brandId } = await insertBrand(db);
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  await insertOffer(db, { networkId: (await insertNetwork(db)).id, retailerId: retailer.id });
  const partner = await makePartner(db);
  const webhook = await addWebhook(db, { partnerId: partner.id, url: "https://shop.example/hook", allowLocal: false });
  await db
    .insertInto("partner_webhook_deliveries")
    .values({
      ...{ id: newId(), webhook_id: webhook.id, event_id: newId(), kind: "payment.succeeded", body: "{}" },
      ...{ attempts: 8, created_at: MONDAY, next_try_at: null, last_status: 500 },
    })
    .execute();
  deliveries = `/admin/partners/${partner.publicId}/webhooks/${webhook.id}?state=given-up&size=25`;
  await requestPasswordReset(db, { brandId, email: "ada@example.org", now: MONDAY });
  const [lease] = await dueResetRequests.claim(db, { now: MONDAY, leaseMs: 60_000, max: 1 });
  await dueResetRequests.fail(db, lease!, { now: MONDAY, error: "no mail server", isPermanent: true });
});

const routes = new URL("../../admin/app/routes/", import.meta.url);
const withBulk = readdirSync(routes, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith("-list.tsx") && readFileSync(new URL(name, routes), "utf8").includes("bulk:"))
  .map((name) => name.replaceAll("\\", "/"));

const escaped = (text: string) => text.replaceAll("&", "&amp;");

describe("A3 what is done with several rows at once", () => {
  test("A3 each list with such acts is tried here", () => {
    expect(withBulk.toSorted()).toEqual(Object.keys(lists).toSorted());
  });

  test.each(Object.entries(lists))(
    "A3 %s: the first post only asks, and what follows leads back to the list as it is filtered",
    async (_, list) => {
      const address = list.address || deliveries;
      const html = await (await admin.get(address, owner)).text();
      const ids = [...html.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id = ""]) => id);
      const [, bulk = ""] = html.split('<div class="bulk"');
      const acts = [...bulk.split("</form>", 1)[0]!.matchAll(/<button[^>]* value="([^"]+)"[^>]*>([^<]*)/g)];
      expect([ids.length > 0, acts.length > 0]).toEqual([true, true]);
      const stored = async () =>
        JSON.stringify([
          await db.selectFrom(list.table).selectAll().orderBy("id").execute(),
          await db.selectFrom("audit_entries").select("seq").orderBy("seq").execute(),
        ]);
      for (const [, act = "", label = ""] of acts) {
        expect(label, "more follows").toContain("…");
        const before = await stored();
        const asked = await admin.post(address, owner, { act, ids });
        const [question = ""] = /<section class="confirm".*?<\/section>/s.exec(await asked.text()) ?? [];
        expect([asked.status, await stored()], act).toEqual([200, before]);
        expect(question, act).toContain('name="confirmed" value="yes"');
        expect(question).toContain(`action="${escaped(address)}"`);
        expect(question).toContain(`href="${escaped(address)}"`);
        for (const id of ids) expect(question).toContain(`name="ids" value="${id}"`);
      }
    },
  );
});
