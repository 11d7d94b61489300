import { withStackDatabase } from "./stack-database.ts";

/** Offers of every demo catalogue, by their id at the network (packages/db/seeds/known-offers.json): one for each case. */
const networkIds = {
  code: "90000001",
  expired: "90000002",
  inStore: "90000009",
  app: "90000012",
  variants: "90000013",
  longTitle: "90000014",
} as const;

export interface KnownOffer {
  /** What `offer` is in the address. */
  publicId: string;
  slug: string;
  path: string;
}

/**
 * Where a known offer is on the stack under test. Asks its database: public ids are random, and no list leads to an offer that is over.
 * @throws Error when the demo catalogue has no such offer.
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
