import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { advanceLine } from "./advance-line.server.ts";
import { markOfBuyer } from "./card-seal.ts";
import { checkGiftCards } from "./check.server.ts";
import { dueLines } from "./due-lines.server.ts";
import { changeLine, findLine, type LineChange } from "./line-row.server.ts";
import { memoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { placeOrder } from "./place-order.server.ts";
import { resolveLine } from "./resolve-line.server.ts";
import { REVERSIBLE_MS } from "./rules.ts";
import { listBuyersOrders } from "./buyer-orders.server.ts";
import { setReward, stopProduct } from "./operations.server.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";
import { findWallet } from "./wallet.server.ts";
import { announceCashbackChanges } from "../cashback-notices/announce-changes.server.ts";
import { advanceClosures } from "../closures/close-member.server.ts";
import { requestClosure } from "../closures/operations.server.ts";
import { closureDays, daysAfter } from "../closures/rules.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import type { ClubForTests } from "../cashback/cashback.testing.ts";
import { makeBatch } from "../payouts/batch.server.ts";
import { cancelGiftCard } from "./cancel-taken.server.ts";
import { applyFailures, stopPayout } from "../payouts/failures.server.ts";
import { placeHold } from "../payouts/holds.server.ts";
import { cancelPayout, requestPayout } from "../payouts/operations.server.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  signIn,
  takeBack,
} from "../payouts/payouts.testing.ts";
import { findWithdrawals } from "../payouts/queries.server.ts";
import { requestGiftCard, type GiftCardRequest } from "./take-cashback.server.ts";

const { db } = await testDatabase();
const keys = ["a key of tests"] as const;
let at = MONDAY.getTime();
const now = () => new Date(at);
const world = memoryIssuer(
  [product("fixed"), product("large", { amounts: { kind: "fixed", amountsPence: [25_000] } })],
  now,
);
const issuers = new Map([["memory", world.issuer]]);
const parts = { db, issuers, keys, now, cards: { live: memoryCards(now).provider, test: null } };
const cards = new Map<string, string>();
let club: ClubForTests;
let sessionId: string;

beforeAll(async () => {
  club = await makePayingClub(db, { networkSlug: "awin" });
  await syncCatalogue(db, world.issuer, { now: now() });
  const rows = await db.selectFrom("gift_card_products").select(["public_id", "issuer_product_id"]).execute();
  for (const row of rows) cards.set(row.issuer_product_id, row.public_id);
  await setReward(db, { issuerProductId: "fixed", kind: "discount", basisPoints: 400 });
});

/** A member with £30.00: two purchases of £24.00 and £6.00. */
beforeEach(async () => {
  at = MONDAY.getTime();
  Object.assign(world, { floatPence: 10_000_000, pendingMs: 0, stockLies: false, tooLate: false });
  world.refusals.clear();
  const { id } = await insertVerifiedMember(db, { brandId: club.brandId });
  club = { ...club, memberId: id };
  await earn(db, club, { pounds: 400 });
  await earn(db, club);
  sessionId = await signIn(db, club);
});

const request = (more: Partial<GiftCardRequest> = {}): GiftCardRequest => ({
  ...{ brandId: club.brandId, memberId: club.memberId, sessionId, productPublicId: cards.get("fixed") ?? "" },
  ...{ facePence: 2500, shownPence: 50_000, idempotencyKey: newId(), now: now() },
  ...more,
});
const take = (more: Partial<GiftCardRequest> = {}) => requestGiftCard(db, { issuers, keys }, request(more));
const balances = async () => {
  const { member_payable, member_in_transit, member_paid } = await findMemberBalances(db, { memberId: club.memberId });
  return { payable: member_payable, inTransit: member_in_transit, paid: member_paid };
};
const lineOf = () =>
  db
    .selectFrom("gift_card_lines as line")
    .innerJoin("gift_card_orders as orders", "orders.id", "line.order_id")
    .innerJoin("payouts as payout", "payout.id", "orders.payout_id")
    .select(["line.public_id as publicId", "line.state", "line.reason", "payout.state as payout"])
    .select(["payout.reason as payoutReason", "payout.public_id as payoutId", "payout.bank_reference as reference"])
    .where("orders.member_id", "=", club.memberId)
    .orderBy("payout.requested_at", "desc")
    .orderBy("payout.id", "desc")
    .executeTakeFirstOrThrow();
