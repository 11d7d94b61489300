import { existsSync } from "node:fs";
import { plantingIn, type PlantedRow as Row } from "@farthing/db/testing/planted-rows.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { advanceAllClosures } from "../closures/closure-jobs.ts";
import { advanceMemberships } from "../verification-requests/membership-jobs.ts";

import { RETENTION, TERMS, type End } from "@farthing/core/retention/rules.ts";
import { describe, expect, test, vi } from "vitest";
import { forgetAllOld, startRetention } from "./retention.ts";
import { sweepExpired } from "./sweeping.ts";

const DAY_MS = 86_400_000;
const now = new Date();
const { db } = await testDatabase();
// Rows of this test belong to nothing.
const { plant, find } = await plantingIn(db, { withoutForeignKeys: true });
const logged: object[] = [];
const logger = { info: (line: object) => void logged.push(line), warn: () => {}, error: () => {} };

type TimedEnd = Extract<End, { when: "after" | "term" }>;

interface Sample {
  /** The column of the time that the days count from; by default what the term says. */
  at?: string;
  /** When the term is over, where another column says it. */
  days?: number;
  row?: Row;
  /** The columns that are emptied, where the row stays. */
  emptied?: readonly string[];
  /** Rows of other tables that it needs. */
  with?: (row: Row) => [table: string, row: Row][];
}

/** The test that looks at what one row can't show. */
type Sampled = Sample | { test: string };

const member = ({ member_id }: Row): [string, Row] => ["members", { id: member_id, closed_at: now }];

/** One for each end with a number of days, in the order of the list. */
const SAMPLES: Record<string, readonly Sampled[]> = {
  attachment_deletions: [{}],
  attachments: [{ at: "delete_after", days: 0 }],
  audit_entries: [{ test: "packages/core/retention/accounts.test.ts" }],
  book_checks: [{}],
  card_events: [{ at: "received_at" }],
  catalogue_imports: [{}],
  clicks: [{}, { with: ({ id }) => [["cashback_entries", { click_id: id }]] }],
  closures: [
    { at: "paid_at", row: { state: "closed", erased_at: now }, emptied: ["payee"], with: (row) => [member(row)] },
  ],
  code_pool_alarms: [{}],
  gift_card_lines: [{ test: "packages/core/gift-cards/presents.test.ts" }],
  gift_card_orders: [{ at: "placed_at", emptied: ["buyer_email"] }, {}],
  gift_card_presents: [
    { at: "opened_at", row: { state: "opened" }, emptied: ["recipient_email"] },
    { at: "opened_at", row: { state: "opened" }, emptied: ["recipient_name", "message", "giver_name"] },
    { row: { state: "sent", opened_at: null, taken_back_at: null } },
  ],
  goodwill_credits: [{}],
  login_steps: [{ at: "expires_at" }],
  login_tries: [{ at: "resets_at" }],
  mails: [
    { test: "apps/server/mails/mail-jobs.test.ts" },
    { test: "packages/core/mails/outbox.test.ts" },
    { at: "settled_at", row: { kind: "present", state: "given-up", member_id: null } },
    { at: "settled_at", row: { state: "sent", member_id: newId() } },
  ],
  member_sessions: [{ at: "expires_at" }],
  member_tokens: [{ at: "expires_at" }],
  members: [{}],
  network_events: [{ row: { status: "confirmed" } }],
  network_report_files: [{}],
  network_transaction_revisions: [{ row: { raw: { orderRef: "1" } } }],
  network_transaction_rows: [{ row: { raw: { orderRef: "1" }, content: { orderReference: "1" } } }],
  network_transactions: [{ row: { order_reference: "1", click_reference: "1" } }],
  offer_codes: [
    {
      at: "assigned_at",
      row: { member_id: newId() },
      with: ({ offer_id, assigned_at }) => [["offers", { id: offer_id, ends_at: assigned_at }]],
    },
  ],
  operator_links: [{ at: "expires_at" }],
  operator_sessions: [{ at: "expires_at", row: { used_at: now } }],
  operators: [{}],
  partner_requests: [{ at: "started_at" }],
  partner_tokens: [{ at: "expires_at" }],
  partner_webhook_deliveries: [{ row: { next_try_at: null } }],
  password_reset_requests: [{ at: "given_up_at" }],
  payment_lookups: [{ test: "apps/server/payments/payment-jobs.test.ts" }],
  payments: [
    {
      row: { description: "a", session_reference: "b", provider_customer_id: "c" },
    },
  ],
  payout_holds: [{}],
  payout_reports: [{}],
  payouts: [
    { at: "paid_at", row: { state: "paid" }, emptied: ["payee"] },
    { row: { state: "paid", payee: null }, emptied: ["bank_said", "last_error"] },
  ],
  referral_holds: [{}],
  registration_drafts: [{ at: "expires_at" }],
  registration_tries: [{ at: "resets_at" }],
  report_hours: [{ test: "packages/core/reports/report-hours.test.ts" }],
  spent_challenges: [{ at: "expires_at" }],
  telemetry_erasures: [{ test: "packages/core/telemetry/erasures.test.ts" }],
  telemetry_events: [{ test: "packages/core/telemetry/days.test.ts" }],
  telemetry_search_days: [{ test: "packages/core/telemetry/days.test.ts" }, { row: { searches: 9 } }],
  upload_tries: [{}],
  widget_sessions: [{ at: "expires_at" }],
  work_email_checks: [{ at: "expires_at", row: { used_at: null } }],
};

