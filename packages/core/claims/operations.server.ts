import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { storeAttachment } from "../attachments/store.server.ts";
import type { ReceivedFile } from "../attachments/rules.ts";
import { cursorOf } from "../cashback/history-cursor.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { asClaim, changeClaim, claimIdOf, isWithNetwork, lockClaim, recordChange } from "./claim-row.server.ts";
import { findClaimSubject, type ClaimAbout } from "./find-subject.server.ts";
import { orderKey } from "../claimed-orders/rules.ts";
import {
  appealableUntil,
  ASKING_STATES,
  canWithdraw,
  firstState,
  isLive,
  LIVE_STATES,
  MAX_LIVE_CLAIMS,
  takesFile,
  type ClaimState,
} from "./rules.ts";
import type { ClaimForm } from "./schema.ts";

export interface Owner {
  brandId: string;
  memberId: string;
  now: Date;
}

export type MadeClaim =
  /** `already`: the member has a claim about this order; nothing was made. */
  | { outcome: "made" | "already"; publicId: string; state: ClaimState }
  /** The order has tracked: it is a purchase of the member. */
  | { outcome: "tracked"; purchase: string }
  | { outcome: "unknown" | "late" | "no-cashback" | "too-many" };

/**
 * Makes a claim about a visit or a purchase of the member (C7): at most one for each order, however many requests do so at the
 * same time. One that is too early waits, and opens by itself.
 */