const mails = async () =>
  (
    await db.selectFrom("mails").select(["kind", "data"]).where("member_id", "=", club.memberId).orderBy("id").execute()
  ).filter(({ kind }) => kind.startsWith("payout") || kind.startsWith("gift-card"));

async function work(): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const due = await dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 50 });
    if (due.length === 0) return;
    for (const lease of due) {
      const step = await advanceLine(parts, lease.id);
      if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
    }
  }
}

const booksAreRight = async () => expect([...(await faultsOf(db)), ...(await checkGiftCards(db))]).toEqual([]);

describe("C6 G4 cashback as a gift card", () => {
  test("C6 the card costs what its discount leaves, comes out of the balance once, and is in the wallet", async () => {
    expect(await take()).toMatchObject({ outcome: "requested", amountPence: 2400 });
    expect(await balances()).toEqual({ payable: 600, inTransit: 2400, paid: 0 });
    await work();
    expect(await lineOf()).toMatchObject({ state: "issued", payout: "paid" });
    expect(await balances()).toEqual({ payable: 600, inTransit: 0, paid: 2400 });
    const { cards: wallet } = await findWallet(db, { memberId: club.memberId, now: now() });
    expect(wallet).toMatchObject([{ card: "fixed", facePence: 2500 }]);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["payout-requested", "gift-card-receipt"]);
    const paid = await db
      .selectFrom("cashback_entries")
      .select(["cashback_pence", "state"])
      .where("member_id", "=", club.memberId)
      .orderBy("id")
      .execute();
    expect(paid).toEqual([
      { cashback_pence: 2400, state: "paid" },
      { cashback_pence: 600, state: "payable" },
    ]);
    await booksAreRight();
  });

  test("C6 M9 cashback that became a gift card is not announced as money on its way: its receipt has told", async () => {
    await announceCashbackChanges(db, { keys, now: new Date(Date.now() + 60_000), max: 10_000 });
    await take();
    await work();
    await announceCashbackChanges(db, { keys, now: new Date(Date.now() + 60_000), max: 10_000 });
    const told = db.selectFrom("mails").select("kind").where("member_id", "=", club.memberId).orderBy("id");
    expect((await told.execute()).map(({ kind }) => kind)).toEqual([
      "cashback-news",
      "payout-requested",
      "gift-card-receipt",
    ]);
  });

  test("C6 what is left is withdrawn to the bank afterwards, whatever cashback it was", async () => {
    await take({ facePence: 1000 });
    await work();
    expect(await balances()).toEqual({ payable: 2040, inTransit: 0, paid: 960 });
    await giveDetails(db, club);
    const { brandId, memberId } = club;
    expect(await requestPayout(db, { brandId, memberId, sessionId: null, now: now() })).toMatchObject({
      amountPence: 2040,
    });
    await makeBatch(db, { method, bankKeys, payeeKeys, by: "operator", now: now() });
    await booksAreRight();
  });

  test("C6 a card that can't be made puts the money back into the balance, and the member is told why", async () => {
    world.stockLies = true;
    world.refusals.set("fixed", "out-of-stock");
    await take();
    await work();
    expect(await lineOf()).toMatchObject({ state: "refunded", payout: "failed", payoutReason: "no_card" });
    expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
    const [, receipt] = await mails();
    expect(receipt).toMatchObject({
      kind: "gift-card-receipt",
      data: { isPayout: true, isWhole: true, lines: [{ refundedBecause: "The card was out of stock." }] },
    });
    const view = await findWithdrawals(db, { memberId: club.memberId, keys: bankKeys, now: now() });
    expect(view.past).toMatchObject([
      { state: "failed", card: { name: "fixed" }, reason: "The gift card could not be made." },
    ]);
    await booksAreRight();
  });

  test("C6 of 100 requests at once one card is made, with one key or with a hundred", async () => {
    const same = newId();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => take({ idempotencyKey: i % 2 ? same : newId(), facePence: 1000 })),
    );
    const requested = new Set(answers.flatMap((one) => (one.outcome === "requested" ? [one.publicId] : [])));
    expect(requested.size).toBe(1);
    expect(answers.every(({ outcome }) => outcome === "requested" || outcome === "already")).toBe(true);
    await work();
    expect(await balances()).toEqual({ payable: 2040, inTransit: 0, paid: 960 });
    expect(world.live(`gc-${(await lineOf()).publicId}`)).toBe(1);
    const orders = await db
      .selectFrom("gift_card_orders")
      .select("id")
      .where("member_id", "=", club.memberId)
      .execute();
    expect(orders).toHaveLength(1);
    await booksAreRight();
  }, 60_000);

  test("C6 the same form sent again after the card was made takes nothing more", async () => {
    const asked = request({ facePence: 1000 });
    const first = await requestGiftCard(db, { issuers, keys }, asked);
    await work();
    expect(await requestGiftCard(db, { issuers, keys }, asked)).toEqual(first);
    expect(await requestGiftCard(db, { issuers, keys }, { ...asked, facePence: 2500 })).toEqual({
      outcome: "key-taken",
    });
    expect((await balances()).payable).toBe(2040);
  });

  test("C6 a bank withdrawal and a card asked for at once take the money once", async () => {
    await giveDetails(db, club);
    const { brandId, memberId } = club;
    const bank = () => requestPayout(db, { brandId, memberId, sessionId, now: now() });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? bank() : take())));
    expect(answers.filter(({ outcome }) => outcome === "requested")).toHaveLength(1);
    expect((await balances()).payable).toBeGreaterThanOrEqual(0);
    await work();
    await booksAreRight();
  });

  test("C6 refuses what the balance does not pay for, and a price that has risen since it was shown", async () => {
    expect(await take({ facePence: 5000 })).toEqual({ outcome: "too-little", payablePence: 3000, costPence: 4800 });
    expect(await take({ shownPence: 2399 })).toEqual({ outcome: "dearer", costPence: 2400 });
    expect(await take({ shownPence: 2400 })).toMatchObject({ outcome: "requested" });
  });

  test("C6 refuses a value, a card and a product that are not sold, and asks the issuer first", async () => {
    expect(await take({ facePence: 1234 })).toMatchObject({ outcome: "amount-not-offered" });
    expect(await take({ productPublicId: "nothing" })).toMatchObject({ outcome: "not-sold" });
    world.refusals.set("fixed", "out-of-stock");
    expect(await take()).toMatchObject({ outcome: "out-of-stock" });
    world.refusals.clear();
    await stopProduct(db, { issuerProductId: "fixed", because: "a test", now: now() });
    expect(await take()).toMatchObject({ outcome: "not-sold" });
    await stopProduct(db, { issuerProductId: "fixed", because: null, now: now() });
    expect(await requestGiftCard(db, { issuers: new Map(), keys }, request())).toEqual({
      outcome: "issuer-unavailable",
    });
    expect((await balances()).inTransit).toBe(0);
  });

  test("C6 refuses below the smallest withdrawal, another's or an ended session, and an account that is held or closing", async () => {
    await db.updateTable("brands").set({ payout_threshold_pence: 3001 }).where("id", "=", club.brandId).execute();
    expect(await take()).toEqual({ outcome: "below-threshold", payablePence: 3000, thresholdPence: 3001 });
    await db.updateTable("brands").set({ payout_threshold_pence: 3000 }).where("id", "=", club.brandId).execute();
    expect(await take({ sessionId: newId() })).toEqual({ outcome: "signed-out" });
    const { id: otherId } = await insertVerifiedMember(db, { brandId: club.brandId });
    expect(await take({ sessionId: await signIn(db, { ...club, memberId: otherId }) })).toEqual({
      outcome: "signed-out",
    });
    const { member_number: memberNumber } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    await placeHold(db, { memberNumber, reason: "a test", by: "operator", now: now() });
    expect(await take()).toEqual({ outcome: "on-hold" });
    await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", club.brandId).execute();
  });

  test("C6 M5 who leaves takes no card, neither in the week before nor while their last payout is due", async () => {
    const { brandId, memberId } = club;
    const asked = daysAfter(now(), -closureDays.cancel);
    const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
    await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
    const state = async () =>
      (await db.selectFrom("closures").select("state").where("member_id", "=", memberId).executeTakeFirst())?.state;
    expect([await take(), await state()]).toEqual([{ outcome: "closing" }, "requested"]);
    await advanceClosures(db, { now: now() });
    expect([await take(), await state()]).toEqual([{ outcome: "closing" }, "awaiting_payout"]);
    expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
  });

  test("C6 S1 after an act of recovery that ends bank details a card waits as long as new ones would", async () => {
    const { brandId, memberId } = club;
    await db
      .transaction()
      .execute((trx) => endAccess(trx, "reset-password", { brandId, memberId, now: now() }).then(() => undefined));
    sessionId = await signIn(db, { brandId, memberId });
    const from = new Date(at + 72 * 3_600_000);
    expect(await take()).toEqual({ outcome: "too-soon", from });
    at = from.getTime() - 1;
    expect(await take()).toEqual({ outcome: "too-soon", from });
    at = from.getTime();
    expect(await take()).toMatchObject({ outcome: "requested" });
  });

  test("C6 G4 a hold that is placed after the request stops the card; the member cancels, and has the money back", async () => {
    await take();
    await db
      .insertInto("payout_holds")
      .values({
        ...{ id: newId(), brand_id: club.brandId, member_id: club.memberId },
        ...{ reason: "a test", placed_by: "operator", placed_at: now() },
      })
      .execute();
    await work();
    const held = await lineOf();
    expect(held).toMatchObject({ state: "held", reason: "payouts-on-hold", payout: "requested" });
    // Released by mistake while the hold stands: it is held again, and no card is asked for.
    await resolveLine(db, { publicId: held.publicId, decision: "issue", by: "operator", now: now() });
    await work();
    expect(await lineOf()).toMatchObject({ state: "held", payout: "processing" });
    expect(world.live(`gc-${held.publicId}`)).toBe(0);
    const { brandId, memberId } = club;
    const own = { brandId, memberId, publicId: held.payoutId, now: now() };
    expect(await cancelPayout(db, own)).toBe("unknown");
    expect(await cancelGiftCard(db, { ...own, memberId: newId() })).toBe("unknown");
    expect(await cancelGiftCard(db, own)).toBe("cancelled");
    expect(await lineOf()).toMatchObject({ state: "refunded", payout: "failed", payoutReason: "cancelled" });
    expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
    expect(await cancelGiftCard(db, own)).toBe("too-late");
    await booksAreRight();
  });

  test("C6 a card that was not asked for yet is cancelled at once, and one that is made can't be", async () => {
    const { brandId, memberId } = club;
    await take();
    const first = await lineOf();
    const own = { brandId, memberId, publicId: first.payoutId, now: now() };
    expect(await cancelGiftCard(db, own)).toBe("cancelled");
    expect(await lineOf()).toMatchObject({ state: "cancelled", payout: "failed", payoutReason: "cancelled" });
    expect((await balances()).payable).toBe(3000);
    at += 1;
    await take();
    await work();
    expect(await cancelGiftCard(db, { ...own, publicId: (await lineOf()).payoutId })).toBe("too-late");
    await booksAreRight();
  });

  test("C6 a shop that takes cashback back before the card is made ends it: no card, and the balance is what is left", async () => {
    const reported = await earn(db, club, { pounds: 1000 });
    await take({ facePence: 5000 });
    expect((await balances()).payable).toBe(4200);
    await takeBack(db, club, reported);
    expect((await balances()).payable).toBe(-1800);
    await work();
    expect(await lineOf()).toMatchObject({ state: "refunded", payout: "failed", payoutReason: "balance_fell" });
    expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
    expect((await mails()).at(-1)).toMatchObject({ kind: "gift-card-receipt", data: { isWhole: false } });
    await booksAreRight();
  });

  test("C6 G4 a card that is taken back within 48 hours is a withdrawal that came back", async () => {
    await take();
    await work();
    const { publicId } = await lineOf();
    await resolveLine(db, { publicId, decision: "refund", by: "operator", now: now() });
    await work();
    expect(await lineOf()).toMatchObject({ state: "refunded", payout: "returned", payoutReason: "card_taken_back" });
    expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
    await booksAreRight();
  });

  describe("a worker of a version before payouts by gift card, in a rolling upgrade", () => {
    /** Changes the line as that version does: it reads an order without a payout, whose payment nobody has begun. */
    const changeAsBefore = async (change: Partial<LineChange>) => {
      const line = await findLine(db, { publicId: (await lineOf()).publicId });
      if (!line) throw new Error("There is no line.");
      const known = { ...line, payout: null, isPayout: false, payment: null };
      return changeLine(db, known, { nextStepAt: now(), by: "an old worker", now: now(), ...change });
    };
    const made = { state: "issued", cardState: "issued", reason: null, set: { sealed_card: "x".repeat(40) } } as const;

    test("C4 C6 G4 can't book the card against card payments, nor leave the payout behind; this version makes the card", async () => {
      world.pendingMs = 60_000; // the issuer has been asked, and works on it
      await take();
      await work();
      expect(await lineOf()).toMatchObject({ state: "issuing", payout: "processing" });
      await expect(changeAsBefore(made)).rejects.toThrow(/is not paid out of payment_held|is issued, and the payout/);
      expect(await lineOf()).toMatchObject({ state: "issuing", payout: "processing" });
      at += 120_000;
      await work();
      expect(await lineOf()).toMatchObject({ state: "issued", payout: "paid" });
      expect(world.live(`gc-${(await lineOf()).publicId}`)).toBe(1);
      await booksAreRight();
    });

    test("C6 G4 can't cancel a line that it takes for unpaid", async () => {
      await take();
      await expect(changeAsBefore({ state: "cancelled", nextStepAt: null })).rejects.toThrow(
        /is cancelled, and the payout that it is paid with requested/,
      );
      await work();
      expect(await lineOf()).toMatchObject({ state: "issued", payout: "paid" });
      await booksAreRight();
    });

    test("C4 C6 can't book a card that is taken back as a refund of a card payment", async () => {
      await take();
      await work();
      await resolveLine(db, { publicId: (await lineOf()).publicId, decision: "refund", by: "operator", now: now() });
      expect(await lineOf()).toMatchObject({ state: "reversing", payout: "paid" });
      // Line and payout agree here, so only the posting is wrong.
      await expect(changeAsBefore({ state: "refunding", cardState: "reversed" })).rejects.toThrow(
        /is not paid out of payment_held/,
      );
      await work();
      expect(await lineOf()).toMatchObject({ state: "refunded", payout: "returned" });
      expect(await balances()).toEqual({ payable: 3000, inTransit: 0, paid: 0 });
      await booksAreRight();
    });
  });

  test("C6 G4 a card with cashback earns it, and it is payable after 48 hours", async () => {
    await setReward(db, { issuerProductId: "fixed", kind: "cashback", basisPoints: 400 });
    expect(await take()).toMatchObject({ amountPence: 2500 });
    await work();
    expect(await balances()).toEqual({ payable: 500, inTransit: 0, paid: 2500 });
    at += REVERSIBLE_MS;
    await work();
    expect((await balances()).payable).toBe(600);
    await setReward(db, { issuerProductId: "fixed", kind: "discount", basisPoints: 400 });
    await booksAreRight();
  });

  test("C6 no batch takes it, no report of the bank and no operator's stop ends it, and the portal lists no order of it", async () => {
    await take();
    const { reference, payoutId } = await lineOf();
    await giveDetails(db, club);
    await makeBatch(db, { method, bankKeys, payeeKeys, by: "operator", now: now() });
    expect(await lineOf()).toMatchObject({ payout: "requested" });
    const failure = { reference, amountPence: 2400, reason: "refused" as const, said: "0" };
    expect(await applyFailures(db, { failures: [failure], now: now() })).toMatchObject([{ outcome: "unknown" }]);
    expect(await stopPayout(db, { publicId: payoutId, reason: "operator", by: "o", now: now() })).toEqual({
      outcome: "gift-card",
    });
    expect(await listBuyersOrders(db, { viewer: { sessionId: newId(), memberId: club.memberId } })).toEqual([]);
    await work();
  });

  test("C6 G4 limits of a buyer's day count cards that are bought and cards that are taken together", async () => {
    await earn(db, club, { pounds: 20_000 });
    const takeLarge = async () => {
      const { outcome } = await take({ productPublicId: cards.get("large") ?? "", facePence: 25_000 });
      await work();
      const held = await lineOf();
      if (held.state === "held")
        await resolveLine(db, { publicId: held.publicId, decision: "issue", by: "o", now: now() });
      await work();
      at += 1000;
      return outcome;
    };
    const outcomes: string[] = [];
    for (let i = 0; i < 5; i += 1) outcomes.push(await takeLarge());
    expect(outcomes).toEqual(["requested", "requested", "requested", "requested", "too-much-today"]);
    await booksAreRight();
  });

  test("C6 S1 unpaid orders of others in the member's address stop no card", async () => {
    const { id: partnerId, publicId } = await makePartner(db);
    const session = { id: newId(), partner: { id: partnerId, publicId, name: "Shop" }, reference: null, price: null };
    await db
      .insertInto("widget_sessions")
      .values({
        ...{ id: session.id, partner_id: partnerId, origin: "https://shop.example", bearer_hash: randomBytes(32) },
        ...{ opened_at: now(), expires_at: new Date(at + 3_600_000) },
      })
      .execute();
    const { email } = await db
      .selectFrom("members")
      .select("email")
      .where("id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    const placed = await placeOrder(db, issuers, {
      ...{ session: { ...session, mode: "live" }, member: null, idempotencyKey: newId(), now: now() },
      buyerMark: markOfBuyer(email, keys),
      cards: Array.from({ length: 4 }, () => ({ productPublicId: cards.get("large") ?? "", facePence: 25_000 })),
    });
    expect(placed.outcome).toBe("placed");
    expect((await take()).outcome).toBe("requested");
    await work();
    expect(await lineOf()).toMatchObject({ state: "issued" });
  });

  test("C6 the database refuses an order that does not cost what its payout is of", async () => {
    await take();
    const payout = await db
      .selectFrom("payouts")
      .selectAll()
      .where("member_id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    await cancelGiftCard(db, {
      brandId: club.brandId,
      memberId: club.memberId,
      publicId: payout.public_id,
      now: now(),
    });
    const { id: second } = await db
      .insertInto("payouts")
      .values({
        ...{ id: newId(), brand_id: club.brandId, member_id: club.memberId, method: "gift-card", state: "requested" },
        ...{ amount_pence: 100, bank_reference: "FPTESTTEST22", requested_at: now() },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const order = db.insertInto("gift_card_orders").values({
      ...{ id: newId(), payout_id: second, idempotency_key: newId(), brand_id: club.brandId, member_id: club.memberId },
      ...{ buyer_mark: Buffer.alloc(32), total_pence: 200, placed_at: now() },
    });
    await expect(order.execute()).rejects.toThrow("does not cost what its payout is of");
    await expect(
      db.updateTable("payouts").set({ state: "processing", version: 2 }).where("id", "=", second).execute(),
    ).rejects.toThrow("payouts_sent");
  });
});
