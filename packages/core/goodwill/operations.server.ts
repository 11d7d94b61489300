import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { changeClaim, claimIdOf, lockClaim, type Claim } from "../claims/claim-row.server.ts";
import { canGo, type ClaimState } from "../claims/rules.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { differenceOf } from "../ledger/rules.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { Pence } from "../money/money.ts";
import {
  DAY_MS,
  goodwillLegs,
  goodwillProblem,
  YEAR_MS,
  type GoodwillLimits,
  type GoodwillReason,
  type GoodwillState,
} from "./rules.ts";

export interface NewGoodwill {
  brandId: string;
  memberId: string;
  amountPence: Pence;
  reason: GoodwillReason;
  /** For operators, and in the member's archive. 3 to 500 characters. */
  note: string;
  /** The operator's own name for it: the same one credits once. */
  reference: string;
  /** The declined claim that it settles. */
  claimPublicId: string | null;
  limits: GoodwillLimits;
  by: string;
  now: Date;
}

export type GivenGoodwill =
  /** `isNew: false`: the reference was used for the same credit before, and nothing was done. */
  | { outcome: "given"; isNew: boolean; publicId: string }
  /** The reference was used for another credit, or for one that was taken back. */
  | { outcome: "reference-taken" }
  | { outcome: "over-limit"; limit: "day" | "member"; leftPence: Pence }
  /** The member has left, or is none of this brand. */
  | { outcome: "no-such-member" }
  | { outcome: "no-such-claim" }
  /** Only a declined claim ends by goodwill. */
  | { outcome: "claim-not-declined"; state: ClaimState };

/**
 * Credits a member (C7), once per reference and brand, with the posting, the mail and the end of the claim that it settles, in
 * one transaction. Credits are given one after the other, so that the limits hold together.
 */
export async function giveGoodwill(db: Db, goodwill: NewGoodwill): Promise<GivenGoodwill> {
  return db.transaction().execute((trx) => give(trx, goodwill));
}

