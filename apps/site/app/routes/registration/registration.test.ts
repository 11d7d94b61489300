import { confirmCases, dateTextCases, overlongPassword, passwordCases } from "@farthing/core/forms/rules.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { offerMemberTypes } from "@farthing/core/registration/registration.testing.ts";
import { registrationLimits } from "@farthing/core/registration/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, tag, textOf, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

beforeAll(async () => {
  await seedMemberTypes(db);
});

let counter = 0;
const newEmail = () => `newcomer-${(counter += 1)}@example.org`;

async function openSchools(options: Parameters<typeof openClub>[1] = {}): Promise<TestClub> {
  const club = await openClub(db, options);
  await offerMemberTypes(db, club.brand.id, ["education", "unpaid_carer", "organisation"]);
  return club;
}

const stepOne = (email = newEmail()) => ({
  member_type: "education",
  member_status: "employed_permanent",
  email,
  email_confirmation: email,
  password: "Marigold-Kettle",
  password_confirmation: "Marigold-Kettle",
});

const role = async (name: string) => {
  const row = await db
    .selectFrom("job_roles")
    .innerJoin("job_categories", "job_categories.id", "job_category_id")
    .select(["job_roles.public_number as role", "job_categories.public_number as category"])
    .where("job_roles.name", "=", name)
    .orderBy("job_roles.public_number")
    .executeTakeFirstOrThrow();
  return { job_category: String(row.category), job_role: String(row.role) };
};

const details = async () => ({
  member_type: "education",
  member_status: "employed_permanent",
  name: "Ada O’Neill-Łukasz",
  dob_day: "29",
  dob_month: "2",
  dob_year: "1988",
  residence: "GB",
  ...(await role("Head teacher")),
  member_id: "1234567",
  additional_school_or_trust: "St. Mary’s <b>",
  additional_phase: "Primary",
  terms: "yes",
});

