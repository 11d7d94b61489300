import { announceOutcome } from "./announce-order.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { mailContent } from "../mails/mail.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { advanceLine } from "./advance-line.server.ts";
import { forgetBuyersAddresses } from "./forget-addresses.server.ts";
import { resolveLine } from "./resolve-line.server.ts";
import { openShop } from "./shop.testing.ts";
import { aGift } from "./wallet.testing.ts";

const HOUR_MS = 3_600_000;
const { db } = await testDatabase();
const shop = await openShop(db, ["a key of tests"]);
let member: { id: string; brandId: string };
const club = { name: "Club", strapline: "For us", supportEmail: "help@club.example" };

beforeAll(async () => {
  const { id: brandId } = await insertBrand(db);
  member = { id: (await insertVerifiedMember(db, { brandId })).id, brandId };
});

/** The mails about an order: to whom, and what they say in plain words. */
async function mailsOf(order: string) {
  const rows = await db
    .selectFrom("mails")
    .selectAll()
    .where(sql<boolean>`data->>'order' = ${order}`)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ kind, data, recipient, member_id: memberId }) => {
    const { subject, blocks } = mailContent(kind, data, club);
    const text = blocks
      .flatMap((block) => {
        if (block.kind === "facts") return block.facts.map(({ label, value }) => `${label}: ${value}`);
        if (block.kind === "button") return [`${block.label}: ${block.path}`];
        return block.kind === "list" ? block.items : "text" in block ? [block.text] : [];
      })
      .join("\n");
    return { kind, recipient, memberId, subject, text };
  });
}

test("G4 a visitor gets one receipt when every line is decided, with each refund's reason and no code", async () => {
  const bought = await shop.buy([
    ["fixed", 2500],
    ["other", 1000],
    ["fixed", 1000],
  ]);
  shop.issuer.refusals.set("other", "out-of-stock");
  await bought.pay();
  await shop.work();
  shop.issuer.refusals.clear();
  await shop.work();
  const mails = await mailsOf(bought.order);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    ...{ kind: "gift-card-receipt", recipient: "visitor@example.org", memberId: null },
    subject: "Your gift cards: 2 of 3 ready, £9.53 refunded",
  });
  const text = mails[0]?.text;
  expect(text).toContain("fixed: ready\nValue: £25.00\nDiscount: −£1.18\nPaid: £23.82");
  expect(text).toContain("other: refunded");
  expect(text).toContain("Refunded: £9.53\nWhy: The card was out of stock.");
  expect(text).toContain(`Order: ${bought.order}\nPaid: £42.88\nRefunded: £9.53`);
  const { rows } = await sql<{ mails: string }>`select string_agg(mails::text, '') as mails from mails`.execute(db);
  for (const { code } of shop.issuer.cards.values()) expect(rows[0]?.mails).not.toContain(code);
  expect(text, "a visitor has no wallet").not.toContain("See your");
});

test("G4 a member's receipt leads to the card, or to the wallet where there are several, and says once what was paid", async () => {
  const one = await shop.buy([["fixed", 2500]], { member, email: null });
  await one.pay();
  const two = await shop.buy(
    [
      ["fixed", 2500],
      ["fixed", 1000],
    ],
    { member, email: null },
  );
  await two.pay();
  await shop.work();
  const [single] = await mailsOf(one.order);
  expect(single?.text).toContain(`See your card: /money/gift-cards/${one.lines[0]}`);
  expect(single?.text.match(/Paid: /g)).toHaveLength(1);
  const [several] = await mailsOf(two.order);
  expect(several?.text).toMatch(/See your cards: \/money\/gift-cards$/m);
  expect(several?.text.match(/Paid: /g)).toHaveLength(3);
});

test("G4 G6 the receipt of a present says who gets it and when, without their address", async () => {
  const bought = await shop.buy([["fixed", 2500]], { member, email: null });
  const gift = aGift({ recipientName: "Mum", recipientEmail: "mum@example.org", sendOn: "2026-12-24" });
  await sql`update gift_card_lines set gift = ${JSON.stringify(gift)}::jsonb where public_id = ${bought.lines[0]}`.execute(
    db,
  );
  await bought.pay();
  await shop.work();
  const [mail] = await mailsOf(bought.order);
  expect(mail?.subject).toBe("Your present for Mum is ready");
  expect(mail?.text).toContain("A present for Mum, to be sent by e-mail on 24 December 2026.");
  expect(mail?.text).toContain(`See your present: /money/gift-cards/${bought.lines[0]}`);
  expect(mail?.text).not.toContain("mum@");
});

