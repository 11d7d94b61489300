import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { offerState } from "../catalogue/rules.ts";
import { lockMember, lockSignedIn } from "../members/lock-member.server.ts";
import { recordPoolState } from "../reveals/pool-alarms.server.ts";
import { findNextReveal } from "../reveals/next-reveal.server.ts";
import { chooseVariant, findRevealOffer } from "../reveals/reveal-offer.server.ts";
import { lockFreeCode } from "../reveals/take-code.server.ts";
import { hashRevealToken } from "../reveals/token.ts";
import { nextSwapAt, type SwapReason } from "./rules.ts";

export type SwapOutcome =
  /** `code` is the new one; `isRepeat`: the code had been swapped before, and nothing was changed. */
  | { outcome: "swapped"; code: string; isRepeat: boolean }
  /** The code is not from a pool, or not the member's. */
  | { outcome: "not-theirs" }
  /** No free code is left, or only ones of a kind that the member has a valid one of. */
  | { outcome: "pool-empty" }
  /** Another code of this offer was swapped lately; the member may swap again at `until`. */
  | { outcome: "too-soon"; until: Date }
  /** The member has reached the limit of new codes (reveals/rules.ts); they may continue at `until`. */
  | { outcome: "too-many"; until: Date }
  | { outcome: "not-live" };

export interface CodeSwap {
  brandId: string;
  memberId: string;
  sessionId: string;
  offerPublicId: string;
  /** The variant on whose page the code is shown; null or unknown: the offer's first. */
  variantPublicId: string | null;
  /** The member's code, as the page shows it. */
  code: string;
  reason: SwapReason;
  now: Date;
}

/**
 * Makes a member's own code void and gives them another of the pool (O4): for an order that was cancelled after the code
 * was used, a code that the shop refused, or one that was lost. The void code stays the member's, so nobody is given it
 * again. Sending the form again returns the code that came of it. Nothing is void unless there is another code.
 *
 * The member's row is locked, as for a reveal, so of concurrent swaps one takes a code and the others return it.
 */
export async function swapCode(db: Db, swap: CodeSwap): Promise<SwapOutcome> {
  const { memberId, now } = swap;
  return await db.transaction().execute(async (trx): Promise<SwapOutcome> => {
    const member = (await lockSignedIn(trx, swap)) && (await findActive(trx, memberId));
    if (!member) return { outcome: "not-theirs" };
    const offer = await findRevealOffer(trx, swap);
    if (!offer || offerState(offer, now) !== "live") return { outcome: "not-live" };
    const variant = chooseVariant(offer.variants, swap.variantPublicId);
    const held = await findHeldCode(trx, { ...swap, offerId: offer.id, variantId: variant?.id ?? null });
    if (!held) return { outcome: "not-theirs" };
    if (held.newCode !== null) return { outcome: "swapped", code: held.newCode, isRepeat: true };
    const nextSwap = nextSwapAt(await findLastSwapAt(trx, { memberId, offerId: offer.id }), now);
    if (nextSwap) return { outcome: "too-soon", until: nextSwap };
    const nextReveal = await findNextReveal(trx, { memberId, verification: member.verification, now });
    if (nextReveal) return { outcome: "too-many", until: nextReveal };
    return await replace(trx, { ...swap, ...held, isByClub: false });
  });
}

/**
 * Does the same as an operator for a member, without the limits, and whatever became of the offer. A code that was swapped
 * before is left as it is: "not-theirs".
 * @param codeId of a code of the member's own
 */
export async function swapCodeFor(
  db: Db,
  { memberId, codeId, reason, now }: { memberId: string; codeId: string; reason: SwapReason; now: Date },
): Promise<SwapOutcome> {
  return await db.transaction().execute(async (trx): Promise<SwapOutcome> => {
    const member = await lockMember(trx, { memberId });
    if (!member || member.closed_at !== null) return { outcome: "not-theirs" };
    const { rows } = await sql<HeldCode>`
      select k.id as "codeId", k.offer_id as "offerId", coalesce(k.variant_id, shown.variant_id) as "variantId", null as "newCode"
      from offer_codes k left join lateral (
        select variant_id from code_reveals where member_id = k.member_id and offer_id = k.offer_id and code = k.code
        order by revealed_at desc limit 1) shown on true
      where k.id = ${codeId} and k.member_id = ${memberId} and k.voided_at is null`.execute(trx);
    const [held] = rows;
    return held ? await replace(trx, { ...held, memberId, reason, now, isByClub: true }) : { outcome: "not-theirs" };
  });
}