/** The cookie of a registration that is past step one. */
async function pastStepOne(club: TestClub, form: Record<string, string> = stepOne()): Promise<Record<string, string>> {
  const response = await club.post("/register", form);
  expect(response.status, textOf(await response.clone().text()).slice(0, 400)).toBe(303);
  expect(response.headers.get("Location")).toBe("/register/details");
  return { Cookie: (response.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
}

const membersOf = (club: TestClub) =>
  db.selectFrom("members").selectAll().where("brand_id", "=", club.brand.id).execute();
const mailsOf = (club: TestClub) =>
  db.selectFrom("mails").selectAll().where("brand_id", "=", club.brand.id).orderBy("created_at").execute();

describe("step one", () => {
  test("M1 P7 P8 Z4 step one works as plain HTML: specified field names and labels, statuses in groups until a type is chosen", async () => {
    const club = await openSchools();
    const response = await club.get("/register");
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(html).toContain('<body data-controller="registrations" data-action="new">');
    expect(tag(html, "form", 'action="/register"')).toContain('method="post"');
    expect(html).toMatch(/<select[^>]*name="member_type"[\s\S]*?<option value="unpaid_carer">/);
    expect(html).toMatch(/<select[^>]*name="member_status"[\s\S]*?<optgroup label="Education">/);
    for (const label of ["Email", "Confirm email", "Password", "Confirm password"])
      expect(html).toMatch(new RegExp(`<label for="[a-z_]+">${label}</label>`));
    expect(html).toMatch(/<button type="submit"[^>]*>.*?Continue<\/span>/);
    expect(tag(html, "input", 'name="email_confirmation"')).toContain("data-no-paste");
    expect(html.match(/data-no-paste/g)).toHaveLength(1);
    expect(tag(html, "input", 'name="password"')).toMatch(/autoComplete="new-password"/i);
  });

  test("B3 only the brand's member types are offered, and a type of another brand is refused", async () => {
    const club = await openSchools();
    expect(await (await club.get("/register")).text()).not.toContain('value="police"');
    const response = await club.post("/register", { ...stepOne(), member_type: "police", member_status: "officer" });
    expect(response.status).toBe(400);
    expect(textOf(await response.text())).toContain("Member type : Choose one of the list.");
  });

  test("P8 choosing only a type and pressing Continue shows its statuses and keeps what was typed", async () => {
    const club = await openSchools();
    const html = await (await club.post("/register", { member_type: "unpaid_carer", email: "ada@example.org" })).text();
    expect(html).toContain(">Parent carer</option>");
    expect(html).not.toContain("<optgroup");
    expect(html).toContain('value="ada@example.org"');
  });

  test("M3 missing fields are marked, listed and worded as specified", async () => {
    const club = await openSchools();
    const response = await club.post("/register", {});
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html.match(/class="field-error">\*\* This is a required field</g)).toHaveLength(6);
    expect(html).toMatch(/role="alert"[\s\S]*<a href="#email">Email<\/a>/);
    expect(textOf(html)).toContain("6 things need your attention Member type ** This is a required field");
    expect(html.match(/<span class="field-mark"> \*\*<\/span>/g)).toHaveLength(6);
  });

  test.each(passwordCases)("M3 the server follows the table of passwords: $why", async ({ password, isGood }) => {
    const club = await openSchools();
    const response = await club.post("/register", { ...stepOne(), password, password_confirmation: password });
    expect(response.status).toBe(isGood ? 303 : 400);
    if (!isGood) expect(tag(await response.text(), "input", 'name="password"')).toContain('aria-invalid="true"');
  });

  test.each(confirmCases)("M3 the server follows the table of confirmations: $why", async (entry) => {
    const club = await openSchools();
    const { password, confirmation, isGood } = entry;
    const response = await club.post("/register", { ...stepOne(), password, password_confirmation: confirmation });
    expect(response.status).toBe(isGood ? 303 : 400);
    const html = await response.text();
    if (!isGood) expect(tag(html, "input", 'name="password_confirmation"')).toContain('aria-invalid="true"');
    if (password) expect(html).not.toContain(password);
  });

  test.each([
    ["common", "Password1", "Many people use this password"],
    ["the e-mail address", "Newcomer-1@x", "Leave your e-mail address out"],
    ["too long", overlongPassword, "at most 128 characters"],
  ])("Y1 a password that is %s is refused", async (_, password, words) => {
    const club = await openSchools();
    const form = { ...stepOne("newcomer@example.org"), password, password_confirmation: password };
    expect(textOf(await (await club.post("/register", form)).text())).toContain(words);
  });

  test.each([
    ["another address", { email_confirmation: "other@example.org" }, "This is not the same as Email."],
    ["no address", { email: "ada", email_confirmation: "ada" }, "Enter an e-mail address"],
    ["a status of another type", { member_status: "parent_carer" }, "Choose a status of Education."],
    ["100 kB", { email: `${"a".repeat(100_000)}@example.org` }, "Enter an e-mail address"],
    ["NUL", { email: "a\u0000@example.org", email_confirmation: "a\u0000@example.org" }, "Enter an e-mail address"],
  ])("M3 %s is reported at the field", async (_, change, words) => {
    const club = await openSchools();
    const response = await club.post("/register", { ...stepOne(), ...change });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(textOf(html)).toContain(words);
    expect(html.length).toBeLessThan(60_000);
  });

  test("S1 password and token are stored as hashes, and the cookie is sent to these pages only", async () => {
    const club = await openSchools();
    const response = await club.post("/register", stepOne());
    const cookie = response.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/Path=\/register; HttpOnly; SameSite=Lax$/);
    const draft = await db
      .selectFrom("registration_drafts")
      .selectAll()
      .where("brand_id", "=", club.brand.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(draft)).not.toContain("Marigold");
    expect(draft.password_hash).toBe("hash of a password");
    expect(JSON.stringify(draft)).not.toContain(cookie.split(/[=;]/)[1]);
  });

  test("S1 a post from a foreign page is refused", async () => {
    const club = await openSchools();
    expect((await club.post("/register", stepOne(), { headers: { Origin: "https://evil.example" } })).status).toBe(400);
  });

  test("S1 the number of registrations that one address can start is limited, and the answer says when to come back", async () => {
    const club = await openSchools();
    await db.deleteFrom("registration_tries").execute();
    for (let turn = 0; turn < registrationLimits.starts.tries; turn += 1) await pastStepOne(club);
    const response = await club.post("/register", stepOne());
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    await db.deleteFrom("registration_tries").execute();
  });

  test("M1 a person who comes back continues where they stopped, and the address is not shown", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club, stepOne("ada.lovelace@example.org"));
    const html = await (await club.get("/register", { headers })).text();
    expect(textOf(html)).toContain("a…@example.org");
    expect(html).not.toContain("ada.lovelace");
    expect(html).toContain('href="/register/details"');
  });

  test("S1 while too many passwords are being hashed, people are asked to try again in a moment", async () => {
    const club = await openSchools();
    club.services.accounts.hashPassword = async () => {
      throw Object.assign(new Error("Too many"), { name: "HashingBusy" });
    };
    const response = await club.post("/register", stepOne());
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("5");
  });

  test("B3 a brand without member types says that nobody can join", async () => {
    const club = await openClub(db);
    const html = await (await club.get("/register")).text();
    expect(textOf(html)).toContain("Nobody can join at the moment");
    expect((await club.post("/register", stepOne())).status).toBe(400);
  });

  test("M1 members are sent to their profile", async () => {
    const club = await openSchools();
    for (const path of ["/register", "/register/details"])
      expect((await club.get(path, { member: await club.newMember() })).headers.get("Location")).toBe("/profile");
  });
});

