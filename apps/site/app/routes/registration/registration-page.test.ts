import { confirmCases, overlongPassword, passwordCases } from "@farthing/core/forms/rules.testing.ts";
import { registrationLimits } from "@farthing/core/registration/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { loadSite, openClub, tag, textOf } from "../../../testing/site.testing.ts";
import { openRegistration, stepOne } from "./registration.testing.ts";

const { db } = await testDatabase();
loadSite();
const { openSchools, pastStepOne } = await openRegistration(db);

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
