import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { offerMemberTypes } from "@farthing/core/registration/registration.testing.ts";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { testPassword, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";
import { newAddress, realServer, type Answer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
const host = "one.test";
const wrong = "Wrong-Password-1";
let people = 0;

beforeAll(async () => {
  await seedMemberTypes(db);
  await offerMemberTypes(db, one.id, ["unpaid_carer"]);
});

/** Two addresses of the same length, one with an account. */
async function twoAddresses(): Promise<Record<"known" | "unknown", string>> {
  people += 1;
  const known = `known-x-${people}@one.test`;
  await insertMemberWithPassword(db, one, known);
  return { known, unknown: `no-body-${people}@one.test` };
}

/** Returns an answer without what differs between requests anyway, and without the typed address. */
function comparable({ status, headers, cookies, text }: Answer, email: string) {
  const masked = (words: string) =>
    words
      .replaceAll(email, "EMAIL")
      .replaceAll(encodeURIComponent(email), "EMAIL")
      .replaceAll(/[nk]•••/g, "E•••")
      .replaceAll(/sha256-[\w+/=]+/g, "HASH")
      .replaceAll(/[\w-]{40,}(\.[\w-]+)*/g, "TOKEN")
      .replaceAll(/\b1\d{12}\b/g, "TIME")
      .replaceAll(/\d\d:\d\d:\d\d/g, "TIME");
  const { date: _, "x-request-id": __, "set-cookie": ___, ...rest } = headers;
  return { status, headers: masked(JSON.stringify(rest)), cookies: cookies.map(masked), text: masked(text) };
}

/** What takes measurable time or sends mail: number of passwords hashed, rows per table. */
async function costOf(
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; hashes: number; rows: Record<string, number> }> {
  const hashed = vi.spyOn(PasswordHashing.prototype, "hash");
  const verified = vi.spyOn(PasswordHashing.prototype, "verify");
  const before = await counts();
  const answer = await work();
  const after = await counts();
  const hashes = hashed.mock.calls.length + verified.mock.calls.length;
  hashed.mockRestore();
  verified.mockRestore();
  const rows = Object.fromEntries(
    Object.keys(after).map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]),
  );
  return { answer, hashes, rows };
}

async function counts(): Promise<Record<string, number>> {
  const tables = [
    "mails",
    "login_tries",
    "password_reset_requests",
    "registration_drafts",
    "registration_tries",
  ] as const;
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    found[table] = Number(count);
  }
  return found;
}

type Question = (email: string) => Promise<Answer>;

const post =
  (path: string, form: (email: string) => Record<string, string>): Question =>
  (email) =>
    server.post(path, { host, form: form(email), from: newAddress() });

const person = { member_type: "unpaid_carer", member_status: "parent_carer" };
const stepOne = (email: string) => ({
  ...person,
  email,
  email_confirmation: email,
  password: "Marigold-Kettle",
  password_confirmation: "Marigold-Kettle",
});
const stepTwo = {
  ...person,
  name: "Ada Asker",
  dob_day: "29",
  dob_month: "2",
  dob_year: "1988",
  residence: "GB",
  additional_hours_band: "Under 20 hours",
  terms: "yes",
};

/** Every request that takes an e-mail address. */
const questions: Record<string, Question> = {
  "a login": post("/login", (email) => ({ email, password: wrong })),
  "a forgotten password": post("/forgotten-password", (email) => ({ email })),
  "a registration's first step": post("/register", stepOne),
};

