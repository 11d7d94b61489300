import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { registrationLimits } from "@farthing/core/registration/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { loadSite, tag, textOf } from "../../../testing/site.testing.ts";
import { newEmail, openRegistration, stepOne } from "./registration.testing.ts";

const { db } = await testDatabase();
loadSite();
const { openSchools, details, pastStepOne, membersOf, mailsOf } = await openRegistration(db);

describe("step two", () => {
  test("M1 S1 the browser that registered confirms with one press; any other, including one that registered the address again, chooses a password", async () => {
    const club = await openSchools();
    const register = async (email: string) => {
      const headers = await pastStepOne(club, stepOne(email));
      const done = await club.post("/register/details", await details(), { headers });
      return { Cookie: (done.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
    };
    const email = newEmail();
    const [first, second] = [await register(email), await register(email)];
    expect(second.Cookie, "the address is taken, and the cookie tells nobody").toMatch(/^farthing_joining=/);
    const mail = (await mailsOf(club)).find(({ kind, recipient }) => kind === "confirm-email" && recipient === email);
    const token =
      new URL((mail?.data as { path: string } | undefined)?.path ?? "/", "http://x").searchParams.get("token") ?? "";
    const press = async (headers: Record<string, string>) =>
      (await club.post("/confirm-email", { token }, { headers })).status;
    expect({ withoutCookie: await press({}), withSecond: await press(second) }).toEqual({
      withoutCookie: 400,
      withSecond: 400,
    });
    expect(await press(first)).toBe(303);
  });

  test("M1 S1 the answers become one unconfirmed member with the password's hash, consents and a confirmation mail", async () => {
    const club = await openSchools();
    const email = newEmail();
    const headers = await pastStepOne(club, stepOne(email));
    const response = await club.post("/register/details", { ...(await details()), offers: "yes" }, { headers });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/register/sent");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^farthing_joining=[\w-]{43}; Max-Age=86400; Path=\/confirm-email; HttpOnly; SameSite=Lax$/,
      ),
    ]);

    const [member, ...others] = await membersOf(club);
    expect(others).toEqual([]);
    expect(member).toMatchObject({
      email,
      email_verified: false,
      verification: "unverified",
      name: "Ada O’Neill-Łukasz",
      date_of_birth: "1988-02-29",
      residence: "GB",
      stated_member_id: "1234567",
      additional_fields: { school_or_trust: "St. Mary’s <b>", phase: "Primary" },
    });
    const credential = await db
      .selectFrom("member_credentials")
      .selectAll()
      .where("member_id", "=", member?.id ?? "")
      .executeTakeFirstOrThrow();
    expect(credential).toMatchObject({
      provider_id: "credential",
      account_id: member?.id,
      password: "hash of a password",
    });
    const consents = await db
      .selectFrom("member_consents")
      .select(["kind", "wording"])
      .where("member_id", "=", member?.id ?? "")
      .orderBy("kind")
      .execute();
    expect(consents.map(({ kind }) => kind)).toEqual(["offers-by-email", "terms"]);
    expect(consents[1]?.wording).toContain(club.brand.name);
    const [mail] = await mailsOf(club);
    expect(mail).toMatchObject({ kind: "confirm-email", recipient: email, member_id: member?.id });
    const token = await db
      .selectFrom("member_tokens")
      .select("next_path")
      .where("member_id", "=", member?.id ?? "")
      .executeTakeFirstOrThrow();
    expect(token.next_path).toBe("/verification");

    const sent = await (await club.get("/register/sent", { headers })).text();
    expect(textOf(sent)).toContain(`We have sent an e-mail to ${email}`);
    const [draft] = await db
      .selectFrom("registration_drafts")
      .selectAll()
      .where("brand_id", "=", club.brand.id)
      .execute();
    expect(draft).toMatchObject({ password_hash: null, answers: {} });
  });

  test("M1 consents that were not given are not recorded, and without the terms no member is created", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const { terms: _, ...form } = await details();
    const refused = await club.post("/register/details", form, { headers });
    expect(refused.status).toBe(400);
    expect(tag(await refused.text(), "input", 'name="terms"')).toContain('aria-invalid="true"');
    expect(await membersOf(club)).toEqual([]);
    await club.post("/register/details", await details(), { headers });
    const consents = await db
      .selectFrom("member_consents")
      .select("kind")
      .where("brand_id", "=", club.brand.id)
      .execute();
    expect(consents).toEqual([{ kind: "terms" }]);
  });

  test("S1 an address with an account gets the same answer and page; only its mailbox learns of it", async () => {
    const club = await openSchools();
    const taken = newEmail();
    const { id } = await insertMember(db, { brandId: club.brand.id });
    await db.updateTable("members").set({ email: taken, email_verified: true }).where("id", "=", id).execute();
    const register = async (email: string) => {
      const first = await club.post("/register", stepOne(email));
      const headers = { Cookie: (first.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
      const second = await club.post("/register/details", await details(), { headers });
      const sent = await club.get("/register/sent", { headers });
      const again = await club.post("/register/sent", {}, { headers });
      const shape = (response: Response) => [
        response.status,
        [...response.headers].map(([name, value]) => [name, name === "set-cookie" ? value.length : value]),
      ];
      const html = ((await sent.text()) + (await again.text())).replaceAll(email, "ADDRESS");
      return { answers: [first, second, sent, again].map(shape), html };
    };
    const known = await register(taken);
    const unknown = await register(`${taken.slice(0, 8)}-x${taken.slice(8)}`.slice(0, taken.length + 2));
    expect(known.answers).toEqual(unknown.answers);
    expect(textOf(known.html)).toBe(textOf(unknown.html));
    const mails = await mailsOf(club);
    expect(mails.map(({ kind, recipient }) => [kind, recipient === taken])).toEqual([
      ["already-registered", true],
      ["already-registered", true],
      ["confirm-email", false],
      ["confirm-email", false],
    ]);
    const member = await db.selectFrom("members").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(member.name).toBe("A Member");
    expect(await db.selectFrom("member_credentials").selectAll().where("member_id", "=", id).execute()).toEqual([]);
  });

  test("S1 no mailbox is flooded: after three mails a day nothing is sent, and the page stays the same", async () => {
    const club = await openSchools();
    const email = newEmail();
    for (let turn = 0; turn < 5; turn += 1) {
      const headers = await pastStepOne(club, stepOne(email));
      expect((await club.post("/register/details", await details(), { headers })).status).toBe(303);
    }
    expect(await mailsOf(club)).toHaveLength(3);
  });

  test("M1 S1 the mail is sent again to the address that this browser registered, and its link opens the account here alone by one press", async () => {
    const club = await openSchools();
    const email = newEmail();
    const register = async () => {
      const headers = await pastStepOne(club, stepOne(email));
      const done = await club.post("/register/details", await details(), { headers });
      return { headers, joining: { Cookie: (done.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" } };
    };
    const own = await register();
    const stranger = await register();
    expect((await club.post("/register/sent", {})).headers.get("Location"), "no registration").toBe("/register/sent");
    const again = await club.post("/register/sent", {}, { headers: stranger.headers });
    expect(textOf(await again.text())).toContain("We have sent it again");
    const links = (await mailsOf(club)).filter(({ kind }) => kind === "confirm-email");
    const tokens = links.map(({ data }) =>
      new URL((data as { path: string }).path, "http://x").searchParams.get("token"),
    );
    expect(new Set(tokens).size).toBe(2);
    const press = async (headers: Record<string, string>) =>
      (await club.post("/confirm-email", { token: tokens[1] ?? "" }, { headers })).status;
    expect(await press(stranger.joining)).toBe(400);
    expect(await press(own.joining)).toBe(303);
    // Three mails a day: more are not sent, and the answer does not say so.
    const full = await club.post("/register/sent", {}, { headers: own.headers });
    expect(textOf(await full.text())).toContain("We have sent it again");
    expect(await mailsOf(club)).toHaveLength(3);
  });

  test("M1 a form that is sent twice, or twice at once, creates one member", async () => {
    const club = await openSchools();
    const email = newEmail();
    const [one, two] = [await pastStepOne(club, stepOne(email)), await pastStepOne(club, stepOne(email))];
    const form = await details();
    const answers = await Promise.all(
      [one, one, one, two, two].map((headers) => club.post("/register/details", form, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    for (const answer of answers) expect(answer.headers.get("Location")).toBe("/register/sent");
    expect(await membersOf(club)).toHaveLength(1);
    expect((await mailsOf(club)).map(({ kind }) => kind).sort()).toEqual(["already-registered", "confirm-email"]);
    const later = await club.post("/register/details", form, { headers: one });
    expect(later.headers.get("Location")).toBe("/register/sent");
  });

  test("B4 the same address may belong to a member of each brand", async () => {
    const email = newEmail();
    for (const club of [await openSchools(), await openSchools()]) {
      const headers = await pastStepOne(club, stepOne(email));
      await club.post("/register/details", await details(), { headers });
      expect(await membersOf(club)).toHaveLength(1);
    }
  });

  test("P8 Check your inbox reveals nothing where there is no draft", async () => {
    const club = await openSchools();
    const response = await club.get("/register/sent");
    expect(textOf(await response.text())).toContain("We have sent an e-mail. Open it");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("S1 the number of accounts that one address can create is limited", async () => {
    await db.deleteFrom("registration_tries").execute();
    const club = await openSchools();
    const form = await details();
    await Promise.all(
      Array.from({ length: registrationLimits.accounts.tries }, async () => {
        const headers = await pastStepOne(club);
        expect((await club.post("/register/details", form, { headers })).status).toBe(303);
      }),
    );
    const headers = await pastStepOne(club);
    const response = await club.post("/register/details", form, { headers });
    expect(response.status).toBe(429);
    expect(await membersOf(club)).toHaveLength(registrationLimits.accounts.tries);
    await sql`delete from registration_tries`.execute(db);
  });
});
