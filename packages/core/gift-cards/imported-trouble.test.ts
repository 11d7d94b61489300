import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  recordsFile,
} from "../catalogue-imports/catalogue-files.testing.ts";
import { seedNetworks } from "../catalogue-imports/seed-networks.server.ts";
import { openWallets } from "./wallet.testing.ts";

const { db } = await testDatabase();

test("G6 C2 an import that writes a retailer's trouble makes notices due for its unused cards, once", async () => {
  await seedNetworks(db);
  const club = await openWallets(db);
  const write = async (status: string) =>
    expect(
      (await importTexts(db, { programmes: recordsFile(programme(1)), editorial: file(status) })).problems,
    ).toEqual([]);
  const file = (status: string) => editorialFile([editorialRetailer("1", { status })]);
  await write("active");
  const { id } = await db.selectFrom("retailers").select("id").executeTakeFirstOrThrow();
  await db
    .updateTable("gift_card_products")
    .set({ retailer_id: id })
    .where("issuer_product_id", "=", "fixed")
    .execute();
  await club.buyCard((await club.newMember()).memberId);
  const planned = async () =>
    (await db.selectFrom("wallet_cards").select("next_notice_at as at").executeTakeFirstOrThrow()).at;
  const reminder = await planned();
  await write("paused");
  expect(await planned()).toEqual(reminder);
  await write("in_administration");
  const notice = await planned();
  expect(notice, "the import's own clock").toEqual(new Date("2026-11-20T12:00:00Z"));
  await db.updateTable("wallet_cards").set({ insolvency_told_at: club.now(), next_notice_at: reminder }).execute();
  await write("in_administration");
  expect(await planned(), "the same file again").toEqual(reminder);
  await write("closed");
  expect(await planned(), "they know of it").toEqual(reminder);

  // An import that waits for an operator who changes rates holds no card (docs/decisions/065).
  let writing: Promise<void> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`select from rate_tiers for no key update`.execute(trx);
    writing = write("active");
    await untilWaiting(db);
    await sql`select from wallet_cards for no key update nowait`.execute(trx);
  });
  await writing;
});