test.each([
  ["at once", null, "A present for Mum, sent by e-mail."],
  ["later", "2026-12-24", "A present for Mum, to be sent by e-mail on 24 December 2026."],
])("G4 G6 the receipt of a present that is sent %s names no day once it was sent", async (_, sendOn, says) => {
  const bought = await shop.buy([["fixed", 1000]], { member: null, email: "giver@example.org" });
  const gift = aGift({ recipientName: "Mum", recipientEmail: "mum@example.org", sendOn });
  await sql`update gift_card_lines set gift = ${JSON.stringify(gift)}::jsonb where public_id = ${bought.lines[0]}`.execute(
    db,
  );
  await bought.pay();
  await shop.work();
  const { id: orderId } = await db
    .updateTable("gift_card_orders")
    .set({ receipt_refunds: null })
    .where("public_id", "=", bought.order)
    .returning("id")
    .executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => announceOutcome(trx, { orderId, now: new Date("2027-01-05T12:00:00Z") }));
  const [first, second] = await mailsOf(bought.order);
  expect(first?.text).toContain(says);
  expect(second?.text).toContain("A present for Mum, sent by e-mail.");
});

test("G4 a member's receipt names fee and cashback, and a repeated step sends no second one", async () => {
  await sql`update gift_card_products set reward_kind = 'cashback', fee_pence = 50 where issuer_product_id = 'other'`.execute(
    db,
  );
  const bought = await shop.buy([["other", 2500]], { member, email: null });
  await bought.pay();
  await shop.work();
  const { id } = await db
    .selectFrom("gift_card_lines")
    .select("id")
    .where("public_id", "=", bought.lines[0] ?? "")
    .executeTakeFirstOrThrow();
  const parts = {
    ...{ db, keys: ["a key of tests"] as const, now: () => new Date(shop.clock.at + 49 * HOUR_MS) },
    ...{ issuers: new Map([["memory", shop.issuer.issuer]]), cards: { live: shop.cards.provider, test: null } },
  };
  await Promise.all(Array.from({ length: 5 }, () => advanceLine(parts, id)));
  const mails = await mailsOf(bought.order);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ memberId: member.id, subject: "Your gift card is ready" });
  expect(mails[0]?.text).toContain("Fee: £0.50\nPaid: £25.50\nCashback: £1.18, yours to withdraw after 48 hours");
});

test("G4 lines of one order that end at the same moment make one receipt", async () => {
  for (let round = 0; round < 5; round += 1) {
    const bought = await shop.buy(Array.from({ length: 8 }, (): [string, number] => ["fixed", 1000]));
    await bought.pay();
    await shop.work();
    expect(await mailsOf(bought.order)).toMatchObject([{ subject: "Your gift cards are ready" }]);
  }
});

test("G4 a card that is refunded after the receipt makes another receipt, once", async () => {
  const bought = await shop.buy([
    ["fixed", 2500],
    ["fixed", 1000],
  ]);
  await bought.pay();
  await shop.work();
  await resolveLine(db, { publicId: bought.lines[1] ?? "", decision: "refund", by: "op", now: shop.now() });
  await shop.work();
  const mails = await mailsOf(bought.order);
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Your gift cards are ready",
    "Your gift-card order has changed: £9.53 refunded",
  ]);
  expect(mails[1]?.text).toContain("Why: The card was taken back, as agreed with you.");
});

test("G4 a card that stays with its buyer after all makes no second receipt", async () => {
  const bought = await shop.buy([["fixed", 2500]]);
  await bought.pay();
  await shop.work();
  shop.issuer.tooLate = true;
  await resolveLine(db, { publicId: bought.lines[0] ?? "", decision: "refund", by: "op", now: shop.now() });
  await shop.work();
  shop.issuer.tooLate = false;
  expect(await mailsOf(bought.order)).toHaveLength(1);
});