interface HeldCode {
  codeId: string;
  offerId: string;
  /** The variant that the new code is for. */
  variantId: string | null;
  /** The code that it was swapped for; null: it is valid. */
  newCode: string | null;
}

async function findHeldCode(
  trx: Trx,
  { memberId, offerId, variantId, code }: { memberId: string; offerId: string; variantId: string | null; code: string },
): Promise<HeldCode | null> {
  const { rows } = await sql<HeldCode>`
    select k.id as "codeId", k.offer_id as "offerId", ${variantId}::uuid as "variantId", given.code as "newCode"
    from offer_codes k left join code_swaps s on s.voided_code_id = k.id left join offer_codes given on given.id = s.new_code_id
    where k.offer_id = ${offerId} and (k.variant_id is null or k.variant_id = ${variantId}::uuid)
      and k.code_kind = 'pool' and k.member_id = ${memberId} and k.code = ${code}
    order by k.voided_at nulls first limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** Returns the member, who may not have been suspended since the request began. */
function findActive(trx: Trx, memberId: string) {
  return trx
    .selectFrom("members")
    .select("verification")
    .where("id", "=", memberId)
    .where("suspended_at", "is", null)
    .executeTakeFirst();
}

async function findLastSwapAt(
  trx: Trx,
  { memberId, offerId }: { memberId: string; offerId: string },
): Promise<Date | null> {
  const row = await trx
    .selectFrom("code_swaps")
    .select("swapped_at")
    .where("member_id", "=", memberId)
    .where("offer_id", "=", offerId)
    .orderBy("swapped_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.swapped_at ?? null;
}

interface Replacement extends HeldCode {
  memberId: string;
  reason: SwapReason;
  isByClub: boolean;
  now: Date;
}

/** Finds the new code before the old one is void: where there is none, nothing is changed. */
async function replace(trx: Trx, swap: Replacement): Promise<SwapOutcome> {
  const { codeId, offerId, memberId, reason, isByClub, now } = swap;
  const free = await lockFreeCode(trx, swap);
  if (!free) {
    await recordPoolState(trx, swap);
    return { outcome: "pool-empty" };
  }
  await trx.updateTable("offer_codes").set({ voided_at: now }).where("id", "=", codeId).execute();
  const given = { member_id: memberId, assigned_at: now };
  await trx.updateTable("offer_codes").set(given).where("id", "=", free.id).execute();
  await trx
    .insertInto("code_swaps")
    .values({
      id: newId(),
      ...{ member_id: memberId, offer_id: offerId, voided_code_id: codeId, new_code_id: free.id },
      ...{ reason, is_by_club: isByClub, swapped_at: now },
    })
    .execute();
  await showNewCode(trx, swap, free.code);
  if (reason === "refused") await countAsFailed(trx, swap);
  await recordPoolState(trx, swap);
  return { outcome: "swapped", code: free.code, isRepeat: false };
}

/** A swap reveals a code, which counts towards the limit of new ones. In place of a token it spends the void code. */
async function showNewCode(trx: Trx, { memberId, offerId, variantId, codeId, now }: Replacement, code: string) {
  await trx
    .insertInto("code_reveals")
    .values({
      id: newId(),
      token_hash: hashRevealToken(`swap of ${codeId}`),
      ...{ member_id: memberId, offer_id: offerId, variant_id: variantId },
      ...{ code, is_repeat: false, revealed_at: now },
    })
    .execute();
}

/** A code that the shop refused did not work: the member's vote of today on it, as if they had pressed "It did not work". */
async function countAsFailed(trx: Trx, { memberId, offerId, codeId, now }: Replacement) {
  await sql`
    insert into code_votes (id, member_id, code_id, offer_id, outcome, voted_on, voted_at)
    values (${newId()}, ${memberId}, ${codeId}, ${offerId}, 'failed', (${now}::timestamptz at time zone 'Europe/London')::date, ${now})
    on conflict (member_id, code_id, voted_on) do update set outcome = excluded.outcome, voted_at = excluded.voted_at`.execute(
    trx,
  );
}
