import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { makeClick, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { payMember, recordReportedTransaction } from "../cashback/operations.server.ts";
import { makeShop } from "../clicks/clicks.testing.ts";
import { makeBrand, makeMember, makeNetwork } from "../ledger/ledger.testing.ts";
import { mailContent } from "../mails/mail.ts";
import { chooseMails } from "../mail-choices/operations.server.ts";
import { readUnsubscription } from "../mail-choices/unsubscribe-token.ts";
import { announceCashbackChanges } from "./announce-changes.server.ts";
import { gatherMs } from "./rules.ts";

const { db } = await testDatabase({ max: 8 });
const keys = ["a key"] as const;
const brandWords = { name: "Club", strapline: "", supportEmail: "help@club.example" };
let networkId: string;

beforeAll(async () => {
  networkId = await makeNetwork(db);
});

async function open() {
  const brandId = await makeBrand(db);
  const memberId = await makeMember(db, { brandId });
  const club: ClubForTests = { brandId, networkId, memberId, shop: await makeShop(db, { brandId, networkId }) };
  const said = (reported: ReturnType<typeof reportedSale>) =>
    recordReportedTransaction(db, { networkId, reported, now: new Date() });
  /** By a clock on which the time for gathering is over. */
  const announce = () => announceCashbackChanges(db, { keys, now: new Date(Date.now() + 60_000) });
  const mails = async () => {
    const rows = await db.selectFrom("mails").selectAll().where("member_id", "=", memberId).orderBy("id").execute();
    return rows.map((row) => ({ ...mailContent(row.kind, row.data, brandWords), data: row.data as { token: string } }));
  };
  return { club, brandId, memberId, said, announce, mails };
}

test("M9 each change is told once: tracked, confirmed, payable, paid", async () => {
  const { club, memberId, said, announce, mails } = await open();
  const sale = reportedSale(club, await makeClick(db, club));
  const later = (minute: number) => new Date(sale.modifiedAt.getTime() + minute * 60_000);
  await said(sale);
  await announce();
  await announce();
  await said({ ...sale, status: "approved", modifiedAt: later(1), observedAt: later(1) });
  await announce();
  await said({ ...sale, status: "approved", paidToPublisher: true, modifiedAt: later(2), observedAt: later(2) });
  await announce();
  await payMember(db, { memberId, now: new Date() });
  await announce();
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    `£6.00 cashback tracked: ${club.shop.retailerSlug}`,
    `£6.00 cashback confirmed: ${club.shop.retailerSlug}`,
    `£6.00 cashback yours: ${club.shop.retailerSlug}`,
    `£6.00 cashback on its way to you: ${club.shop.retailerSlug}`,
  ]);
});

test("C3 complaint 5: a declined purchase comes with the reason in plain words", async () => {
  const { club, said, announce, mails } = await open();
  await said(reportedSale(club, await makeClick(db, club), { status: "declined", reason: "returned" }));
  await announce();
  const [mail] = await mails();
  expect(mail?.subject).toContain("declined");
  expect(JSON.stringify(mail?.blocks)).toContain("the order was returned or refunded");
});

test("M9 a change is told when the time for gathering is over, to the millisecond", async () => {
  const { club, memberId, said, mails } = await open();
  await said(reportedSale(club, await makeClick(db, club)));
  const heardAt = new Date("2026-11-20T12:00:00.000Z");
  await db.updateTable("cashback_notices").set({ created_at: heardAt }).where("member_id", "=", memberId).execute();
  const announceAfter = (ms: number) =>
    announceCashbackChanges(db, { keys, now: new Date(heardAt.getTime() + ms), most: 1 });
  await announceAfter(gatherMs - 1);
  expect(await mails()).toHaveLength(0);
  await announceAfter(gatherMs);
  expect(await mails()).toHaveLength(1);
});

test("M9 what comes within moments is one mail, of each purchase the last word", async () => {
  const { club, said, announce, mails, memberId, brandId } = await open();
  await said(reportedSale(club, await makeClick(db, club), { status: "approved", minute: 1 }));
  await said(reportedSale(club, await makeClick(db, club)));
  await announceCashbackChanges(db, { keys, now: new Date() });
  expect(await mails(), "too early: more may come").toEqual([]);
  await announce();
  const all = await mails();
  expect(all).toHaveLength(1);
  expect(all[0]?.subject).toBe("News of your cashback: 2 purchases");
  expect(readUnsubscription(all[0]?.data.token ?? "", brandId, keys)).toEqual({
    brandId,
    memberId,
    subject: "cashback",
  });
});

test("M9 any number of workers, killed in between: one mail for a change", async () => {
  const { club, said, announce, mails } = await open();
  await said(reportedSale(club, await makeClick(db, club)));
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom("cashback_notices").where("member_id", "=", club.memberId).execute();
      throw new Error("killed");
    })
    .catch(() => {});
  await Promise.all([announce(), announce(), announce()]);
  expect(await mails()).toHaveLength(1);
});

test("M9 who does not want it, is suspended, or has left is not written to, and not later either", async () => {
  const { club, brandId, memberId, said, announce, mails } = await open();
  const want = (isWanted: boolean) =>
    chooseMails(db, {
      brand: { id: brandId, name: "" },
      memberId,
      wanted: { "cashback-tracked": isWanted },
      way: "page",
      now: new Date(),
    });
  await want(false);
  await said(reportedSale(club, await makeClick(db, club)));
  await announce();
  await want(true);
  await announce();
  await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", memberId).execute();
  await said(reportedSale(club, await makeClick(db, club)));
  await announce();
  expect(await mails()).toEqual([]);
});
