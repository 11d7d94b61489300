/**
 * How long requests hold the event loop: meanwhile nobody else is answered. Sends long texts to every form and to search, the largest batch of
 * events, a long history, its export, sitemaps, and (to the admin, in this process) the largest import and the largest exports. Beside each, four visitors read pages.
 * Run alone with: node bin/run.mjs bench/event-loop/run.ts [--offers 100000] [--members 100000] [--history 10000]
 * Starts its own embedded PostgreSQL in a temporary folder. Needs a built site and admin, and Linux.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { offerColumns, type OfferColumn } from "@farthing/core/catalogue/offers/offers-csv.ts";
import { MAX_OFFERS_IN_FILE } from "@farthing/core/catalogue/offers/import-offers.server.ts";
import { csvLine } from "@farthing/core/personal-data/csv.ts";
import { type Db, openDatabase } from "@farthing/db/client.ts";
import type pg from "pg";
import { openAdmin } from "../admin/open-admin.ts";
import { report } from "../figures.ts";
import { logIn, METRICS_TOKEN, startApp } from "../growth/app.ts";
import { makeClub } from "../growth/make-club.ts";
import { startGrowthServer } from "../growth/server.ts";
import { BATCH_KEY } from "../telemetry/batch-key.ts";
import { heldHere, heldIn, type ReadHeld } from "./held.ts";
import { send, startVisitors } from "./requests.ts";
import { hardTexts } from "./texts.ts";

const { values } = parseArgs({
  options: {
    offers: { type: "string", default: "100000" },
    members: { type: "string", default: "100000" },
    history: { type: "string", default: "10000" },
  },
});
const [offers, members, history] = [values.offers, values.members, values.history].map(Number) as [
  number,
  number,
  number,
];
if (![offers, members, history].every((count) => Number.isSafeInteger(count) && count > 0))
  throw new Error("--offers, --members and --history take whole numbers above 0.");

/** The longest time that one request may keep all others waiting. */
const TARGET_MS = 50;
/** Below what the listener takes of an address (http_parser's 16 kB with all headers). */
const MAX_QUERY = 6_000;
const TEXT = 100_000;
const MAX_SHOWN = 20;
/** A form has at most 256 kB (MAX_BODY_BYTES). */
const MAX_BODY = 250_000;

/** What was sent once, with the longest time for which the loop was held meanwhile. */
interface Held {
  what: string;
  ms: number;
}

/** Every form that takes words from people, with the names of its fields. */
const FORMS: { path: string; fields: string[]; isMember?: true }[] = [
  { path: "/login", fields: ["email", "password", "next"] },
  { path: "/register", fields: ["firstName", "lastName", "email", "password", "memberType", "jobRole"] },
  { path: "/register/details", fields: ["firstName", "lastName", "organisation", "postcode", "dateOfBirth"] },
  { path: "/forgotten-password", fields: ["email"] },
  { path: "/reset-password", fields: ["token", "password"] },
  { path: "/profile/details", fields: ["firstName", "lastName", "postcode", "mobile"], isMember: true },
  { path: "/profile/security/emails", fields: ["email", "act"], isMember: true },
  {
    path: "/money/claims/new",
    fields: ["retailer", "orderReference", "amount", "note", "purchasedOn"],
    isMember: true,
  },
  { path: "/money/bank-details", fields: ["name", "sortCode", "accountNumber"], isMember: true },
  { path: "/verification", fields: ["kind", "note", "email"], isMember: true },
];

