import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { rateSnapshotSchema } from "../clicks/rate-snapshot.ts";
import { isDeclineReason, type DeclineReason } from "../networks/decline-reason.ts";
import { findClaimForOperator, type ShownClaim } from "./operators.server.ts";
import { appealableUntil, canGo, expectedAmounts, type ClaimState, type ExpectedAmounts } from "./rules.ts";

/** A claim with all that an operator needs to decide about it. */
export interface ClaimRecord extends ShownClaim {
  brandId: string;
  brandName: string;
  networkName: string;
  memberId: string;
  memberName: string;
  memberSuspendedAt: Date | null;
  filingCount: number;
  closesAt: Date;
  decidedAt: Date | null;
  autoApprovesAt: Date | null;
  /** What the browser was found to do just before the click; null: not checked. */
  preFlight: string | null;
  /** What the sale should earn by the rates of the click, in pence; null: they name no amount. */
  expected: ExpectedAmounts | null;
  /** Purchases that have tracked to this click, or that it is about. */
  purchases: ClaimPurchase[];
  /** Claims of other members about the same order. */
  rivalClaims: { publicId: string; state: ClaimState; memberNumber: string; madeAt: Date }[];
  filings: { reference: string; filedAt: Date | null; packNumber: number | null; networkClaimId: string | null }[];
  /** What can be decided now. */
  may: { accept: boolean; decline: boolean; ask: boolean; retry: boolean };
  /** Until when it can be appealed; null: it can't. */
  appealUntil: Date | null;
}

export interface ClaimPurchase {
  id: string;
  isSubject: boolean;
  state: string;
  reason: string | null;
  orderReference: string | null;
  purchasedAt: Date;
  salePence: number;
  cashbackPence: number;
}

interface More {
  brandId: string;
  brandName: string;
  networkName: string;
  memberId: string;
  memberName: string;
  memberSuspendedAt: Date | null;
  filingCount: number;
  closesAt: Date;
  decidedAt: Date | null;
  autoApprovesAt: Date | null;
  preFlight: string | null;
  snapshot: unknown;
}

/** Returns a claim by its number; null: there is none. */
export async function findClaimRecord(
  db: Db,
  { publicId, now }: { publicId: string; now: Date },
): Promise<ClaimRecord | null> {
  const claim = await findClaimForOperator(db, { publicId });
  if (!claim) return null;
  const { id, state } = claim;
  const [more, purchases, rivals, filings] = await Promise.all([
    sql<More>`select claim.brand_id as "brandId",
        brand.name as "brandName", network.name as "networkName", claim.member_id as "memberId", member.name as "memberName", member.suspended_at as "memberSuspendedAt",
        claim.filings as "filingCount", claim.closes_at as "closesAt", claim.decided_at as "decidedAt",
        claim.auto_approves_at as "autoApprovesAt", click.pre_flight as "preFlight", click.rate_snapshot as snapshot
      from claims claim join members member on member.id = claim.member_id join clicks click on click.id = claim.click_id
        join brands brand on brand.id = claim.brand_id join networks network on network.id = claim.network_id
      where claim.id = ${id}`.execute(db),
    sql<ClaimPurchase>`select entry.id, entry.id is not distinct from claim.entry_id as "isSubject", entry.state,
        entry.reason_code as reason, sale.order_reference as "orderReference", entry.purchased_at as "purchasedAt",
        entry.sale_pence as "salePence", entry.cashback_pence as "cashbackPence"
      from claims claim join cashback_entries entry on entry.click_id = claim.click_id and entry.entry_kind = 'purchase'
        join network_transactions sale on sale.id = entry.network_transaction_id
      where claim.id = ${id} order by entry.purchased_at limit 20`.execute(db),
    sql<ClaimRecord["rivalClaims"][number]>`select other.public_id as "publicId", other.state,
        member.member_number as "memberNumber", other.made_at as "madeAt"
      from claims claim join claims other on other.network_id = claim.network_id and other.order_key = claim.order_key
        and other.retailer_id in (select same_retailers(claim.retailer_id)) and other.id <> claim.id
        and other.state not in ('withdrawn', 'expired', 'declined')
        join members member on member.id = other.member_id
      where claim.id = ${id} order by other.made_at limit 20`.execute(db),
    sql<ClaimRecord["filings"][number]>`select filing.reference, filing.filed_at as "filedAt",
        pack.pack_number as "packNumber", filing.network_claim_id as "networkClaimId"
      from claim_filings filing left join claim_packs pack on pack.id = filing.pack_id
      where filing.claim_id = ${id} order by filing.filing`.execute(db),
  ]);
  const found = more.rows[0];
  if (!found) return null;
  const { snapshot, ...facts } = found;
  const wasFiled = facts.filingCount > 0;
  const isWithApi =
    state === "filed" &&
    claim.givenUpAt === null &&
    !claim.awaitsPack &&
    wasFiled &&
    filings.rows.at(-1)?.packNumber === null;
  return {
    ...claim,
    ...facts,
    expected: expectedAmounts(rateSnapshotSchema.parse(snapshot), claim.salePence),
    purchases: purchases.rows,
    rivalClaims: rivals.rows,
    filings: filings.rows,
    may: {
      accept: canGo(state, "accepted") && wasFiled,
      decline: canGo(state, "declined") && state !== "goodwill",
      ask: canGo(state, "incomplete") && state !== "waiting" && !isWithApi,
      retry:
        (claim.givenUpAt !== null || claim.awaitsPack) && ["waiting", "incomplete", "open", "filed"].includes(state),
    },
    appealUntil: openUntil(
      { state, decidedAt: facts.decidedAt, filings: facts.filingCount, reason: reasonOf(claim) },
      now,
    ),
  };
}

function openUntil(decided: Parameters<typeof appealableUntil>[0], now: Date): Date | null {
  const until = appealableUntil(decided);
  return until && now < until ? until : null;
}

function reasonOf({ reasonCode: code }: ShownClaim): DeclineReason | null {
  return code !== null && isDeclineReason(code) ? code : null;
}
