import { FLOAT_MS, WAITS_FOR_FLOAT } from "../gift-cards/rules.ts";
import { formatPence } from "../money/money.ts";
import type { Permission } from "../operators/permissions.ts";
import { HELD_ASKED_AFTER_DAYS, isHeldSaleAsked } from "../networks/held-reasons.ts";
import { NETWORKS_READ_UNTIL } from "../networks/read-until.ts";
import { CUT_OFF, sendDay } from "../payouts/bacs-calendar.ts";
import { hoursInWords, type ThresholdValues } from "../thresholds/rules.ts";

/** What waits, after its number: where it is one, and where it is another number. */
type Words = readonly [one: string, others: string];

/** Something that waits for a person: a queue of the home page. */
interface Need {
  /** Where a threshold decides, the words have it; `first` is that column of `sql`. */
  label: Words | ((values: ThresholdValues, first: string | null) => Words);
  /** The queue, sorted from the oldest. */
  path: `/admin${string}`;
  /** Whoever may open the queue sees the need. */
  see: Permission;
  /**
   * SQL of one row: `count`, `oldest`, since when the first one waits, and `first`, where the label names it. $now is the moment of asking; the key of a threshold
   * stands for its value: $tracking-sample. Null: find-needs.server.ts asks otherwise.
   */
  sql: string | null;
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** The same words after what waits, whatever its number. */
const withDetail = ([one, others]: Words, detail: string): Words => [`${one}${detail}`, `${others}${detail}`];

const notDropped = (queue: string) =>
  `not exists (select from dropped_work dropped where dropped.queue = '${queue}' and dropped.work_id = work.id)`;

/** Every queue. A section adds its own here, with an index that the count can use. */
export const needs = {
  verifications: {
    label: ["proof of membership to decide", "proofs of membership to decide"],
    path: "/admin/verifications",
    see: "verifications.see",
    sql: `select count(*), min(submitted_at) as oldest from verification_requests where state = 'submitted'`,
  },
  // Claims that the worker can't take further: those for networks without an API, and those given up.
  claims: {
    label: ["claim that needs somebody", "claims that need somebody"],
    path: "/admin/claims?waits=person&sort=made",
    see: "claims.see",
    sql: `select count(*), min(made_at) as oldest from claims
      where (awaits_pack or given_up_at is not null) and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted')`,
  },
  // A person reads the evidence and declines all claims but one. The report's sale is credited then.
  "claim-conflicts": {
    label: ["sale that two claims name", "sales that two claims name"],
    path: "/admin/networks/held?reason=claims_conflict",
    see: "claims.see",
    sql: `select count(*), min(created_at) as oldest from network_transactions where held_because = 'claims_conflict'`,
  },
  // Each was bought in a currency that has no rate of that day.
  "exchange-rates": {
    label: ["sale that waits for an exchange rate", "sales that wait for an exchange rate"],
    path: "/admin/networks/exchange-rates",
    see: "money.see",
    sql: `select count(*), min(created_at) as oldest from network_transactions where held_because = 'no_exchange_rate'`,
  },
  // A member's click led to each. An import of the network's programmes credits them.
  "unknown-programmes": {
    label: [
      "sale of an unknown programme: import the network’s programmes",
      "sales of unknown programmes: import the network’s programmes",
    ],
    path: "/admin/networks/held?reason=unknown_programme",
    see: "claims.see",
    sql: `select count(*), min(created_at) as oldest from network_transactions
      where held_because = 'unknown_programme' and status in ('pending', 'approved')`,
  },
  // No import or exchange rate resolves these: only a member's claim or goodwill does. Not for ever, because nobody may ever claim it.
  "unmatched-sales": {
    label: withDetail(
      ["sale without a member", "sales without a member"],
      ` for ${HELD_ASKED_AFTER_DAYS} days or more`,
    ),
    path: "/admin/networks/held?waits=person",
    see: "claims.see",
    sql: `select count(*), min(sale.created_at) as oldest from network_transactions sale where ${isHeldSaleAsked("$now")}`,
  },
  "gift-card-lines": {
    label: ["gift card held or failed", "gift cards held or failed"],
    path: "/admin/gift-cards?waits=person&sort=placed",
    see: "gift-cards.see",
    sql: `select count(*), min(coalesce(reversing_since, paid_at)) as oldest from gift_card_lines line
      where line.state = 'held' or (line.state in ('issuing', 'reversing', 'refunding') and line.attempts > $gift-card-attempts)
        or (line.state in ('refunded', 'charged_back') and line.card_state = 'possible')`,
  },
  // From the first refusal on: without float, a paid card is refunded after four hours.
  "float-refused": {
    label: (_, first) => {
      const [one, others] = ["paid gift card waits for float", "paid gift cards wait for float"];
      if (first === null) return [one, others];
      const [issuer = "", orders = ""] = first.split(" ");
      const pay = `pay into ${issuer}, where ${orders} ${orders === "1" ? "order waits" : "orders wait"}`;
      const refunded = `is refunded after ${hoursInWords(FLOAT_MS / 3_600_000)}`;
      return [`${one}: ${pay}. It ${refunded}`, `${others}: ${pay}. Each ${refunded}`];
    },
    path: "/admin/gift-cards/floats",
    see: "gift-cards.change",
    sql: `select coalesce(sum(lines), 0)::int as count, min(since) as oldest,
        (array_agg(issuer || ' ' || orders order by orders desc, issuer))[1] as first
      from (select product.issuer, count(*) as lines, count(distinct line.order_id) as orders,
          min(coalesce(line.issuing_since, line.paid_at)) as since
        from gift_card_lines line left join gift_card_products product on product.id = line.product_id
        where line.state = 'issuing' and line.next_step_at is not null and line.last_error is not null
          and line.last_error = '${WAITS_FOR_FLOAT.replaceAll("'", "''")}' group by product.issuer) refused`,
  },
  "float-low": {
    label: (values, first) => {
      const below = ` with a gift-card float below £${values["float-pounds"].toLocaleString("en-GB")}`;
      const words = withDetail(["issuer", "issuers"], below);
      if (first === null) return words;
      const [issuer = "", pence = ""] = first.split(" ");
      return withDetail(words, `: ${issuer} has ${formatPence(Number(pence))}`);
    },
    path: "/admin/gift-cards/floats",
    see: "gift-cards.change",
    sql: `select count(*), min(coalesce(low_since, read_at)) as oldest,
        (array_agg(issuer || ' ' || float_pence order by float_pence, issuer))[1] as first
      from issuer_floats where float_pence < $float-pounds::bigint * 100`,
  },
  "payout-holds": {
    label: ["member whose payouts are held", "members whose payouts are held"],
    path: "/admin/payouts/holds",
    see: "money.see",
    sql: `select count(*), min(placed_at) as oldest from payout_holds where lifted_at is null`,
  },
  "referral-holds": {
    label: ["bonus for a friend held", "bonuses for friends held"],
    path: "/admin/referrals",
    see: "money.see",
    sql: `select count(*), min(placed_at) as oldest from referral_holds where decision is null`,
  },
  disputes: {
    label: ["dispute that wants evidence", "disputes that want evidence"],
    path: "/admin/disputes",
    see: "money.see",
    sql: `select count(*), min(opened_at) as oldest from payment_disputes where state = 'needs_response' and not has_evidence`,
  },
  // What the worker has given up (npm run due-work), queue by queue.
  "dead-letters": {
    label: ["piece of work given up", "pieces of work given up"],
    path: "/admin/background-work",
    see: "work.see",
    sql: `select sum(count)::int as count, min(oldest) as oldest from (
      select count(*), min(created_at) as oldest from mails work where state = 'given-up' and ${notDropped("mails")}
      union all select count(*), min(given_up_at) as oldest from password_reset_requests work where given_up_at is not null and ${notDropped("password_reset_requests")}
      union all select count(*), min(created_at) as oldest from partner_webhook_deliveries work where next_try_at is null and delivered_at is null and ${notDropped("partner_webhook_deliveries")}
      union all select count(*), min(received_at) as oldest from network_events work where status = 'unconfirmed' and ${notDropped("network_events")}
      union all select count(*), min(asked_at) from payment_refunds where next_try_at is null and state = 'asked') queue`,
  },
  "code-pools": {
    label: ["pool of codes running out", "pools of codes running out"],
    path: "/admin/codes?level=out&sort=raised",
    see: "catalogue.see",
    sql: `select count(*), min(raised_at) as oldest from code_pool_alarms where ended_at is null`,
  },
  // Of enough purchases of a year, too few were tracked in time.
  tracking: {
    label: ["retailer whose tracking is falling", "retailers whose tracking is falling"],
    path: "/admin/retailers?sort=tracking",
    see: "catalogue.see",
    sql: `select count(*), null::timestamptz as oldest from retailer_scorecards
      where purchases >= $tracking-sample and tracked_in_time::bigint * 100 < purchases::bigint * $tracking-percent`,
  },
  // Counts by each network's oldest unread report, so that a report that is up to date can't hide one that is behind.
  networks: {
    label: (values) =>
      withDetail(
        ["network", "networks"],
        ` with a report not read for ${hoursInWords(values["network-silent-hours"])}`,
      ),
    path: "/admin/networks",
    see: "money.see",
    sql: `select count(*), min(until) as oldest from (${NETWORKS_READ_UNTIL}) read
      where until < $now - make_interval(hours => $network-silent-hours)`,
  },
  "work-late": {
    label: ({ "work-late-minutes": minutes }) =>
      withDetail(
        ["queue of background work", "queues of background work"],
        ` behind by ${minutes} ${minutes === 1 ? "minute" : "minutes"} or more`,
      ),
    path: "/admin/background-work",
    see: "work.see",
    sql: null,
  },
  "payouts-waiting": {
    label: ["withdrawal to pay", "withdrawals to pay"],
    path: "/admin/payouts?state=requested&sort=asked",
    see: "money.see",
    sql: `select count(*), min(requested_at) as oldest from payouts where state = 'requested'
      and not exists (select from payout_holds hold where hold.member_id = payouts.member_id and hold.lifted_at is null)`,
  },
  "batches-to-approve": {
    label: ["payout batch to approve", "payout batches to approve"],
    path: "/admin/payouts/batches?state=waiting",
    see: "payouts.approve",
    sql: `select count(*), min(made_at) as oldest from payout_batches where approved_at is null and rejected_at is null`,
  },
  // Approved, and nobody has the file yet. The next one's number and day, and whether that has begun: `12 2026-11-24`, `12 2026-11-24 missed`.
  "batches-to-send": {
    label: (_, first) => {
      const [number = "", processingDay = "", missed] = first?.split(" ") ?? [];
      const words = ["payout batch to send to the bank", "payout batches to send to the bank"] as const;
      if (first === null) return words;
      if (missed) return withDetail(words, `: batch ${number} was not sent before its processing day. Cancel it`);
      const day = dayFormat.format(new Date(sendDay(processingDay)));
      return withDetail(words, `: send the file of batch ${number} by ${CUT_OFF} on ${day}`);
    },
    path: "/admin/payouts/batches?state=approved",
    see: "money.change",
    sql: `select count(*), min(approved_at) as oldest,
        (array_agg(batch_number || ' ' || processing_day || case when is_missed then ' missed' else '' end
          order by is_missed, processing_day, batch_number))[1] as first
      from payout_batches batch
        cross join lateral (select processing_day <= ($now at time zone 'Europe/London')::date as is_missed) day
      where approved_at is not null and confirmed_at is null and cancelled_at is null
        and not exists (select from audit_entries entry where entry.subject_type = 'payout-batch'
          and entry.subject_id = batch.batch_number::text and entry.action = 'payout-batch.download')`,
  },
  "batches-to-confirm": {
    label: ["payout batch to confirm", "payout batches to confirm"],
    path: "/admin/payouts/batches?state=approved",
    see: "money.change",
    sql: `select count(*), min(processing_day + 1)::timestamp at time zone 'Europe/London' as oldest from payout_batches batch
      where approved_at is not null and confirmed_at is null and cancelled_at is null
        and processing_day < ($now at time zone 'Europe/London')::date
        and exists (select from audit_entries entry where entry.subject_type = 'payout-batch'
          and entry.subject_id = batch.batch_number::text and entry.action = 'payout-batch.download')`,
  },
  // Those that would end a payment. One that changes nothing, and has nothing to look at, waits for nobody.
  "reports-to-apply": {
    label: ["bank report to apply", "bank reports to apply"],
    path: "/admin/payouts/reports?state=waiting",
    see: "money.change",
    sql: `select count(*), min(read_at) as oldest from payout_reports
      where applied_at is null and report_state(failures, applied_at, discarded_at, $now) = 'waiting'`,
  },
  // They end none, and the bank says of a payment of ours what we can't act on. Until somebody applies or discards them.
  "reports-to-look-at": {
    label: withDetail(
      ["bank report to look at", "bank reports to look at"],
      ": another amount than we paid, or a code that is not known",
    ),
    path: "/admin/payouts/reports?state=look",
    see: "money.change",
    sql: `select count(*), min(read_at) as oldest from payout_reports
      where applied_at is null and report_state(failures, applied_at, discarded_at, $now) = 'look'`,
  },
  "book-faults": {
    label: ["fault in the last check of the books", "faults in the last check of the books"],
    path: "/admin/ledger/checks",
    see: "money.see",
    sql: `select coalesce(max(jsonb_array_length(faults)), 0) as count, max(checked_at) as oldest
      from (select faults, checked_at from book_checks order by checked_at desc, id desc limit 1) newest
      where jsonb_array_length(faults) > 0`,
  },
} as const satisfies Record<string, Need>;

export type NeedKey = keyof typeof needs;
