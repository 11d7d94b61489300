import { sql } from "kysely";
import { withStackDatabase } from "./stack-database.ts";

/** Offers in every demo catalogue, one for each case, by their id at the network (packages/db/seeds/known-offers.json). */
const networkIds = {
  code: "90000001",
  expired: "90000002",
  inStore: "90000009",
  app: "90000012",
  variants: "90000013",
  longTitle: "90000014",
} as const;

export interface KnownOffer {
  /** The value of `offer` in the address. */
  publicId: string;
  slug: string;
  path: string;
}

/**
 * Returns the address of a known offer. Reads the stack's database, because public ids are random and no list links to an expired offer.
 * @throws Error if the demo catalogue has no such offer
 */
export async function knownOffer(which: keyof typeof networkIds): Promise<KnownOffer> {
  const { public_id: publicId, slug } = await withStackDatabase((db) =>
    db
      .selectFrom("offers")
      .select(["public_id", "slug"])
      .where("network_offer_id", "=", networkIds[which])
      .executeTakeFirstOrThrow(),
  );
  return { publicId, slug, path: `/offers/${slug}?offer=${publicId}` };
}

/** Lets the offer that the demo catalogue ends at midnight go on for six hours from now: a run that passes midnight has it to its end. */
export async function lengthenLastDay(): Promise<void> {
  await withStackDatabase(async (db) => {
    const ends = sql<Date>`now() + interval '6 hours'`;
    const { id } = await db
      .updateTable("offers")
      .set({ ends_at: ends })
      .where("network_offer_id", "=", networkIds.inStore)
      .returning("id")
      .executeTakeFirstOrThrow();
    await db.updateTable("search_offers").set({ ends_at: ends }).where("offer_id", "=", id).execute();
  });
}