test("G4 a buyer whose order waits for an hour is told once, then gets the receipt", async () => {
  const bought = await shop.buy([
    ["fixed", 2500],
    ["other", 1000],
  ]);
  shop.issuer.floatPence = 0;
  await bought.pay();
  for (let minutes = 0; minutes < 180; minutes += 30) {
    await shop.work();
    if (minutes === 30) expect(await mailsOf(bought.order)).toEqual([]);
    shop.clock.at += 30 * 60_000;
  }
  const waiting = await mailsOf(bought.order);
  expect(waiting).toMatchObject([{ kind: "gift-card-delay", subject: "Your gift-card order takes longer than usual" }]);
  expect(waiting[0]?.text).toContain("fixed, £25.00: the company that makes the card has not delivered it yet");
  shop.issuer.floatPence = 10_000_000;
  shop.clock.at += 30 * 60_000;
  await shop.work();
  expect((await mailsOf(bought.order)).map(({ kind }) => kind)).toEqual(["gift-card-delay", "gift-card-receipt"]);
});

test("G4 no address, or a strange one, never stops an order", async () => {
  for (const email of [null, "two@example.org,three@example.org", "a b@example.org"]) {
    const bought = await shop.buy([["fixed", 1000]], { email });
    await bought.pay();
    await shop.work();
    const line = await db
      .selectFrom("gift_card_lines")
      .select("state")
      .where("public_id", "=", bought.lines[0] ?? "")
      .executeTakeFirstOrThrow();
    expect(line.state).toBe("issued");
    expect(await mailsOf(bought.order)).toEqual([]);
  }
});

test("G4 the address that a partner gave with a fixed price comes before the one that a visitor types", async () => {
  const fixed = { amountPence: 953, email: "given@example.org" };
  const bought = await shop.buy([["fixed", 1000]], { email: "typed@example.org", fixed });
  await bought.pay();
  await shop.work();
  expect(await mailsOf(bought.order)).toMatchObject([{ recipient: "given@example.org" }]);
});

test("G4 the address that a visitor types is used where the partner gave a price without one, and the price keeps none", async () => {
  const fixed = { amountPence: 953, email: null };
  const bought = await shop.buy([["fixed", 1000]], { email: "typed@example.org", fixed });
  await bought.pay();
  await shop.work();
  expect(await mailsOf(bought.order)).toMatchObject([{ kind: "gift-card-receipt", recipient: "typed@example.org" }]);
  const { email } = await db
    .selectFrom("widget_sessions")
    .select("email")
    .where("id", "=", db.selectFrom("gift_card_orders").select("session_id").where("public_id", "=", bought.order))
    .executeTakeFirstOrThrow();
  expect(email).toBeNull();
});

test("G4 each order of a visit writes to the address that was typed for it", async () => {
  const first = await shop.buy([["fixed", 1000]], { email: "first@example.org" });
  const second = await shop.buy([["fixed", 1000]], { email: "second@example.org", visit: first.visit });
  for (const bought of [first, second]) await bought.pay();
  await shop.work();
  expect(await mailsOf(first.order)).toMatchObject([{ recipient: "first@example.org" }]);
  expect(await mailsOf(second.order)).toMatchObject([{ recipient: "second@example.org" }]);
});

test("G4 S1 the address of an order is removed 30 days after it", async () => {
  const bought = await shop.buy([["fixed", 1000]], { email: "typed@example.org" });
  const address = async () => {
    const { buyer_email: email } = await db
      .selectFrom("gift_card_orders")
      .select("buyer_email")
      .where("public_id", "=", bought.order)
      .executeTakeFirstOrThrow();
    return email;
  };
  await forgetBuyersAddresses(db, { now: new Date(shop.clock.at + 29 * 24 * HOUR_MS) });
  expect(await address()).toBe("typed@example.org");
  await forgetBuyersAddresses(db, { now: new Date(shop.clock.at + 31 * 24 * HOUR_MS) });
  expect(await address()).toBeNull();
});

test("G4 an order that nobody paid makes no mail", async () => {
  const bought = await shop.buy([["fixed", 1000]]);
  await shop.work();
  shop.clock.at += 49 * HOUR_MS;
  await shop.work();
  expect(await mailsOf(bought.order)).toEqual([]);
});