export async function makeClaim(
  db: Db,
  { brandId, memberId, about, form, now }: Owner & { about: ClaimAbout; form: ClaimForm },
): Promise<MadeClaim> {
  return db.transaction().execute(async (trx): Promise<MadeClaim> => {
    const member = await lockMember(trx, { brandId, memberId });
    const subject = member && !member.closed_at ? await findClaimSubject(trx, { memberId, about, now }) : null;
    if (!subject) return { outcome: "unknown" };
    if (!subject.promisesCashback) return { outcome: "no-cashback" };
    const { kind, click, retailer, rule, window, place } = subject;
    // A purchase keeps the order number that its retailer reported.
    const order = subject.purchase?.orderReference ?? form.orderReference;
    const known = await findOwnClaim(trx, { memberId, retailerId: retailer.id, order });
    if (known) return { outcome: "already", ...known };
    if (place === "late") return { outcome: "late" };
    if (kind === "untracked") {
      const tracked = await findTracked(trx, { memberId, retailerId: retailer.id, order });
      if (tracked) return { outcome: "tracked", purchase: cursorOf(tracked) };
    }
    if ((await countLive(trx, memberId)) >= MAX_LIVE_CLAIMS) return { outcome: "too-many" };
    const state = firstState({ place, needsEvidence: rule.needsEvidence, files: 0 });
    const made = asClaim(
      await trx
        .insertInto("claims")
        .values({
          id: newId(),
          brand_id: brandId,
          member_id: memberId,
          click_id: click.id,
          retailer_id: retailer.id,
          programme_id: click.programmeId,
          network_id: click.networkId,
          entry_id: subject.purchase?.id ?? null,
          kind,
          state,
          order_reference: order,
          purchased_on: form.purchasedOn,
          sale_pence: form.salePence,
          needs_evidence: rule.needsEvidence,
          opens_at: window.opensAt,
          closes_at: window.closesAt,
          appeal: form.words,
          made_at: now,
          changed_at: now,
          next_step_at: state === "waiting" ? window.opensAt : now,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
    await recordChange(trx, made, { by: "member", note: null, now });
    await trx.updateTable("claim_proposals").set({ dismissed_at: now }).where("click_id", "=", click.id).execute();
    return { outcome: "made", publicId: made.public_id, state };
  });
}

async function findOwnClaim(
  trx: Trx,
  { memberId, retailerId, order }: { memberId: string; retailerId: string; order: string },
): Promise<{ publicId: string; state: ClaimState } | undefined> {
  const row = await trx
    .selectFrom("claims")
    .select(["public_id as publicId", "state"])
    .where("member_id", "=", memberId)
    .where(sql<boolean>`retailer_id in (select same_retailers(${retailerId}))`)
    .where("order_key", "=", orderKey(order))
    .where("state", "not in", ["withdrawn", "expired", "credited"])
    .executeTakeFirst();
  return row && { publicId: row.publicId, state: row.state as ClaimState };
}

async function findTracked(
  trx: Trx,
  { memberId, retailerId, order }: { memberId: string; retailerId: string; order: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; reported: string }>`
    select entry.id, sale.order_reference as reported
    from cashback_entries entry join network_transactions sale on sale.id = entry.network_transaction_id
    where entry.member_id = ${memberId} and entry.retailer_id in (select same_retailers(${retailerId})) and entry.entry_kind = 'purchase'
      and sale.order_reference is not null`.execute(trx);
  return rows.find(({ reported }) => orderKey(reported) === orderKey(order))?.id;
}

async function countLive(trx: Trx, memberId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("claims")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("member_id", "=", memberId)
    .where("state", "in", LIVE_STATES)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Takes back a claim that is not with the retailer yet. */
export async function withdrawClaim(
  db: Db,
  { memberId, publicId, now }: Owner & { publicId: string },
): Promise<"withdrawn" | "too-late" | "unknown"> {
  return db.transaction().execute(async (trx) => {
    const claim = await lockOwn(trx, { memberId, publicId });
    if (!claim) return "unknown";
    if (!canWithdraw(claim)) return "too-late";
    await changeClaim(trx, claim, { state: "withdrawn", by: "member", now });
    return "withdrawn";
  });
}

/**
 * Appeals against a decline, once: the claim is filed again with what the member says. `by`: an operator who writes it down
 * for the member.
 */
export async function appealClaim(
  db: Db,
  { memberId, publicId, words, by = "member", now }: Owner & { publicId: string; words: string; by?: string },
): Promise<"appealed" | "too-late" | "unknown"> {
  return db.transaction().execute(async (trx) => {
    const claim = await lockOwn(trx, { memberId, publicId });
    if (!claim) return "unknown";
    const { state, decided_at: decidedAt, filings, reason_code: reason } = claim;
    const until = appealableUntil({ state, decidedAt, filings, reason });
    if (!until || now >= until) return "too-late";
    await changeClaim(trx, claim, {
      state: "open",
      by,
      now,
      set: { appeal: words.slice(0, 1000), asked: null },
    });
    return "appealed";
  });
}

export type AddedEvidence = "added" | "too-many" | "over" | "unknown";

/**
 * Adds a file to a claim that is under way. One that waited for it goes on. A file that is there already is added once: it is sent again by somebody who
 * has not seen our answer.
 */
export async function addEvidence(
  db: Db,
  { brandId, memberId, publicId, file, key, now }: Owner & { publicId: string; file: ReceivedFile; key: string },
): Promise<AddedEvidence> {
  return db.transaction().execute(async (trx): Promise<AddedEvidence> => {
    const claim = await lockOwn(trx, { memberId, publicId });
    if (!claim) return "unknown";
    if (!isLive(claim.state)) return "over";
    const there = await trx
      .selectFrom("attachments")
      .select(["sha256", "received_at"])
      .where("claim_id", "=", claim.id)
      .execute();
    if (claim.state !== "incomplete" && there.some(({ sha256 }) => sha256.equals(file.sha256))) return "added";
    const received = there.map(({ received_at }) => received_at);
    if (!takesFile(received, await lastAsked(trx, claim.id))) return "too-many";
    await storeAttachment(trx, { owner: { brandId, memberId, claimId: claim.id }, file, key, now });
    // What was asked stays on the claim, so that the same question is not asked again.
    if (claim.state === "incomplete")
      await changeClaim(trx, claim, { state: (await isWithNetwork(trx, claim)) ? "filed" : "open", by: "member", now });
    return "added";
  });
}

async function lastAsked(trx: Trx, claimId: string): Promise<Date | null> {
  const { at } = await trx
    .selectFrom("claim_changes")
    .select(({ fn }) => fn.max<Date | null>("changed_at").as("at"))
    .where("claim_id", "=", claimId)
    .where("state", "in", ASKING_STATES)
    .executeTakeFirstOrThrow();
  return at;
}

async function lockOwn(trx: Trx, { memberId, publicId }: { memberId: string; publicId: string }) {
  const id = await claimIdOf(trx, { publicId, memberId });
  return id === undefined ? undefined : lockClaim(trx, id);
}
