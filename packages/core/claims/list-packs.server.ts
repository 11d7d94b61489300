import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";

/** A file of claims for a network without an API. */
export interface ListedPack {
  packNumber: number;
  network: string;
  madeAt: Date;
  madeBy: string;
  claims: number;
  /** Claims of it that the network has not answered. */
  unanswered: number;
}

/** Returns how packs are listed. */
export function packList(): ListQuery<"number"> {
  return {
    from: sql`claim_packs pack join networks network on network.id = pack.network_id
      cross join lateral (select count(*)::int as claims, count(*) filter (where claim.state = 'filed')::int as unanswered
        from claim_filings filing join claims claim on claim.id = filing.claim_id where filing.pack_id = pack.id) counted`,
    select: sql`pack.pack_number as "packNumber", network.name as network, pack.made_at as "madeAt",
      pack.made_by as "madeBy", counted.claims, counted.unanswered`,
    where: [],
    sorts: { number: { by: sql`pack.pack_number`, type: "bigint" } },
    id: { by: sql`pack.id`, type: "uuid" },
  };
}

export interface WaitingForPack {
  slug: string;
  name: string;
  claims: number;
  oldestAt: Date;
}

/** Returns the networks whose claims wait for a pack, the longest waiting first. */
export async function findWaitingForPack(db: Db): Promise<WaitingForPack[]> {
  const { rows } = await sql<WaitingForPack>`
    select network.slug, network.name, waiting.claims, waiting."oldestAt"
    from (select network_id, count(*)::int as claims, min(made_at) as "oldestAt" from claims
      where awaits_pack and state = 'open' group by network_id) waiting
    join networks network on network.id = waiting.network_id order by waiting."oldestAt"`.execute(db);
  return rows;
}
