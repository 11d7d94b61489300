import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { retryAfter } from "../due-work/rules.ts";
import { rateSnapshotSchema } from "../clicks/rate-snapshot.ts";
import { ClaimRefusedError, type ClaimFiler, type ClaimToFile, type NetworkClaim } from "../networks/claim-filer.ts";
import { changeClaim, isWithNetwork, lockClaim, type Claim } from "./claim-row.server.ts";
import {
  addDays,
  ASKED_BY_RETAILER,
  COMPLETE_DAYS,
  expectedAmounts,
  nextAsk,
  purchasedAt,
  stateAfterAnswer,
  type ClaimKind,
  type ClaimState,
} from "./rules.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Claims that the worker opens, files, asks about or expires, and accepted ones whose sale it looks for in the report. What waits for an operator's pack is not due. */
export const dueClaims = openDueWork<{ networkSlug: string; state: ClaimState }>()({
  table: "claims",
  id: "id",
  dueAt: "next_step_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join networks network on network.id = work.network_id`,
  isOpen: sql`work.given_up_at is null and not work.awaits_pack and work.state in ('waiting', 'incomplete', 'open', 'filed', 'accepted')`,
  columns: sql`network.slug as "networkSlug", work.state`,
  // Five days: a network that is down over a weekend gives nothing up.
  nextAttempt: retryAfter([1, 5, 15, 60, 180, 360, 720, 1440, 1440, 2880].map((minutes) => minutes * MINUTE_MS)),
  bury: (now) => ({ given_up_at: now }),
  isBuried: sql`work.given_up_at is not null`,
  revive: () => ({ given_up_at: null }),
});

/** Longer than the calls that one claim needs. */
export const CLAIM_LEASE_MS = 120_000;

/**
 * Takes the next step of a claim: opens one that waited, files it with the network or leaves it to an operator's pack, and asks about
 * it until it is decided (C7). Repeating it after a crash files nothing twice: the filing's reference is stored before it is sent.
 * @param filer null: the network has no API for claims, or is not set up here
 * @throws whatever the network's adapter throws; the caller writes it to the claim
 */
export async function stepClaim(
  db: Db,
  { lease, filer, now }: { lease: Lease; filer: ClaimFiler | null; now: Date },
): Promise<void> {
  const next = await db.transaction().execute((trx) => stepWithin(trx, { lease, filer, now }));
  if (!filer || next === null) return;
  try {
    const answer = next.isNew ? await filer.fileClaim(next.toFile) : await askAgain(filer, next, now);
    await takeInClaim(db, { lease, answer, now });
  } catch (error) {
    if (!(error instanceof ClaimRefusedError)) throw error;
    await dueClaims.settle(db, lease, { awaits_pack: true, last_error: error.message });
  }
}

/** A network that has lost a claim, or never got it, gets it again, under the same reference. */
async function askAgain(filer: ClaimFiler, { toFile, filedAt }: Filing, now: Date): Promise<NetworkClaim | null> {
  const answer = await filer.readClaim(toFile);
  if (answer || (filedAt && now.getTime() - filedAt.getTime() < HOUR_MS)) return answer;
  return filer.fileClaim(toFile);
}

interface Filing {
  isNew: boolean;
  toFile: ClaimToFile;
  /** Null: not known to have arrived. */
  filedAt: Date | null;
}

async function stepWithin(
  trx: Trx,
  { lease, filer, now }: { lease: Lease; filer: ClaimFiler | null; now: Date },
): Promise<Filing | null> {
  let claim = await lockClaim(trx, lease.id);
  // Somebody was faster, or the lease has ended.
  if (claim?.next_step_at.getTime() !== lease.until.getTime()) return null;
  if (claim.state === "waiting") {
    const state = claim.needs_evidence && !(await hasFiles(trx, claim.id)) ? "incomplete" : "open";
    await changeClaim(trx, claim, { state, by: "club", now });
    return null;
  }
  if (claim.state === "incomplete" && !(await isWithNetwork(trx, claim))) {
    const until = addDays(claim.changed_at, COMPLETE_DAYS);
    if (now >= until) await changeClaim(trx, claim, { state: "expired", by: "club", now });
    else await dueClaims.release(trx, lease, { until });
    return null;
  }
  if (claim.state === "accepted") {
    await dueClaims.release(trx, lease, { until: nextAsk(claim.decided_at ?? claim.changed_at, now) });
    return null;
  }
  if (!filer || !filer.kinds.includes(claim.filings > 0 && claim.state === "open" ? "declined" : claim.kind)) {
    await dueClaims.settle(trx, lease, { awaits_pack: true });
    return null;
  }
  const isNew = claim.state === "open";
  const filing = isNew ? await beginFiling(trx, claim, { packId: null, now }) : await lastFiling(trx, claim);
  // A claim that went by pack is answered by an operator.
  if (filing.pack_id !== null) {
    await dueClaims.settle(trx, lease, { awaits_pack: true });
    return null;
  }
  claim = { ...claim, filings: filing.filing };
  return { isNew, toFile: await toFile(trx, claim, filing, now), filedAt: filing.filed_at };
}

