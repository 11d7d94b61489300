import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { OfferVariant } from "../catalogue/catalogue-view.ts";
import { offerState } from "../catalogue/rules.ts";
import { recordPoolState } from "./pool-alarms.server.ts";
import { findNextReveal } from "./next-reveal.server.ts";
import { findSeenCodes } from "./queries.server.ts";
import { chooseVariant, findRevealOffer, type RevealVariant } from "./reveal-offer.server.ts";
import { takeCode } from "./take-code.server.ts";
import { checkRevealToken, hashRevealToken } from "./token.ts";

export type RevealOutcome =
  | { outcome: "revealed"; code: string; codeKind: "shared" | "pool"; variant: OfferVariant | null }
  /** The page shows one sentence for every reason ("Press Reveal code again"); the reason is for logs and tests. */
  | { outcome: "refused"; reason: "invalid" | "stale" | "spent" | "foreign" }
  | { outcome: "pool-empty" }
  /** The member has reached the limit of new codes; they may continue at `until`. */
  | { outcome: "too-many"; until: Date }
  | { outcome: "not-live" }
  | { outcome: "no-code" };

export interface RevealArguments {
  secret: string;
  /** The reveal_code of the URL, as it was sent. */
  token: string | null;
  sessionId: string;
  memberId: string;
  brandId: string;
  offerPublicId: string;
  /** The offer_variant of the URL; null or unknown: the offer's first. */
  variantPublicId: string | null;
  now: Date;
}

/**
 * Shows a member an offer's code in exchange for a token (O3, O4, Y5). It stores one row per spent token and, for a
 * pool, assigns the code to the member. A member who already has a code of the offer and variant gets the same one. A
 * token that reveals nothing, for example because the pool is empty, is not spent.
 *
 * Codes that are new to the member are limited (rules.ts); codes that they have seen are shown regardless. The limit is
 * checked before a code leaves the pool, with the member's row locked, so concurrent reveals in several processes never
 * exceed it.
 */
export async function revealCode(db: Db, reveal: RevealArguments): Promise<RevealOutcome> {
  const offer = await findRevealOffer(db, reveal);
  if (!offer) return { outcome: "not-live" };
  const check = checkRevealToken(reveal.token, { ...reveal, offerId: offer.id });
  if (check !== "valid") return { outcome: "refused", reason: check };
  if (offerState(offer, reveal.now) !== "live") return { outcome: "not-live" };
  const variant = chooseVariant(offer.variants, reveal.variantPublicId);
  const tokenHash = hashRevealToken(reveal.token!);
  const pool = { offerId: offer.id, variantId: variant?.id ?? null, now: reveal.now };
  const outcome = await inOneTransaction(db, async (trx) => {
    // The lock on the member's row serialises their reveals, so that none takes a second code.
    const member = await lockMember(trx, reveal);
    if (!member) return { outcome: "refused", reason: "foreign" };
    if (await isSpent(trx, tokenHash)) return { outcome: "refused", reason: "spent" };
    const seen = await findSeenCode(trx, { ...reveal, offerId: offer.id, variant });
    if (!seen) {
      const until = await findNextReveal(trx, { ...reveal, verification: member.verification });
      if (until) return { outcome: "too-many", until };
    }
    const found = seen ?? (await takeCode(trx, { ...pool, memberId: reveal.memberId }));
    if (typeof found === "string") return { outcome: found };
    const { isNew, ...code } = found;
    await spendToken(trx, { ...pool, memberId: reveal.memberId, tokenHash, code: code.code, isRepeat: seen !== null });
    if (isNew) await recordPoolState(trx, pool);
    return { outcome: "revealed", ...code, variant: variant && { publicId: variant.publicId, label: variant.label } };
  });
  // The transaction was rolled back; record the empty pool outside it.
  if (outcome.outcome === "pool-empty") await recordPoolState(db, pool);
  return outcome;
}

/** Thrown to roll back if no code was revealed, so that the token stays unspent. */
async function inOneTransaction(db: Db, work: (trx: Trx) => Promise<RevealOutcome>): Promise<RevealOutcome> {
  const trx = await db.startTransaction().execute();
  try {
    const result = await work(trx);
    if (result.outcome === "revealed") await trx.commit().execute();
    else await trx.rollback().execute();
    return result;
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
}

/** Locks the member; returns null for a member of another brand, a suspended one, and a session that is not theirs. */
async function lockMember(
  trx: Trx,
  { memberId, brandId, sessionId }: RevealArguments,
): Promise<{ verification: string } | null> {
  const { rows } = await sql<{ verification: string }>`
    select m.verification from members m where m.id = ${memberId} and m.brand_id = ${brandId} and m.suspended_at is null
      and exists (select from member_sessions s where s.id = ${sessionId} and s.member_id = m.id and s.brand_id = m.brand_id)
    for no key update`.execute(trx);
  return rows[0] ?? null;
}

/**
 * Returns whether the token is spent. A token belongs to one member, whose row is locked, so no other reveal spends
 * it meanwhile.
 */
async function isSpent(trx: Trx, tokenHash: string): Promise<boolean> {
  const row = await trx.selectFrom("code_reveals").select("id").where("token_hash", "=", tokenHash).executeTakeFirst();
  return row !== undefined;
}

async function spendToken(
  trx: Trx,
  spent: {
    tokenHash: string;
    memberId: string;
    offerId: string;
    variantId: string | null;
    code: string;
    isRepeat: boolean;
    now: Date;
  },
): Promise<void> {
  await trx
    .insertInto("code_reveals")
    .values({
      id: newId(),
      token_hash: spent.tokenHash,
      member_id: spent.memberId,
      offer_id: spent.offerId,
      variant_id: spent.variantId,
      code: spent.code,
      is_repeat: spent.isRepeat,
      revealed_at: spent.now,
    })
    .execute();
}

/** Returns the valid code of this offer and variant that the member has been shown before. */
async function findSeenCode(
  trx: Trx,
  { memberId, offerId, variant }: { memberId: string; offerId: string; variant: RevealVariant | null },
): Promise<{ code: string; codeKind: "shared" | "pool"; isNew: false } | null> {
  const seen = (await findSeenCodes(trx, { memberId, offerId })).find(
    (one) => one.variant === (variant?.publicId ?? null),
  );
  return seen?.codeKind ? { code: seen.code, codeKind: seen.codeKind, isNew: false } : null;
}
