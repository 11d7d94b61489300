import type { Db } from "@farthing/db/client.ts";
import networksJson from "@farthing/db/seeds/networks.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

const networkSeed = z.strictObject({
  slug: z.string(),
  name: z.string(),
  memberShareBp: z.number().int().min(0).max(10_000),
});

/** The part of the commission that members get from a network that networks.json does not list, in basis points. */
const DEFAULT_MEMBER_SHARE_BP = 8_000;

/**
 * Adds the affiliate networks that are missing: those of packages/db/seeds/networks.json, and those that this version has an adapter for. An
 * existing network stays as it is, with the share that an operator has set.
 * @returns slugs of the networks that were added
 */
export async function seedNetworks(
  db: Db,
  { adapters = [] }: { adapters?: readonly { slug: string; name: string }[] } = {},
): Promise<string[]> {
  const listed = z.array(networkSeed).parse(networksJson);
  const others = adapters
    .filter(({ slug }) => !listed.some((network) => network.slug === slug))
    .map(({ slug, name }) => ({ slug, name, memberShareBp: DEFAULT_MEMBER_SHARE_BP }));
  const added = await db
    .insertInto("networks")
    .values(
      [...listed, ...others].map(({ slug, name, memberShareBp }) => ({
        id: newId(),
        slug,
        name,
        member_share_bp: memberShareBp,
      })),
    )
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("slug")
    .execute();
  return added.map((network) => network.slug);
}
