import type { Db, Trx } from "@farthing/db/client.ts";
import type { Bonuses } from "@farthing/db/schema.ts";
import { sql, type Selectable, type Updateable } from "kysely";
import { postTransfer } from "../ledger/operations.server.ts";
import { differenceOf } from "../ledger/rules.ts";
import { bonusLegs, canGo, isPosted, type BonusSide, type BonusState, type BonusStep } from "./rules.ts";

export type Bonus = Omit<Selectable<Bonuses>, "state" | "side"> & { state: BonusState; side: BonusSide };

export interface Referral {
  id: string;
  publicId: string;
  brandId: string;
  inviterId: string;
  friendId: string;
  registeredAt: Date;
  qualifyUntil: Date;
  announcedAt: Date | null;
  remindedAt: Date | null;
  minCashbackPence: number;
  maxPerYear: number;
}

/** Locks a referral and returns it. Lock the members first whose bonuses are to change. */
export async function lockReferral(trx: Trx, referralId: string): Promise<Referral | null> {
  const { rows } = await sql<Referral>`
    select referral.id, referral.public_id as "publicId", referral.brand_id as "brandId", inviter_id as "inviterId", member_id as "friendId",
      registered_at as "registeredAt", qualify_until as "qualifyUntil", announced_at as "announcedAt", reminded_at as "remindedAt",
      programme.min_cashback_pence as "minCashbackPence", programme.max_per_year as "maxPerYear"
    from referrals referral join referral_programmes programme on programme.id = referral.programme_id
    where referral.id = ${referralId} for no key update of referral`.execute(trx);
  return rows[0] ?? null;
}

/** Returns the bonuses of a locked referral. */
export async function findBonuses(trx: Trx, referralId: string): Promise<Bonus[]> {
  const rows = await trx
    .selectFrom("bonuses")
    .selectAll()
    .where("referral_id", "=", referralId)
    .orderBy("side")
    .execute();
  return rows as Bonus[];
}

/**
 * Moves a bonus of a locked referral one step on, and posts the difference between what its two states mean in the ledger.
 * @throws Error when the lifecycle has no such step, or a concurrent call has changed the bonus
 */
export async function changeBonus(trx: Trx, bonus: Bonus, step: BonusStep, now: Date): Promise<Bonus> {
  const { state } = step;
  if (!canGo(bonus.state, state)) throw new Error(`A bonus can't go from ${bonus.state} to ${state}.`);
  const changes: Updateable<Bonuses> = {
    state,
    version: bonus.version + 1,
    changed_at: now,
    end_reason: step.state === "ended" ? step.endReason : null,
    ...(isPosted(state) ? { earned_at: bonus.earned_at ?? now } : {}),
    ...(state === "payable" ? { payable_at: bonus.payable_at ?? now } : {}),
  };
  const changed = (await trx
    .updateTable("bonuses")
    .set(changes)
    .where("id", "=", bonus.id)
    .where("version", "=", bonus.version)
    .returningAll()
    .executeTakeFirst()) as Bonus | undefined;
  if (!changed) throw new Error(`Bonus ${bonus.id} was changed by a concurrent call.`);
  const amountPence = bonus.amount_pence;
  const legs = differenceOf(
    bonusLegs(bonus.member_id, { state: bonus.state, amountPence }),
    bonusLegs(bonus.member_id, { state, amountPence }),
  );
  if (legs.length > 0)
    await postTransfer(trx, {
      key: bonusKey(changed),
      kind: state === "payable" ? "bonus_payable" : state === "confirmed" ? "bonus_confirmed" : "bonus_reversed",
      legs,
      cause: { kind: "bonus", id: bonus.id },
      happenedAt: now,
    });
  return changed;
}

/** Returns the key of the transfer that brought a bonus to its state. */
export function bonusKey({ id, version }: Pick<Bonus, "id" | "version">): string {
  return `bonus:${id}:${version}`;
}

/** Has the worker look at referrals at once. */
export async function wakeReferrals(db: Db | Trx, referralIds: readonly string[], now: Date): Promise<void> {
  if (referralIds.length === 0) return;
  await sql`insert into referral_watches (referral_id, next_look_at)
    select id, ${now} from unnest(${referralIds}::uuid[]) id order by id
    on conflict (referral_id) do update set next_look_at = least(referral_watches.next_look_at, excluded.next_look_at), attempts = 0`.execute(
    db,
  );
}
