import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { WAITS_FOR_FLOAT } from "../gift-cards/rules.ts";
import { defaultThresholds } from "../thresholds/rules.ts";
import { findNeeds, needSql } from "./find-needs.server.ts";
import { needs, type NeedKey } from "./needs.ts";

const { db } = await testDatabase();
const now = new Date("2026-07-20T10:00:00Z");
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const old = ago(50);
const older = ago(90);

type Row = Record<string, unknown>;
interface Case {
  table: string;
  /** Rows that count, whose wait began at this moment. */
  due(at: Date): Row[];
  /** Rows that look like them and don't count. Their moments are earlier than any of `due`. */
  not: Row[];
  /** What a big table is read by. Null: a table of retailers, networks or issuers, which stays small. */
  index: string | null;
}
const past = ago(500);
const decided = { decided_at: past, decided_by: "ada" };

/** Every need that one statement asks for. `dead-letters` and those about the newest row have tests of their own; that of
 * `unmatched-sales` is with its list (apps/server/admin/networks.test.ts). */
const cases = {
  verifications: {
    table: "verification_requests",
    due: (at) => [{ state: "submitted", submitted_at: at }],
    not: [
      { state: "accepted", submitted_at: past, valid_until: now, ...decided },
      { state: "rejected", submitted_at: past, reason: "out_of_date", ...decided },
      { state: "replaced", submitted_at: past, ...decided },
    ],
    index: "verification_requests_(waiting|by_state)",
  },
  claims: {
    table: "claims",
    due: (at) => [
      { state: "open", awaits_pack: true, made_at: at },
      { state: "filed", filings: 1, given_up_at: now, made_at: at },
      { state: "accepted", filings: 1, given_up_at: now, made_at: at },
      { state: "incomplete", given_up_at: now, made_at: at },
      { state: "waiting", given_up_at: now, made_at: at },
    ],
    not: [
      { state: "open", made_at: past },
      { state: "declined", awaits_pack: true, decided_at: past, reason_code: "other", made_at: past },
      { state: "credited", given_up_at: past, made_at: past },
      { state: "withdrawn", awaits_pack: true, made_at: past },
    ],
    index: "claims_for_person",
  },
  "claim-conflicts": {
    table: "network_transactions",
    due: (at) => [{ held_because: "claims_conflict", created_at: at }],
    not: [
      { held_because: "no_reference", created_at: past },
      { held_because: null, click_id: newId(), programme_id: newId(), exchange_rate_micros: 1, created_at: past },
    ],
    index: "network_transactions_held",
  },
  "exchange-rates": {
    table: "network_transactions",
    due: (at) => [{ held_because: "no_exchange_rate", created_at: at }],
    not: [
      { held_because: "unknown_programme", created_at: past },
      { held_because: null, click_id: newId(), programme_id: newId(), exchange_rate_micros: 1, created_at: past },
    ],
    index: "network_transactions_held",
  },
  "unknown-programmes": {
    table: "network_transactions",
    due: (at) => [
      { held_because: "unknown_programme", status: "pending", created_at: at },
      { held_because: "unknown_programme", status: "approved", created_at: at },
    ],
    not: [
      { held_because: "unknown_programme", status: "declined", created_at: past },
      { held_because: "no_exchange_rate", status: "pending", created_at: now },
    ],
    index: "network_transactions_held(_created)?",
  },
  "gift-card-lines": {
    table: "gift_card_lines",
    due: (at) => [
      { state: "held", paid_at: at },
      { state: "issuing", attempts: 6, paid_at: at },
      { state: "reversing", attempts: 6, paid_at: past, reversing_since: at },
      { state: "refunding", attempts: 6, reason: "not-issued", paid_at: at },
      { state: "refunded", card_state: "possible", reason: "not-issued", refunded_at: now, paid_at: at },
    ],
    not: [
      { state: "issuing", attempts: 5, paid_at: past },
      { state: "awaiting_payment", attempts: 9 },
      { state: "refunded", card_state: "reversed", reason: "not-issued", refunded_at: past, paid_at: past },
      {
        state: "issued",
        card_state: "issued",
        sealed_card: "x".repeat(40),
        issued_at: past,
        paid_at: past,
        attempts: 9,
      },
    ],
    index: "gift_card_lines_for_person",
  },
  "float-refused": {
    table: "gift_card_lines",
    // The first refusal counts: `attempts` is 1.
    due: (at) => [
      {
        state: "issuing",
        attempts: 1,
        last_error: WAITS_FOR_FLOAT,
        next_step_at: now,
        issuing_since: at,
        paid_at: past,
      },
      { state: "issuing", attempts: 1, last_error: WAITS_FOR_FLOAT, next_step_at: now, paid_at: at },
    ],
    not: [
      { state: "issuing", attempts: 1, last_error: "The issuer works on the order.", next_step_at: now, paid_at: past },
      { state: "issuing", attempts: 0, next_step_at: now, paid_at: past },
      {
        state: "refunding",
        attempts: 1,
        reason: "insufficient-float",
        last_error: WAITS_FOR_FLOAT,
        next_step_at: now,
        paid_at: past,
      },
    ],
    index: "gift_card_lines_(failing|due|state)",
  },
  "float-low": {
    table: "issuer_floats",
    due: (at) => [
      { issuer: newId(), float_pence: 49_999, read_at: now, low_since: at },
      // Read before the threshold was raised.
      { issuer: newId(), float_pence: 0, read_at: at },
    ],
    not: [{ issuer: newId(), float_pence: 50_000, read_at: past, low_since: past }],
    index: null,
  },
  "payout-holds": {
    table: "payout_holds",
    due: (at) => [{ placed_at: at }],
    not: [{ placed_at: past, lifted_at: past, lifted_by: "ada" }],
    index: "payout_holds_open",
  },
  "referral-holds": {
    table: "referral_holds",
    due: (at) => [{ placed_at: at }],
    not: [{ placed_at: past, decision: "lifted", note: "why", ...decided }],
    index: "referral_holds_open(_placed)?",
  },
  disputes: {
    table: "payment_disputes",
    due: (at) => [{ state: "needs_response", has_evidence: false, opened_at: at }],
    not: [
      { state: "needs_response", has_evidence: true, opened_at: past },
      { state: "inquiry", has_evidence: false, opened_at: past },
      { state: "lost", has_evidence: false, opened_at: past },
    ],
    index: "payment_disputes_evidence",
  },
  "code-pools": {
    table: "code_pool_alarms",
    due: (at) => [{ level: "low", raised_at: at }],
    not: [{ level: "low", raised_at: past, ended_at: past }],
    index: "code_pool_alarms_open",
  },
  "batches-to-approve": {
    table: "payout_batches",
    due: (at) => [{ made_by: "ada", made_at: at }],
    not: [
      { made_by: "ada", made_at: past, approved_at: past, approved_by: "bob", confirmed_at: past, confirmed_by: "bob" },
      { made_by: "ada", made_at: past, rejected_at: past, rejected_by: "bob", rejected_because: "wrong" },
    ],
    index: "payout_batches_to_approve",
  },
} as const satisfies Partial<Record<NeedKey, Case>>;
const other = [
  ...(["dead-letters", "tracking", "networks", "payouts-waiting", "unmatched-sales", "reports-to-apply"] as const),
  ...(["reports-to-look-at", "batches-to-send", "batches-to-confirm", "book-faults", "work-late"] as const),
];

