import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

export const timelineKinds = {
  account: "Account",
  membership: "Membership",
  mail: "E-mail",
  shopping: "Shopping",
  money: "Money",
  operator: "Operators",
} as const;
export type TimelineKind = keyof typeof timelineKinds;

/** One thing that happened to a member or that they did. */
export interface TimelineEvent {
  at: Date;
  kind: TimelineKind;
  /** What happened, in words. */
  what: string;
  /** More about it: a retailer, a subject, a note. */
  detail: string | null;
  pence: number | null;
  /** The page of its record; null where it has none. */
  path: string | null;
  /** The record that has a page of its own, as "<kind> <id>": "payout 5f0c…". */
  about: string | null;
}

export interface TimelineQuery {
  memberId: string;
  kind?: TimelineKind | undefined;
  /** Where the page begins: `older` of the page before it. Null, or anything else: from now. */
  before: string | null;
  max: number;
}

export interface TimelinePage {
  events: TimelineEvent[];
  /** Where the next page begins; null: there is nothing older. */
  older: string | null;
}

/**
 * Returns everything of a member in one order, newest first (A3). Each source reads at most one page by its own index, so a
 * member of ten years is as fast as a new one. What happened in one moment is in the order of sources and ids, so that pages neither lose nor
 * repeat an event.
 */
export async function findTimeline(db: Db, { memberId, kind, before, max }: TimelineQuery): Promise<TimelinePage> {
  const from = before === null ? null : readPlace(before);
  const branches = eachSource.flatMap(([of, source], place) =>
    kind === undefined || of === kind ? [branch(source, { kind: of, place, memberId, from, max })] : [],
  );
  const { rows } = await sql<TimelineEvent & { micros: string; place: number; id: string }>`
    select * from (${sql.join(branches, sql` union all `)}) event
    order by at desc, place, id desc limit ${max + 1}`.execute(db);
  const shown = rows.slice(0, max);
  const last = shown.at(-1);
  return {
    events: shown.map(({ micros: _micros, place: _place, id: _id, ...event }) => event),
    older: last && rows.length > max ? `${last.micros}.${last.place}.${last.id}` : null,
  };
}

/** The last event of a page. A Date would lose the microseconds that the database keeps. */
interface Place {
  micros: string;
  place: number;
  id: string;
}

function readPlace(text: string): Place | null {
  const [, micros, place, id] =
    /^(\d{1,16})\.(\d{1,3})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  return micros && place && id ? { micros, place: Number(place), id } : null;
}

function branch(
  source: Source,
  {
    kind,
    place,
    memberId,
    from,
    max,
  }: { kind: TimelineKind; place: number; memberId: string; from: Place | null; max: number },
): RawBuilder<unknown> {
  const { table, at, what, of = ofMember } = source;
  const { detail = sql`null`, pence = sql`null`, path = sql`null`, about = sql`null` } = source;
  return sql`
    (select ${at} as at, ${sql.lit(kind)} as kind, ${what} as what, (${detail})::text as detail, (${pence})::bigint as pence,
      (${path})::text as path, (${about})::text as about,
      (extract(epoch from ${at}) * 1000000)::bigint::text as micros, ${sql.lit(place)} as place, event.id
     from ${table} where ${of(memberId)} and ${at} is not null ${from ? sql`and ${isOlder(at, place, from)}` : sql``}
     order by ${at} desc, event.id desc limit ${max + 1})`;
}

/** Holds for the events of a source that come after the last one of a page. */
function isOlder(at: RawBuilder<unknown>, place: number, from: Place): RawBuilder<unknown> {
  const moment = sql`(timestamptz 'epoch' + ${from.micros}::bigint * interval '1 microsecond')`;
  if (place < from.place) return sql`${at} < ${moment}`;
  if (place > from.place) return sql`${at} <= ${moment}`;
  return sql`(${at}, event.id) < (${moment}, ${from.id}::uuid)`;
}

interface Source {
  /** The table as `event`, with what it joins. It has a uuid as its `id`. */
  table: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  what: RawBuilder<unknown>;
  detail?: RawBuilder<unknown>;
  pence?: RawBuilder<unknown>;
  /** The page of the record in the admin. */
  path?: RawBuilder<unknown>;
  about?: RawBuilder<unknown>;
  /** What makes a row the member's; its `member_id` by default. */
  of?(memberId: string): RawBuilder<unknown>;
}

const ofMember = (memberId: string) => sql`event.member_id = ${memberId}`;

/** Returns a code of ours as words: `payee_deceased` as "payee deceased". */
const spaced = (code: RawBuilder<unknown>) => sql`replace(${code}, '_', ' ')`;

const dayOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Europe/London', 'FMDD Mon YYYY')`;

/** What the member is told to expect of a purchase now, in words: "confirmation expected 8 Feb 2027 to 23 Mar 2027, late". */
const expectedNow = (awaits: "confirmation" | "payment") => sql`(
  select ${sql.lit(awaits)} || ' expected ' || ${dayOf("watch.expected_from")} || ' to ' || ${dayOf("watch.expected_to")}
    || case when watch.overdue_since is null then '' else ', late' end
  from cashback_watches watch where watch.entry_id = event.id and watch.awaits = ${sql.lit(awaits)})`;

const actionsInWords = sql.join(
  Object.entries({
    "member.suspend": "suspended",
    "member.restore": "restored",
    "member.end-sessions": "signed out everywhere",
    "member.end-membership": "membership ended",
    "member.close": "closing started",
    "member.export": "data exported",
    "member.swap-code": "code swapped",
  }).map(([action, words]) => sql`when ${sql.lit(action)} then ${sql.lit(words)}`),
  sql` `,
);

const sources: Record<TimelineKind, readonly Source[]> = {
  account: [
    { table: sql`members event`, of: (id) => sql`event.id = ${id}`, at: sql`event.created_at`, what: sql`'joined'` },
    {
      table: sql`member_sessions event`,
      at: sql`event.created_at`,
      what: sql`'signed in, and still is'`,
      detail: sql`event.ip_address`,
    },
    {
      table: sql`detail_changes event`,
      at: sql`event.changed_at`,
      what: sql`'changed their details'`,
      detail: sql`event.field`,
    },
    { table: sql`data_exports event`, at: sql`event.made_at`, what: sql`'a copy of their data was made'` },
    { table: sql`closures event`, at: sql`event.requested_at`, what: sql`'asked to leave'`, detail: sql`event.state` },
    { table: sql`closures event`, at: sql`event.cancelled_at`, what: sql`'decided to stay'` },
    { table: sql`closures event`, at: sql`event.closed_at`, what: sql`'account closed'` },
  ],
  membership: [
    {
      table: sql`verification_requests event left join proof_kinds proof on proof.id = event.proof_kind_id`,
      at: sql`event.submitted_at`,
      what: sql`'sent proof of membership'`,
      detail: sql`proof.name`,
      path: sql`'/admin/verifications/' || event.public_id`,
    },
    {
      table: sql`verification_requests event`,
      at: sql`event.decided_at`,
      what: sql`'proof ' || event.state`,
      detail: sql`concat_ws(': ', 'by ' || event.decided_by, event.reason)`,
    },
  ],
  mail: [
    {
      table: sql`mails event`,
      at: sql`event.created_at`,
      what: sql`case event.state when 'sent' then 'was sent an e-mail' when 'waiting' then 'an e-mail waits to be sent' else 'an e-mail could not be sent' end`,
      detail: sql`coalesce(event.subject, event.kind)`,
    },
  ],
  shopping: [
    {
      table: sql`clicks event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.created_at`,
      what: sql`'followed a link'`,
      detail: sql`retailer.name || ', click ' || event.click_number`,
    },
    {
      table: sql`code_reveals event join offers offer on offer.id = event.offer_id`,
      at: sql`event.revealed_at`,
      what: sql`'revealed a code'`,
      detail: sql`offer.title`,
    },
    {
      table: sql`code_swaps event join offers offer on offer.id = event.offer_id`,
      at: sql`event.swapped_at`,
      what: sql`case when event.is_by_club then 'had a code swapped' else 'swapped a code' end`,
      detail: sql`offer.title || case event.reason when 'cancelled' then ': the order was cancelled' when 'refused' then ': the shop refused it' else ': it was lost' end`,
      path: sql`'/admin/members/' || event.member_id || '/codes'`,
    },
    {
      table: sql`claims event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.made_at`,
      what: sql`'made a claim'`,
      detail: sql`retailer.name || ', ' || event.state`,
      pence: sql`event.sale_pence`,
      path: sql`'/admin/claims/' || event.public_id`,
    },
    {
      table: sql`gift_card_orders event`,
      at: sql`event.placed_at`,
      what: sql`'ordered gift cards'`,
      detail: sql`event.public_id`,
      pence: sql`event.total_pence`,
      path: sql`'/admin/gift-cards?q=' || event.public_id`,
    },
    {
      table: sql`referrals event`,
      at: sql`event.registered_at`,
      what: sql`'joined by an invitation'`,
      path: sql`'/admin/referrals/' || event.public_id`,
    },
    {
      table: sql`referrals event`,
      of: (id) => sql`event.inviter_id = ${id}`,
      at: sql`event.registered_at`,
      what: sql`'a friend joined by their invitation'`,
      path: sql`'/admin/referrals/' || event.public_id`,
    },
  ],
  money: [
    {
      table: sql`cashback_entries event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.tracked_at`,
      what: sql`'cashback tracked'`,
      detail: sql`concat_ws(', ', retailer.name, ${expectedNow("confirmation")})`,
      pence: sql`event.cashback_pence`,
      about: sql`'click ' || event.click_id`,
    },
    {
      table: sql`cashback_entries event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.confirmed_at`,
      what: sql`'cashback confirmed'`,
      detail: sql`concat_ws(', ', retailer.name, ${expectedNow("payment")})`,
      pence: sql`event.cashback_pence`,
      about: sql`'click ' || event.click_id`,
    },
    {
      table: sql`cashback_entries event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.payable_at`,
      what: sql`case event.entry_kind when 'correction' then 'cashback corrected' else 'cashback became payable' end`,
      detail: sql`retailer.name`,
      pence: sql`event.cashback_pence`,
      about: sql`'click ' || event.click_id`,
    },
    {
      table: sql`cashback_entries event join retailers retailer on retailer.id = event.retailer_id`,
      at: sql`event.declined_at`,
      what: sql`'cashback declined'`,
      detail: sql`concat_ws(', ', retailer.name, ${spaced(sql`event.reason_code`)})`,
      pence: sql`event.cashback_pence`,
      about: sql`'click ' || event.click_id`,
    },
    {
      table: sql`payouts event`,
      at: sql`event.requested_at`,
      what: sql`'asked for a payout'`,
      detail: sql`case event.method when 'bank' then 'to their bank account' when 'gift-card' then 'as a gift card' else event.method end`,
      pence: sql`event.amount_pence`,
      about: sql`'payout ' || event.public_id`,
    },
    {
      table: sql`payouts event`,
      at: sql`event.paid_at`,
      what: sql`'was paid'`,
      detail: sql`event.bank_reference`,
      pence: sql`event.amount_pence`,
      about: sql`'payout ' || event.public_id`,
    },
    {
      table: sql`payouts event`,
      at: sql`coalesce(event.failed_at, event.returned_at)`,
      what: sql`'payout ' || event.state`,
      detail: spaced(sql`event.reason`),
      pence: sql`event.amount_pence`,
      about: sql`'payout ' || event.public_id`,
    },
    { table: sql`payout_holds event`, at: sql`event.placed_at`, what: sql`'payouts held'`, detail: sql`event.reason` },
    { table: sql`payout_holds event`, at: sql`event.lifted_at`, what: sql`'hold on payouts lifted'` },
    {
      table: sql`goodwill_credits event`,
      at: sql`event.given_at`,
      what: sql`'credit from us'`,
      detail: sql`event.note`,
      pence: sql`event.amount_pence`,
      about: sql`'goodwill ' || event.member_id`,
    },
    {
      table: sql`goodwill_credits event`,
      at: sql`event.reversed_at`,
      what: sql`'credit taken back'`,
      detail: sql`event.reversal_note`,
      pence: sql`-event.amount_pence`,
      about: sql`'goodwill ' || event.member_id`,
    },
  ],
  operator: [
    {
      table: sql`member_notes event`,
      at: sql`event.created_at`,
      what: sql`'note by ' || event.written_by`,
      detail: sql`event.text`,
    },
    {
      table: sql`account_access_requests event`,
      at: sql`event.asked_at`,
      what: sql`event.operator_name || ' asked to act as the member'`,
      detail: sql`event.reason`,
      path: sql`'/admin/members/' || event.member_id || '/access'`,
    },
    {
      table: sql`account_access_requests event`,
      at: sql`event.started_at`,
      what: sql`event.operator_name || ' acted as the member'`,
      detail: sql`event.pages_seen || ' pages seen, ' || event.changes_made || ' changes'`,
      path: sql`'/admin/members/' || event.member_id || '/access'`,
    },
    {
      table: sql`audit_entries event`,
      // Notes are listed above, with their text.
      of: (id) => sql`event.subject_type = 'member' and event.subject_id = ${id} and event.action <> 'member.note'`,
      at: sql`event.at`,
      what: sql`case event.action ${actionsInWords} else event.action end || ' by ' || event.actor`,
      detail: sql`event.why`,
    },
  ],
};

const eachSource = (Object.keys(sources) as TimelineKind[]).flatMap((kind) =>
  sources[kind].map((source) => [kind, source] as const),
);
