import { loadAdmin, builtAdmin, insertOperator } from "@farthing/admin/testing/admin.testing.ts";
import { testServices } from "@farthing/admin/testing/test-services.ts";
import { findState } from "@farthing/core/audit/find-state.server.ts";
import { subjects, type Subject, type SubjectType } from "@farthing/core/audit/subjects.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { noteStatements, type NotedStatement } from "@farthing/db/testing/noted-statements.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { loadClub } from "./load-club.ts";
import { measurePages } from "./measure-pages.ts";

// The plans of every list and record of the admin at a million members: a small club whose statistics say that it is large.

const { pool, url } = await testDatabase();
loadAdmin();

/** Tables that grow with the club. The planner is told that each has this many times its rows. */
const LARGE = [
  ...["members", "member_emails", "verification_requests", "mails", "referrals", "bonuses", "audit_entries"],
  ...["clicks", "cashback_entries", "cashback_changes", "network_transactions", "network_events", "claims"],
  ...["ledger_accounts", "ledger_entries", "ledger_transfers", "ledger_totals", "payouts", "payout_entries"],
  ...["payments", "payment_changes", "gift_card_orders", "gift_card_lines", "partner_webhook_deliveries"],
  ...["offers", "offer_codes", "offer_categories"],
];
const MEMBERS = 400;
const TIMES = 1_000_000 / MEMBERS;
/** A sort of more rows than these reads far more than a page. */
const MAX_SORTED = 20_000;

beforeAll(async () => {
  await loadClub(url, { size: { members: MEMBERS, offers: 200, entries: 4_000 }, now: NOW });
  await pool.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'relpages', greatest(1, pg_relation_size(oid) / 8192)::int, 'reltuples', (greatest(1, reltuples) * $2)::real)
     from pg_class where relname = any($1) or oid in (select indexrelid from pg_index where indrelid::regclass::text = any($1))`,
    [LARGE, TIMES],
  );
});

/** Reports read the days that they are about, and so does the home page: bench/admin measures them. */
function isOfListOrRecord({ text }: NotedStatement, address: string): boolean {
  return (
    text.includes('as "cursorValue"') || (/^\s*(select|with)\b/.test(text) && !/^\/admin($|\?|\/reports)/.test(address))
  );
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Plan Rows": number;
  Plans?: PlanNode[];
}

/** Returns what of a plan reads as many rows as the club has. */
function faultsOf(node: PlanNode): string[] {
  const own = [];
  if (node["Node Type"] === "Seq Scan" && LARGE.includes(node["Relation Name"] ?? ""))
    own.push(`reads all of ${node["Relation Name"]}`);
  if (node["Node Type"] === "Sort" && (node.Plans?.[0]?.["Plan Rows"] ?? 0) > MAX_SORTED)
    own.push(`sorts ${node.Plans?.[0]?.["Plan Rows"]} rows`);
  return [...own, ...(node.Plans ?? []).flatMap(faultsOf)];
}

test("A2 A3 every list and record of the admin goes by an index at a million members: each order, a page deep inside, each filter and search", async () => {
  const noted = noteStatements(pool);
  const operator = await insertOperator(noted.db, { role: "owner" });
  const errors: unknown[] = [];
  const admin = builtAdmin(testServices(noted.db, { now: () => NOW, reportError: (error) => void errors.push(error) }));
  const origin = "http://club.example";
  const visit = { requestId: "test", operator, origin, clientAddress: "192.0.2.1" };
  const statements = new Map<string, NotedStatement & { address: string }>();
  let address = "";
  const probe = {
    ...{ pool, repeats: 0, targetMs: 100, perPattern: 1, maxChoices: 2, also: [], days: ["2026-01-01"] },
    words: ["Ada Ashley", "boots", "AB12CD34EF56"],
    ask: (path: string) => {
      address = path;
      return admin(new Request(origin + path), visit);
    },
    noted: {
      db: noted.db,
      take() {
        const taken = noted.take();
        for (const statement of taken)
          if (isOfListOrRecord(statement, address)) statements.set(statement.text, { ...statement, address });
        return taken;
      },
    },
  };
  const listed = new Set<string>();
  for await (const { pattern, what, problem } of measurePages(probe, () => null)) {
    expect(problem, address).toBeNull();
    if (what === "first page") listed.add(pattern);
  }
  expect(errors).toEqual([]);
  expect([...listed]).toEqual(expect.arrayContaining(["/admin/members", "/admin/ledger/accounts/:id"]));
  expect(listed.size).toBeGreaterThan(20);
  const faults: string[] = [];
  for (const { text, parameters, address: shown } of statements.values()) {
    for (const fault of faultsOf(await planOf(text, parameters))) faults.push(`${shown} ${fault}`);
  }
  expect(faults.toSorted()).toEqual([]);
});

test("A1 A3 a change reads the record that it changes by an index at a million members, before and after", async () => {
  const noted = noteStatements(pool);
  const found: string[] = [];
  for (const [type, { table, keyIs = "text" }] of Object.entries<Subject>(subjects)) {
    const id = keyIs === "uuid" ? newId() : keyIs === "integer" ? "7" : "nobody";
    await findState(noted.db, { type: type as SubjectType, id });
    for (const { text, parameters } of noted.take()) {
      const plan = await planOf(text, parameters);
      if (LARGE.includes(table)) found.push(...faultsOf(plan).map((fault) => `${type} ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

async function planOf(text: string, parameters: readonly unknown[]): Promise<PlanNode> {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, [
    ...parameters,
  ]);
  return rows[0]!["QUERY PLAN"][0].Plan;
}
