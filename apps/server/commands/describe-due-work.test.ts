import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { claimDueMails, failMail } from "@farthing/core/mails/outbox.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { describeDueWork } from "./describe-due-work.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");

test("R1 operators see the work that waits and the work that was given up, newest first, with the reason", async () => {
  const { id: brandId } = await insertBrand(db);
  const queue = () =>
    queueMail(db, { brandId, memberId: null, to: "ada@example.org", mail: { kind: "no-account" }, now });
  for (let mail = 0; mail < 23; mail += 1) await queue();
  const claimed = await claimDueMails(db, { now, leaseMs: 60_000, max: 22 });
  for (const mail of claimed) await failMail(db, { mail, error: `refused ${mail.id}`, isPermanent: true, now });
  const newest = claimed
    .map(({ id }) => id)
    .sort()
    .reverse();
  const lines = await describeDueWork(db);
  expect(lines.join("\n")).not.toContain("ada@");
  expect(lines).toEqual([
    "mails: 1 to do, 22 given up",
    ...newest.slice(0, 20).map((id) => `  ${id}  attempts 1  refused ${id}`),
    "  and 2 older",
    "password_reset_requests: 0 to do, 0 given up",
    "partner_webhook_deliveries: 0 to do, 0 given up",
    "network_events: 0 to do, 0 given up",
    "payment_lookups: 0 to do, 0 given up",
    "payment_refunds: 0 to do, 0 given up",
    "payment_disputes: 0 to do, 0 given up",
    "payment_fees: 0 to do, 0 given up",
    "cashback_watches: 0 to do, 0 given up",
    "claims: 0 to do, 0 given up",
    "referral_watches: 0 to do, 0 given up",
    "gift_card_lines: 0 to do, 0 given up",
    "gift_card_presents: 0 to do, 0 given up",
    "wallet_cards: 0 to do, 0 given up",
  ]);
});
