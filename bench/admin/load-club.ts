import { seedBrands } from "@farthing/core/brands/seed-brands.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { keepHours } from "@farthing/core/reports/report-hours.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import pg from "pg";
import { catalogueStatements } from "./catalogue-rows.ts";
import { moneyStatements } from "./money-rows.ts";
import { peopleStatements } from "./people-rows.ts";
import type { ClubSize, LoadStep, RowCounts } from "./row-counts.ts";
import { shoppingStatements } from "./shopping-rows.ts";

/** Legs that a purchase leaves in the ledger, payouts included, as money-rows.ts makes them. */
const ENTRIES_OF_PURCHASE = 14.1;

function countRows(size: ClubSize): RowCounts {
  const purchases = Math.max(40, Math.round(size.entries / ENTRIES_OF_PURCHASE));
  const clicksPerPurchase = size.clicks === undefined ? 3 : Math.max(3, Math.round(size.clicks / purchases));
  return {
    ...size,
    shoppers: Math.max(10, Math.round(size.members * 0.3)),
    purchases,
    clicks: purchases * clicksPerPurchase,
    clicksPerPurchase,
    retailers: Math.max(20, Math.round(size.offers / 20)),
    part: (count, min = 3) => Math.max(min, Math.round((count * size.members) / 1_000_000)),
  };
}

/**
 * Fills a migrated database with a club of three years, until `now`, by statements over whole sets. The guards of the schema
 * (triggers, foreign keys) rest meanwhile and check constraints stay; whoever loads checks the books afterwards. Ids grow with
 * time, as ours do; the same size gives the same rows.
 */
export async function loadClub(
  url: string,
  { size, now, onStep = () => {} }: { size: ClubSize; now: Date; onStep?: (makes: string, ms: number) => void },
): Promise<void> {
  const opened = openDatabase({ url, max: 1 });
  try {
    await seedMemberTypes(opened.db);
    await seedBrands(opened.db);
    await seedNetworks(opened.db);
    await seedFaqs(opened.db);
  } finally {
    await opened.close();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const counts = countRows(size);
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
      set maintenance_work_mem = '512MB'; set timezone = 'UTC'; set farthing.now = '${now.toISOString()}'`);
    const indexes = size.members >= 20_000 ? await dropIndexes(client) : [];
    const steps: LoadStep[] = [
      { makes: "functions of the load", statements: [loadFunctions] },
      ...catalogueStatements(counts),
      ...peopleStatements(counts),
      ...shoppingStatements(counts),
      ...moneyStatements(counts),
      { makes: "indexes", statements: indexes },
      { makes: "statistics", statements: ["vacuum analyze"] },
    ];
    for (const { makes, statements } of steps) {
      const from = performance.now();
      for (const statement of statements) {
        await client.query(statement).catch((error: unknown) => {
          throw new Error(`${makes}: ${String(error)}\n${statement}`, { cause: error });
        });
      }
      onStep(makes, performance.now() - from);
    }
  } finally {
    await client.end();
  }
  await keepReportHours(url, now);
}

/** As the worker does. */
async function keepReportHours(url: string, now: Date): Promise<void> {
  const { db, pool, close } = openDatabase({ url, max: 1 });
  try {
    await keepHours(db, { now });
    await pool.query("vacuum analyze report_hours, report_click_hours");
  } finally {
    await close();
  }
}

/** Drops the indexes that only serve reads, and returns how to make them again: at once is several times faster than row by row. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     join pg_class on pg_class.oid = indexrelid where not indisunique and not exists (select from pg_constraint where conindid = indexrelid) and relkind = 'i' and relnamespace = 'public'::regnamespace
     and not relispartition order by 1`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}

/**
 * Makes the load's own functions, which end with its connection. They return a UUIDv7 for the n-th row of a kind, in the order of n; a number
 * that looks drawn and occurs once; the moment at a part of the three years; words; and the id of an account
 * (core/ledger/operations.server.ts).
 */
const loadFunctions = `
create function pg_temp.id(kind int, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex(1600000000000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
create function pg_temp.drawn(n bigint) returns bigint language sql immutable as $$ select (n * 2654435761) % 4294967296 $$;
create function pg_temp.code(kind text, n bigint) returns text language sql immutable as $$
  select kind || lpad(to_hex(pg_temp.drawn(n)), 8, '0') $$;
create function pg_temp.moment(part double precision) returns timestamptz language sql stable as $$
  select current_setting('farthing.now')::timestamptz - interval '1095 days' * (1 - part) $$;
create function pg_temp.one_of(words text[], n bigint) returns text language sql immutable as $$
  select words[1 + (n % cardinality(words))::int] $$;
create function pg_temp.last_name(n bigint) returns text language sql immutable as $$
  select pg_temp.one_of(array['Ash','Bram','Carl','Dun','El','Farn','Gil','Hart','Ing','Kes','Lang','Mar','Nor','Old','Pem','Rad','Stan','Thorn','Wal','York'], n)
    || pg_temp.one_of(array['ley','ton','by','ford','wood','worth','field','ham','wick','dale','shaw','combe','gate','man','son','well','croft','stead','brook','den'], n / 20) $$;
create function pg_temp.first_name(n bigint) returns text language sql immutable as $$
  select pg_temp.one_of(array['Ada','Bella','Carys','Dev','Esther','Femi','Grace','Hugo','Imran','Joan','Kofi','Leila','Morag','Nia','Oscar','Priya','Quentin','Rhys',
    'Sana','Tom','Una','Victor','Wanda','Xenia','Yusuf','Zoe','Alan','Bridget','Colin','Daphne','Ewan'], n) $$;
create function pg_temp.account(name text) returns uuid language sql immutable as $$
  select overlay(overlay(left(h, 32) placing '8' from 13) placing to_hex((('x' || substr(h, 17, 1))::bit(4)::int & 3) | 8) from 17)::uuid
  from (select encode(sha256(convert_to(name, 'UTF8')), 'hex') as h) hashed $$;
`;