const timedEnds = Object.entries(RETENTION).flatMap(([table, { ends }]) => {
  const timed = ends.filter((end): end is TimedEnd => end.when === "after" || end.when === "term");
  return timed.map((end, index) => ({ table, end, index }));
});

async function runAllJobs(): Promise<void> {
  await sweepExpired(db, { now });
  await forgetAllOld({ db, logger, now: () => now });
  await advanceMemberships({ db, logger, now: () => now });
  await advanceAllClosures({ db, logger, now: () => now });
}

describe("S1 M5 retention", () => {
  test("S1 M5 every end with a number of days has a sample", () => {
    const counts: Record<string, number> = {};
    for (const { table } of timedEnds) counts[table] = (counts[table] ?? 0) + 1;
    expect(Object.fromEntries(Object.entries(SAMPLES).map(([table, samples]) => [table, samples.length]))).toEqual(
      counts,
    );
  });

  test("S1 M5 every test that is named instead of a sample exists", () => {
    for (const sample of Object.values(SAMPLES).flat())
      if ("test" in sample)
        expect(existsSync(new URL(`../../../${sample.test}`, import.meta.url)), sample.test).toBe(true);
  });

  test("S1 M5 after a long pause a large table is looked at as a whole, once after the start of a process", async () => {
    const table = "partner_webhook_deliveries";
    const { term } = TERMS.find((one) => one.table === table)!;
    const time = new Date(now.getTime() - (term.days + 500) * DAY_MS);
    const old = await plant(table, { next_try_at: null, created_at: time }, time);
    await runAllJobs();
    expect(await find(table, old)).toBeDefined();
    const job = startRetention({ db, logger, now: () => now });
    await vi.waitFor(async () => expect(await find(table, old)).toBeUndefined(), 10_000);
    await job.close();
  });

  const sampled = timedEnds.flatMap(({ table, end, index }) => {
    const sample = SAMPLES[table]?.[index];
    return sample === undefined || "test" in sample ? [] : [{ table, end, sample, of: end.of }];
  });

  test.each(sampled)(
    "S1 M5 $table: what is older than its term ($of) goes, and what is younger stays",
    async ({ table, end, sample }) => {
      const column = sample.at ?? (end.when === "term" ? end.since : "");
      const days = sample.days ?? end.days;
      const at = (age: number) => new Date(now.getTime() - age * DAY_MS);
      const plantAt = async (time: Date) => {
        const planted = await plant(table, { ...sample.row, [column]: time }, time);
        for (const [other, row] of sample.with?.(planted) ?? []) await plant(other, row, time);
        return planted;
      };
      const old = await plantAt(at(days + 2));
      const young = await plantAt(at(days - 2));
      const emptied = sample.emptied ?? (end.when === "term" && end.empties ? Object.keys(end.empties.set) : null);
      await runAllJobs();
      const left = await find(table, old);
      const changed = (before: Row, after: Row | undefined) =>
        (emptied ?? []).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after?.[name]));
      if (emptied) expect(changed(old, left).toSorted()).toEqual(emptied.toSorted());
      else expect(left).toBeUndefined();
      const kept = await find(table, young);
      expect(kept, "the young one").toBeDefined();
      expect(changed(young, kept), "the young one").toEqual([]);
      await runAllJobs();
      expect(await find(table, old), "another round changes nothing").toEqual(left);
    },
  );
});
