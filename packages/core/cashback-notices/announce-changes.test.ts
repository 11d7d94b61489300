import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makeClick, reportedSale, type ClubForTests, payMember } from "../cashback/cashback.testing.ts";
import { findCashbackTimeline } from "../cashback/queries.server.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { makeShop } from "../clicks/clicks.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { mailContent } from "../mails/mail.ts";
import { chooseMails } from "../mail-choices/operations.server.ts";
import { DECLINE_REASONS } from "../networks/decline-reason.ts";
import { coloursOf } from "../brands/theme-colours.server.ts";
import { renderMail } from "../mails/render-mail.ts";
import { readUnsubscription } from "../mail-choices/unsubscribe-token.ts";
import { announceCashbackChanges } from "./announce-changes.server.ts";
import { GATHER_MS } from "./rules.ts";

const { db } = await testDatabase({ max: 8 });
const keys = ["a key"] as const;
const brandWords = { name: "Club", strapline: "", supportEmail: "help@club.example" };
let networkId: string;

beforeAll(async () => {
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

async function open() {
  const brandId = (await insertBrand(db)).id;
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const club: ClubForTests = { brandId, networkId, memberId, shop: await makeShop(db, { brandId, networkId }) };
  const report = (reported: ReturnType<typeof reportedSale>) =>
    recordReportedTransaction(db, { networkId, reported, now: new Date() });
  /** Announces at a time when no change waits for others any more. */
  const announce = () => announceCashbackChanges(db, { keys, now: new Date(Date.now() + 60_000) });
  const mails = async () => {
    const rows = await db.selectFrom("mails").selectAll().where("member_id", "=", memberId).orderBy("id").execute();
    return rows.map((row) => ({ ...mailContent(row.kind, row.data, brandWords), data: row.data as { token: string } }));
  };
  return { club, brandId, memberId, report, announce, mails };
}

test("M9 each change is announced once: tracked, confirmed, payable, paid", async () => {
  const { club, memberId, report, announce, mails } = await open();
  const sale = reportedSale(club, await makeClick(db, club));
  const later = (minute: number) => new Date(sale.modifiedAt.getTime() + minute * 60_000);
  await report(sale);
  await announce();
  await announce();
  await report({ ...sale, status: "approved", modifiedAt: later(1), observedAt: later(1) });
  await announce();
  await report({ ...sale, status: "approved", paidToPublisher: true, modifiedAt: later(2), observedAt: later(2) });
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

test("C3 M9 a purchase that earns nothing is announced at no step, and an amount that becomes nothing as that", async () => {
  const { club, report, announce, mails } = await open();
  const nothing = { saleMinor: 0, commissionMinor: 0 };
  const [none, lost] = [await makeClick(db, club), await makeClick(db, club)];
  const [{ networkTransactionId: noneId }, { networkTransactionId: lostId }] = [
    reportedSale(club, none),
    reportedSale(club, lost),
  ];
  const steps = [{}, { status: "approved" as const }, { status: "approved" as const, paidToPublisher: true }];
  for (const [minute, step] of steps.entries()) {
    await report(reportedSale(club, none, { ...nothing, ...step, minute, networkTransactionId: noneId }));
    await report(
      reportedSale(club, lost, { ...(minute > 0 && nothing), ...step, minute, networkTransactionId: lostId }),
    );
    await announce();
  }
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    `£6.00 cashback tracked: ${club.shop.retailerSlug}`,
    `Cashback changed from £6.00 to £0.00: ${club.shop.retailerSlug}`,
  ]);
});

test("C3 the mail about a declined purchase gives the reason", async () => {
  const { club, report, announce, mails } = await open();
  await report(reportedSale(club, await makeClick(db, club), { status: "declined", reason: "returned" }));
  await announce();
  const [mail] = await mails();
  expect(mail?.subject).toContain("declined");
  expect(JSON.stringify(mail?.blocks)).toContain("the order was returned or refunded");
});

test("R1 a member whose mail can't be queued does not delay the others, and keeps the notice", async () => {
  const [poison, other] = [await open(), await open()];
  for (const { club, report } of [poison, other]) await report(reportedSale(club, await makeClick(db, club)));
  await db.updateTable("members").set({ email: "no address" }).where("id", "=", poison.memberId).execute();
  await expect(other.announce()).rejects.toThrow(/mails to 1 members could not be queued/);
  expect({ poison: (await poison.mails()).length, other: (await other.mails()).length }).toEqual({
    poison: 0,
    other: 1,
  });
  await db.updateTable("members").set({ email: "again@members.example" }).where("id", "=", poison.memberId).execute();
  await poison.announce();
  expect(await poison.mails()).toHaveLength(1);
});

test("M9 a change is announced exactly when the gathering time has passed", async () => {
  const { club, memberId, report, mails } = await open();
  await report(reportedSale(club, await makeClick(db, club)));
  const heardAt = new Date("2026-11-20T12:00:00.000Z");
  await db.updateTable("cashback_notices").set({ created_at: heardAt }).where("member_id", "=", memberId).execute();
  const announceAfter = (ms: number) =>
    announceCashbackChanges(db, { keys, now: new Date(heardAt.getTime() + ms), max: 1 });
  await announceAfter(GATHER_MS - 1);
  expect(await mails()).toHaveLength(0);
  await announceAfter(GATHER_MS);
  expect(await mails()).toHaveLength(1);
});

test("M9 changes within moments share one mail, which has the last change of each purchase", async () => {
  const { club, report, announce, mails, memberId, brandId } = await open();
  await report(reportedSale(club, await makeClick(db, club), { status: "approved", minute: 1 }));
  await report(reportedSale(club, await makeClick(db, club)));
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

test("M9 concurrent and killed workers send one mail per change", async () => {
  const { club, report, announce, mails } = await open();
  await report(reportedSale(club, await makeClick(db, club)));
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

test("M9 members who opted out, are suspended or have left get no mail, then or later", async () => {
  const { club, brandId, memberId, report, announce, mails } = await open();
  const want = (isWanted: boolean) =>
    chooseMails(db, {
      brand: { id: brandId, name: "" },
      memberId,
      wanted: { "cashback-tracked": isWanted },
      way: "page",
      now: new Date(),
    });
  await want(false);
  await report(reportedSale(club, await makeClick(db, club)));
  await announce();
  await want(true);
  await announce();
  await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", memberId).execute();
  await report(reportedSale(club, await makeClick(db, club)));
  await announce();
  expect(await mails()).toEqual([]);
});

describe("C3 an amount that changes", () => {
  const texts = (mail: { blocks: unknown } | undefined) => JSON.stringify(mail?.blocks);

  test("C3 M9 one mail states the old amount, the new amount and the reason", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await announce();
    await report(revised(sale, 1, { saleMinor: 5_000 }));
    await announce();
    await announce();
    const all = await mails();
    expect(all).toHaveLength(2);
    expect(all[1]?.subject).toBe(`Cashback changed from £6.00 to £3.00: ${club.shop.retailerSlug}`);
    expect(texts(all[1])).toContain("Was £6.00, now £3.00");
    expect(texts(all[1])).toContain(DECLINE_REASONS.amended);
  });

  test("C3 M9 an amount that changes with the confirmation is announced once, with the amount last announced", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await announce();
    // Two amendments and the confirmation come within moments: the member knows of £6.00 only.
    await report(revised(sale, 1, { saleMinor: 9_000 }));
    await report(revised(sale, 2, { saleMinor: 5_000, status: "approved" }));
    await Promise.all([announce(), announce(), announce()]);
    const all = await mails();
    expect(all).toHaveLength(2);
    expect(all[1]?.subject).toBe(`£3.00 cashback confirmed, was £6.00: ${club.shop.retailerSlug}`);
    expect(texts(all[1])).toContain("Was £6.00, now £3.00");
    expect(texts(all[1])).not.toContain("£5.40");
  });

  test("C3 M9 a repeated revision, and one that changes the club's share alone, send no mail", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await announce();
    const amended = revised(sale, 1, { saleMinor: 5_000 });
    await report(amended);
    await announce();
    await Promise.all([report(amended), report(amended)]);
    await report(revised(sale, 2, { saleMinor: 5_000, commissionMinor: 500 }));
    await announce();
    expect(await mails()).toHaveLength(2);
  });

  test("C3 M9 a mail about several purchases states the amounts of each, and leaves out an amount that is back where it was", async () => {
    const { club, report, announce, mails } = await open();
    const sales = [];
    for (let index = 0; index < 3; index += 1) sales.push(reportedSale(club, await makeClick(db, club)));
    for (const sale of sales) await report(sale);
    await announce();
    await report(revised(sales[0]!, 1, { saleMinor: 5_000 }));
    await report(revised(sales[1]!, 1, { saleMinor: 20_000 }));
    await report(revised(sales[2]!, 1, { saleMinor: 5_000 }));
    await report(revised(sales[2]!, 2, {}));
    await announce();
    const all = await mails();
    expect(all).toHaveLength(2);
    expect(all[1]?.subject).toBe("Cashback changed: 2 purchases");
    expect(texts(all[1])).toContain("was £6.00, now £3.00");
    expect(texts(all[1])).toContain("was £6.00, now £12.00");
  });

  test("C3 M9 a purchase that was amended before it was announced is announced as new", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await report(revised(sale, 1, { saleMinor: 5_000 }));
    await announce();
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      `£3.00 cashback tracked: ${club.shop.retailerSlug}`,
    ]);
  });

  test("C3 M9 a correction states the amounts before and after, and one of the club's share sends no mail", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
    await report(sale);
    await announce();
    const paid = { status: "approved", paidToPublisher: true } as const;
    await report(revised(sale, 1, { ...paid, saleMinor: 9_000 }));
    await announce();
    await report(revised(sale, 2, { ...paid, saleMinor: 5_000 }));
    await announce();
    await report(revised(sale, 3, { ...paid, saleMinor: 5_000, commissionMinor: 500 }));
    await announce();
    expect((await mails()).slice(1).map(({ subject }) => subject)).toEqual([
      `Cashback corrected from £6.00 to £5.40: ${club.shop.retailerSlug}`,
      `Cashback corrected from £5.40 to £3.00: ${club.shop.retailerSlug}`,
    ]);
  });

  test("C3 the timeline has each amount with its day and reason, in chronological order", async () => {
    const { club, memberId, report } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await report(revised(sale, 1, { saleMinor: 9_000 }));
    await report(revised(sale, 2, { saleMinor: 5_000, status: "approved" }));
    const paid = { status: "approved", paidToPublisher: true } as const;
    await report(revised(sale, 3, { ...paid, saleMinor: 5_000 }));
    await report(revised(sale, 4, { ...paid, saleMinor: 4_000 }));
    const { items } = await findCashbackTimeline(db, { memberId, now: new Date() });
    const listed = items.map(({ steps }) =>
      steps.map(({ step, amounts }) => (amounts ? [step, amounts.wasPence, amounts.isPence] : step)),
    );
    expect(listed).toContainEqual([
      "clicked",
      "tracked",
      ["amended", 600, 540],
      ["amended", 540, 300],
      "confirmed",
      "payable",
      "paid",
    ]);
    expect(listed).toContainEqual(["clicked", ["amended", 300, 240], "payable", "paid"]);
    for (const { steps } of items)
      for (const { amounts } of steps) if (amounts) expect(amounts.because).toBe(DECLINE_REASONS.amended);
  });

  test("C3 the HTML and plain-text parts of the mail have both amounts", async () => {
    const { club, report, announce, mails } = await open();
    const sale = reportedSale(club, await makeClick(db, club));
    await report(sale);
    await announce();
    await report(revised(sale, 1, { saleMinor: 5_000 }));
    await announce();
    const [, mail] = await mails();
    const look = { ...brandWords, colours: coloursOf("plain"), origin: "https://club.example" };
    const { html, text } = renderMail(mail!, look);
    for (const body of [html, text]) expect(body).toMatch(/Was £6.00, now £3.00/);
  });

  /** Returns a later report of the sale, with parts to match. */
  function revised(
    sale: ReturnType<typeof reportedSale>,
    minute: number,
    changes: Partial<ReturnType<typeof reportedSale>>,
  ) {
    const at = new Date(sale.modifiedAt.getTime() + minute * 60_000);
    const saleMinor = changes.saleMinor ?? sale.saleMinor;
    const commissionMinor = changes.commissionMinor ?? Math.round(saleMinor * 0.08);
    const parts = [{ groupId: "101", groupCode: "DEFAULT", saleMinor, commissionMinor }];
    return { ...sale, ...changes, saleMinor, commissionMinor, parts, modifiedAt: at, observedAt: at };
  }
});