describe("step two", () => {
  test("M1 step two cannot be reached without step one, with an invalid token, or at another brand", async () => {
    const club = await openSchools();
    const other = await openSchools();
    const headers = await pastStepOne(club);
    expect((await club.get("/register/details")).headers.get("Location")).toBe("/register");
    const made = { Cookie: `farthing_registration=${"x".repeat(43)}` };
    for (const response of [
      await club.get("/register/details", { headers: made }),
      await other.get("/register/details", { headers }),
      await other.post("/register/details", await details(), { headers }),
    ])
      expect(response.headers.get("Location")).toBe("/register?over");
    expect(await membersOf(other)).toEqual([]);
    expect((await club.get("/register/details", { headers })).status).toBe(200);
  });

  test("M1 an expired draft starts again, and the page says so", async () => {
    let now = NOW;
    const club = await openSchools({ now: () => now });
    const headers = await pastStepOne(club);
    now = new Date(NOW.getTime() + 8 * 24 * 60 * 60 * 1000);
    const response = await club.post("/register/details", await details(), { headers });
    expect(response.headers.get("Location")).toBe("/register?over");
    expect(textOf(await (await club.get("/register?over")).text())).toContain("Please begin again");
    expect(await membersOf(club)).toEqual([]);
  });

  test("M1 P7 P8 U1 the form has the specified names, all roles in groups, and autocomplete hints", async () => {
    const club = await openSchools();
    const html = await (await club.get("/register/details", { headers: await pastStepOne(club) })).text();
    expect(html).toContain('<body data-controller="registrations" data-action="edit">');
    for (const name of ["member_type", "member_status", "job_category", "job_role", "member_id", "date_of_birth"])
      expect(html, name).toContain(`name="${name}"`);
    for (const name of ["dob_day", "dob_month", "dob_year"]) expect(html).toContain(`name="${name}"`);
    expect(html).toMatch(/<select[^>]*name="job_role"[\s\S]*?<optgroup label="Leadership"><option/);
    expect(html).toContain('<fieldset class="organisation-details"><legend>Organisation details</legend>');
    expect(tag(html, "input", 'name="name"')).toMatch(/autoComplete="name"/i);
    expect(tag(html, "select", 'name="dob_year"')).toMatch(/autoComplete="bday-year"/i);
    expect(html).toMatch(/<button type="submit"[^>]*>.*?Create account<\/span>/);
    for (const name of ["terms", "offers"]) expect(tag(html, "input", `name="${name}"`)).not.toContain("checked");
  });

  test("M1 an organisation is asked for no job category, and a carer for no organisation details", async () => {
    const club = await openSchools();
    const organisation = { ...stepOne(), member_type: "organisation", member_status: "nominated_buyer" };
    const first = await (
      await club.get("/register/details", { headers: await pastStepOne(club, organisation) })
    ).text();
    expect(first).not.toContain('name="job_category"');
    expect(first).toContain('name="additional_legal_name"');
    const carer = { ...stepOne(), member_type: "unpaid_carer", member_status: "parent_carer" };
    const second = await (await club.get("/register/details", { headers: await pastStepOne(club, carer) })).text();
    expect(second).not.toContain("organisation-details");
    expect(second).toContain('name="additional_hours_band"');
  });

  test("M1 a status that hides the organisation details turns them off, and none of them is required or stored", async () => {
    const club = await openSchools();
    const email = newEmail();
    const headers = await pastStepOne(club, { ...stepOne(email), member_status: "retired" });
    const html = await (await club.get("/register/details", { headers })).text();
    expect(html).toContain('<fieldset class="organisation-details" hidden="" disabled="">');
    const form = { ...(await details()), member_status: "retired", job_category: "", job_role: "" };
    expect((await club.post("/register/details", form, { headers })).headers.get("Location")).toBe("/register/sent");
    const [member] = await membersOf(club);
    expect(member).toMatchObject({ email, additional_fields: {}, job_role_id: null });
  });

  test("P8 without script a button changes the type and shows its questions", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), member_type: "unpaid_carer", member_status: "", intent: "show" };
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('name="additional_hours_band"');
    expect(html).not.toContain('name="additional_school_or_trust"');
    expect(html).toContain(">Parent carer</option>");
    expect(html).toContain('value="Ada O’Neill-Łukasz"');
    expect(html).not.toContain('role="alert"');
  });

  test("P8 Enter in a field presses the form's first button, which creates the account where no choice has changed", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const response = await club.post("/register/details", { ...(await details()), intent: "show" }, { headers });
    expect(response.headers.get("Location")).toBe("/register/sent");
  });

  test("Y7 the button that loads every choice creates no account, whatever is filled in and however often it is pressed", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), intent: "questions" };
    await club.post("/register/draft", form, { headers });
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).not.toContain('role="alert"');
    expect(html).toContain(">Deputy head</option>");
    expect(await membersOf(club)).toEqual([]);
  });

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
    await db.updateTable("members").set({ email: taken }).where("id", "=", id).execute();
    const register = async (email: string) => {
      const first = await club.post("/register", stepOne(email));
      const headers = { Cookie: (first.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
      const second = await club.post("/register/details", await details(), { headers });
      const sent = await club.get("/register/sent", { headers });
      const shape = (response: Response) => [
        response.status,
        [...response.headers].map(([name, value]) => [name, name === "set-cookie" ? value.length : value]),
      ];
      const html = (await sent.text()).replaceAll(email, "ADDRESS");
      return { answers: [first, second, sent].map(shape), html };
    };
    const known = await register(taken);
    const unknown = await register(`${taken.slice(0, 8)}-x${taken.slice(8)}`.slice(0, taken.length + 2));
    expect(known.answers).toEqual(unknown.answers);
    expect(textOf(known.html)).toBe(textOf(unknown.html));
    const mails = await mailsOf(club);
    expect(mails.map(({ kind, recipient }) => [kind, recipient === taken])).toEqual([
      ["already-registered", true],
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

  test.each(dateTextCases)("M3 the server follows the table of dates: $why", async ({ day, month, year, text }) => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), dob_day: day, dob_month: month, dob_year: year, date_of_birth: "01-01-1980" };
    const response = await club.post("/register/details", form, { headers });
    expect(response.status).toBe(text === null ? 400 : 303);
    if (text === null) expect(await response.text()).toMatch(/id="date_of_birth-error"/);
  });

  test.each([
    ["a child", { dob_day: "28", dob_year: "2015" }, "You have to be 18 or over to join"],
    [
      "tomorrow's eighteenth birthday",
      { dob_day: "21", dob_month: "11", dob_year: "2008" },
      "You have to be 18 or over",
    ],
    ["the future", { dob_year: "2092" }, "still to come"],
    ["a slip in the year", { dob_year: "1888" }, "Check the year."],
    ["a place that is not the brand's", { residence: "FR" }, "Choose one of the list."],
    ["no place", { residence: "" }, "** This is a required field"],
    ["a role of another category", "other-role", "Choose a role of Leadership."],
    ["a role of another type", "other-type", "Choose one of the list."],
    ["a role that is none", { job_role: "0'; drop table members" }, "Choose one of the list."],
    ["a category that is none", { job_category: "999999" }, "Choose one of the list."],
    ["no role", { job_role: "" }, "** This is a required field"],
    ["a choice that is not offered", { additional_phase: "<script>" }, "Choose one of the list."],
    ["a required field of its type missing", { additional_school_or_trust: " " }, "** This is a required field"],
    ["another brand's type", { member_type: "police" }, "Choose one of the list."],
    ["100 kB of name", { name: "x".repeat(100_000) }, "Use at most 120 letters."],
    [
      "100 kB in an additional field",
      { additional_school_or_trust: "x".repeat(100_000) },
      "Use at most 120 characters.",
    ],
    ["NUL", { name: "Ada\u0000", member_id: "\u0000" }, "Use at most"],
    ["half a character", { name: "Ada\uD800x", member_id: "y\u0001" }, "Use at most 60"],
  ] as const)("M1 S2 %s is answered at the field, and makes no member", async (_, change, words) => {
    const club = await openSchools({ now: () => new Date("2026-11-20T12:00:00Z") });
    const headers = await pastStepOne(club);
    const form = { ...(await details()) } as Record<string, string>;
    if (change === "other-role") form["job_role"] = (await role("Primary teacher")).job_role;
    else if (change === "other-type") form["job_role"] = (await role("Midwife")).job_role;
    else Object.assign(form, change);
    const response = await club.post("/register/details", form, { headers });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(textOf(html)).toContain(words);
    expect(html).not.toMatch(/value="<script>|<b>"/);
    expect(html.length).toBeLessThan(120_000);
    expect(await membersOf(club)).toEqual([]);
    expect(club.errors).toEqual([]);
  });

  test("M1 a person who turns eighteen today is old enough, and a brand may accept younger people and other places", async () => {
    const club = await openSchools({ now: () => new Date("2026-11-20T12:00:00Z") });
    const birthday = { dob_day: "20", dob_month: "11", dob_year: "2008" };
    const first = await pastStepOne(club);
    expect(
      (await club.post("/register/details", { ...(await details()), ...birthday }, { headers: first })).status,
    ).toBe(303);
    club.brand.registration = { minimumAge: 16, residence: ["IE"] };
    const second = await pastStepOne(club);
    const younger = { ...(await details()), ...birthday, dob_year: "2010", residence: "IE" };
    expect((await club.post("/register/details", younger, { headers: second })).status).toBe(303);
  });

  test("M1 answers are kept when something is wrong, when the page is hidden and when the person comes back; consents are not", async () => {
    const club = await openSchools();
    const headers = await pastStepOne(club);
    const form = { ...(await details()), residence: "" };
    await club.post("/register/details", form, { headers });
    const html = await (await club.get("/register/details", { headers })).text();
    expect(tag(html, "input", 'name="name"')).toContain('value="Ada O’Neill-Łukasz"');
    expect(html).toContain('value="St. Mary’s &lt;b&gt;"');
    expect(html).toMatch(/<option value="Primary" selected="">/);
    expect(tag(html, "input", 'name="terms"')).not.toContain("checked");

    const beacon = await club.post("/register/draft", { ...form, name: "Grace" }, { headers });
    expect(beacon.status).toBe(204);
    expect(await (await club.get("/register/details", { headers })).text()).toContain('value="Grace"');
    expect((await club.post("/register/draft", form)).status).toBe(204);
    expect((await club.get("/register/draft")).status).toBe(404);
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
