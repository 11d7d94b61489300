import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertRetailer } from "../catalogue/catalogue.testing.ts";
import { findClosing } from "../catalogue/retailers/find-closing.server.ts";
import { openPresent, giveCard } from "./presents.server.ts";
import { stopProduct } from "./operations.server.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";
import { dueNotices, findTroubles, planTroubleNotices, stepNotice } from "./wallet-notices.server.ts";
import { aGift, openWallets, WALLET_KEYS } from "./wallet.testing.ts";

const { db } = await testDatabase();
const club = await openWallets(db);
const DAY_MS = 86_400_000;

/** A member with a card, by the address that the member gets. */
async function withCard() {
  const { memberId } = await club.newMember();
  const { card } = await club.buyCard(memberId);
  const { id: lineId } = await db
    .selectFrom("gift_card_lines")
    .select("id")
    .where("public_id", "=", card)
    .executeTakeFirstOrThrow();
  return { memberId, card, lineId };
}
const planned = async ({ lineId }: { lineId: string }) =>
  (
    await db
      .selectFrom("wallet_cards")
      .select("next_notice_at as at")
      .where("line_id", "=", lineId)
      .executeTakeFirstOrThrow()
  ).at;
const sync = () => syncCatalogue(db, club.issuer.issuer, { now: club.now() });
const write = (
  { lineId }: { lineId: string },
  set: { left_pence?: number; last_error?: string; next_notice_at?: Date },
) => db.updateTable("wallet_cards").set(set).where("line_id", "=", lineId).execute();

test("G6 a notice of trouble is planned when it begins, for cards that can be told of it, and not by each reading of the catalogue", async () => {
  const expired = await withCard();
  await db.updateTable("gift_card_lines").set({ expires_on: "2026-11-19" }).where("id", "=", expired.lineId).execute();
  const [told, spent, suspended] = [await withCard(), await withCard(), await withCard()];
  const [unproved, failing, due] = [await withCard(), await withCard(), await withCard()];
  const opened = await withCard();
  const to = "opened@example.org";
  await giveCard(db, { ...opened, gift: aGift({ recipientEmail: to }), now: club.now() });
  await club.work();
  const present = { brandId: club.brandId, token: club.tokenFor(to), opener: "a browser", keys: WALLET_KEYS };
  expect(await openPresent(db, { ...present, now: club.now() })).toMatchObject({ outcome: "shown" });
  await db
    .updateTable("gift_card_presents")
    .set({ recipient_name: null, recipient_email: null, message: null })
    .where("line_id", "=", opened.lineId)
    .execute();
  await db
    .updateTable("wallet_cards")
    .set({ left_pence: 0, left_read_at: club.now() })
    .where("line_id", "=", spent.lineId)
    .execute();
  await db.updateTable("members").set({ suspended_at: club.now() }).where("id", "=", suspended.memberId).execute();
  await db.updateTable("members").set({ email_verified: false }).where("id", "=", unproved.memberId).execute();
  const [retryAt, dueSince] = [new Date(club.clock.at + 1_200_000), new Date(club.clock.at - 1_000)];
  await write(failing, { last_error: "no answer", next_notice_at: retryAt });
  await write(due, { next_notice_at: dueSince });
  const hopeless = { expired, spent, suspended, unproved, opened };
  const hopelessPlans = async () => await Promise.all(Object.values(hopeless).map(planned));
  const before = await hopelessPlans();

  const { id } = await insertRetailer(db, { name: "fixed" });
  await db.updateTable("retailers").set({ status: "closed" }).where("id", "=", id).execute();
  await sync();
  expect(await planned(told), "the product's new retailer is closed").toEqual(club.now());
  expect(await hopelessPlans()).toEqual(before);
  expect(await planned(failing), "it is tried at its own time").toEqual(retryAt);
  expect(await planned(due)).toEqual(dueSince);
  const counted = await findClosing(db, { id, liveOffers: 0 }, { now: club.now() });
  expect(counted.heldCards, "told, failing and due: what the question before a closing counts").toBe(3);

  const reminder = new Date(club.clock.at + 30 * DAY_MS);
  await write(told, { next_notice_at: reminder });
  club.clock.at += 3_600_000;
  await sync();
  expect(await planned(told), "the same trouble an hour later").toEqual(reminder);
});

test("G6 an owner is told again when a product that was resumed is stopped again as insolvent; an expired card's is not told at all", async () => {
  await db.updateTable("retailers").set({ status: "active" }).execute();
  const { memberId, lineId } = await withCard();
  const { email } = await db.selectFrom("members").select("email").where("id", "=", memberId).executeTakeFirstOrThrow();
  const mails = () => club.delivered.filter(({ to, kind }) => to === email && kind === "gift-card-stopped").length;
  const stop = async (because: string | null) => {
    const isInsolvent = because !== null;
    expect(await stopProduct(db, { issuerProductId: "fixed", because, isInsolvent, now: club.now() })).toBe("done");
    await club.work({ rounds: 2 });
  };
  await stop("In administration.");
  await stop(null);
  expect(mails()).toBe(1);
  await stop("In administration again.");
  expect(mails()).toBe(2);
  await stop(null);
  // The notice is due, and the card expires before the worker is back.
  await stopProduct(db, { issuerProductId: "fixed", because: "Gone.", isInsolvent: true, now: club.now() });
  expect(await planned({ lineId })).toEqual(club.now());
  const start = club.clock.at;
  club.clock.at += 700 * DAY_MS;
  await club.work({ rounds: 2 });
  expect(mails()).toBe(2);
  club.clock.at = start;
});

test("G6 cards that are planned are locked in the order of their ids", async () => {
  await db
    .updateTable("gift_card_products")
    .set({ is_insolvent: false, stopped_at: null, stopped_because: null })
    .execute();
  const cards = [await withCard(), await withCard()].toSorted((one, other) => (one.lineId < other.lineId ? -1 : 1));
  let stopping: ReturnType<typeof stopProduct> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`select from wallet_cards where line_id = ${cards[0]?.lineId} for no key update`.execute(trx);
    stopping = stopProduct(db, { issuerProductId: "fixed", because: "Gone.", isInsolvent: true, now: club.now() });
    await untilWaiting(db);
    await sql`select from wallet_cards where line_id = ${cards[1]?.lineId} for no key update nowait`.execute(trx);
  });
  expect(await stopping).toBe("done");
  await stopProduct(db, { issuerProductId: "fixed", because: null, now: club.now() });
});

test("G6 a notice that failed and is tried while trouble is written tells it", async () => {
  const one = await withCard();
  await write(one, { last_error: "no answer", next_notice_at: club.now() });
  const [lease] = (await dueNotices.claim(db, { now: club.now(), leaseMs: 60_000, max: 50 })).filter(
    ({ id }) => id === one.lineId,
  );
  if (!lease) throw new Error("The notice is not due.");
  let telling: Promise<void> | undefined;
  await db.transaction().execute(async (trx) => {
    const before = await findTroubles(trx, sql<boolean>`true`);
    await sql`update gift_card_products set is_insolvent = true, stopped_at = ${club.now()}, stopped_because = 'Gone.'
      where issuer_product_id = 'fixed'`.execute(trx);
    await planTroubleNotices(trx, { before, now: club.now() });
    telling = stepNotice(db, { lease, keys: ["a key for links"], now: club.now() });
    await untilWaiting(db);
  });
  await telling;
  const { told } = await db
    .selectFrom("wallet_cards")
    .select("insolvency_told_at as told")
    .where("line_id", "=", one.lineId)
    .executeTakeFirstOrThrow();
  expect(told).toEqual(club.now());
});
