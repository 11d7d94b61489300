import { paysCashback } from "../catalogue/rates.ts";
import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CashbackState } from "../cashback/cashback-view.ts";
import { rateSnapshotSchema, type RateSnapshot } from "../clicks/rate-snapshot.ts";
import { isDeclineReason, type DeclineReason } from "../networks/decline-reason.ts";
import {
  DEFAULT_RULE,
  MIN_SAMPLE,
  placeIn,
  purchaseKind,
  purchaseWindow,
  untrackedWindow,
  type ClaimKind,
  type ClaimRule,
  type ClaimWindow,
  type WindowPlace,
} from "./rules.ts";
import { reportedOrder } from "./schema.ts";

/** What a claim is about: a visit of which nothing tracked, or a purchase. */
export type ClaimAbout = { clickNumber: string } | { entryId: string };

export interface ClaimSubject {
  kind: ClaimKind;
  click: {
    id: string;
    number: string;
    clickedAt: Date;
    programmeId: string;
    networkId: string;
    snapshot: RateSnapshot;
  };
  retailer: { id: string; slug: string; name: string };
  /** The purchase that has the wrong amount or was declined; null: none tracked. */
  purchase: {
    id: string;
    state: CashbackState;
    reason: DeclineReason | null;
    /** As its claim keeps it; null: the network reported none that a claim can have. */
    orderReference: string | null;
    purchasedAt: Date;
    salePence: number;
    cashbackPence: number;
  } | null;
  rule: ClaimRule;
  window: ClaimWindow;
  place: WindowPlace;
  /** Whether the visit promised cashback at all. */
  promisesCashback: boolean;
}

interface SubjectRow {
  click_id: string;
  click_number: string;
  clicked_at: Date;
  rate_snapshot: unknown;
  programme_id: string;
  network_id: string;
  retailer_id: string;
  slug: string;
  name: string;
  opens_after_days: number | null;
  closes_after_days: number | null;
  needs_evidence: boolean | null;
  p95_days: number | null;
  entry_id: string | null;
  entry_state: CashbackState | null;
  reason_code: string | null;
  order_reference: string | null;
  purchased_at: Date | null;
  sale_pence: number | null;
  cashback_pence: number | null;
  tracked_at: Date | null;
  declined_at: Date | null;
}

