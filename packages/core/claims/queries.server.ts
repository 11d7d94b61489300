import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { cursorOf } from "../cashback/history-cursor.ts";
import { DECISION_FACTS, isDeclineReason, type DeclineReason } from "../networks/decline-reason.ts";
import { isAppealed } from "./claim-row.server.ts";
import {
  addDays,
  ANSWER_DAYS,
  appealableUntil,
  ASKING_STATES,
  canWithdraw,
  COMPLETE_DAYS,
  isLive,
  takesFile,
  type ClaimKind,
  type ClaimState,
} from "./rules.ts";
import { answerWords, EVIDENCE_WORDS } from "./words.ts";

export interface ClaimItem {
  publicId: string;
  kind: ClaimKind;
  state: ClaimState;
  retailer: { slug: string; name: string };
  orderReference: string;
  salePence: number;
  /** `2026-11-05` */
  purchasedOn: string;
  madeAt: Date;
  changedAt: Date;
  opensAt: Date;
  /** Until when the member has to do something; null: nothing to do. */
  doBy: Date | null;
  isAppeal: boolean;
  /** Whether the retailer takes longer than it should. */
  isLate: boolean;
}

export interface ClaimView extends ClaimItem {
  clickNumber: string;
  clickedAt: Date;
  /** What is missing, in words; null: nothing. */
  asked: string | null;
  answer: string | null;
  appealUntil: Date | null;
  /** What can be sent with an appeal, as a sentence. */
  appealHelp: string | null;
  appeal: string | null;
  canWithdraw: boolean;
  canAddFiles: boolean;
  autoApprovesAt: Date | null;
  /** Cursors of the purchase that it is about, and of the one that fulfils it. */
  purchase: string | null;
  credited: { purchase: string; cashbackPence: number } | null;
  steps: { state: ClaimState; by: string; at: Date }[];
  files: { publicId: string; originalName: string; size: number; receivedAt: Date }[];
}

interface Row {
  id: string;
  public_id: string;
  kind: ClaimKind;
  state: ClaimState;
  slug: string;
  name: string;
  order_reference: string;
  sale_pence: number;
  purchased_on: string;
  made_at: Date;
  changed_at: Date;
  opens_at: Date;
  filings: number;
  is_appeal: boolean;
  reason_code: string | null;
  decided_at: Date | null;
  filed_at: Date | null;
  asked: string | null;
  answer: string | null;
  appeal: string | null;
  auto_approves_at: Date | null;
  click_number: string;
  clicked_at: Date;
  entry_id: string | null;
  credited_entry_id: string | null;
  credited_pence: number | null;
}

const select = sql`
  select claim.id, claim.public_id, claim.kind, claim.state, retailer.slug, retailer.name, claim.order_reference, claim.sale_pence,
    claim.purchased_on::text as purchased_on, claim.made_at, claim.changed_at, claim.opens_at, claim.filings, ${isAppealed} as is_appeal, claim.reason_code, claim.decided_at,
    filing.filed_at, claim.asked, claim.answer, claim.appeal, claim.auto_approves_at, click.click_number, click.created_at as clicked_at,
    claim.entry_id, credited.id as credited_entry_id, credited.cashback_pence as credited_pence
  from claims claim
  join retailers retailer on retailer.id = claim.retailer_id
  join clicks click on click.id = claim.click_id
  left join lateral (select filed_at from claim_filings where claim_id = claim.id order by filing desc limit 1) filing on true
  left join lateral (select id, cashback_pence from cashback_entries
    where network_transaction_id = claim.credited_transaction_id and entry_kind = 'purchase' limit 1) credited on true`;

const MAX_LISTED = 100;
const asking: ReadonlySet<string> = new Set(ASKING_STATES);

