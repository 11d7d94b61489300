import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import {
  daysFromNow,
  insertBoost,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { chooseMails } from "../mail-choices/operations.server.ts";
import { mailContent } from "../mails/mail.ts";
import { announceRateRises } from "./announce-rises.server.ts";
import { askForAlert, endAlert } from "./operations.server.ts";

const { db } = await testDatabase({ max: 15 });
const CLUB = { name: "Club", strapline: "", supportEmail: "help@club.example" };

let brandId: string;
let networkId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
});

async function newRetailer(bp = 500, options: { status?: "active" | "paused" } = {}) {
  const retailer = await insertRetailer(db, { brandIds: [brandId], ...options });
  const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
  const tier = await insertRateTier(db, { programmeId: programme.id, bp });
  return { ...retailer, programmeId: programme.id, tierId: tier.id };
}
type Retailer = Awaited<ReturnType<typeof newRetailer>>;

async function waitFor(retailer: Retailer) {
  const member = await insertSignedInMember(db, { brandId });
  await db.updateTable("members").set({ email_verified: true }).where("id", "=", member.id).execute();
  expect(await askForAlert(db, { brandId, memberId: member.id, slug: retailer.slug, now: NOW })).toBe("added");
  return member;
}
const setRate = (retailer: Retailer, bp: number) =>
  db.updateTable("rate_tiers").set({ member_rate_bp: bp }).where("id", "=", retailer.tierId).execute();
const mailsTo = async (member: { id: string }) =>
  await db.selectFrom("mails").selectAll().where("member_id", "=", member.id).orderBy("created_at").execute();

describe("D10 announcing that a rate rose", () => {
  test("M9 a member who turned rate alerts off gets no mail, and another does", async () => {
    const retailer = await newRetailer();
    const [refuses, waits] = [await waitFor(retailer), await waitFor(retailer)];
    const brand = { id: brandId, name: "" };
    await chooseMails(db, { brand, memberId: refuses.id, wanted: { "rate-alerts": false }, way: "page", now: NOW });
    await setRate(retailer, 800);
    await announceRateRises(db, { now: NOW });
    expect(await mailsTo(refuses)).toEqual([]);
    expect(await mailsTo(waits)).toHaveLength(1);
  });

  test("D10 an import that raises a rate causes one mail with both rates and a link to end the alert", async () => {
    const retailer = await newRetailer();
    const member = await waitFor(retailer);
    await announceRateRises(db, { now: NOW });
    expect(await mailsTo(member)).toEqual([]);
    await setRate(retailer, 800);
    await announceRateRises(db, { now: NOW });
    await announceRateRises(db, { now: NOW });
    const [mail, ...more] = await mailsTo(member);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: "rate-alert", brand_id: brandId });
    const { subject, blocks, unsubscribePath } = mailContent("rate-alert", mail!.data, {
      name: "Club",
      strapline: "",
      supportEmail: "help@club.example",
    });
    expect(subject).toContain("cashback is now 8%");
    expect(JSON.stringify(blocks)).toContain('"Best rate when you asked","value":"5%"');
    expect(unsubscribePath).toMatch(/^\/alerts\/stop\?token=[\w-]{22,}$/);
  });

  test("D10 O7 where purchases earn different rates, the mail names the lowest with the highest", async () => {
    const retailer = await newRetailer();
    await insertRateTier(db, { programmeId: retailer.programmeId, bp: 200 });
    const member = await waitFor(retailer);
    await setRate(retailer, 800);
    await announceRateRises(db, { now: NOW });
    const [mail] = await mailsTo(member);
    const { subject, blocks } = mailContent("rate-alert", mail!.data, CLUB);
    expect(subject).toContain("cashback is now 2% to 8%");
    expect(JSON.stringify(blocks)).toContain("It is now 2% to 8%.");
  });

  test("D10 a boost is announced with its end, and announced again when it returns", async () => {
    const retailer = await newRetailer();
    const member = await waitFor(retailer);
    await insertBoost(db, { rateTierId: retailer.tierId, bp: 900, startsAt: daysFromNow(1), endsAt: daysFromNow(3) });
    await insertBoost(db, { rateTierId: retailer.tierId, bp: 900, startsAt: daysFromNow(5), endsAt: daysFromNow(6) });
    const told: number[] = [];
    for (const days of [0, 1.5, 2, 4, 5.5]) {
      await announceRateRises(db, { now: daysFromNow(days) });
      told.push((await mailsTo(member)).length);
    }
    expect(told).toEqual([0, 1, 1, 1, 2]);
    const { data } = (await mailsTo(member))[0]!;
    expect(data).toMatchObject({ until: daysFromNow(3).toISOString() });
    const untilIn = (until: string) =>
      JSON.stringify(mailContent("rate-alert", { ...(data as object), until }, CLUB).blocks);
    expect(untilIn("2026-12-01T00:00:00Z")).toContain("Monday 30 November");
    expect(untilIn("2026-12-01T09:00:00Z")).toContain("Tuesday 1 December");
  });

  test("D10 ten concurrent workers mail each member once", async () => {
    const retailer = await newRetailer();
    const members = await Promise.all(Array.from({ length: 12 }, () => waitFor(retailer)));
    await setRate(retailer, 700);
    await Promise.all(Array.from({ length: 10 }, () => announceRateRises(db, { now: NOW })));
    for (const member of members) expect.soft(await mailsTo(member)).toHaveLength(1);
  });

  test("D10 no mail goes to a member who ended the alert, is suspended, or has not confirmed the address", async () => {
    const retailer = await newRetailer();
    const [ended, suspended, unconfirmed] = [await waitFor(retailer), await waitFor(retailer), await waitFor(retailer)];
    await endAlert(db, { memberId: ended.id, slug: retailer.slug });
    await db.updateTable("members").set({ suspended_at: NOW }).where("id", "=", suspended.id).execute();
    await db.updateTable("members").set({ email_verified: false }).where("id", "=", unconfirmed.id).execute();
    await setRate(retailer, 900);
    await announceRateRises(db, { now: NOW });
    for (const member of [ended, suspended, unconfirmed]) expect.soft(await mailsTo(member)).toEqual([]);
  });

  test("D10 a rise whose mail can't be queued is announced the next time", async () => {
    const retailer = await newRetailer();
    const member = await waitFor(retailer);
    const { email } = await db
      .selectFrom("members")
      .select("email")
      .where("id", "=", member.id)
      .executeTakeFirstOrThrow();
    await db.updateTable("members").set({ email: "no address" }).where("id", "=", member.id).execute();
    await setRate(retailer, 900);
    await expect(announceRateRises(db, { now: NOW })).rejects.toThrow("Some rate rises could not be announced");
    await db.updateTable("members").set({ email }).where("id", "=", member.id).execute();
    await announceRateRises(db, { now: NOW });
    expect(await mailsTo(member)).toHaveLength(1);
  });
});
