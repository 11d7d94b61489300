import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { MAX_REVEAL_WINDOW_MS, limitsFor, MAX_COUNTED_REVEALS, nextRevealAt } from "./rules.ts";

/** A code that a member was shown, as their latest reveal of a variant has it. */
export interface SeenCode {
  /** Public id of the variant; null where the offer has none. */
  variant: string | null;
  code: string;
  /** Everybody's, or from a pool and this member's own; null where the code has been replaced or withdrawn since. */
  codeKind: "shared" | "pool" | null;
  revealedAt: Date;
}

/**
 * The codes of an offer that a member was shown, one per variant (product.md O3): on any device, until the code is replaced. A code holds
 * while the offer still has it and it is everybody's or this member's own.
 * @param offerId Internal id of a live offer; whether it is live is the caller's to know.
 */
export async function findSeenCodes(
  db: Db | Trx,
  { memberId, offerId }: { memberId: string; offerId: string },
): Promise<SeenCode[]> {
  const { rows } = await sql<SeenCode>`
    select distinct on (shown.variant_id) v.public_id as variant, shown.code, shown.revealed_at as "revealedAt", (
      select k.code_kind from offer_codes k
      where k.offer_id = shown.offer_id and (k.variant_id is null or k.variant_id = shown.variant_id) and k.code = shown.code
        and (k.code_kind = 'shared' or k.member_id = shown.member_id)
      order by k.code_kind limit 1) as "codeKind"
    from code_reveals shown left join offer_variants v on v.id = shown.variant_id
    where shown.member_id = ${memberId} and shown.offer_id = ${offerId} and shown.code is not null
    order by shown.variant_id, shown.revealed_at desc, shown.id desc`.execute(db);
  return rows;
}

/**
 * When a member may be shown another code that is new to them; null for now. Counted from the reveals themselves, so that every process counts the
 * same, and codes that the member had seen before don't count.
 */
export async function findNextReveal(
  db: Db | Trx,
  { memberId, verification, now }: { memberId: string; verification: string; now: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ revealedAt: Date }>`
    select shown.revealed_at as "revealedAt" from code_reveals shown
    where shown.member_id = ${memberId} and not shown.is_repeat and shown.revealed_at > ${new Date(now.getTime() - MAX_REVEAL_WINDOW_MS)}
    order by shown.revealed_at desc limit ${MAX_COUNTED_REVEALS}`.execute(db);
  return nextRevealAt(
    rows.map(({ revealedAt }) => revealedAt),
    limitsFor(verification),
    now,
  );
}
