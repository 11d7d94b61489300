import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Makes another programme the preferred one of each retailer whose preferred one is not joined any more, if another is: the one that builds its links
 * (linking-programme.server.ts, clicks/queries.server.ts). So pages, cards, lists, filters and alerts, which read the preferred one, say what a click
 * earns (C1, O7). A programme that is joined again afterwards does not take the place back. The caller keeps other imports and merges out.
 */
export async function preferJoined(trx: Trx): Promise<void> {
  await sql`
    update programmes p set is_preferred = false, updated_at = now()
    where p.is_preferred and p.status <> 'joined'
      and exists (select from programmes other where other.retailer_id = p.retailer_id and other.status = 'joined')`.execute(
    trx,
  );
  await sql`
    update programmes p set is_preferred = true, updated_at = now()
    from (select distinct on (retailer_id) id from programmes other where status = 'joined'
        and not exists (select from programmes first where first.retailer_id = other.retailer_id and first.is_preferred)
      order by retailer_id, id) next
    where p.id = next.id`.execute(trx);
}