/** Returns a member's claims: those under way first, then the newest. */
export async function listClaims(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<ClaimItem[]> {
  const { rows } = await sql<Row>`${select} where claim.member_id = ${memberId}
    order by claim.state in ('waiting', 'incomplete', 'open', 'filed', 'accepted') desc, claim.changed_at desc, claim.id limit ${sql.lit(MAX_LISTED)}`.execute(
    db,
  );
  return rows.map((row) => toItem(row, now));
}

/** Returns one claim of a member with all that is known of it; null: it is not theirs. */
export async function findClaim(
  db: Db,
  { memberId, publicId, now }: { memberId: string; publicId: string; now: Date },
): Promise<ClaimView | null> {
  const { rows } =
    await sql<Row>`${select} where claim.member_id = ${memberId} and claim.public_id = ${publicId}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const [steps, files] = await Promise.all([
    db
      .selectFrom("claim_changes")
      .select(["state", "made_by", "changed_at"])
      .where("claim_id", "=", row.id)
      .orderBy("version")
      .execute(),
    db
      .selectFrom("attachments")
      .select(["public_id as publicId", "original_name as originalName", "size", "received_at as receivedAt"])
      .where("claim_id", "=", row.id)
      .where("member_id", "=", memberId)
      .orderBy("received_at")
      .execute(),
  ]);
  const reason = reasonIn(row);
  const appealUntil = untilOf(row);
  return {
    ...toItem(row, now),
    clickNumber: row.click_number,
    clickedAt: row.clicked_at,
    asked: row.state === "incomplete" ? (row.asked ?? EVIDENCE_WORDS) : null,
    answer: row.decided_at ? answerWords(reason, row.answer) : null,
    appealUntil: appealUntil && now < appealUntil ? appealUntil : null,
    appealHelp: row.state === "declined" ? DECISION_FACTS[reason ?? "not_given"].appeal : null,
    appeal: row.appeal,
    canWithdraw: canWithdraw(row),
    canAddFiles:
      isLive(row.state) &&
      takesFile(
        files.map(({ receivedAt }) => receivedAt),
        steps.findLast(({ state }) => asking.has(state))?.changed_at ?? null,
      ),
    autoApprovesAt: row.state === "filed" ? row.auto_approves_at : null,
    purchase: row.entry_id && cursorOf(row.entry_id),
    credited: row.credited_entry_id
      ? { purchase: cursorOf(row.credited_entry_id), cashbackPence: row.credited_pence ?? 0 }
      : null,
    steps: steps.map(({ state, made_by, changed_at }) => ({ state: state as ClaimState, by: made_by, at: changed_at })),
    files,
  };
}

function toItem(row: Row, now: Date): ClaimItem {
  const appealUntil = untilOf(row);
  const filedAt = row.filed_at ?? row.changed_at;
  return {
    publicId: row.public_id,
    kind: row.kind,
    state: row.state,
    retailer: { slug: row.slug, name: row.name },
    orderReference: row.order_reference,
    salePence: row.sale_pence,
    purchasedOn: row.purchased_on,
    madeAt: row.made_at,
    changedAt: row.changed_at,
    opensAt: row.opens_at,
    doBy:
      row.state === "incomplete"
        ? addDays(row.changed_at, COMPLETE_DAYS)
        : appealUntil && now < appealUntil
          ? appealUntil
          : null,
    isAppeal: row.is_appeal,
    isLate: row.state === "filed" && addDays(filedAt, ANSWER_DAYS) < now,
  };
}

const reasonIn = ({ reason_code: code }: Row): DeclineReason | null =>
  code !== null && isDeclineReason(code) ? code : null;

function untilOf(row: Row): Date | null {
  const { state, filings, decided_at: decidedAt } = row;
  return appealableUntil({ state, decidedAt, filings, reason: reasonIn(row) });
}

export interface ClaimsPanel {
  /** Claims under way. */
  open: number;
  /** Claims for which the member has to do something. */
  needingMember: number;
  /** Visits of which a network pushed a sale that it does not report. */
  proposals: { clickNumber: string; clickedAt: Date; retailer: { slug: string; name: string } }[];
}

/** Returns what the money page says of claims. */
export async function findClaimsPanel(db: Db, { memberId }: { memberId: string }): Promise<ClaimsPanel> {
  const [counts, proposals] = await Promise.all([
    sql<{ open: number; needing_member: number }>`${keepPlan}
      select count(*)::int as open, count(*) filter (where state = 'incomplete')::int as needing_member
      from claims where member_id = ${unseenByPlanner(memberId, "uuid")} and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted')`.execute(
      db,
    ),
    sql<{ clickNumber: string; clickedAt: Date; slug: string; name: string }>`${keepPlan}
      select click.click_number as "clickNumber", click.created_at as "clickedAt", retailer.slug, retailer.name
      from claim_proposals proposal join clicks click on click.id = proposal.click_id
      join retailers retailer on retailer.id = click.retailer_id
      where proposal.member_id = ${unseenByPlanner(memberId, "uuid")} and proposal.dismissed_at is null
        and not exists (select from cashback_entries entry where entry.click_id = proposal.click_id)
      order by proposal.proposed_at desc limit 5`.execute(db),
  ]);
  return {
    open: counts.rows[0]!.open,
    needingMember: counts.rows[0]!.needing_member,
    proposals: proposals.rows.map(({ clickNumber, clickedAt, slug, name }) => ({
      clickNumber,
      clickedAt,
      retailer: { slug, name },
    })),
  };
}

/** Returns the number of the member's claim about a purchase, or about what it fulfilled; null: none. */
export async function findClaimOfPurchase(
  db: Db,
  { memberId, entryId }: { memberId: string; entryId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom("claims")
    .select("public_id")
    .where("member_id", "=", memberId)
    .where("entry_id", "=", entryId)
    .where("state", "not in", ["withdrawn", "expired"])
    .orderBy("made_at", "desc")
    .executeTakeFirst();
  return row?.public_id ?? null;
}