describe("who is a member", () => {
  for (const [what, ask] of Object.entries(questions))
    test(`S1 ${what} does not reveal it: the same answer, headers and cookies, as many hashes, and the same rows`, async () => {
      const { known, unknown } = await twoAddresses();
      // The first rendering of a page under Vite differs and is not compared.
      await ask("warm-up@one.test");
      const ours = await costOf(() => ask(known));
      const nobodys = await costOf(() => ask(unknown));
      expect(comparable(nobodys.answer, unknown)).toEqual(comparable(ours.answer, known));
      expect({ hashes: nobodys.hashes, rows: nobodys.rows }).toEqual({ hashes: ours.hashes, rows: ours.rows });
      expect(ours.hashes, what).toBe(what === "a forgotten password" ? 0 : 1);
    });

  test("S1 the end of a registration does not reveal it: the same answer and page, no hash, and one mail either way", async () => {
    const { known, unknown } = await twoAddresses();
    const ask = async (email: string) => {
      const from = newAddress();
      const begun = await server.post("/register", { host, form: stepOne(email), from });
      const cookie = begun.cookies.map((line) => line.split(";")[0]).join("; ");
      const done = await costOf(() => server.post("/register/details", { host, cookie, form: stepTwo, from }));
      const page = await server.get("/register/sent", { host, cookie, from });
      expect(done.answer.headers.location).toBe("/register/sent");
      const { hashes, rows } = done;
      return { done: comparable(done.answer, email), page: comparable(page, email), hashes, rows };
    };
    await ask("warm-up-too@one.test");
    const [ours, nobodys] = [await ask(known), await ask(unknown)];
    expect(nobodys).toEqual(ours);
    expect({ hashes: ours.hashes, mails: ours.rows["mails"] }).toEqual({ hashes: 0, mails: 1 });
  });

  test("S1 a passkey's challenge names no account: its page is the same for everyone", async () => {
    const { known } = await twoAddresses();
    const challenge = "x".repeat(43);
    const ask = (id: string) =>
      server.post("/login/passkey", { host, from: newAddress(), form: { challenge, answer: `{"id":"${id}"}` } });
    const page = await server.get("/login", { host });
    expect(page.text).not.toMatch(/allowCredentials&quot;:\[\{/);
    expect(comparable(await ask(known), known)).toEqual(comparable(await ask("nobody"), "nobody"));
  });

  test("S1 the confirmation link is sent again only with the right password; otherwise the answer is the one that strangers get", async () => {
    const { known, unknown } = await twoAddresses();
    await db.updateTable("members").set({ email_verified: false }).where("email", "=", known).execute();
    await db.updateTable("member_emails").set({ verified_at: null }).where("email", "=", known).execute();
    const login = (email: string) => costOf(() => questions["a login"]!(email));
    const [unconfirmed, nobodys] = [await login(known), await login(unknown)];
    expect(comparable(nobodys.answer, unknown)).toEqual(comparable(unconfirmed.answer, known));
    expect(nobodys.rows).toEqual(unconfirmed.rows);
    expect(unconfirmed.rows["mails"]).toBe(0);
  });

  describe("a member who adds an address", () => {
    const adding = async () => {
      const memberId = await insertMemberWithPassword(db, one, `adds-${(people += 1)}@one.test`);
      const { cookie } = await openSession(server, { brand: one, memberId });
      return (email: string) =>
        server.post("/profile/security/emails", { host, cookie, form: { intent: "add", email }, from: newAddress() });
    };
    const mailsTo = async (email: string) =>
      (await db.selectFrom("mails").select("id").where("recipient", "=", email).execute()).length;

    test("S1 does not learn whether it has an account, and one mail is sent either way", async () => {
      const { known, unknown } = await twoAddresses();
      const add = await adding();
      await add("warm-up-three@one.test");
      const [ours, nobodys] = [await costOf(() => add(known)), await costOf(() => add(unknown))];
      expect(comparable(nobodys.answer, unknown)).toEqual(comparable(ours.answer, known));
      expect({ ours: ours.rows["mails"], nobodys: nobodys.rows["mails"] }).toEqual({ ours: 1, nobodys: 1 });
    });

    test("S1 can't fill another mailbox: at most three mails an hour reach it, and the answer stays the same", async () => {
      const { known } = await twoAddresses();
      for (const stranger of ["flooded@elsewhere.test", known]) {
        const answers: Answer[] = [];
        for (const add of [await adding(), await adding()])
          for (let time = 0; time < 5; time += 1) answers.push(await add(stranger));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(await mailsTo(stranger)).toBe(3);
      }
    });

    test("S1 can't cause mails to many addresses: has to wait after twenty", async () => {
      const add = await adding();
      const statuses: number[] = [];
      for (let number = 0; number < 22; number += 1) statuses.push((await add(`list-${number}@elsewhere.test`)).status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(20);
      expect(statuses.at(-1)).toBe(429);
    });
  });

  test("S1 after all these attempts the right password still opens the account", async () => {
    const { known } = await twoAddresses();
    for (let time = 0; time < 5; time += 1) await questions["a login"]!(known);
    const form = { email: known, password: testPassword };
    expect((await server.post("/login", { host, form, from: newAddress() })).status).toBe(303);
  });
});
