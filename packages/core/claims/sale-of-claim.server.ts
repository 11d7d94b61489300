import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { SAME_PURCHASE_DAYS } from "../claimed-orders/rules.ts";
import type { Lease } from "../due-work/due-work.server.ts";
import { addDays, nextAsk, SALE_DAYS } from "./rules.ts";
import { dueClaims } from "./work-claims.server.ts";

/** Where a network's report has the sale of an accepted claim. */
export interface SaleOfClaim {
  networkId: string;
  /** As the network's answer names it, or as it was reported before; null: not known. */
  networkTransactionId: string | null;
  /** The days around the purchase, for a report that is asked by the date of sale. */
  window: { from: Date; to: Date };
  decidedAt: Date;
}

/** Returns where to look for the sale of an accepted claim (C7); null: it is not accepted any more. */
export async function findSaleOfClaim(db: Db, { id, now }: { id: string; now: Date }): Promise<SaleOfClaim | null> {
  const { rows } = await sql<{ networkId: string; sale: string | null; day: string; decidedAt: Date }>`
    select claim.network_id as "networkId", claim.purchased_on::text as day, coalesce(claim.decided_at, claim.changed_at) as "decidedAt",
      coalesce(
        (select network_transaction_id from claim_filings where claim_id = claim.id and network_transaction_id is not null order by filing desc limit 1),
        (select sale.network_transaction_id from cashback_entries entry join network_transactions sale on sale.id = entry.network_transaction_id
          where entry.id = claim.entry_id)) as sale
    from claims claim where claim.id = ${id} and claim.state = 'accepted'`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const day = new Date(`${row.day}T00:00:00Z`);
  const to = addDays(day, SAME_PURCHASE_DAYS + 1);
  return {
    networkId: row.networkId,
    networkTransactionId: row.sale,
    window: { from: addDays(day, -SAME_PURCHASE_DAYS), to: to < now ? to : now },
    decidedAt: row.decidedAt,
  };
}

/** Plans the next look for the sale of an accepted claim, or leaves it to a person where the report has not listed it for months. */
export async function planNextLook(
  db: Db,
  lease: Lease,
  { decidedAt, now }: { decidedAt: Date; now: Date },
): Promise<void> {
  if (now < addDays(decidedAt, SALE_DAYS)) {
    await dueClaims.settle(db, lease, { next_step_at: nextAsk(decidedAt, now), attempts: 0 });
    return;
  }
  const error = `The claim was accepted ${SALE_DAYS} days ago, and the network's report has not listed its sale.`;
  await dueClaims.fail(db, lease, { now, error, isPermanent: true });
}
