import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { countReads } from "@farthing/db/testing/count-reads.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { findMailChoices } from "./member-choices.server.ts";
import { chooseMails, unsubscribe } from "./operations.server.ts";
import { readUnsubscription, signUnsubscription } from "./unsubscribe-token.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const keys = ["a key"] as const;

async function open() {
  const brandId = (await insertBrand(db)).id;
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const wanted = async () =>
    (await findMailChoices(db, { brandId, memberId })).filter(({ isWanted }) => isWanted).map(({ kind }) => kind);
  return { brand: { id: brandId, name: "Club" }, memberId, wanted };
}

test("M9 cashback and rate alerts are on by default; news needs a consent, stored with its words and time", async () => {
  const { brand, memberId, wanted } = await open();
  expect(await wanted()).toEqual([
    "cashback-tracked",
    "cashback-confirmed",
    "cashback-paid",
    "rate-alerts",
    "friends",
    "gift-cards",
  ]);
  await chooseMails(db, { brand, memberId, wanted: { news: true, "cashback-paid": false }, way: "page", now });
  expect(await wanted()).toEqual([
    "cashback-tracked",
    "cashback-confirmed",
    "rate-alerts",
    "friends",
    "gift-cards",
    "news",
  ]);
  const consent = () =>
    db.selectFrom("member_consents").selectAll().where("member_id", "=", memberId).executeTakeFirst();
  expect(await consent()).toMatchObject({
    given_at: now,
    withdrawn_at: null,
    wording: expect.stringContaining("Club"),
  });
  const later = new Date("2026-11-21T10:00:00Z");
  await chooseMails(db, { brand, memberId, wanted: { news: false }, way: "page", now: later });
  expect(await consent()).toMatchObject({ withdrawn_at: later });
});

test("M9 an unchanged choice is not recorded, and two windows at once record it once", async () => {
  const { brand, memberId } = await open();
  const choose = () => chooseMails(db, { brand, memberId, wanted: { "rate-alerts": false }, way: "page", now });
  expect((await Promise.all([choose(), choose()])).flat()).toEqual(["rate-alerts"]);
  expect(await db.selectFrom("mail_choices").selectAll().where("member_id", "=", memberId).execute()).toHaveLength(1);
});

test("M9 the last choice holds, and a member of many changes costs no more to read than one of few", async () => {
  const { brand, memberId } = await open();
  const costly = await open();
  const change = async (who: { brand: { id: string; name: string }; memberId: string }, days: number) =>
    chooseMails(db, {
      ...who,
      wanted: { "cashback-paid": days % 2 === 0, "rate-alerts": days % 2 === 1 },
      way: "page",
      now: new Date(now.getTime() + days * 86_400_000),
    });
  for (let days = 1; days <= 2; days += 1) await change({ brand, memberId }, days);
  for (let days = 1; days <= 60; days += 1) await change(costly, days);
  await sql`analyze mail_choices`.execute(db);
  const costOf = (who: { brand: { id: string }; memberId: string }) =>
    countReads(db, (trx) => findMailChoices(trx, { brandId: who.brand.id, memberId: who.memberId }));
  expect((await costOf(costly)).rows).toBeLessThanOrEqual((await costOf({ brand, memberId })).rows);
  expect(await costly.wanted()).toEqual([
    "cashback-tracked",
    "cashback-confirmed",
    "cashback-paid",
    "friends",
    "gift-cards",
  ]);
});

test("M9 a mail's link unsubscribes from its subject without signing in, and can be repeated (RFC 8058)", async () => {
  const { brand, memberId, wanted } = await open();
  const unsubscription = { brandId: brand.id, memberId, subject: "cashback" as const };
  const read = readUnsubscription(signUnsubscription(unsubscription, keys), brand.id, ["new key", ...keys]);
  expect(read, "links in older mails outlive a change of keys").toEqual(unsubscription);
  await unsubscribe(db, { unsubscription: read!, now });
  await unsubscribe(db, { unsubscription: read!, now });
  expect(await wanted()).toEqual(["rate-alerts", "friends", "gift-cards"]);
});

test("S1 an invented, altered or other brand's link changes nothing", () => {
  const unsubscription = { brandId: newId(), memberId: newId(), subject: "news" as const };
  const token = signUnsubscription(unsubscription, keys);
  const [member, subject, mac] = token.split(".");
  const other = signUnsubscription({ ...unsubscription, memberId: newId() }, keys).split(".")[0];
  for (const forged of ["", "x", `${other}.${subject}.${mac}`, `${member}.cashback.${mac}`, `${member}.${subject}.`])
    expect(readUnsubscription(forged, unsubscription.brandId, keys)).toBeNull();
  expect(readUnsubscription(token, newId(), keys)).toBeNull();
  expect(readUnsubscription(token, unsubscription.brandId, ["another key"])).toBeNull();
});
