import { keepCheck } from "@farthing/core/books/check-books.server.ts";
import { claimPass, finishPass } from "@farthing/core/networks/passes.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import {
  CHECK_DAYS,
  lookAtBackgroundWork,
  lookAtFloats,
  lookAtBooks,
  lookAtCardWebhook,
  lookAtNetworks,
  WEBHOOK_DAYS,
} from "./look-at-club.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const PERSON = "ada.lovelace@home.example";

describe("card webhook", () => {
  const { stripe, stripeTest } = readConfig({});
  const look = async (cards: Parameters<typeof lookAtCardWebhook>[1]["cards"] = { stripe, stripeTest }) =>
    (await lookAtCardWebhook(db, { cards, now }))[0];
  const hear = (at: Date) =>
    db
      .insertInto("card_events")
      .values({ id: newId(), kind: "x", provider_payment_id: "pi", received_at: at })
      .execute();

  test("G3 it is looked for where payments were made: silence is a fault, a webhook within a week is in order", async () => {
    expect(await look({ stripe: null, stripeTest: null })).toMatchObject({ level: "ok" });
    expect(await look()).toMatchObject({ level: "ok", says: expect.stringContaining("no webhook was due") as string });
    const partner = await makePartner(db);
    const id = newId();
    const row = {
      ...{
        id,
        public_id: id.replaceAll("-", "").slice(-22),
        partner_id: partner.id,
        state: "processing",
        amount_pence: 100,
      },
      ...{
        reference: PERSON,
        idempotency_key: id,
        provider_payment_id: id,
        created_at: daysAgo(1),
        changed_at: daysAgo(1),
      },
    };
    await db.insertInto("payments").values(row).execute();
    const silent = await look();
    expect(silent).toMatchObject({ level: "wrong", remedy: expect.stringContaining("/webhooks/stripe") as string });
    expect(JSON.stringify(silent)).not.toContain(PERSON);
    await hear(new Date(daysAgo(WEBHOOK_DAYS).getTime() - 1));
    expect(await look()).toMatchObject({ level: "wrong" });
    await hear(daysAgo(WEBHOOK_DAYS));
    expect(await look()).toMatchObject({
      level: "ok",
      says: expect.stringContaining("2026-11-13 12:00 UTC") as string,
    });
  });
});

describe("networks", () => {
  test("C1 one never read, one that fails and one not read are found; what a network said is not repeated", async () => {
    const look = async () => lookAtNetworks(db, { slugs: ["awin", "cj"], now });
    const [awin, cj] = [await insertNetwork(db, { slug: "awin" }), await insertNetwork(db, { slug: "cj" })];
    expect(await look()).toMatchObject([{ level: "look", says: "No report was read yet of awin, cj." }]);
    const read = async (networkId: string, at: Date, problem?: string) => {
      await claimPass(db, { networkId, pass: "transaction", now: at, everyMs: 0 });
      const result = problem === undefined ? { coveredUntil: at } : { problem };
      await finishPass(db, { networkId, pass: "transaction", result });
    };
    await read(awin.id, now);
    await read(cj.id, now);
    expect(await look()).toMatchObject([{ level: "ok" }]);
    await read(cj.id, now, `no such token, ${PERSON}`);
    const failing = await look();
    expect(failing).toMatchObject([{ level: "look", says: "The last reading of a report failed at cj." }]);
    expect(JSON.stringify(failing)).not.toContain(PERSON);
    await read(cj.id, now);
    const later = new Date(now.getTime() + 2 * 86_400_000);
    await read(awin.id, later);
    await read(cj.id, later, `no such token, ${PERSON}`);
    expect(await lookAtNetworks(db, { slugs: ["awin", "cj"], now: later })).toMatchObject([
      { level: "wrong", says: "1 network has a report that has not been read since 2026-11-20 12:00 UTC." },
      { level: "look", says: "The last reading of a report failed at cj." },
    ]);
  });
});

describe("background work", () => {
  test("A3 work that is behind is a fault, work that was given up is advice, and neither says for whom it is", async () => {
    const look = () => lookAtBackgroundWork(db, now);
    expect(await look()).toMatchObject([{ level: "ok" }]);
    const { id: brandId } = await insertBrand(db);
    const mail = { brand_id: brandId, recipient: PERSON, kind: "welcome", created_at: daysAgo(1) };
    const lateMail = newId();
    await db
      .insertInto("mails")
      .values({ ...mail, id: lateMail, next_try_at: daysAgo(1) })
      .execute();
    const late = await look();
    expect(late).toMatchObject([
      { level: "wrong", says: "1 queue of background work is behind since 2026-11-19 12:00 UTC." },
    ]);
    const givenUp = { state: "given-up", next_try_at: null, settled_at: now, last_error: `no mailbox ${PERSON}` };
    await db.updateTable("mails").set(givenUp).where("id", "=", lateMail).execute();
    const buried = await look();
    expect(buried).toMatchObject([{ level: "look", says: "1 piece of background work was given up." }]);
    expect(JSON.stringify([late, buried])).not.toContain(PERSON);
  });
});

describe("gift-card floats", () => {
  test("G5 A3 a float that is low or was not read is advice, and a paid card that waits for it is a fault", async () => {
    const look = (slugs: string[] = ["tillo"]) => lookAtFloats(db, { slugs, now });
    expect(await look([])).toMatchObject([{ level: "ok", says: "No issuer of gift cards is set up." }]);
    expect(await look()).toMatchObject([{ level: "look", says: "What is left with tillo was not read for an hour." }]);
    const write = (pence: number) =>
      sql`
      insert into issuer_floats (issuer, float_pence, read_at, low_since) values ('tillo', ${pence}, ${now}, ${now})
      on conflict (issuer) do update set float_pence = excluded.float_pence`.execute(db);
    await write(50_000);
    expect(await look()).toMatchObject([{ level: "ok" }]);
    await write(49_999);
    expect(await look()).toMatchObject([
      {
        level: "look",
        says: "1 issuer of gift cards has less of our money than the threshold since 2026-11-20 12:00 UTC.",
      },
    ]);
  });
});

describe("books", () => {
  test("C4 never checked, checked long ago, and faults are found; a check of the night is in order", async () => {
    const look = async () => (await lookAtBooks(db, now))[0];
    const keep = (at: Date, faults: string[]) =>
      keepCheck(db, {
        checked: { transfers: 0, entries: 0, accounts: 0, notes: [], faults },
        ...{ by: "npm run ledger:check", tookMs: 1, now: at },
      });
    expect(await look()).toMatchObject({ level: "look", says: "The books were never checked." });
    await keep(new Date(daysAgo(CHECK_DAYS).getTime() - 1), []);
    expect(await look()).toMatchObject({
      level: "look",
      says: expect.stringContaining("2026-11-18 11:59 UTC") as string,
    });
    await keep(daysAgo(CHECK_DAYS), []);
    expect(await look()).toMatchObject({ level: "ok" });
    await keep(daysAgo(1), [`the account of ${PERSON} does not balance`, "another"]);
    const found = await look();
    expect(found).toMatchObject({ level: "wrong", says: expect.stringContaining("2 faults") as string });
    expect(JSON.stringify(found)).not.toContain(PERSON);
  });
});