beforeAll(async () => {
  // Rows are planted without what the statements don't read; what a column may hold is still checked.
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull and not a.attisdropped
      and a.attidentity = '' and c.relname not in ('schema_migrations', 'schema_functions') and not exists (select from pg_index i
        where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey))`.execute(db);
  for (const { table, column } of rows)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} drop not null`.execute(db);
});

/** Adds rows past foreign keys and triggers. Returns their ids. */
async function plant(table: string, rows: readonly Row[]): Promise<string[]> {
  const ids = rows.map(() => newId());
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const [at, row] of rows.entries()) {
      const hasId = !["retailer_scorecards", "network_passes", "dropped_work", "issuer_floats"].includes(table);
      const values = Object.entries(hasId ? { id: ids[at], ...row } : row);
      await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
        values (${sql.join(values.map(([, value]) => sql`${value}`))})`.execute(trx);
    }
  });
  return ids;
}

const need = async (key: NeedKey) => {
  const found = (await findNeeds(db, { role: "owner", now })).find((each) => each.key === key)!;
  return [found.count, found.oldestAt];
};

test("A3 every need is tested here", () => {
  expect([...Object.keys(cases), ...other].toSorted()).toEqual(Object.keys(needs).toSorted());
});

test.each(Object.entries(needs))("A3 %s: one has words of its own, which are not those of several", (_, { label }) => {
  const [one, others] = typeof label === "function" ? label(defaultThresholds(), null) : label;
  expect(one).not.toBe(others);
});

describe("A3 what needs a person", () => {
  test.each(Object.entries<Case>(cases))(
    "A3 %s: those that are due, since the oldest",
    async (key, { table, due, not }) => {
      const name = key as NeedKey;
      await plant(table, not);
      expect(await need(name)).toEqual([0, null]);
      await plant(table, due(old));
      expect(await need(name)).toEqual([due(old).length, old]);
      await plant(table, due(older));
      expect(await need(name)).toEqual([2 * due(old).length, older]);
    },
  );

  test("A3 dead-letters: what was given up in every queue and not dropped", async () => {
    const queues: Record<string, { due: (at: Date) => Row; not: Row[] }> = {
      mails: {
        due: (at) => ({ state: "given-up", created_at: at, settled_at: now }),
        not: [
          { state: "waiting", created_at: past, next_try_at: now },
          { state: "sent", created_at: past, settled_at: past },
        ],
      },
      password_reset_requests: {
        due: (at) => ({ given_up_at: at, created_at: past }),
        not: [{ given_up_at: null, created_at: past }],
      },
      partner_webhook_deliveries: {
        due: (at) => ({ created_at: at }),
        not: [
          { created_at: past, next_try_at: now },
          { created_at: past, delivered_at: past },
        ],
      },
      network_events: {
        due: (at) => ({ status: "unconfirmed", received_at: at, handled_at: now, network_transaction_id: "1" }),
        not: [
          { status: "received", received_at: past, network_transaction_id: "1" },
          { status: "confirmed", received_at: past, handled_at: past, network_transaction_id: "1" },
          { status: "unreadable", received_at: past, handled_at: past },
        ],
      },
      payment_refunds: {
        due: (at) => ({ state: "asked", asked_at: at }),
        not: [
          { state: "asked", asked_at: past, next_try_at: now },
          { state: "done", asked_at: past },
          { state: "refused", asked_at: past },
        ],
      },
    };
    let count = 0;
    for (const [table, { due, not }] of Object.entries(queues)) {
      await plant(table, not);
      // A refund can't be dropped.
      const dropped = table === "payment_refunds" ? [] : await plant(table, [due(past)]);
      for (const id of dropped)
        await plant("dropped_work", [{ queue: table, work_id: id, dropped_by: "ada", dropped_at: now }]);
      expect((await need("dead-letters"))[0], table).toBe(count);
      await plant(table, [due(ago(100 + count)), due(old)]);
      expect(await need("dead-letters"), table).toEqual([(count += 2), ago(100 + count - 2)]);
    }
  });

  test("A3 tracking: nine in ten of enough purchases are enough", async () => {
    const of = (purchases: number, tracked: number) => ({ retailer_id: newId(), purchases, tracked_in_time: tracked });
    await plant("retailer_scorecards", [of(20, 18), of(19, 0), of(1000, 900)]);
    expect(await need("tracking")).toEqual([0, null]);
    await plant("retailer_scorecards", [of(20, 17), of(1000, 899)]);
    expect(await need("tracking")).toEqual([2, null]);
  });

  test("A3 networks: by the report that is furthest behind, after a day, however often it is tried", async () => {
    const passes = (network: string, ...hours: number[]) =>
      hours.map((each, at) => ({
        ...{ network_id: network, pass: ["payment", "transaction"][at], covered_until: ago(each), ran_at: now },
        last_error: each > 1 ? "The key was refused." : null,
      }));
    await plant("network_passes", [...passes(newId(), 0, 24), ...passes(newId(), 1)]);
    expect(await need("networks")).toEqual([0, null]);
    await plant("network_passes", [...passes(newId(), 0, 70), ...passes(newId(), 90)]);
    expect(await need("networks")).toEqual([2, ago(90)]);
  });

  test("A3 payouts-waiting: those of members whose payouts are held wait under their holds", async () => {
    const [held, free] = [newId(), newId()];
    const lifted = { lifted_at: past, lifted_by: "ada" };
    await plant("payout_holds", [
      { member_id: held, placed_at: past },
      { member_id: free, placed_at: past, ...lifted },
    ]);
    const asked = (at: Date, member: string) => ({ state: "requested", member_id: member, requested_at: at });
    await plant("payouts", [
      asked(past, held),
      { state: "failed", requested_at: past, failed_at: past, reason: "no_account" },
    ]);
    expect(await need("payouts-waiting")).toEqual([0, null]);
    await plant("payouts", [asked(old, free), asked(older, newId())]);
    expect(await need("payouts-waiting")).toEqual([2, older]);
  });

  test("A3 batches-to-send: those whose file nobody has downloaded, one in the singular, with the first one's deadline, and to cancel once that is over", async () => {
    const batch = (number: number, day: string, at: Date, more: Row = {}) => ({
      ...{ batch_number: sql`${number}`, made_by: "ada", made_at: past, processing_day: day },
      ...{ approved_at: at, approved_by: "bob" },
      ...more,
    });
    const insert = async (rows: Row[]) => {
      await sql`alter table payout_batches alter column batch_number set generated by default`.execute(db);
      await plant("payout_batches", rows);
    };
    const label = async () =>
      (await findNeeds(db, { role: "finance", now })).find(({ key }) => key === "batches-to-send")!.label;
    await insert([
      batch(902, "2026-07-22", past, { cancelled_at: past, cancelled_by: "ada", cancelled_because: "the wrong day" }),
      batch(903, "2026-07-22", past),
    ]);
    await plant("audit_entries", [
      {
        action: "payout-batch.download",
        subject_type: "payout-batch",
        subject_id: "903",
        at: past,
        actor: "bob",
        seq: 1,
      },
    ]);
    expect(await need("batches-to-send")).toEqual([0, null]);
    expect(await label()).toBe("payout batches to send to the bank");
    await insert([batch(901, "2026-07-20", old)]);
    expect(await need("batches-to-send")).toEqual([1, old]);
    expect(await label()).toBe(
      "payout batch to send to the bank: batch 901 was not sent before its processing day. Cancel it",
    );
    await insert([batch(904, "2026-07-27", old), batch(905, "2026-07-28", older)]);
    expect(await need("batches-to-send")).toEqual([3, older]);
    expect(await label(), "Friday before a Monday").toBe(
      "payout batches to send to the bank: send the file of batch 904 by 22:30 on 24 Jul 2026",
    );
  });

  test("A3 batches-to-confirm: once their processing day is over in London, and somebody has had their file", async () => {
    const batch = (day: string, more: Row = {}) => ({
      ...{ made_by: "ada", made_at: past, processing_day: day, approved_at: past, approved_by: "bob" },
      ...more,
    });
    await plant("payout_batches", [
      batch("2026-07-20"),
      batch("2026-07-01", { confirmed_at: past, confirmed_by: "ada" }),
      batch("2026-07-01", { cancelled_at: past, cancelled_by: "ada", cancelled_because: "the wrong account" }),
    ]);
    expect(await need("batches-to-confirm")).toEqual([0, null]);
    await sql`alter table payout_batches alter column batch_number set generated by default`.execute(db);
    const numbered = (number: number, day: string) => batch(day, { batch_number: sql`${number}` });
    await plant("payout_batches", [
      numbered(911, "2026-07-19"),
      numbered(912, "2026-07-17"),
      numbered(913, "2026-07-16"),
    ]);
    await plant(
      "audit_entries",
      ["911", "912"].map((subject_id, seq) => ({
        ...{ action: "payout-batch.download", subject_type: "payout-batch", subject_id },
        ...{ at: past, actor: "bob", seq: seq + 11 },
      })),
    );
    expect(await need("batches-to-confirm")).toEqual([2, new Date("2026-07-17T23:00:00Z")]);
  });

  test("A3 C6 reports: those that would end a payment, and those to look at, neither applied nor discarded", async () => {
    const approved = { approved_at: past, approved_by: "bob" };
    const batches = [
      { made_at: past, made_by: "ada", processing_day: "2026-07-20", ...approved },
      { made_at: past, made_by: "ada", processing_day: "2026-07-21", ...approved },
      { made_at: past, made_by: "ada", processing_day: "2026-07-20" },
    ];
    const [sent, later, unapproved] = await plant("payout_batches", batches);
    const payout = (bank_reference: string, state: string, batch_id: string | undefined) => ({
      ...{
        bank_reference,
        state,
        batch_id,
        amount_pence: 600,
        method: "bank",
        requested_at: past,
        processing_at: past,
      },
      ...(state === "failed" && { failed_at: past, reason: "no_account" }),
      ...(state === "paid" && { paid_at: past }),
    });
    await plant("payouts", [
      payout("FPSENTXXXXXX", "processing", sent),
      payout("FPLATERXXXXX", "processing", later),
      payout("FPUNAPPROVED", "processing", unapproved),
      payout("FPFAILEDXXXX", "failed", sent),
      payout("FPPAIDXXXXXX", "paid", sent),
    ]);
    const report = (at: Date, reference: string, more: Row = {}, line: Row = {}) => ({
      read_at: at,
      failures: JSON.stringify([{ reference, amountPence: 600, reason: "no_account", said: "5", ...line }]),
      ...more,
    });
    await plant("payout_reports", [
      ...["FPLATERXXXXX", "FPUNAPPROVED", "FPFAILEDXXXX", "FPOTHERSXXXX"].map((reference) => report(past, reference)),
      report(past, "FPFAILEDXXXX", {}, { amountPence: 599 }),
      report(past, "FPLATERXXXXX", {}, { reason: "refused" }),
      report(past, "FPSENTXXXXXX", { applied_at: past, applied_by: "ada", outcomes: "[]" }),
      report(past, "FPSENTXXXXXX", { discarded_at: past, discarded_by: "ada", discarded_because: "the wrong file" }),
    ]);
    expect(await need("reports-to-apply")).toEqual([0, null]);
    expect(await need("reports-to-look-at")).toEqual([0, null]);
    const odd = [{ amountPence: 599 }, { reason: "refused" }];
    await plant("payout_reports", [
      ...odd.map((line) => report(older, "FPSENTXXXXXX", {}, line)),
      ...odd.map((line) => report(old, "FPPAIDXXXXXX", {}, line)),
      report(past, "FPSENTXXXXXX", { applied_at: past, applied_by: "ada", outcomes: "[]" }, { amountPence: 599 }),
      report(past, "FPSENTXXXXXX", { discarded_at: past, discarded_by: "ada", discarded_because: "why" }, odd[1]),
    ]);
    expect(await need("reports-to-look-at")).toEqual([4, older]);
    expect(await need("reports-to-apply")).toEqual([0, null]);
    await plant("payout_reports", [report(old, "FPSENTXXXXXX"), report(older, "FPSENTXXXXXX")]);
    expect(await need("reports-to-apply")).toEqual([2, older]);
  });

  test("A3 book-faults: those of the last check, whatever earlier ones found", async () => {
    const check = (at: Date, faults: string[]) => ({ checked_at: at, faults: JSON.stringify(faults) });
    expect(await need("book-faults")).toEqual([0, null]);
    await plant("book_checks", [check(older, ["one", "two", "three"])]);
    expect(await need("book-faults")).toEqual([3, older]);
    await plant("book_checks", [check(old, ["one"])]);
    expect(await need("book-faults")).toEqual([1, old]);
    await plant("book_checks", [check(ago(1), [])]);
    expect(await need("book-faults")).toEqual([0, null]);
  });
});

describe("A3 what home asks reads indexes", () => {
  const indexes: Partial<Record<NeedKey, readonly string[]>> = {
    ...Object.fromEntries(Object.entries<Case>(cases).map(([key, { index }]) => [key, index ? [index] : []])),
    "dead-letters": [
      ...["mails_given_up", "password_reset_requests_given_up", "partner_webhook_deliveries_given_up"],
      ...["network_events_given_up", "payment_refunds_given_up"],
    ],
    "unmatched-sales": ["network_transactions_held(_created)?"],
    // payouts_by_state begins with the state too.
    "payouts-waiting": ["payouts_(requested|by_state)", "payout_holds_open"],
    "batches-to-send": ["payout_batches_to_confirm", "audit_entries_(subject|action|type)"],
    "batches-to-confirm": ["payout_batches_to_confirm"],
    "reports-to-apply": ["payout_reports_to_apply"],
    "reports-to-look-at": ["payout_reports_to_apply"],
    "book-faults": ["book_checks_checked"],
  };
  test.each(Object.entries(indexes))("A3 %s", async (key, wanted) => {
    await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const asked = needSql(key as NeedKey, { now, values: defaultThresholds() });
      const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${asked}`.execute(trx);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      for (const index of wanted) expect(plan).toMatch(new RegExp(` on ${index}\\b|using ${index}\\b`));
      expect(plan).not.toContain("Seq Scan on");
    });
  });
});
