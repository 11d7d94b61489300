import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { reviewHold } from "./holds.server.ts";
import { findBonuses, lockReferral } from "./referral-row.server.ts";
import type { DecidedBonus } from "./rules.ts";
import { lockPeople, settleReferral } from "./settle-referral.server.ts";

export interface HoldDecision {
  publicId: string;
  decision: "lifted" | "refused";
  /** Why, for the record. 3 to 500 characters. */
  note: string;
  by: string;
  keys: UnsubscribeKeys;
  now: Date;
}

export type DecidedHold = { outcome: "decided"; bonuses: DecidedBonus[] } | { outcome: "unknown" };

/**
 * Lifts a hold, so that the bonuses become what they would have been, or refuses it, which ends them. Who decided and why stays on record.
 * Returns what became of the bonuses. `unknown`: there is no such hold, or it was decided before.
 */
export async function decideHold(
  db: Db,
  { publicId, decision, note, by, keys, now }: HoldDecision,
): Promise<DecidedHold> {
  const known = await db
    .selectFrom("referral_holds")
    .select("referral_id")
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  if (!known) return { outcome: "unknown" };
  const referralId = known.referral_id;
  return db.transaction().execute(async (trx): Promise<DecidedHold> => {
    await lockPeople(trx, referralId);
    await lockReferral(trx, referralId);
    const { numUpdatedRows } = await trx
      .updateTable("referral_holds")
      .set({ decision, decided_at: now, decided_by: by, note })
      .where("public_id", "=", publicId)
      .where("decision", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { outcome: "unknown" };
    await settleReferral(trx, { referralId, keys, now });
    const bonuses = await findBonuses(trx, referralId);
    return {
      outcome: "decided",
      bonuses: bonuses.map(({ side, state, amount_pence: amountPence }) => ({ side, state, amountPence })),
    };
  });
}

/**
 * Holds a referral by hand: until somebody decides, its bonuses can't be withdrawn. `refused`: a hold was refused before, which
 * ended them, and nothing is done.
 */
export async function holdReferral(
  db: Db,
  { publicId, by, keys, now }: { publicId: string; by: string; keys: UnsubscribeKeys; now: Date },
): Promise<"held" | "refused" | "unknown"> {
  const known = await db.selectFrom("referrals").select("id").where("public_id", "=", publicId).executeTakeFirst();
  if (!known) return "unknown";
  return db.transaction().execute(async (trx) => {
    await lockPeople(trx, known.id);
    const referral = await lockReferral(trx, known.id);
    if (!referral) return "unknown";
    if ((await reviewHold(trx, { referral, reasons: ["operator"], by, now })) === "refused") return "refused";
    await settleReferral(trx, { referralId: known.id, keys, now });
    return "held";
  });
}

export interface ListedReferral {
  publicId: string;
  brand: string;
  inviterNumber: string;
  friendNumber: string;
  registeredAt: Date;
  qualifyUntil: Date;
  bonuses: { side: string; state: string; amountPence: number; endReason: string | null }[];
  holds: {
    publicId: string;
    reasons: string[];
    placedAt: string;
    placedBy: string;
    decision: string | null;
    decidedBy: string | null;
    note: string | null;
  }[];
}

/** Returns referrals for operators, the newest first: those with an open hold, or one by its id or a member's number. */
export async function listReferrals(
  db: Db,
  { which, max = 200 }: { which: "held" | "all" | { of: string }; max?: number },
): Promise<ListedReferral[]> {
  const { rows } = await sql<ListedReferral>`
    select referral.public_id as "publicId", brand.slug as brand, inviter.member_number as "inviterNumber", friend.member_number as "friendNumber",
      registered_at as "registeredAt", qualify_until as "qualifyUntil",
      coalesce((select jsonb_agg(jsonb_build_object('side', side, 'state', state, 'amountPence', amount_pence, 'endReason', end_reason) order by side)
        from bonuses where referral_id = referral.id), '[]') as bonuses,
      coalesce((select jsonb_agg(jsonb_build_object('publicId', public_id, 'reasons', reasons, 'placedAt', placed_at, 'placedBy', placed_by,
        'decision', decision, 'decidedBy', decided_by, 'note', note) order by placed_at, id)
        from referral_holds where referral_id = referral.id), '[]') as holds
    from referrals referral join brands brand on brand.id = referral.brand_id
      join members inviter on inviter.id = referral.inviter_id join members friend on friend.id = referral.member_id
    where ${referralsOf(which)}
    order by registered_at desc, referral.id desc limit ${max}`.execute(db);
  return rows;
}

/** A condition on referrals for each way to list them: one that looks up an index, whatever the number of referrals. */
function referralsOf(which: "held" | "all" | { of: string }) {
  if (which === "all") return sql`true`;
  if (which === "held") return sql`referral.id in (select referral_id from referral_holds where decision is null)`;
  return sql`referral.id in (
    select id from referrals where public_id = ${which.of}
    union all select invited.id from referrals invited join members found on found.id = invited.inviter_id where found.member_number = ${which.of}
    union all select invited.id from referrals invited join members found on found.id = invited.member_id where found.member_number = ${which.of})`;
}
