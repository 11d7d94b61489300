import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import { testPassword, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { newAddress, realServer, type Answer } from "../attacks/real-server.testing.ts";
import { openSession } from "../attacks/sessions.testing.ts";

const server = await realServer();
const host = "one.test";
// Inserted before the server starts: a late notice of them would clear the pages that an outage must leave.
const one = await insertBrand(server.db, { slug: "one", isDefault: true });
const shop = await makeShop(server.db, {
  brandId: one.id,
  networkId: (await insertNetwork(server.db, { slug: "awin" })).id,
});
const memberId = await insertMemberWithPassword(server.db, one, "ada@one.test");
const { cookie } = await openSession(server, { brand: one, memberId });
let name = "";
/** Connected to another database of the same server, so that it survives when this one is closed. */
let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject("databaseAdminUrl") });
  await admin.connect();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
  name = rows[0]!.name;
  // From then on the server clears pages at notices alone.
  await vi.waitFor(async () => expect(await listeners()).toBe(1), { timeout: 20_000 });
});

const faults: unknown[] = [];
const onFault = (error: unknown) => void faults.push(error);
beforeAll(() => void process.on("uncaughtException", onFault).on("unhandledRejection", onFault));
afterAll(async () => {
  process.off("uncaughtException", onFault).off("unhandledRejection", onFault);
  await admin.end();
});

const endConnections = (except = 0) =>
  admin.query("select pg_terminate_backend(pid, 20000) from pg_stat_activity where datname = $1 and pid <> $2", [
    name,
    except,
  ]);
/** Number of the server's connections that listen for changed content. */
async function listeners(): Promise<number> {
  const { rows } = await admin.query(
    "select 1 from pg_stat_activity where datname = $1 and query = 'listen \"site_content\"' and state = 'idle'",
    [name],
  );
  return rows.length;
}
/** Makes the database unavailable: ends its connections and allows no new ones. */
async function makeUnavailable(): Promise<void> {
  await admin.query(`alter database ${name} allow_connections false`);
  await endConnections();
}
const makeAvailable = () => admin.query(`alter database ${name} allow_connections true`);
afterEach(makeAvailable);

// oxlint-disable-next-line vitest/require-awaited-expect-poll -- the callers await it
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });
const get = (path: string, headers: Record<string, string> = {}) =>
  server.get(path, { host, headers, from: newAddress() });
const asMember = (path: string) => server.get(path, { host, cookie, from: newAddress() });
const logIn = () =>
  server.post("/login", { host, from: newAddress(), form: { email: "ada@one.test", password: testPassword } });

function expectTryAgain({ status, headers, text }: Answer, what: string): void {
  expect({ status, retryAfter: headers["retry-after"] }, what).toEqual({ status: 503, retryAfter: "5" });
  expect(headers["cache-control"], what).toContain("no-store");
  expect(text, what).toContain("try again in a moment");
  expect(text, what).not.toMatch(/terminat|connect|database|SELECT/i);
}

test("P6 Z5 without the database pages and programs get 503 with Retry-After, what needs no database works, and everything recovers", async () => {
  expect((await get("/login")).status).toBe(200);
  await makeUnavailable();
  // Brands are cached for seconds: this one's look is still known, a brand that was not requested is not.
  for (const path of [
    "/",
    "/search?q=tent",
    "/retailers",
    `/go/offers/${shop.offerPublicId}`,
    "/profile",
    "/no-such-page",
  ])
    expectTryAgain(await asMember(path), path);
  expectTryAgain(await get("/search?q=nobody-asked-this-before"), "a stranger's page");
  expectTryAgain(await logIn(), "a post");
  expectTryAgain(await server.get("/", { host: "never-seen.test" }), "an unknown host");
  const problem = await get("/api/suggestions?q=tent");
  expect(problem.headers["content-type"]).toBe("application/problem+json");
  expect({ status: problem.status, retryAfter: problem.headers["retry-after"] }).toEqual({
    status: 503,
    retryAfter: "5",
  });
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(503);
  expect((await get("/metrics")).status).not.toBe(500);
  expect((await get("/login")).status).toBe(200); // from the page cache
  await makeAvailable();
  for (const path of ["/search?q=tent", "/profile", "/favourites"])
    await soon(async () => (await asMember(path)).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
  expect((await logIn()).status).toBe(303);
  expect(faults).toEqual([]);
});

test("R1 P6 requests in flight when connections end get 503, and only acknowledged clicks are stored", async () => {
  const own = openDatabase({ url: inject("databaseAdminUrl").replace(/\/[^/?]*(\?|$)/, `/${name}$1`), max: 1 });
  const clicks = async () =>
    Number((await sql<{ count: string }>`select count(*) from clicks`.execute(server.db)).rows[0]?.count);
  const before = await clicks();
  const oidOf = async (table: string) =>
    Number((await sql<{ oid: string }>`select ${table}::regclass::oid as oid`.execute(server.db)).rows[0]?.oid);
  const [clicksTable, favouritesTable] = [await oidOf("clicks"), await oidOf("favourite_offers")];
  // Requests that write a click or read favourites wait for this lock.
  const locking = own.db
    .transaction()
    .execute(async (trx) => {
      await sql`lock table clicks, favourite_offers in access exclusive mode`.execute(trx);
      await sql`select pg_sleep(600)`.execute(trx);
    })
    .catch(() => undefined);
  const holders = async () =>
    (
      await admin.query<{ pid: number }>(
        "select l.pid from pg_locks l join pg_database d on d.oid = l.database where d.datname = $1 and l.mode = 'AccessExclusiveLock' and l.granted",
        [name],
      )
    ).rows.map(({ pid }) => pid);
  await soon(async () => (await holders()).length).toBe(2);
  const [holder] = await holders();
  const reading = Array.from({ length: 4 }, () => asMember("/favourites"));
  const following = Array.from({ length: 20 }, () => asMember(`/go/offers/${shop.offerPublicId}`));
  const waitersFor = async (table: number) =>
    Number(
      (
        await admin.query(
          "select count(distinct l.pid) from pg_locks l join pg_database d on d.oid = l.database where d.datname = $1 and l.relation = $2 and not l.granted",
          [name, table],
        )
      ).rows[0].count,
    );
  // A writer of clicks, which may have taken all of them, and each reader.
  await soon(() => waitersFor(clicksTable)).toBeGreaterThanOrEqual(1);
  await soon(() => waitersFor(favouritesTable)).toBeGreaterThanOrEqual(4);
  // The lock's holder ends last: a request that got the lock before its own end would be answered.
  await endConnections(holder);
  await endConnections();
  for (const answer of await Promise.all(reading)) expectTryAgain(answer, "a page under way");
  const followed = await Promise.all(following);
  const acknowledged = followed.filter(({ status }) => status === 302);
  const refused = followed.filter(({ status }) => status !== 302);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectTryAgain(answer, "a click under way");
  await locking;
  await own.close();
  await soon(async () => (await asMember("/favourites")).status).toBe(200);
  expect(await clicks()).toBe(before + acknowledged.length);
  expect(faults).toEqual([]);
});
