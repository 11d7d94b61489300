import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Days back in which pushes are looked at: a worker that was down catches up. */
const LOOK_BACK_DAYS = 7;
/** A click's reference as a push carries it. */
const REFERENCE = /[A-Za-z0-9_-]{22,}/g;

/**
 * Proposes a claim to the members of whose visit a network pushed a sale that its report does not have (C7). A push is a hint, and this acts on it only
 * by asking: no money moves and nothing is filed. Returns the number of new proposals.
 */
export async function proposeClaims(db: Db, { now, max = 200 }: { now: Date; max?: number }): Promise<number> {
  const pushes = await db
    .selectFrom("network_events")
    .select(["network_id", "raw"])
    .where("status", "=", "unconfirmed")
    .where("handled_at", ">", new Date(now.getTime() - LOOK_BACK_DAYS * 86_400_000))
    .where("handled_at", "<=", now)
    .orderBy("handled_at", "desc")
    .limit(max)
    .execute();
  const found = pushes.flatMap(({ network_id, raw }) =>
    referencesIn(raw).map((reference) => ({ networkId: network_id, reference })),
  );
  if (found.length === 0) return 0;
  // A click with a purchase or a claim has what it needs.
  const { numAffectedRows } = await sql`
    insert into claim_proposals (click_id, brand_id, member_id, proposed_at)
    select distinct click.id, click.brand_id, click.member_id, ${now}::timestamptz
    from unnest(${found.map(({ networkId }) => networkId)}::uuid[], ${found.map(({ reference }) => reference)}::text[]) pushed (network_id, reference)
    join clicks click on click.reference = pushed.reference and click.network_id = pushed.network_id
    join members member on member.id = click.member_id and member.closed_at is null
    where not exists (select from cashback_entries entry where entry.click_id = click.id)
      and not exists (select from claims claim where claim.click_id = click.id)
    on conflict (click_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Returns what looks like clicks' references in a push; at most ten, because anybody who knows the address can send one. */
function referencesIn(raw: Buffer): string[] {
  const words = raw.toString("latin1").match(REFERENCE) ?? [];
  return [...new Set(words.filter((word) => word.length === 22))].slice(0, 10);
}

/** Puts a proposal away: the member bought nothing. */
export async function dismissProposal(
  db: Db,
  { memberId, clickNumber, now }: { memberId: string; clickNumber: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("claim_proposals")
    .set({ dismissed_at: now })
    .where("member_id", "=", memberId)
    .where("dismissed_at", "is", null)
    .where("click_id", "in", (eb) =>
      eb.selectFrom("clicks").select("id").where("click_number", "=", clickNumber).where("member_id", "=", memberId),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
