import type { Db } from "@farthing/db/client.ts";
import networksJson from "@farthing/db/seeds/networks.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

const networkSeed = z.strictObject({
  slug: z.string(),
  name: z.string(),
  memberShareBp: z.number().int().min(0).max(10_000),
});

/**
 * Adds the affiliate networks that are missing. One that exists is left as it is, with the share an operator has set.
 * @returns slugs of the networks that were added
 */
export async function seedNetworks(db: Db): Promise<string[]> {
  const networks = z.array(networkSeed).parse(networksJson);
  const added = await db
    .insertInto("networks")
    .values(
      networks.map(({ slug, name, memberShareBp }) => ({ id: newId(), slug, name, member_share_bp: memberShareBp })),
    )
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("slug")
    .execute();
  return added.map((network) => network.slug);
}
