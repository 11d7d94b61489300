import { readdirSync, readFileSync } from "node:fs";
import { pageEntries, type AdminPath } from "@farthing/admin/pages.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  fieldsOf,
  filledIn,
  form,
  hasPlace,
  headerNames,
  oddBodies,
  oddHeaders,
  unreadable,
} from "./odd-inputs.testing.ts";
import { insertOwner, operatorCookieOf } from "./operator.testing.ts";
import { newAddress, realServer } from "./real-server.testing.ts";

// every-input.test.ts for the operators' admin, as an owner: who may do everything sends what no page of ours does.

const errorLines: string[] = [];
const server = await realServer({ hasAdmin: true, onErrorLine: (line) => void errorLines.push(line.slice(0, 800)) });
const { db } = server;
const host = "one.test";
const brand = await insertBrand(db, { slug: "one", isDefault: true });
let owner = "";
let colleague = "";
const records: Record<string, string> = {};
beforeAll(async () => {
  owner = await insertOwner(db);
  colleague = await insertOwner(db, "colleague@club.example");
  const partner = await makePartner(db);
  const member = await insertSignedInMember(db, { brandId: brand.id });
  records["/admin/members/:id"] = member.id;
  records["/admin/operators/:id"] = colleague;
  records["/admin/partners/:partner"] = partner.publicId;
});
beforeEach(() => void errorLines.splice(0));

/** Each request has a session of its own, because some posts end theirs. */
const signedIn = () => operatorCookieOf(db, owner);

const changing = pageEntries.filter(([, { change }]) => change !== undefined).map(([path]) => path);
const paths = pageEntries.map(([path]) => path);

const sources = new URL("../../admin/app/", import.meta.url);
const sourceOf = (folder: string) =>
  readdirSync(new URL(folder, sources), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, sources), "utf8"))
    .join("\n");
const namesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? "")),
];
/** Every field and parameter that a page of the admin names, so that none is left out. */
const fieldNames = namesIn(sourceOf("."), /(?:name="|name: "|get(?:All)?\(")([a-z][\w-]*)"/g);
/** What the buttons of a page's folder say that they do. */
const actsOf = (path: AdminPath) => {
  const { file } = Object.fromEntries(pageEntries)[path] ?? { file: "" };
  const folder = `routes/${file.split("/")[0]}`;
  return namesIn(sourceOf(folder), /(?:value="|name: "|act: "|case "|act === ")([a-z][a-z-]*)"/g);
};

const TIMEOUT_MS = 300_000;

/** Returns two of the values, others for each place: every page meets some, and every value many pages. */
const few = (values: readonly string[], at: number) =>
  [0, 1].flatMap((step) => values[(at * 2 + step) % values.length] ?? []);

async function ask(
  method: "GET" | "POST",
  path: string,
  {
    type = null,
    body = "",
    headers = {},
  }: { type?: string | null; body?: string; headers?: Record<string, string> } = {},
) {
  const answer = await server.raw(method, path, {
    ...{ host, cookie: await signedIn(), from: newAddress(), body: Buffer.from(body, "latin1") },
    headers: {
      ...(type === null ? {} : { "content-type": type }),
      ...(method === "POST" ? { origin: server.origin(host) } : {}),
      ...headers,
    },
  });
  expect(answer.status, `${method} ${path} ${type ?? ""} ${body.slice(0, 200)}\n${errorLines.join("\n")}`).toBeLessThan(
    500,
  );
  return answer;
}

/** Texts that name no record, and those that look as if they did. */
const oddIds = [
  "x",
  "0",
  "-1",
  "7",
  "1e9",
  "99999999999999999999",
  "__proto__",
  "constructor",
  "%F0%9F%91%8B",
  "..%2F..",
  "a".repeat(2_000),
];

describe("S2 the admin, as an owner", () => {
  test("S2 the lists are complete: pages, fields and acts", async () => {
    expect((await ask("GET", "/admin")).status).toBe(200);
    expect(paths.length).toBeGreaterThan(60);
    for (const name of ["q", "why", "act", "ids", "from", "confirmed", "sort", "after", "state"])
      expect([...fieldNames, "after"], name).toContain(name);
    expect(actsOf("/admin/members/:id")).toEqual(expect.arrayContaining(["suspend", "end-sessions", "close"]));
  });

  test(
    "S2 Z5 bytes that are not text get 400 in path and query",
    async () => {
      for (const path of paths) {
        if (hasPlace(path))
          for (const odd of [...unreadable, "%"])
            expect((await ask("GET", filledIn(path, `x${odd}`))).status, `${path} with ${odd}`).toBe(400);
        for (const odd of unreadable)
          expect((await ask("GET", `${filledIn(path)}?${fieldsOf(fieldNames, odd)}`)).status, `${path}?…=${odd}`).toBe(
            400,
          );
      }
    },
    TIMEOUT_MS,
  );

  test(
    "S2 D1 no address and no query gets 5xx: ids of nothing, filters of any text, places in lists that nobody had",
    async () => {
      const own = (path: string) => (records[path] ? [path.replace(/:\w+$/, records[path])] : []);
      const odd = [
        "%F0%9F%91%8B",
        "-1",
        "2026-13-45",
        "2026-02-30",
        "9".repeat(30),
        "%22%27%5C%25_",
        "WyJ4Il0",
        "null",
        "constructor",
        "%7B%22a%22%3A1%7D",
      ];
      for (const [at, path] of paths.entries()) {
        if (hasPlace(path)) for (const id of [...few(oddIds, at), newId()]) await ask("GET", filledIn(path, id));
        for (const address of [filledIn(path, newId()), ...own(path)])
          for (const value of odd)
            await ask("GET", `${address}?${fieldsOf([...fieldNames, "after", "before"], value)}`);
        // The same field often, and fields without a name.
        await ask("GET", `${filledIn(path)}?${"state=x&".repeat(300)}&=&?=?&%=%`);
      }
    },
    TIMEOUT_MS,
  );

  for (const [what, { type, body, isRefused }] of Object.entries(oddBodies(fieldNames)))
    test(
      `S2 Z5 a post of ${what} never gets 5xx${isRefused ? " and is refused" : ""}`,
      async () => {
        for (const path of changing) {
          const { status, text } = await ask("POST", filledIn(path, records[path] ?? "x"), { type, body });
          if (!isRefused) continue;
          expect(status, `${path} answers ${status}`).toBeGreaterThanOrEqual(400);
          expect(text.length, `${path} says nothing`).toBeGreaterThan(0);
        }
      },
      TIMEOUT_MS,
    );

  test(
    "S2 Z5 a header that is not text never gets 5xx: all at once on every page, each alone on one",
    async () => {
      const routing = new Set([
        "origin",
        "cookie",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "sec-fetch-site",
      ]);
      for (const [at, path] of paths.entries()) {
        const odd = oddHeaders[at % oddHeaders.length] ?? "";
        const headers = Object.fromEntries(headerNames.filter((name) => !routing.has(name)).map((name) => [name, odd]));
        await ask("GET", filledIn(path), { headers });
        if (changing.includes(path)) await ask("POST", filledIn(path), { type: form, body: "act=x", headers });
      }
      for (const name of headerNames.filter((each) => !routing.has(each)))
        for (const odd of oddHeaders) await ask("GET", "/admin/keys", { headers: { [name]: odd } });
    },
    TIMEOUT_MS,
  );
});

/** Tables that a post may change without an entry in the log, each with why. */
const notLogged: Record<string, string> = {
  operator_sessions: "being signed in is no act; an operator's page lists their sessions",
  operator_views: "filters that an operator keeps for themselves",
};

/** Writes the name of each table down in which a row changes, and stays changed. */
async function watchChanges(): Promise<() => Promise<string[]>> {
  await sql`create table watched_changes (name text not null)`.execute(db);
  await sql`create function watch_change() returns trigger language plpgsql as
    ${sql.raw("$$ begin insert into watched_changes values (tg_table_name); return null; end $$")}`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'watched_changes'`.execute(
    db,
  );
  for (const { name } of rows)
    await sql`create trigger watch_change after insert or update or delete on ${sql.table(name)}
      for each row execute function watch_change()`.execute(db);
  return async () => {
    const changed = await sql<{ name: string }>`
      with seen as (delete from watched_changes returning name) select distinct name from seen order by 1`.execute(db);
    return changed.rows.map(({ name }) => name);
  };
}

describe("A1 what an owner changes", () => {
  test(
    "A1 no post changes anything without an entry in the log, whatever it says it does, confirmed and with a reason",
    async () => {
      const changes = await watchChanges();
      const done: string[] = [];
      const values = { email: "new@club.example", role: "support", mode: "live", url: "https://odd.example/hook" };
      const typed = fieldNames
        .filter((name) => !["act", "confirmed", "why", "ids"].includes(name))
        .map((name) => `${name}=${encodeURIComponent((values as Record<string, string>)[name] ?? "7")}`);
      const ids = Object.values(records).map((id) => `ids=${id}`);
      for (const path of changing.filter((each) => !/sign-in|sign-out|join/.test(each)))
        for (const act of actsOf(path)) {
          const known = Object.entries(records).find(([record]) => path.startsWith(record));
          const address = filledIn(known ? path.replace(/:\w+/, known[1]) : path);
          const body = [...typed, ...ids, `act=${act}`, "confirmed=yes", "why=attack"].join("&");
          await ask("POST", address, { type: form, body });
          const changed = (await changes()).filter((table) => !(table in notLogged));
          if (changed.length === 0) continue;
          expect(changed, `${path} ${act} has no entry in the log`).toContain("audit_entries");
          done.push(`${path} ${act}`);
        }
      // It would pass if every post were refused.
      expect(done.length, done.join(", ")).toBeGreaterThanOrEqual(10);
    },
    TIMEOUT_MS,
  );
});

/** Pages whose posts are no acts of an operator, each with why. */
const noActs: Partial<Record<AdminPath, string>> = {
  "/admin/sign-in": "nobody is signed in yet",
  "/admin/sign-in/code": "the sign-in itself",
  "/admin/sign-in/set-up": "the sign-in itself",
  "/admin/join/:token": "the password of whoever has the link; making the link is an act",
  "/admin/sign-out": "ends one's own session",
  "/admin/look": "a cookie of one's own browser",
  "/admin/views": "filters that an operator keeps for themselves",
  "/admin/*": "answers that there is nothing",
};

/** Returns the text of a module of the admin and of those that it imports from its own folder. */
function withNeighbours(file: string): string {
  const folder = file.split("/")[0] ?? "";
  const text = readFileSync(new URL(`routes/${file}`, sources), "utf8");
  const neighbours = namesIn(text, /from "\.\/([\w.-]+)"/g).filter((name) => /\.tsx?$/.test(name));
  return [text, ...neighbours.map((name) => readFileSync(new URL(`routes/${folder}/${name}`, sources), "utf8"))].join(
    "\n",
  );
}

describe("A1 every page that takes posts", () => {
  test.each(changing)("A1 %s makes its changes inside act, which writes the log, or says why it does not", (path) => {
    const { file } = pageEntries.find(([each]) => each === path)?.[1] ?? { file: "" };
    expect(/\b(?:act|actOutside|actForFile|undoChange|importOffers)[<(]/.test(withNeighbours(file))).toBe(
      !(path in noActs),
    );
  });
});