const now = new Date();
const server = await startGrowthServer();
const scratch = mkdtempSync(join(tmpdir(), "farthing-event-loop-"));
const found: Held[] = [];
try {
  const url = await server.createDatabase("event_loop");
  const size = { times: 1, offers, members, clicks: members, entries: members, events: 0 };
  console.log(
    `${offers} offers, ${members} members, a history of ${history} purchases (load ${loadavg()[0]!.toFixed(1)})`,
  );
  await makeClub(url, { size, purchases: history, now, tell: () => {} });
  const { db, pool, close } = openDatabase({ url, max: 4 });
  try {
    await measureSite(url, pool);
    await measureAdmin(db);
  } finally {
    await close();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
  await server.stop();
}
const slowest = found.toSorted((one, other) => other.ms - one.ms);
console.log(`The ${MAX_SHOWN} of ${found.length} that held it longest:`);
for (const { what, ms } of slowest.slice(0, MAX_SHOWN)) console.log(`  ${what}: ${ms.toFixed(1)} ms`);
report({
  what: "the longest time that one request holds the event loop",
  value: slowest[0]!.ms,
  unit: "ms",
  target: { atMost: TARGET_MS },
});

async function measureSite(databaseUrl: string, pool: pg.Pool): Promise<void> {
  const settings = { ROLES: "web,collector", METRICS_TOKEN, TELEMETRY_BATCH_KEYS: BATCH_KEY };
  const { server: app } = await startApp({ databaseUrl, scratch, settings });
  try {
    const read = heldIn(app, METRICS_TOKEN);
    const cookie = await logIn(app);
    const visitors = startVisitors(app);
    await measured(read, "pages of visitors alone", () => delay(3_000));
    const { rows } = await pool.query<{ slug: string }>("select slug from brands where is_default");
    for (const [kind, text] of Object.entries(hardTexts(MAX_QUERY))) {
      const query = encodeURIComponent(text).slice(0, MAX_QUERY).replace(/%.?$/, "");
      await measured(read, `search for ${kind}`, () => send(app, "GET", `/search?q=${query}`));
      await measured(read, `suggestions for ${kind}`, () => send(app, "GET", `/api/suggestions?q=${query}`));
    }
    for (const { path, fields, isMember } of FORMS)
      for (const [kind, text] of Object.entries(hardTexts(TEXT)))
        await measured(read, `100 kB of ${kind} to ${path}`, () =>
          send(app, "POST", path, {
            body: formOf(fields, text),
            type: "application/x-www-form-urlencoded",
            cookie: isMember ? cookie : "",
          }),
        );
    await measured(read, "a batch of 1 MB of events", () =>
      send(app, "POST", `/api/Telemetry/batch?brand=${rows[0]!.slug}`, {
        ...{ body: batch(), type: "application/x-ndjson", authorization: `Bearer ${BATCH_KEY}` },
      }),
    );
    for (const path of [
      "/money",
      "/money/purchases",
      "/money/purchases.csv",
      "/profile",
      "/sitemap.xml",
      "/sitemaps/offers-1.xml",
      "/sitemaps/retailers-1.xml",
    ])
      await measured(read, `${path}, with all there is`, () => send(app, "GET", path, { cookie }));
    await measured(read, "a member's export", () =>
      send(app, "POST", "/profile/privacy/export", { cookie, type: "application/x-www-form-urlencoded" }),
    );
    await visitors.stop();
  } finally {
    await app.stop();
  }
}

/** The text in each field, as much as a body may have. */
function formOf(fields: readonly string[], text: string): string {
  const perCharacter = new URLSearchParams([["", text]]).toString().length / text.length;
  const length = Math.floor(Math.min(TEXT, MAX_BODY / perCharacter) / fields.length);
  return new URLSearchParams(fields.map((field) => [field, text.slice(0, length)])).toString();
}

function batch(): string {
  const line = (index: number) =>
    JSON.stringify({
      ...{
        eventId: crypto.randomUUID(),
        userId: null,
        sessionId: `session-${index}`,
        affinityId: "bench",
        eventType: "SearchPage",
      },
      additionalFields: { SearchTerm: `term ${index}` },
    });
  const lines: string[] = [];
  for (let bytes = 0; lines.length < 5_000;) {
    const next = line(lines.length);
    bytes += next.length + 1;
    if (bytes > 1024 * 1024) break;
    lines.push(next);
  }
  return lines.join("\n");
}

async function measureAdmin(db: Db): Promise<void> {
  const admin = await openAdmin(db, { now });
  const here = heldHere();
  const ask = async (address: string, { expected = 200, ...init }: RequestInit & { expected?: number } = {}) => {
    const answer = await admin.ask(address, init);
    await answer.text();
    if (answer.status !== expected) throw new Error(`${address} answered ${answer.status}`);
  };
  try {
    await ask("/admin/offers");
    for (const path of ["members", "offers", "retailers", "payments", "payouts", "claims", "audit"].map(
      (list) => `/admin/${list}.csv`,
    ))
      await measured(here.read, `the export ${path}`, () => ask(path));
    const shop = await db
      .selectFrom("retailers")
      .innerJoin("programmes", "programmes.retailer_id", "retailers.id")
      .select(["slug", "programmes.landing_url as landingUrl"])
      .orderBy("slug")
      .limit(1)
      .executeTakeFirstOrThrow();
    const post = (rows: number, words: number, expected: number) => {
      const body = new FormData();
      body.set("file", new File([importOf(shop, { rows, words })], "offers.csv"));
      return ask("/admin/offers/file", { method: "POST", body, expected });
    };
    await measured(here.read, "the largest import of offers, read", () => post(MAX_OFFERS_IN_FILE, 650, 200));
    await measured(here.read, "an import of too many offers, refused", () => post(20_000, 5, 422));
  } finally {
    here.stop();
  }
  if (admin.errors.length > 0) throw new Error(`Pages failed: ${String(admin.errors[0])}`, { cause: admin.errors[0] });
}

/** A file of so many offers, or as many as a file of 3 MB has. */
function importOf(
  { slug: retailer, landingUrl }: { slug: string; landingUrl: string },
  { rows, words }: { rows: number; words: number },
): string {
  const columns = Object.keys(offerColumns) as OfferColumn[];
  const cells: Partial<Record<OfferColumn, string>> = {
    ...{ retailer, state: "published", kind: "deal", headline: "10% off", description: "Words. ".repeat(words) },
    ...{ landing_url: landingUrl, over_18s_only: "no", starts_at: "2026-01-01 09:00", popularity: "0" },
  };
  const lines = [csvLine(columns)];
  for (let bytes = 0, index = 0; index < rows && bytes < 2_900_000; index += 1) {
    const row = { ...cells, reference: `bench-${index}`, title: `Offer ${index}` };
    const line = csvLine(columns.map((column) => row[column as keyof typeof row] ?? ""));
    bytes += line.length;
    lines.push(line);
  }
  return lines.join("");
}

async function measured(read: ReadHeld, what: string, work: () => Promise<unknown>): Promise<void> {
  await read();
  await work();
  found.push({ what, ms: await read() });
}
