import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { foldTotals } from "./totals.server.ts";

const unique = () => randomBytes(5).toString("hex");

/** Inserts a brand with a made-up name and returns its id. */
export async function makeBrand(db: Db): Promise<string> {
  const id = newId();
  const slug = `brand-${unique()}`;
  await db
    .insertInto("brands")
    .values({
      id,
      slug,
      name: slug,
      strapline: "",
      audience: "testers",
      theme: slug,
      affinity_id: slug,
      support_email: `help@${slug}.example`,
    })
    .execute();
  return id;
}

/** Inserts a verified member of the brand and returns their id. */
export async function makeMember(
  db: Db,
  { brandId, email = `${unique()}@members.example` }: { brandId: string; email?: string },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("members")
    .values({ id, brand_id: brandId, email, email_verified: true, name: "Robin Tester", verification: "verified" })
    .execute();
  return id;
}

/**
 * Folds until no entry is above the watermark. One fold may leave entries for the next: transaction ids are shared by the whole server, on which other
 * tests have open transactions.
 */
export async function foldEverything(db: Db): Promise<void> {
  for (;;) {
    await foldTotals(db);
    const { rows } = await sql`
      select from ledger_entries where xact_id >= (select folded_below from ledger_watermark) limit 1`.execute(db);
    if (rows.length === 0) return;
  }
}

/** Inserts a network; the slug decides which adapter it has. */
export async function makeNetwork(
  db: Db,
  { slug = "awin", memberShareBp = 7000 }: { slug?: string; memberShareBp?: number } = {},
): Promise<string> {
  const id = newId();
  await db.insertInto("networks").values({ id, slug, name: slug, member_share_bp: memberShareBp }).execute();
  return id;
}