const columns = (entry: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql<SubjectRow>`${keepPlan}
  select click.id as click_id, click.click_number, click.created_at as clicked_at, click.rate_snapshot, click.programme_id,
    click.network_id, click.retailer_id, retailer.slug, retailer.name, rule.opens_after_days, rule.closes_after_days,
    rule.needs_evidence, timing.p95_days, entry.id as entry_id, entry.state as entry_state, entry.reason_code,
    entry.order_reference, entry.purchased_at, entry.sale_pence, entry.cashback_pence, entry.tracked_at, entry.declined_at
  from clicks click
  join retailers retailer on retailer.id = click.retailer_id
  left join claim_rules rule on rule.retailer_id = coalesce(retailer.merged_into_id, retailer.id)
  left join cashback_timings timing on timing.subject_id = coalesce(retailer.merged_into_id, retailer.id) and timing.step = 'tracking'
    and timing.sample >= ${sql.lit(MIN_SAMPLE)}
  left join lateral (${entry}) entry on true
  where ${where}`;

const noEntry = sql`
  select null::uuid as id, null::text as state, null::text as reason_code, null::text as order_reference, null::timestamptz as purchased_at,
    null::bigint as sale_pence, null::bigint as cashback_pence, null::timestamptz as tracked_at, null::timestamptz as declined_at`;

/**
 * Returns what a member's claim would be about, and when it can be filed; null: the visit or purchase is not theirs, or
 * nothing can be said against the purchase as it stands.
 */
export async function findClaimSubject(
  db: Db | Trx,
  { memberId, about, now }: { memberId: string; about: ClaimAbout; now: Date },
): Promise<ClaimSubject | null> {
  const query =
    "clickNumber" in about
      ? columns(noEntry, sql`click.member_id = ${memberId} and click.click_number = ${about.clickNumber}`)
      : columns(
          sql`select own.*, sale.order_reference from cashback_entries own
            join network_transactions sale on sale.id = own.network_transaction_id
            where own.id = ${about.entryId} and own.entry_kind = 'purchase'`,
          sql`click.member_id = ${memberId} and click.id = (select click_id from cashback_entries
            where id = ${about.entryId} and member_id = ${memberId} and entry_kind = 'purchase')`,
        );
  const { rows } = await query.execute(db);
  const row = rows[0];
  return row ? toSubject(row, now) : null;
}

/** A purchase that a visit has led to. */
export type VisitPurchase = Pick<
  NonNullable<ClaimSubject["purchase"]>,
  "id" | "purchasedAt" | "salePence" | "cashbackPence"
>;

const MAX_PURCHASES = 3;

/** Returns up to three purchases that have tracked after a member's click, the latest first. The purchase of a claim is not among them. */
export async function findVisitPurchases(
  db: Db,
  { memberId, clickId }: { memberId: string; clickId: string },
): Promise<VisitPurchase[]> {
  const { rows } = await sql<VisitPurchase>`${keepPlan}
    select id, purchased_at as "purchasedAt", sale_pence as "salePence", cashback_pence as "cashbackPence" from cashback_entries
    where click_id = ${clickId} and member_id = ${memberId} and entry_kind = 'purchase'
    order by purchased_at desc, id limit ${sql.lit(MAX_PURCHASES)}`.execute(db);
  return rows;
}

const MAX_CLICKS_READ = 60;

/** A visit that a member can choose. */
export interface ClaimVisit extends ClaimSubject {
  /** A purchase of it is in the account already: what is claimed is another one. */
  hasPurchase: boolean;
}

/** Returns a member's latest visits that promised cashback, newest first, with when a claim can be filed. */
export async function findVisits(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<ClaimVisit[]> {
  const { rows } = await columns(
    noEntry,
    sql`click.id in (select id from clicks where member_id = ${memberId} order by created_at desc limit ${sql.lit(MAX_CLICKS_READ)})
      order by click.created_at desc`,
  ).execute(db);
  const visits = rows
    .map((row) => toSubject(row, now))
    .filter((subject) => subject !== null)
    .filter(({ promisesCashback }) => promisesCashback);
  const { rows: bought } = await sql<{ click_id: string }>`
    select distinct click_id from cashback_entries
    where click_id = any (${visits.map(({ click }) => click.id)}::uuid[]) and entry_kind = 'purchase'`.execute(db);
  const known = new Set(bought.map(({ click_id }) => click_id));
  return visits.map((visit) => ({ ...visit, hasPurchase: known.has(visit.click.id) }));
}

function toSubject(row: SubjectRow, now: Date): ClaimSubject | null {
  const snapshot = rateSnapshotSchema.parse(row.rate_snapshot);
  const rule: ClaimRule =
    row.closes_after_days === null
      ? DEFAULT_RULE
      : {
          opensAfterDays: row.opens_after_days,
          closesAfterDays: row.closes_after_days,
          needsEvidence: row.needs_evidence ?? false,
        };
  const code = row.reason_code;
  const reason = code !== null && isDeclineReason(code) ? code : null;
  const kind = row.entry_id === null ? "untracked" : purchaseKind(row.entry_state!, reason);
  if (kind === null) return null;
  const window =
    kind === "untracked"
      ? untrackedWindow({ clickedAt: row.clicked_at, rule, p95Days: row.p95_days, tracking: snapshot.tracking })
      : purchaseWindow(kind, { trackedAt: row.tracked_at!, declinedAt: row.declined_at, rule });
  return {
    kind,
    click: {
      id: row.click_id,
      number: row.click_number,
      clickedAt: row.clicked_at,
      programmeId: row.programme_id,
      networkId: row.network_id,
      snapshot,
    },
    retailer: { id: row.retailer_id, slug: row.slug, name: row.name },
    purchase:
      row.entry_id === null
        ? null
        : {
            id: row.entry_id,
            state: row.entry_state!,
            reason,
            orderReference: reportedOrder(row.order_reference),
            purchasedAt: row.purchased_at!,
            salePence: row.sale_pence!,
            cashbackPence: row.cashback_pence!,
          },
    rule,
    window,
    place: placeIn(window, now),
    promisesCashback: paysCashback(snapshot.rates),
  };
}
