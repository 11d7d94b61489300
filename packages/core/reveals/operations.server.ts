import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { OfferVariant, RetailerStatus } from "../catalogue/catalogue-view.ts";
import { offerState } from "../catalogue/rules.ts";
import { recordPoolState } from "./pool-alarms.server.ts";
import { findNextReveal, findSeenCodes } from "./queries.server.ts";
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
  const offer = await findOffer(db, reveal);
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

interface RevealVariant extends OfferVariant {
  id: string;
}

interface RevealOffer {
  id: string;
  status: "live" | "withdrawn";
  startsAt: Date;
  endsAt: Date | null;
  retailerStatus: RetailerStatus;
  variants: RevealVariant[];
}

async function findOffer(db: Db, { brandId, offerPublicId }: RevealArguments): Promise<RevealOffer | null> {
  const { rows } = await sql<RevealOffer>`
    select o.id, o.status, o.starts_at as "startsAt", o.ends_at as "endsAt", r.status as "retailerStatus", coalesce((
      select json_agg(json_build_object('id', v.id, 'publicId', v.public_id, 'label', v.label) order by v.position, v.label)
      from offer_variants v where v.offer_id = o.id), '[]') as variants
    from offers o join retailers r on r.id = o.retailer_id join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where o.public_id = ${offerPublicId}
      and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
           or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = ${brandId}))`.execute(
    db,
  );
  return rows[0] ?? null;
}

function chooseVariant(variants: readonly RevealVariant[], publicId: string | null): RevealVariant | null {
  return variants.find((variant) => variant.publicId === publicId) ?? variants[0] ?? null;
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
): Promise<(Taken & { isNew: boolean }) | null> {
  const seen = (await findSeenCodes(trx, { memberId, offerId })).find(
    (one) => one.variant === (variant?.publicId ?? null),
  );
  return seen?.codeKind ? pick({ code: seen.code, codeKind: seen.codeKind }) : null;
}

interface Taken {
  code: string;
  codeKind: "shared" | "pool";
}

/**
 * Returns the member's own code if they have one; else a free code of the pool, which becomes theirs; else the shared
 * one. Codes of the variant come before codes for every variant. Codes that others are taking are skipped without
 * waiting (skip locked).
 */
async function takeCode(
  trx: Trx,
  { offerId, variantId, memberId, now }: { offerId: string; variantId: string | null; memberId: string; now: Date },
): Promise<(Taken & { isNew: boolean }) | "pool-empty" | "no-code"> {
  const fits = sql`k.offer_id = ${offerId} and (k.variant_id is null or k.variant_id = ${variantId}::uuid)`;
  const { rows: known } = await sql<Taken & { is_own: boolean }>`
    select k.code, k.code_kind as "codeKind", k.member_id is not null as is_own
    from offer_codes k where ${fits} and (k.member_id = ${memberId} or k.code_kind = 'shared')
    order by is_own desc, k.variant_id nulls last limit 1`.execute(trx);
  const [best] = known;
  if (best?.is_own) return pick(best);
  const { rows: taken } = await sql<Taken>`
    update offer_codes set member_id = ${memberId}, assigned_at = ${now}
    where id = (
      select k.id from offer_codes k where ${fits} and k.code_kind = 'pool' and k.member_id is null
      order by k.variant_id nulls last, k.id limit 1 for update skip locked)
    returning code, code_kind as "codeKind"`.execute(trx);
  if (taken[0]) return { ...taken[0], isNew: true };
  if (best) return pick(best);
  return (await isForCodes(trx, offerId, variantId)) ? "pool-empty" : "no-code";
}

function pick({ code, codeKind }: Taken): Taken & { isNew: boolean } {
  return { code, codeKind, isNew: false };
}

/** Returns whether a code was to be expected: the offer has a pool, or is of a kind whose pool is not filled yet. */
async function isForCodes(trx: Trx, offerId: string, variantId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from offers o where o.id = ${offerId} and (o.kind = 'code' or exists (
      select from offer_codes k
      where k.offer_id = o.id and (k.variant_id is null or k.variant_id = ${variantId}::uuid) and k.code_kind = 'pool'))`.execute(
    trx,
  );
  return rows.length > 0;
}