async function hasFiles(trx: Trx, claimId: string): Promise<boolean> {
  return (
    (await trx.selectFrom("attachments").select("id").where("claim_id", "=", claimId).limit(1).executeTakeFirst()) !==
    undefined
  );
}

export interface FilingRow {
  filing: number;
  reference: string;
  kind: string;
  pack_id: string | null;
  filed_at: Date | null;
  network_transaction_id: string | null;
}

/** Returns the filing of an open claim: the one that was begun and is not known to have arrived, or a new one. */
export async function beginFiling(
  trx: Trx,
  claim: Claim,
  { packId, now }: { packId: string | null; now: Date },
): Promise<FilingRow> {
  const known = claim.filings > 0 ? await lastFiling(trx, claim) : null;
  if (known && known.filed_at === null) {
    if (packId === null) return known;
    return trx
      .updateTable("claim_filings")
      .set({ pack_id: packId, filed_at: now })
      .where("reference", "=", known.reference)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const filing = claim.filings + 1;
  const kind: ClaimKind = filing === 1 ? claim.kind : "declined";
  await trx.updateTable("claims").set({ filings: filing }).where("id", "=", claim.id).execute();
  return trx
    .insertInto("claim_filings")
    .values({
      claim_id: claim.id,
      filing,
      reference: randomBytes(16).toString("base64url"),
      kind,
      pack_id: packId,
      filed_at: packId === null ? null : now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function lastFiling(trx: Trx, claim: Claim): Promise<FilingRow> {
  return trx
    .selectFrom("claim_filings")
    .selectAll()
    .where("claim_id", "=", claim.id)
    .orderBy("filing", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

const NOTES: Readonly<Record<ClaimKind, string>> = {
  untracked: "The member followed our link and bought; no sale was reported.",
  incorrect: "The sale was reported with a commission that is too small.",
  declined: "The sale or the earlier claim was declined; the member appeals.",
};

async function toFile(trx: Trx, claim: Claim, filing: FilingRow, now: Date): Promise<ClaimToFile> {
  const row = await trx
    .selectFrom("clicks as click")
    .innerJoin("programmes as programme", "programme.id", "click.programme_id")
    .select([
      "click.reference",
      "click.created_at",
      "click.rate_snapshot",
      "programme.network_programme_id",
      "programme.programme_link",
    ])
    .where("click.id", "=", claim.click_id)
    .executeTakeFirstOrThrow();
  const expected = expectedAmounts(rateSnapshotSchema.parse(row.rate_snapshot), claim.sale_pence);
  const kind = filing.kind as ClaimKind;
  return {
    claimReference: filing.reference,
    kind,
    networkProgrammeId: row.network_programme_id,
    programmeLink: row.programme_link,
    clickReference: row.reference,
    orderReference: claim.order_reference,
    purchasedAt: purchasedAt(claim.purchased_on, row.created_at, now),
    currency: "GBP",
    saleMinor: claim.sale_pence,
    expectedCommissionMinor: expected?.commissionPence ?? null,
    notes: NOTES[kind],
  };
}

/** Stores what the network says of a claim, and plans when it is asked again. */
async function takeInClaim(
  db: Db,
  { lease, answer, now }: { lease: Lease; answer: NetworkClaim | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const claim = await lockClaim(trx, lease.id);
    // The filing is found again by its reference, so an answer that comes too late is not lost.
    if (claim?.next_step_at.getTime() !== lease.until.getTime()) return;
    const filing = await lastFiling(trx, claim);
    if (answer)
      await trx
        .updateTable("claim_filings")
        .set({
          filed_at: filing.filed_at ?? now,
          network_claim_id: answer.networkClaimId,
          // What was named once stays: an answer that leaves it out does not untie the sale.
          network_transaction_id: answer.networkTransactionId ?? filing.network_transaction_id,
        })
        .where("reference", "=", filing.reference)
        .execute();
    const next = {
      next_step_at: answer?.state === "accepted" ? now : nextAsk(filing.filed_at ?? now, now),
      auto_approves_at: answer?.autoApprovesAt ?? null,
    };
    const state = answer && stateAfterAnswer(claim, answer);
    if (!state) {
      await dueClaims.settle(trx, lease, { ...next, attempts: 0 });
      return;
    }
    await changeClaim(trx, claim, {
      state,
      by: state === "filed" ? "club" : "retailer",
      now,
      set: { ...next, ...decisionOf(state, answer, now) },
    });
  });
}

function decisionOf(state: ClaimState, { answer: said, reason }: NetworkClaim, now: Date) {
  const answer = said?.trim().slice(0, 500) || null;
  if (state === "incomplete") return { asked: answer ?? ASKED_BY_RETAILER };
  if (state === "accepted") return { answer, decided_at: now, reason_code: null };
  if (state === "declined")
    return { answer, decided_at: now, reason_code: reason ?? (answer === null ? "not_given" : "other") };
  return {};
}