async function give(trx: Trx, goodwill: NewGoodwill): Promise<GivenGoodwill> {
  const { brandId, memberId, amountPence, reason, note, reference, claimPublicId, limits, by, now } = goodwill;
  await sql`select pg_advisory_xact_lock(hashtextextended('goodwill', 0))`.execute(trx);
  const before = await findByReference(trx, { brandId, reference });
  if (before) {
    const isSame =
      before.state === "given" &&
      before.memberId === memberId &&
      before.amountPence === amountPence &&
      before.reason === reason &&
      before.claimPublicId === claimPublicId;
    return isSame ? { outcome: "given", isNew: false, publicId: before.publicId } : { outcome: "reference-taken" };
  }
  const member = await trx
    .selectFrom("members")
    .select(["email", "email_verified", "suspended_at"])
    .where("id", "=", memberId)
    .where("brand_id", "=", brandId)
    .where("closed_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!member) return { outcome: "no-such-member" };
  const problem = goodwillProblem(amountPence, await sumGiven(trx, { memberId, now }), limits);
  if (problem) return { outcome: "over-limit", ...problem };
  const claim = claimPublicId === null ? null : await lockClaimOf(trx, { publicId: claimPublicId, memberId });
  if (claim === undefined) return { outcome: "no-such-claim" };
  if (claim && !canGo(claim.state, "goodwill")) return { outcome: "claim-not-declined", state: claim.state };

  const row = await trx
    .insertInto("goodwill_credits")
    .values({
      ...{ id: newId(), brand_id: brandId, member_id: memberId, reference, amount_pence: amountPence, reason, note },
      ...{ claim_id: claim?.id ?? null, given_by: by, given_at: now },
    })
    .returning(["id", "public_id as publicId"])
    .executeTakeFirstOrThrow();
  await post(trx, { id: row.id, memberId, amountPence, from: null, to: "given", now });
  if (claim) await moveClaim(trx, claim, { state: "goodwill", by, now });
  await tellMember(trx, {
    brandId,
    memberId,
    member,
    mail: { amountPence, reason, isReversed: false, claim: claimPublicId },
    now,
  });
  return { outcome: "given", isNew: true, publicId: row.publicId };
}

export type ReversedGoodwill =
  | { outcome: "reversed"; isNew: boolean; publicId: string; amountPence: Pence; memberId: string }
  | { outcome: "no-such-credit" };

/**
 * Takes a credit back, once: the opposite posting, a mail, and a claim that it settled is declined again. What the member has
 * withdrawn already is set against what comes next; nobody is asked for money.
 */
export async function reverseGoodwill(
  db: Db,
  { brandId, reference, note, by, now }: { brandId: string; reference: string; note: string; by: string; now: Date },
): Promise<ReversedGoodwill> {
  return db.transaction().execute(async (trx): Promise<ReversedGoodwill> => {
    await sql`select pg_advisory_xact_lock(hashtextextended('goodwill', 0))`.execute(trx);
    const credit = await findByReference(trx, { brandId, reference });
    if (!credit) return { outcome: "no-such-credit" };
    const { id, publicId, memberId, amountPence, reason, state, claimPublicId } = credit;
    if (state === "reversed") return { outcome: "reversed", isNew: false, publicId, amountPence, memberId };
    await trx
      .updateTable("goodwill_credits")
      .set({ state: "reversed", version: 2, reversed_by: by, reversed_at: now, reversal_note: note })
      .where("id", "=", id)
      .execute();
    await post(trx, { id, memberId, amountPence, from: "given", to: "reversed", now });
    const claim = claimPublicId === null ? null : await lockClaimOf(trx, { publicId: claimPublicId, memberId });
    if (claim?.state === "goodwill") await moveClaim(trx, claim, { state: "declined", by, now });
    const member = await trx
      .selectFrom("members")
      .select(["email", "email_verified", "suspended_at"])
      .where("id", "=", memberId)
      .where("closed_at", "is", null)
      .executeTakeFirst();
    if (member)
      await tellMember(trx, {
        brandId,
        memberId,
        member,
        mail: { amountPence, reason, isReversed: true, claim: claimPublicId },
        now,
      });
    return { outcome: "reversed", isNew: true, publicId, amountPence, memberId };
  });
}

async function findByReference(trx: Trx, { brandId, reference }: { brandId: string; reference: string }) {
  const row = await trx
    .selectFrom("goodwill_credits")
    .leftJoin("claims", "claims.id", "goodwill_credits.claim_id")
    .select([
      "goodwill_credits.id",
      "goodwill_credits.public_id as publicId",
      "goodwill_credits.member_id as memberId",
      "goodwill_credits.amount_pence as amountPence",
      "goodwill_credits.reason",
      "goodwill_credits.state",
      "claims.public_id as claimPublicId",
    ])
    .where("goodwill_credits.brand_id", "=", brandId)
    .where("goodwill_credits.reference", "=", reference)
    .executeTakeFirst();
  return row && { ...row, reason: row.reason as GoodwillReason, state: row.state as GoodwillState };
}

/** Returns what was given within the times of the limits, without what was reversed. */
export async function sumGiven(trx: Db | Trx, { memberId, now }: { memberId: string; now: Date }) {
  const { rows } = await sql<{ toAllToday: Pence; toMemberThisYear: Pence }>`
    select
      (select coalesce(sum(amount_pence), 0)::bigint from goodwill_credits
        where state = 'given' and given_at > ${new Date(now.getTime() - DAY_MS)}) as "toAllToday",
      (select coalesce(sum(amount_pence), 0)::bigint from goodwill_credits
        where state = 'given' and member_id = ${memberId} and given_at > ${new Date(now.getTime() - YEAR_MS)}) as "toMemberThisYear"`.execute(
    trx,
  );
  return rows[0] ?? { toAllToday: 0, toMemberThisYear: 0 };
}

async function lockClaimOf(trx: Trx, by: { publicId: string; memberId: string }): Promise<Claim | undefined> {
  const id = await claimIdOf(trx, by);
  return id === undefined ? undefined : lockClaim(trx, id);
}

/** The mail about the credit names the claim, so the claim's own mail is not sent beside it. */
async function moveClaim(
  trx: Trx,
  claim: Claim,
  { state, by, now }: { state: "goodwill" | "declined"; by: string; now: Date },
): Promise<void> {
  const changed = await changeClaim(trx, claim, { state, by, now });
  await trx
    .updateTable("claim_changes")
    .set({ is_to_tell: false })
    .where("claim_id", "=", claim.id)
    .where("version", "=", changed.version)
    .execute();
}

async function post(
  trx: Trx,
  change: {
    id: string;
    memberId: string;
    amountPence: Pence;
    from: GoodwillState | null;
    to: GoodwillState;
    now: Date;
  },
): Promise<void> {
  const { id, memberId, amountPence, from, to, now } = change;
  await postTransfer(trx, {
    key: `goodwill:${id}:${to}`,
    kind: to === "given" ? "goodwill_given" : "goodwill_reversed",
    legs: differenceOf(
      from === null ? [] : goodwillLegs({ state: from, memberId, amountPence }),
      goodwillLegs({ state: to, memberId, amountPence }),
    ),
    cause: { kind: "goodwill", id },
    happenedAt: now,
  });
}

async function tellMember(
  trx: Trx,
  told: {
    brandId: string;
    memberId: string;
    member: { email: string; email_verified: boolean; suspended_at: Date | null };
    mail: { amountPence: Pence; reason: GoodwillReason; isReversed: boolean; claim: string | null };
    now: Date;
  },
): Promise<void> {
  const { brandId, memberId, member, mail, now } = told;
  if (!member.email_verified || member.suspended_at !== null) return;
  await queueMail(trx, { brandId, memberId, to: member.email, now, mail: { kind: "goodwill", ...mail } });
}
